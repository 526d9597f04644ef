"""The pages of 'tidewise view', opened offline in Chromium and compared with the files of the runs.

Network requests and console output of a page fail the test.
"""

import json
import math
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from datetime import datetime, timedelta
from pathlib import Path

import h5py
import numpy as np
from make_environment import write_environment, write_two_depths
from playwright.sync_api import sync_playwright

TIDEWISE = os.environ["TIDEWISE"]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
GLOBE = """
[environment]
file = "globe.h5"
[vehicle]
speeds = [0.5, 1.2]
headings = 32
[mission]
start = [220000, -48000]
target = [280000, 40000]
target_radius = 5000
[planner]
backend = "cpu"
"""
GYRE = """
[environment]
file = "gyre.h5"
[vehicle]
speeds = [0, 0.8, 1.6]
headings = 12
energy = { c_f = 1.0, c_t = 0.05 }
[mission]
objective = "energy"
start = [15.5, 6.5]
target = [15.5, 24.5]
target_radius = 1.5
[planner]
backend = "cpu"
"""


def setUpModule():
    global folder, playwright, browser
    folder = Path(tempfile.mkdtemp(prefix="test_view."))
    write_environment(folder / "globe.h5")
    (folder / "globe.toml").write_text(GLOBE)
    (folder / "gyre.toml").write_text(GYRE)
    tidewise("plan", "globe.toml", "--out", "globe")
    tidewise("plan", "globe.toml", "--out", "later", "--set", "mission.departure=3")
    tidewise(*"env double-gyre --out gyre.h5 --nx 30 --ny 30 --nt 45 --modes 3 --realizations 60".split())
    tidewise("plan", "gyre.toml", "--out", "gyre")
    write_two_depths(folder / "depths.h5", folder / "gyre.h5")
    depths = GYRE.replace("gyre.h5", "depths.h5").replace("[vehicle]", '[vehicle]\nprofiles = ["up", "down"]')
    (folder / "depths.toml").write_text(depths)
    tidewise("plan", "depths.toml", "--out", "depths")
    playwright = sync_playwright().start()
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


def tearDownModule():
    browser.close()
    playwright.stop()
    subprocess.run(["rm", "-r", str(folder)], check=True)


def tidewise(*words):
    subprocess.run([TIDEWISE, "-q", *words], cwd=folder, check=True, stdout=subprocess.PIPE)


class Opened:
    """A page of a run, opened without a network."""

    def __init__(self, *words, width=1280, height=800, scheme="light", touch=False, whole=True):
        self.file = folder / "page.html"
        tidewise("view", *words, "--out", str(self.file))
        self.open(width, height, scheme, touch)
        if whole:
            self.page.evaluate("tidewise.page.zoom(0)")

    def open(self, width, height, scheme, touch):
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, offline=True, color_scheme=scheme, has_touch=touch,
            is_mobile=touch
        )
        self.context.add_init_script(WRITTEN)
        self.page = self.context.new_page()
        self.complaints = []
        address = self.file.as_uri()
        self.page.on("request", lambda event: event.url == address or self.complaints.append(event.url))
        self.page.on("console", lambda event: self.complaints.append(event.text))
        self.page.on("pageerror", lambda event: self.complaints.append(str(event)))
        self.page.goto(address)
        self.page.wait_for_selector("html[data-ready]", timeout=30000)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.page.wait_for_timeout(50)
        self.context.close()
        if kind is None and self.complaints:
            raise AssertionError(f"the page complained: {self.complaints}")

    def run(self, script, *values):
        return self.page.evaluate(script, *values)

    def state(self, time):
        return self.run("(time) => tidewise.state(time)", float(time))

    def set_time(self, time):
        self.run("(time) => tidewise.setTime(time)", float(time))

    def time(self):
        return self.run("tidewise.page.state.time")

    def point_at(self, x, y, run=0):
        """Return the readout at a place of a run's plane, {label: text}."""
        place = self.run("([n, x, y]) => tidewise.screen(n, x, y)", [run, float(x), float(y)])
        self.page.mouse.move(place["x"], place["y"])
        self.page.wait_for_timeout(120)
        labels = self.page.locator("#readout dt").all_text_contents()
        return dict(zip(labels, self.page.locator("#readout dd").all_text_contents()))

    def text(self, selector):
        return self.page.locator(selector).text_content()


# Records texts that are drawn on canvases, with their left and right ends.
WRITTEN = """
  window.written = [];
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const width = this.measureText(text).width;
    const left = x - {left: 0, start: 0, center: width / 2, right: width, end: width}[this.textAlign];
    const box = this.canvas.getBoundingClientRect();
    window.written.push({text, left, right: left + width, y, canvas: [box.width, box.height], map: this.canvas.closest(".map") !== null});
    return write.call(this, text, x, y);
  };
"""


class RunFiles:
    """A run's files, read by h5py."""

    def __init__(self, name):
        with h5py.File(folder / name / "trajectories.nc") as file:
            self.x, self.y, self.time = (file[v][:] for v in ("x", "y", "time"))
            self.outcome, self.realization = file["outcome"][:], file["realization"][:]
        with h5py.File(folder / name / "policy.h5") as file:
            self.policy = {v: file[v][:] for v in file if file[v].shape}
        self.summary = json.loads((folder / name / "summary.json").read_text())
        # Half the resolution of 16 bits, and the rounding of a double.
        self.quantum = 0.51 * np.nanmax([np.ptp(v[np.isfinite(v)]) for v in (self.x, self.y)]) / 65534

    def position(self, n, time):
        known = np.isfinite(self.time[n])
        return tuple(np.interp(time, self.time[n][known], v[n][known]) for v in (self.x, self.y))

    def end(self, n):
        return np.nanmax(self.time[n])


# Returns the colours of the map in a square around a place, with flow arrows; `half` is half its width.
COLOURS_AROUND = """([x, y, half]) => {
  tidewise.page.draw();
  const [map] = tidewise.page.maps;
  const scale = map.canvas.width / map.canvas.getBoundingClientRect().width;
  const side = Math.floor(2 * half * map.scale * scale);
  const copy = new OffscreenCanvas(side, side).getContext("2d", {willReadFrequently: true});
  copy.drawImage(map.canvas, -Math.ceil(map.screenX(x - half) * scale), -Math.ceil(map.screenY(y + half) * scale));
  const {data} = copy.getImageData(0, 0, side, side);
  const seen = new Set();
  for (let n = 0; n < data.length; n += 4) seen.add(data.slice(n, n + 3).join());
  return [...seen];
}"""


def first_number(text):
    return float(re.match(r"[−\d.]+", text).group().replace("−", "-"))


