// Describes a place of the map.

// [label, text] rows of a point of a run's plane at a level; null outside its cells.
function describePoint(run, state, level, x, y, flight) {
  if (!cellAt(run.grid, x, y)) return null;
  const rows = [];
  if (run.globe) {
    const {longitude, latitude} = run.onGlobe(x, y);
    rows.push(["Latitude", degreesText(latitude, "N", "S")], ["Longitude", degreesText(longitude, "E", "W")]);
  }
  rows.push(["x, y", `${lengthText(run, x)}, ${lengthText(run, y)}`], ["Time", clockText(run, level)]);
  if (run.closedAt(level, x, y)) {
    rows.push(["Cell", closedWord(run, run.maskAt(level, x, y))]);
    return rows;
  }
  if (!run.isComplete) return rows;
  if (run.flow) {
    const realization = state.realization === null ? null : run.arrays.realization.data[run.columnOf(state.realization)];
    const profile = flowOfPoint(run, state.flowOf, level, x, y);
    const {u, v} = run.flowAt(level, x, y, realization, profile);
    const speed = Math.hypot(u, v);
    const towards = speed > 0 ? ` to ${directionText(run, Math.atan2(v, u), x, y)}` : "";
    if (run.profiles.length > 0) rows.push(["Flow at", profileText(run.profiles[profile])]);
    rows.push([realization === null ? "Mean flow" : `Flow, realization ${realization}`, `${speedText(run, speed)}${towards}`]);
    const around = run.flow.around(x, y);
    const spread = run.spreadFrame(level, profile);
    rows.push(["Spread", speedText(run, run.flow.blend(around, (n) => spread[n]))]);
    if (state.background === "scalar") {
      const scalar = run.scalarFrame(level);
      rows.push(["Scalar", figures(run.flow.blend(around, (n) => scalar[n]))]);
    }
  }
  const toGo = toGoAt(run, level, x, y);
  if (toGo) rows.push(["Arrives", arrivesText(run, level, toGo)]);
  const value = run.valueAt(level, x, y);
  rows.push([valueName(run), Number.isFinite(value) ? valueText(run, value) : "–"]);
  rows.push(["Action", actionText(run, level, x, y)]);
  if (flight >= 0) rows.push(...describeFlight(run, flight, level));
  return rows;
}

// Text such as 99.3 % after 31.2 h, 1 Nov 2024 19:07 UTC; without probabilities "yes, after 31.2 h, …".
function arrivesText(run, level, {arrival, time}) {
  const chance = run.facts.has_probability ? percentText(arrival) : arrival < 0.5 ? "no" : "yes,";
  if (!Number.isFinite(time)) return chance;
  const when = run.time.origin === null ? "" : `, ${dateText(run.zero + level * run.time.step + time)}`;
  return `${chance} after ${durationText(run, time)}${when}`;
}

function actionText(run, level, x, y) {
  const action = run.actionAt(level, x, y);
  if (action < 0) return "none";
  const [heading, speed, profile] = run.facts.actions[action];
  const dive = run.profiles.length > 0 ? `${profileText(run.profiles[profile])}: ` : "";
  return dive + (speed === 0 ? "drift" : `${speedText(run, speed)}, ${directionText(run, heading, x, y)}`);
}

function describeFlight(run, n, level) {
  const dives = run.has("track_profile") ? [["Dives", profileText(run.profiles[run.profileOfPoint(n, run.placeOf(n, level, {}).passed)])]] : [];
  const flight = run.drawn[n];
  const since = run.sinceDeparture(run.endLevel[flight]);
  return [
    ["Flight", `realization ${run.arrays.flown_realization.data[flight]}`],
    ["", `${outcomeText(run, run.outcome[flight])} after ${durationText(run, since)}`],
    ["Energy", energyText(run, run.number("energy", flight))],
    ...dives,
  ];
}

function showReadout(rows, event) {
  const readout = byId("readout");
  readout.hidden = !rows;
  if (!rows) return;
  const list = element("dl");
  for (const [label, text] of rows) list.append(element("dt", label), element("dd", text));
  readout.replaceChildren(list);
  const {width, height} = readout.getBoundingClientRect();
  const gap = 16;
  const left = event.clientX + gap + width > window.innerWidth ? event.clientX - gap - width : event.clientX + gap;
  const top = event.clientY + gap + height > window.innerHeight ? event.clientY - gap - height : event.clientY + gap;
  readout.style.left = `${Math.max(left, 4)}px`;
  readout.style.top = `${Math.max(top, 4)}px`;
}
