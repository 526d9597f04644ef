// What is drawn on a map, from the ground up. `state` is what the user chose (main.js), `level` the
// run's.

function paper() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    water: colour("water"),
    land: colour("land"),
    ink: colour("ink"),
    halo: colour("halo"),
    faint: colour("faint"),
    accent: colour("accent"),
    arrow: colour("arrow"),
    policy: colour("policy"),
  };
}

// ---- Colour maps

// The planes that can be coloured, with their range over all times of a run; made once.
function backgroundRange(run, name) {
  run.ranges ??= {};
  return (run.ranges[name] ??= findRange(run, name));
}

function percentile(sorted, part) {
  return sorted[clamp(Math.round(part * (sorted.length - 1)), 0, sorted.length - 1)];
}

function findRange(run, name) {
  if (name === "value") return valueRange(run);
  const lattice = run.flow;
  const found = [];
  const every = Math.max(1, Math.ceil(lattice.level_count / 8));
  for (let k = 0; k < lattice.level_count; k += every) {
    const level = lattice.first_level + k * lattice.level_stride;
    for (const value of backgroundPlane(run, name, level, null)) found.push(value);
  }
  found.sort((a, b) => a - b);
  return {least: name === "scalar" ? Math.min(0, found[0]) : 0, most: roundUp(percentile(found, 0.998)), below: false, above: true};
}

// Of the states at the departure: later ones that cannot arrive any more are below it.
function valueRange(run) {
  const found = [];
  for (let n = 0; n < run.policy.plane; ++n) {
    if (run.arrays.value.data[n] !== GAP) found.push(run.number("value", n));
  }
  if (found.length === 0) return {least: 0, most: 1, below: false, above: false};
  found.sort((a, b) => a - b);
  const least = percentile(found, 0.02);
  const most = found[found.length - 1];
  return {least, most: most > least ? most : least + 1, below: true, above: false};
}

function roundUp(value) {
  if (!(value > 0)) return 1;
  const size = 10 ** Math.floor(Math.log10(value));
  return Math.ceil((value / size) * 5 - 1e-9) / 5 * size;
}

// Runs side by side have one scale.
function sharedRange(runs, name) {
  const ranges = runs.filter((run) => canShow(run, name)).map((run) => backgroundRange(run, name));
  return {
    least: Math.min(...ranges.map((range) => range.least)),
    most: Math.max(...ranges.map((range) => range.most)),
    below: ranges.some((range) => range.below),
    above: ranges.some((range) => range.above),
  };
}

function canShow(run, name) {
  if (name === "none" || name === "value") return true;
  return run.flow !== null && (name !== "scalar" || run.facts.flow.has_scalar);
}

function backgroundPlane(run, name, level, realization) {
  if (name === "spread") return run.spreadFrame(level);
  if (name === "scalar") return run.scalarFrame(level);
  const {u, v} = run.flowFrame(level, realization);
  return u.map((value, n) => Math.hypot(value, v[n]));
}

// A rectangle of the screen: the grid's cells.
function gridBox(map) {
  const {grid} = map.run;
  return [
    map.screenX(grid.x_first - grid.dx / 2), map.screenY(grid.y_first + (grid.ny - 0.5) * grid.dy),
    grid.nx * grid.dx * map.scale, grid.ny * grid.dy * map.scale];
}

// Draws what paintPixels() made of a plane of nodes; smooth between them or in squares.
function drawImage(map, image, lattice, smooth) {
  const {context, run: {grid}} = map;
  const width = lattice.cell_stride * grid.dx;
  const height = lattice.cell_stride * grid.dy;
  const west = map.screenX(grid.x_first - width / 2);
  const north = map.screenY(grid.y_first + (image.height - 0.5) * height);
  context.save();
  context.beginPath();
  context.rect(...gridBox(map));
  context.clip();
  context.imageSmoothingEnabled = smooth;
  context.imageSmoothingQuality = "high";
  context.drawImage(image, west, north, image.width * width * map.scale, image.height * height * map.scale);
  context.restore();
}

// A pixel a node, the first row in the south. Where not every cell is a node, the last ones may lie
// short of the rim: they are there twice.
function paintPixels(canvas, lattice, paint) {
  const more = lattice.cell_stride > 1 ? 1 : 0;
  const [nx, ny] = [lattice.nx + more, lattice.ny + more];
  canvas.width = nx;
  canvas.height = ny;
  const context = canvas.getContext("2d");
  const image = context.createImageData(nx, ny);
  for (let row = 0; row < ny; ++row) {
    const from = Math.min(row, lattice.ny - 1) * lattice.nx;
    const to = 4 * (ny - 1 - row) * nx;
    for (let column = 0; column < nx; ++column) {
      paint(from + Math.min(column, lattice.nx - 1), image.data, to + 4 * column);
    }
  }
  context.putImageData(image, 0, 0);
}

