// Coastline, depth contours and names, from Natural Earth.

const EARTH_LINES = {
  depth_1000: {name: "1000 m depth", style: "depth", dashes: [6, 3], width: 0.9},
  depth_200: {name: "200 m depth", style: "depth", dashes: [], width: 0.9},
  coast: {name: "coastline", style: "coast", dashes: [], width: 1.1},
};

const earthLinesOf = (run) => Object.keys(EARTH_LINES).filter((kind) => run.has(`${kind}_x`));

// The path of lines in the plane, computed once.
function earthPath(run, kind) {
  run.earthPaths ??= {};
  if (run.earthPaths[kind]) return run.earthPaths[kind];
  const path = (run.earthPaths[kind] = new Path2D());
  const begins = new Set(run.arrays[`${kind}_begin`].data);
  for (let n = 0; n < run.arrays[`${kind}_x`].data.length; ++n) {
    const at = [run.number(`${kind}_x`, n), run.number(`${kind}_y`, n)];
    if (begins.has(n)) path.moveTo(...at);
    else path.lineTo(...at);
  }
  return path;
}

function drawEarthLines(map, state, colours) {
  const {run, context, scale} = map;
  context.save();
  context.lineJoin = "round";
  for (const kind of earthLinesOf(run)) {
    const {style, dashes, width} = EARTH_LINES[kind];
    if (style === "depth" && !state.showDepths) continue;
    const path = new Path2D();
    path.addPath(earthPath(run, kind), new DOMMatrix([scale, 0, 0, -scale, map.screenX(0), map.screenY(0)]));
    context.strokeStyle = colours[style];
    context.lineWidth = width;
    context.setLineDash(dashes);
    context.stroke(path);
  }
  context.restore();
}

// Draws names, the most important ones first.
function drawNames(map, colours) {
  const {run, context} = map;
  for (const [name, x, y, isSea] of run.facts.names ?? []) {
    const [px, py] = [map.screenX(x), map.screenY(y)];
    const font = `${isSea ? "italic " : ""}12px ${FONT}`;
    context.font = font;
    const left = isSea ? px - context.measureText(name).width / 2 : px + 6;
    if (drawFreeLabel(map, name, left, py, colours, font) && !isSea) {
      context.beginPath();
      context.arc(px, py, 2.2, 0, 2 * Math.PI);
      context.fillStyle = colours.ink;
      context.fill();
    }
  }
}
