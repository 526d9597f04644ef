// A run: its arrays and facts, and values by place and time. Times are levels of its environment, including
// fractions; places are x and y of its plane.

// Outcomes of flights in the order of their codes, as in solver/fly/trajectory.h.
const OUTCOMES = ["arrived", "hit an obstacle", "left the domain", "ran out of time", "ran out of energy",
  "reached water without an action", "left the forecast"];

// For station keeping and target following, running out of time is no failure.
const outcomeText = (run, kind) =>
  kind === 3 && ["stay", "follow"].includes(run.facts.objective) ? "lasted until the end" : OUTCOMES[kind];

// States of a cell, as in an environment's mask; all but the first are closed.
const [OPEN, CLOSED, BEYOND] = [0, 1, 2];

// Text for a closed cell; only environments on the globe have land.
function closedWord(run, kind) {
  if (kind === BEYOND) return "outside the forecast";
  return run.globe ? "land or obstacle" : "obstacle";
}

class Run {
  constructor(facts, arrays, index) {
    this.facts = facts;
    this.arrays = arrays;
    this.index = index;
    this.grid = facts.grid;
    this.time = facts.time;
    // Time of the first level, on the clock of the page.
    this.zero = (facts.time.origin ?? 0) + facts.time.first;
    const lattice = (description) => (description ? new Lattice(description, facts.grid) : null);
    this.policy = lattice(facts.policy);
    this.obstacles = lattice(facts.obstacles);
    this.flow = lattice(facts.flow);
    this.reach = lattice(facts.reach);
    this.corridor = lattice(facts.corridor);
    this.globe = lattice(facts.globe);
    // Profiles among which the vehicle chooses: name, and ranges of depths [m], empty if unknown.
    this.profiles = facts.profiles ?? [];
    this.closedKinds = [CLOSED, BEYOND].filter((kind) => arrays.closed.data.includes(kind));
    this.frames = new Map();
    if (facts.flights) this.readFlights();
  }

  number(name, n) {
    const array = this.arrays[name];
    return array.offset + array.step * array.data[n];
  }

  has(name) {
    return name in this.arrays;
  }

  // ---- Obstacles and policy

  // OPEN, CLOSED or BEYOND.
  maskAt(level, x, y) {
    const node = this.obstacles.nodeAt(x, y);
    if (node < 0) return OPEN;
    return this.arrays.closed.data[this.obstacles.levelBefore(level) * this.obstacles.plane + node];
  }

  closedAt(level, x, y) {
    return this.maskAt(level, x, y) !== OPEN;
  }

  // With action holds, the last level at which the plan decided; otherwise the level itself.
  decisionBefore(level) {
    const hold = this.facts.decide_every;
    if (!hold) return level;
    const first = hold.level % hold.steps;
    const last = Math.floor((level - first + 1e-9) / hold.steps) * hold.steps + first;
    return last < 0 ? level : last;
  }

  // Index of the chosen action, −1 for none.
  actionAt(level, x, y) {
    const node = this.policy.nodeAt(x, y);
    if (node < 0) return -1;
    return this.arrays.action.data[this.policy.levelBefore(this.decisionBefore(level)) * this.policy.plane + node];
  }

  // NaN if the state has no value.
  valueAt(level, x, y) {
    const node = this.policy.nodeAt(x, y);
    if (node < 0) return NaN;
    const n = this.policy.levelBefore(level) * this.policy.plane + node;
    return this.arrays.value.data[n] === GAP ? NaN : this.number("value", n);
  }

  // ---- Flow

  // Index of a realization's column among those in the page, or of the nearest one.
  columnOf(realization) {
    const numbers = this.arrays.realization.data;
    let best = 0;
    for (let n = 1; n < numbers.length; ++n) {
      if (Math.abs(numbers[n] - realization) < Math.abs(numbers[best] - realization)) best = n;
    }
    return best;
  }

  // A component of the velocity of a profile, given by its number.
  velocity(name, profile) {
    return this.arrays[profile === 0 ? name : `${name}_${profile}`];
  }

  // Index in its array at which a mode of a kept level begins.
  modeStart(k, m) {
    const {fixed_modes: fixed, mode_count: modes} = this.facts.flow;
    return (fixed ? m : k * modes + m) * this.flow.plane;
  }

