// The reviewer's own drawings on the plan: points, lines and areas with their words.
desk.RED = "#c4006f";

desk.redlineLayer = () => {
  desk.redlines = new ol.source.Vector({ wrapX: false });
  return new ol.layer.Vector({ source: desk.redlines, style: desk.redlineStyle, zIndex: 550 });
};
desk.redlineStyle = (feature) => {
  const geometry = feature.getGeometry();
  const words = feature.get("words") || "";
  return new ol.style.Style({
    stroke: new ol.style.Stroke({ color: desk.RED, width: 2.6 }),
    fill: new ol.style.Fill({ color: "rgba(196,0,111,0.10)" }),
    image: new ol.style.RegularShape({ points: 4, radius: 9, radius2: 0, angle: Math.PI / 4, stroke: new ol.style.Stroke({ color: desk.RED, width: 2.8 }) }),
    text: words ? new ol.style.Text({
      text: words, font: "600 13px system-ui, sans-serif", overflow: true, offsetY: geometry.getType().includes("Polygon") ? 0 : -14,
      fill: new ol.style.Fill({ color: desk.RED }), stroke: new ol.style.Stroke({ color: "#fff", width: 3.5 }),
    }) : undefined,
  });
};

desk.startRedlines = () => {
  desk.showRedlines();
  for (const [id, type] of [["redline-point", "Point"], ["redline-line", "LineString"], ["redline-area", "Polygon"]]) {
    desk.$(id).addEventListener("click", () => desk.startDrawing(id, type, desk.addRedline, true));
  }
  desk.$("redline-typed").addEventListener("submit", (event) => {
    event.preventDefault();
    const places = desk.typedPlaces(event.target.elements.places.value);
    if (!places) return desk.say("Give places as easting, northing in feet of the map, one on each line.");
    const shape = places.length === 1 ? new ol.geom.Point(places[0]) : event.target.elements.area.checked && places.length > 2 ? new ol.geom.Polygon([[...places, places[0]]]) : new ol.geom.LineString(places);
    desk.addRedline(shape);
    return event.target.reset();
  });
};
desk.typedPlaces = (text) => {
  const rows = text.trim().split(/\n|;/).map((row) => row.trim().replace(/(\d),(?=\d{3}(\D|$))/g, "$1").split(/[\s,]+/).map(Number));
  return rows.length && rows.every((row) => row.length === 2 && row.every(Number.isFinite)) ? rows : null;
};

// One tool at a time; Escape ends it, a second press of its button too.
desk.startDrawing = (id, type, done, once) => {
  const again = desk.tool && desk.tool.id === id;
  desk.endTool();
  if (again) return;
  const draw = new ol.interaction.Draw({ type, source: undefined, stopClick: true, style: desk.sketchStyle });
  const snap = new ol.interaction.Snap({ features: desk.snapTo(), pixelTolerance: 9 });
  draw.on("drawend", ({ feature }) => { done(feature.getGeometry(), feature); if (once) setTimeout(desk.endTool, 0); });
  desk.map.addInteraction(draw);
  desk.map.addInteraction(snap);
  desk.tool = { id, draw, snap };
  desk.$(id).setAttribute("aria-pressed", "true");
  desk.$("map").classList.add("drawing");
  desk.say(type === "Point" ? "Click the place." : "Click corner by corner, double click at the last one. It snaps to what is drawn. Escape stops.");
};
desk.endTool = () => {
  if (!desk.tool) return false;
  desk.map.removeInteraction(desk.tool.draw);
  desk.map.removeInteraction(desk.tool.snap);
  desk.$(desk.tool.id).setAttribute("aria-pressed", "false");
  desk.$("map").classList.remove("drawing");
  desk.tool = null;
  return true;
};
desk.sketchStyle = new ol.style.Style({
  stroke: new ol.style.Stroke({ color: desk.RED, width: 2, lineDash: [6, 4] }), fill: new ol.style.Fill({ color: "rgba(196,0,111,0.08)" }),
  image: new ol.style.Circle({ radius: 5, stroke: new ol.style.Stroke({ color: desk.RED, width: 2 }), fill: new ol.style.Fill({ color: "#fff" }) }),
});
// Snapping reaches for what is in view; of a map drawn small there would be too much.
desk.snapTo = () => {
  const extent = desk.map.getView().calculateExtent(desk.map.getSize());
  const near = desk.layers.filter((one) => one.drawn.getVisible()).flatMap((one) => one.drawn.getSource().getFeaturesInExtent(extent));
  return new ol.Collection(near.length > 3000 ? [] : near);
};

