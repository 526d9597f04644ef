// Regions as lines: by arrival probability, by delay, and the corridor of the flights.

const CHANCES = [[0.1, [1.5, 4]], [0.5, [7, 4]], [0.9, []]];  // each with its dash pattern
// Without probabilities there is one line, around the states from which the model predicts arrival.
const chancesOf = (run) => (run.facts.has_probability ? CHANCES : CHANCES.filter(([threshold]) => threshold === 0.5));
const LESS_SURE = 0.01;  // loss of arrival probability up to which a delay is shown

// Contour lines of a field at the value `threshold`, as lists of [column, row]. `at`: the value of a node; NaN if it
// has none, where lines end. Each square has four nodes as corners; larger values lie to the left of a line.
function contourLines(lattice, at, threshold) {
  const {nx, ny} = lattice;
  const next = new Map();
  for (let j = 0; j + 1 < ny; ++j) {
    for (let i = 0; i + 1 < nx; ++i) {
      const n = j * nx + i;
      const [a, b, c, d] = [at(n), at(n + 1), at(n + nx + 1), at(n + nx)];
      const inside = [a >= threshold, b >= threshold, c >= threshold, d >= threshold];
      const count = inside[0] + inside[1] + inside[2] + inside[3];
      if (count === 0 || count === 4 || Number.isNaN(a + b + c + d)) continue;
      const sides = [2 * n, 2 * (n + 1) + 1, 2 * (n + nx), 2 * n + 1];
      // Two opposite corners are inside: the mean decides if the area between joins them.
      const turn = (a + b + c + d) / 4 >= threshold ? 1 : 3;
      for (let from = 0; from < 4; ++from) {
        if (!inside[from] || inside[(from + 1) % 4]) continue;
        let to = (from + turn) % 4;
        while (inside[to] || !inside[(to + 1) % 4]) to = (to + turn) % 4;
        next.set(sides[from], sides[to]);
      }
    }
  }
  const place = (side) => {
    const n = side >> 1;
    const [column, row] = [n % nx, Math.floor(n / nx)];
    const [from, to] = [at(n), at(side & 1 ? n + nx : n + 1)];
    const part = (threshold - from) / (to - from);
    return side & 1 ? [column, row + part] : [column + part, row];
  };
  // Open lines first, then closed ones.
  const ends = new Set(next.values());
  const lines = [];
  for (const first of [...[...next.keys()].filter((side) => !ends.has(side)), ...next.keys()]) {
    if (!next.has(first)) continue;
    const line = [place(first)];
    for (let side = first; next.has(side);) {
      const to = next.get(side);
      next.delete(side);
      line.push(place(to));
      side = to;
    }
    lines.push(line);
  }
  return lines;
}

// The kept level nearest to a level.
const nearestLevel = (lattice, level) =>
  clamp(Math.round((level - lattice.first_level) / lattice.level_stride), 0, lattice.level_count - 1);

const hourOf = (run) => (run.facts.metric ? 3600 : 1);

// The regions of a run at a level: {kind, dashes, lines}, lines in columns and rows of `lattice`.
function regionsAt(run, level) {
  const regions = [];
  const value = (name, n) => (run.arrays[name].data[n] === GAP ? NaN : run.number(name, n));
  if (run.reach && run.has("arrival")) {
    const k = nearestLevel(run.reach, level);
    const base = k * run.reach.plane;
    const arrival = (n) => value("arrival", base + n);
    for (const [threshold, dashes] of chancesOf(run)) {
      regions.push({kind: "chance", threshold, dashes, lattice: run.reach, lines: contourLines(run.reach, arrival, threshold)});
    }
    const expected = run.facts.summary.expected;
    const elapsed = run.sinceDeparture(run.reach.first_level + k * run.reach.level_stride);
    if (expected && elapsed >= 0) {
      const minArrival = number(expected.arrival_probability) - LESS_SURE;
      const ahead = (n) => (arrival(n) >= minArrival ? number(expected.time) - elapsed - value("time_to_go", base + n) : NaN);
      regions.push({kind: "late", dashes: [], lattice: run.reach, lines: contourLines(run.reach, ahead, -hourOf(run))});
    }
  }
  if (run.corridor && run.has("density")) {
    const base = nearestLevel(run.corridor, level) * run.corridor.plane;
    const density = (n) => run.number("density", base + n);
    regions.push({kind: "corridor", dashes: [], lattice: run.corridor, lines: contourLines(run.corridor, density, 1)});
  }
  return regions;
}

function regionPath(map, {lattice, lines}) {
  const {grid} = map.run;
  const path = new Path2D();
  for (const line of lines) {
    line.forEach(([column, row], n) => {
      const px = map.screenX(grid.x_first + column * lattice.cell_stride * grid.dx);
      const py = map.screenY(grid.y_first + row * lattice.cell_stride * grid.dy);
      (n === 0 ? path.moveTo : path.lineTo).call(path, px, py);
    });
  }
  return path;
}

function drawRegions(map, state, level, colours) {
  const {run, context} = map;
  if (!run.isComplete) return;
  const key = [run.reach, run.corridor].map((lattice) => lattice && nearestLevel(lattice, level)).join();
  if (map.regionKey !== key) [map.regionKey, map.regions] = [key, regionsAt(run, level)];
  context.save();
  context.beginPath();
  context.rect(...gridBox(map));
  context.clip();
  for (const region of map.regions) {
    if (!state.shows[region.kind]) continue;
    context.setLineDash(region.dashes);
    strokeWithHalo(context, regionPath(map, region), colours.regions[region.kind], colours.halo, 1.7);
  }
  context.restore();
}

// The predicted {arrival, time} from a place at a level; null if unknown.
function toGoAt(run, level, x, y) {
  if (!run.reach || !run.has("arrival")) return null;
  const node = run.reach.nodeAt(x, y);
  const n = run.reach.levelBefore(level) * run.reach.plane + node;
  if (node < 0 || run.arrays.arrival.data[n] === GAP) return null;
  return {arrival: run.number("arrival", n), time: run.arrays.time_to_go.data[n] === GAP ? NaN : run.number("time_to_go", n)};
}
