// Everything in its order; the page works without WebGL, without a server and without a network.
desk.startHead = () => {
  const { site, verdict, verdictName, counts, now, laws } = desk.content;
  desk.$("title").textContent = site.name;
  desk.$("verdict").textContent = verdict;
  desk.$("verdict").className = `verdict ${verdictName}`;
  desk.$("facts").textContent = `${counts} · checked for ${now} by ${laws.map((law) => law.id).join(", ")} · ${site.crsName} · ${site.submission}`;
  desk.put(desk.$("measured"), desk.content.measured.map((row) => desk.make("tr", {}, desk.make("th", { scope: "row" }, row[0]), desk.make("td", {}, row[1]), desk.make("td", {}, row[2]))));
  const cut = desk.content.layers.filter((layer) => layer.cut.length);
  const lines = [...desk.content.findingsCut, ...cut.map((layer) => `${layer.group === "reference" ? "Reference, " : ""}${layer.title}: ${layer.cut.join("; ")}.`)];
  desk.put(desk.$("simplified"), lines.length ? lines.map((words) => desk.make("li", {}, words))
    : desk.make("li", {}, "Nothing is simplified or left out."));
};

desk.store.start();
desk.startHead();
desk.startMap();
desk.startLayers();
desk.startPanels();
desk.startFindings();
desk.startCrowd();
desk.startClauses();
desk.startRedlines();
desk.startMeasure();
desk.startInspect();
desk.startSearch();
desk.fit(desk.content.extent);
desk.startReference();
desk.startKeys();
desk.startPrint();
desk.store.watchers.push(() => { if (document.activeElement && !document.activeElement.closest("#side")) desk.listClauses(); });
desk.$("save").addEventListener("click", desk.saveFile);
desk.$("load").addEventListener("change", async ({ target }) => {
  if (target.files.length) await desk.loadFile(target.files[0]);
  target.value = "";
  desk.showRedlines();
  desk.listClauses();
  desk.listConditions();
  if (desk.selected) desk.showFinding(desk.selected);
});
for (const [id, times] of [["nearer", 1.6], ["farther", 1 / 1.6]]) desk.$(id).addEventListener("click", () => desk.zoom(times));
desk.$("whole").addEventListener("click", () => desk.fit(desk.content.extent));
desk.listFindings();
desk.showKept();
desk.showScale();
desk.showPlace(null);
window.addEventListener("resize", () => desk.map.updateSize());
document.documentElement.dataset.ready = "yes";
