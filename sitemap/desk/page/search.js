// Search by grid cell and by id; the rest of the words are looked for in labels.
desk.startSearch = () => {
  desk.$("search-form").addEventListener("submit", (event) => {
    event.preventDefault();
    desk.search(desk.$("search").value.trim());
  });
};
desk.search = (words) => {
  const wanted = words.toLowerCase().replace(/^cell\s+/, "");
  if (!wanted) return;
  const cells = desk.cells.filter((cell) => cell.label.toLowerCase() === wanted);
  const exact = [], near = [];
  for (const layer of desk.layers) {
    layer.rows.forEach(([id, , , label], row) => {
      const name = String(id ?? "").toLowerCase();
      if (name === wanted) exact.push([layer, row]);
      else if (near.length < 40 && (name.includes(wanted) || label.toLowerCase().includes(wanted))) near.push([layer, row]);
    });
  }
  const found = exact.length ? exact : near;
  const rows = [
    ...cells.map((cell) => [`Cell ${cell.label}`, () => desk.fitFeatures([new ol.Feature({ geometry: cell.geometry })])]),
    ...found.slice(0, 40).map(([layer, row]) => [`${layer.title}: ${layer.rows[row][0] ?? (layer.rows[row][3] || `record ${layer.rows[row][2]}`)}`, () => {
      const features = layer.features.filter((feature) => feature.get("row") === row);
      layer.drawn.setVisible(true);
      desk.$(layer.switchId).checked = true;
      desk.fitFeatures(features);
      desk.showFeatures(features);
    }]),
  ];
  desk.put(desk.$("found"), rows.map(([text, go]) => desk.make("li", {}, desk.make("button", { type: "button", class: "link", onclick: go }, text))));
  desk.say(rows.length ? `${rows.length} found for ${words}.` : `Nothing is called ${words}: give a cell such as ${desk.cells.length ? desk.cells[0].label : "C4"}, or an id.`);
  if (rows.length) rows[0][1]();
};
