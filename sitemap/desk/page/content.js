// What the page holds, unpacked; small words used everywhere. Users' words become text nodes only.
desk.content = JSON.parse(document.getElementById("content").textContent);
desk.$ = (id) => document.getElementById(id);

// An element with attributes; children are elements or words.
desk.make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};
desk.put = (place, ...children) => place.replaceChildren(...children.flat().filter(Boolean));

// Said to screen readers and shown for a moment.
desk.say = (words) => {
  const place = desk.$("said");
  place.textContent = words;
  place.style.animation = "none"; // and back, so that it fades from the start
  void place.offsetWidth;
  place.style.animation = "";
};

desk.number = (value, digits = 0) =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
desk.counted = (value, one) => `${desk.number(value)} ${one}${value === 1 ? "" : "s"}`;
desk.feet = (value) => `${desk.number(value, value < 10 ? 2 : 1)} ft`;
desk.area = (sqft) => `${desk.number(sqft, sqft < 100 ? 1 : 0)} sq ft, ${desk.number(sqft / 43560, 3)} acres`;
desk.today = () => {
  const now = new Date();
  return new Date(now - now.getTimezoneOffset() * 60000).toISOString().slice(0, 10);
};

// [x, y] in steps from the origin -> feet of the site CRS
desk.place = ([x, y]) => {
  const { origin, steps } = desk.content;
  return [origin[0] + x / steps, origin[1] + y / steps];
};
desk.line = (packed) => {
  const found = [];
  for (let i = 0, x = 0, y = 0; i < packed.length; i += 2) {
    x += packed[i];
    y += packed[i + 1];
    found.push(desk.place([x, y]));
  }
  return found;
};
desk.ring = (packed) => {
  const ring = desk.line(packed);
  const [first, last] = [ring[0], ring[ring.length - 1]];
  return first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first];
};
desk.geometry = ([dimension, ...parts]) => {
  if (dimension === 0) {
    const places = parts.map(desk.place);
    return places.length === 1 ? new ol.geom.Point(places[0]) : new ol.geom.MultiPoint(places);
  }
  if (dimension === 1) {
    const lines = parts.map(desk.line);
    return lines.length === 1 ? new ol.geom.LineString(lines[0]) : new ol.geom.MultiLineString(lines);
  }
  const areas = parts.map((rings) => rings.map(desk.ring));
  return areas.length === 1 ? new ol.geom.Polygon(areas[0]) : new ol.geom.MultiPolygon(areas);
};
desk.features = (shapes, more) => shapes.map((shape) => new ol.Feature({ geometry: desk.geometry(shape), ...more }));

desk.cellAt = (place) => {
  const cell = desk.cells.find((one) => one.geometry.intersectsCoordinate(place));
  return cell ? cell.label : "";
};
desk.cells = desk.content.grid.map(([label, shape]) => ({ label, geometry: desk.geometry(shape) }));
