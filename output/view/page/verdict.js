// The recommendation that the planner made, in one or two sentences a run; warnings in one each.

// Dive deep (0–1000 m), steer 067° true at 0.50 m/s.
function steerText(run, first) {
  if (!first) return "";
  const profile = run.profiles.find(({name}) => name === first.profile?.name);
  const dive = profile ? `${diveText(profile)}, ` : "";
  const say = (text) => asSentence(dive + (dive ? text.charAt(0).toLowerCase() + text.slice(1) : text));
  if (first.speed === 0) return say("Drift at first");
  const {x, y} = run.facts.start;
  const direction = typeof first.bearing === "number" ? `${bearingText(first.bearing)} true` : directionText(run, first.heading, x, y);
  return say(`Steer ${direction} at ${speedText(run, first.speed)}`);
}

// Of a forecast without probabilities numbers of missions, without windows; an older summary counts no arrivals.
function arrivalText(run, {arrival_probability: rate, arrival_probability_range: range, arrived, flights: count}) {
  if (!run.facts.has_probability) return `${arrived ?? Math.round(rate * count)} of ${count} simulated missions arrive`;
  const plausible = range ? ` (${percentText(range[0])} to ${percentText(range[1])} over the plausible forecast error)` : "";
  if (rate === 1) return `${count === 1 ? "the flight arrives" : `all ${count} flights arrive`}${plausible}`;
  return `${rate > 0 ? `${percentText(rate)} of ${count} flights arrive` : `none of ${count} flights arrives`}${plausible}`;
}

const asSentence = (text) => (text ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.` : "");

// 1 Nov 2024 19:07 UTC, after 31.2 h, of a time after the departure.
function momentText(run, time) {
  const after = `after ${durationText(run, time)}`;
  if (run.time.origin === null) return after;
  return `${dateText(run.zero + run.time.departs * run.time.step + time).replaceAll(" ", "\u00a0")}, ${after}`;
}

// Those that fail are counted; empty where half never arrive.
function halfText(run, {half, time}) {
  if (!run.facts.has_probability) return typeof time === "number" ? `arrival ${momentText(run, time)} in the median` : "";
  if (typeof half !== "number") return "";
  return `half of the flights are there ${run.time.origin === null ? "" : "by "}${momentText(run, half)}`;
}

function outlookText(run, outlook) {
  if (!keeps(run)) return [arrivalText(run, outlook), halfText(run, outlook)].filter(Boolean).join("; ");
  return run.facts.objective === "stay"
    ? `within the target ${keepingText(run, outlook)} of the time` : `${keepingText(run, outlook)} away on average`;
}

function spreadText(run, {time, earlier, later}) {
  if (!run.facts.has_probability) return "";
  if (![time, earlier, later].every((value) => typeof value === "number") || !(earlier + later > 0)) return "";
  return `Nine in ten arrivals come between ${durationText(run, time - earlier)} and ${durationText(run, time + later)}.`;
}

const LEADS = {
  do_not_go: (gain, basis) => (basis === "model" ? "Do not go: the plan does not arrive." : "Do not go: no flight arrives."),
  at_target: () => "The vehicle is at its target already.",
  stay: (gain) => `Stay on the old plan: a new one ${gain}.`,
  change: (gain) => `Take the new plan, which ${gain}.`,
};

// {first, then}: the sentence that matters, and how sure it is.
function verdictOf(run) {
  const {action, gain, first_action: steer, outlook, own_outlook: own} = run.facts.recommendation ?? {};
  const lead = [LEADS[action]?.(gain, outlook?.basis), steerText(run, steer)].filter(Boolean).join(" ");
  if (!outlook) return {first: lead, then: ""};
  const say = (...texts) => texts.filter(Boolean).join(" ");
  if (outlook.basis === "rehearsal") {
    const end = keeps(run) && outlook.lost ? `; ${outlook.lost} of ${outlook.flights} not until the end` : "";
    const first = say(lead, `In the forecast's own files ${outlookText(run, outlook)}${end}.`);
    if (!own || action === "do_not_go") return {first, then: ""};
    if (own.basis !== "flights") return {first, then: ""};
    return {first, then: `${keeps(run) ? "The plan's own flights are" : "Of the plan's own,"} ${outlookText(run, own)}.`};
  }
  if (action === "do_not_go" || action === "at_target") return {first: lead, then: ""};
  if (action === "stay") return {first: lead, then: outlook.basis === "flights" ? `On it ${outlookText(run, outlook)}.` : "Not simulated."};
  if (outlook.basis === "flights") return {first: say(lead, asSentence(outlookText(run, outlook))), then: keeps(run) ? "" : spreadText(run, outlook)};
  return {first: lead, then: "Not simulated."};
}

// The notes on probabilities, each with the run's letter where they differ.
function noteLines(runs) {
  const notes = runs.map((run) => run.facts.recommendation?.note ?? "");
  const alike = notes.every((note) => note === notes[0]);
  return notes.slice(0, alike ? 1 : notes.length).map((note, n) => (note ? element("p", alike ? note : `${"AB"[n]}: ${note}`, "note") : null));
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

// [sentence, rest] of a warning: what stands before its first colon, semicolon, bracket or full stop.
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
