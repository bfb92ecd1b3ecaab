// The layers in the order of the plate: drawn, switched, faded, explained by their legend.
desk.layers = [];

desk.startLayers = () => {
  desk.symbolsOnScreen = desk.symbols(desk.ratio);
  desk.content.layers.forEach((layer, number) => {
    layer.styles.forEach((symbol, i) => { symbol.key = `${number}.${i}`; symbol.reference = layer.group === "reference"; });
    const features = layer.shapes.map(([row, style, shape, turn]) => new ol.Feature({ geometry: desk.geometry(shape), row, style, turn, layer }));
    desk.shareEdges(layer, features);
    const drawn = desk.vector(features, desk.layerStyle(layer, desk.symbolsOnScreen), layer.order + (layer.group === "reference" ? 0.5 : 0), { declutter: true });
    const one = { ...layer, number, drawn, features, switchId: `layer-${number}` };
    desk.layers.push(one);
    desk.map.addLayer(drawn);
  });
  desk.extraLayers = [
    { title: "Alphanumeric grid", drawn: desk.gridLayer, on: true },
    { title: "Traced downstream", drawn: desk.traceLayer(), on: false, hide: !desk.content.traces.length },
    { title: "Findings", drawn: desk.findingsLayer(), on: true },
    { title: "Redlines", drawn: desk.redlineLayer(), on: true },
  ].filter((one) => !one.hide);
  for (const { drawn, on } of desk.extraLayers) {
    drawn.setVisible(on);
    if (drawn !== desk.gridLayer) desk.map.addLayer(drawn);
  }
  desk.listLayers();
};

desk.layerStyle = (layer, symbols) => (feature, resolution) => {
  const geometry = feature.getGeometry();
  const dimension = { Point: 0, MultiPoint: 0, LineString: 1, MultiLineString: 1, Polygon: 2, MultiPolygon: 2 }[geometry.getType()];
  const symbol = layer.styles[feature.get("style")];
  const styles = symbols.of(symbol, dimension, feature.get("turn"));
  const words = layer.rows[feature.get("row")][3];
  return words && desk.labelled(symbol, resolution) ? [...styles, symbols.label(symbol, dimension, words)] : styles;
};

// An edge that areas of one layer share is drawn once, else its dashes would fill each other: by
// the style that comes first in the vocabulary (the edge of floodway and fringe is the floodway's).
desk.shareEdges = (layer, features) => {
  if (!layer.styles.some((symbol) => symbol.dimension === 2 && (symbol.dash.length || symbol.text))) return;
  const taken = new Set();
  const areas = features.filter((feature) => feature.getGeometry().getType().endsWith("Polygon"));
  for (const feature of [...areas].sort((a, b) => a.get("style") - b.get("style"))) {
    const rings = desk.draw.lines(feature.getGeometry().getCoordinates());
    const runs = rings.flatMap((ring) => desk.unshared(ring, taken));
    if (runs.length === rings.length && runs.every((run, i) => run.length === rings[i].length)) continue;
    feature.set("outline", runs.length ? new ol.geom.MultiLineString(runs) : null, true);
  }
};
// The runs of a ring whose edges nobody has taken; takes them.
desk.unshared = (ring, taken) => {
  const runs = [];
  let run = null;
  ring.slice(1).forEach((to, i) => {
    const ends = [ring[i].join(), to.join()];
    const key = ends[0] < ends[1] ? ends.join(" ") : `${ends[1]} ${ends[0]}`;
    if (taken.has(key)) run = null;
    else if (run) run.push(to);
    else runs.push(run = [ring[i], to]);
    taken.add(key);
  });
  return runs;
};

