// The user's choices, and their consequences.

const WHOLE_TIME = 24;  // [s] that the playback of a whole mission takes

// The shortest and the longest duration of flights that arrive.
function arrivalRange(runs) {
  const durations = runs.filter((run) => run.facts.flights).flatMap((run) =>
    run.arrivalLevels.map((level) => run.sinceDeparture(level)));
  return {min: durations.reduce((a, b) => Math.min(a, b), Infinity), max: durations.reduce((a, b) => Math.max(a, b), 0)};
}

class Page {
  // `server`: the server of a served page, else null.
  constructor(runs, server) {
    this.runs = runs;
    this.server = server;
    this.planner = null;  // only on a served page
    this.clock = new Clock(runs);
    this.viewport = new Viewport(runs);
    this.maps = runs.map((run, n) => new MapView(run, this.viewport, runs.length > 1 ? "AB"[n] : ""));
    const flow = runs.some((run) => run.flow);
    const profiles = allProfiles(runs);
    const hasDives = runs.some((run) => run.has("track_profile"));
    this.state = {
      runs,
      profiles,
      time: this.clock.first,
      background: flow ? "speed" : "value",
      realization: null,
      flowOf: null,  // the profile that the plan chooses
      showFlow: flow,
      showPolicy: true,
      showFlights: true,
      showTracks: true,
      showRim: true,
      showRoute: true,
      showNames: true,
      showDepths: true,
      shows: {chance: true, late: true, corridor: true},  // regions
      colourBy: hasDives ? "profile" : "outcome",
      tail: runs.some((run) => run.facts.flights?.drawn > 1000) ? 3 : 8,
      flight: null,
      theme: "light",
      rate: 1,
      range: {min: 0, max: 1},
      arrivalRange: arrivalRange(runs),
      arrivalTime: (run, flight) => run.sinceDeparture(run.endLevel[flight]),
    };
    this.pointer = null;
    this.player = new Player((seconds) => this.advance(seconds));
    byId("maps").append(...this.maps.map((map) => map.element));
    const {west, east, south, north} = this.viewport.mission;
    byId("maps").style.setProperty("--aspect", (east - west) / (north - south));
    byId("tail").value = this.state.tail;
    this.fill();
    listen(this);
    this.choose();
    this.resize();
  }

  level(run) {
    return this.clock.levelOf(run, this.state.time);
  }

  // Shows other, complete runs of the same region; the view, the time and the layers stay as they are.
  show(runs) {
    const {state} = this;
    this.runs = state.runs = this.clock.runs = runs;
    this.viewport.take(runs);
    this.viewport.home = false;
    this.maps.forEach((map, n) => map.show(runs[n]));
    state.profiles = allProfiles(runs);
    state.flight = null;
    state.arrivalRange = arrivalRange(runs);
    if (!runs.some((run) => canShow(run, state.background))) state.background = "value";
    this.fill();
    showRoutes(this);
    this.complete();
  }

  // ---- Parts that change only with the runs

  fill() {
    const {runs} = this;
    byId("title").textContent = runs.map((run) => run.facts.name).join(" and ");
    byId("subtitle").textContent = [...new Set(runs.map((run) => run.facts.environment.title || run.facts.environment.file))].join(" · ");
    if (this.server) document.title = `${byId("title").textContent} · Tidewise`;
    const coast = runs.some((run) => earthLinesOf(run).length > 0) ? " · coastline, depths and names: Natural Earth (public domain); not for navigation" : "";
    byId("made").textContent = `Tidewise ${facts.version}${coast}`;
    byId("maps").classList.toggle("pair", runs.length > 1);
    document.body.classList.toggle("pair-page", runs.length > 1);
    const names = {none: "None", speed: "Flow: speed", spread: "Flow: spread", value: valueName(runs[0]), scalar: "Scalar field"};
    const scalar = runs.find((run) => run.facts.flow?.has_scalar)?.facts.environment.scalar?.name;
    if (scalar) names.scalar = scalar.charAt(0).toUpperCase() + scalar.slice(1);
    const backgrounds = Object.entries(names).filter(([value]) => runs.some((run) => canShow(run, value)));
    byId("background").replaceChildren(...backgrounds.map(([value, text]) => new Option(text, value)));
    byId("background").value = this.state.background;
    const flow = runs.find((run) => run.flow);
    byId("flow-source").disabled = !flow;
    byId("flow-source").hidden = !flow;
    byId("show-flow").disabled = !flow;
    byId("show-flow").checked = this.state.showFlow;
    const flown = runs.some((run) => run.facts.flights);
    for (const id of ["show-flights", "show-tracks", "colour-by", "tail"]) byId(id).disabled = !flown;
    const hasArrivals = runs.some((run) => run.facts.flights && run.arrivalLevels.length > 0);
    byId("colour-by").querySelector("[value=arrival]").disabled = !hasArrivals;
    if (!runs.some((run) => run.has("track_profile"))) byId("colour-by").querySelector("[value=profile]")?.remove();
    byId("colour-by").value = this.state.colourBy;
    byId("dives").hidden = this.state.profiles.length === 0;
    const choosesDive = runs.some((run) => run.flow && run.profiles.length > 0);
    for (const part of document.querySelectorAll(".flow-of")) part.hidden = !choosesDive;
    if (choosesDive) fillFlowOf(this.state);
    byId("show-chance").disabled = byId("show-late").disabled = !runs.some((run) => run.reach);
    byId("show-chance").parentElement.title = byId("show-late").parentElement.title =
      runs.some((run) => run.reach) ? "" : "Run 'tidewise reach' and make this page again";
    byId("show-corridor").disabled = !runs.some((run) => run.corridor);
    byId("late-name").textContent = runs[0].facts.metric ? "An hour late" : "Late by 1";
    byId("rim-name").textContent = runs[0].globe ? "Degrees" : "x and y";
    byId("units").hidden = !runs[0].facts.metric;
    byId("link").hidden = runs.length < 2;
    byId("link-time").textContent = runs[0].time.origin === null ? "time" : "date";
    fillLines("warnings", runs, (run) => run.facts.summary.warnings ?? [], warningItem);
    fillLines("notes", runs, (run) => run.facts.notes, (line, letter) => element("li", letter + line));
  }

