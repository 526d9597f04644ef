// Lines of longitude and latitude over a map; without these, ticks of x and y along its rim.

// Degrees between lines; about four lines cross the map.
const DEGREES = [30, 20, 10, 5, 2, 1, 0.5, 20 / 60, 10 / 60, 5 / 60, 2 / 60, 1 / 60];

// Longitude or latitude at all nodes of a run's lattice, computed once.
function globePlane(run, name) {
  run.globePlanes ??= {};
  return (run.globePlanes[name] ??= Float64Array.from({length: run.globe.plane}, (_, n) => {
    const [a, b, c] = [0, 1, 2].map((p) => run.number("globe_point", p * run.globe.plane + n));
    return (name === "longitude" ? Math.atan2(b, a) : Math.atan2(c, Math.hypot(a, b))) * 180 / Math.PI;
  }));
}

// Segments of the lines on which a plane is a multiple of `every`: [multiple, column, row, column,
// row]. Each is straight and crosses one square between four nodes.
function contourPieces(run, name, every) {
  run.contours ??= {};
  return (run.contours[`${name} ${every}`] ??= findContours(run, globePlane(run, name), every));
}

function findContours(run, plane, every) {
  const {nx, ny} = run.globe;
  const pieces = [];
  for (let j = 0; j + 1 < ny; ++j) {
    for (let i = 0; i + 1 < nx; ++i) {
      const at = (di, dj) => {
        const value = plane[(j + dj) * nx + i + di];
        return value - 360 * Math.round((value - plane[j * nx + i]) / 360);  // a step at 180° is no contour
      };
      const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([di, dj]) => ({i: i + di, j: j + dj, value: at(di, dj)}));
      const values = corners.map((corner) => corner.value);
      const min = Math.ceil(Math.min(...values) / every);
      const max = Math.floor(Math.max(...values) / every);
      if (max - min > 4) continue;  // a pole
      for (let n = min; n <= max; ++n) {
        const ends = [];
        corners.forEach((a, side) => {
          const b = corners[(side + 1) % 4];
          const part = (n * every - a.value) / (b.value - a.value);
          if (part >= 0 && part < 1) ends.push(a.i + part * (b.i - a.i), a.j + part * (b.j - a.j));
        });
        if (ends.length >= 4) pieces.push([n, ...ends.slice(0, 4)]);
      }
    }
  }
  return pieces;
}

// 125° 30′ W
function lineText(degrees, positive, negative) {
  const minutes = Math.round(Math.abs(degrees) * 60);
  const sign = minutes === 0 ? "" : degrees < 0 ? ` ${negative}` : ` ${positive}`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)}°${rest === 0 ? "" : ` ${String(rest).padStart(2, "0")}′`}${sign}`;
}

function drawRim(map, colours) {
  if (map.run.globe) drawGraticule(map, colours);
  else drawAxes(map, colours);
}

// The visible part of the frame.
function visibleFrame(map) {
  const {grid} = map.run;
  return {
    left: Math.max(0, map.screenX(grid.x_first - grid.dx / 2)),
    right: Math.min(map.width, map.screenX(grid.x_first + (grid.nx - 0.5) * grid.dx)),
    top: Math.max(0, map.screenY(grid.y_first + (grid.ny - 0.5) * grid.dy)),
    bottom: Math.min(map.height, map.screenY(grid.y_first - grid.dy / 2)),
  };
}

function drawGraticule(map, colours) {
  const {run, context} = map;
  const {grid, globe} = run;
  const frame = visibleFrame(map);
  const centre = run.onGlobe(map.viewport.x, map.viewport.y);
  // Degrees of latitude that a number of pixels spans.
  const degreesIn = (pixels) => pixels / map.scale / 111e3;
  const coarsest = (degrees) => DEGREES.find((step) => degrees / step >= 2.5) ?? DEGREES.at(-1);
  const narrow = Math.max(Math.cos((centre.latitude * Math.PI) / 180), 0.02);  // a degree of longitude divided by one of latitude
  const path = new Path2D();
  const labels = [];
  const px = (column) => map.screenX(grid.x_first + column * globe.cell_stride * grid.dx);
  const py = (row) => map.screenY(grid.y_first + row * globe.cell_stride * grid.dy);
  for (const name of ["longitude", "latitude"]) {
    const every = coarsest(name === "longitude" ? degreesIn(frame.right - frame.left) / narrow : degreesIn(frame.bottom - frame.top));
    for (const [n, i, j, k, l] of contourPieces(run, name, every)) {
      const [ax, ay, bx, by] = [px(i), py(j), px(k), py(l)];
      path.moveTo(ax, ay);
      path.lineTo(bx, by);
      const degrees = ((((n * every + 180) % 360) + 360) % 360) - 180;
      if (name === "longitude") {
        const edge = Math.max(frame.top + 10, py(globe.ny - 1) + 1);
        const at = ax + ((edge - ay) / (by - ay)) * (bx - ax);
        const inside = at > frame.left + 20 && at < frame.right - 20;
        if (inside && (ay - edge) * (by - edge) <= 0 && ay !== by) labels.push([lineText(degrees, "E", "W"), at, edge, "center"]);
      } else {
        const edge = Math.max(frame.left + 4, px(0) + 1);
        const at = ay + ((edge - ax) / (bx - ax)) * (by - ay);
        const inside = at > frame.top + 24 && at < frame.bottom - 8;
        if (inside && (ax - edge) * (bx - edge) <= 0 && ax !== bx) labels.push([lineText(degrees, "N", "S"), edge, at, "left"]);
      }
    }
  }
  context.save();
  context.beginPath();
  context.rect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
  context.clip();
  context.strokeStyle = colours.ink;
  context.globalAlpha = 0.22;
  context.lineWidth = 0.8;
  context.stroke(path);
  context.restore();
  for (const label of labels) drawRimLabel(map, ...label, colours);
}

function drawAxes(map, colours) {
  const {context} = map;
  const unit = !map.run.facts.metric ? 1 : units.speed === "nautical" ? 1852 : 1000;
  const every = roundStep(90 / map.scale / unit) * unit;
  const frame = visibleFrame(map);
  context.strokeStyle = colours.ink;
  context.globalAlpha = 0.6;
  context.lineWidth = 1;
  context.beginPath();
  const labels = [];
  const text = (value) => String(Number((value / unit).toPrecision(6))).replace("-", MINUS);
  for (let x = Math.ceil(map.planeX(frame.left) / every) * every; map.screenX(x) <= frame.right; x += every) {
    const px = map.screenX(x);
    context.moveTo(px, frame.bottom);
    context.lineTo(px, frame.bottom - 5);
    labels.push([text(x), px, frame.bottom - 12, "center"]);
  }
  for (let y = Math.ceil(map.planeY(frame.bottom) / every) * every; map.screenY(y) >= frame.top; y += every) {
    const py = map.screenY(y);
    context.moveTo(frame.left, py);
    context.lineTo(frame.left + 5, py);
    labels.push([text(y), frame.left + 8, py, "left"]);
  }
  context.stroke();
  context.globalAlpha = 1;
  for (const [label, px, py, align] of labels) {
    if (px > frame.left + 20 || align === "left") drawRimLabel(map, label, px, py, align, colours);
  }
}

function drawRimLabel(map, text, px, py, align, colours) {
  const font = `11px ${FONT}`;
  map.context.font = font;
  drawFreeLabel(map, text, align === "center" ? px - map.context.measureText(text).width / 2 : px, py, colours, font);
}
