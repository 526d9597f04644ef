// The visible part of the plane, shared by the maps of all runs, and the canvas of each.

// The box of the mission's places and of the flights, with a margin.
function missionBox(runs, box) {
  const places = runs.flatMap((run) => {
    const {start, target, via = [], followed = []} = run.facts;
    const marks = [start, target, ...via].filter(Boolean).flatMap(({x, y, radius = 0, points = [], outlines = []}) =>
      [[x - radius, y - radius], [x + radius, y + radius], ...points, ...outlines.flat()]);
    const flown = Array.from(run.drawn ?? [], (_, n) => n).flatMap((n) =>
      Array.from({length: run.pointCount[n]}, (_, m) => [run.pointX(n * run.maxPoints + m), run.pointY(n * run.maxPoints + m)]));
    return [...marks, ...followed, ...flown];
  });
  const {dx, dy} = runs[0].grid;
  const [min, max] = [[Infinity, Infinity], [-Infinity, -Infinity]];
  for (const place of places) {
    for (const k of [0, 1]) [min[k], max[k]] = [Math.min(min[k], place[k]), Math.max(max[k], place[k])];
  }
  const margin = Math.max(0.08 * Math.max(max[0] - min[0], max[1] - min[1]), 2 * Math.max(dx, dy));
  return {
    west: Math.max(box.west, min[0] - margin), east: Math.min(box.east, max[0] + margin),
    south: Math.max(box.south, min[1] - margin), north: Math.min(box.north, max[1] + margin),
  };
}

class Viewport {
  constructor(runs) {
    this.take(runs);
    this.size = [1, 1];  // of a map's canvas, in pixels
    this.zoom = 1;  // 1: the whole region is visible
    this.home = true;  // shows the mission at any canvas size
  }

  // Takes the region and the mission of other runs; the view stays.
  take(runs) {
    const boxes = runs.map((run) => run.grid);
    const edge = (f, g) => f(...boxes.map(g));
    this.box = {
      west: edge(Math.min, (g) => g.x_first - g.dx / 2),
      east: edge(Math.max, (g) => g.x_first + (g.nx - 0.5) * g.dx),
      south: edge(Math.min, (g) => g.y_first - g.dy / 2),
      north: edge(Math.max, (g) => g.y_first + (g.ny - 0.5) * g.dy),
    };
    this.mission = missionBox(runs, this.box);
  }

  fit({west, east, south, north}) {
    const [width, height] = this.size;
    return 0.98 * Math.min(width / (east - west), height / (north - south));
  }

  // Pixels per unit of length.
  get scale() {
    return this.fit(this.box) * this.zoom;
  }

  resize(width, height) {
    this.size = [width, height];
    if (this.home) this.goHome();
    else this.hold();
  }

  goHome() {
    const {west, east, south, north} = this.mission;
    this.home = true;
    [this.x, this.y] = [(west + east) / 2, (south + north) / 2];
    this.zoom = clamp(this.fit(this.mission) / this.fit(this.box), 1, 64);
    this.hold();
  }

  // Zooms by a factor; the point (x, y) stays where it is.
  zoomBy(factor, x = this.x, y = this.y) {
    const zoom = clamp(this.zoom * factor, 1, 64);
    const by = this.zoom / zoom;
    this.x = x + (this.x - x) * by;
    this.y = y + (this.y - y) * by;
    this.zoom = zoom;
    this.home = false;
    this.hold();
  }

  move(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.home = false;
    this.hold();
  }

  // Keeps the view inside the region if the region is larger than the canvas; otherwise centres the region.
  hold() {
    const within = (at, low, high, pixels) => {
      const half = pixels / this.scale / 2;
      return high - low <= 2 * half ? (low + high) / 2 : clamp(at, low + half, high - half);
    };
    this.x = within(this.x, this.box.west, this.box.east, this.size[0]);
    this.y = within(this.y, this.box.south, this.box.north, this.size[1]);
  }

  // Shows the whole region, or the mission if the whole region is shown already.
  whole() {
    if (this.zoom === 1 && !this.home) return this.goHome();
    this.home = false;
    this.zoom = 1;
    this.hold();
  }
}