desk.addRedline = (geometry) => {
  const rounded = JSON.parse(JSON.stringify(geometry.getCoordinates()), (_, v) => (typeof v === "number" ? Math.round(v * 100) / 100 : v));
  const { redlines } = desk.store.state;
  const id = Math.max(0, ...redlines.map((line) => Number(line.id) || 0)) + 1;
  redlines.push({ type: "Feature", id, geometry: { type: geometry.getType(), coordinates: rounded }, properties: { text: "" }, finding: desk.selected ? desk.selected.fingerprint : null });
  desk.store.changed();
  desk.showRedlines();
  desk.openTab("redlines");
  desk.$("redline-list").querySelector("li:last-child input").focus();
  desk.say(`Redline ${redlines.length}, ${desk.redlineKind(redlines[redlines.length - 1])}: write its words.`);
};

desk.shapeOf = ({ type, coordinates }) => new ol.geom[type](coordinates);
desk.showRedlines = () => {
  const { redlines } = desk.store.state;
  const drawn = redlines.map((line) => new ol.Feature({ geometry: desk.shapeOf(line.geometry), words: (line.properties || {}).text }));
  desk.redlines.clear();
  desk.redlines.addFeatures(drawn);
  desk.put(desk.$("redline-list"), redlines.map((line, i) => desk.redlineRow(line, i, drawn[i])));
  desk.$("no-redlines").hidden = redlines.length > 0;
};
desk.findingOf = (line) => desk.content.findings.find((one) => one.fingerprint === line.finding);
desk.kindAndSize = ({ geometry }) => {
  const kind = { Point: "point", MultiPoint: "points", LineString: "line", MultiLineString: "lines", Polygon: "area", MultiPolygon: "areas" }[geometry.type];
  return [kind, desk.sizeOf(desk.shapeOf(geometry))].filter(Boolean).join(", ");
};
// "area, 2,111 sq ft, 0.048 acres; of finding 8"
desk.redlineKind = (line) => `${desk.kindAndSize(line)}${desk.findingOf(line) ? `; of finding ${desk.findingOf(line).number}` : ""}`;
desk.redlineRow = (line, i, drawn) => {
  const { state } = desk.store;
  const finding = desk.findingOf(line);
  const tie = desk.make("select", { "aria-label": `Redline ${i + 1} belongs to`, onchange: () => { line.finding = tie.value || null; desk.store.changed(); } },
    desk.make("option", { value: "" }, "the whole plan"),
    line.finding && !finding ? desk.make("option", { value: line.finding, selected: true }, "a decision that is not on this page") : null,
    desk.content.findings.slice(0, 500).map((one) => desk.make("option", { value: one.fingerprint, selected: one === finding }, `finding ${one.number}`)));
  return desk.make("li", {},
    desk.make("label", {}, `Redline ${i + 1}, ${desk.kindAndSize(line)}`, desk.make("input", {
      type: "text", value: (line.properties || {}).text || "", placeholder: "its words",
      oninput: ({ target }) => { line.properties = { ...line.properties, text: target.value }; drawn.set("words", target.value); desk.store.changed(); },
    })),
    desk.make("div", { class: "actions" }, tie,
      desk.make("button", { type: "button", class: "link", onclick: () => desk.fitFeatures([drawn]) }, "show"),
      desk.make("button", { type: "button", class: "link", "aria-label": `Take redline ${i + 1} away`, onclick: () => { state.redlines.splice(i, 1); desk.store.changed(); desk.showRedlines(); } }, "take away")));
};
