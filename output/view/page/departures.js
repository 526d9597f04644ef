// When to leave: how surely and when one arrives, by departure. What is drawn is one run's, the first
// that says it, by the clock of the page.

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
    best: n === departures.best,
    noDifferent: departures.no_different.includes(n),
  }));
}

// 29 Oct, with the hour where all that is shown lies within two days; or a time without dates.
function axisText(run, seconds, length) {
  if (run.time.origin === null) return figures(seconds, 3);
  const [date, clock] = dateText(seconds).split(" ");
  const day = `${Number(date.slice(8))} ${"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")[Number(date.slice(5, 7)) - 1]}`;
  return length > 2 * 86400 ? day : `${day.split(" ")[0]}, ${clock}`;
}

function departuresText(run, departures) {
  const level = (time) => (time - run.zero) / run.time.step;
  const best = departures.find((one) => one.best);
  const others = departures.filter((one) => one.noDifferent && !one.best);
  const same = others.length > 0 ? `; no difference within the noise from ${others.length} later ones, the last of them ${clockText(run, level(others.at(-1).leave))}` : "";
  const {flights, sampled} = run.facts.departures;
  const each = `; ${flights} flights from each of ${departures.length} departures${sampled ? ", a sample: 'tidewise departures' compares all" : ""}`;
  if (!best) return `No flight arrives, whenever it leaves${each}.`;
  const arrive = `, arrive ${clockText(run, level(best.arrive))}`;
  return `Best${sampled ? " of these" : ""} for ${OBJECTIVES[run.facts.objective] ?? "the mission"}: leave ${clockText(run, level(best.leave))}${arrive} on average, ${run.facts.has_probability ? percentText(best.chance) : `${Math.round(best.chance * flights)} of ${flights} simulated missions arrive`}${same}${each}.`;
}

function drawDepartures(runs) {
  const section = byId("departures");
  const run = runs.find((one) => one.facts.departures);
  section.hidden = !run;
  if (!run) return;
  const all = departuresOf(run);
  const text = departuresText(run, all);
  const arrives = all.filter((one) => one.chance > 0);
  // As far as the first after the last from which any arrives.
  const departures = arrives.length > 0 ? all.slice(0, Math.max(2, all.indexOf(arrives.at(-1)) + 2)) : all;
  section.querySelector("p").textContent = runs.length > 1 ? `${"AB"[run.index]}: ${text}` : text;
  const canvas = section.querySelector("canvas");
  canvas.setAttribute("aria-label", `Arrival and chance of arriving by departure. ${text}`);
  const {context, width, height} = clearCanvas(canvas);
  context.font = `11px ${FONT}`;
  const when = {top: 8, bottom: height - 66, least: Math.min(...arrives.map((one) => one.early)), most: Math.max(...arrives.map((one) => one.late))};
  const chance = {top: height - 50, bottom: height - 20, least: 0, most: 1};
  const [first, last] = [departures[0].leave, departures.at(-1).leave];
  // Where none arrives there are no times of arrival, and nothing to write beside the axis.
  const times = arrives.length > 0 ? [when.least, when.most] : [];
  const widths = times.map((time) => context.measureText(axisText(run, time, when.most - when.least)).width);
  const left = Math.max(46, ...widths.map((text) => Math.ceil(text) + 6));
  const right = width - 6;
  const px = (time) => left + ((time - first) / (last - first)) * (right - left);
  const py = (box, value) => box.bottom - ((value - box.least) / (box.most - box.least || 1)) * (box.bottom - box.top);
  drawDepartureAxes(context, run, {when, chance, first, last, left, right, any: arrives.length > 0});
  const {accent, ink} = paper();
  const line = (box, points, value) => {
    context.beginPath();
    let drawn = false;
    for (const one of points) {
      const y = py(box, value(one));
      if (!Number.isFinite(y)) drawn = false;  // a gap where none arrives
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
  if (arrives.length === 0) return;  // then none is the best
  const best = departures.find((one) => one.best);
  context.strokeStyle = context.fillStyle = ink;
  context.lineWidth = 1;
  context.globalAlpha = 0.5;
  context.beginPath();
  context.moveTo(px(best.leave), when.top);
  context.lineTo(px(best.leave), chance.bottom);
  context.stroke();
  context.globalAlpha = 1;
  for (const [box, value] of [[when, best.arrive], [chance, best.chance]]) {
    if (!Number.isFinite(value)) continue;
    context.beginPath();
    context.arc(px(best.leave), py(box, value), 3.2, 0, 2 * Math.PI);
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
    context.fillText(axisText(run, when.most, when.most - when.least), left - 4, when.top);
    context.fillText(axisText(run, when.least, when.most - when.least), left - 4, when.bottom);
  }
  context.textBaseline = "bottom";
  context.fillText("arrival", right, when.bottom - 2);
  context.textBaseline = "top";
  context.fillText(run.facts.has_probability ? "chance" : "arriving", right, when.bottom + 3);
  context.textAlign = "left";
  context.fillText(axisText(run, first, last - first), left, chance.bottom + 5);
  context.textAlign = "center";
  context.fillText("leave", (left + right) / 2, chance.bottom + 5);
  context.textAlign = "right";
  context.fillText(axisText(run, last, last - first), right, chance.bottom + 5);
}