class Positions(unittest.TestCase):
    def compare(self, name):
        flown = RunFiles(name)
        moments = np.linspace(np.nanmin(flown.time), np.nanmax(flown.time), 14)
        with Opened(name) as page:
            for time in moments:
                (run,) = page.state(time)
                self.assertEqual(len(run["flights"]), len(flown.x))
                for flight in run["flights"]:
                    n = flight["flight"]
                    x, y = flown.position(n, time)
                    self.assertAlmostEqual(flight["x"], x, delta=flown.quantum)
                    self.assertAlmostEqual(flight["y"], y, delta=flown.quantum)
                    self.assertEqual(flight["realization"], flown.realization[n])
                    self.assertEqual(flight["outcome"], flown.outcome[n])
                    if abs(time - flown.end(n)) > 1e-3:
                        self.assertEqual(flight["ended"], time > flown.end(n))
            return flown, page.state(1e12)[0]["arrived"], page.text("#summary")

    def test_equal_the_files_of_a_gyre(self):
        flown, arrived, _ = self.compare("gyre")
        self.assertAlmostEqual(arrived, np.mean(flown.outcome == 0))
        self.assertTrue(0 < arrived)

    def test_equal_the_files_across_180_degrees_with_weights(self):
        flown, arrived, summary = self.compare("globe")
        rate = flown.summary["rollout"]["arrival_rate"]
        self.assertAlmostEqual(arrived, rate, places=4)
        self.assertIn("1 Mar 2024 06:00 UTC", summary)

    def test_equal_the_files_of_a_rollout(self):
        tidewise("rollout", "gyre", "--time", "4", "--at-xy", "20.5,8.5")
        with h5py.File(folder / "gyre/rollout_1/trajectories.nc") as file:
            x, time = file["x"][0, 5], file["time"][0, 5]
        with Opened("gyre/rollout_1") as page:
            self.assertAlmostEqual(page.state(time)[0]["flights"][0]["x"], x, delta=0.01)

    def test_run_without_flights_has_a_note(self):
        tidewise("plan", "gyre.toml", "--out", "still", "--set", "rollout.mode=none")
        with Opened("still") as page:
            self.assertEqual(page.state(3)[0]["flights"], [])
            self.assertIn("Nothing was flown", page.text("#notes"))


class Readout(unittest.TestCase):
    def test_equals_the_policy(self):
        flown = RunFiles("globe")
        policy = flown.policy
        compared = 0
        with Opened("globe") as page:
            page.page.locator("#show-flights").uncheck()
            for level in (0, 7, 19):
                page.set_time(policy["time"][level] + 0.3 * np.diff(policy["time"])[0])
                for i, j in ((4, 3), (12, 15), (20, 25), (17, 4), (2, 28)):
                    readout = page.point_at(policy["x"][i], policy["y"][j])
                    lon, lat = policy["lon"][j, i], policy["lat"][j, i]
                    self.assertEqual(readout["Latitude"], degrees(lat, "NS"))
                    self.assertEqual(readout["Longitude"], degrees(lon, "EW"))
                    if readout.get("Cell") == "land or obstacle":
                        self.assertEqual(policy["action"][level, j, i], -1)
                        continue
                    self.check_action(readout["Action"], policy, level, j, i)
                    hours = -policy["value"][level, j, i] / 3600
                    self.assertAlmostEqual(first_number(readout["Time to go"]), hours, delta=0.06)
                    compared += 1
        self.assertGreater(compared, 10)

    def check_action(self, text, policy, level, j, i):
        action = policy["action"][level, j, i]
        if action < 0:
            self.assertEqual(text, "none")
            return
        self.assertAlmostEqual(first_number(text), policy["speed"][action], delta=0.006)
        bearing = 90 - math.degrees(policy["heading"][action]) + policy["meridian_convergence"][j, i]
        shown = float(re.search(r"(\d{3})°", text).group(1))
        self.assertLess(abs((shown - bearing + 180) % 360 - 180), 0.52)

    def test_equals_the_flow(self):
        with h5py.File(folder / "globe.h5") as file:
            u_mean, v_mean = file["u_mean"][:], file["v_mean"][:]
            u_mode, v_mode = file["u_mode"][:], file["v_mode"][:]
            coefficient, weight = file["coefficient"][:], file["realization_weight"][:]
            x, y, time = (file[v][:] for v in ("x", "y", "time"))
        k, j, i = 6, 9, 14
        spread = 0
        for mean, mode in ((u_mean, u_mode), (v_mean, v_mode)):
            values = coefficient[k].T @ mode[k, :, j, i]
            middle = np.average(values, weights=weight)
            spread += np.average((values - middle) ** 2, weights=weight)
        with Opened("globe") as page:
            page.page.locator("#show-flights").uncheck()
            page.set_time(time[k])
            readout = page.point_at(x[i], y[j])
            speed = math.hypot(u_mean[k, j, i], v_mean[k, j, i])
            self.assertAlmostEqual(first_number(readout["Mean flow"]), speed, delta=0.006)
            self.assertAlmostEqual(first_number(readout["Spread"]), math.sqrt(spread), delta=0.006)
            page.page.locator("[name=source][value=realization]").check()
            page.page.locator("#realization").fill("7")
            page.page.locator("#realization").press("Enter")
            readout = page.point_at(x[i], y[j])
            u = u_mean[k, j, i] + coefficient[k, :, 7] @ u_mode[k, :, j, i]
            v = v_mean[k, j, i] + coefficient[k, :, 7] @ v_mode[k, :, j, i]
            self.assertAlmostEqual(first_number(readout["Flow, realization 7"]), math.hypot(u, v), delta=0.006)
            page.page.locator("[name=speed][value=nautical]").check(force=True)
            readout = page.point_at(x[i], y[j])
            knots = math.hypot(u, v) / (1852 / 3600)
            self.assertAlmostEqual(first_number(readout["Flow, realization 7"]), knots, delta=0.006)
            self.assertIn("kn", readout["Flow, realization 7"])

    def test_obstacles_move(self):
        with h5py.File(folder / "globe.h5") as file:
            mask, x, y, time = (file[v][:] for v in ("obstacle_mask", "x", "y", "time"))
        j = 20
        with Opened("globe") as page:
            page.page.locator("#show-flights").uncheck()
            for level in (0, 20):
                page.set_time(time[level])
                for i in (6, 7, 12, 13):
                    readout = page.point_at(x[i], y[j])
                    self.assertEqual(readout.get("Cell") == "land or obstacle", bool(mask[level, j, i]), (level, i))

    def test_distinguishes_the_forecast_edge_from_land(self):
        with h5py.File(folder / "globe.h5") as file:
            mask, x, y = (file[v][:] for v in ("obstacle_mask", "x", "y"))
        with Opened("globe") as page:
            page.page.locator("#show-flights").uncheck()
            page.page.locator("#show-rim").uncheck()
            pictures = []
            for value, (i, j), words in ((1, (1, 27), "land or obstacle"), (2, (22, 2), "outside the forecast")):
                self.assertTrue((mask[0, j - 1 : j + 2, i - 1 : i + 2] == value).all())
                readout = page.point_at(x[i], y[j])
                self.assertEqual(readout["Cell"], words)
                self.assertNotIn("Mean flow", readout)
                self.assertIn(words, page.text("#closed-legend"))
                page.page.mouse.move(5, 5)
                colours = page.run(COLOURS_AROUND, [float(x[i]), float(y[j]), 0.9 * float(x[1] - x[0])])
                pictures.append(set(colours))
            land, beyond = pictures
            self.assertEqual(len(land), 1, "something is drawn on land")
            self.assertGreater(len(beyond), 1, "no hatching")
            self.assertFalse(land & beyond)

    def test_flight_has_its_realization_and_shows_its_flow(self):
        flown = RunFiles("globe")
        with Opened("globe") as page:
            time = 0.5 * flown.end(3)
            page.set_time(time)
            x, y = flown.position(3, time)
            readout = page.point_at(x, y)
            self.assertIn("realization", readout["Flight"])
            page.page.mouse.down()
            page.page.mouse.up()
            shown = re.search(r"\d+", readout["Flight"]).group()
            self.assertEqual(page.page.locator("#realization").input_value(), shown)


