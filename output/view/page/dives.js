// Dives of a vehicle that chooses among several profiles: their colours and names, the profile whose flow is
// shown, and a section of one flight.

// The distinct profiles of all runs, in the order of the missions.
function allProfiles(runs) {
  const all = [];
  for (const run of runs) {
    run.profileKinds = run.profiles.map((profile) => {
      const index = all.findIndex(({name, ranges}) => name === profile.name && String(ranges) === String(profile.ranges));
      return index >= 0 ? index : all.push(profile) - 1;
    });
  }
  return all;
}

function profileColour(state, kind) {
  const colours = PROFILE_COLOURS[state.theme];
  return colours[kind % colours.length];
}

// 0–10 and 300–400 m; for more than four ranges, their number and their limits.
function rangesText(ranges) {
  if (ranges.length > 4) return `${ranges.length} ranges between ${ranges[0][0]} and ${ranges.at(-1)[1]} m`;
  const all = ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  return `${all.length > 1 ? `${all.slice(0, -1).join(", ")} and ` : ""}${all.at(-1)} m`;
}

const isHeld = (ranges) => ranges.length === 1 && ranges[0][0] === ranges[0][1];

// deep, 0–1000 m
function profileText({name, ranges}) {
  if (ranges.length === 0) return name;
  return `${name}, ${isHeld(ranges) ? "at " : ""}${rangesText(ranges)}`;
}

// dive deep (0–1000 m), as the terminal prints it
function diveText({name, ranges}) {
  if (ranges.length === 0) return `dive ${name}`;
  if (isHeld(ranges)) return ranges[0][1] === 0 ? "stay at the surface" : `hold ${rangesText(ranges)} (${name})`;
  return `dive ${name} (${rangesText(ranges)})`;
}

function fillProfileLegend(state) {
  byId("profile-legend").replaceChildren(
    ...state.profiles.map((profile, kind) => kindOf(profileText(profile), profileColour(state, kind))));
}

// ---- Flow shown. `flowOf`: index of a profile, or null for the profile that the plan chooses at each place.

function fillFlowOf(state) {
  const {profiles} = state;
  byId("flow-of").replaceChildren(...[null, ...profiles.keys()].map((kind) => {
    const option = element("option", kind === null ? "chosen by the plan" : profileText(profiles[kind]));
    option.value = kind ?? "";
    return option;
  }));
  byId("flow-of").value = state.flowOf ?? "";
}

// The run's index of that profile; −1 if the plan chooses.
function flowOfAll(run, flowOf) {
  if (run.profiles.length === 0) return 0;
  return flowOf === null ? -1 : run.profileKinds.indexOf(flowOf);
}

// The profile shown at a point; the first one if the plan has no action there.
function flowOfPoint(run, flowOf, level, x, y) {
  const profile = flowOfAll(run, flowOf);
  if (profile >= 0) return profile;
  const action = run.actionAt(level, x, y);
  return action < 0 ? 0 : run.facts.actions[action][2];
}

// A plane of the flow's nodes. `planeOf` makes the plane of one profile.
function flowPlane(run, flowOf, level, planeOf) {
  const shownProfile = flowOfAll(run, flowOf);
  if (shownProfile >= 0) return planeOf(shownProfile);
  const planes = run.profiles.map((_, profile) => planeOf(profile));
  const chosen = run.keepFrame(`dived ${Math.floor(level + 1e-9)}`, () => Uint8Array.from(planes[0], (_, node) => {
    const {x, y} = run.flow.placeOf(node);
    return flowOfPoint(run, null, level, x, y);
  }));
  return planes[0].map((_, node) => planes[chosen[node]][node]);
}

// The flight that was clicked, or else the median arrival of the drawn flights. null: no run chooses a profile.
function sectionFlight(state) {
  const chosen = state.flight;
  if (chosen && chosen.run.has("track_profile")) return chosen;
  const run = state.runs.find((candidate) => candidate.has("track_profile"));
  if (!run) return null;
  run.medianDrawn ??= medianDrawn(run);  // needed in every frame
  return {run, n: run.medianDrawn};
}

