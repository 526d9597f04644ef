// Probability and time of arrival by departure. The curves are those of the first run that has them, on the
// clock of the page.

function departuresOf(run) {
  const {departures} = run.facts;
  if (!departures) return null;
  const time = (level) => (level === null ? NaN : run.zero + level * run.time.step);
  return departures.level.map((level, n) => ({
    leave: time(level),
    arrive: time(departures.arrival[n]),
    early: time(departures.arrival_p05[n]),
    late: time(departures.arrival_p95[n]),
    chance: departures.chance[n],
    step: departures.rounding[n],
    best: n === departures.best,
    earliest: n === departures.earliest,
    noDifferent: departures.no_different.includes(n),
  }));
}

// 29 Oct, with the time of day if the axis spans at most two days; without dates, a number.
function axisText(run, seconds, length) {
  if (run.time.origin === null) return figures(seconds, 3);
  return length > 2 * 86400 ? dayText(seconds) : `${dayText(seconds)} ${timeOfDay(seconds)}`;
}

// The first lines that 'tidewise departures' prints.
function departuresText(run, departures) {
  const {flights, sampled} = run.facts.departures;
  const moment = (time) => clockText(run, (time - run.zero) / run.time.step);
  const words = ({leave, arrive, chance, step}) => `leave ${moment(leave)}, arrival ${moment(rounded(arrive, step))} (after ${durationText(run, arrive - leave, step)}), ` +
    (run.facts.has_probability ? `probability ${chanceText(chance, flights)}` : `${Math.round(chance * flights)} of ${flights} simulated missions arrive`);
  const [best, earliest] = ["best", "earliest"].map((kind) => departures.find((one) => one[kind]));
  const same = departures.filter((one) => one.noDifferent && !one.best);
  const lines = best ? [`Earliest arrival: ${words(earliest)}.`] : ["No flight arrives, whatever the departure."];
  if (best && best !== earliest) lines.push(`Best for ${OBJECTIVES[run.facts.objective] ?? "the mission"}: ${words(best)}.`);
  if (same.length > 0) lines.push(`As good within the noise: ${same.length} later, the last of them ${moment(same.at(-1).leave)}.`);
  lines.push(`${departures.length} departures, ${flights} flights from each${sampled ? "; a sample: 'tidewise departures' compares all" : ""}.`);
  return lines.join(" ");
}

function drawDepartures(runs) {
  const section = byId("departures");
  const run = runs.find((one) => one.facts.departures);
  section.hidden = !run;
  if (!run) return;
  const all = departuresOf(run);
  const text = departuresText(run, all);
  const arrives = all.filter((one) => one.chance > 0);
  // Up to the first departure after the last one from which a flight arrives.
  const departures = arrives.length > 0 ? all.slice(0, Math.max(2, all.indexOf(arrives.at(-1)) + 2)) : all;
  section.querySelector("p").textContent = runs.length > 1 ? `${"AB"[run.index]}: ${text}` : text;
  const canvas = section.querySelector("canvas");
  canvas.setAttribute("aria-label", `Arrival time and probability by departure. ${text}`);
  const {context, width, height} = clearCanvas(canvas);
  context.font = `11px ${FONT}`;
  const when = {top: 8, bottom: height - 66, min: Math.min(...arrives.map((one) => one.early)), max: Math.max(...arrives.map((one) => one.late))};
  const chance = {top: height - 50, bottom: height - 20, min: 0, max: 1};
  const [first, last] = [departures[0].leave, departures.at(-1).leave];
  // If no flight arrives, the axis has no times to label.
  const times = arrives.length > 0 ? [when.min, when.max] : [];
  const widths = times.map((time) => context.measureText(axisText(run, time, when.max - when.min)).width);
  const left = Math.max(46, ...widths.map((text) => Math.ceil(text) + 6));
  const right = width - 6;
  const px = (time) => left + ((time - first) / (last - first)) * (right - left);
  const py = (box, value) => box.bottom - ((value - box.min) / (box.max - box.min || 1)) * (box.bottom - box.top);
  drawDepartureAxes(context, run, {when, chance, first, last, left, right, any: arrives.length > 0});
  const {accent, ink} = paper();
  const line = (box, points, value) => {
    context.beginPath();
    let drawn = false;
    for (const one of points) {
      const y = py(box, value(one));
      if (!Number.isFinite(y)) drawn = false;  // a gap for departures from which no flight arrives
      else if (drawn) context.lineTo(px(one.leave), y);
      else context.moveTo(px(one.leave), y);
      drawn = Number.isFinite(y);
    }
    context.stroke();
  };
  context.strokeStyle = accent;
  context.lineWidth = 1;
  context.setLineDash([2, 3]);
  if (run.facts.has_probability) {
    line(when, departures, (one) => one.early);
    line(when, departures, (one) => one.late);
  }
  context.setLineDash([]);
  context.lineWidth = 1.8;
  line(when, departures, (one) => one.arrive);
  line(chance, departures, (one) => one.chance);
  if (arrives.length === 0) return;  // then no departure is the best
  const advised = departures.find((one) => one.earliest);
  context.strokeStyle = context.fillStyle = ink;
  context.lineWidth = 1;
  context.globalAlpha = 0.5;
  context.beginPath();
  context.moveTo(px(advised.leave), when.top);
  context.lineTo(px(advised.leave), chance.bottom);
  context.stroke();
  context.globalAlpha = 1;
  for (const [box, value] of [[when, advised.arrive], [chance, advised.chance]]) {
    if (!Number.isFinite(value)) continue;
    context.beginPath();
    context.arc(px(advised.leave), py(box, value), 3.2, 0, 2 * Math.PI);
    context.fill();
  }
}

function drawDepartureAxes(context, run, {when, chance, first, last, left, right, any}) {
  const {faint, ink} = paper();
  context.strokeStyle = faint;
  context.globalAlpha = 0.6;
  context.lineWidth = 1;
  for (const y of [when.top, when.bottom, chance.top, chance.bottom]) {
    context.beginPath();
    context.moveTo(left, Math.round(y) + 0.5);
    context.lineTo(right, Math.round(y) + 0.5);
    context.stroke();
  }
  context.globalAlpha = 1;
  context.fillStyle = ink;
  context.textBaseline = "middle";
  context.textAlign = "right";
  context.fillText(shareText([run], 1), left - 4, chance.top);
  context.fillText(shareText([run], 0), left - 4, chance.bottom);
  if (any) {
    context.fillText(axisText(run, when.max, when.max - when.min), left - 4, when.top);
    context.fillText(axisText(run, when.min, when.max - when.min), left - 4, when.bottom);
  }
  context.textBaseline = "bottom";
  context.fillText("arrival", right, when.bottom - 2);
  context.textBaseline = "top";
  context.fillText(run.facts.has_probability ? "probability, by departure" : "arriving, by departure", right, when.bottom + 3);
  drawTimeAxis(context, new Clock([run]), {left, right, top: chance.bottom, first, last});
}