def degrees(value, letters):
    whole = round(abs(value) * 6000)
    return f"{whole // 6000}° {whole % 6000 / 100:05.2f}′ {letters[int(value < 0)]}"


class Recommendation(unittest.TestCase):
    def test_first_action_and_arrival_equal_the_printed_ones(self):
        flown = RunFiles("globe")
        first, outlook = flown.summary["first_action"], flown.summary["recommendation"]["outlook"]
        report = subprocess.run(
            [TIDEWISE, "plan", "globe.toml", "--out", "reported"], cwd=folder, check=True, capture_output=True, text=True
        ).stdout
        with Opened("globe") as page:
            verdict = page.text("#verdict").replace("\u00a0", " ")
            self.assertIn(f"Heading {round(first['bearing']) % 360:03d}° true", verdict)
            (arrival,) = re.findall(r"after [\d.]+ (?:h|min)", verdict)
            self.assertIn(arrival, report)
            probability = re.search(r"probability (?:over )?[\d.]+ %", verdict).group()
            self.assertIn(probability, report)
            step = page.run("tidewise.page.runs[0].facts.rounding.median")
            start = datetime(2024, 3, 1, 6).timestamp() - datetime(1970, 1, 1).timestamp()
            date = datetime(1970, 1, 1) + timedelta(seconds=round((start + outlook["time"]) / step) * step)
            self.assertIn(f"{date.day} {date:%b %Y %H:%M} UTC", verdict)
            page.page.locator("[name=speed][value=nautical]").check(force=True)
            self.assertIn(" kn.", page.text("#verdict"))

    def test_few_arrivals_are_shown(self):
        tidewise("plan", "gyre.toml", "--out", "short", "--set", "mission.horizon=9", "--set", "mission.objective=time")
        share = np.mean(RunFiles("short").outcome == 0)
        self.assertLess(share, 0.5)
        with Opened("short") as page:
            percent = re.search(r"probability (\d+) % \(60 flights", page.text("#verdict")).group(1)
            self.assertAlmostEqual(int(percent), 100 * share, delta=1)

    def test_without_forecast_error_missions_are_counted(self):
        shutil.copy(folder / "gyre.h5", folder / "lagged.h5")
        with h5py.File(folder / "lagged.h5", "a") as file:
            file.attrs["uncertainty"] = "lagged"
        tidewise("plan", "gyre.toml", "--out", "lagged", "--set", "environment.file=lagged.h5")
        arrived = np.sum(RunFiles("lagged").outcome == 0)
        with Opened("lagged") as page:
            self.assertTrue(page.text("#verdict .note").startswith("Lagged copies of one forecast"))
            self.assertIn(f"{arrived} of 60 simulated missions", page.text("#verdict"))
            self.assertIn(f"{arrived} of 60 simulated missions", page.text("#summary"))
            for part in ("#verdict", "#summary", "#arrived"):
                self.assertNotIn("%", page.text(part))

    def test_warning_is_one_sentence_with_details(self):
        long = [text for text in RunFiles("gyre").summary["warnings"] if ": " in text]
        self.assertTrue(long)
        with Opened("gyre") as page:
            item = page.page.locator("#warnings li", has=page.page.locator("details")).first
            head, _, rest = long[0].partition(": ")
            shown = item.inner_text().split("more")[0].strip()
            self.assertEqual(shown[1:], head[1:] + ".")
            self.assertFalse(item.locator("details").evaluate("(it) => it.open"))
            item.locator("summary").click()
            self.assertIn(rest[-30:], item.inner_text())


    def test_rehearsal_precedes_the_simulation(self):
        tidewise("plan", "globe.toml", "--out", "rehearsed")
        flights = [{"kind": "rehearsal", "outcome": "arrived", "hours": hours} for hours in (20.0, 12.5, 14.0)]
        flights += [{"kind": "rehearsal", "outcome": "obstacle", "hours": 3.0}, {"kind": "flight", "outcome": "arrived", "hours": 1.0}]
        features = [{"type": "Feature", "properties": properties, "geometry": None} for properties in flights]
        (folder / "rehearsed/rehearsal.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": features}))
        with Opened("rehearsed") as page:
            verdict = page.text("#verdict").replace("\u00a0", " ")
        # Two of four flights have arrived at the second arrival.
        self.assertRegex(verdict, r"In the forecast's own files: arrival 1 Mar 2024 .* UTC \(after 14(\.0)? h\), .*probability .* \(4 flights\)\.")
        self.assertIn("Planner's simulation: arrival ", verdict)


class Departures(unittest.TestCase):
    # Columns, as fractions of the width, with pixels as dark as the dots of the best departure.
    DOTS = """() => {
      const canvas = document.querySelector("#departures canvas");
      const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const ink = getComputedStyle(document.documentElement).getPropertyValue("--ink").match(/[0-9a-f]{2}/gi).map((part) => parseInt(part, 16));
      const many = new Array(canvas.width).fill(0);
      for (let n = 0; n < data.length; n += 4) {
        if (data[n + 3] === 255 && ink.every((part, m) => Math.abs(part - data[n + m]) < 9)) ++many[(n / 4) % canvas.width];
      }
      return many.map((count) => count / canvas.height);
    }"""

    def test_equal_those_of_the_command(self):
        tidewise("departures", "gyre", "--out", "departures.json")
        table = json.loads((folder / "departures.json").read_text())
        rows = table["departures"]
        earliest = rows[table["earliest_arrival"]]
        with Opened("gyre") as page:
            text = page.text("#departures p")
            self.assertTrue(page.page.locator("#departures canvas").is_visible())
            columns = page.run(self.DOTS)
        leave, arrive, over, chance = re.match(r"Earliest arrival: leave time ([\d.]+), arrival time ([\d.]+) \(after [\d.]+\), probability (over )?([\d.]+) %\.", text).groups()
        self.assertAlmostEqual(float(leave), earliest["time"], delta=0.06)
        report = subprocess.run([TIDEWISE, "departures", "gyre"], cwd=folder, check=True, capture_output=True, text=True).stdout
        self.assertIn(f"arrival {float(arrive):.4g}".rstrip("0").rstrip("."), report)
        self.assertAlmostEqual(float(arrive), earliest["arrival_time"], delta=1)
        rate = earliest["rollout"]["arrival_rate"]
        self.assertAlmostEqual(float(chance), 95 if over else 100 * rate, delta=1)  # 60 flights: "over 95 %" if all arrive
        self.assertEqual(over is not None, rate == 1)
        self.assertIn(f"{len(rows)} departures, 60 flights from each.", text)
        if table["best"] != table["earliest_arrival"]:
            self.assertIn(f"Best for least energy: leave time {rows[table['best']]['time']:.4g}".rstrip("0").rstrip("."), text)
        # The two dots are at the best departure, between the first departure and the first one without arrivals.
        last = max(n for n, row in enumerate(rows) if row["rollout"]["arrival_rate"] > 0)
        width = len(columns)
        column = 46 + (table["earliest_arrival"] / min(last + 1, len(rows) - 1)) * (width - 6 - 46)
        self.assertGreater(max(columns[round(column) - 2 : round(column) + 3]), 0.05)

    def test_many_flights_are_sampled(self):
        tidewise(*"env double-gyre --out many.h5 --nx 30 --ny 30 --nt 45 --modes 3 --realizations 300".split())
        tidewise("plan", "gyre.toml", "--out", "many", "--set", "environment.file=many.h5", "--baselines", "none")
        with Opened("many") as page:
            self.assertIn("125 flights from each; a sample: 'tidewise departures' compares all", page.text("#departures p"))

    def test_have_the_dates_of_the_forecast(self):
        with Opened("globe") as page:
            text = page.text("#departures p")
            label = page.page.locator("#departures canvas").get_attribute("aria-label")
        self.assertRegex(text, r"leave \d Mar 2024 \d\d:\d\d UTC, arrival \d+ Mar 2024 \d\d:\d\d UTC \(after")
        self.assertIn(text, label)

    def test_page_works_without_an_arrival(self):
        tidewise("plan", "globe.toml", "--out", "hopeless", "--set", "mission.deadline=4h")
        with Opened("hopeless") as page:  # fails if the page reports an error
            text = page.text("#departures p")
            advised = page.text("#verdict")
            drawn = page.run(
                "(() => {const map = document.querySelector('.map canvas');"
                "return new Set(map.getContext('2d').getImageData(0, 0, map.width, map.height).data).size})()"
            )
        self.assertIn("No flight arrives, whatever the departure.", text)
        self.assertEqual(advised.strip(), "Do not go: no flight arrives.")
        self.assertGreater(drawn, 20)

    def test_are_hidden_without_flights(self):
        tidewise("plan", "gyre.toml", "--out", "unflown", "--set", "rollout.mode=none")
        with Opened("unflown") as page:
            self.assertFalse(page.page.locator("#departures").is_visible())


