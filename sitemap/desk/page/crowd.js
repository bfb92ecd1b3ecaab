// Findings that would lie on each other are one disc with their number, as far as one can see them
// apart; the disc stands where the gravest of them is, so that nothing moves when the map is moved.
desk.CROWD_PX = 40;
desk.gathered = 0; // the resolution for which the marks on the map were gathered

desk.gatherMarks = () => {
  if (!desk.marks) return;
  const resolution = desk.map.getView().getResolution();
  desk.gathered = resolution;
  const shown = desk.marks.filter((mark) => desk.shownSet.has(mark.get("finding")));
  const crowds = shown.length > desk.CROWD ? desk.crowdsOf(shown, desk.CROWD_PX * resolution) : shown.map((mark) => [mark]);
  const source = desk.markLayer.getSource();
  source.clear(true);
  source.addFeatures(crowds.map((members) => (members.length === 1 ? members[0]
    : new ol.Feature({ geometry: members[0].getGeometry(), members }))));
  const discs = crowds.filter((members) => members.length > 1);
  const inside = discs.reduce((sum, members) => sum + members.length, 0);
  desk.$("crowd-words").textContent = !discs.length ? ""
    : `${desk.number(inside)} findings lie too close to be seen apart: ${desk.number(discs.length)} filled disc${discs.length > 1 ? "s" : ""} with their number; click one, or zoom in`;
};

// In the order of the list, gravest first, each to the first disc within reach; the chosen one apart.
desk.crowdsOf = (marks, reach) => {
  const seeds = new Map();
  const crowds = [];
  for (const mark of marks) {
    const [x, y] = mark.getGeometry().getCoordinates();
    const [column, row] = [Math.floor(x / reach), Math.floor(y / reach)];
    const near = [-1, 0, 1].flatMap((i) => [-1, 0, 1].flatMap((j) => seeds.get(`${column + i},${row + j}`) || []));
    const own = mark.get("finding") === desk.selected;
    const found = own ? null : near.find((one) => Math.hypot(one.x - x, one.y - y) < reach);
    if (found) found.members.push(mark);
    else {
      const crowd = { x, y, members: [mark] };
      crowds.push(crowd.members);
      const key = `${column},${row}`;
      if (!own) seeds.set(key, [...(seeds.get(key) || []), crowd]);
    }
  }
  return crowds;
};

desk.crowdStyle = (members) => {
  const open = members.map((mark) => mark.get("finding")).filter((finding) => desk.isOpen(finding));
  const ink = open.length ? desk.inks[["error", "warning", "info", "waived"].find((look) => open.some((finding) => finding.look === look))] : "#5f5f5f";
  return new ol.style.Style({
    zIndex: 1e5,
    image: new ol.style.Circle({ radius: 9 + Math.min(6, 2 * Math.log10(members.length)), declutterMode: "none", fill: new ol.style.Fill({ color: ink }), stroke: new ol.style.Stroke({ color: "#fff", width: 1.5 }) }),
    text: new ol.style.Text({ text: desk.number(members.length), font: "700 11px system-ui, sans-serif", fill: new ol.style.Fill({ color: "#fff" }), declutterMode: "none" }),
  });
};
desk.isOpen = (finding) => {
  const decision = desk.store.decisionOn(finding.fingerprint);
  return !decision || decision.status === "open";
};

// Nearer, until they come apart; where they lie on one place, one after the other.
desk.openCrowd = (members) => {
  const extent = ol.extent.createEmpty();
  for (const mark of members) ol.extent.extend(extent, mark.getGeometry().getExtent());
  const most = Math.max(ol.extent.getWidth(extent), ol.extent.getHeight(extent));
  if (most > 1 && desk.map.getView().getResolution() > 0.25) {
    desk.fit(ol.extent.buffer(extent, 0.1 * most));
    return desk.say(`Zoomed to ${desk.number(members.length)} findings.`);
  }
  return desk.select(members[0].get("finding"));
};

desk.startCrowd = () => {
  desk.map.on("moveend", () => { if (desk.map.getView().getResolution() !== desk.gathered) desk.gatherMarks(); });
};
