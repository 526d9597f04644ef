// Legends: the meaning of colours and lines.

const BACKGROUNDS = {
  none: () => "",
  speed: (run) => `Speed of the flow${speedUnit(run) ? `, ${speedUnit(run)}` : ""}`,
  spread: (run) => `Spread of the flow (standard deviation)${speedUnit(run) ? `, ${speedUnit(run)}` : ""}`,
  value: (run) => `${valueSign(run) > 0 ? "Value: expected reward from here" : `${valueName(run)}, failures at their penalty`}${valueUnit(run) ? `, ${valueUnit(run)}` : ""}`,
  scalar: (run) => {
    const scalar = run.facts.environment.scalar ?? {name: "scalar field", units: "1"};
    const name = scalar.name.charAt(0).toUpperCase() + scalar.name.slice(1);
    return scalar.units === "1" ? name : `${name}, ${scalar.units}`;
  },
};

function drawGradient(canvas, colourAt) {
  canvas.width = 256;
  canvas.height = 1;
  const context = canvas.getContext("2d");
  for (let n = 0; n < 256; ++n) {
    context.fillStyle = colourAt(n / 255);
    context.fillRect(n, 0, 1, 1);
  }
}

function fillLegend(runs, state) {
  const legend = byId("legend");
  legend.hidden = state.background === "none";
  if (legend.hidden) return;
  const run = runs.find((candidate) => canShow(candidate, state.background));
  const table = backgroundTable(state.background, state.theme);
  const isReversed = state.background === "value" && valueSign(run) < 0;
  drawGradient(legend.querySelector("canvas"), (part) => tableColour(table, isReversed ? 1 - part : part));
  const {min, max, below, above} = state.range;
  const text = (value) => {
    if (state.background === "value") return figures(valueNumber(run, value));
    if (state.background === "scalar") return figures(value);
    return figures(speedNumber(run, value));
  };
  const labels = [(below ? (isReversed ? "≥ " : "≤ ") : "") + text(min), text((min + max) / 2), (above ? "≥ " : "") + text(max)];
  legend.querySelector(".labels").replaceChildren(...(isReversed ? labels.reverse() : labels).map((label) => element("span", label)));
  legend.querySelector("p").textContent = BACKGROUNDS[state.background](run);
}

// Arrows and lines of the map: headings of the policy, direction of the flow, route.
function fillArrowLegend(runs, state) {
  const colours = paper();
  const kinds = [];
  const arrow = (name, colour) => {
    const row = kindOf(name, "transparent", "arrow");
    row.querySelector("i").textContent = "→";
    row.querySelector("i").style.color = colour;
    kinds.push(row);
  };
  if (state.showPolicy) arrow(state.profiles.length > 0 ? "policy: where to steer, coloured by dive" : "policy: where to steer", colours.policy);
  if (state.showFlow && runs.some((run) => run.flow)) arrow("flow: where the water goes", colours.arrow);
  if (state.showRoute && runs.some((run) => run.route?.length)) kinds.push(lineKind("route to follow", "dashed", colours.route));
  for (const kind of new Set(runs.flatMap(earthLinesOf))) {
    const {name, style, dashes} = EARTH_LINES[kind];
    if (style === "coast" || state.showDepths) kinds.push(lineKind(name, dashes.length > 0 ? "dashed" : "solid", colours[style]));
  }
  byId("arrow-legend").replaceChildren(...kinds);
}

function lineKind(name, style, colour) {
  const row = kindOf(name, "transparent", "line");
  row.querySelector("i").style.borderTop = `2px ${style} ${colour}`;
  return row;
}

function kindOf(name, colour, className) {
  const row = element("span", name, "kind");
  const swatch = element("i", undefined, className);
  swatch.style.backgroundColor = colour;
  row.prepend(swatch);
  return row;
}

function fillClosedLegend(runs) {
  const colours = paper().closed;
  const kinds = [CLOSED, BEYOND].filter((kind) => runs.some((run) => run.closedKinds.includes(kind)));
  byId("closed-legend").replaceChildren(...kinds.map((kind) => kindOf(closedWord(runs[0], kind), colours[kind], kind === BEYOND ? "hatched" : undefined)));
}

// Lines of the regions, in their styles on the map.
function fillRegionLegend(runs, state) {
  const late = runs[0].facts.metric ? "an hour later than expected from here" : "later than expected by 1 from here";
  const lines = [];
  if (runs.some((run) => run.reach)) {
    const styles = ["dotted", "dashed", "solid"];
    if (state.shows.chance) {
      const chances = new Set(runs.flatMap(chancesOf));
      const hasProbability = runs.some((run) => run.facts.has_probability);
      CHANCES.forEach((chance, n) => {
        if (chances.has(chance)) lines.push([hasProbability ? `${plain(100 * chance[0], 0)} % arrive from here` : "arrives from here", "chance", styles[n]]);
      });
    }
    if (state.shows.late) lines.push([late, "late", "solid"]);
  }
  if (state.shows.corridor && runs.some((run) => run.corridor)) lines.push([runs.some((run) => run.facts.has_probability) ? "90 % of flights are inside" : "most flights are inside", "corridor", "solid"]);
  byId("region-legend").replaceChildren(...lines.map(([name, kind, style]) => lineKind(name, style, paper().regions[kind])));
}

function fillFlightLegend(runs, state) {
  const legend = byId("flight-legend");
  legend.replaceChildren();
  if (state.colourBy !== "arrival") {
    const counts = OUTCOMES.map(() => 0);
    // Profiles have their own legend, which holds for arrows too.
    const byOutcome = runs.filter((run) => state.colourBy === "outcome" || !run.has("track_profile"));
    byOutcome.forEach((run) => run.outcome?.forEach((kind) => counts[kind]++));
    OUTCOMES.forEach((_, kind) => {
      const name = outcomeText(runs[0], kind);
      if (counts[kind] > 0) legend.append(kindOf(`${kind === 0 ? "flight that arrives" : `flight that ${name}`}`, OUTCOME_COLOURS[state.theme][kind]));
    });
    return;
  }
  const canvas = element("canvas");
  drawGradient(canvas, (part) => tableColour(TABLES.plasma[state.theme], part));
  const labels = element("div", undefined, "labels");
  const {min, max} = state.arrivalRange;
  const text = (value) => durationText(runs[0], value);
  labels.append(element("span", text(min)), element("span", text(max)));
  legend.append(canvas, labels, element("p", "Flights by arrival after departure; grey: did not arrive"));
}