class Routes(unittest.TestCase):
    def shown(self, page, name):
        page.page.set_input_files("#route-file", folder / name)
        page.page.wait_for_timeout(200)
        return page.run("tidewise.page.runs[0].route")

    def test_exported_route_has_the_places_of_its_file(self):
        for form in ("csv", "geojson", "gpx"):
            tidewise("export", "globe", "--format", form, "--out", f"route.{form}")
        head, *rows = (folder / "route.csv").read_text().splitlines()
        columns = head.split(",")
        places = [[float(row.split(",")[columns.index(name)]) for name in ("lon", "lat")] for row in rows]
        with Opened("globe") as page:
            before = page.run(
                "(() => { tidewise.page.runs[0].route = []; tidewise.page.draw(); return document.querySelector('.map canvas').toDataURL(); })()"
            )
            for form in ("csv", "geojson", "gpx"):
                route = self.shown(page, f"route.{form}")
                self.assertEqual(len(route), len(places))
                for point, (lon, lat) in zip(route, places):
                    place = page.run("([x, y]) => tidewise.page.runs[0].onGlobe(x, y)", [point["x"], point["y"]])
                    self.assertLess(abs((place["longitude"] - lon + 180) % 360 - 180), 2e-5)
                    self.assertAlmostEqual(place["latitude"], lat, delta=1e-5)
                self.assertIn(f"{len(places)} waypoints", page.text("#route-said"))
            self.assertNotEqual(page.run("document.querySelector('.map canvas').toDataURL()"), before)

    def test_route_on_a_plane_without_degrees(self):
        tidewise("export", "gyre", "--format", "csv", "--plane", "--out", "plane.csv")
        first = (folder / "plane.csv").read_text().splitlines()[1].split(",")
        with Opened("gyre") as page:
            route = self.shown(page, "plane.csv")
            self.assertEqual((route[0]["x"], route[0]["y"]), (float(first[1]), float(first[2])))

    def test_reports_a_file_that_is_no_route(self):
        (folder / "no.csv").write_text("a,b\n1,2\n")
        (folder / "no.json").write_text("{")
        with Opened("globe") as page:
            for name in ("no.csv", "no.json"):
                self.assertEqual(self.shown(page, name), [])
                self.assertIn(f"{name} has no waypoints", page.text("#route-said"))


    def test_downloads_equal_the_exported_files_and_are_shown(self):
        tidewise("export", "globe", "--format", "geojson,gpx,kml,slocum,csv", "--out", "exported/")
        written = {file.name: file.read_bytes() for file in (folder / "exported").iterdir()}
        with Opened("globe") as page:
            links = page.page.locator("#downloads a")
            self.assertEqual(links.count(), len(written))
            for n in range(links.count()):
                with page.page.expect_download() as download:
                    links.nth(n).click()
                name = download.value.suggested_filename
                self.assertEqual(Path(download.value.path()).read_bytes(), written.pop(name), name)
            points = json.loads((folder / "exported/globe.geojson").read_text())["features"]
            waypoints = [point for point in points if point["geometry"]["type"] == "Point"]
            self.assertEqual(len(page.run("tidewise.page.runs[0].route")), len(waypoints))
        self.assertEqual(written, {})

    def test_a_run_without_degrees_has_the_formats_that_hold_it(self):
        with Opened("gyre") as page:
            self.assertEqual(page.page.locator("#downloads a").all_text_contents(), ["GeoJSON", "CSV"])


