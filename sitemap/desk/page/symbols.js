// The plate's symbols as OpenLayers styles. Sizes are CSS pixels; ratio is device pixels per pixel.
desk.fonts = { label: "600 11px system-ui, sans-serif", letters: "700 11px system-ui, sans-serif" };

desk.symbols = (ratio) => {
  const white = (width) => new ol.style.Stroke({ color: "#fff", width });
  const patterns = new Map();
  const styles = new Map();

  const strokes = (context, paths, move) => {
    for (const path of paths) {
      context.beginPath();
      for (let i = 0; i < path.length; i += 2) context.lineTo(path[i] + move[0], path[i + 1] + move[1]);
      context.stroke();
    }
  };

  // A canvas that holds the piece that a hatch repeats; whole pixels, so that it has no seams.
  const tile = (one) => {
    const [opaque, faded] = [document.createElement("canvas"), document.createElement("canvas")];
    for (const canvas of [opaque, faded]) [canvas.width, canvas.height] = one.size.map((side) => Math.max(1, Math.round(side * ratio)));
    const context = opaque.getContext("2d");
    context.scale(opaque.width / one.size[0], opaque.height / one.size[1]);
    context.strokeStyle = one.ink;
    context.lineWidth = one.width;
    context.lineCap = one.round ? "round" : "butt";
    // strokes that reach over an edge come in at the other: each is laid over all neighbours too
    for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1, 2]) strokes(context, one.strokes, [dx * one.size[0], dy * one.size[1]]);
    const pale = faded.getContext("2d");
    pale.globalAlpha = one.alpha;
    pale.drawImage(opaque, 0, 0);
    return faded;
  };
  const pattern = (one) => {
    const key = JSON.stringify(one);
    if (!patterns.has(key)) {
      const made = document.createElement("canvas").getContext("2d").createPattern(tile(one), "repeat");
      if (one.turn) made.setTransform(new DOMMatrix().rotate(one.turn));
      patterns.set(key, made);
    }
    return patterns.get(key);
  };

  const marker = (symbol) => {
    const { size, strokes: paths, fill, letters, lift } = symbol.marker;
    const pad = 3;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = size.map((side) => Math.ceil((side + 2 * pad) * ratio));
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.translate(size[0] / 2 + pad, size[1] / 2 + pad);
    context.strokeStyle = context.fillStyle = symbol.ink;
    context.lineWidth = Math.max(symbol.width, 1);
    if (fill && paths.length) {
      context.beginPath();
      for (let i = 0; i < paths[0].length; i += 2) context.lineTo(paths[0][i], paths[0][i + 1]);
      [context.fillStyle, context.globalAlpha] = fill;
      context.fill();
      context.globalAlpha = 1;
    }
    strokes(context, paths, [0, 0]);
    if (letters) {
      context.font = desk.fonts.letters;
      context.textAlign = "center";
      context.textBaseline = "middle";
      context.fillStyle = symbol.ink;
      context.fillText(letters, 0, 0.5 - lift);
    }
    return new ol.style.Icon({ img: canvas, scale: 1 / ratio, declutterMode: "none" });
  };

  const pen = (symbol) => symbol.width > 0 && !symbol.scallops
    ? new ol.style.Stroke({ color: symbol.ink, width: symbol.width, lineDash: symbol.dash, lineCap: "butt" }) : null;
  const rgba = ([ink, alpha]) => [...[1, 3, 5].map((i) => parseInt(ink.slice(i, i + 2), 16)), alpha];
  const outline = (feature) => feature.get("outline") === undefined ? feature.getGeometry() : feature.get("outline");
  const along = (symbol) => symbol.text && new ol.style.Style({
    geometry: outline,
    text: new ol.style.Text({
      text: symbol.text, placement: "line", repeat: symbol.every, font: desk.fonts.letters,
      fill: new ol.style.Fill({ color: symbol.ink }), stroke: white(4), maxAngle: 0.6, declutterMode: "obstacle",
    }),
  });
  const extras = (symbol) => desk.extras(symbol) && new ol.style.Style({ renderer: desk.extras(symbol) });

  // what comes from a reference lies on a pale band, so that both can be seen at one place
  const band = new ol.style.Stroke({ color: "rgba(0,128,128,0.30)", width: 6 });
  const banded = (symbol, styles, dimension) => !symbol.reference ? styles : [new ol.style.Style(dimension === 0
    ? { image: new ol.style.Circle({ radius: symbol.marker.size[0] / 2 + 4, stroke: band, declutterMode: "none" }) } : { stroke: band }), ...styles];

  const build = (symbol, dimension, turn) => {
    if (dimension === 0) return [new ol.style.Style({ image: marker(symbol) })];
    if (dimension === 1) return [new ol.style.Style({ stroke: pen(symbol) }), along(symbol), extras(symbol)].filter(Boolean);
    const tiled = symbol.tile && (turn === undefined ? symbol.tile : { ...symbol.tile, turn: -turn });
    const fills = [symbol.fill && rgba(symbol.fill), tiled && pattern(tiled), "rgba(255,255,255,0.01)"].filter(Boolean);
    return [
      ...fills.map((color) => new ol.style.Style({ fill: new ol.style.Fill({ color }) })),
      new ol.style.Style({ geometry: outline, stroke: pen(symbol) }),
      along(symbol), extras(symbol),
    ].filter(Boolean);
  };

  const label = (symbol, dimension, words) => new ol.style.Style({
    text: new ol.style.Text({
      text: words, font: desk.fonts.label, fill: new ol.style.Fill({ color: symbol.ink }), stroke: white(3),
      placement: dimension === 1 ? "line" : "point", textBaseline: dimension === 1 ? "middle" : undefined,
      textAlign: dimension === 0 ? "left" : "center", overflow: dimension === 2,
      offsetX: dimension === 0 ? symbol.marker.size[0] / 2 + 3 : 0,
    }),
  });

  return {
    of(symbol, dimension, turn) {
      const key = `${symbol.key}:${dimension}:${turn}`;
      if (!styles.has(key)) styles.set(key, banded(symbol, build(symbol, dimension, turn), dimension));
      return styles.get(key);
    },
    label,
  };
};

// Labels come in by their priority as the map is drawn larger (feet per pixel).
desk.labelled = (symbol, resolution) => resolution < (symbol.priority <= 25 ? 3 : symbol.priority <= 45 ? 1.6 : 0.9);
