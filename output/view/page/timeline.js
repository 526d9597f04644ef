// The clock of the page. Its time is seconds since 1970; without dates, the environment's own time; for runs
// linked by departure, the time since each run's departure.

class Clock {
  constructor(runs) {
    this.runs = runs;
    this.by = "time";
  }

  // The page's time at a level of a run.
  timeOf(run, level) {
    const from = this.by === "time" ? run.zero : -run.time.departs * run.time.step;
    return from + level * run.time.step;
  }

  levelOf(run, time) {
    return (time - this.timeOf(run, 0)) / run.time.step;
  }

  get first() {
    return Math.min(...this.runs.map((run) => this.timeOf(run, run.time.departs)));
  }
  get last() {
    return Math.max(...this.runs.map((run) => this.timeOf(run, run.time.to_level)));
  }

  // The time `levels` levels of the first run later, at a whole level.
  stepped(time, levels) {
    const level = this.levelOf(this.runs[0], time);
    const whole = levels > 0 ? Math.floor(level + 1e-6) + levels : Math.ceil(level - 1e-6) + levels;
    return clamp(this.timeOf(this.runs[0], whole), this.first, this.last);
  }

  get dated() {
    return this.by === "time" && this.runs[0].time.origin !== null;
  }
}

// About `max` ticks of the clock's time from `first` to `last`, at midnights or at round times.
function timeTicks(clock, first, last, max) {
  const length = last - first;
  const ticks = [];
  const [unit, name] = !clock.runs[0].facts.metric ? [1, ""] : units.duration === "days" ? [86400, " d"] : [3600, " h"];
  const every = clock.dated ? dateStep(length, max) : unit * roundStep(length / unit / max);
  for (let time = Math.ceil(first / every) * every; time <= last + 1e-9 * length; time += every) {
    ticks.push({time, label: clock.dated ? dateLabel(time) : `${Number((time / unit).toPrecision(6))}${name}`});
  }
  return ticks;
}

// Hours, or whole days, between at most `max` ticks.
function dateStep(length, max) {
  const hours = [1, 2, 3, 6, 12, 24].find((step) => length / 3600 / step <= max);
  return 3600 * (hours ?? 24 * Math.ceil(length / 86400 / max));
}

// 29 Oct at midnight, otherwise 18:00.
function dateLabel(seconds) {
  return timeOfDay(seconds) === "00:00" ? dayText(seconds) : timeOfDay(seconds);
}

function roundStep(min) {
  const size = 10 ** Math.floor(Math.log10(min));
  return ([1, 2, 5].find((n) => n * size >= min) ?? 10) * size;
}

// Draws ticks and labels; `left` and `right` are the places of `first` and `last`. Labels that would touch are left out.
function drawTimeAxis(context, clock, {left, right, top, first, last}) {
  const {ink, faint} = paper();
  context.font = `11px ${FONT}`;
  context.textBaseline = "top";
  context.textAlign = "center";
  context.fillStyle = ink;
  context.strokeStyle = faint;
  context.lineWidth = 1;
  let free = -Infinity;
  for (const {time, label} of timeTicks(clock, first, last, Math.max(2, Math.round((right - left) / 52)))) {
    const px = left + ((time - first) / (last - first)) * (right - left);
    context.beginPath();
    context.moveTo(px, top);
    context.lineTo(px, top + 4);
    context.stroke();
    const half = context.measureText(label).width / 2;
    const at = clamp(px, half, context.canvas.width / (window.devicePixelRatio || 1) - half);
    if (at - half < free + 6) continue;
    context.fillText(label, at, top + 6);
    free = at + half;
  }
}

// Below the slider; the middle of the thumb stays half its width away from both ends.
function drawTicks(clock) {
  const {context, width} = clearCanvas(byId("ticks"));
  const thumb = 16;
  drawTimeAxis(context, clock, {left: thumb / 2, right: width - thumb / 2, top: 22, first: clock.first, last: clock.last});
}

// Calls `advance` in each frame with the seconds since the last one, until it is stopped.
class Player {
  constructor(advance) {
    this.advance = advance;
    this.running = false;
  }

  start() {
    if (this.running) return;
    this.running = true;
    let before = performance.now();
    const frame = (now) => {
      if (!this.running) return;
      this.advance(Math.max(0, Math.min(now - before, 250)) / 1000);
      before = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  stop() {
    this.running = false;
  }
}
