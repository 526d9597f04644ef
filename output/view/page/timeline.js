// The clock of the page. Its time is seconds since 1970, or the environment's own where that has no
// dates, or, linked by departures, the time since each run's own.

class Clock {
  constructor(runs) {
    this.runs = runs;
    this.by = "time";
  }

  // What the page's time is when a run is at a level.
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

  // The time of so many levels of the first run on from here; whole levels.
  stepped(time, levels) {
    const level = this.levelOf(this.runs[0], time);
    const whole = levels > 0 ? Math.floor(level + 1e-6) + levels : Math.ceil(level - 1e-6) + levels;
    return clamp(this.timeOf(this.runs[0], whole), this.first, this.last);
  }

  get dated() {
    return this.by === "time" && this.runs[0].time.origin !== null;
  }
}

// Ticks at midnights, or at round times.
function timeTicks(clock) {
  const length = clock.last - clock.first;
  const ticks = [];
  const [unit, name] = !clock.runs[0].facts.metric ? [1, ""] : units.duration === "days" ? [86400, " d"] : [3600, " h"];
  const every = clock.dated ? dateStep(length) : unit * roundStep(length / unit / 6);
  for (let time = Math.ceil(clock.first / every) * every; time <= clock.last + 1e-9 * length; time += every) {
    const label = clock.dated ? dateLabel(time) : `${Number((time / unit).toPrecision(6))}${name}`;
    ticks.push({part: (time - clock.first) / length, label});
  }
  return ticks;
}

// Hours or whole days, of which some seven are seen.
function dateStep(length) {
  const hours = [1, 2, 3, 6, 12, 24].find((step) => length / 3600 / step <= 8);
  return 3600 * (hours ?? 24 * Math.ceil(length / 86400 / 8));
}

// 29 Oct at midnight, else 18:00.
function dateLabel(seconds) {
  const text = new Date(seconds * 1000).toISOString();
  if (!text.includes("T00:00")) return text.slice(11, 16);
  return new Date(seconds * 1000).toLocaleDateString("en-GB", {day: "numeric", month: "short", timeZone: "UTC"});
}

function roundStep(least) {
  const size = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((n) => n * size >= least) ?? 10) * size;
}

// Below the slider; the thumb's middle goes from half its width to half its width before the end.
function drawTicks(clock) {
  const canvas = byId("ticks");
  const {context, width, height} = clearCanvas(canvas);
  const colours = paper();
  const thumb = 16;
  context.font = `11px ${FONT}`;
  context.textBaseline = "bottom";
  context.fillStyle = colours.ink;
  context.strokeStyle = colours.faint;
  let free = -Infinity;
  for (const {part, label} of timeTicks(clock)) {
    const px = thumb / 2 + part * (width - thumb);
    context.beginPath();
    context.moveTo(px, height - 17);
    context.lineTo(px, height - 13);
    context.stroke();
    const half = context.measureText(label).width / 2;
    const at = clamp(px, half, width - half);
    if (at - half < free + 6) continue;
    context.textAlign = "center";
    context.globalAlpha = 0.75;
    context.fillText(label, at, height);
    context.globalAlpha = 1;
    free = at + half;
  }
}

// Calls `advance` with the seconds that went by, each frame while it runs.
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
