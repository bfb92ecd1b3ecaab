// Length and area in the plan's own feet: plane measures in the site CRS, nothing geodesic.
desk.length = (line) => line.slice(1).reduce((sum, to, i) => sum + Math.hypot(to[0] - line[i][0], to[1] - line[i][1]), 0);
desk.sizeOf = (geometry) => {
  const type = geometry.getType();
  if (type.includes("Polygon")) return desk.area(geometry.getArea());
  if (type.includes("Point")) return "";
  return desk.feet([].concat(type === "LineString" ? [geometry.getCoordinates()] : geometry.getCoordinates()).reduce((sum, line) => sum + desk.length(line), 0));
};

desk.startMeasure = () => {
  desk.measured = desk.vector([], (feature) => [desk.sketchStyle, new ol.style.Style({
    text: new ol.style.Text({ text: desk.sizeOf(feature.getGeometry()), font: "600 13px system-ui, sans-serif", overflow: true, offsetY: feature.getGeometry().getType() === "Polygon" ? 0 : -12, fill: new ol.style.Fill({ color: "#000" }), stroke: new ol.style.Stroke({ color: "#fff", width: 4 }) }),
  })], 700);
  desk.map.addLayer(desk.measured);
  const done = (geometry) => {
    desk.measured.getSource().clear();
    desk.measured.getSource().addFeature(new ol.Feature({ geometry }));
    const around = geometry.getType() === "Polygon" ? `, around ${desk.feet(desk.length(geometry.getCoordinates()[0]))}` : "";
    desk.$("measure-words").textContent = `Measured ${desk.sizeOf(geometry)}${around}, plane in ${desk.content.site.crs}`;
    desk.$("measure-clear").hidden = false;
  };
  desk.$("measure-length").addEventListener("click", () => desk.startDrawing("measure-length", "LineString", done));
  desk.$("measure-area").addEventListener("click", () => desk.startDrawing("measure-area", "Polygon", done));
  desk.$("measure-clear").addEventListener("click", () => {
    desk.endTool();
    desk.measured.getSource().clear();
    desk.$("measure-words").textContent = "";
    desk.$("measure-clear").hidden = true;
    desk.$("measure-length").focus();
  });
};
