// Start, target, scale, north, and the mark at the pointer.

// The disc around a point, or its cell if the point has no radius.
function addPoint(path, map, [px, py], radius) {
  const {grid} = map.run;
  const [x, y] = [map.screenX(px), map.screenY(py)];
  if (radius > 0) {
    path.moveTo(x + radius * map.scale, y);
    path.arc(x, y, radius * map.scale, 0, 2 * Math.PI);
    return;
  }
  const cell = cellAt(grid, px, py);
  const west = map.screenX(grid.x_first + (cell.column - 0.5) * grid.dx);
  const north = map.screenY(grid.y_first + (cell.row + 0.5) * grid.dy);
  path.rect(west, north, grid.dx * map.scale, grid.dy * map.scale);
}

function addOutline(path, map, ring) {
  ring.forEach(([x, y], n) => (n === 0 ? path.moveTo : path.lineTo).call(path, map.screenX(x), map.screenY(y)));
  path.closePath();
}

// The path of a point with its disc, of several points, or of an area.
function placePath(map, place) {
  const path = new Path2D();
  for (const ring of place.outlines ?? []) addOutline(path, map, ring);
  const points = place.points ?? (place.outlines ? [] : [[place.x, place.y]]);
  for (const point of points) addPoint(path, map, point, place.radius);
  return path;
}

function drawPlaces(map, colours) {
  const {run, context} = map;
  const {start, target} = run.facts;
  (run.facts.via ?? []).forEach((via, n) => {
    strokeWithHalo(context, placePath(map, via), colours.ink, colours.halo, 1.2);
    drawLabelBeside(map, `pass ${n + 1}`, via, Math.max(8, via.radius * map.scale + 5), colours);
  });
  if (target) drawTarget(map, target, colours);
  else drawFollowed(map, run.facts.followed, colours);
  const begin = new Path2D();
  begin.arc(map.screenX(start.x), map.screenY(start.y), 4.5, 0, 2 * Math.PI);
  context.fillStyle = colours.halo;
  context.fill(begin);
  strokeWithHalo(context, begin, colours.ink, colours.halo, 1.8);
  drawLabelBeside(map, run.facts.replanned ? "you are here" : "start", start, map.markRadius + 3, colours);
}

function drawTarget(map, target, colours) {
  const {context} = map;
  const path = placePath(map, target);
  const [x, y] = [map.screenX(target.x), map.screenY(target.y)];
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    path.moveTo(x + 3 * dx, y + 3 * dy);
    path.lineTo(x + 9 * dx, y + 9 * dy);
  }
  strokeWithHalo(context, path, colours.ink, colours.halo, 1.6);
  drawLabelBeside(map, "target", target, Math.max(map.markRadius + 6, target.radius * map.scale + 5), colours);
}

// The path of a followed target, labelled at its end; runs of earlier versions have none.
function drawFollowed(map, followed, colours) {
  if (followed.length === 0) return;
  const path = new Path2D();
  followed.forEach(([x, y], n) => (n === 0 ? path.moveTo : path.lineTo).call(path, map.screenX(x), map.screenY(y)));
  strokeWithHalo(map.context, path, colours.ink, colours.halo, 1.6);
  const [x, y] = followed.at(-1);
  drawLabelBeside(map, "followed", {x, y}, 9, colours);
}

function drawLabel(context, text, px, py, colours, font = `12px ${FONT}`) {
  context.font = font;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeStyle = colours.halo;
  context.strokeText(text, px, py);
  context.fillStyle = colours.ink;
  context.fillText(text, px, py);
}

// Draws a label if it touches no earlier one and fits on the canvas; returns true if it did.
function drawFreeLabel(map, text, px, py, colours, font = `12px ${FONT}`) {
  map.context.font = font;
  const box = [px - 2, py - 8, px + map.context.measureText(text).width + 2, py + 8];
  const isFree = box[0] >= 0 && box[1] >= 0 && box[2] <= map.width && box[3] <= map.height &&
    map.labels.every((other) => box[2] < other[0] || box[0] > other[2] || box[3] < other[1] || box[1] > other[3]);
  if (!isFree) return false;
  map.labels.push(box);
  drawLabel(map.context, text, px, py, colours, font);
  return true;
}

// Draws a label to the right of a position in the plane, or to its left if there is no room.
function drawLabelBeside(map, text, {x, y}, gap, colours) {
  const [px, py] = [map.screenX(x), map.screenY(y)];
  map.context.font = `12px ${FONT}`;
  drawFreeLabel(map, text, px + gap, py, colours) || drawFreeLabel(map, text, px - gap - map.context.measureText(text).width, py, colours);
}

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif";

// Draws a bar of a round length of about 100 pixels.
function drawScaleBar(map, colours) {
  const {run, context} = map;
  const nautical = run.facts.metric && units.speed === "nautical";
  const unit = nautical ? 1852 : run.facts.metric ? 1000 : 1;
  const maxLength = 110 / map.scale / unit;
  const magnitude = 10 ** Math.floor(Math.log10(maxLength));
  const round = [5, 2, 1].find((n) => n * magnitude <= maxLength) * magnitude;
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

// Draws an arrow towards true north in the middle of the view.
function drawNorth(map, colours) {
  const {run, context} = map;
  if (!run.globe) return;
  const turn = (run.onGlobe(map.viewport.x, map.viewport.y).convergence * Math.PI) / 180;
  const [px, py] = [map.width - 26, 30];
  const path = new Path2D();
  // The convergence is the clockwise angle from true north to +y, so north lies at minus that angle.
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
