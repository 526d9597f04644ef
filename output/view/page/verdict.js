// What to do and what will come of it, in one or two sentences a run; warnings in one each.

// Dive deep (0–1000 m), steer 067° true at 0.50 m/s.
function steerText(run) {
  const first = run.facts.summary.first_action;
  if (!first) return "";
  const profile = run.profiles.find(({name}) => name === first.profile?.name);
  const dive = profile ? `${diveText(profile)}, ` : "";
  const say = (text) => asSentence(dive + (dive ? text.charAt(0).toLowerCase() + text.slice(1) : text));
  if (first.speed === 0) return say("Drift at first");
  const {x, y} = run.facts.start;
  const direction = typeof first.bearing === "number" ? `${bearingText(first.bearing)} true` : directionText(run, first.heading, x, y);
  return say(`Steer ${direction} at ${speedText(run, first.speed)}`);
}

// When half of all flights have arrived, those that fail counted; null where half never do.
function halfLevel(run) {
  const n = run.arrivalShares.findIndex((share) => share >= 0.5 - 1e-12);
  return n < 0 ? null : run.arrivalLevels[n];
}

function halfText(run, level = halfLevel(run)) {
  if (level === null) return "";
  const after = durationText(run, run.sinceDeparture(level));
  const half = "half of the flights are there";
  if (run.time.origin === null) return `${half} after ${after}`;
  return `${half} by ${dayText(run.zero + level * run.time.step)}, after ${after}`;
}

// 1 Nov 2024 19:07 UTC of seconds since 1970, in one piece.
function dayText(seconds) {
  const date = new Date(Math.round(seconds / 60) * 60000);
  const day = date.toLocaleDateString("en-GB", {day: "numeric", month: "short", year: "numeric", timeZone: "UTC"});
  return `${day} ${date.toISOString().slice(11, 16)} UTC`.replaceAll(" ", "\u00a0");
}

function arrivalText({arrival_rate: rate, trajectories: count}) {
  if (rate === 1) return count === 1 ? "the flight arrives" : `all ${count} flights arrive`;
  return rate > 0 ? `${percentText(rate)} of ${count} flights arrive` : `none of ${count} flights arrives`;
}

const asSentence = (text) => (text ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.` : "");

// The same of a rehearsal's.
function rehearsedHalf(run, {hours, trajectories}) {
  const needed = Math.ceil(trajectories / 2);
  return hours.length < needed ? null : run.time.departs + (3600 * hours[needed - 1]) / run.time.step;
}

// {first, then}: the sentence that matters, and how sure it is.
function verdictOf(run) {
  const {expected, rehearsal, rollout} = run.facts.summary;
  if (keeps(run) && (rollout ?? expected)) {
    const kept = (figures) => (run.facts.objective === "stay"
      ? `within the target ${keepingText(run, figures)} of the time` : `${keepingText(run, figures)} away on average`);
    if (rehearsal) {
      const own = rollout ? `The plan's own flights are ${kept(rollout)}.` : `By the plan's own reckoning, ${kept(expected)}.`;
      const lost = rehearsal.not_until_the_end;
      const end = lost ? `; ${lost} of ${rehearsal.trajectories} not until the end` : "";
      return {first: `${steerText(run)} In the forecast's own files ${kept(rehearsal)}${end}.`.trim(), then: own};
    }
    return {first: `${steerText(run)} ${asSentence(kept(rollout ?? expected))}`.trim(), then: rollout ? "" : "By the plan's own reckoning."};
  }
  if (rehearsal) {
    const arrive = [arrivalText(rehearsal), halfText(run, rehearsedHalf(run, rehearsal))].filter(Boolean).join("; ");
    const flown = rollout && run.facts.flights ? `Of the plan's own, ${arrivalText(rollout)}${halfText(run) && `; ${halfText(run)}`}.` : "";
    return {first: `${steerText(run)} In the forecast's own files ${arrive}.`.trim(), then: flown};
  }
  if (rollout && run.facts.flights) {
    const {p05, p95} = rollout.time ?? {};
    const time = (value) => durationText(run, value);
    const spread = typeof p05 === "number" && p95 > p05 ? `Nine in ten arrivals come between ${time(p05)} and ${time(p95)}.` : "";
    const arrive = [arrivalText(rollout), halfText(run)].filter(Boolean).join("; ");
    return {first: `${steerText(run)} ${asSentence(arrive)}`.trim(), then: spread};
  }
  const probability = number(expected?.arrival_probability);
  const hope = Number.isFinite(probability)
    ? `The plan expects ${percentText(probability)} to arrive${probability > 0 ? ` after ${durationText(run, number(expected.time))}` : ""}.` : "";
  return {first: steerText(run), then: hope};
}

function fillVerdict(runs) {
  const lines = runs.map((run) => {
    const {first, then} = verdictOf(run);
    const line = element("p");
    if (runs.length > 1) line.append(element("b", "AB"[run.index], "letter"), " ");
    line.append(element("b", first), " ", element("span", then));
    return first || then ? line : null;
  }).filter(Boolean);
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
