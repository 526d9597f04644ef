// The words and figures beside the maps: mission, arrivals, legends, notes, what is pointed at.

const byId = (id) => document.getElementById(id);

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

const number = (value) => (typeof value === "number" ? value : NaN);

const OBJECTIVES = {
  time: "least time",
  energy: "least energy",
  net_energy: "least net energy",
  weighted: "time and energy, weighted",
};

// Of one run: [label, text] for each row; an empty text where there is nothing to say.
function summaryRows(run) {
  const {summary, objective} = run.facts;
  const {expected, rollout, baselines} = summary;
  const costs = objective !== "time";
  const energy = (figure) => figures(number(figure), 4);
  const add = (label, six, text) => {
    if (!six || six.mean === null) return;
    rows.push([label, text(six.mean)], [`${label}, 90 %`, `${text(six.p05)} to ${text(six.p95)}`]);
  };
  const time = (value) => durationText(run, value);
  const what = objective === "net_energy" ? "net_energy" : "energy";
  const rows = [["Departs", clockText(run, run.time.from_level)], ["Objective", OBJECTIVES[objective] ?? objective]];
  if (rollout) {
    rows.push(["Arrive", `${percentText(number(rollout.arrival_rate))} of ${rollout.trajectories} flights`]);
    add("Time", rollout.time, time);
    const median = rollout.arrival_date?.p50;
    if (median) rows.push(["Half there by", dateText(Date.parse(median) / 1000)]);
    if (costs) add(what === "energy" ? "Energy" : "Net energy", rollout[what], energy);
    const failed = [["met an obstacle", "obstacle"], ["left the domain", "out_of_domain"], ["ran out of time", "out_of_time"]]
      .filter(([, kind]) => rollout.failures?.[kind] > 0)
      .map(([words, kind]) => `${rollout.failures[kind]} ${words}`);
    if (failed.length > 0) rows.push(["Failed", failed.join("\n")]);
  }
  if (expected) {
    const probability = number(expected.arrival_probability);
    const after = probability > 0 ? `\nafter ${time(number(expected.time))}` : "";
    const cost = costs && probability > 0 ? `\n${OBJECTIVES[what].replace("least ", "")} ${energy(expected[what])}` : "";
    rows.push(["Plan expects", `${percentText(probability)}${after}${cost}`]);
  }
  if (baselines?.best) {
    const best = baselines[baselines.best].rollout ?? baselines[baselines.best];
    const rate = number(best.arrival_rate);
    rows.push(["Without a plan", `${baselines.best}: ${percentText(rate)}${rate > 0 ? `\nafter ${time(number(best.time?.mean))}` : ""}`]);
  }
  const first = summary.first_action;
  if (first) {
    const direction = typeof first.bearing === "number" ? bearingText(first.bearing) : directionText(run, first.heading, run.facts.start.x, run.facts.start.y);
    rows.push(["First action", first.speed === 0 ? "drift" : `${speedText(run, first.speed)}, ${direction}`]);
  }
  if (summary.planned_on) rows.push(["Planned on", summary.planned_on]);
  return rows;
}

function fillSummary(runs) {
  const table = byId("summary");
  table.replaceChildren();
  const each = runs.map((run) => new Map(summaryRows(run)));
  if (runs.length > 1) {
    const head = table.createTHead().insertRow();
    head.append(element("td"));
    runs.forEach((run, n) => {
      const name = element("th", `${"AB"[n]}`);
      name.scope = "col";
      name.title = run.facts.name;
      head.append(name);
    });
  }
  const body = table.createTBody();
  for (const label of new Set(each.flatMap((rows) => [...rows.keys()]))) {
    const row = body.insertRow();
    const heading = element("th", label);
    heading.scope = "row";
    row.append(heading, ...each.map((rows) => element("td", rows.get(label) ?? "–")));
  }
}

// Lines of all runs, each with the run's letter where they do not all say the same.
function fillLines(id, runs, linesOf) {
  const lines = new Map();
  runs.forEach((run, n) => linesOf(run).forEach((line) => lines.set(line, [...(lines.get(line) ?? []), "AB"[n]])));
  byId(id).hidden = lines.size === 0;
  byId(id).querySelector("ul").replaceChildren(
    ...[...lines].map(([line, whose]) => element("li", whose.length < runs.length ? `${whose.join()}: ${line}` : line)));
}