function drawBackground(map, state, level) {
  const {run} = map;
  const name = state.background;
  if (name === "none" || !canShow(run, name)) return;
  const table = backgroundTable(name, state.theme);
  const {least, most} = state.range;
  const put = (value, pixels, at) => {
    const n = 3 * clamp(Math.round((255 * (value - least)) / (most - least)), 0, 255);
    pixels[at] = table[n];
    pixels[at + 1] = table[n + 1];
    pixels[at + 2] = table[n + 2];
    pixels[at + 3] = 255;
  };
  if (name === "value") {
    const base = run.policy.levelBefore(level) * run.policy.plane;
    const {data, step, offset} = run.arrays.value;
    paintPixels(map.raster, run.policy, (n, pixels, at) => {
      if (data[base + n] !== GAP) put(offset + step * data[base + n], pixels, at);
    });
    drawImage(map, map.raster, run.policy, false);
    return;
  }
  const plane = backgroundPlane(run, name, level, state.realization);
  paintPixels(map.raster, run.flow, (n, pixels, at) => put(plane[n], pixels, at));
  drawImage(map, map.raster, run.flow, true);
}

function drawObstacles(map, level, colours) {
  const {run} = map;
  const base = run.obstacles.levelBefore(level) * run.obstacles.plane;
  if (map.maskKey !== `${base} ${colours.land}`) {
    const [red, green, blue] = channels(colours.land);
    const closed = run.arrays.closed.data;
    paintPixels(map.mask, run.obstacles, (n, pixels, at) => {
      if (closed[base + n] === 0) return;
      pixels[at] = red;
      pixels[at + 1] = green;
      pixels[at + 2] = blue;
      pixels[at + 3] = 255;
    });
    map.maskKey = `${base} ${colours.land}`;
  }
  drawImage(map, map.mask, run.obstacles, false);
}

// ---- Arrows

// Calls `each` with the centres of every so many cells that are seen, so that they are about
// `spacing` pixels apart and stay where they are when the map moves.
function forEachArrow(map, spacing, each) {
  const {grid} = map.run;
  const cell = Math.min(grid.dx, grid.dy) * map.scale;
  const stride = Math.max(1, Math.ceil(spacing / cell));
  const first = (low, start, d) => Math.max(0, Math.floor((low - start) / d / stride)) * stride;
  const columns = [first(map.planeX(0), grid.x_first, grid.dx), (map.planeX(map.width) - grid.x_first) / grid.dx];
  const rows = [first(map.planeY(map.height), grid.y_first, grid.dy), (map.planeY(0) - grid.y_first) / grid.dy];
  const shift = stride >> 1;
  for (let j = rows[0] + shift; j < grid.ny && j <= rows[1]; j += stride) {
    for (let i = columns[0] + shift; i < grid.nx && i <= columns[1]; i += stride) {
      each(grid.x_first + i * grid.dx, grid.y_first + j * grid.dy, stride * cell);
    }
  }
}

// Adds an arrow around its middle to a path; angle counter-clockwise.
function addArrow(path, px, py, angle, length) {
  const c = Math.cos(angle) * length;
  const s = -Math.sin(angle) * length;
  const tipX = px + c / 2;
  const tipY = py + s / 2;
  path.moveTo(px - c / 2, py - s / 2);
  path.lineTo(tipX, tipY);
  const head = 0.34;
  const side = 0.2;
  path.moveTo(tipX - head * c - side * s, tipY - head * s + side * c);
  path.lineTo(tipX, tipY);
  path.lineTo(tipX - head * c + side * s, tipY - head * s - side * c);
}

const HALO = 0.8;

function strokeWithHalo(context, path, colour, halo, width) {
  context.lineCap = "round";
  context.lineJoin = "round";
  context.strokeStyle = halo;
  context.lineWidth = width + 2 * HALO;
  context.stroke(path);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke(path);
}

function drawFlowArrows(map, state, level, colours) {
  const {run, context} = map;
  if (!run.flow) return;
  const fastest = sharedRange(state.runs, "speed").most;
  const path = new Path2D();
  forEachArrow(map, 30, (x, y, room) => {
    if (run.closedAt(level, x, y)) return;
    const {u, v} = run.flowAt(level, x, y, state.realization);
    const speed = Math.hypot(u, v);
    const length = clamp(speed / fastest, 0, 1) ** 0.6 * Math.min(room, 40) * 0.86;
    if (length > 2.5) addArrow(path, map.screenX(x), map.screenY(y), Math.atan2(v, u), length);
  });
  context.lineCap = "round";
  context.lineJoin = "round";
  context.strokeStyle = colours.arrow;
  context.lineWidth = 1;
  context.stroke(path);
}

