// The planner's recommendation, worded as in its report; warnings in one sentence each.

const COMPASS = "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW".split(" ");

// heading 067° true (ENE), 0.5 m/s, dive deep (0–1000 m)
function steerText(run, first) {
  if (!first) return "";
  const profile = run.profiles.find(({name}) => name === first.profile?.name);
  const dive = profile ? `, ${diveText(profile)}` : "";
  if (first.speed === 0) return `drift${dive}`;
  const {x, y} = run.facts.start;
  const speed = withUnit(String(Number(speedNumber(run, first.speed).toPrecision(3))), speedUnit(run));
  const direction = typeof first.bearing === "number"
    ? `${bearingText(first.bearing)} true (${COMPASS[Math.round(first.bearing / 22.5) % 16]})` : directionText(run, first.heading, x, y);
  return `heading ${direction}, ${speed}${dive}`;
}

const asSentence = (text) => (text ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.` : "");

// The date of a time after the departure, such as 1 Nov 2024 19:00 UTC; "" without dates.
function arrivalDate(run, time, step) {
  if (run.time.origin === null) return "";
  return dateText(rounded(run.zero + run.time.departs * run.time.step + time, step)).replaceAll(" ", "\u00a0");
}

function windowText(run, {time, earlier, later}) {
  if (![earlier, later].every((value) => typeof value === "number") || !(earlier + later > 0)) return "";
  const step = run.facts.rounding.quantile;
  const [first, last] = [time - earlier, time + later].map((at) => arrivalDate(run, at, step) || durationText(run, at, step));
  return `, 90\u00a0% from ${first.replace("\u00a0UTC", "")} to ${last}`;
}

// Arrival 2 Nov 2024 05:00 UTC (after 110 h), 90 % from … to …, probability 99 % (100 flights).
function outlookText(run, outlook) {
  if (keeps(run)) {
    return run.facts.objective === "stay"
      ? `within the target ${keepingText(run, outlook)} of the time` : `${keepingText(run, outlook)} away on average`;
  }
  const {time, arrival_probability: rate, arrival_probability_range: range, arrived, flights} = outlook;
  if (typeof time !== "number" || rate === 0 || arrived === 0) return "no flight arrives";
  const {median} = run.facts.rounding;
  const date = arrivalDate(run, time, median);
  const after = `after ${durationText(run, time, median)}`;
  const arrival = `arrival ${date ? `${date} (${after})` : after}`;
  if (rate === undefined || !run.facts.has_probability) return `${arrival}, ${arrived ?? Math.round(rate * flights)} of ${flights} simulated missions arrive`;
  const shares = range ? [...new Set(range.map((share) => chanceText(share, flights)))] : [];
  const plausible = {0: "", 1: "; the same for all plausible forecast errors",
    2: `; ${shares.join(" to ")} over the plausible forecast error`}[shares.length];
  return `${arrival}${windowText(run, outlook)}, probability ${chanceText(rate, flights)} (${flights} flights${plausible})`;
}

const LEADS = {
  do_not_go: (gain, basis) => (basis === "model" ? "do not go: the plan does not arrive" : "do not go: no flight arrives"),
  at_target: () => "the vehicle is at its target already",
  stay: (gain) => `keep the old plan, a new one ${gain}`,
  change: (gain) => `take the new plan, which ${gain}`,
};

// {first, then}: the recommended action, and its predicted result.
function verdictOf(run) {
  const {action, gain, first_action: firstAction, outlook, own_outlook: simulated} = run.facts.recommendation ?? {};
  const first = asSentence([LEADS[action]?.(gain, outlook?.basis), steerText(run, firstAction)].filter(Boolean).join(": "));
  if (!outlook || action === "do_not_go" || action === "at_target") return {first, then: ""};
  if (outlook.basis === "model") return {first, then: "Not simulated."};
  if (outlook.basis === "flights") return {first, then: asSentence(outlookText(run, outlook))};
  const end = keeps(run) && outlook.lost ? `; ${outlook.lost} of ${outlook.flights} not until the end` : "";
  const source = `In the forecast's own files: ${outlookText(run, outlook)}${end}.`;
  if (simulated?.basis !== "flights") return {first, then: source};
  const flown = outlookText(run, simulated);
  // A single forecast has no range, so that the flights through its errors come first.
  if (outlook.flights === 1) return {first, then: `${asSentence(flown)} ${source}`};
  return {first, then: `${source} Planner's simulation: ${flown}.`};
}

// The notes on probabilities, each with the run's letter if they differ.
function noteLines(runs) {
  const notes = runs.map((run) => run.facts.recommendation?.note ?? "");
  const areEqual = notes.every((note) => note === notes[0]);
  return notes.slice(0, areEqual ? 1 : notes.length).map((note, n) => (note ? element("p", areEqual ? note : `${"AB"[n]}: ${note}`, "note") : null));
}

function fillVerdict(runs) {
  const verdicts = runs.map((run) => {
    const {first, then} = verdictOf(run);
    const line = element("p");
    if (runs.length > 1) line.append(element("b", "AB"[run.index], "letter"), " ");
    line.append(element("b", first), " ", element("span", then));
    return first || then ? line : null;
  });
  const lines = [...noteLines(runs), ...verdicts].filter(Boolean);
  byId("verdict").hidden = lines.length === 0;
  byId("verdict").replaceChildren(...lines);
}

// [sentence, rest] of a warning, split at its first colon, semicolon, bracket or full stop.
function splitWarning(text) {
  const end = text.search(/[:;.] | \(/);
  if (end < 0) return [asSentence(text.replace(/\.$/, "")), ""];
  return [asSentence(text.slice(0, end)), text.slice(end).replace(/^[:;.]? */, "")];
}

function warningItem(text, letter) {
  const [sentence, rest] = splitWarning(text);
  const item = element("li", letter + sentence);
  if (!rest) return item;
  const more = element("details");
  more.append(element("summary", "more"), rest);
  item.append(" ", more);
  return item;
}
