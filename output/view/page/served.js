// A page of a server: its requests, and the section for planning.

const STATE_WHILE_PLANNING = 150;  // [ms] between requests
const STATE_WHILE_WATCHING = 2000;
const QUICK = 300;  // [ms] before progress is shown

// An error answer, or no answer at all (`code` "gone").
class Refusal extends Error {
  constructor(text, code) {
    super(text);
    this.code = code;
  }
}

class Server {
  constructor() {
    this.token = this.takeToken();
    // A new address of this page that differs only by its token loads nothing by itself.
    window.addEventListener("hashchange", () => location.reload());
  }

  // Moves the token from the address to the session's storage, for a reload of the page.
  takeToken() {
    const [given = ""] = location.hash.match(/(?<=^#)[0-9a-f]{32}$/) ?? [];
    if (given) history.replaceState(null, "", location.pathname);
    try {
      if (given) sessionStorage.setItem("tidewise token", given);
      return given || (sessionStorage.getItem("tidewise token") ?? "");
    } catch {
      return given;  // a browser without storage
    }
  }

  async ask(path, question = {}) {
    if (!this.token) throw new Refusal("Open the whole address that 'tidewise serve' printed, including the part after #.", "no_token");
    let status, answer;
    try {
      const response = await fetch(`/api/${path}`, {
        method: "POST",
        headers: {"Content-Type": "application/json", "X-Tidewise-Token": this.token},
        body: JSON.stringify(question),
      });
      status = response.status;
      answer = await response.json();
    } catch {
      throw new Refusal("The server does not answer. Is 'tidewise serve' still running?", "gone");
    }
    if (status >= 400) throw new Refusal(answer.error ?? `The server answered ${status}.`, answer.code ?? "");
    return answer;
  }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// 28 Oct 2024 15:00 UTC for an ISO date, or time 12 for a level.
function departureText(run, departure) {
  return typeof departure === "number" ? clockText(run, departure) : dateText(Date.parse(departure) / 1000);
}

// From the planner's simulation, which every run has; only some have a rehearsal.
function timeOfFlights(run) {
  const {outlook, own_outlook: own} = run.facts.recommendation ?? {};
  return number((own ?? outlook)?.time);
}

// The rows [label, text] that compare plans.
function figureRows(run) {
  const left = ["Departs", "Objective", "Prediction", "Straight at the target", "Action hold", "Planned on"];
  const {has_probability: probable, summary: {rollout}} = run.facts;
  const probability = () => `${chanceText(number(rollout.arrival_rate), rollout.trajectories)} (${rollout.trajectories} flights)`;
  const rows = summaryRows(run).filter(([label]) => !left.includes(label))
    .map(([label, text]) => (label === "Arrive" && probable ? ["Probability", probability()] : [label, text]));
  const time = timeOfFlights(run);
  const arrival = keeps(run) || !Number.isFinite(time) ? "" : arrivalDate(run, time, run.facts.rounding.median);
  if (arrival) rows.unshift(["Arrival", arrival]);
  return rows;
}

// How much later a run arrives than another; "" if unknown.
function laterText(run, other) {
  const arrives = (one) => one.zero + one.time.departs * one.time.step + timeOfFlights(one);
  const step = Math.max(run.facts.rounding.median, other.facts.rounding.median);
  const later = rounded(arrives(run) - arrives(other), step);
  if (!Number.isFinite(later) || keeps(run)) return "";
  return later === 0 ? ": arrives at the same time" : `: arrives ${durationText(run, Math.abs(later), step)} ${later > 0 ? "later" : "earlier"}`;
}

// The section for planning: the accepted run, and a proposal to accept or reject.
class Planner {
  constructor(page, server, {id, mission}) {
    Object.assign(this, {page, server});
    this.accepted = {id, mission, runs: page.runs};
    this.proposed = null;  // {id, reason, runs}
    this.changes = {};  // changes to the accepted mission
    this.job = null;  // the work in progress, its begin, and its changes to the mission
    this.turn = 0;  // grows with each plan, so that answers to earlier requests are ignored
    this.watch = null;
    this.timer = 0;
    this.handles = [];
    this.fillMission();
    this.listen();
    byId("plan").hidden = false;
    this.poll();
  }

  // ---- The mission

  fillMission() {
    const {mission} = this.accepted;
    const [map] = this.page.maps;
    const kinds = ["start", "target"].filter((kind) => mission[kind] && map.run.facts[kind]);
    const on = {
      drop: (kind, place, obstacle) => this.drop(kind, place, obstacle),
      isFree: () => !this.job?.starting,
      isPlanning: () => this.job !== null,
    };
    if (this.handles.length === 0) this.handles = kinds.map((kind) => new Handle(map, kind, on));
    const {departures, departure} = mission;
    // A departure may lie between two levels.
    const timeOf = (time) => (typeof time === "number" ? time : Date.parse(time));
    this.departures = [...new Set([...departures, departure])].sort((a, b) => timeOf(a) - timeOf(b));
    byId("plan-departs").hidden = departures.length < 2;
    byId("plan-departure").max = this.departures.length - 1;
    this.showDeparture();
  }

  showDeparture(index = this.departures.indexOf(this.changes.departure ?? this.accepted.mission.departure)) {
    const slider = byId("plan-departure");
    const text = departureText(this.page.maps[0].run, this.departures[index]);
    slider.value = index;
    slider.setAttribute("aria-valuetext", text);
    byId("plan-date").textContent = text;
  }

  // The page of a proposal may be loaded after it was made: its mission then shows what was changed.
  changesTo(mission) {
    const old = this.accepted.mission;
    const keys = ["start", "target", "departure"].filter((key) => JSON.stringify(mission[key]) !== JSON.stringify(old[key]));
    return Object.fromEntries(keys.map((key) => [key, mission[key]]));
  }

  placeHandles() {
    this.handles.forEach((handle) => handle.place());
  }

  // Moves the handles back to the run's own places and drops changes that were not planned.
  forget() {
    this.changes = this.proposed?.changes ?? {};
    this.handles.forEach((handle) => handle.reset());
    this.showDeparture();
  }

  // ---- Planning

  listen() {
    const click = (id, act) => byId(id).addEventListener("click", () => this.attempt(act));
    const slider = byId("plan-departure");
    slider.addEventListener("input", () => this.showDeparture(slider.valueAsNumber));
    slider.addEventListener("change", () => this.plan({departure: this.departures[slider.valueAsNumber]}));
    click("plan-cancel", () => this.server.ask("cancel"));
    click("plan-accept", () => this.accept());
    click("plan-reject", () => this.reject());
    byId("plan-retry").addEventListener("click", () => this.poll());
    document.querySelectorAll("[name=plan-shown]").forEach((radio) =>
      radio.addEventListener("change", () => this.show(radio.value === "proposed")));
  }

  drop(kind, place, obstacle) {
    if (obstacle) {
      this.say(`Not planned: the ${kind} would be ${obstacle === "outside the forecast" ? "" : "on "}${obstacle}. Choose open water.`);
      return this.forget();
    }
    this.plan({[kind]: coordinatesOf(this.page.runs[0], place)});
  }

  // Plans one mission at a time: a job under way is cancelled.
  plan(change) {
    return this.attempt(async () => {
      this.say("");
      ++this.turn;
      if (this.job) await this.stop();
      this.changes = {...this.changes, ...change};
      this.job = {since: performance.now(), starting: true, changes: this.changes};
      this.render();
      try {
        await this.server.ask("plan", this.changes);
        this.job.starting = false;
      } catch (error) {
        this.job = null;
        this.forget();
        throw error;
      }
      this.schedule();
    });
  }

  // Waits until the server is free.
  async stop() {
    clearTimeout(this.timer);
    await this.server.ask("cancel");
    while ((await this.server.ask("state")).job !== null) await pause(50);
    this.job = null;
  }

  // Runs `act` and shows a failure as one line.
  async attempt(act) {
    try {
      await act();
      this.gone = false;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.gone = error.code === "gone";
      if (this.gone) {
        clearTimeout(this.timer);
        this.job = null;
        this.forget();
      }
      this.say(error.message);
    }
    this.render();
  }

  schedule() {
    clearTimeout(this.timer);
    if (this.gone || (!this.job && !this.watch)) return;
    this.timer = setTimeout(() => this.poll(), this.job ? STATE_WHILE_PLANNING : STATE_WHILE_WATCHING);
  }

  poll() {
    return this.attempt(async () => {
      const {turn} = this;
      const state = await this.server.ask("state");
      if (turn !== this.turn) return;
      if (this.gone) this.say("");
      this.gone = false;
      await this.take(state);
      this.schedule();
    });
  }

  async take(state) {
    this.watch = state.watch;
    this.work = state;
    if (state.job !== null) {
      this.job ??= {since: performance.now(), changes: {}};  // started before a reload of the page, or by a watched folder
      this.sayArrival(state.proposal);
      return;
    }
    const ended = this.job;
    this.job = null;
    const id = state.proposal?.id ?? null;
    if (id === (this.proposed?.id ?? null)) {
      if (ended) {
        this.say(state.failed ?? "Cancelled.");
        this.forget();
      }
      return;
    }
    if (id === null) return this.drawBack();
    const data = await this.server.ask("proposal");
    const runs = await openRuns(data);
    await Promise.all(runs.map((run) => run.complete()));
    const {reason, mission} = state.proposal;
    this.proposed = {id, reason, runs, changes: ended?.changes ?? (reason === "drag" ? this.changesTo(mission) : {})};
    this.say("");  // the run has its warnings, in their section
    this.forget();
    this.show(true);
  }

  // The arrival is known before the data for the map.
  sayArrival(proposal) {
    const lines = proposal && proposal.id !== this.proposed?.id ? proposal.figures?.answer ?? [] : [];
    const arrival = lines.find((line) => /^(Arrival|No flight arrives)/.test(line));
    if (arrival) this.say(`New plan: ${arrival.charAt(0).toLowerCase()}${arrival.slice(1)}`);
  }

  // ---- Choosing

  show(proposed) {
    this.page.show((proposed ? this.proposed : this.accepted).runs);
    this.handles.forEach((handle) => handle.reset());
    this.render();
  }

  // Shows the accepted run again, without a proposal.
  drawBack() {
    this.proposed = null;
    this.forget();
    this.show(false);
  }

  async accept() {
    await this.server.ask("accept", {id: this.proposed.id});
    const {runs} = this.proposed;
    const {id, mission} = await this.server.ask("run");
    this.accepted = {id, mission, runs};
    this.proposed = null;
    this.changes = {};
    this.fillMission();
    this.show(false);
    this.page.say("Accepted");
  }

  async reject() {
    await this.server.ask("reject", {id: this.proposed.id});
    this.drawBack();
    this.page.say("Rejected");
  }

  // ---- The section

  say(text) {
    byId("plan-said").textContent = text.charAt(0).toUpperCase() + text.slice(1);
    byId("plan-news").hidden = false;
  }

  render() {
    const {job, proposed, page} = this;
    const slow = job && performance.now() - job.since > QUICK;
    byId("plan-work").hidden = !slow;
    byId("plan").classList.toggle("busy", job !== null);
    if (slow) {
      const {work = "", done = 0, total = 0, unit = ""} = this.work ?? {};
      const progress = byId("plan-progress");
      if (total > 0) progress.value = done / total;
      else progress.removeAttribute("value");
      byId("plan-done").textContent = total > 0 ? `${work}: ${done} of ${total} ${unit}` : work || "planning";
    }
    byId("plan-retry").hidden = !this.gone;
    byId("plan-news").hidden = !slow && !proposed && !byId("plan-said").textContent;
    byId("plan-watch").textContent = this.watch ? `Watching ${this.watch.folder}${this.watch.message ? `: ${this.watch.message}` : ""}` : "";
    byId("plan-choice").hidden = !proposed;
    byId("plan-hint").hidden = this.handles.length === 0;
    byId("plan").classList.toggle("proposed", proposed !== null);
    const table = byId("plan-figures");
    table.hidden = !proposed;
    for (const button of byId("downloads").querySelectorAll("button")) button.disabled = proposed !== null;
    byId("export-said").hidden = !proposed;
    if (!proposed) return;
    byId("plan-reason").textContent = `${proposed.reason === "watch" ? "Proposed after a new dive" : "Proposed"}${laterText(proposed.runs[0], this.accepted.runs[0])}.`;
    byId("plan-choice").querySelector(`[value=${page.runs === proposed.runs ? "proposed" : "accepted"}]`).checked = true;
    this.fillFigures(table);
  }

  fillFigures(table) {
    const [now, before] = [this.proposed, this.accepted].map(({runs: [run]}) => new Map([...figureRows(run), ...this.missionRows(run)]));
    const rows = [...now.keys()].map((label) => {
      const row = element("tr");
      // A date takes two lines.
      const cell = (text = "–") => element("td", text.replace(/( |\u00a0)(?=\d\d:)/, "\n"));
      row.append(element("th", label), cell(now.get(label)), cell(before.get(label)));
      row.firstChild.scope = "row";
      return row;
    });
    table.tBodies[0].replaceChildren(...rows);
  }

  // The mission's places and times that differ between the two.
  missionRows(run) {
    const both = [this.proposed, this.accepted].map(({runs: [one]}) => one);
    const differs = (text) => text(both[0]) !== text(both[1]);
    const rows = {
      Start: (one) => placeText(one, one.facts.start).replace(", ", "\n"),
      Target: (one) => (one.facts.target ? placeText(one, one.facts.target).replace(", ", "\n") : ""),
      Departs: (one) => clockText(one, one.time.departs),
    };
    return Object.entries(rows).filter(([, text]) => differs(text)).map(([label, text]) => [label, text(run)]);
  }
}

// A button for each format that can hold the route.
function exportButtons(page) {
  const [run] = page.runs;
  return (run.facts.route?.formats ?? []).map((format) => {
    const button = element("button", DOWNLOAD_NAMES[format] ?? format);
    button.type = "button";
    button.addEventListener("click", () => page.planner?.attempt(() => save(page.server, format)));
    return button;
  });
}

async function save(server, format) {
  const {name, text, base64} = await server.ask("export", {format});
  const link = downloadOf({name, text: base64 === undefined ? text : bytesOf(base64)}, "");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