// ---- Legends

const BACKGROUNDS = {
  none: () => "",
  speed: (run) => `Speed of the flow${speedUnit(run) ? `, ${speedUnit(run)}` : ""}`,
  spread: (run) => `Spread of the flow (standard deviation)${speedUnit(run) ? `, ${speedUnit(run)}` : ""}`,
  value: (run) => `Value: expected reward from here on${valueUnit(run) ? `, ${valueUnit(run)}` : ""}`,
  scalar: (run) => {
    const scalar = run.facts.environment.scalar ?? {name: "scalar field", units: "1"};
    const name = scalar.name.charAt(0).toUpperCase() + scalar.name.slice(1);
    return scalar.units === "1" ? name : `${name}, ${scalar.units}`;
  },
};

function drawGradient(canvas, colourAt) {
  canvas.width = 256;
  canvas.height = 1;
  const context = canvas.getContext("2d");
  for (let n = 0; n < 256; ++n) {
    context.fillStyle = colourAt(n / 255);
    context.fillRect(n, 0, 1, 1);
  }
}

function fillLegend(runs, state) {
  const legend = byId("legend");
  legend.hidden = state.background === "none";
  if (legend.hidden) return;
  const run = runs.find((one) => canShow(one, state.background));
  const table = backgroundTable(state.background, state.theme);
  drawGradient(legend.querySelector("canvas"), (part) => tableColour(table, part));
  const {least, most, below, above} = state.range;
  const text = (value) => {
    if (state.background === "value") return figures(valueNumber(run, value));
    if (state.background === "scalar") return figures(value);
    return figures(speedNumber(run, value));
  };
  legend.querySelector(".labels").replaceChildren(
    element("span", (below ? "≤ " : "") + text(least)), element("span", text((least + most) / 2)),
    element("span", (above ? "≥ " : "") + text(most)));
  legend.querySelector("p").textContent = BACKGROUNDS[state.background](run);
}

function fillFlightLegend(runs, state) {
  const legend = byId("flight-legend");
  legend.replaceChildren();
  if (state.colourBy === "outcome") {
    const counts = [0, 0, 0, 0];
    runs.forEach((run) => run.outcome?.forEach((kind) => counts[kind]++));
    OUTCOMES.forEach((name, kind) => {
      if (counts[kind] === 0) return;
      const row = element("span", name, "kind");
      const swatch = element("i");
      swatch.style.background = OUTCOME_COLOURS[state.theme][kind];
      row.prepend(swatch);
      legend.append(row);
    });
    return;
  }
  const canvas = element("canvas");
  drawGradient(canvas, (part) => tableColour(TABLES.plasma[state.theme], part));
  const labels = element("div", undefined, "labels");
  const {least, most} = state.arrivalRange;
  const text = (value) => durationText(runs[0], value);
  labels.append(element("span", text(least)), element("span", text(most)));
  legend.append(canvas, labels, element("p", "Arrival after; grey: did not arrive"));
}

// ---- Arrivals

