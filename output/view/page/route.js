// A route that 'tidewise export' wrote, read from a file that the user chooses or drops on the page.

// Reads [{name, at}] from a file's text; `at` is [longitude, latitude] or, with `plane`, [x, y].
function readRoute(text) {
  const start = text.trimStart();
  if (start.startsWith("{")) return readGeoJson(JSON.parse(text));
  if (start.startsWith("<")) return readGpx(text);
  return readCsv(text);
}

function readGeoJson({features = []}) {
  const points = features.filter(({geometry}) => geometry?.type === "Point");
  const named = points.map(({geometry, properties}) => ({name: properties?.name ?? "", at: geometry.coordinates}));
  if (named.length > 0) return named;
  const line = features.find(({geometry}) => geometry?.type === "LineString");
  return (line?.geometry.coordinates ?? []).map((at) => ({name: "", at}));
}

function readGpx(text) {
  const points = new DOMParser().parseFromString(text, "text/xml").querySelectorAll("rtept, wpt");
  return Array.from(points, (point) => ({
    name: point.querySelector("name")?.textContent ?? "",
    at: [Number(point.getAttribute("lon")), Number(point.getAttribute("lat"))],
  }));
}

function readCsv(text) {
  const [head, ...rows] = text.split(/\r?\n/).filter((line) => line && !line.startsWith("#")).map((line) => line.split(","));
  const column = (...names) => head?.findIndex((name) => names.includes(name.trim())) ?? -1;
  const plane = column("x") >= 0;
  const [first, second, name] = plane ? [column("x"), column("y"), column("name")] : [column("lon"), column("lat"), column("name")];
  if (first < 0 || second < 0) return [];
  return rows.map((row) => ({name: row[name] ?? "", at: [Number(row[first]), Number(row[second])], plane}));
}

// x and y of a longitude and latitude, by Newton's method from the nearest node; null outside the grid.
function toPlane(run, longitude, latitude) {
  const radians = Math.PI / 180;
  const [lon, lat] = [longitude * radians, latitude * radians];
  const towards = [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)];
  const {globe, grid} = run;
  const part = (p, n) => run.number("globe_point", p * globe.plane + n);
  let best = 0;
  let nearest = -Infinity;
  for (let n = 0; n < globe.plane; ++n) {
    const cosine = towards[0] * part(0, n) + towards[1] * part(1, n) + towards[2] * part(2, n);
    if (cosine > nearest) [nearest, best] = [cosine, n];
  }
  const [width, height] = [grid.dx * globe.cell_stride, grid.dy * globe.cell_stride];
  let x = grid.x_first + (best % globe.nx) * width;
  let y = grid.y_first + Math.floor(best / globe.nx) * height;
  const deviation = (px, py) => {
    const point = run.onGlobe(px, py);
    const east = ((point.longitude - longitude + 540) % 360) - 180;
    return [east * Math.cos(lat), point.latitude - latitude];
  };
  const within = (value, first, d, count) => clamp(value, first, first + (count - 1) * d);
  for (let iteration = 0; iteration < 8; ++iteration) {
    // Differences point inwards, since there are no values outside the rim.
    const dx = x > grid.x_first + grid.dx ? -grid.dx : grid.dx;
    const dy = y > grid.y_first + grid.dy ? -grid.dy : grid.dy;
    const [e, n] = deviation(x, y);
    const [ex, nx] = deviation(x + dx, y).map((value, k) => (value - [e, n][k]) / dx);
    const [ey, ny] = deviation(x, y + dy).map((value, k) => (value - [e, n][k]) / dy);
    const area = ex * ny - ey * nx;
    if (!area) return null;
    x = within(x - (e * ny - n * ey) / area, grid.x_first, grid.dx, grid.nx);
    y = within(y - (n * ex - e * nx) / area, grid.y_first, grid.dy, grid.ny);
  }
  return Math.hypot(...deviation(x, y)) < 1e-3 ? {x, y} : null;
}

// The waypoints of a file in a run's plane; waypoints outside it are left out.
function routeIn(run, route) {
  return route.flatMap(({name, at, plane}) => {
    if (!at.every(Number.isFinite)) return [];
    const place = plane || !run.globe ? {x: at[0], y: at[1]} : toPlane(run, at[0], at[1]);
    return place && cellAt(run.grid, place.x, place.y) ? [{name, ...place}] : [];
  });
}

const DOWNLOAD_NAMES = {geojson: "GeoJSON", gpx: "GPX", kml: "KML", ma: "Slocum", slocum: "Slocum", csv: "CSV"};

// A link that saves a file in the form of 'tidewise export'.
function downloadOf({name, text}, letter) {
  const link = element("a", letter + (DOWNLOAD_NAMES[name.split(".").at(-1)] ?? name));
  link.download = name;
  link.href = URL.createObjectURL(new Blob([text], {type: "application/octet-stream"}));
  return link;
}

// Shows the route of each run, with links to its files and its warnings. A server makes the files
// on request.
function showRoutes(page) {
  const {runs, server} = page;
  const letterOf = (run) => (runs.length > 1 ? `${"AB"[run.index]} ` : "");
  const links = server ? exportButtons(page) : [];
  for (const run of runs) {
    const files = run.facts.route?.files ?? [];
    if (!server) links.push(...files.map((file) => downloadOf(file, letterOf(run))));
    const shown = files.find(({name}) => name.endsWith(".geojson")) ?? files.find(({name}) => name.endsWith(".csv"));
    if (shown) run.route = routeIn(run, readRoute(shown.text));
  }
  byId("downloads").replaceChildren(...links.flatMap((link) => [link, " "]));
  byId("route-warnings").replaceChildren(...runs.flatMap((run) =>
    (run.facts.route?.warnings ?? []).map((text) => element("li", letterOf(run) + text))));
}

// Shows the route of a file and reports the result below the button.
async function showRoute(page, file) {
  if (!file) return;
  let route = [];
  try {
    route = readRoute(await file.text());
  } catch {
    // not a route; reported below
  }
  page.runs.forEach((run) => (run.route = routeIn(run, route)));
  const shown = page.runs[0].route.length;
  byId("route-said").textContent = shown > 0
    ? `${shown} waypoints of ${file.name}${shown < route.length ? `; ${route.length - shown} more lie outside the map` : ""}.`
    : `${file.name} has no waypoints on this map: 'tidewise export' writes GeoJSON, GPX and CSV files for this page.`;
  page.redraw();
}

function drawRouteLine(map, colours) {
  const {run, context} = map;
  if (!run.route?.length) return;
  const line = new Path2D();
  const marks = new Path2D();
  run.route.forEach(({x, y}, n) => {
    const [px, py] = [map.screenX(x), map.screenY(y)];
    if (n === 0) line.moveTo(px, py);
    else line.lineTo(px, py);
    marks.rect(px - 3.5, py - 3.5, 7, 7);
  });
  context.setLineDash([7, 4]);
  strokeWithHalo(context, line, colours.route, colours.halo, 1.8);
  context.setLineDash([]);
  context.fillStyle = colours.halo;
  context.fill(marks);
  strokeWithHalo(context, marks, colours.route, colours.halo, 1.6);
}

function drawRouteNames(map, colours) {
  for (const {name, x, y} of map.run.route ?? []) {
    if (!["START", "TARGET"].includes(name)) drawFreeLabel(map, name, map.screenX(x) + 8, map.screenY(y) - 7, colours);
  }
}

function listenForRoutes(page) {
  showRoutes(page);
  byId("route-file").addEventListener("change", (event) => showRoute(page, event.target.files[0]));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    showRoute(page, event.dataTransfer.files[0]);
  });
}
