// Input: pointer, controls, keys.

// Choices, kept in localStorage if the browser allows that for a file.
const kept = {
  get(key) {
    try {
      return localStorage.getItem(`tidewise ${key}`);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      localStorage.setItem(`tidewise ${key}`, value);
    } catch {
      // the choice lasts until the page is closed
    }
  },
};

function listen(page) {
  const {state} = page;
  const handlers = {
    view: () => page.redraw(),
    point: (map, at, event) => page.point(map, at, event),
    leave: () => page.leave(),
    click: (map, at) => page.click(map, at),
  };
  page.maps.forEach((map) => watchMap(map, handlers));
  for (const button of byId("zoom").children) button.addEventListener("click", () => page.zoom(Number(button.dataset.zoom)));
  byId("play").addEventListener("click", () => page.play(!page.player.running));
  byId("time").addEventListener("input", (event) => {
    page.play(false);
    page.setTime(page.clock.first + Number(event.target.value) * (page.clock.last - page.clock.first));
  });
  const select = (id, key, read = (text) => text) => byId(id).addEventListener("change", (event) => {
    state[key] = read(event.target.value);
    page.choose();
  });
  select("background", "background");
  select("flow-of", "flowOf", (text) => (text === "" ? null : Number(text)));
  select("colour-by", "colourBy");
  select("tail", "tail", Number);
  select("rate", "rate", Number);
  for (const [id, key] of [["show-flow", "showFlow"], ["show-policy", "showPolicy"], ["show-flights", "showFlights"], ["show-tracks", "showTracks"], ["show-rim", "showRim"], ["show-route", "showRoute"], ["show-names", "showNames"], ["show-depths", "showDepths"]]) {
    byId(id).addEventListener("change", (event) => {
      state[key] = event.target.checked;
      page.choose();
    });
  }
  for (const kind of Object.keys(state.shows)) {
    byId(`show-${kind}`).addEventListener("change", (event) => {
      state.shows[kind] = event.target.checked;
      page.choose();
    });
  }
  const radios = (name, change) => document.querySelectorAll(`[name=${name}]`).forEach((radio) =>
    radio.addEventListener("change", () => change(radio.value)));
  radios("source", (value) => page.setRealization(value === "mean" ? null : Number(byId("realization").value)));
  byId("realization").addEventListener("change", (event) => page.setRealization(Math.max(0, Math.round(Number(event.target.value) || 0))));
  radios("speed", (value) => {
    units.speed = value;
    page.choose();
  });
  radios("duration", (value) => {
    units.duration = value;
    page.choose();
  });
  radios("link", (value) => {
    const level = page.level(page.runs[0]);
    page.clock.by = value;
    state.time = page.clock.timeOf(page.runs[0], level);
    page.choose();
  });
  const theme = kept.get("theme");
  if (["light", "dark"].includes(theme)) document.querySelector(`[name=theme][value=${theme}]`).checked = true;
  radios("theme", (value) => {
    kept.set("theme", value);
    page.choose();
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => page.choose());
  listenForRoutes(page);
  byId("help-button").addEventListener("click", () => byId("help").showModal());
  new ResizeObserver(() => page.resize()).observe(byId("maps"));
  document.addEventListener("keydown", (event) => pressKey(page, event));
}

function toggle(id) {
  if (!byId(id).disabled) byId(id).click();
}

function chooseNext(page, id) {
  const list = byId(id);
  if (list.hidden) return;
  list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
  list.dispatchEvent(new Event("change"));
  page.say(list.selectedOptions[0].textContent);
}

function pressKey(page, event) {
  if (page.runs.some((run) => !run.isComplete)) return;
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  const target = event.target instanceof Element ? event.target : document.body;
  // Lists, numbers and choices have keys of their own; only those of the slider are replaced.
  if (target.matches("select, #plan-departure, input[type=number], input[type=radio]") && event.key !== "?") return;
  if (event.key === " " && target.matches("button, input[type=checkbox]")) return;
  const moves = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
  const map = page.maps.find((candidate) => candidate.canvas === target);
  const keys = {
    " ": () => page.play(!page.player.running),
    "ArrowLeft": () => page.step(-1),
    "ArrowRight": () => page.step(1),
    "PageUp": () => page.step(-10),
    "PageDown": () => page.step(10),
    "Home": () => page.step(-1e9),
    "End": () => page.step(1e9),
    "+": () => page.zoom(1.5),
    "=": () => page.zoom(1.5),
    "-": () => page.zoom(1 / 1.5),
    "0": () => page.zoom(0),
    "c": () => chooseNext(page, "background"),
    "d": () => chooseNext(page, "flow-of"),
    "f": () => toggle("show-flow"),
    "p": () => toggle("show-policy"),
    "t": () => document.querySelector(`[name=theme][value=${page.state.theme === "dark" ? "light" : "dark"}]`).click(),
    "?": () => byId("help").showModal(),
    "Enter": map && (() => page.readMiddle(map)),
    "Escape": () => page.leave(),
  };
  let act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (event.shiftKey && moves[event.key]) {
    const [right, up] = moves[event.key];
    const by = 60 / page.maps[0].scale;
    act = () => {
      page.viewport.move(right * by, up * by);
      page.redraw();
    };
  }
  if (!act) return;
  event.preventDefault();
  act();
}
