// What the reviewer decides: kept in this browser under the submission's hash, saved as a file.
desk.STATUSES = ["open", "resolved", "exception", "not a problem"];
desk.laws = desk.content.laws.map((law) => law.id);

desk.store = {
  key: `sitemap-desk:${desk.content.key}`,
  state: { reviewer: "", findings: {}, clauses: {}, conditions: [], redlines: [], base: null, saved: true },
  kept: true, // whether the browser can keep it
  watchers: [],

  // A decision speaks under one law or (null) all; with one law both are the same.
  keyOf(about, ordinance) {
    return ordinance === null || ordinance === undefined || (desk.laws.length === 1 && ordinance === desk.laws[0])
      ? about : `${about}@${ordinance}`;
  },

  fromFile(file) {
    const read = { findings: {}, clauses: {}, conditions: file.conditions || [], redlines: [] };
    const lines = (group, finding) => ((group && group.features) || []).map((line) => ({ ...line, finding }));
    for (const { redlines, ...entry } of file.decisions || []) {
      const group = entry.finding ? read.findings : read.clauses;
      group[this.keyOf(entry.finding || entry.clause, entry.ordinance)] = entry;
      read.redlines.push(...lines(redlines, entry.finding || `clause:${entry.clause}`));
    }
    read.redlines.push(...lines(file.redlines, null));
    return read;
  },

  toFile() {
    const { findings, clauses, conditions, redlines, reviewer } = this.state;
    const collection = (lines) => (lines.length
      ? { type: "FeatureCollection", features: lines.map(({ finding, ...line }) => line) } : null);
    const owned = (owner) => collection(redlines.filter((line) => line.finding === owner));
    const decisions = [];
    const drawn = new Set();
    for (const [group, kind] of [[findings, "finding"], [clauses, "clause"]]) {
      for (const entry of Object.values(group)) {
        const owner = kind === "finding" ? entry.finding : `clause:${entry.clause}`;
        const lines = drawn.has(owner) ? null : owned(owner);
        drawn.add(owner);
        decisions.push(lines ? { ...entry, redlines: lines } : entry);
      }
    }
    // a redline at a finding of which nothing was said yet leaves it open, and says so
    for (const owner of new Set(redlines.map((line) => line.finding))) {
      if (owner && !drawn.has(owner) && !owner.startsWith("clause:")) {
        decisions.push({ finding: owner, status: "open", comment: "", reviewer, date: desk.today(), redlines: owned(owner) });
      } else if (owner && !drawn.has(owner)) redlines.forEach((line) => { if (line.finding === owner) line.finding = null; });
    }
    const file = { schema: "1.0", site: desk.content.site.name, crs: desk.content.site.crs, decisions, conditions };
    return { ...file, redlines: owned(null) };
  },

  // What a file would be refused for; each with the words for the reviewer and what it is about.
  faults() {
    const found = [];
    const { findings, clauses, conditions, redlines, reviewer } = this.state;
    for (const entry of Object.values(findings)) {
      if (["exception", "not a problem"].includes(entry.status) && !entry.comment) found.push({ finding: entry.finding, words: `"${entry.status}" needs its reason` });
    }
    for (const entry of Object.values(clauses)) {
      if (entry.verdict === "not fulfilled" && !entry.comment) found.push({ clause: entry.clause, words: `clause ${entry.clause}: "not fulfilled" needs its reason` });
    }
    const entries = [...Object.values(findings), ...Object.values(clauses), ...conditions];
    if (entries.some((entry) => !entry.reviewer) || (!reviewer && redlines.some((line) => line.finding))) found.push({ reviewer: true, words: "give the reviewer's name" });
    return found;
  },

  decisionOn(finding) {
    const { findings } = this.state;
    return findings[finding] || desk.laws.map((law) => findings[`${finding}@${law}`]).find(Boolean) || null;
  },
  decide(kind, key, entry) {
    const group = this.state[kind];
    if (entry) group[key] = { ...entry, reviewer: entry.reviewer || this.state.reviewer, date: entry.date || desk.today() };
    else delete group[key];
    this.changed();
  },
  // Entries that were made before the name was given take it now.
  name(reviewer) {
    const before = this.state.reviewer;
    this.state.reviewer = reviewer;
    const { findings, clauses, conditions } = this.state;
    for (const entry of [...Object.values(findings), ...Object.values(clauses), ...conditions]) {
      if (!entry.reviewer || (entry.reviewer === before && entry.date === desk.today())) entry.reviewer = reviewer;
    }
    this.changed();
  },

  changed(saved = false) {
    this.state.saved = saved;
    this.keep();
    for (const watcher of this.watchers) watcher();
  },
  keep() {
    try {
      localStorage.setItem(this.key, JSON.stringify(this.state));
      this.kept = localStorage.getItem(this.key) !== null;
    } catch {
      this.kept = false;
    }
  },

  // The file that the page was made with, under what this browser has kept since.
  start() {
    const file = desk.content.decisions && this.fromFile(desk.content.decisions);
    let mine = null;
    try {
      mine = JSON.parse(localStorage.getItem(this.key));
    } catch {
      mine = null;
    }
    if (mine && mine.findings) this.state = { ...this.state, ...mine };
    if (file && JSON.stringify(file) !== JSON.stringify(this.state.base)) this.merge(file, this.state.base || { findings: {}, clauses: {}, conditions: [], redlines: [] });
    this.keep();
    window.addEventListener("beforeunload", (event) => { if (!this.kept && !this.state.saved) event.preventDefault(); });
  },
  // Three ways: what was changed here stays, what was not takes the newer file's word.
  merge(file, base) {
    const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
    for (const kind of ["findings", "clauses"]) {
      for (const key of new Set([...Object.keys(file[kind]), ...Object.keys(base[kind])])) {
        if (!same(this.state[kind][key], base[kind][key])) continue;
        if (file[kind][key]) this.state[kind][key] = file[kind][key];
        else delete this.state[kind][key];
      }
    }
    for (const kind of ["conditions", "redlines"]) {
      const own = this.state[kind].filter((one) => !base[kind].some((other) => same(one, other)));
      this.state[kind] = [...file[kind], ...own.filter((one) => !file[kind].some((other) => same(one, other)))];
    }
    this.state.base = file;
  },

  count() {
    const decided = desk.content.findings.filter((f) => this.decisionOn(f.fingerprint)).length;
    return { decided, clauses: Object.keys(this.state.clauses).length, redlines: this.state.redlines.length };
  },
};
