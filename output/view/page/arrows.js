// Arrows of the flow and of the policy.

// Calls `each` with the centres of visible cells, one in every `stride`, so that they are about `spacing` pixels
// apart and keep their places when the map moves. `phase`: offset of the first one, as a fraction of the stride.
function forEachArrow(map, spacing, phase, each) {
  const {grid} = map.run;
  const cell = Math.min(grid.dx, grid.dy) * map.scale;
  const stride = Math.max(1, Math.ceil(spacing / cell));
  const first = (low, start, d) => Math.max(0, Math.floor((low - start) / d / stride)) * stride;
  const columns = [first(map.planeX(0), grid.x_first, grid.dx), (map.planeX(map.width) - grid.x_first) / grid.dx];
  const rows = [first(map.planeY(map.height), grid.y_first, grid.dy), (map.planeY(0) - grid.y_first) / grid.dy];
  const shift = Math.floor(phase * stride);
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

const squareAt = (px, py, side) => 65536 * Math.floor(px / side) + Math.floor(py / side);

// Squares of the canvas, of `side` pixels, that flights occupy at a level or occupied during the three levels before.
function flightSquares(map, state, level, side) {
  const squares = new Set();
  const {run} = map;
  if (!state.showFlights || !run.facts.flights) return squares;
  const place = {};
  for (let n = 0; n < run.drawn.length; ++n) {
    for (let since = 0; since <= 3; since += 0.5) {
      run.placeOf(n, level - since, place);
      squares.add(squareAt(map.screenX(place.x), map.screenY(place.y), side));
    }
  }
  return squares;
}

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
  const fastest = sharedRange(state.runs, "speed").max;
  const path = new Path2D();
  forEachArrow(map, 40, 0, (x, y, room) => {
    if (run.closedAt(level, x, y)) return;
    const {u, v} = run.flowAt(level, x, y, state.realization, flowOfPoint(run, state.flowOf, level, x, y));
    const speed = Math.hypot(u, v);
    const length = clamp(speed / fastest, 0, 1) ** 0.6 * Math.min(room, 40) * 0.86;
    if (length > 2.5) addArrow(path, map.screenX(x), map.screenY(y), Math.atan2(v, u), length);
  });
  context.lineCap = "round";
  context.lineJoin = "round";
  context.strokeStyle = colours.arrow;
  context.lineWidth = 1.1;
  context.stroke(path);
}

function drawPolicyArrows(map, state, level, colours) {
  const {run, context} = map;
  const {actions} = run.facts;
  const fastest = Math.max(...actions.map(([, speed]) => speed)) || 1;
  const paths = [];  // one per dive profile if the vehicle chooses among several
  const side = 18;
  const occupied = flightSquares(map, state, level, side);
  forEachArrow(map, 40, 0.5, (x, y, room) => {
    if (run.closedAt(level, x, y)) return;
    if (occupied.has(squareAt(map.screenX(x), map.screenY(y), side))) return;
    const action = run.actionAt(level, x, y);
    if (action < 0) return;
    const [heading, speed, profile] = actions[action];
    const path = (paths[run.profileKinds[profile] ?? 0] ??= new Path2D());
    const px = map.screenX(x);
    const py = map.screenY(y);
    if (speed === 0) {
      path.moveTo(px + 2, py);
      path.arc(px, py, 2, 0, 2 * Math.PI);
    } else {
      addArrow(path, px, py, heading, Math.min(room, 30) * (0.4 + 0.35 * (speed / fastest)));
    }
  });
  paths.forEach((path, kind) => {
    const colour = run.profiles.length > 0 ? profileColour(state, kind) : colours.policy;
    strokeWithHalo(context, path, colour, colours.halo, run.profiles.length > 0 ? 1.5 : 1.1);
  });
}