function drawArrivals(runs, clock, time) {
  const section = byId("arrivals");
  const flown = runs.filter((run) => run.facts.flights);
  section.hidden = flown.length === 0;
  if (section.hidden) return;
  const canvas = section.querySelector("canvas");
  const ratio = window.devicePixelRatio || 1;
  const {width, height} = canvas.getBoundingClientRect();
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  const colours = paper();
  const box = {left: 42, right: width - 6, top: 8, bottom: height - 20};
  const most = Math.max(...flown.map((run) => run.time.to_level - run.time.from_level).map((levels, n) => levels * flown[n].time.step));
  const px = (since) => box.left + (since / most) * (box.right - box.left);
  const py = (share) => box.bottom - share * (box.bottom - box.top);
  context.font = `11px ${FONT}`;
  context.fillStyle = colours.faint;
  context.strokeStyle = colours.faint;
  context.globalAlpha = 0.6;
  context.lineWidth = 1;
  for (const share of [0, 0.5, 1]) {
    context.beginPath();
    context.moveTo(box.left, Math.round(py(share)) + 0.5);
    context.lineTo(box.right, Math.round(py(share)) + 0.5);
    context.stroke();
  }
  context.globalAlpha = 1;
  context.fillStyle = colours.ink;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (const share of [0, 0.5, 1]) context.fillText(`${100 * share} %`, box.left - 4, py(share));
  context.textBaseline = "top";
  context.textAlign = "left";
  context.fillText("0", box.left, box.bottom + 5);
  context.textAlign = "right";
  context.fillText(`${durationText(flown[0], most)} after departure`, box.right, box.bottom + 5);
  flown.forEach((run) => {
    context.beginPath();
    context.moveTo(px(0), py(0));
    let share = 0;
    run.arrivalLevels.forEach((level, n) => {
      const since = (level - run.time.from_level) * run.time.step;
      context.lineTo(px(since), py(share));
      share = run.arrivalShares[n];
      context.lineTo(px(since), py(share));
    });
    context.lineTo(px((run.time.to_level - run.time.from_level) * run.time.step), py(share));
    context.strokeStyle = colours.accent;
    context.lineWidth = 1.8;
    context.setLineDash(run.index === 0 ? [] : [4, 3]);
    context.stroke();
    context.setLineDash([]);
  });
  flown.forEach((run) => {
    const level = clock.levelOf(run, time);
    const since = clamp((level - run.time.from_level) * run.time.step, 0, most);
    const share = run.arrivedBy(level);
    context.strokeStyle = colours.ink;
    context.lineWidth = 1;
    context.globalAlpha = 0.5;
    context.beginPath();
    context.moveTo(px(since), box.top);
    context.lineTo(px(since), box.bottom);
    context.stroke();
    context.globalAlpha = 1;
    context.beginPath();
    context.arc(px(since), py(share), 3.2, 0, 2 * Math.PI);
    context.fillStyle = colours.ink;
    context.fill();
  });
  canvas.setAttribute("aria-label", flown.map((run) => {
    const last = run.arrivalShares.at(-1) ?? 0;
    return `${percentText(last)} of the flights of ${run.facts.name} arrive`;
  }).join("; "));
}

// ---- What is pointed at

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
    rows.push(["Cell", "closed"]);
    return rows;
  }
  if (run.flow) {
    const realization = state.realization === null ? null : run.arrays.realization.data[run.columnOf(state.realization)];
    const {u, v} = run.flowAt(level, x, y, realization);
    const speed = Math.hypot(u, v);
    const towards = speed > 0 ? ` to ${directionText(run, Math.atan2(v, u), x, y)}` : "";
    rows.push([realization === null ? "Mean flow" : `Flow of no. ${realization}`, `${speedText(run, speed)}${towards}`]);
    const around = run.flow.around(x, y);
    const spread = run.spreadFrame(level);
    rows.push(["Spread", speedText(run, run.flow.blend(around, (n) => spread[n]))]);
    if (state.background === "scalar") {
      const scalar = run.scalarFrame(level);
      rows.push(["Scalar", figures(run.flow.blend(around, (n) => scalar[n]))]);
    }
  }
  const value = run.valueAt(level, x, y);
  rows.push(["Value", Number.isFinite(value) ? valueText(run, value) : "–"]);
  rows.push(["Action", actionText(run, level, x, y)]);
  if (flight >= 0) rows.push(...describeFlight(run, flight));
  return rows;
}

function actionText(run, level, x, y) {
  const action = run.actionAt(level, x, y);
  if (action < 0) return "none";
  const [heading, speed] = run.facts.actions[action];
  return speed === 0 ? "drift" : `${speedText(run, speed)}, ${directionText(run, heading, x, y)}`;
}

function describeFlight(run, n) {
  const flight = run.drawn[n];
  const since = (run.endLevel[flight] - run.time.from_level) * run.time.step;
  const {metric} = run.facts;
  return [
    ["Flight", `realization ${run.arrays.flown_realization.data[flight]}`],
    ["", `${OUTCOMES[run.outcome[flight]]} after ${durationText(run, since)}`],
    ["Energy", withUnit(figures(run.number("energy", flight), 4), metric ? "m² s⁻¹" : "")],
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