class Layout(unittest.TestCase):
    """The map in the window, for regions of three shapes, on a desk and on a phone."""

    SHAPES = {"wide": (60, 30), "tall": (30, 60), "square": (40, 40)}
    # The part of the region that is visible, in pixels.
    VISIBLE = """() => { const [map] = tidewise.page.maps; const {box} = map.viewport;
      const within = (low, high, size) => Math.min(high, size) - Math.max(low, 0);
      return [within(map.screenX(box.west), map.screenX(box.east), map.width),
              within(map.screenY(box.north), map.screenY(box.south), map.height)]; }"""

    @classmethod
    def setUpClass(cls):
        for name, (nx, ny) in cls.SHAPES.items():
            tidewise(*f"env double-gyre --out {name}.h5 --nx {nx} --ny {ny} --nt 40 --modes 2 --realizations 20".split())
            mission = GYRE.replace("gyre.h5", f"{name}.h5").replace("[15.5, 6.5]", f"[{nx / 2 + 0.5}, {ny / 2 - 7.5}]")
            (folder / f"{name}.toml").write_text(mission.replace("[15.5, 24.5]", f"[{nx / 2 + 0.5}, {ny / 2 + 7.5}]"))
            tidewise("plan", f"{name}.toml", "--out", name)

    def test_the_map_fills_the_window(self):
        for name in self.SHAPES:
            for width, height, touch in ((1280, 800, False), (1366, 768, False), (390, 844, True)):
                with self.subTest(name=name, width=width), Opened(name, width=width, height=height, touch=touch, whole=False) as page:
                    for _ in ("the mission", "the whole region"):
                        self.assertGreaterEqual(max(page.run(self.VISIBLE)), 0.9 * min(width, height))
                        page.run("tidewise.page.zoom(0)")

    def test_mission_is_visible_at_first(self):
        for name in self.SHAPES:
            with Opened(name, whole=False) as page:
                inside = page.run(
                    """() => { const [map] = tidewise.page.maps; const {start, target} = map.run.facts;
                    return [start, target].every(({x, y}) => map.screenX(x) > 0 && map.screenX(x) < map.width
                      && map.screenY(y) > 0 && map.screenY(y) < map.height); }"""
                )
                self.assertTrue(inside, name)
                self.assertGreaterEqual(page.run("tidewise.page.viewport.zoom"), 1)

    def test_each_tap_shows_a_readout(self):
        with Opened("globe", width=390, height=844, touch=True, whole=False) as page:
            readouts = []
            for part in (0.3, 0.7):
                box = page.page.locator(".map canvas").bounding_box()
                top = min(box["y"] + part * box["height"], 700)
                page.page.touchscreen.tap(box["x"] + part * box["width"], top)
                page.page.wait_for_timeout(200)
                self.assertTrue(page.page.locator("#readout").is_visible())
                readouts.append(page.text("#readout"))
                readout = page.page.locator("#readout").bounding_box()
                self.assertGreaterEqual(readout["x"], 0)
                self.assertLessEqual(readout["x"] + readout["width"], 390)
                self.assertGreaterEqual(readout["y"], 0)
                self.assertLessEqual(readout["y"] + readout["height"], 844)
            self.assertIn("Latitude", readouts[0])
            self.assertNotEqual(readouts[0], readouts[1])

    def test_no_text_lies_outside_its_box(self):
        for width, height, touch in ((1280, 800, False), (390, 844, True)):
            for name in ("globe", "wide", "tall", "depths"):
                with Opened(name, width=width, height=height, touch=touch, whole=False) as page:
                    self.assertLessEqual(page.run("document.documentElement.scrollWidth"), width)
                    cut = page.run(
                        """() => [...document.querySelectorAll("h1, h2, p, td, th, li, label, span, output, button, a")]
                        .filter((it) => it.offsetParent && it.id !== "spoken" && it.id !== "subtitle")
                        .filter((it) => it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).display !== "inline")
                        .map((it) => it.outerHTML.slice(0, 80))"""
                    )
                    self.assertEqual(cut, [])
                    charts = [chart for chart in page.run("window.written") if not chart["map"] and chart["canvas"][0] > 0]
                    self.assertGreater(len(charts), 0)
                    for chart in charts:
                        self.assertGreaterEqual(chart["left"], -0.6, chart)
                        self.assertLessEqual(chart["right"], chart["canvas"][0] + 0.6, chart)

    def test_no_hours_are_negative(self):
        negative = re.compile(r"[−-]\s?\d[\d.]*\s*(h|d|kJ|MJ|J)\b")
        for words in (("globe",), ("later",), ("gyre",), ("globe", "--with", "later")):
            with Opened(*words) as page:
                for background in page.page.locator("#background option").evaluate_all("(all) => all.map((it) => it.value)"):
                    page.page.locator("#background").select_option(background)
                    for part in (0, 0.5, 1):
                        page.run("(part) => { const {page} = tidewise; page.setTime(page.clock.first + part * (page.clock.last - page.clock.first)); page.draw(); }", part)
                        box = page.page.locator(".map canvas").first.bounding_box()
                        page.page.mouse.move(box["x"] + 0.55 * box["width"], box["y"] + 0.6 * box["height"])
                        page.page.wait_for_timeout(60)
                        shown = page.run("document.body.innerText") + " ".join(w["text"] for w in page.run("window.written"))
                        self.assertIsNone(negative.search(shown), negative.search(shown))

    def test_every_colour_has_a_legend(self):
        with Opened("globe") as page:
            words = page.text("#key")
            for word in ("where to steer", "where the water goes", "flight that arrives", "90 % of flights", "land or obstacle", "outside the forecast", "route to follow", "Speed of the flow"):
                self.assertIn(word, words)
            page.page.locator("#show-policy").uncheck()
            self.assertNotIn("where to steer", page.text("#key"))

    def test_charts_use_their_width(self):
        flown = RunFiles("gyre")
        ends = sorted(flown.end(n) for n in np.flatnonzero(flown.outcome == 0))
        curve = """() => { const canvas = document.querySelector("#arrivals canvas"); const c = canvas.getContext("2d");
          const accent = getComputedStyle(document.documentElement).getPropertyValue("--accent").match(/[0-9a-f]{2}/gi).map((part) => parseInt(part, 16));
          const {data} = c.getImageData(0, 0, canvas.width, canvas.height); const rows = {};
          for (let n = 0; n < data.length; n += 4) if (data[n + 3] > 200 && accent.every((part, m) => Math.abs(part - data[n + m]) < 9)) {
            const row = Math.floor(n / 4 / canvas.width); (rows[row] ??= []).push((n / 4) % canvas.width); }
          const all = Object.entries(rows); const rising = all.slice(2, -2).flatMap(([, columns]) => columns);
          return [Math.min(...rising) / canvas.width, Math.max(...rising) / canvas.width]; }"""
        with Opened("gyre") as page:
            first, last = page.run(curve)
        self.assertGreater(len(ends), 10)
        self.assertLess(first, 0.4)
        self.assertGreater(last, 0.7)

    def test_replan_starts_at_the_vehicle(self):
        tidewise("replan", "globe", "--at", "-177.2,61.9", "--time", "4", "--out", "replanned")
        for run, word, other in (("globe", "start", "you are here"), ("replanned", "you are here", "start")):
            with Opened(run) as page:
                texts = {w["text"] for w in page.run("window.written")}
                self.assertIn(word, texts)
                self.assertNotIn(other, texts)


class Pictures(unittest.TestCase):
    """Screenshots for inspection, in the folder that PICTURES names."""

    def test_are_kept(self):
        pictures = Path(os.environ.get("PICTURES", folder / "pictures"))
        pictures.mkdir(parents=True, exist_ok=True)
        for name in ("globe", "depths"):
            for kind, (width, height, touch) in {"desktop": (1366, 768, False), "phone": (390, 844, True)}.items():
                for scheme in ("light", "dark"):
                    with Opened(name, width=width, height=height, scheme=scheme, touch=touch, whole=False) as page:
                        page.run("(() => { const {page} = tidewise; page.setTime(0.5 * (page.clock.first + page.clock.last)); page.draw(); })()")
                        page.page.wait_for_timeout(200)
                        file = pictures / f"{name}_{kind}_{scheme}.png"
                        page.page.screenshot(path=file)
                        self.assertGreater(file.stat().st_size, 10000)


def interpolated(plane, x, y, place):
    """Return a field at a place, bilinear between the centres of its cells."""
    column, row = ((value - axis[0]) / (axis[1] - axis[0]) for value, axis in zip(place, (x, y)))
    i, j = min(int(column), len(x) - 2), min(int(row), len(y) - 2)
    a, b = column - i, row - j
    corners = (((1 - a) * (1 - b), (j, i)), (a * (1 - b), (j, i + 1)), ((1 - a) * b, (j + 1, i)), (a * b, (j + 1, i + 1)))
    return sum(share * plane[at] for share, at in corners if share > 1e-9)  # cells on land have no number