  // u and v of a profile on the nodes at a level. realization: its number, or null for the mean.
  flowFrame(level, realization, profile) {
    return this.keepFrame(`flow ${level} ${realization} ${profile}`, () => {
      const {plane} = this.flow;
      const modes = this.facts.flow.mode_count;
      const {first, second, part} = this.flow.levelsAround(level);
      const u = new Float32Array(plane);
      const v = new Float32Array(plane);
      for (const [k, share] of [[first, 1 - part], [second, part]]) {
        if (share === 0) continue;
        addScaled(u, this.velocity("u_mean", profile), k * plane, share);
        addScaled(v, this.velocity("v_mean", profile), k * plane, share);
        if (realization === null) continue;
        const column = this.columnOf(realization);
        const columns = this.arrays.realization.data.length;
        for (let m = 0; m < modes; ++m) {
          const weight = share * this.number("coefficient", (k * modes + m) * columns + column);
          addScaled(u, this.velocity("u_mode", profile), this.modeStart(k, m), weight);
          addScaled(v, this.velocity("v_mode", profile), this.modeStart(k, m), weight);
        }
      }
      return {u, v};
    });
  }

  // The standard deviation of a profile's velocity on the nodes, √(var u + var v), at a kept level.
  spreadPlane(k, profile) {
    return this.keepFrame(`spread ${k} ${profile}`, () => {
      const {plane} = this.flow;
      const modes = this.facts.flow.mode_count;
      const variance = new Float32Array(plane);
      const part = new Float32Array(plane);
      const columns = this.arrays.realization.data.length;
      for (const name of ["u_mode", "v_mode"]) {
        const array = this.velocity(name, profile);
        const {data, step} = array;
        if (!this.arrays.covariance) {  // fewer realizations than modes
          const mean = new Float32Array(plane);
          for (let r = 0; r < columns; ++r) {
            part.fill(0);
            for (let m = 0; m < modes; ++m) {
              const c = this.number("coefficient", (k * modes + m) * columns + r);
              addScaled(part, array, this.modeStart(k, m), c);
            }
            for (let n = 0; n < plane; ++n) {
              mean[n] += part[n] / columns;
              variance[n] += part[n] * part[n] / columns;
            }
          }
          for (let n = 0; n < plane; ++n) variance[n] -= mean[n] * mean[n];
          continue;
        }
        for (let m = 0; m < modes; ++m) {
          part.fill(0);
          for (let l = 0; l < modes; ++l) {
            const c = this.number("covariance", (k * modes + m) * modes + l);
            addScaled(part, array, this.modeStart(k, l), c);
          }
          const from = this.modeStart(k, m);
          for (let n = 0; n < plane; ++n) variance[n] += step * data[from + n] * part[n];
        }
      }
      for (let n = 0; n < plane; ++n) variance[n] = Math.sqrt(Math.max(variance[n], 0));
      return variance;
    });
  }

  // A plane interpolated between two levels; `planeOf` returns the plane of a kept level.
  between(lattice, level, planeOf) {
    const {first, second, part} = lattice.levelsAround(level);
    const a = planeOf(first);
    if (part === 0) return a;
    const b = planeOf(second);
    return a.map((value, n) => value + part * (b[n] - value));
  }

  spreadFrame(level, profile) {
    return this.between(this.flow, level, (k) => this.spreadPlane(k, profile));
  }

  scalarFrame(level) {
    return this.between(this.flow, level, (k) => {
      const plane = new Float32Array(this.flow.plane);
      addScaled(plane, this.arrays.scalar, k * this.flow.plane, 1);
      return plane;
    });
  }

  flowAt(level, x, y, realization, profile) {
    const {u, v} = this.flowFrame(level, realization, profile);
    const around = this.flow.around(x, y);
    return {u: this.flow.blend(around, (n) => u[n]), v: this.flow.blend(around, (n) => v[n])};
  }

  // Caches the last few frames, so that pointing at the map is fast.
  keepFrame(key, make) {
    let frame = this.frames.get(key);
    if (!frame) {
      frame = make();
      if (this.frames.size > 24) this.frames.delete(this.frames.keys().next().value);
      this.frames.set(key, frame);
    }
    return frame;
  }

  // ---- The globe

