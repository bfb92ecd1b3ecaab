// Tabs of the side panel, the help, the line that tells what is kept where.
desk.startPanels = () => {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const choose = (tab, focus) => {
    for (const other of tabs) {
      const chosen = other === tab;
      other.setAttribute("aria-selected", chosen);
      other.tabIndex = chosen ? 0 : -1;
      desk.$(other.getAttribute("aria-controls")).hidden = !chosen;
    }
    if (focus) tab.focus();
  };
  desk.openTab = (name) => choose(desk.$(`tab-${name}`));
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (step) choose(tabs[(i + step + tabs.length) % tabs.length], true);
    });
  });
  const panel = desk.$("layers");
  desk.$("layers-toggle").addEventListener("click", () => {
    panel.hidden = !panel.hidden;
    desk.$("layers-toggle").setAttribute("aria-expanded", !panel.hidden);
    desk.map.updateSize();
  });
  if (window.innerWidth < 1200) desk.$("layers-toggle").click();
  desk.$("help-button").addEventListener("click", () => desk.$("help").showModal());
  desk.$("reviewer").addEventListener("input", ({ target }) => desk.store.name(target.value.trim()));
  desk.store.watchers.push(desk.showKept);
};

desk.showKept = () => {
  const { decided, clauses, redlines } = desk.store.count();
  const { state, kept } = desk.store;
  const total = desk.content.findings.length;
  const words = [
    `${decided} of ${desk.counted(total, "finding")}, ${desk.counted(clauses, "clause")} decided, ${desk.counted(redlines, "redline")}.`,
    kept ? "Kept in this browser" : "This browser keeps nothing for this page: save the file before you leave",
    state.saved ? (kept ? "." : "; nothing is unsaved.") : (kept ? "; not yet saved as a file." : "."),
  ];
  desk.$("kept").textContent = words[0] + " " + words[1] + words[2];
  desk.$("kept").classList.toggle("alarm", !kept);
  if (document.activeElement !== desk.$("reviewer")) desk.$("reviewer").value = state.reviewer;
};

// A file leaves the page as a download; nothing goes anywhere else.
desk.saveFile = () => {
  const faults = desk.store.faults();
  if (faults.length) {
    if (faults[0].finding) desk.select(desk.content.findings.find((f) => f.fingerprint === faults[0].finding), true);
    else if (faults[0].reviewer) desk.$("reviewer").focus();
    else desk.openTab("clauses");
    desk.say(`Not saved yet: ${faults.map((fault) => fault.words).join("; ")}.`);
    return;
  }
  const text = JSON.stringify(desk.store.toFile(), null, 2) + "\n";
  const link = desk.make("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: desk.fileName("decisions.json") });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  desk.store.changed(true);
  desk.say(`Saved as ${link.download}: for sitemap check --decisions and sitemap letter.`);
};
desk.fileName = (end) => `${desk.content.site.name.replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "") || "site"}-${end}`;

desk.loadFile = async (file) => {
  let read = null;
  try {
    read = JSON.parse(await file.text());
  } catch {
    return desk.say(`${file.name} is not JSON; give a file that a desk saved.`);
  }
  const fits = read && /^1\.\d+$/.test(read.schema) && (read.decisions === undefined || Array.isArray(read.decisions));
  if (!fits) return desk.say(`${file.name} is no file of decisions: its "schema" must be 1.0.`);
  if (read.crs && read.crs !== desk.content.site.crs && JSON.stringify(read).includes('"geometry"')) {
    return desk.say(`${file.name}: its redlines are in ${read.crs}, this map is in ${desk.content.site.crs}; not loaded.`);
  }
  const { state } = desk.store;
  desk.store.merge(desk.store.fromFile(read), { findings: { ...state.findings }, clauses: { ...state.clauses }, conditions: [], redlines: [] });
  if (!state.reviewer) state.reviewer = (read.decisions || []).map((d) => d.reviewer).find(Boolean) || "";
  desk.store.changed();
  return desk.say(`Loaded ${file.name}: ${(read.decisions || []).length} decisions. What was decided here and is not in it stays.`);
};
