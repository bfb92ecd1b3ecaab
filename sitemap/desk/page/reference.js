// Submitted against reference: a swipe, and the differences in colours with their own dashes.
desk.DIFFERENCES = {
  missing: { ink: "#b3001b", dash: [8, 5], words: "missing: known, not submitted" },
  extra: { ink: "#0b5394", dash: [2, 4], words: "extra: submitted, not known" },
  moved: { ink: "#8a4b00", dash: undefined, words: "moved: both have it, elsewhere (dashed: where it is known)" },
  sliver: { ink: "#5f5f5f", dash: [1, 3], words: "sliver: thinner than the reference is exact" },
};
desk.startReference = () => {
  const reference = desk.layers.filter((one) => one.group === "reference");
  desk.$("tab-reference").hidden = !reference.length && !desk.content.references.length;
  desk.$("swipe-box").hidden = !reference.length;
  desk.$("difference-box").hidden = !reference.length || desk.content.notCompared !== "";
  desk.$("not-compared").hidden = desk.content.notCompared === "";
  desk.$("not-compared").textContent = desk.content.notCompared;
  desk.put(desk.$("references"), desk.content.references.map(([what, which, how]) => desk.make("li", {}, desk.make("b", {}, what), ` ${which} `, desk.make("span", { class: "soft" }, how))));
  if (!reference.length) return;
  for (const { drawn, switchId } of reference) {
    drawn.setVisible(false); // until asked for, or swiped
    desk.$(switchId).checked = false;
  }
  desk.startSwipe(reference);
  desk.listDifferences();
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
  const show = (layers, on) => {
    for (const { drawn, switchId } of layers) {
      drawn.setVisible(on);
      desk.$(switchId).checked = on;
    }
  };
  const redraw = () => {
    desk.$("swipe-line").hidden = !desk.$("swipe-on").checked;
    desk.$("swipe").disabled = !desk.$("swipe-on").checked;
    desk.$("swipe-line").style.left = `${slider.value}%`;
    desk.map.render();
  };
  slider.addEventListener("input", redraw);
  desk.$("swipe-on").addEventListener("change", ({ target }) => {
    show(reference, target.checked);
    show(rivals, true);
    redraw();
  });
  redraw();
};

desk.listDifferences = () => {
  const features = desk.content.differences.flatMap((one) => [...desk.features(one.shapes, { one }), ...desk.features(one.known, { one, known: true })]);
  desk.differences = desk.vector(features, (feature) => {
    const { kind } = feature.get("one");
    const { ink } = desk.DIFFERENCES[kind];
    const dash = feature.get("known") ? [9, 6] : desk.DIFFERENCES[kind].dash;
    if (kind === "sliver") return new ol.style.Style({ stroke: new ol.style.Stroke({ color: ink, width: 1.4, lineDash: dash }), fill: new ol.style.Fill({ color: ink + "40" }) });
    return [
      new ol.style.Style({ stroke: new ol.style.Stroke({ color: "#fff", width: 5 }) }),
      new ol.style.Style({ stroke: new ol.style.Stroke({ color: ink, width: 2.6, lineDash: dash }), fill: kind === "moved" ? undefined : new ol.style.Fill({ color: ink + "2e" }), image: new ol.style.Circle({ radius: 8, stroke: new ol.style.Stroke({ color: ink, width: 2.6, lineDash: dash }) }) }),
    ];
  }, 500);
  desk.differences.setVisible(false); // until the tab is opened
  desk.map.addLayer(desk.differences);
  const show = (on) => { desk.differences.setVisible(on); desk.$("differences-on").checked = on; };
  desk.$("differences-on").addEventListener("change", ({ target }) => show(target.checked));
  desk.$("tab-reference").addEventListener("click", () => show(true));
  const row = (one) => desk.make("li", {}, desk.make("button", { type: "button", class: `link difference ${one.kind}`, onclick: () => desk.fitFeatures(features.filter((feature) => feature.get("one") === one)) }, desk.make("b", {}, one.kind), ` ${one.words}`));
  desk.put(desk.$("difference-key"), Object.entries(desk.DIFFERENCES).map(([kind, { words }]) => desk.make("li", { class: `difference ${kind}` }, words)));
  const { differences } = desk.content;
  desk.$("no-differences").hidden = differences.some((one) => one.kind !== "sliver");
  desk.put(desk.$("difference-list"), differences.filter((one) => one.kind !== "sliver").map(row));
  desk.put(desk.$("sliver-list"), differences.filter((one) => one.kind === "sliver").map(row));
  desk.$("slivers").hidden = !differences.some((one) => one.kind === "sliver");
};
