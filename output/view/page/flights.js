// Flights: tracks, tails, heads, and crosses where they failed.

// Index into `flightColours` of the n-th drawn flight; if coloured by profile, that of its m-th point.
function flightKind(run, n, state, m = 0) {
  const flight = run.drawn[n];
  if (state.colourBy === "profile" && run.has("track_profile")) return run.profileKinds[run.profileOfPoint(n, m)];
  if (state.colourBy !== "arrival") return run.outcome[flight];
  if (run.outcome[flight] !== 0) return 0;
  const {min, max} = state.arrivalRange;
  return 1 + clamp(Math.floor((24 * (state.arrivalTime(run, flight) - min)) / (max - min || 1)), 0, 23);
}

function flightColours(run, state) {
  if (state.colourBy === "profile" && run.has("track_profile")) return state.profiles.map((_, kind) => profileColour(state, kind));
  if (state.colourBy !== "arrival") return OUTCOME_COLOURS[state.theme];
  const failed = state.theme === "dark" ? "#8b9299" : "#6c737a";
  return [failed, ...Array.from({length: 24}, (_, n) => tableColour(TABLES.plasma[state.theme], (n + 0.5) / 24))];
}

// Adds the track of a flight between two levels to a path.
function addTrack(path, map, n, from, to, place) {
  const {run} = map;
  const base = n * run.maxPoints;
  run.placeOf(n, from, place);
  path.moveTo(map.screenX(place.x), map.screenY(place.y));
  let m = place.passed + 1;
  run.placeOf(n, to, place);
  for (; m <= place.passed; ++m) path.lineTo(map.screenX(run.pointX(base + m)), map.screenY(run.pointY(base + m)));
  path.lineTo(map.screenX(place.x), map.screenY(place.y));
}

// Calls `add(path, n, from, to)` for each stretch of one colour of every `every`-th flight between the two levels that
// `span(n)` returns. null: once for the flight, with its colour at `level`; undefined: not for this flight.
function pathsByColour(map, state, every, level, add, span = () => null) {
  const {run} = map;
  const paths = [];
  const place = {};
  const pathOf = (n, m) => (paths[flightKind(run, n, state, m)] ??= new Path2D());
  for (let n = 0; n < run.drawn.length; n += every) {
    const stretch = span(n);
    if (stretch === undefined) continue;
    const changesColour = state.colourBy === "profile" && run.has("track_profile");
    if (!changesColour || !stretch) {
      add(pathOf(n, changesColour ? run.placeOf(n, level, place).passed : 0), n, ...(stretch ?? []));
      continue;
    }
    let [from, to] = stretch;
    for (let m = run.placeOf(n, from, place).passed; from < to; ++m) {
      const last = m + 2 >= run.pointCount[n];
      if (!last && flightKind(run, n, state, m) === flightKind(run, n, state, m + 1) && run.levelOfPoint(n, m + 1) < to) continue;
      const end = last ? to : Math.min(to, run.levelOfPoint(n, m + 1));
      add(pathOf(n, m), n, from, end);
      from = end;
    }
  }
  return paths;
}

function drawTracks(map, state, colours) {
  const {run, context} = map;
  const max = 400;
  const every = Math.ceil(run.drawn.length / max);
  const place = {};
  const paths = pathsByColour(map, state, every, 0, (path, n, from, to) => addTrack(path, map, n, from, to, place),
    () => [run.time.from_level, run.time.to_level]);
  context.globalAlpha = run.drawn.length > 40 ? 0.2 : 0.5;
  context.lineWidth = 1;
  paths.forEach((path, kind) => {
    context.strokeStyle = colours[kind];
    context.stroke(path);
  });
  context.globalAlpha = 1;
}

// Adds a cross, which marks a failed flight.
function addCross(path, px, py) {
  const r = 2.6;
  path.moveTo(px - r, py - r);
  path.lineTo(px + r, py + r);
  path.moveTo(px - r, py + r);
  path.lineTo(px + r, py - r);
}

function drawFlights(map, state, level, paperColours) {
  const {run, context} = map;
  if (!run.facts.flights) return;
  const colours = flightColours(run, state);
  context.lineCap = "round";
  context.lineJoin = "round";
  if (state.showTracks) drawTracks(map, state, colours);
  const place = {};
  const many = run.drawn.length > 40;
  const radius = run.drawn.length > 1000 ? 1.4 : run.drawn.length > 120 ? 1.9 : many ? 2.6 : 3;
  if (state.tail > 0) {
    const tails = pathsByColour(map, state, 1, level, (path, n, from, to) => addTrack(path, map, n, from, to, place),
      (n) => (level - state.tail < run.endLevel[run.drawn[n]] ? [level - state.tail, level] : undefined));
    context.lineWidth = many ? 1.1 : 2;
    context.globalAlpha = many ? 0.5 : 0.95;
    tails.forEach((path, kind) => {
      if (!many) {
        context.strokeStyle = paperColours.halo;
        context.lineWidth = 2 + 2 * HALO;
        context.stroke(path);
        context.lineWidth = 2;
      }
      context.strokeStyle = colours[kind];
      context.stroke(path);
    });
    context.globalAlpha = 1;
  }
  const crosses = [];
  const heads = pathsByColour(map, state, 1, level, (path, n) => {
    run.placeOf(n, level, place);
    const px = map.screenX(place.x);
    const py = map.screenY(place.y);
    if (!place.ended) {
      path.moveTo(px + radius, py);
      path.arc(px, py, radius, 0, 2 * Math.PI);
    } else if (run.outcome[run.drawn[n]] !== 0) {
      const kind = flightKind(run, n, state, Math.max(0, run.pointCount[n] - 2));
      addCross((crosses[kind] ??= new Path2D()), px, py);
    }
  });
  heads.forEach((path, kind) => {
    if (run.drawn.length <= 120) {
      context.strokeStyle = paperColours.halo;
      context.lineWidth = 2.4;
      context.stroke(path);
    }
    context.fillStyle = colours[kind];
    context.fill(path);
  });
  crosses.forEach((path, kind) => {
    if (path) strokeWithHalo(context, path, colours[kind], paperColours.halo, 1.3);
  });
  if (state.flight && state.flight.run === run) {
    const path = new Path2D();
    addTrack(path, map, state.flight.n, run.time.from_level, level, place);
    path.moveTo(map.screenX(place.x) + 4.5, map.screenY(place.y));
    path.arc(map.screenX(place.x), map.screenY(place.y), 4.5, 0, 2 * Math.PI);
    strokeWithHalo(context, path, paperColours.ink, paperColours.halo, 2);
  }
}
