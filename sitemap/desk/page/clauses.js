// The clause matrix: what became of each clause, what a person must decide, and the decision.
desk.startClauses = () => {
  desk.$("only-person").addEventListener("change", desk.listClauses);
  desk.listClauses();
  desk.listConditions();
  desk.$("add-condition").addEventListener("click", () => {
    desk.store.state.conditions.push({ text: "", reviewer: desk.store.state.reviewer, date: desk.today() });
    desk.listConditions();
    desk.$("conditions").querySelector("li:last-child textarea").focus();
  });
};

desk.listClauses = () => {
  const only = desk.$("only-person").checked;
  const open = new Set([...desk.$("clause-list").querySelectorAll("details[open]")].map((one) => one.dataset.clause));
  const shown = desk.content.clauses.filter((clause) => !only || clause.person.length);
  desk.put(desk.$("clause-list"), shown.map((clause) => desk.clauseRow(clause, open.has(clause.key))));
};

desk.clauseDecision = (clause) => {
  const { clauses } = desk.store.state;
  return clauses[desk.store.keyOf(clause.id, clause.ordinance)] || clauses[clause.id] || null;
};

desk.clauseRow = (clause, open) => {
  const badge = desk.make("span", { class: "decided" });
  const show = () => { const known = desk.clauseDecision(clause); badge.textContent = known ? known.verdict || "commented" : ""; };
  show();
  return desk.make("details", { "data-clause": clause.key, open, class: "clause" },
    desk.make("summary", {},
      desk.make("b", {}, clause.label), ` ${clause.title} `,
      desk.make("span", { class: `outcome ${clause.status.replaceAll(" ", "-")}` }, clause.outcome), badge),
    desk.make("p", { class: "soft" }, clause.citation),
    desk.make("details", {}, desk.make("summary", {}, "Its words"), desk.make("blockquote", {}, clause.text)),
    clause.person.length ? desk.make("h4", {}, "A person decides") : null,
    clause.person.length ? desk.make("ul", {}, clause.person.map(desk.questionRow)) : null,
    clause.findings.length ? desk.make("p", {}, "Findings: ", desk.numbersOf(clause)) : null,
    clause.evidence.length ? desk.make("ul", { class: "soft" }, clause.evidence.map((words) => desk.make("li", {}, words))) : null,
    desk.clauseForm(clause, show));
};
// The findings of a clause as buttons; of very many the first ones.
desk.numbersOf = (clause) => {
  const here = desk.content.findings.filter((finding) => clause.findings.includes(finding.number));
  const more = clause.findings.length - Math.min(here.length, 60);
  return [...here.slice(0, 60).map((finding) => desk.make("button", { type: "button", class: "link", onclick: () => desk.select(finding) }, String(finding.number))), more > 0 ? ` and ${desk.number(more)} more` : null];
};
desk.questionRow = (question) => {
  const place = question.shapes.length || question.at;
  return desk.make("li", {}, question.question, place ? desk.make("button", {
    type: "button", class: "link", onclick: () => { desk.selected = null; desk.showEvidence(question.shapes, [], "#0b5394", question.at, true); desk.listFindings(); },
  }, question.cell ? `show, cell ${question.cell}` : "show") : null);
};

desk.clauseForm = (clause, show) => {
  const { store } = desk;
  const known = desk.clauseDecision(clause);
  const key = store.keyOf(clause.id, clause.ordinance);
  const change = (verdict, comment) => {
    const before = store.state.clauses[key] || { clause: clause.id, ordinance: clause.ordinance };
    store.decide("clauses", key, verdict || comment ? { ...before, verdict: verdict || null, comment, reviewer: store.state.reviewer, date: desk.today() } : null);
    tell(verdict, comment);
    show();
  };
  const form = desk.choices(`verdict-${clause.key}`, "Your verdict", ["fulfilled", "not fulfilled"], known && known.verdict ? known.verdict : "", known ? known.comment : "", change);
  const tell = (verdict, comment) => {
    form.querySelector(".fault").textContent = [
      verdict === "not fulfilled" && !comment ? '"Not fulfilled" needs its reason.' : "",
      (verdict || comment) && !store.state.reviewer ? "Give the reviewer's name above." : "",
    ].join(" ").trim();
  };
  return form;
};

desk.listConditions = () => {
  const { state } = desk.store;
  desk.put(desk.$("conditions"), state.conditions.map((condition, i) => desk.make("li", {},
    desk.make("label", {}, `Condition ${i + 1}`, desk.make("textarea", {
      rows: 2,
      oninput: ({ target }) => { condition.text = target.value.trim(); condition.reviewer = condition.reviewer || state.reviewer; desk.store.changed(); },
    }, condition.text)),
    desk.make("button", { type: "button", class: "link", onclick: () => { state.conditions.splice(i, 1); desk.store.changed(); desk.listConditions(); } }, `Take condition ${i + 1} away`))));
};
