// What runs along a line beside its pen: ticks, teeth, arrow heads, scallops, water lines.
desk.extras = (symbol) => {
  const parts = [];
  if (symbol.ticks === "teeth") parts.push(desk.draw.teeth);
  else if (symbol.ticks) parts.push(desk.draw.ticks);
  if (symbol.arrows) parts.push(desk.draw.arrows);
  if (symbol.scallops) parts.push(desk.draw.scallops);
  if (symbol.waves) parts.push(desk.draw.waves);
  if (!parts.length) return null;
  return (coordinates, state) => {
    const { context, pixelRatio: ratio } = state;
    context.save();
    context.strokeStyle = symbol.ink;
    context.lineWidth = Math.max(0.8, symbol.width * 0.7) * ratio;
    context.setLineDash([]);
    const lines = desk.draw.lines(coordinates);
    for (const part of parts) part(context, lines, symbol, ratio, coordinates);
    context.restore();
  };
};

desk.draw = {
  // Coordinates of any line or area as a list of lines.
  lines(coordinates) {
    if (!coordinates.length) return []; // an area that is smaller than a hundredth of a foot
    if (typeof coordinates[0][0] === "number") return [coordinates];
    return coordinates.flatMap(desk.draw.lines);
  },

  // Calls back at even steps that lie on the canvas: place, direction.
  stations(line, every, context, each) {
    const steps = line.slice(1).map((to, i) => Math.hypot(to[0] - line[i][0], to[1] - line[i][1]));
    const length = steps.reduce((sum, step) => sum + step, 0);
    const count = Math.max(1, Math.round(length / every));
    if (length < every * 0.2) return;
    const { width, height } = context.canvas;
    let i = 0, before = 0;
    for (let n = 0; n < count; n += 1) {
      const at = ((n + 0.5) * length) / count;
      while (i < steps.length - 1 && before + steps[i] < at) before += steps[i++];
      const share = steps[i] ? (at - before) / steps[i] : 0;
      const [a, b] = [line[i], line[i + 1]];
      const place = [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])];
      if (place[0] < -20 || place[1] < -20 || place[0] > width + 20 || place[1] > height + 20) continue;
      each(place, [(b[0] - a[0]) / (steps[i] || 1), (b[1] - a[1]) / (steps[i] || 1)]);
    }
  },

  // y runs down on a canvas, so (dy, -dx) is the left of a direction
  ticks(context, lines, symbol, ratio) {
    const [size, from] = symbol.ticks === "both" ? [3.4 * ratio, -1] : [6.7 * ratio, 0];
    const side = symbol.ticks === "right" ? -1 : 1;
    context.beginPath();
    for (const line of lines) {
      desk.draw.stations(line, symbol.tickEvery * ratio, context, ([x, y], [dx, dy]) => {
        context.moveTo(x + from * dy * size * side, y - from * dx * size * side);
        context.lineTo(x + dy * size * side, y - dx * size * side);
      });
    }
    context.stroke();
  },

  teeth(context, lines, symbol, ratio) {
    const size = 5.8 * ratio;
    context.beginPath();
    for (const line of lines) {
      desk.draw.stations(line, 77 * ratio, context, ([x, y], [dx, dy]) => {
        context.moveTo(x - dx * size * 0.6, y - dy * size * 0.6);
        context.lineTo(x + dy * size, y - dx * size);
        context.lineTo(x + dx * size * 0.6, y + dy * size * 0.6);
      });
    }
    context.stroke();
  },

  arrows(context, lines, symbol, ratio) {
    const head = ([x, y], [dx, dy], size) => {
      for (const turn of [2.758, -2.758]) {
        const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
        context.moveTo(x, y);
        context.lineTo(x + (dx * cos - dy * sin) * size, y + (dx * sin + dy * cos) * size);
      }
    };
    context.beginPath();
    for (const line of lines) {
      if (symbol.arrows === "end") {
        const [a, b] = line.slice(-2);
        const long = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
        head(b, [(b[0] - a[0]) / long, (b[1] - a[1]) / long], 11 * ratio);
      } else {
        const long = desk.draw.long(line);
        if (long < 18 * ratio) continue; // shorter than two heads: heads alone would be seen
        desk.draw.stations(line, symbol.arrows === "mid" ? long : 200 * ratio, context, (place, way) => head(place, way, 9 * ratio));
      }
    }
    context.stroke();
  },
  long: (line) => line.slice(1).reduce((sum, to, i) => sum + Math.hypot(to[0] - line[i][0], to[1] - line[i][1]), 0),

  scallops(context, lines, symbol, ratio) {
    context.lineWidth = Math.max(symbol.width, 0.8) * ratio;
    const half = 5.3 * ratio;
    for (const line of lines) {
      desk.draw.stations(line, 2 * half, context, ([x, y], [dx, dy]) => {
        context.beginPath();
        context.arc(x, y, half, Math.atan2(dy, dx), Math.atan2(dy, dx) + Math.PI);
        context.stroke();
      });
    }
  },

  // Lines that follow the shore inward, paler with each: strokes of growing width, cut to the area.
  waves(context, lines, symbol, ratio) {
    context.beginPath();
    for (const line of lines) line.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.save();
    context.clip("evenodd");
    for (const [width, alpha] of [[26, 0.05], [16, 0.07], [8, 0.1]]) {
      context.lineWidth = width * ratio;
      context.globalAlpha = alpha;
      context.stroke();
    }
    context.restore();
  },
};
