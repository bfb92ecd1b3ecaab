// The findings: numbered on the map, listed beside it, filtered, gone through by keyboard.
desk.SHOWN_AT_ONCE = 200;
desk.CROWD = 150;
desk.inks = { error: "#b3001b", warning: "#8a4b00", info: "#0b5394", waived: "#5f5f5f" };
desk.selected = null;
desk.shownSet = new Set(desk.content.findings);

desk.findingsLayer = () => {
  desk.marks = desk.content.findings.filter((f) => f.at).map((finding) => new ol.Feature({ geometry: new ol.geom.Point(desk.place(finding.at)), finding }));
  desk.markLayer = desk.vector([], desk.markStyle, 600, { declutter: true });
  desk.evidence = desk.vector([], desk.evidenceStyle, 590);
  return new ol.layer.Group({ layers: [desk.evidence, desk.markLayer], zIndex: 600 });
};
desk.markStyle = (feature) => {
  const members = feature.get("members");
  if (members) return desk.crowdStyle(members);
  const finding = feature.get("finding");
  const chosen = finding === desk.selected;
  const closed = !desk.isOpen(finding);
  return new ol.style.Style({
    zIndex: chosen ? 1e6 : -finding.number,
    image: new ol.style.Circle({
      radius: chosen ? 13 : 10,
      declutterMode: "none",
      fill: new ol.style.Fill({ color: chosen ? "#ffd27a" : closed ? "#e4e4e4" : "#fff" }),
      stroke: new ol.style.Stroke({ color: closed ? "#5f5f5f" : desk.inks[finding.look], width: chosen ? 3.5 : 2.2, lineDash: closed ? [3, 2] : undefined }),
    }),
    text: new ol.style.Text({ text: String(finding.number), font: "700 11px system-ui, sans-serif", fill: new ol.style.Fill({ color: "#000" }), declutterMode: "none" }),
  });
};
// The fault, and the features that it speaks of: those under a broad yellow band.
desk.evidenceStyle = (feature) => {
  const ink = feature.get("ink");
  const stroke = (color, width, lineDash) => new ol.style.Stroke({ color, width, lineDash });
  const point = (color, width) => new ol.style.Circle({ radius: 11, stroke: stroke(color, width) });
  if (!ink) return new ol.style.Style({ stroke: stroke("rgba(255,180,0,0.75)", 7), image: point("rgba(255,180,0,0.9)", 4), fill: new ol.style.Fill({ color: "rgba(255,180,0,0.12)" }) });
  const lines = feature.getGeometry().getType() === "MultiLineString" ? feature.getGeometry().getLineStrings().length : 1;
  if (lines > 8) return new ol.style.Style({ stroke: stroke(ink + "38", 1.6) }); // a corridor of many runs
  return [
    new ol.style.Style({ stroke: stroke("rgba(255,255,255,0.9)", 5), image: point("#fff", 5) }),
    new ol.style.Style({ stroke: stroke(ink, 2.4, feature.get("dash")), image: point(ink, 2.4), fill: new ol.style.Fill({ color: ink + "2e" }) }),
  ];
};

desk.startFindings = () => {
  const form = desk.$("filter");
  const looks = [...new Set(desk.content.findings.map((f) => f.look))];
  const names = { error: "errors", warning: "warnings", info: "notes", waived: "waived" };
  desk.put(desk.$("filter-looks"), desk.make("legend", {}, "Show"), ["error", "warning", "info", "waived"].filter((look) => looks.includes(look)).map((look) =>
    desk.make("label", { class: look }, desk.make("input", { type: "checkbox", name: "look", value: look, checked: true }), ` ${names[look]} (${desk.content.findings.filter((f) => f.look === look).length})`)));
  const broken = desk.content.clauses.filter((clause) => clause.findings.length);
  desk.$("filter-clause").append(...broken.map((clause) => desk.make("option", { value: clause.key }, `${clause.label} ${clause.title}`)));
  form.addEventListener("input", () => desk.listFindings());
  form.addEventListener("submit", (event) => event.preventDefault());
  desk.$("next").addEventListener("click", () => desk.step(1));
  desk.$("previous").addEventListener("click", () => desk.step(-1));
  desk.store.watchers.push(() => desk.listFindings());
};

desk.fits = (finding) => {
  const form = desk.$("filter");
  const looks = [...form.querySelectorAll("[name=look]:checked")].map((box) => box.value);
  const { clause, status, words } = form.elements;
  const decision = desk.store.decisionOn(finding.fingerprint);
  const text = `${finding.number} ${finding.rule} ${finding.name} ${finding.message} ${finding.cell} ${finding.facts.flat().join(" ")}`.toLowerCase();
  return looks.includes(finding.look)
    && (!clause.value || finding.clauses.includes(clause.value))
    && (!status.value || (status.value === "undecided" ? !decision : decision && decision.status === status.value))
    && words.value.toLowerCase().split(/\s+/).every((word) => text.includes(word));
};