// The median arrival of the drawn flights; the first flight if none arrives.
function medianDrawn(run) {
  const all = Array.from(run.drawn, (flight, n) => ({flight, n}));
  const arrived = all.filter(({flight}) => run.outcome[flight] === 0);
  arrived.sort((a, b) => run.endLevel[a.flight] - run.endLevel[b.flight]);
  return (arrived[(arrived.length - 1) >> 1] ?? all[0]).n;
}

// The dives of a flight: [{profile, from, to}], in seconds since the departure; equal neighbours are joined.
function divesOf(run, n) {
  const since = (m) => run.sinceDeparture(run.levelOfPoint(n, m));
  const dives = [];
  for (let m = 0; m + 1 < run.pointCount[n]; ++m) {
    const profile = run.profileOfPoint(n, m);
    if (dives.at(-1)?.profile === profile) dives.at(-1).to = since(m + 1);
    else dives.push({profile, from: since(m), to: since(m + 1)});
  }
  return dives;
}

// Draws depth over time. If profiles have no depths, each has a row.
function drawDives(page) {
  const {state, clock} = page;
  const shown = sectionFlight(state);
  const canvas = byId("dives").querySelector("canvas");
  canvas.hidden = !shown;
  if (!shown) return;
  const {run, n} = shown;
  const {context, width, height} = clearCanvas(canvas);
  const colours = paper();
  const {profiles} = run;
  const hasDepths = profiles.every(({ranges}) => ranges.length > 0);
  const max = hasDepths ? Math.max(1, ...profiles.map(({ranges}) => ranges.at(-1)[1])) : profiles.length;
  const bands = (kind) => (hasDepths ? profiles[kind].ranges : [[kind, kind + 1]]);
  const dives = divesOf(run, n);
  const last = Math.max(dives.at(-1)?.to ?? 0, 1e-9);
  const box = {left: 46, right: width - 6, top: 6, bottom: height - 20};
  const px = (since) => box.left + (since / last) * (box.right - box.left);
  const py = (depth) => box.top + (depth / max) * (box.bottom - box.top);
  for (const {profile, from, to} of dives) {
    context.fillStyle = profileColour(state, run.profileKinds[profile]);
    for (const [top, bottom] of bands(profile)) {
      // A fixed depth is drawn as a line.
      context.fillRect(px(from), Math.max(py(top) - (top === bottom ? 1.5 : 0), box.top), px(to) - px(from), Math.max(py(bottom) - py(top), 3));
    }
  }
  context.font = `11px ${FONT}`;
  context.strokeStyle = colours.faint;
  context.fillStyle = colours.ink;
  context.lineWidth = 1;
  context.strokeRect(box.left + 0.5, Math.round(box.top) + 0.5, box.right - box.left - 1, Math.round(box.bottom - box.top));
  context.textAlign = "right";
  context.textBaseline = "middle";
  const depths = hasDepths ? [0, max / 2, max] : profiles.map((_, kind) => kind + 0.5);
  depths.forEach((depth, kind) => context.fillText(hasDepths ? `${figures(depth)}${kind === 0 ? " m" : ""}` : profiles[kind].name, box.left - 4, py(depth)));
  context.textBaseline = "top";
  context.textAlign = "left";
  context.fillText("0", box.left, box.bottom + 5);
  context.textAlign = "right";
  context.fillText(`${durationText(run, last)} after departure`, box.right, box.bottom + 5);
  const now = run.sinceDeparture(clock.levelOf(run, state.time));
  if (now >= 0 && now <= last) {
    context.strokeStyle = colours.ink;
    context.beginPath();
    context.moveTo(px(now), box.top);
    context.lineTo(px(now), box.bottom);
    context.stroke();
  }
  const flight = run.arrays.flown_realization.data[run.drawn[n]];
  const label = state.flight === shown ? "the flight clicked" : "the median flight";
  byId("dives").querySelector("p").textContent = `Realization ${flight}, ${label}`;
  canvas.setAttribute("aria-label", `Dives of realization ${flight}: ` + dives.map(({profile, to}) =>
    `${profileText(profiles[profile])} until ${durationText(run, to)}`).join("; "));
}