function drawPolicyArrows(map, state, level, colours) {
  const {run, context} = map;
  const {actions} = run.facts;
  const fastest = Math.max(...actions.map(([, speed]) => speed)) || 1;
  const path = new Path2D();
  forEachArrow(map, 24, (x, y, room) => {
    if (run.closedAt(level, x, y)) return;
    const action = run.actionAt(level, x, y);
    if (action < 0) return;
    const [heading, speed] = actions[action];
    const px = map.screenX(x);
    const py = map.screenY(y);
    if (speed === 0) {
      path.moveTo(px + 2, py);
      path.arc(px, py, 2, 0, 2 * Math.PI);
    } else {
      addArrow(path, px, py, heading, Math.min(room, 36) * (0.45 + 0.35 * (speed / fastest)));
    }
  });
  strokeWithHalo(context, path, colours.policy, colours.halo, 1.2);
}

// ---- Flights

// The colour of a flight among those of `flightColours`.
function flightKind(run, flight, state) {
  if (state.colourBy === "outcome") return run.outcome[flight];
  if (run.outcome[flight] !== 0) return 0;
  const {least, most} = state.arrivalRange;
  return 1 + clamp(Math.floor((24 * (state.arrivalTime(run, flight) - least)) / (most - least || 1)), 0, 23);
}

function flightColours(state) {
  if (state.colourBy === "outcome") return OUTCOME_COLOURS[state.theme];
  const failed = state.theme === "dark" ? "#8b9299" : "#6c737a";
  return [failed, ...Array.from({length: 24}, (_, n) => tableColour(TABLES.plasma[state.theme], (n + 0.5) / 24))];
}

// Adds what a flight has flown between two levels to a path.
function addTrack(path, map, n, from, to, place) {
  const {run} = map;
  const base = n * run.mostPoints;
  run.placeOf(n, from, place);
  path.moveTo(map.screenX(place.x), map.screenY(place.y));
  let m = place.passed + 1;
  run.placeOf(n, to, place);
  for (; m <= place.passed; ++m) path.lineTo(map.screenX(run.trackX[base + m]), map.screenY(run.trackY[base + m]));
  path.lineTo(map.screenX(place.x), map.screenY(place.y));
}

function pathsByColour(map, state, count, add) {
  const paths = [];
  for (let n = 0; n < map.run.drawn.length; n += count) {
    const kind = flightKind(map.run, map.run.drawn[n], state);
    add((paths[kind] ??= new Path2D()), n);
  }
  return paths;
}

function drawTracks(map, state, colours) {
  const {run, context} = map;
  const most = 400;
  const every = Math.ceil(run.drawn.length / most);
  const place = {};
  const paths = pathsByColour(map, state, every, (path, n) => addTrack(path, map, n, run.time.from_level, run.time.to_level, place));
  context.globalAlpha = run.drawn.length > 40 ? 0.2 : 0.5;
  context.lineWidth = 1;
  paths.forEach((path, kind) => {
    context.strokeStyle = colours[kind];
    context.stroke(path);
  });
  context.globalAlpha = 1;
}