desk.listFindings = () => {
  desk.filtered = desk.content.findings.filter(desk.fits);
  desk.shownSet = new Set(desk.filtered);
  const at = Math.max(0, desk.filtered.indexOf(desk.selected));
  const from = Math.floor(at / desk.SHOWN_AT_ONCE) * desk.SHOWN_AT_ONCE;
  const shown = desk.filtered.slice(from, from + desk.SHOWN_AT_ONCE);
  const focused = document.activeElement && document.activeElement.dataset.finding;
  desk.put(desk.$("finding-list"), shown.map(desk.findingRow));
  if (focused) { const again = document.querySelector(`[data-finding="${focused}"]`); if (again) again.focus({ preventScroll: true }); }
  const total = desk.content.findings.length;
  const lost = desk.content.findingsTotal - total;
  desk.$("shown").textContent = !total ? "No findings."
    : `${desk.filtered.length === total ? `All ${desk.counted(total, "finding")}` : `${desk.number(desk.filtered.length)} of ${desk.counted(total, "finding")}`}`
      + (shown.length < desk.filtered.length ? `; listed are ${from + 1} to ${from + shown.length}, Next goes on` : "")
      + (lost ? `; ${desk.number(lost)} more are in -f json only` : "");
  desk.gatherMarks();
};
desk.findingRow = (finding) => {
  const decision = desk.store.decisionOn(finding.fingerprint);
  return desk.make("li", {}, desk.make("button", {
    type: "button", class: `row ${finding.look}`, "data-finding": finding.number, "aria-current": finding === desk.selected ? "true" : null, onclick: () => desk.select(finding),
  },
  desk.make("span", { class: "number" }, finding.number),
  desk.make("span", { class: "what" }, desk.make("b", {}, finding.severity), ` ${finding.rule}${finding.cell ? ` · cell ${finding.cell}` : ""}`, desk.make("span", { class: "message" }, finding.message)),
  decision ? desk.make("span", { class: "decided" }, decision.status) : null));
};

desk.step = (by) => {
  const { filtered } = desk;
  if (!filtered || !filtered.length) return desk.say("No finding to go to.");
  const now = filtered.indexOf(desk.selected);
  return desk.select(filtered[now < 0 ? (by > 0 ? 0 : filtered.length - 1) : (now + by + filtered.length) % filtered.length]);
};

desk.select = (finding, focus) => {
  desk.selected = finding;
  desk.openTab("findings");
  desk.showEvidence(finding.shapes, finding.features, desk.inks[finding.look], finding.at, /^HYD00[2-7]/.test(finding.rule));
  desk.listFindings();
  desk.showFinding(finding);
  const row = document.querySelector("[data-finding][aria-current]");
  if (row) row.scrollIntoView({ block: "nearest" });
  if (focus) desk.$("detail").focus();
  desk.say(`Finding ${finding.number}, ${desk.filtered.indexOf(finding) + 1} of ${desk.filtered.length}: ${finding.severity}. ${finding.message}`);
};

// Draws what a finding or a question is about, and goes there.
desk.showEvidence = (shapes, named, ink, at, traced) => {
  const source = desk.evidence.getSource();
  source.clear();
  const related = (named || []).flatMap(([role, number]) => {
    const layer = desk.layers.find((one) => one.role === role && one.group === "submitted");
    const row = layer ? layer.numbers.indexOf(number) : -1;
    return row < 0 ? [] : layer.features.filter((feature) => feature.get("row") === row);
  });
  source.addFeatures(related.map((feature) => new ol.Feature({ geometry: feature.getGeometry() })));
  const own = desk.features(shapes, { ink });
  source.addFeatures(own);
  if (traced) desk.switchExtra("Traced downstream", true);
  const focus = own.length ? own : at ? [new ol.Feature({ geometry: new ol.geom.Point(desk.place(at)) })] : source.getFeatures();
  if (focus.length) desk.fitFeatures(focus);
  else desk.say("This has no place on the map.");
};
desk.switchExtra = (title, on) => {
  const index = desk.extraLayers.findIndex((one) => one.title === title);
  if (index < 0) return;
  desk.extraLayers[index].drawn.setVisible(on);
  const box = desk.$(`extra-${index}`);
  if (box) box.checked = on;
};
