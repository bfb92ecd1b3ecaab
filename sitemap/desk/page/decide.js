// One finding in full, and the reviewer's decision of it.
desk.facts = (pairs) => desk.make("dl", {}, pairs.map(([label, words]) => desk.make("div", {}, desk.make("dt", {}, label), desk.make("dd", {}, words))));

desk.showFinding = (finding) => {
  const clauses = finding.clauses.map((key) => desk.content.clauses.find((clause) => clause.key === key)).filter(Boolean);
  const beside = finding.features.length ? [["Drawn", `${finding.features.length} feature${finding.features.length > 1 ? "s" : ""} named by it, under a yellow band`]] : [];
  desk.put(desk.$("detail"),
    desk.make("h3", { class: finding.look }, `${finding.number}. ${finding.message}`),
    desk.make("p", { class: "soft" }, `${finding.severity} · ${finding.rule} ${finding.name} · ${finding.citations.join("; ")}`),
    desk.facts([...finding.facts, ...beside]),
    clauses.map((clause) => desk.make("details", {}, desk.make("summary", {}, `Clause ${clause.label}: its words`), desk.make("blockquote", {}, clause.text))),
    desk.decisionForm(finding));
};

// Choices of one decision; calls back at every change with the choice (or "") and the comment.
desk.choices = (name, legend, options, chosen, comment, change) => {
  const read = () => {
    const picked = form.querySelector("input[type=radio]:checked");
    change(picked ? picked.value : "", form.querySelector("textarea").value.trim());
  };
  const radio = (value, words, first) => desk.make("label", {}, desk.make("input", { type: "radio", name, value, checked: value === chosen || (first && !chosen), onchange: read }), ` ${words}`);
  const form = desk.make("div", { class: "decision" },
    desk.make("fieldset", {}, desk.make("legend", {}, legend), radio("", "undecided", true), options.map((value) => radio(value, value))),
    desk.make("label", {}, "Comment, in your own words (it goes into the letter)", desk.make("textarea", { rows: 3, oninput: read }, comment || "")),
    desk.make("p", { class: "fault", role: "status" }));
  return form;
};

desk.decisionForm = (finding) => {
  const { store } = desk;
  const known = store.decisionOn(finding.fingerprint);
  const key = store.keyOf(finding.fingerprint, known ? known.ordinance : null);
  const change = (status, comment) => {
    const before = store.state.findings[key] || { finding: finding.fingerprint };
    const keep = status || comment;
    store.decide("findings", key, keep ? { ...before, status: status || "open", comment, reviewer: store.state.reviewer, date: desk.today() } : null);
    tell(status || (comment ? "open" : ""), comment);
  };
  const form = desk.choices("status", "Your decision", desk.STATUSES, known ? known.status : "", known ? known.comment : "", change);
  const tell = (status, comment) => {
    const lacking = ["exception", "not a problem"].includes(status) && !comment;
    form.querySelector(".fault").textContent = [
      lacking ? `"${status}" needs its reason.` : "", status && !store.state.reviewer ? "Give the reviewer's name above." : "",
    ].join(" ").trim();
    if (status && !form.querySelector(`input[value="${status}"]`).checked) form.querySelector(`input[value="${status}"]`).checked = true;
  };
  tell(known ? known.status : "", known ? known.comment : "");
  if (known) form.append(desk.make("p", { class: "soft" }, `By ${known.reviewer || "nobody yet"} on ${known.date}`));
  return form;
};