desk.traceLayer = () => {
  const features = desk.content.traces.flatMap((trace) => [
    ...desk.features(trace.corridor, { kind: "corridor" }),
    ...desk.features(trace.way, { kind: "way" }),
    ...trace.marks.map(([at, words]) => new ol.Feature({ geometry: new ol.geom.Point(desk.place(at)), kind: "mark", words })),
    new ol.Feature({ geometry: new ol.geom.Point(desk.place(trace.start)), kind: "mark", words: trace.outlet }),
  ]);
  return desk.vector(features, desk.traceStyle, 400, { declutter: true });
};
desk.traceStyle = (feature) => {
  const blue = "#0b3d91";
  const stroke = (color, width, lineDash) => new ol.style.Style({ stroke: new ol.style.Stroke({ color, width, lineDash, lineCap: "round" }) });
  if (feature.get("kind") === "corridor") return stroke("rgba(11,61,145,0.10)", 3);
  if (feature.get("kind") === "way") return [stroke("#fff", 4), stroke(blue, 2, [1, 5])];
  return new ol.style.Style({
    image: new ol.style.Circle({ radius: 3, fill: new ol.style.Fill({ color: "#fff" }), stroke: new ol.style.Stroke({ color: blue, width: 1.6 }), declutterMode: "none" }),
    text: new ol.style.Text({ text: feature.get("words"), font: desk.fonts.label, textAlign: "left", offsetX: 7, fill: new ol.style.Fill({ color: blue }), stroke: new ol.style.Stroke({ color: "#fff", width: 3 }) }),
  });
};

// The panel: top of the plate first, so that the list reads as the map lies.
desk.listLayers = () => {
  const group = (title, members) => members.length ? [desk.make("h3", {}, title), desk.make("ul", { class: "layers" }, members.map(desk.layerRow))] : [];
  const submitted = desk.layers.filter((one) => one.group === "submitted").reverse();
  const reference = desk.layers.filter((one) => one.group === "reference").reverse();
  const extra = desk.extraLayers.map((one, i) => ({ ...one, switchId: `extra-${i}`, styles: [], cut: [], notes: [] }));
  desk.put(desk.$("layer-list"),
    ...group("On the map", extra), ...group("Submitted", submitted), ...group("Reference", reference));
};
desk.layerRow = (one) => {
  const count = one.rows ? ` (${desk.number(one.rows.length)})` : "";
  const words = `${one.title}${count}`;
  const box = desk.make("input", { type: "checkbox", id: one.switchId, checked: one.drawn.getVisible(), onchange: () => one.drawn.setVisible(box.checked) });
  const fade = desk.make("input", { type: "range", min: 0, max: 100, value: 100, class: "fade", "aria-label": `Opacity of ${one.title}, percent`, oninput: () => one.drawn.setOpacity(fade.value / 100) });
  return desk.make("li", {},
    desk.make("div", { class: "switch" }, box, desk.make("label", { for: one.switchId }, words), fade),
    one.styles.map((symbol) => desk.make("div", { class: "legend" }, desk.swatch(symbol), desk.make("span", {}, symbol.legend), desk.make("span", { class: "soft" }, desk.number(symbol.count)))),
    [...one.cut, ...one.notes].map((line) => desk.make("p", { class: "soft cut" }, line)));
};

// One symbol on a small canvas, drawn by the styles of the map itself.
desk.swatch = (of, symbols = desk.symbolsOnScreen, ratio = desk.ratio) => {
  const symbol = { ...of, tile: of.sample, key: `${of.key}.sample` };
  const [width, height] = [54, 22];
  const canvas = desk.make("canvas", { class: "swatch", "aria-hidden": "true" });
  const render = ol.render.toContext(canvas.getContext("2d"), { size: [width, height], pixelRatio: ratio });
  const line = [[3, height / 2], [width - 3, height / 2]];
  const box = [[[3, 2], [width - 3, 2], [width - 3, height - 2], [3, height - 2], [3, 2]]];
  const shape = [new ol.geom.Point([width / 2, height / 2]), new ol.geom.LineString(line), new ol.geom.Polygon(box)][symbol.dimension];
  for (const style of symbols.of(symbol, symbol.dimension)) {
    const renderer = style.getRenderer();
    if (renderer) {
      const scaled = JSON.parse(JSON.stringify(shape.getCoordinates()), (_, v) => (typeof v === "number" ? v * ratio : v));
      renderer(scaled, { context: canvas.getContext("2d"), pixelRatio: ratio });
    } else if (!style.getText()) {
      render.setStyle(style);
      render.drawGeometry(shape);
    }
  }
  if (symbol.text && symbol.dimension > 0) desk.swatchLetters(canvas, symbol, width, height, ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  return canvas;
};
desk.swatchLetters = (canvas, symbol, width, height, ratio) => {
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = desk.fonts.letters;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 4;
  context.strokeStyle = "#fff";
  context.strokeText(symbol.text, width / 2, height / 2 + 0.5);
  context.fillStyle = symbol.ink;
  context.fillText(symbol.text, width / 2, height / 2 + 0.5);
};
