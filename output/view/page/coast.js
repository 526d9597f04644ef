// The coastline, as Natural Earth has it.

// In the plane; made once.
function coastPath(run) {
  if (run.coast) return run.coast;
  run.coast = new Path2D();
  const begins = new Set(run.arrays.coast_begin.data);
  for (let n = 0; n < run.arrays.coast_x.data.length; ++n) {
    const at = [run.number("coast_x", n), run.number("coast_y", n)];
    if (begins.has(n)) run.coast.moveTo(...at);
    else run.coast.lineTo(...at);
  }
  return run.coast;
}

function drawCoast(map, colours) {
  const {run, context, scale} = map;
  if (!run.has("coast_x")) return;
  const path = new Path2D();
  path.addPath(coastPath(run), new DOMMatrix([scale, 0, 0, -scale, map.screenX(0), map.screenY(0)]));
  context.save();
  context.beginPath();
  context.rect(...gridBox(map));
  context.clip();
  context.strokeStyle = colours.coast;
  context.lineWidth = 1.1;
  context.lineJoin = "round";
  context.stroke(path);
  context.restore();
}
