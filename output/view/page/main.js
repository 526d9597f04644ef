// What the user chose, and what follows from it.

const WHOLE_TIME = 24;  // [s] that a whole mission takes to play

const facts = JSON.parse(byId("facts").textContent);

async function openRuns() {
  return Promise.all(facts.runs.map(async (run, n) => {
    const bytes = bytesOf(byId(`data-${n}`).textContent);
    byId(`data-${n}`).remove();
    return new Run(run, await unpackAll(run.arrays, bytes), n);
  }));
}

// Kept where the browser lets a file keep anything.
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
      // then it is chosen anew
    }
  },
};

class Page {
  constructor(runs) {
    this.runs = runs;
    this.clock = new Clock(runs);
    this.viewport = new Viewport(runs);
    this.maps = runs.map((run, n) => new MapView(run, this.viewport, runs.length > 1 ? "AB"[n] : ""));
    const durations = runs.filter((run) => run.facts.flights).flatMap((run) =>
      run.arrivalLevels.map((level) => (level - run.time.from_level) * run.time.step));
    const flow = runs.some((run) => run.flow);
    this.state = {
      runs,
      time: this.clock.first,
      background: flow ? "speed" : "value",
      realization: null,
      showFlow: flow,
      showPolicy: false,
      showFlights: true,
      showTracks: true,
      showRim: true,
      colourBy: "outcome",
      tail: 8,
      flight: null,
      theme: "light",
      rate: 1,
      range: {least: 0, most: 1},
      arrivalRange: {least: durations.reduce((a, b) => Math.min(a, b), Infinity), most: durations.reduce((a, b) => Math.max(a, b), 0)},
      arrivalTime: (run, flight) => (run.endLevel[flight] - run.time.from_level) * run.time.step,
    };
    this.pointer = null;
    this.player = new Player((seconds) => this.advance(seconds));
    this.fill();
    this.listen();
    this.choose();
    this.resize();
  }

  level(run) {
    return this.clock.levelOf(run, this.state.time);
  }

  // ---- What stays

  fill() {
    const {runs} = this;
    byId("title").textContent = runs.map((run) => run.facts.name).join(" and ");
    byId("subtitle").textContent = [...new Set(runs.map((run) => run.facts.environment.title || run.facts.environment.file))].join(" · ");
    byId("made").textContent = `Tidewise ${facts.version}`;
    byId("maps").append(...this.maps.map((map) => map.element));
    byId("maps").classList.toggle("pair", runs.length > 1);
    const names = {none: "None", speed: "Flow: speed", spread: "Flow: spread", value: "Value", scalar: "Scalar field"};
    const scalar = runs.find((run) => run.facts.flow?.has_scalar)?.facts.environment.scalar?.name;
    if (scalar) names.scalar = scalar.charAt(0).toUpperCase() + scalar.slice(1);
    for (const [value, text] of Object.entries(names)) {
      if (!runs.some((run) => canShow(run, value))) continue;
      const option = element("option", text);
      option.value = value;
      byId("background").append(option);
    }
    byId("background").value = this.state.background;
    const flow = runs.find((run) => run.flow);
    byId("flow-source").disabled = !flow;
    byId("flow-source").hidden = !flow;
    byId("show-flow").disabled = !flow;
    byId("show-flow").checked = Boolean(flow);
    if (flow) byId("realization").max = flow.arrays.realization.data.at(-1);
    if (!runs.some((run) => run.facts.flights)) {
      for (const id of ["show-flights", "show-tracks", "colour-by", "tail"]) byId(id).disabled = true;
    }
    if (!runs.some((run) => run.facts.flights && run.arrivalLevels.length > 0)) {
      byId("colour-by").querySelector("[value=arrival]").disabled = true;
    }
    byId("rim-name").textContent = runs[0].globe ? "Degrees" : "x and y";
    byId("units").hidden = !runs[0].facts.metric;
    byId("link").hidden = runs.length < 2;
    byId("link-time").textContent = runs[0].time.origin === null ? "time" : "date";
    fillLines("warnings", runs, (run) => run.facts.summary.warnings ?? []);
    fillLines("notes", runs, (run) => run.facts.notes);
  }

  // ---- What changes

  choose() {
    const {state, runs} = this;
    const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    const theme = document.querySelector("[name=theme]:checked").value;
    state.theme = theme === "auto" ? (dark ? "dark" : "light") : theme;
    document.documentElement.dataset.theme = state.theme;
    if (state.background !== "none") state.range = sharedRange(runs, state.background);
    fillSummary(runs);
    fillLegend(runs, state);
    fillFlightLegend(runs, state);
    byId("realization").disabled = state.realization === null;
    drawTicks(this.clock);
    this.setTime(state.time);
  }