// A cross where a flight failed.
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
  const colours = flightColours(state);
  context.lineCap = "round";
  context.lineJoin = "round";
  if (state.showTracks) drawTracks(map, state, colours);
  const place = {};
  const many = run.drawn.length > 120;
  const radius = many ? 1.8 : 3;
  const tail = (n, path) => {
    const end = run.endLevel[run.drawn[n]];
    if (level - state.tail < end) addTrack(path, map, n, level - state.tail, level, place);
  };
  if (state.tail > 0) {
    const tails = pathsByColour(map, state, 1, (path, n) => tail(n, path));
    context.lineWidth = many ? 1.1 : 2;
    context.globalAlpha = many ? 0.7 : 0.95;
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
  const heads = pathsByColour(map, state, 1, (path, n) => {
    run.placeOf(n, level, place);
    const px = map.screenX(place.x);
    const py = map.screenY(place.y);
    if (!place.ended) {
      path.moveTo(px + radius, py);
      path.arc(px, py, radius, 0, 2 * Math.PI);
    } else if (run.outcome[run.drawn[n]] !== 0) {
      const kind = flightKind(run, run.drawn[n], state);
      addCross((crosses[kind] ??= new Path2D()), px, py);
    }
  });
  heads.forEach((path, kind) => {
    if (!many) {
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

// ---- Start, target, scale, north

function drawPlaces(map, colours) {
  const {run, context} = map;
  const {start, target} = run.facts;
  const path = new Path2D();
  const [x, y] = [map.screenX(target.x), map.screenY(target.y)];
  const {grid} = run;
  if (target.radius > 0) {
    const radius = target.radius * map.scale;
    path.moveTo(x + radius, y);
    path.arc(x, y, radius, 0, 2 * Math.PI);
  } else {
    const cell = cellAt(grid, target.x, target.y);
    const west = map.screenX(grid.x_first + (cell.column - 0.5) * grid.dx);
    const north = map.screenY(grid.y_first + (cell.row + 0.5) * grid.dy);
    path.rect(west, north, grid.dx * map.scale, grid.dy * map.scale);
  }
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    path.moveTo(x + 3 * dx, y + 3 * dy);
    path.lineTo(x + 9 * dx, y + 9 * dy);
  }
  strokeWithHalo(context, path, colours.ink, colours.halo, 1.6);
  const begin = new Path2D();
  begin.arc(map.screenX(start.x), map.screenY(start.y), 4.5, 0, 2 * Math.PI);
  context.fillStyle = colours.halo;
  context.fill(begin);
  strokeWithHalo(context, begin, colours.ink, colours.halo, 1.8);
  drawLabel(context, "start", map.screenX(start.x) + 9, map.screenY(start.y), colours);
  drawLabel(context, "target", x + Math.max(12, target.radius * map.scale + 5), y, colours);
}

function drawLabel(context, text, px, py, colours) {
  context.font = `12px ${FONT}`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeStyle = colours.halo;
  context.strokeText(text, px, py);
  context.fillStyle = colours.ink;
  context.fillText(text, px, py);
}

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif";

// A round length of some 100 pixels.
function drawScaleBar(map, colours) {
  const {run, context} = map;
  const nautical = run.facts.metric && units.speed === "nautical";
  const unit = nautical ? 1852 : run.facts.metric ? 1000 : 1;
  const wanted = 110 / map.scale / unit;
  const size = 10 ** Math.floor(Math.log10(wanted));
  const round = [5, 2, 1].find((n) => n * size <= wanted) * size;
  const length = round * unit * map.scale;
  const label = withUnit(String(Number(round.toPrecision(6))), nautical ? "nmi" : run.facts.metric ? "km" : "");
  const [px, py] = [16, map.height - 16];
  const path = new Path2D();
  path.moveTo(px, py - 5);
  path.lineTo(px, py);
  path.lineTo(px + length, py);
  path.lineTo(px + length, py - 5);
  strokeWithHalo(context, path, colours.ink, colours.halo, 1.4);
  drawLabel(context, label, px + 5, py - 10, colours);
}

// True north in the middle of what is seen.
function drawNorth(map, colours) {
  const {run, context} = map;
  if (!run.globe) return;
  const turn = (run.onGlobe(map.viewport.x, map.viewport.y).convergence * Math.PI) / 180;
  const [px, py] = [map.width - 26, 30];
  const path = new Path2D();
  // The convergence goes from true north to +y, clockwise: north lies that far the other way.
  const at = (right, up) => [px + right * Math.cos(turn) - up * Math.sin(turn), py - up * Math.cos(turn) - right * Math.sin(turn)];
  path.moveTo(...at(0, -14));
  path.lineTo(...at(0, 14));
  path.moveTo(...at(-4.5, 7));
  path.lineTo(...at(0, 14));
  path.lineTo(...at(4.5, 7));
  strokeWithHalo(context, path, colours.ink, colours.halo, 1.5);
  drawLabel(context, "N", px + 6, py + 8, colours);
}

function drawFrame(map, colours) {
  const {context} = map;
  context.strokeStyle = colours.faint;
  context.lineWidth = 1;
  context.strokeRect(...gridBox(map));
}

function drawPointedCell(map, colours) {
  if (!map.pointed) return;
  const {run, context} = map;
  const {grid} = run;
  const cell = cellAt(grid, map.pointed.x, map.pointed.y);
  if (!cell || grid.dx * map.scale < 4) return;
  context.strokeStyle = colours.ink;
  context.lineWidth = 1;
  context.strokeRect(
    map.screenX(grid.x_first + (cell.column - 0.5) * grid.dx), map.screenY(grid.y_first + (cell.row + 0.5) * grid.dy),
    grid.dx * map.scale, grid.dy * map.scale);
}

function drawMap(map, state, level) {
  const colours = paper();
  map.context.clearRect(0, 0, map.width, map.height);
  map.context.fillStyle = colours.water;
  map.context.fillRect(...gridBox(map));
  drawBackground(map, state, level);
  drawObstacles(map, level, colours);
  drawFrame(map, colours);
  if (state.showFlow) drawFlowArrows(map, state, level, colours);
  if (state.showPolicy) drawPolicyArrows(map, state, level, colours);
  if (state.showFlights) drawFlights(map, state, level, colours);
  drawPlaces(map, colours);
  drawPointedCell(map, colours);
  if (state.showRim) drawRim(map, colours);
  drawScaleBar(map, colours);
  drawNorth(map, colours);
}
