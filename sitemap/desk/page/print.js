// On paper: the map as it stands on the screen, drawn anew and finer, then findings and decisions.
desk.PRINT = { width: 960, height: 600, ratio: 3 };

desk.beforePrint = () => {
  desk.afterPrint();
  const place = desk.$("print-map");
  const { width, height, ratio } = desk.PRINT;
  const [view, symbols] = [desk.map.getView(), desk.symbols(ratio)];
  const size = desk.map.getSize();
  const copy = (layer) => {
    if (layer instanceof ol.layer.Group) return layer.getLayers().getArray().flatMap(copy);
    const own = desk.layers.find((one) => one.drawn === layer);
    const style = own ? desk.layerStyle(own, symbols) : layer.getStyle();
    return [new ol.layer.Vector({ source: layer.getSource(), style, zIndex: layer.getZIndex(), opacity: layer.getOpacity(), declutter: Boolean(own) })];
  };
  desk.printed = new ol.Map({
    target: place, controls: [], interactions: [], pixelRatio: ratio,
    layers: desk.map.getLayers().getArray().filter((layer) => layer.getVisible()).flatMap(copy),
    view: new ol.View({ projection: desk.projection, center: view.getCenter(), resolution: view.getResolution() * Math.max(size[0] / width, size[1] / height), enableRotation: false }),
  });
  desk.printed.setSize([width, height]);
  desk.printed.renderSync();
  desk.printWords(symbols);
};
desk.afterPrint = () => {
  if (desk.printed) desk.printed.setTarget(null);
  desk.printed = null;
  desk.put(desk.$("print-map"));
};

desk.printWords = (symbols) => {
  const resolution = desk.printed.getView().getResolution();
  const { feet, px } = desk.barOf(resolution, 220);
  desk.$("print-bar").style.width = `${px}px`;
  desk.$("print-bar-words").textContent = `${desk.number(feet)} ft`;
  const { decided, clauses, redlines: drawn } = desk.store.count();
  desk.$("print-when").textContent = `${desk.content.verdict}: ${desk.$("facts").textContent}. Printed ${desk.today()}; ${decided} of ${desk.counted(desk.content.findings.length, "finding")} and ${desk.counted(clauses, "clause")} decided, ${desk.counted(drawn, "redline")}.`;
  desk.put(desk.$("print-legend"), desk.layers.filter((one) => one.drawn.getVisible()).reverse().flatMap((one) => one.styles.map((symbol) =>
    desk.make("div", { class: "legend" }, desk.swatch(symbol, symbols, desk.PRINT.ratio), desk.make("span", {}, `${one.group === "reference" ? "Reference: " : ""}${symbol.legend}`)))));
  const { findings, findingsTotal } = desk.content;
  const shown = desk.filtered || findings;
  desk.$("print-shown").textContent = [ // a filter, or a cut of the page, is never silent on paper
    shown.length < findings.length ? `Only the ${desk.number(shown.length)} of ${desk.counted(findings.length, "finding")} that the filter on the screen shows are printed.` : "",
    findingsTotal > findings.length ? `${desk.number(findingsTotal - findings.length)} more are in -f json only.` : "",
    findings.length ? "" : "None.",
  ].join(" ").trim();
  desk.put(desk.$("print-findings"), shown.map((finding) => {
    const decision = desk.store.decisionOn(finding.fingerprint);
    return desk.make("tr", {},
      desk.make("td", {}, finding.number), desk.make("td", {}, finding.severity), desk.make("td", {}, finding.cell),
      desk.make("td", {}, desk.make("b", {}, finding.message), desk.make("div", { class: "soft" }, `${finding.rule} · ${finding.citations.join("; ")}`), desk.make("div", {}, finding.facts.filter(([label]) => ["Measured", "Allowed", "Source", "To fix"].includes(label)).map(([label, words]) => `${label}: ${words}`).join(" · "))),
      desk.make("td", {}, decision ? [desk.make("b", {}, decision.status), desk.make("div", {}, decision.comment), desk.make("div", { class: "soft" }, `${decision.reviewer}, ${decision.date}`)] : "undecided"));
  }));
  desk.put(desk.$("print-clauses"), desk.content.clauses.map((clause) => {
    const decision = desk.clauseDecision(clause);
    return desk.make("tr", {}, desk.make("td", {}, clause.label), desk.make("td", {}, clause.title, desk.make("div", { class: "soft" }, clause.person.map((one) => one.question).join(" "))), desk.make("td", {}, clause.outcome),
      desk.make("td", {}, decision ? [desk.make("b", {}, decision.verdict || "commented"), desk.make("div", {}, decision.comment), desk.make("div", { class: "soft" }, `${decision.reviewer}, ${decision.date}`)] : ""));
  }));
  const { redlines, conditions } = desk.store.state;
  const none = (list) => (list.length ? list : desk.make("li", { class: "none" }, "none"));
  desk.put(desk.$("print-redlines"), none(redlines.map((line) => desk.make("li", {}, `${(line.properties || {}).text || "(no words)"} (${desk.redlineKind(line)})`))));
  desk.put(desk.$("print-conditions"), none(conditions.map((one) => desk.make("li", {}, `${one.text} (${one.reviewer}, ${one.date})`))));
};
desk.startPrint = () => {
  window.addEventListener("beforeprint", desk.beforePrint);
  window.addEventListener("afterprint", desk.afterPrint);
  desk.$("print").addEventListener("click", () => window.print());
};