class Regions(unittest.TestCase):
    """Lines of the regions, compared with reach.nc."""

    @classmethod
    def setUpClass(cls):
        tidewise("plan", "gyre.toml", "--out", "reached", "--set", "mission.horizon=34")
        tidewise("reach", "reached")
        with h5py.File(folder / "reached/reach.nc") as file:
            cls.reach = {name: file[name][:] for name in file if file[name].shape}

    # Lines of the shown level by kind, in x and y of the plane.
    LINES = """() => { tidewise.page.draw(); const [map] = tidewise.page.maps; const {grid} = map.run;
      return map.regions.map(({kind, threshold, lattice, lines}) => ({kind, threshold, lines: lines.map((line) => line.map(
        ([column, row]) => [grid.x_first + column * lattice.cell_stride * grid.dx, grid.y_first + row * lattice.cell_stride * grid.dy]))})); }"""

    def test_lines_follow_the_fields(self):
        reach, x, y = self.reach, self.reach["x"], self.reach["y"]
        expected = RunFiles("reached").summary["expected"]["time"]
        counts = dict.fromkeys(("chance", "late", "corridor"), 0)
        with Opened("reached") as page:
            for level in (4, 8, 12, 16, 20):
                page.set_time(level)
                delay = level + reach["time_to_go"][level] - expected
                for region in page.run(self.LINES):
                    kind, places = region["kind"], [place for line in region["lines"] for place in line]
                    for place in places:
                        if kind == "chance":
                            value = interpolated(reach["arrival_probability"][level], x, y, place)
                            self.assertAlmostEqual(value, region["threshold"], delta=2e-3)
                        elif kind == "late":
                            self.assertAlmostEqual(interpolated(delay, x, y, place), 1, delta=0.02)
                        else:
                            self.assertAlmostEqual(interpolated(reach["flight_density"][level], x, y, place), 1, delta=0.03)
                    counts[kind] += len(places)
        self.assertTrue(all(count > 20 for count in counts.values()), counts)

    def test_readout_has_probability_and_time(self):
        level, j, i = 8, 12, 9
        with Opened("reached") as page:
            page.page.locator("#show-flights").uncheck()
            page.set_time(level)
            arrives = page.point_at(self.reach["x"][i], self.reach["y"][j])["Arrives"]
        share, after = re.fullmatch(r"([\d.]+) % after ([\d.]+)", arrives.replace("> ", "")).groups()
        self.assertAlmostEqual(float(share), 100 * self.reach["arrival_probability"][level, j, i], delta=0.11)
        self.assertAlmostEqual(float(after), self.reach["time_to_go"][level, j, i], delta=0.01)

    def test_chosen_regions_are_drawn_and_named(self):
        arrival = self.reach["arrival_probability"]
        shared = np.sum((arrival > 0.05) & (arrival < 0.95), axis=(1, 2))
        with Opened("reached") as page:
            page.set_time(np.argmax(shared[:20]))
            for box, words in (("chance", "90 % arrive"), ("late", "later than expected"), ("corridor", "90 % of flights")):
                self.assertIn(words, page.text("#region-legend"))
                before = page.run("tidewise.page.draw(), document.querySelector('.map canvas').toDataURL()")
                page.page.locator(f"#show-{box}").uncheck()
                self.assertNotIn(words, page.text("#region-legend"))
                after = page.run("tidewise.page.draw(), document.querySelector('.map canvas').toDataURL()")
                self.assertTrue(before != after, box)
        with Opened("gyre") as page:
            self.assertTrue(page.page.locator("#show-chance").is_disabled())
            self.assertIn("tidewise reach", page.page.locator("label:has(#show-chance)").get_attribute("title"))


class Controls(unittest.TestCase):
    def test_keys_control_the_page(self):
        with Opened("gyre") as page:
            press = page.page.keyboard.press
            press("ArrowRight")
            press("ArrowRight")
            self.assertAlmostEqual(page.time(), 2)
            press("ArrowLeft")
            self.assertAlmostEqual(page.time(), 1)
            press("PageDown")
            self.assertAlmostEqual(page.time(), 11)
            press("End")
            end = page.time()
            self.assertEqual(end, page.run("tidewise.page.clock.last"))
            self.assertIn("arrived", page.text("#arrived"))
            press("Home")
            self.assertEqual(page.time(), 0)
            press(" ")
            for _ in range(100):  # the page's security policy blocks Playwright's wait
                page.page.wait_for_timeout(50)
                if page.time() > 0.2:
                    break
            self.assertGreater(page.time(), 0.2)
            press(" ")
            page.page.wait_for_timeout(60)
            halted = page.time()
            page.page.wait_for_timeout(120)
            self.assertEqual(page.time(), halted)
            for key, more in (("+", 1), ("-", -1)):
                zoom = page.run("tidewise.page.viewport.zoom")
                press(key)
                self.assertGreater(more * (page.run("tidewise.page.viewport.zoom") - zoom), 0)
            press("+")
            x = page.run("tidewise.page.viewport.x")
            press("Shift+ArrowRight")
            self.assertGreater(page.run("tidewise.page.viewport.x"), x)
            press("0")
            self.assertEqual(page.run("tidewise.page.viewport.zoom"), 1)
            press("c")
            self.assertEqual(page.page.locator("#background").input_value(), "spread")
            for key, box in (("f", "#show-flow"), ("p", "#show-policy")):
                before = page.page.locator(box).is_checked()
                press(key)
                self.assertNotEqual(page.page.locator(box).is_checked(), before)
            press("?")
            self.assertTrue(page.page.locator("#help").is_visible())
            press("Escape")
            self.assertFalse(page.page.locator("#help").is_visible())

    def test_middle_of_the_map_is_read_aloud(self):
        with Opened("globe") as page:
            page.page.locator(".map canvas").focus()
            page.page.keyboard.press("Enter")
            self.assertIn("Action", page.text("#spoken"))
            page.page.keyboard.press("ArrowRight")
            self.assertIn("1 Mar 2024 07:00 UTC", page.text("#spoken"))

    def test_every_control_has_an_accessible_name(self):
        with Opened("globe") as page:
            nameless = page.run(
                """() => [...document.querySelectorAll("button, input, select")]
                     .filter((it) => !it.labels?.length && !it.ariaLabel && !it.textContent.trim()
                       && !it.title).map((it) => it.outerHTML)"""
            )
            self.assertEqual(nameless, [])

    def test_themes_change_the_page_and_the_map(self):
        ground = "getComputedStyle(document.body).backgroundColor"
        water = """() => { tidewise.page.draw();
            return document.querySelector(".map canvas").toDataURL(); }"""
        with Opened("gyre", scheme="dark") as page:
            dark, dark_water = page.run(ground), page.run(water)
            page.page.locator("[name=theme][value=light]").check(force=True)
            self.assertNotEqual(page.run(ground), dark)
            self.assertNotEqual(page.run(water), dark_water)
            page.page.locator("h1").click()
            page.page.evaluate("document.activeElement.blur()")
            page.page.keyboard.press("t")
            self.assertEqual(page.run(ground), dark)

    def test_every_layer_changes_the_picture(self):
        picture = """() => { tidewise.page.draw();
            return document.querySelector(".map canvas").toDataURL(); }"""
        with Opened("gyre") as page:
            page.set_time(12)
            images = set()
            for background in page.run("[...document.querySelectorAll('#background option')].map((o) => o.value)"):
                page.page.locator("#background").select_option(background)
                images.add(page.run(picture))
            self.assertEqual(len(images), 5)  # none, speed, spread, value, scalar field
            for box in ("flow", "policy", "flights", "tracks", "rim"):
                before = page.run(picture)
                page.page.locator(f"#show-{box}").click()
                self.assertNotEqual(page.run(picture), before, box)
                if not page.page.locator(f"#show-{box}").is_checked():
                    page.page.locator(f"#show-{box}").click()
            before = page.run(picture)
            page.page.locator("#colour-by").select_option("arrival")
            self.assertNotEqual(page.run(picture), before)

    def test_phone_shows_the_whole_page(self):
        with Opened("globe", width=390, height=844) as page:
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 390)
            page.page.locator("#background").select_option("value")
            self.assertIn("Time to go", page.text("#legend p"))


