// Single keys, listed in the help; they rest while one types, and can be switched off.
desk.KEYS = [
  ["n", "next finding", () => desk.step(1)],
  ["p", "previous finding", () => desk.step(-1)],
  ["d", "decide the finding that is shown", () => { const first = desk.$("detail").querySelector("input:checked"); if (first) first.focus(); else desk.say("Choose a finding first."); }],
  ["/", "search a cell or an id", () => desk.$("search").focus()],
  ["0", "the whole map", () => desk.fit(desk.content.extent)],
  ["+", "nearer", () => desk.zoom(1.6)],
  ["-", "farther", () => desk.zoom(1 / 1.6)],
  ["m", "measure a length", () => desk.$("measure-length").click()],
  ["a", "measure an area", () => desk.$("measure-area").click()],
  ["g", "alphanumeric grid on or off", () => desk.switchExtra("Alphanumeric grid", !desk.gridLayer.getVisible())],
  ["s", "save the decisions as a file", () => desk.saveFile()],
  ["?", "this help", () => desk.$("help").showModal()],
];
desk.startKeys = () => {
  desk.put(desk.$("key-list"), desk.KEYS.map(([key, words]) => desk.make("div", {}, desk.make("dt", {}, desk.make("kbd", {}, key)), desk.make("dd", {}, words))),
    desk.make("div", {}, desk.make("dt", {}, desk.make("kbd", {}, "Esc")), desk.make("dd", {}, "end the tool, close what is open")),
    desk.make("div", {}, desk.make("dt", {}, desk.make("kbd", {}, "arrows")), desk.make("dd", {}, "move the map, when it has the focus")));
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input[type=text], input[type=search], textarea, select, dialog[open]");
    if (event.key === "Escape" && !typing) {
      if (!desk.endTool()) desk.closeFeature();
      return;
    }
    if (typing || event.ctrlKey || event.altKey || event.metaKey || !desk.$("keys-on").checked) return;
    const found = desk.KEYS.find(([key]) => key === event.key);
    if (!found) return;
    event.preventDefault();
    found[2]();
  });
};
