// Draws the share of flights that have arrived, over time.

// Labels an axis of shares: percentages if all runs have probabilities.
function shareText(runs, share) {
  if (runs.every((run) => run.facts.has_probability)) return `${100 * share} %`;
  return share === 0 ? "none" : share === 1 ? "all" : "half";
}

// Text such as 98.5 % or 8 of 9; 0 % and 100 % are possible, unlike in chanceText().
function arrivedText(run, share) {
  const {count} = run.facts.flights;
  if (run.facts.has_probability && (share === 0 || share > 1 - 1e-9)) return share === 0 ? "0 %" : "100 %";
  return run.facts.has_probability ? chanceText(share, count) : `${Math.round(share * count)} of ${count}`;
}

function drawArrivals(runs, clock, time) {
  const section = byId("arrivals");
  const flown = runs.filter((run) => run.facts.flights);
  section.hidden = flown.length === 0 || flown.some(keeps);
  if (section.hidden) return;
  const canvas = section.querySelector("canvas");
  const {context, width, height} = clearCanvas(canvas);
  const colours = paper();
  // The axis spans the first to the last arrival, or the whole time if no flight arrives.
  const times = flown.flatMap((run) => run.arrivalLevels.map((level) => clock.timeOf(run, level)));
  // Math.min(...times) would fail: a call takes about 100 000 arguments.
  const ends = times.length > 0 ? times.reduce(([first, last], level) => [Math.min(first, level), Math.max(last, level)], [Infinity, -Infinity]) : [clock.first, clock.last];
  const margin = Math.max(0.04 * (ends[1] - ends[0]), flown[0].time.step);
  const [first, last] = [Math.max(ends[0] - margin, clock.first), Math.min(ends[1] + margin, clock.last)];
  const box = {left: 42, right: width - 6, top: 8, bottom: height - 20};
  const px = (at) => box.left + ((at - first) / (last - first)) * (box.right - box.left);
  const py = (share) => box.bottom - share * (box.bottom - box.top);
  context.font = `11px ${FONT}`;
  context.fillStyle = colours.faint;
  context.strokeStyle = colours.faint;
  context.globalAlpha = 0.6;
  context.lineWidth = 1;
  for (const share of [0, 0.5, 1]) {
    context.beginPath();
    context.moveTo(box.left, Math.round(py(share)) + 0.5);
    context.lineTo(box.right, Math.round(py(share)) + 0.5);
    context.stroke();
  }
  context.globalAlpha = 1;
  context.fillStyle = colours.ink;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (const share of [0, 0.5, 1]) context.fillText(shareText(flown, share), box.left - 4, py(share));
  drawTimeAxis(context, clock, {...box, top: box.bottom, first, last});
  flown.forEach((run) => {
    context.beginPath();
    context.moveTo(px(first), py(0));
    let share = 0;
    run.arrivalLevels.forEach((level, n) => {
      const at = px(clock.timeOf(run, level));
      context.lineTo(at, py(share));
      share = run.arrivalShares[n];
      context.lineTo(at, py(share));
    });
    context.lineTo(px(last), py(share));
    context.strokeStyle = colours.accent;
    context.lineWidth = 1.8;
    context.setLineDash(run.index === 0 ? [] : [4, 3]);
    context.stroke();
    context.setLineDash([]);
  });
  flown.forEach((run) => {
    if (time < first || time > last) return;
    const share = run.arrivedBy(clock.levelOf(run, time));
    context.strokeStyle = colours.ink;
    context.lineWidth = 1;
    context.globalAlpha = 0.5;
    context.beginPath();
    context.moveTo(px(time), box.top);
    context.lineTo(px(time), box.bottom);
    context.stroke();
    context.globalAlpha = 1;
    context.beginPath();
    context.arc(px(time), py(share), 3.2, 0, 2 * Math.PI);
    context.fillStyle = colours.ink;
    context.fill();
  });
  canvas.setAttribute("aria-label", flown.map((run) => {
    const last = run.arrivalShares.at(-1) ?? 0;
    return `${arrivedText(run, last)} of the flights of ${run.facts.name} arrive`;
  }).join("; "));
}
