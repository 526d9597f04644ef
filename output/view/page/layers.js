// Draws a map from the background up. `state` holds the user's choices (page.js), `level` is the run's.

// Clears a canvas and fits it to the screen's resolution: its context, in the page's pixels, and its size in them.
function clearCanvas(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const {width, height} = canvas.getBoundingClientRect();
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  return {context, width, height};
}

function paper() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    water: colour("water"),
    closed: {[CLOSED]: colour("land"), [BEYOND]: colour("beyond")},
    hatch: colour("hatch"),
    ink: colour("ink"),
    halo: colour("halo"),
    faint: colour("faint"),
    accent: colour("accent"),
    arrow: colour("arrow"),
    policy: colour("policy"),
    route: colour("route"),
    coast: colour("coast"),
    depth: colour("depth"),
    regions: {chance: colour("accent"), late: colour("late"), corridor: colour("corridor")},
  };
}

function drawMap(map, state, level) {
  const colours = paper();
  map.context.clearRect(0, 0, map.width, map.height);
  map.context.fillStyle = colours.water;
  map.context.fillRect(...gridBox(map));
  drawBackground(map, state, level);
  drawRegions(map, state, level, colours);
  drawObstacles(map, level, colours);
  drawEarthLines(map, state, colours);
  drawFrame(map, colours);
  if (state.showFlow) drawFlowArrows(map, state, level, colours);
  if (state.showPolicy && map.run.has("action")) drawPolicyArrows(map, state, level, colours);
  if (state.showFlights) drawFlights(map, state, level, colours);
  map.labels = [];
  if (state.showRoute) drawRouteLine(map, colours);
  drawPlaces(map, colours);
  if (state.showRoute) drawRouteNames(map, colours);
  if (state.showNames) drawNames(map, colours);
  drawPointedCell(map, colours);
  if (state.showRim) drawRim(map, colours);
  drawScaleBar(map, colours);
  drawNorth(map, colours);
}
