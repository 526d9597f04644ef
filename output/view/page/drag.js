// Start and target of a served page: handles over the map, moved by the pointer or by arrow keys.

// 46° 48.00′ N, 126° 00.00′ W; without longitude and latitude, x and y.
function placeText(run, {x, y}) {
  if (!run.globe) return `${figures(x, 4)}, ${figures(y, 4)}`;
  const {longitude, latitude} = run.onGlobe(x, y);
  return `${degreesText(latitude, "N", "S")}, ${degreesText(longitude, "E", "W")}`;
}

// In the form that the server accepts: [longitude, latitude] rounded to a metre, or [x, y].
function coordinatesOf(run, {x, y}) {
  if (!run.globe) return [x, y].map((value) => Number(value.toPrecision(6)));
  const {longitude, latitude} = run.onGlobe(x, y);
  return [longitude, latitude].map((value) => Number(value.toFixed(5)));
}

// The reason that a mission cannot start or end at a place, according to the page's cells; "" if it can.
function placeObstacle(run, kind, {x, y}) {
  if (!cellAt(run.grid, x, y)) return "outside the forecast";
  const {obstacles} = run;
  if (obstacles.cell_stride > 1) return "";  // the page has only some cells; the server checks all
  const maskAt = (k) => run.maskAt(obstacles.first_level + k * obstacles.level_stride, x, y);
  if (kind === "start") {
    const mask = run.maskAt(run.time.departs, x, y);
    return mask === OPEN ? "" : closedWord(run, mask);
  }
  for (let k = 0; k < obstacles.level_count; ++k) if (maskAt(k) === OPEN) return "";
  return closedWord(run, maskAt(0));  // closed at all times
}

// A handle. It calls `drop(kind, place, obstacle)` after a move; `isFree()` reports if moves are allowed.
class Handle {
  constructor(map, kind, {drop, isFree, isPlanning}) {
    Object.assign(this, {map, kind, drop, isFree, isPlanning});
    this.ghost = null;  // its new place, in the plane
    this.grip = null;  // the pointer that moves it
    map.markRadius = 16;
    this.button = element("button", undefined, `handle ${kind}`);
    this.button.type = "button";
    this.label = element("output", undefined, "handle-label");
    this.label.hidden = true;
    map.element.append(this.button, this.label);
    this.listen();
  }

  get home() {
    return this.map.run.facts[this.kind];
  }

  get obstacle() {
    return this.ghost ? placeObstacle(this.map.run, this.kind, this.ghost) : "";
  }

  // Puts the handle at its place on the map.
  place() {
    const {map, button, label} = this;
    const {x, y} = this.ghost ?? this.home;
    const [px, py] = [map.screenX(x), map.screenY(y)];
    const seen = px >= 0 && px <= map.width && py >= 0 && py <= map.height;
    button.hidden = !seen;
    button.style.transform = `translate(${px}px, ${py}px)`;
    label.hidden = !this.ghost || !seen;
    if (!label.hidden) {
      // Above the finger and within the map.
      const {width, height} = label.getBoundingClientRect();
      const top = py - 34 - height;
      label.style.left = `${clamp(px - width / 2, 4, Math.max(4, map.width - width - 4))}px`;
      label.style.top = `${top > 4 ? top : py + 34}px`;
    }
    const named = `${this.kind} ${x} ${y}`;
    if (this.named === named) return;
    this.named = named;
    button.setAttribute("aria-label", `${this.kind === "start" ? "Start" : "Target"}, ${placeText(map.run, {x, y})}. Arrow keys move it, Enter plans.`);
    button.title = `Drag to plan ${this.kind === "start" ? "from" : "to"} another place`;
  }

  moveTo(x, y) {
    this.ghost = {x, y};
    const text = placeText(this.map.run, this.ghost);
    const {obstacle} = this;
    this.button.classList.toggle("bad", obstacle !== "");
    this.label.classList.toggle("bad", obstacle !== "");
    this.label.textContent = obstacle ? `${text}\n${obstacle}` : text;
    this.place();
  }

  // Returns the handle to the place in the run.
  reset() {
    this.ghost = this.grip = null;
    this.button.classList.remove("bad", "dragged");
    this.place();
  }

  release() {
    this.grip = null;
    this.button.classList.remove("dragged");
    if (this.ghost) this.drop(this.kind, this.ghost, this.obstacle);
  }

  listen() {
    const {button, map} = this;
    const {viewport} = map;
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || this.grip || !this.isFree()) return;
      const {x, y} = this.ghost ?? this.home;
      button.setPointerCapture(event.pointerId);
      this.grip = {id: event.pointerId, right: event.clientX - map.screenX(x), down: event.clientY - map.screenY(y), from: [event.clientX, event.clientY]};
      button.classList.add("dragged");
    });
    button.addEventListener("pointermove", (event) => {
      const {grip} = this;
      if (grip?.id !== event.pointerId) return;
      // A tap moves nothing.
      if (!this.ghost && Math.hypot(event.clientX - grip.from[0], event.clientY - grip.from[1]) < 4) return;
      const px = clamp(event.clientX - grip.right, 0, map.width);
      const py = clamp(event.clientY - grip.down, 0, map.height);
      this.moveTo(map.planeX(px), map.planeY(py));
    });
    button.addEventListener("pointerup", (event) => this.grip?.id === event.pointerId && this.release());
    button.addEventListener("pointercancel", (event) => this.grip?.id === event.pointerId && this.reset());
    button.addEventListener("wheel", (event) => {
      event.preventDefault();
      map.canvas.dispatchEvent(new WheelEvent("wheel", event));
    }, {passive: false});
    button.addEventListener("keydown", (event) => {
      const moves = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
      const move = moves[event.key];
      if (!move && !["Enter", "Escape"].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Escape") return this.reset();
      if (event.key === "Enter") return this.release();
      if (!this.isFree()) return;
      // Arrow keys move it by a cell, with Shift by a tenth of one.
      const by = event.shiftKey ? 0.1 : 1;
      const {x, y} = this.ghost ?? this.home;
      this.moveTo(x + by * move[0] * map.run.grid.dx, y + by * move[1] * map.run.grid.dy);
      this.follow(viewport);
    });
    button.addEventListener("blur", () => {
      // A handle that lost the focus after arrow keys moved it.
      if (this.ghost && !this.grip && !this.isPlanning()) this.reset();
    });
  }

  // Scrolls the map to a handle that was moved by keys, and announces its place.
  follow(viewport) {
    const {map} = this;
    const beyond = (at, size) => (at < 30 ? at - 30 : at > size - 30 ? at - size + 30 : 0);
    const [right, down] = [beyond(map.screenX(this.ghost.x), map.width), beyond(map.screenY(this.ghost.y), map.height)];
    if (right !== 0 || down !== 0) viewport.move(right / map.scale, -down / map.scale);
    byId("spoken").textContent = this.label.textContent.replace("\n", ", ");
  }
}