  // Called when all arrays are unpacked.
  complete() {
    const flow = this.runs.find((run) => run.flow);
    if (flow) byId("realization").max = flow.arrays.realization.data.at(-1);
    byId("layers").removeAttribute("aria-busy");
    this.choose();
  }

  // ---- Parts that change with the choices

  choose() {
    const {state, runs} = this;
    const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    const theme = document.querySelector("[name=theme]:checked").value;
    state.theme = theme === "auto" ? (dark ? "dark" : "light") : theme;
    document.documentElement.dataset.theme = state.theme;
    if (state.background !== "none") state.range = sharedRange(runs, state.background);
    fillVerdict(runs);
    fillSummary(runs);
    fillLegend(runs, state);
    fillArrowLegend(runs, state);
    fillClosedLegend(runs);
    fillRegionLegend(runs, state);
    fillFlightLegend(runs, state);
    fillProfileLegend(state);
    byId("realization").disabled = state.realization === null;
    drawTicks(this.clock);
    drawDepartures(this.runs);
    this.setTime(state.time);
  }

  setTime(time) {
    this.state.time = clamp(time, this.clock.first, this.clock.last);
    const [run] = this.runs;
    const level = this.level(run);
    const since = run.sinceDeparture(level);
    const slider = byId("time");
    slider.value = (this.state.time - this.clock.first) / (this.clock.last - this.clock.first);
    const after = `${durationText(run, Math.abs(since))} ${since < 0 ? "before" : "after"} departure`;
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
    if (flown.length === 0 || flown.some(keeps)) return "";
    const share = (run) => arrivedText(run, run.arrivedBy(this.level(run)));
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
    this.planner?.placeHandles();
    drawArrivals(this.runs, this.clock, this.state.time);
    drawDives(this);
    this.read();
  }

  resize() {
    this.maps.forEach((map) => map.resize());
    drawTicks(this.clock);
    drawDepartures(this.runs);
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
    this.say([byId("clock"), byId("arrived")].map((part) => part.textContent).filter(Boolean).join(", "));
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

  // Before its first level or after its last, a map shows that level.
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

  // null selects the mean.
  setRealization(realization) {
    const run = this.runs.find((candidate) => candidate.flow);
    const number = realization === null || !run ? null : run.arrays.realization.data[run.columnOf(realization)];
    this.state.realization = number;
    document.querySelector(`[name=source][value=${number === null ? "mean" : "realization"}]`).checked = true;
    if (number !== null) byId("realization").value = number;
    this.choose();
  }

  // Reads the middle of the map aloud, for users without a pointer.
  readMiddle(map) {
    const box = map.canvas.getBoundingClientRect();
    const at = {px: map.width / 2, py: map.height / 2};
    this.point(map, at, {clientX: box.left + at.px, clientY: box.top + at.py});
    const rows = this.read();
    if (rows) this.say(rows.map((row) => row.join(" ")).join(", "));
  }

  zoom(factor) {
    if (factor === 0) this.viewport.whole();
    else this.viewport.zoomBy(factor);
    this.redraw();
  }

  // ---- For tests and scripts: the contents of the page, in numbers.

  // The flight of the section: its realization and its dives, in seconds since the departure.
  dives() {
    const shown = sectionFlight(this.state);
    if (!shown) return null;
    const {run, n} = shown;
    return {realization: run.arrays.flown_realization.data[run.drawn[n]], dives: divesOf(run, n)};
  }

  // Positions of the drawn flights and the share arrived, at a time of the first run's environment.
  stateAt(time) {
    const axis = this.runs[0].time;
    const clockTime = this.clock.timeOf(this.runs[0], (time - axis.first) / axis.step);
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