  // {longitude, latitude, convergence} in degrees.
  onGlobe(x, y) {
    const around = this.globe.around(x, y);
    const {plane} = this.globe;
    const part = (name, p) => this.globe.blend(around, (n) => this.number(name, p * plane + n));
    const [a, b, c] = [0, 1, 2].map((p) => part("globe_point", p));
    const degrees = 180 / Math.PI;
    return {
      longitude: Math.atan2(b, a) * degrees,
      latitude: Math.atan2(c, Math.hypot(a, b)) * degrees,
      convergence: Math.atan2(part("convergence", 1), part("convergence", 0)) * degrees,
    };
  }

  // Degrees clockwise from true north of an angle counter-clockwise from +x.
  bearing(angle, x, y) {
    const bearing = 90 - (angle * 180) / Math.PI + this.onGlobe(x, y).convergence;
    return ((bearing % 360) + 360) % 360;
  }

  // ---- Flights

  readFlights() {
    const count = this.facts.flights.count;
    this.flightCount = count;
    this.endLevel = Float64Array.from({length: count}, (_, n) => this.number("end_time", n) / this.time.step);
    this.outcome = this.arrays.outcome.data;
    this.drawn = this.arrays.drawn.data;
    this.pointCount = this.arrays.point_count.data;
    this.maxPoints = this.arrays.track_x.shape[1];
    const weight = (n) => (this.has("weight") ? this.number("weight", n) : 1);
    let total = 0;
    for (let n = 0; n < count; ++n) total += weight(n);
    const arrived = Array.from({length: count}, (_, n) => n).filter((n) => this.outcome[n] === 0);
    arrived.sort((a, b) => this.endLevel[a] - this.endLevel[b]);
    this.arrivalLevels = arrived.map((n) => this.endLevel[n]);
    let sum = 0;
    this.arrivalShares = arrived.map((n) => (sum += weight(n) / total));
  }

  // The share of all flights that have arrived by a level.
  arrivedBy(level) {
    const levels = this.arrivalLevels;
    let low = 0;
    let high = levels.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (levels[middle] <= level + 1e-9) low = middle + 1;
      else high = middle;
    }
    return low > 0 ? this.arrivalShares[low - 1] : 0;
  }

  // Position of a point of the tracks.
  pointX(n) {
    const {data, step, offset} = this.arrays.track_x;
    return offset + step * data[n];
  }
  pointY(n) {
    const {data, step, offset} = this.arrays.track_y;
    return offset + step * data[n];
  }

  // Profile of the n-th drawn flight from its m-th point on.
  profileOfPoint(n, m) {
    return this.arrays.track_profile.data[n * this.maxPoints + m];
  }

  // Seconds, or steps, since the departure, which may lie between two levels.
  sinceDeparture(level) {
    return (level - this.time.departs) * this.time.step;
  }

  // Level at which the n-th drawn flight passed its m-th point.
  levelOfPoint(n, m) {
    if (m === 0) return this.time.departs;
    return m + 1 === this.pointCount[n] ? this.endLevel[this.drawn[n]] : this.time.from_level + m;
  }

  // Writes the position of the n-th drawn flight at a level into `place`: x, y, the points passed, ended.
  placeOf(n, level, place) {
    const last = this.pointCount[n] - 1;
    const base = n * this.maxPoints;
    const end = this.endLevel[this.drawn[n]];
    const since = level - this.time.from_level;
    place.ended = level >= end;
    if (level <= this.time.departs || last === 0 || place.ended) {
      place.passed = place.ended ? last : 0;
      place.x = this.pointX(base + place.passed);
      place.y = this.pointY(base + place.passed);
      return place;
    }
    const m = Math.min(Math.floor(since), last - 1);
    const from = this.levelOfPoint(n, m);
    const length = this.levelOfPoint(n, m + 1) - from;
    const part = length > 0 ? (level - from) / length : 1;
    place.passed = m;
    place.x = (1 - part) * this.pointX(base + m) + part * this.pointX(base + m + 1);
    place.y = (1 - part) * this.pointY(base + m) + part * this.pointY(base + m + 1);
    return place;
  }
}

function addScaled(sum, array, from, weight) {
  const {data, step, offset} = array;
  const scale = step * weight;
  const shift = offset * weight;
  for (let n = 0; n < sum.length; ++n) sum[n] += shift + scale * data[from + n];
}
