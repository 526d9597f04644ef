// Starts the page with its own data or its server's.

const facts = JSON.parse(byId("facts").textContent);

// Arrays of the first picture, for all profiles. The others, most of the data, are unpacked afterwards.
const FIRST = new Set([
  "closed", "coast_x", "coast_y", "coast_begin", "u_mean", "v_mean", "globe_point", "convergence", "end_time", "outcome", "flown_realization",
  "energy", "weight", "drawn", "point_count", "track_x", "track_y", "track_profile",
]);

function comesFirst(run, name) {
  if (name === "action") return !run.flow || Boolean(run.profiles);
  return FIRST.has(name.replace(/_\d+$/, "")) || (!run.flow && name === "value");
}

async function openRun(run, n, base64) {
  const bytes = bytesOf(base64);
  const names = Object.keys(run.arrays);
  const first = names.filter((name) => comesFirst(run, name));
  const opened = new Run(run, await unpackAll(run.arrays, first, bytes), n);
  const rest = names.filter((name) => !first.includes(name));
  opened.complete = async () => {
    Object.assign(opened.arrays, await unpackAll(run.arrays, rest, bytes));
    opened.isComplete = true;
  };
  return opened;
}

const openRuns = ({facts: {runs}, data}) => Promise.all(runs.map((run, n) => openRun(run, n, data[n])));

// The data that the page itself holds, as output/view/page.h writes it.
function embeddedData() {
  const data = facts.runs.map((_, n) => {
    const block = byId(`data-${n}`);
    block.remove();
    return block.textContent;
  });
  return {facts, data};
}

async function begin() {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser cannot unpack the page's data. Use a browser of 2023 or later.");
  }
  const server = facts.served ? new Server() : null;
  const data = server ? await server.ask("run") : embeddedData();
  const runs = await openRuns(data);
  const page = new Page(runs, server);
  page.draw();
  const drawn = performance.now();
  await new Promise((resolve) => setTimeout(resolve));  // lets the browser show the picture
  await Promise.all(runs.map((run) => run.complete()));
  page.complete();
  if (server) page.planner = new Planner(page, server, data);
  window.tidewise = {
    page,
    drawnMilliseconds: drawn,
    completeMilliseconds: performance.now(),
    state: (time) => page.stateAt(time),
    setTime: (time) => {
      const axis = page.runs[0].time;
      page.setTime(page.clock.timeOf(page.runs[0], (time - axis.first) / axis.step));
      page.draw();
    },
    // Position of a point of a run's plane on the screen.
    screen: (index, x, y) => {
      const map = page.maps[index];
      const box = map.canvas.getBoundingClientRect();
      return {x: box.left + map.screenX(x), y: box.top + map.screenY(y)};
    },
  };
  document.documentElement.dataset.ready = "";
}

begin().catch((error) => {
  const message = element("p", `${error.message} `, "failure");
  if (facts.served) {
    const retry = element("button", "Retry");
    retry.addEventListener("click", () => location.reload());
    message.append(retry);
  }
  byId("maps").append(message);
  if (!(error instanceof Refusal)) throw error;  // a Refusal is the server's answer, not an error of the page
});