def rgb(hex_colour):
    return ",".join(str(int(hex_colour[n : n + 2], 16)) for n in (1, 3, 5))


class Dives(unittest.TestCase):
    """Pages of a vehicle that chooses between two profiles."""

    COLOURS = ("#d97300", "#4b2ea8")  # colours of the profiles in the light theme

    def section(self, page):
        return page.run("tidewise.page.dives()")

    def legs_of(self, realization):
        """Return [(profile, begin, end)] of a flight from trajectories.nc, after departure."""
        with h5py.File(folder / "depths" / "trajectories.nc") as file:
            (n,) = np.flatnonzero(file["realization"][:] == realization)
            profile, time = file["profile"][n], file["time"][n]
        legs = np.flatnonzero(profile < 255)
        ends = [*(np.flatnonzero(np.diff(profile[legs])) + 1), len(legs)]
        return [(int(profile[a]), time[a] - time[0], time[b] - time[0]) for a, b in zip([0, *ends[:-1]], ends)]

    def test_section_shows_the_median_or_the_clicked_flight(self):
        flown = RunFiles("depths")
        with Opened("depths") as page:
            shown = self.section(page)
            ends = np.array([flown.end(n) for n in np.flatnonzero(flown.outcome == 0)])
            (n,) = np.flatnonzero(flown.realization == shown["realization"])
            self.assertAlmostEqual(flown.end(n), np.sort(ends)[(len(ends) - 1) // 2], places=5)
            self.assertIn("the median flight", page.text("#dives p"))
            changing = [r for r in flown.realization if len(self.legs_of(r)) > 1]
            self.assertGreater(len(changing), 0)
            for realization in (shown["realization"], int(changing[0]), int(changing[-1])):
                page.run(
                    """(realization) => { const [run] = tidewise.page.runs;
                    const n = [...run.drawn].findIndex((flight) => run.arrays.flown_realization.data[flight] === realization);
                    tidewise.page.state.flight = {run, n}; tidewise.page.draw(); }""",
                    realization,
                )
                dives = self.section(page)["dives"]
                expected = self.legs_of(realization)
                self.assertEqual([leg["profile"] for leg in dives], [leg[0] for leg in expected])
                for leg, (_, begin, end) in zip(dives, expected):
                    self.assertAlmostEqual(leg["from"], begin, places=4)
                    self.assertAlmostEqual(leg["to"], end, places=4)
                self.assertIn(f"Realization {realization}, the flight clicked", page.text("#dives p"))
            label = page.page.locator("#dives canvas").get_attribute("aria-label")
            self.assertIn("0–1000 m until", label)

    def test_colours_distinguish_profiles(self):
        colours = """(selector) => {
          tidewise.page.draw();
          const canvas = document.querySelector(selector);
          const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", {willReadFrequently: true});
          copy.drawImage(canvas, 0, 0);
          const {data} = copy.getImageData(0, 0, canvas.width, canvas.height);
          const seen = {};
          for (let n = 0; n < data.length; n += 4) {
            const colour = data.slice(n, n + 3).join();
            seen[colour] = (seen[colour] ?? 0) + 1;
          }
          return seen; }"""
        with Opened("depths") as page:
            names = page.page.locator("#profile-legend .kind").all_text_contents()
            self.assertEqual(names, ["up, 0–50 m", "down, 0–1000 m"])
            self.assertEqual(page.page.locator("#colour-by").input_value(), "profile")
            page.set_time(12)
            for box in ("#show-flow", "#show-tracks", "#show-rim", "#show-flights"):
                page.page.locator(box).uncheck()
            page.page.locator("#background").select_option("none")
            arrows = page.run(colours, ".map canvas")
            page.page.locator("#show-policy").uncheck()
            page.page.locator("#show-flights").check()
            heads = page.run(colours, ".map canvas")
            section = page.run(colours, "#dives canvas")
            for counts in (arrows, heads, section):
                for colour in self.COLOURS:
                    self.assertGreater(counts.get(rgb(colour), 0), 10)
            page.page.locator("#colour-by").select_option("outcome")
            self.assertNotIn(rgb(self.COLOURS[0]), page.run(colours, ".map canvas"))

    def test_readout_has_the_profile(self):
        flown = RunFiles("depths")
        with h5py.File(folder / "depths" / "policy.h5") as file:
            profile, action = file["profile"][:], file["action"][12]
        with Opened("depths") as page:
            page.set_time(12)
            names = set()
            for j, i in ((8, 8), (12, 20), (20, 8), (22, 18), (6, 22)):
                text = page.point_at(flown.policy["x"][i], flown.policy["y"][j])["Action"]
                if action[j, i] < 0:
                    continue
                name = ("up, 0–50 m", "down, 0–1000 m")[profile[action[j, i]]]
                self.assertTrue(text.startswith(f"{name}: "), text)
                names.add(name)
            self.assertGreater(len(names), 0)

    def test_flow_is_that_of_the_chosen_profile(self):
        flown = RunFiles("depths")
        k = 12
        with h5py.File(folder / "depths" / "policy.h5") as file:
            profile_of_action, action = file["profile"][:], file["action"][k]
        with h5py.File(folder / "depths.h5") as file:
            mean = [file[name][k] for name in ("u_mean", "v_mean")]  # (profile, y, x)
            mode = [file[name][k] for name in ("u_mode", "v_mode")]  # (profile, mode, y, x)
            coefficient = file["coefficient"][k]
        names = ("up, 0–50 m", "down, 0–1000 m")
        compared = set()
        with Opened("depths") as page:
            page.page.locator("#show-flights").uncheck()
            page.set_time(flown.policy["time"][k])
            options = page.page.locator("#flow-of option").all_text_contents()
            self.assertEqual(options, ["chosen by the plan", *names])
            for text in options:
                page.page.locator("#flow-of").select_option(text)
                for j, i in ((8, 8), (12, 20), (20, 8), (22, 18), (6, 22), (15, 10)):
                    if action[j, i] < 0:
                        continue
                    profile = names.index(text) if text in names else profile_of_action[action[j, i]]
                    compared.add((text, profile))
                    for source, number in (("mean", None), ("realization", 7)):
                        page.page.locator(f"[name=source][value={source}]").check()
                        if number is not None:
                            page.page.locator("#realization").fill(str(number))
                            page.page.locator("#realization").press("Enter")
                        readout = page.point_at(flown.policy["x"][i], flown.policy["y"][j])
                        self.assertEqual(readout["Flow at"], names[profile])
                        u, v = (field[profile, j, i] for field in mean)
                        if number is not None:
                            u, v = (a + coefficient[:, number] @ field[profile, :, j, i] for a, field in zip((u, v), mode))
                        label = "Mean flow" if number is None else f"Flow, realization {number}"
                        speed, angle = re.match(r"([\d.]+) to ([\d.]+)°", readout[label]).groups()
                        self.assertAlmostEqual(float(speed), math.hypot(u, v), delta=0.006)
                        difference = float(angle) - math.degrees(math.atan2(v, u))
                        if math.hypot(u, v) > 0.1:
                            self.assertLess(abs((difference + 180) % 360 - 180), 1)
        self.assertEqual(len(compared), 4, "the plan dives only one of them")

    def test_keys_change_the_profile_of_the_map(self):
        picture = "() => { tidewise.page.draw(); return document.querySelector('.map canvas').toDataURL(); }"
        with Opened("depths") as page:
            page.set_time(12)
            pictures = [page.run(picture)]
            page.page.evaluate("document.activeElement.blur()")
            for text in ("up, 0–50 m", "down, 0–1000 m", "chosen by the plan"):
                page.page.keyboard.press("d")
                self.assertEqual(page.text("#spoken"), text)
                pictures.append(page.run(picture))
            self.assertEqual(pictures[0], pictures[3])
            self.assertEqual(len(set(pictures)), 3)
            # The arrows are reversed; the colours show the speed, which is the same.
            page.page.locator("#show-flow").uncheck()
            page.page.keyboard.press("d")
            up = page.run(picture)
            page.page.keyboard.press("d")
            self.assertEqual(page.run(picture), up)

    def test_recommendation_has_the_first_profile(self):
        first = RunFiles("depths").summary["first_action"]["profile"]["name"]
        with Opened("depths") as page:
            dive = {"up": ", dive up (0–50 m).", "down": ", dive down (0–1000 m)."}[first]
            self.assertTrue(page.text("#verdict b").endswith(dive), page.text("#verdict b"))

    def test_one_profile_has_no_dive_controls(self):
        with Opened("gyre") as page:
            self.assertIsNone(self.section(page))
            self.assertFalse(page.page.locator("#dives").is_visible())
            self.assertEqual(page.page.locator("#colour-by option[value=profile]").count(), 0)
            self.assertFalse(page.page.locator("#flow-of").is_visible())
            page.page.keyboard.press("d")
            self.assertEqual(page.text("#spoken"), "")
            self.assertNotIn("Flow at", page.point_at(15.5, 10.5))
            self.assertEqual(page.page.locator("#colour-by").input_value(), "outcome")


class SideBySide(unittest.TestCase):
    def test_dates_are_linked(self):
        flown, later = RunFiles("globe"), RunFiles("later")
        with Opened("globe", "--with", "later") as page:
            self.assertEqual(page.page.locator(".map canvas").count(), 2)
            time = flown.time[0, 8]
            a, b = page.state(time)
            for run, files in ((a, flown), (b, later)):
                self.assertAlmostEqual(run["flights"][2]["x"], files.position(2, time)[0], delta=files.quantum)
            page.page.locator("[name=link][value=departure]").check(force=True)
            a, b = page.state(time)
            later_time = time + later.time[0, 0] - flown.time[0, 0]
            self.assertAlmostEqual(b["flights"][2]["x"], later.position(2, later_time)[0], delta=later.quantum)
            page.page.keyboard.press("+")
            x, y = flown.policy["x"][12], flown.policy["y"][15]
            first, second = (page.run("([n, x, y]) => tidewise.screen(n, x, y)", [n, float(x), float(y)]) for n in (0, 1))
            self.assertAlmostEqual(first["y"], second["y"], delta=2)
            head = page.page.locator("#summary thead th").all_text_contents()
            self.assertEqual(head, ["A", "B"])


class Omissions(unittest.TestCase):
    def test_missing_environment_has_a_note(self):
        tidewise("plan", "gyre.toml", "--out", "orphan")
        (folder / "gyre.h5").rename(folder / "moved.h5")
        try:
            with Opened("orphan") as page:
                self.assertIn("No flow is shown", page.text("#notes"))
                self.assertEqual(page.page.locator("#background option[value=speed]").count(), 0)
                readout = page.point_at(15.5, 10.5)
                self.assertNotIn("Mean flow", readout)
                self.assertIn("Action", readout)
            with Opened("orphan", "--environment", "moved.h5") as page:
                self.assertFalse(page.page.locator("#notes").is_visible())
                self.assertIn("Mean flow", page.point_at(15.5, 10.5))
        finally:
            (folder / "moved.h5").rename(folder / "gyre.h5")

    def test_flights_over_the_limit_have_a_note(self):
        tidewise("plan", "gyre.toml", "--out", "crowd", "--set", "rollout.mode=chain", "--set", "rollout.flights=250000")
        with Opened("crowd") as page:
            self.assertLess(page.file.stat().st_size, 10e6)
            self.assertRegex(page.text("#notes"), r"\d+ of 250000 flights are drawn")
            rate = RunFiles("crowd").summary["rollout"]["arrival_rate"]
            self.assertAlmostEqual(page.state(1e6)[0]["arrived"], rate, places=9)

    def test_5000_flights_open_within_the_limit(self):
        tidewise(*"env double-gyre --out big.h5 --nx 60 --ny 60 --nt 102 --modes 5 --realizations 5000".split())
        (folder / "big.toml").write_text(GYRE.replace("gyre.h5", "big.h5").replace("[15.5, 6.5]", "[30.5, 10.5]").replace("[15.5, 24.5]", "[30.5, 50.5]").replace("objective = \"energy\"", "").replace("0.8, 1.6", "0.5"))
        tidewise("plan", "big.toml", "--out", "big", "--baselines", "none")
        with Opened("big", width=1440, height=900) as page:
            self.assertEqual(len(page.state(3)[0]["flights"]), 5000)
            page.set_time(30)
            drawn = page.run("tidewise.drawnMilliseconds")
            complete = page.run("tidewise.completeMilliseconds")
            frame = page.run(
                """() => { const begin = performance.now();
                for (let n = 0; n < 20; ++n) tidewise.setTime(20 + n);
                return (performance.now() - begin) / 20; }"""
            )
            size = page.file.stat().st_size
            print(
                f"\n5000 flights: {1e-6 * size:.1f} MB, drawn after {drawn:.0f} ms, all there after "
                f"{complete:.0f} ms, a frame takes {frame:.0f} ms"
            )
            self.assertLess(size, 10e6)
            self.assertLess(complete, 15000)


if __name__ == "__main__":
    unittest.main()
