// A click on the map: the attributes of what lies there, as they were handed in.
desk.startInspect = () => {
  desk.map.on("singleclick", ({ pixel }) => { if (!desk.tool) desk.inspect(pixel); });
  desk.map.on("pointermove", ({ pixel, dragging }) => {
    if (!dragging && !desk.tool) desk.$("map").classList.toggle("over-mark", desk.marksAt(pixel).length > 0);
  });
  desk.$("feature-close").addEventListener("click", desk.closeFeature);
};
desk.marksAt = (pixel) => {
  const found = [];
  desk.map.forEachFeatureAtPixel(pixel, (feature) => { found.push(feature); }, { layerFilter: (layer) => layer === desk.markLayer, hitTolerance: 3 });
  return found;
};
desk.inspect = (pixel) => {
  const [mark] = desk.marksAt(pixel);
  if (mark) return mark.get("members") ? desk.openCrowd(mark.get("members")) : desk.select(mark.get("finding"));
  const seen = new Map();
  desk.map.forEachFeatureAtPixel(pixel, (feature) => {
    const layer = feature.get("layer");
    if (layer) seen.set(`${layer.group}:${layer.role}:${feature.get("row")}`, feature);
  }, { hitTolerance: 5 });
  return seen.size ? desk.showFeatures([...seen.values()].slice(0, 12)) : desk.closeFeature();
};
desk.closeFeature = () => {
  desk.$("feature").hidden = true;
  desk.evidence.getSource().clear();
};

desk.showFeatures = (features, focus) => {
  desk.evidence.getSource().clear();
  desk.evidence.getSource().addFeatures(features.map((feature) => new ol.Feature({ geometry: feature.getGeometry() })));
  desk.put(desk.$("feature-list"), features.map((feature) => {
    const layer = feature.get("layer");
    const [id, file, record, , measure, values] = layer.rows[feature.get("row")];
    const symbol = layer.styles[feature.get("style")];
    const facts = layer.fields.map(([title, unit], i) => [title, values[i], unit]).filter(([, value]) => value !== null && value !== undefined)
      .map(([title, value, unit]) => [title, `${typeof value === "number" ? String(value) : value}${unit ? ` ${unit}` : ""}`]);
    if (measure !== null) facts.push(["Measured", feature.getGeometry().getType().includes("Polygon") ? desk.area(measure) : desk.feet(measure)]);
    facts.push(["Source", `${layer.files[file] || ""}${record === null ? "" : `, record ${record}`}`]);
    return desk.make("section", {}, desk.make("h3", {}, `${layer.title}${id ? `: ${id}` : ""}`),
      desk.make("p", { class: "soft" }, `${layer.group === "reference" ? "Reference. " : ""}${symbol.legend}`), desk.facts(facts));
  }));
  desk.$("feature").hidden = false;
  desk.say(`${features.length} feature${features.length > 1 ? "s" : ""}: ${features.map((feature) => feature.get("layer").title).join(", ")}`);
  if (focus) desk.$("feature").focus();
};
