// The mission, its warnings and the page's notes, beside the maps.

const byId = (id) => document.getElementById(id);

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

const number = (value) => (typeof value === "number" ? value : NaN);

const OBJECTIVES = {
  time: "least time",
  energy: "least energy",
  net_energy: "least net energy",
  weighted: "time and energy, weighted",
  arrival: "most probable arrival",
  stay: "most time within the target",
  follow: "least distance from the followed target",
};

const keeps = (run) => run.facts.objective === "stay" || run.facts.objective === "follow";
const countsEnergy = (run) => !keeps(run) && run.facts.objective !== "time" && run.facts.objective !== "arrival";

// How well a run stays near its target. The figures have `within` or `distance`, each a number or a spread.
function keepingText(run, {within, distance}, part = "mean") {
  const value = (figure) => (typeof figure === "number" ? figure : number(figure?.[part]));
  // For one flight the time within is a multiple of half a step; its mean over flights is finer.
  if (run.facts.objective === "stay") return part === "mean" ? percentText(value(within)) : `${plain(100 * value(within), 0)} %`;
  return run.facts.metric ? lengthText(run, value(distance)) : figures(value(distance), 3);
}

// 98.5 % of 60 flights, or 59 of 60 simulated missions.
function arrivingText(run, {arrival_rate: rate, trajectories, failures}) {
  if (run.facts.has_probability) return `${chanceText(number(rate), trajectories)} of ${trajectories} flights`;
  const failed = Object.values(failures ?? {}).reduce((sum, count) => sum + count, 0);
  return `${trajectories - failed} of ${trajectories} simulated missions`;
}

// The rows [label, text] of one run's summary; the text may be empty.
function summaryRows(run) {
  const {summary, objective} = run.facts;
  const {expected, rollout, baselines} = summary;
  const costs = countsEnergy(run);
  const energy = (figure) => energyText(run, number(figure));
  const add = (label, six, text) => {
    if (!six || six.mean === null) return;
    rows.push([label, text(six.p50 ?? six.mean, "median")]);
    if (run.facts.has_probability) rows.push([`${label}, 90 %`, `${text(six.p05, "quantile")} to ${text(six.p95, "quantile")}`]);
  };
  const time = (value, figure) => durationText(run, value, figure ? run.facts.rounding[figure] : 0);
  const what = objective === "net_energy" ? "net_energy" : "energy";
  const rows = [["Departs", clockText(run, run.time.departs)], ["Objective", OBJECTIVES[objective] ?? objective]];
  const kept = run.facts.objective === "stay" ? "Within the target" : "Distance";
  if (rollout && keeps(run)) {
    rows.push([kept, `${keepingText(run, rollout)} on average`]);
    if (run.facts.has_probability) rows.push([`${kept}, 80 %`, `${keepingText(run, rollout, "p10")} to ${keepingText(run, rollout, "p90")}`]);
  } else if (rollout) {
    rows.push(["Arrive", arrivingText(run, rollout)]);
    add("Time", rollout.time, time);
    if (costs) add(what === "energy" ? "Energy" : "Net energy", rollout[what], energy);
  }
  if (rollout) {
    // A summary counts failures in the order of their codes; older summaries lack the last ones.
    const failed = Object.values(rollout.failures ?? {})
      .map((count, n) => [count, OUTCOMES[n + 1]])
      .filter(([count]) => count > 0)
      .map(([count, words]) => `${count} ${words}`);
    if (failed.length > 0) rows.push(["Failed", failed.join("\n")]);
  }
  if (expected && keeps(run)) {
    rows.push(["Prediction", keepingText(run, expected)]);
  } else if (expected) {
    const probability = number(expected.arrival_probability);
    const after = probability > 0 ? `after ${time(number(expected.time), "median")}` : "no arrival";
    const cost = costs && probability > 0 ? `\n${OBJECTIVES[what].replace("least ", "")} ${energy(expected[what])}` : "";
    const chance = run.facts.has_probability ? `${percentText(probability)}${probability > 0 ? "\n" : ""}` : "";
    rows.push(["Prediction", `${chance}${chance && !(probability > 0) ? "" : after}${cost}`]);
  }
  if (baselines?.aim) {
    const aimed = baselines.aim.rollout ?? baselines.aim;
    const after = number(aimed.arrival_rate) > 0 ? `\nafter ${time(number(aimed.time?.p50 ?? aimed.time?.mean), "median")}` : "";
    rows.push(["Straight at the target", keeps(run) ? keepingText(run, aimed) : `${arrivingText(run, aimed)}${after}`]);
  }
  const held = run.facts.decide_every;
  if (held) rows.push(["Action hold", time(held.steps * run.time.step)]);
  if (summary.planned_on) rows.push(["Planned on", summary.planned_on]);
  return rows;
}

function fillSummary(runs) {
  const table = byId("summary");
  table.replaceChildren();
  const each = runs.map((run) => new Map(summaryRows(run)));
  if (runs.length > 1) {
    const head = table.createTHead().insertRow();
    head.append(element("td"));
    runs.forEach((run, n) => {
      const name = element("th", `${"AB"[n]}`);
      name.scope = "col";
      name.title = run.facts.name;
      head.append(name);
    });
  }
  const body = table.createTBody();
  for (const label of new Set(each.flatMap((rows) => [...rows.keys()]))) {
    const row = body.insertRow();
    const heading = element("th", label);
    heading.scope = "row";
    row.append(heading, ...each.map((rows) => element("td", (rows.get(label) ?? "–").replace(runs.length > 1 ? /( \d{4}) (?=\d\d:)/ : /$^/, "$1\n"))));
  }
}

// Fills a list with the lines of all runs. A line that not all runs have gets the run's letter; `itemOf` makes its item.
function fillLines(id, runs, linesOf, itemOf) {
  const lines = new Map();
  runs.forEach((run, n) => linesOf(run).forEach((line) => lines.set(line, [...(lines.get(line) ?? []), "AB"[n]])));
  byId(id).hidden = lines.size === 0;
  byId(id).querySelector("ul").replaceChildren(
    ...[...lines].map(([line, whose]) => itemOf(line, whose.length < runs.length ? `${whose.join()}: ` : "")));
}
