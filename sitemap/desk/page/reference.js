// Submitted against reference: a swipe, and the differences in colours with their own dashes.
desk.DIFFERENCES = {
  missing: { ink: "#b3001b", dash: [8, 5], words: "missing: known, not submitted" },
  extra: { ink: "#0b5394", dash: [2, 4], words: "extra: submitted, not known" },
  moved: { ink: "#8a4b00", dash: undefined, words: "moved: both have it, elsewhere" },
};
desk.startReference = () => {
  const reference = desk.layers.filter((one) => one.group === "reference");
  desk.$("tab-reference").hidden = !reference.length && !desk.content.references.length;
  desk.$("swipe-box").hidden = !reference.length;
  if (!reference.length) return;
  desk.startSwipe(reference);
  desk.listDifferences();
  desk.put(desk.$("references"), desk.content.references.map(([what, which, how]) => desk.make("li", {}, desk.make("b", {}, what), ` ${which} `, desk.make("span", { class: "soft" }, how))));
};

// Left of the line what was submitted of the same roles, right of it the reference.
desk.startSwipe = (reference) => {
  const roles = new Set(reference.map((one) => one.role));
  const rivals = desk.layers.filter((one) => one.group === "submitted" && roles.has(one.role));
  const slider = desk.$("swipe");
  const clip = (right) => (event) => {
    if (!desk.$("swipe-on").checked) return;
    const { context } = event;
    const size = desk.map.getSize();
    const x = size[0] * (slider.value / 100);
    const corners = (right ? [[x, 0], [size[0], 0], size, [x, size[1]]] : [[0, 0], [x, 0], [x, size[1]], [0, size[1]]]).map((pixel) => ol.render.getRenderPixel(event, pixel));
    context.save();
    context.beginPath();
    corners.forEach(([px, py]) => context.lineTo(px, py));
    context.closePath();
    context.clip();
  };
  const unclip = ({ context }) => { if (desk.$("swipe-on").checked) context.restore(); };
  for (const [members, right] of [[reference, true], [rivals, false]]) {
    for (const { drawn } of members) {
      drawn.on("prerender", clip(right));
      drawn.on("postrender", unclip);
    }
  }
  const redraw = () => {
    desk.$("swipe-line").hidden = !desk.$("swipe-on").checked;
    desk.$("swipe").disabled = !desk.$("swipe-on").checked;
    desk.$("swipe-line").style.left = `${slider.value}%`;
    desk.map.render();
  };
  slider.addEventListener("input", redraw);
  desk.$("swipe-on").addEventListener("change", redraw);
  redraw();
};

desk.listDifferences = () => {
  const features = desk.content.differences.flatMap((one) => desk.features(one.shapes, { one }));
  desk.differences = desk.vector(features, (feature) => {
    const { ink, dash } = desk.DIFFERENCES[feature.get("one").kind];
    return [
      new ol.style.Style({ stroke: new ol.style.Stroke({ color: "#fff", width: 5 }) }),
      new ol.style.Style({ stroke: new ol.style.Stroke({ color: ink, width: 2.6, lineDash: dash }), fill: new ol.style.Fill({ color: ink + "2e" }), image: new ol.style.Circle({ radius: 8, stroke: new ol.style.Stroke({ color: ink, width: 2.6, lineDash: dash }) }) }),
    ];
  }, 500);
  desk.map.addLayer(desk.differences);
  desk.$("differences-on").addEventListener("change", ({ target }) => desk.differences.setVisible(target.checked));
  const row = (one) => desk.make("li", {}, desk.make("button", { type: "button", class: `link difference ${one.kind}`, onclick: () => desk.fitFeatures(features.filter((feature) => feature.get("one") === one)) }, desk.make("b", {}, one.kind), ` ${one.words}`));
  desk.put(desk.$("difference-key"), Object.entries(desk.DIFFERENCES).map(([kind, { words }]) => desk.make("li", { class: `difference ${kind}` }, words)));
  desk.put(desk.$("difference-list"), desk.content.differences.slice(0, 500).map(row));
};
