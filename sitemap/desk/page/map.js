// The map in the site's own CRS: a foot on it is a foot of the plan.
desk.projection = new ol.proj.Projection({
  code: "site", units: desk.content.site.foot === "ft" ? "ft" : "us-ft", metersPerUnit: desk.content.site.metresPerFoot,
});
desk.degrees = desk.content.site.proj
  ? ([x, y]) => proj4(desk.content.site.proj, "+proj=longlat +no_defs", [x, y]) : null;

desk.vector = (features, style, order, more) => new ol.layer.Vector({
  source: new ol.source.Vector({ features, wrapX: false }), style, zIndex: order, ...more,
});

desk.startMap = () => {
  const view = new ol.View({ projection: desk.projection, minResolution: 0.005, maxResolution: 2000, enableRotation: false });
  desk.map = new ol.Map({
    target: "map", view, controls: [], pixelRatio: Math.max(1, window.devicePixelRatio || 1),
    interactions: ol.interaction.defaults.defaults({ altShiftDragRotate: false, pinchRotate: false }),
  });
  desk.ratio = Math.max(1, window.devicePixelRatio || 1);
  desk.fit(desk.content.extent);
  desk.gridLayer = desk.vector(
    desk.cells.map(({ label, geometry }) => new ol.Feature({ geometry, label })), desk.gridStyle, -10, { declutter: false },
  );
  desk.map.addLayer(desk.gridLayer);
  view.on("change", desk.showScale);
  desk.map.on("moveend", desk.showScale);
  desk.map.on("pointermove", ({ coordinate }) => desk.showPlace(coordinate));
  desk.$("map").addEventListener("pointerleave", () => desk.showPlace(null));
  view.on("change:center", () => desk.showPlace(null));
};

desk.gridStyle = (feature, resolution) => {
  const [left, , , top] = feature.getGeometry().getExtent();
  const wide = (feature.getGeometry().getExtent()[2] - left) / resolution;
  return [
    new ol.style.Style({ stroke: new ol.style.Stroke({ color: "#9a9a9a", width: 0.8 }) }),
    ...(wide < 34 ? [] : [new ol.style.Style({
      geometry: new ol.geom.Point([left, top]),
      text: new ol.style.Text({
        text: feature.get("label"), font: "600 12px system-ui, sans-serif", textAlign: "left", offsetX: 4, offsetY: 10,
        fill: new ol.style.Fill({ color: "#5c5c5c" }), stroke: new ol.style.Stroke({ color: "#fff", width: 3 }),
      }),
    })]),
  ];
};

// Bounds with some room around; a small thing is not blown up beyond 1 in = 20 ft.
desk.fit = (extent) => desk.map.getView().fit(extent, { padding: [36, 36, 36, 36], minResolution: 0.2 });
desk.fitFeatures = (features) => {
  const extent = ol.extent.createEmpty();
  for (const feature of features) ol.extent.extend(extent, feature.getGeometry().getExtent());
  if (!ol.extent.isEmpty(extent)) desk.fit(ol.extent.buffer(extent, Math.max(40, 0.25 * ol.extent.getWidth(extent))));
};
desk.zoom = (times) => {
  const view = desk.map.getView();
  view.animate({ resolution: view.getConstrainedResolution(view.getResolution() / times), duration: 120 });
};

// A bar of 1, 2 or 5 times a power of ten feet, in four pieces; and the scale on this screen.
desk.barOf = (resolution, mostPx) => {
  const most = resolution * mostPx;
  const power = 10 ** Math.floor(Math.log10(most));
  const feet = [5, 2, 1].map((digit) => digit * power).find((length) => length <= most);
  return { feet, px: feet / resolution };
};
desk.showScale = () => {
  const resolution = desk.map.getView().getResolution();
  if (!resolution) return;
  const { feet, px } = desk.barOf(resolution, 180);
  desk.$("bar").style.width = `${px}px`;
  desk.$("bar-words").textContent = `${desk.number(feet, feet < 1 ? 2 : 0)} ft`;
  desk.$("scale-words").textContent = `1 in = ${desk.number(resolution * 96, resolution < 1 ? 1 : 0)} ft on screen`;
};

desk.placeWords = (place) => {
  const words = [`N ${desk.number(place[1], 2)}`, `E ${desk.number(place[0], 2)} ft`];
  const degrees = desk.degrees && desk.degrees(place);
  if (degrees && degrees.every(Number.isFinite)) {
    const [lon, lat] = degrees;
    words.push(`${Math.abs(lat).toFixed(7)}° ${lat < 0 ? "S" : "N"} ${Math.abs(lon).toFixed(7)}° ${lon < 0 ? "W" : "E"}`);
  } else words.push("no degrees: this CRS cannot be placed on the earth");
  const cell = desk.cellAt(place);
  if (cell) words.push(`cell ${cell}`);
  return words.join(" · ");
};
desk.showPlace = (place) => {
  const shown = place || desk.map.getView().getCenter();
  if (shown) desk.$("place").textContent = (place ? "" : "Middle: ") + desk.placeWords(shown);
};
