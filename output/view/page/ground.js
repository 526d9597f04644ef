// The background of a map: colours of a field, obstacles.

// The range of a field over all times of a run, computed once.
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
  const values = [];
  const every = Math.max(1, Math.ceil(lattice.level_count / 8));
  for (let k = 0; k < lattice.level_count; k += every) {
    const level = lattice.first_level + k * lattice.level_stride;
    // All profiles share one scale.
    for (const flowOf of run.profileKinds.length > 0 ? run.profileKinds : [null]) {
      for (const value of backgroundPlane(run, name, level, {realization: null, flowOf})) values.push(value);
    }
  }
  values.sort((a, b) => a - b);
  return {min: name === "scalar" ? Math.min(0, values[0]) : 0, max: roundUp(percentile(values, 0.998)), below: false, above: true};
}

// The range of the values at departure. Values of later states that can no longer arrive are below the range.
function valueRange(run) {
  const values = [];
  for (let n = 0; n < run.policy.plane; ++n) {
    if (run.arrays.value.data[n] !== GAP) values.push(run.number("value", n));
  }
  if (values.length === 0) return {min: 0, max: 1, below: false, above: false};
  values.sort((a, b) => a - b);
  const min = percentile(values, 0.02);
  const max = values[values.length - 1];
  return {min, max: max > min ? max : min + 1, below: true, above: false};
}

function roundUp(value) {
  if (!(value > 0)) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(value));
  return Math.ceil((value / magnitude) * 5 - 1e-9) / 5 * magnitude;
}

// Two runs share one scale.
function sharedRange(runs, name) {
  const ranges = runs.filter((run) => canShow(run, name)).map((run) => backgroundRange(run, name));
  return {
    min: Math.min(...ranges.map((range) => range.min)),
    max: Math.max(...ranges.map((range) => range.max)),
    below: ranges.some((range) => range.below),
    above: ranges.some((range) => range.above),
  };
}

function canShow(run, name) {
  if (name === "none" || name === "value") return true;
  return run.flow !== null && (name !== "scalar" || run.facts.flow.has_scalar);
}

function backgroundPlane(run, name, level, {realization, flowOf}) {
  if (name === "scalar") return run.scalarFrame(level);
  return flowPlane(run, flowOf, level, (profile) => {
    if (name === "spread") return run.spreadFrame(level, profile);
    const {u, v} = run.flowFrame(level, realization, profile);
    return u.map((value, n) => Math.hypot(value, v[n]));
  });
}

// The rectangle of the grid's cells on the screen.
function gridBox(map) {
  const {grid} = map.run;
  return [
    map.screenX(grid.x_first - grid.dx / 2), map.screenY(grid.y_first + (grid.ny - 0.5) * grid.dy),
    grid.nx * grid.dx * map.scale, grid.ny * grid.dy * map.scale];
}

// Draws the image that paintPixels() made of a plane of nodes; `smooth` interpolates between nodes.
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

// One pixel per node, the first row in the south. If not every cell is a node, the last nodes may not reach
// the rim: they are repeated.
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
  const {min, max} = state.range;
  const put = (value, pixels, at) => {
    const n = 3 * clamp(Math.round((255 * (value - min)) / (max - min)), 0, 255);
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
  const plane = backgroundPlane(run, name, level, state);
  paintPixels(map.raster, run.flow, (n, pixels, at) => put(plane[n], pixels, at));
  drawImage(map, map.raster, run.flow, true);
}

function drawObstacles(map, level, colours) {
  const {run} = map;
  const base = run.obstacles.levelBefore(level) * run.obstacles.plane;
  const key = `${base} ${colours.closed[CLOSED]}`;
  if (map.maskKey !== key) {
    const paint = {[CLOSED]: channels(colours.closed[CLOSED]), [BEYOND]: channels(colours.closed[BEYOND])};
    const closed = run.arrays.closed.data;
    paintPixels(map.mask, run.obstacles, (n, pixels, at) => {
      if (closed[base + n] !== OPEN) pixels.set([...paint[closed[base + n]], 255], at);
    });
    map.maskKey = key;
  }
  drawImage(map, map.mask, run.obstacles, false);
  if (run.closedKinds.includes(BEYOND)) drawHatch(map, base, colours);
}

// The cells outside the forecast as a path of the plane; neighbours in a row are joined.
function beyondPath(run, base) {
  const {grid, obstacles} = run;
  const closed = run.arrays.closed.data;
  const [width, height] = [obstacles.cell_stride * grid.dx, obstacles.cell_stride * grid.dy];
  const path = new Path2D();
  for (let row = 0; row < obstacles.ny; ++row) {
    for (let begin = 0, column = 0; column <= obstacles.nx; ++column) {
      if (column < obstacles.nx && closed[base + row * obstacles.nx + column] === BEYOND) continue;
      if (column > begin) {
        path.rect(grid.x_first + begin * width - width / 2, grid.y_first + row * height - height / 2, (column - begin) * width, height);
      }
      begin = column + 1;
    }
  }
  return path;
}

// Hatches the cells outside the forecast; the lines move with the map.
function drawHatch(map, base, colours) {
  const {run, context, scale} = map;
  if (map.beyondBase !== base) [map.beyondBase, map.beyond] = [base, beyondPath(run, base)];
  context.save();
  const ratio = context.getTransform().a;
  const [px, py] = [map.screenX(0), map.screenY(0)];
  context.setTransform(ratio * scale, 0, 0, -ratio * scale, ratio * px, ratio * py);
  context.clip(map.beyond);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const lines = new Path2D();
  const spacing = 7;
  for (let at = ((px + py) % spacing) - spacing; at < map.width + map.height; at += spacing) {
    lines.moveTo(at, 0);
    lines.lineTo(at - map.height, map.height);
  }
  context.strokeStyle = colours.hatch;
  context.lineWidth = 1;
  context.stroke(lines);
  context.restore();
}