  setTime(time) {
    this.state.time = clamp(time, this.clock.first, this.clock.last);
    const [run] = this.runs;
    const level = this.level(run);
    const since = (level - run.time.from_level) * run.time.step;
    const slider = byId("time");
    slider.value = (this.state.time - this.clock.first) / (this.clock.last - this.clock.first);
    const after = `${durationText(run, since)} after departure`;
    byId("clock").textContent = this.clock.by === "time" ? clockText(run, level) : after;
    byId("elapsed").textContent = this.clock.by === "time" ? after : "";
    slider.setAttribute("aria-valuetext", byId("clock").textContent);
    byId("arrived").textContent = this.arrivedText();
    this.maps.forEach((map) => {
      if (map.time) map.time.textContent = clockText(map.run, this.level(map.run));
    });
    this.redraw();
  }

  arrivedText() {
    const flown = this.runs.filter((run) => run.facts.flights);
    if (flown.length === 0) return "";
    const share = (run) => percentText(run.arrivedBy(this.level(run)));
    if (this.runs.length === 1) return `${share(flown[0])} arrived`;
    return `arrived ${flown.map((run) => `${"AB"[run.index]} ${share(run)}`).join(", ")}`;
  }

  redraw() {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      this.draw();
    });
  }

  draw() {
    this.maps.forEach((map) => drawMap(map, this.state, this.level(map.run)));
    drawArrivals(this.runs, this.clock, this.state.time);
    this.read();
  }

  resize() {
    this.maps.forEach((map) => map.resize());
    drawTicks(this.clock);
    this.redraw();
  }

  advance(seconds) {
    const length = this.clock.last - this.clock.first;
    this.setTime(this.state.time + (seconds * this.state.rate * length) / WHOLE_TIME);
    if (this.state.time >= this.clock.last) this.play(false);
  }

  play(on) {
    if (on && this.state.time >= this.clock.last) this.setTime(this.clock.first);
    if (on) this.player.start();
    else this.player.stop();
    const button = byId("play");
    button.classList.toggle("playing", on);
    button.setAttribute("aria-label", on ? "Pause" : "Play");
  }

  step(levels) {
    this.play(false);
    this.setTime(this.clock.stepped(this.state.time, levels));
    this.say(`${byId("clock").textContent}, ${byId("arrived").textContent}`);
  }

  say(text) {
    byId("spoken").textContent = text;
  }

  // ---- Pointing

  point(map, {px, py}, event) {
    this.maps.forEach((other) => (other.pointed = {x: map.planeX(px), y: map.planeY(py)}));
    this.pointer = {map, px, py, clientX: event.clientX, clientY: event.clientY};
    this.redraw();
  }

  leave() {
    this.maps.forEach((map) => (map.pointed = null));
    this.pointer = null;
    this.redraw();
  }

  read() {
    if (!this.pointer) return showReadout(null);
    const {map, px, py} = this.pointer;
    const level = this.level(map.run);
    const flight = this.state.showFlights ? map.flightNear(px, py, level) : -1;
    const rows = describePoint(map.run, this.state, this.shownLevel(map.run), map.planeX(px), map.planeY(py), flight);
    showReadout(rows, this.pointer);
    return rows;
  }

  // A map stays at its first or last level when the clock is before or after.
  shownLevel(run) {
    return clamp(this.level(run), run.time.from_level, run.time.to_level);
  }

  click(map, {px, py}) {
    const n = map.flightNear(px, py, this.level(map.run));
    this.state.flight = n >= 0 ? {run: map.run, n} : null;
    if (n >= 0 && map.run.flow) {
      const realization = map.run.arrays.flown_realization.data[map.run.drawn[n]];
      if (map.run.arrays.realization.data.includes(realization)) this.setRealization(realization);
    }
    this.redraw();
  }

  // null: the mean.
  setRealization(realization) {
    const run = this.runs.find((one) => one.flow);
    const number = realization === null || !run ? null : run.arrays.realization.data[run.columnOf(realization)];
    this.state.realization = number;
    document.querySelector(`[name=source][value=${number === null ? "mean" : "realization"}]`).checked = true;
    if (number !== null) byId("realization").value = number;
    this.choose();
  }

  // What stands in the middle, for those who do not point.
  readMiddle(map) {
    const box = map.canvas.getBoundingClientRect();
    const at = {px: map.width / 2, py: map.height / 2};
    this.point(map, at, {clientX: box.left + at.px, clientY: box.top + at.py});
    const rows = this.read();
    if (rows) this.say(rows.map((row) => row.join(" ")).join(", "));
  }

  // ---- Events

  listen() {
    const {state} = this;
    const on = {
      view: () => this.redraw(),
      point: (map, at, event) => this.point(map, at, event),
      leave: () => this.leave(),
      click: (map, at) => this.click(map, at),
    };
    this.maps.forEach((map) => watchMap(map, on));
    byId("play").addEventListener("click", () => this.play(!this.player.running));
    byId("time").addEventListener("input", (event) => {
      this.play(false);
      this.setTime(this.clock.first + Number(event.target.value) * (this.clock.last - this.clock.first));
    });
    const select = (id, key, read = (text) => text) => byId(id).addEventListener("change", (event) => {
      state[key] = read(event.target.value);
      this.choose();
    });
    select("background", "background");
    select("colour-by", "colourBy");
    select("tail", "tail", Number);
    select("rate", "rate", Number);
    for (const [id, key] of [["show-flow", "showFlow"], ["show-policy", "showPolicy"], ["show-flights", "showFlights"], ["show-tracks", "showTracks"], ["show-rim", "showRim"]]) {
      byId(id).addEventListener("change", (event) => {
        state[key] = event.target.checked;
        this.redraw();
      });
    }
    const radios = (name, change) => document.querySelectorAll(`[name=${name}]`).forEach((radio) =>
      radio.addEventListener("change", () => change(radio.value)));
    radios("source", (value) => this.setRealization(value === "mean" ? null : Number(byId("realization").value)));
    byId("realization").addEventListener("change", (event) => this.setRealization(Math.max(0, Math.round(Number(event.target.value) || 0))));
    radios("speed", (value) => {
      units.speed = value;
      this.choose();
    });
    radios("duration", (value) => {
      units.duration = value;
      this.choose();
    });
    radios("link", (value) => {
      const level = this.level(this.runs[0]);
      this.clock.by = value;
      state.time = this.clock.timeOf(this.runs[0], level);
      this.choose();
    });
    const theme = kept.get("theme");
    if (["light", "dark"].includes(theme)) document.querySelector(`[name=theme][value=${theme}]`).checked = true;
    radios("theme", (value) => {
      kept.set("theme", value);
      this.choose();
    });
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.choose());
    byId("help-button").addEventListener("click", () => byId("help").showModal());
    new ResizeObserver(() => this.resize()).observe(byId("maps"));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  toggle(id) {
    if (!byId(id).disabled) byId(id).click();
  }

  nextBackground() {
    const list = byId("background");
    list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
    list.dispatchEvent(new Event("change"));
    this.say(list.selectedOptions[0].textContent);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    const {target} = event;
    // Lists, numbers and choices have keys of their own; the slider's are ours.
    if (target.matches("select, input[type=number], input[type=radio]") && event.key !== "?") return;
    if (event.key === " " && target.matches("button, input[type=checkbox]")) return;
    const moves = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
    const map = this.maps.find((one) => one.canvas === target);
    const keys = {
      " ": () => this.play(!this.player.running),
      "ArrowLeft": () => this.step(-1),
      "ArrowRight": () => this.step(1),
      "PageUp": () => this.step(-10),
      "PageDown": () => this.step(10),
      "Home": () => this.step(-1e9),
      "End": () => this.step(1e9),
      "+": () => this.zoom(1.5),
      "=": () => this.zoom(1.5),
      "-": () => this.zoom(1 / 1.5),
      "0": () => this.zoom(0),
      "c": () => this.nextBackground(),
      "f": () => this.toggle("show-flow"),
      "p": () => this.toggle("show-policy"),
      "t": () => document.querySelector(`[name=theme][value=${this.state.theme === "dark" ? "light" : "dark"}]`).click(),
      "?": () => byId("help").showModal(),
      "Enter": map && (() => this.readMiddle(map)),
      "Escape": () => this.leave(),
    };
    let act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (event.shiftKey && moves[event.key]) {
      const [right, up] = moves[event.key];
      const by = 60 / this.maps[0].scale;
      act = () => {
        this.viewport.move(right * by, up * by);
        this.redraw();
      };
    }
    if (!act) return;
    event.preventDefault();
    act();
  }

  zoom(factor) {
    if (factor === 0) this.viewport.whole();
    else this.viewport.zoomBy(factor);
    this.redraw();
  }

  // ---- For tests and for the curious: what the page shows, in numbers.

  // At a time of the first run's environment: where each flight drawn is, and the share arrived.
  stateAt(time) {
    const own = this.runs[0].time;
    const clockTime = this.clock.timeOf(this.runs[0], (time - own.first) / own.step);
    return this.runs.map((run) => {
      const level = this.clock.levelOf(run, clockTime);
      if (!run.facts.flights) return {name: run.facts.name, level, arrived: null, flights: []};
      const flights = Array.from(run.drawn, (flight, n) => {
        const {x, y, ended} = run.placeOf(n, level, {});
        return {flight, realization: run.arrays.flown_realization.data[flight], x, y, ended, outcome: run.outcome[flight]};
      });
      return {name: run.facts.name, level, arrived: run.arrivedBy(level), flights};
    });
  }
}

async function begin() {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser cannot open the page's data: it needs one of 2023 or later.");
  }
  const page = new Page(await openRuns());
  page.draw();
  window.tidewise = {
    page,
    loadMilliseconds: performance.now(),
    state: (time) => page.stateAt(time),
    setTime: (time) => {
      const own = page.runs[0].time;
      page.setTime(page.clock.timeOf(page.runs[0], (time - own.first) / own.step));
      page.draw();
    },
    // Where a point of a run's plane is on the screen.
    screen: (index, x, y) => {
      const map = page.maps[index];
      const box = map.canvas.getBoundingClientRect();
      return {x: box.left + map.screenX(x), y: box.top + map.screenY(y)};
    },
  };
  document.documentElement.dataset.ready = "";
}

begin().catch((error) => {
  byId("maps").append(element("p", error.message, "failure"));
  throw error;
});