class MapView {
  constructor(run, viewport, name) {
    this.viewport = viewport;
    this.element = document.createElement("figure");
    this.element.className = "map";
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.element.append(this.canvas);
    if (name) {
      const caption = document.createElement("figcaption");
      const letter = document.createElement("b");
      letter.textContent = name;
      caption.append(letter, ` ${run.facts.name}`);
      this.time = document.createElement("span");
      caption.append(this.time);
      this.element.append(caption);
    }
    this.context = this.canvas.getContext("2d");
    this.raster = document.createElement("canvas");
    this.mask = document.createElement("canvas");
    this.pointed = null;  // position of the pointer, in the plane
    this.markRadius = 6;  // [px] of the marks of start and target
    this.show(run);
  }

  // Shows another run and drops all that was derived from the previous one.
  show(run) {
    this.run = run;
    this.canvas.setAttribute("aria-label", `Map of ${run.facts.name}`);
    this.maskKey = this.beyondBase = this.beyond = this.regionKey = this.regions = undefined;
  }

  // Takes its size from the page.
  resize() {
    const {width, height} = this.canvas.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    this.width = Math.max(width, 1);
    this.height = Math.max(height, 1);
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.viewport.resize(this.width, this.height);
  }

  get scale() {
    return this.viewport.scale;
  }
  screenX(x) {
    return this.width / 2 + (x - this.viewport.x) * this.scale;
  }
  screenY(y) {
    return this.height / 2 - (y - this.viewport.y) * this.scale;
  }
  planeX(px) {
    return this.viewport.x + (px - this.width / 2) / this.scale;
  }
  planeY(py) {
    return this.viewport.y - (py - this.height / 2) / this.scale;
  }

  // The drawn flight nearest to a point of the canvas, within some pixels; −1 for none.
  flightNear(px, py, level) {
    if (!this.run.facts.flights) return -1;
    const place = {};
    let nearest = -1;
    let min = 10;
    for (let n = 0; n < this.run.drawn.length; ++n) {
      this.run.placeOf(n, level, place);
      const distance = Math.hypot(this.screenX(place.x) - px, this.screenY(place.y) - py);
      if (distance >= min) continue;
      min = distance;
      nearest = n;
    }
    return nearest;
  }
}

// Handles moves, drags, wheel turns and pinches of the pointer, and calls the functions of `handlers`.
function watchMap(map, handlers) {
  const {canvas, viewport} = map;
  const fingers = new Map();
  let moved = 0;
  const local = (event) => {
    const box = canvas.getBoundingClientRect();
    return {px: event.clientX - box.left, py: event.clientY - box.top};
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, local(event));
    moved = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const now = local(event);
    const previous = fingers.get(event.pointerId);
    if (previous) {
      const otherFingers = [...fingers.keys()].filter((id) => id !== event.pointerId);
      if (otherFingers.length === 1) {
        const other = fingers.get(otherFingers[0]);
        const distance = (a) => Math.max(Math.hypot(a.px - other.px, a.py - other.py), 1);
        viewport.zoomBy(distance(now) / distance(previous), map.planeX(other.px), map.planeY(other.py));
      } else if (otherFingers.length === 0) {
        viewport.move((previous.px - now.px) / map.scale, (now.py - previous.py) / map.scale);
      }
      moved += Math.hypot(now.px - previous.px, now.py - previous.py);
      fingers.set(event.pointerId, now);
      handlers.view();
    }
    if (event.pointerType !== "touch") handlers.point(map, now, event);  // a finger reads the map by a tap
  });
  const lift = (event) => {
    if (fingers.delete(event.pointerId) && moved < 5 && event.type === "pointerup") {
      handlers.point(map, local(event), event);
      handlers.click(map, local(event));
    }
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && handlers.leave(map));
  canvas.addEventListener("dblclick", (event) => {
    const {px, py} = local(event);
    viewport.zoomBy(2, map.planeX(px), map.planeY(py));
    handlers.view();
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const {px, py} = local(event);
    const lines = event.deltaMode === 1 ? 16 : 1;
    viewport.zoomBy(Math.exp(-0.0016 * lines * event.deltaY), map.planeX(px), map.planeY(py));
    handlers.view();
  }, {passive: false});
}
