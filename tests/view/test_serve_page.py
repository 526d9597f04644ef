"""The page of 'tidewise serve' in Chromium: dragged places are planned, and the plan is accepted or rejected.

Most tests use a server that answers with prepared runs (stand_in.py), the last ones 'tidewise serve'. Requests to
another origin, violations of the Content-Security-Policy and console output fail a test.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np
from make_environment import write_environment
from playwright.sync_api import sync_playwright
from stand_in import TOKEN, StandIn

ROOT = Path(__file__).resolve().parents[2]
TIDEWISE = os.environ["TIDEWISE"]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# A Python with the package tidewise: scripts/test_python.sh installs it there.
PYTHON = os.environ.get("TIDEWISE_PYTHON", str(ROOT / "build/python/bin/python"))
MISSION = """
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
PICTURES = os.environ.get("PICTURES")


def setUpModule():
    global folder, playwright, browser, page_text, runs, reports
    if not Path(PYTHON).exists():
        raise unittest.SkipTest(f"{PYTHON} is not there: run scripts/test_python.sh first")
    folder = Path(tempfile.mkdtemp(prefix="test_serve_page."))
    write_environment(folder / "globe.h5")
    (folder / "globe.toml").write_text(MISSION)
    changes = {"first": [], "target": ["mission.target=[262000, 46000]"], "start": ["mission.start=[236000, -40000]"]}
    reports = {}
    for name, settings in changes.items():
        options = [word for setting in settings for word in ("--set", setting)]
        reports[name] = subprocess.run(
            [TIDEWISE, "plan", "globe.toml", "--out", name, *options], cwd=folder, check=True, capture_output=True, text=True
        ).stdout
    script = f"""import json
from tidewise import _core
print(json.dumps([_core.served_page(), [json.loads(_core.view_data(name)) for name in {list(changes)}]]))"""
    done = subprocess.run([PYTHON, "-c", script], cwd=folder, check=True, capture_output=True, text=True)
    page_text, data = json.loads(done.stdout)
    runs = dict(zip(changes, data))
    playwright = sync_playwright().start()
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


def tearDownModule():
    browser.close()
    playwright.stop()
    shutil.rmtree(folder)


def mission(**others):
    departures = [f"2024-03-01T{6 + n:02d}:00:00Z" for n in range(6)]
    places = {"start": [179.1, 61.5], "target": [-178.2, 62.3], "departure": departures[0]}
    return {**places, "geographic": True, "departures": departures, **others}


class Served:
    """A page and its server, on a desktop or a phone."""

    def __init__(self, phone=False, seconds=0.0, silent=True, server=None):
        self.silent = silent  # if true, console output fails the test
        answers = [runs["target"], runs["start"]]
        self.server = server or StandIn(page_text, runs["first"], answers, mission(), seconds)
        width, height = (390, 844) if phone else (1400, 900)
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=phone, is_mobile=phone, accept_downloads=True
        )
        self.context.add_init_script(WATCHED)
        self.page = self.context.new_page()
        self.session = self.context.new_cdp_session(self.page)
        self.complaints = []
        self.page.on("request", lambda event: event.url.startswith((self.server.address, "blob:")) or self.complaints.append(event.url))
        self.page.on("console", lambda event: self.silent and self.complaints.append(event.text))
        self.page.on("pageerror", lambda event: self.complaints.append(str(event)))
        self.open(f"#{self.server.token}")

    def open(self, fragment=""):
        self.page.goto(self.server.address + fragment)
        self.page.wait_for_selector("html[data-ready]", timeout=30000)
        self.until("tidewise.page.planner.handles.length > 0")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        violations = self.run("window.violations")
        self.context.close()
        self.server.stop()
        if kind is None and self.complaints + violations:
            raise AssertionError(f"the page complained: {self.complaints + violations}")

    def run(self, script, *values):
        return self.page.evaluate(script, *values)

    def until(self, script):
        """Wait until a script returns true; the page's security policy blocks Playwright's wait."""
        for _ in range(200):
            if self.run(script):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"never true: {script}")

    def text(self, selector):
        return self.page.locator(selector).inner_text().replace("\u00a0", " ")

    def middle(self, kind):
        box = self.page.locator(f".handle.{kind}").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def on_screen(self, x, y):
        place = self.run("([x, y]) => tidewise.screen(0, x, y)", [x, y])
        return place["x"], place["y"]

    def wait_for_frame(self):
        """Wait until the page has drawn what was requested; handles move when it draws."""
        self.run("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))")

    def drag(self, kind, x, y, drop=True):
        """Drag a handle with the mouse to a place of the plane."""
        self.wait_for_frame()
        from_x, from_y = self.middle(kind)
        to_x, to_y = self.on_screen(x, y)
        self.page.mouse.move(from_x, from_y)
        self.page.mouse.down()
        self.page.mouse.move((from_x + to_x) / 2, (from_y + to_y) / 2, steps=3)
        self.page.mouse.move(to_x, to_y, steps=3)
        if drop:
            self.page.mouse.up()

    def touch(self, kind, points):
        self.session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": round(x), "y": round(y)} for x, y in points]},
        )

    def swipe(self, start, end):
        self.touch("touchStart", [start])
        for n in range(1, 6):
            self.touch("touchMove", [tuple(a + (b - a) * n / 5 for a, b in zip(start, end))])
        self.touch("touchEnd", [])

    def tap_until_hidden(self, selector):
        """Tap a button until it is hidden; a busy browser may take a tap for a long press."""
        for _ in range(5):
            self.page.tap(selector)
            self.page.wait_for_timeout(400)
            if not self.page.locator(selector).is_visible():
                return
        raise AssertionError(f"{selector} is still there")

    def wait_for_proposal(self):
        self.page.wait_for_selector("#plan-accept", timeout=60000)

    def view(self):
        """Return the state of the page that a new run must not change."""
        return self.run(
            """() => { const {viewport: v, state} = tidewise.page;
            return [v.x, v.y, v.zoom, state.time, state.background, state.showPolicy, state.tail, scrollY]; }"""
        )

    def figures(self):
        """Return the table as {label: [proposed, current]}."""
        rows = self.page.locator("#plan-figures tbody tr")
        cells = [rows.nth(n).locator("th, td").all_inner_texts() for n in range(rows.count())]
        return {label: [re.sub(r"\s", " ", text) for text in rest] for label, *rest in cells}

    def keep(self, name):
        if PICTURES:
            Path(PICTURES).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=f"{PICTURES}/{name}.png")


# Records violations of the security policy, and counts requested frames.
WATCHED = """
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
  window.framesAsked = 0;
  const ask = window.requestAnimationFrame;
  window.requestAnimationFrame = (act) => { ++window.framesAsked; return ask(act); };
"""
TARGET = (262000, 46000)
START = (236000, -40000)


def degrees_of(page, x, y):
    place = page.run("([x, y]) => tidewise.page.runs[0].onGlobe(x, y)", [x, y])
    return place["longitude"], place["latitude"]


class Dragging(unittest.TestCase):
    def check_target_planned(self, page):
        (question,) = page.server.questions("plan")
        self.assertEqual(list(question), ["target"])
        for requested, wanted in zip(question["target"], degrees_of(page, *TARGET)):
            self.assertAlmostEqual(requested, wanted, delta=0.02)
        target = page.run("tidewise.page.runs[0].facts.target")
        self.assertAlmostEqual(target["x"], TARGET[0])

    def test_mouse_moves_the_target(self):
        with Served() as page:
            page.page.locator("#background").select_option("spread")
            page.page.locator("#show-policy").uncheck()
            page.run("tidewise.page.zoom(1.05)")
            page.run("tidewise.page.setTime(tidewise.page.clock.first + 7200)")
            before = page.view()
            page.drag("target", *TARGET, drop=False)
            label = page.text(".handle-label:visible")
            longitude, latitude = degrees_of(page, *TARGET)
            self.assertRegex(label, r"^62° \d\d\.\d\d′ N, 176° \d\d\.\d\d′ W$")
            self.assertAlmostEqual(float(re.search(r"° (\S+)′ N", label)[1]), latitude % 1 * 60, delta=0.6)
            self.assertEqual(page.server.questions("plan"), [])
            page.page.mouse.up()
            page.wait_for_proposal()
            self.check_target_planned(page)
            self.assertEqual(page.view(), before)
            self.assertIn("arrives 2.2 h earlier", page.text("#plan-reason"))
            page.keep("serve_desk")
            page.page.click("#plan-accept")
            page.page.wait_for_selector("#plan-accept", state="hidden")
            self.assertEqual(page.server.questions("accept"), [{"id": "run-1"}])
            self.assertEqual(page.view(), before)
            x, y = page.middle("target")
            for shown, wanted in zip((x, y), page.on_screen(*TARGET)):
                self.assertAlmostEqual(shown, wanted, delta=1)

    def test_finger_moves_the_target(self):
        with Served(phone=True) as page:
            box = page.page.locator(".handle.target").bounding_box()
            self.assertGreaterEqual(min(box["width"], box["height"]), 44)
            before = page.view()
            page.swipe(page.middle("target"), page.on_screen(*TARGET))
            page.wait_for_proposal()
            self.check_target_planned(page)
            self.assertEqual(page.view(), before, "the map or the page moved")
            self.assertLessEqual(page.run("document.documentElement.scrollWidth"), 390)
            for button in ("#plan-accept", "#plan-reject"):
                box = page.page.locator(button).bounding_box()
                self.assertGreaterEqual(box["height"], 44)
                self.assertLessEqual(box["y"] + box["height"], 844)
            page.keep("serve_phone")
            page.tap_until_hidden("#plan-accept")
            # Away from the handles, a finger moves the map.
            page.run("tidewise.page.zoom(3)")
            before = page.view()
            page.swipe((200, 500), (120, 500))
            self.assertNotEqual(page.view()[0], before[0])
            self.assertEqual(len(page.server.questions("plan")), 1)

    def test_keys_move_a_handle(self):
        with Served() as page:
            page.page.locator(".handle.start").focus()
            for key in ("ArrowRight", "ArrowRight", "Shift+ArrowUp"):
                page.page.keyboard.press(key)
            self.assertRegex(page.text("#spoken"), r"^61° \d\d\.\d\d′ N, 17\d° \d\d\.\d\d′ [EW]$")
            page.page.keyboard.press("Escape")
            page.page.keyboard.press("Enter")
            self.assertEqual(page.server.questions("plan"), [])
            for _ in range(3):
                page.page.keyboard.press("ArrowRight")
            page.page.keyboard.press("Enter")
            page.wait_for_proposal()
            (question,) = page.server.questions("plan")
            for requested, wanted in zip(question["start"], degrees_of(page, 220000 + 3 * 4000, -48000)):
                self.assertAlmostEqual(requested, wanted, delta=1e-4)

    def test_departure_is_dragged(self):
        for phone in (False, True):
            with self.subTest(phone=phone), Served(phone) as page:
                self.assertEqual(page.text("#plan-date"), "1 Mar 2024 06:00 UTC")
                page.page.locator("#plan-departure").scroll_into_view_if_needed()
                box = page.page.locator("#plan-departure").bounding_box()
                middle = box["y"] + box["height"] / 2
                page.page.mouse.move(box["x"] + 8, middle)
                page.page.mouse.down()
                page.page.mouse.move(box["x"] + 8 + 0.4 * (box["width"] - 16), middle)
                self.assertEqual(page.text("#plan-date"), "1 Mar 2024 08:00 UTC")
                self.assertEqual(page.server.questions("plan"), [])
                page.page.mouse.up()
                page.wait_for_proposal()
                self.assertEqual(page.server.questions("plan"), [{"departure": "2024-03-01T08:00:00Z"}])
                page.page.reload()
                page.wait_for_proposal()
                self.assertEqual(page.text("#plan-date"), "1 Mar 2024 08:00 UTC")

    def test_arrow_keys_move_the_departure(self):
        with Served() as page:
            page.page.locator("#plan-departure").focus()
            page.page.keyboard.press("ArrowRight")
            page.wait_for_proposal()
            self.assertEqual(page.server.questions("plan"), [{"departure": "2024-03-01T07:00:00Z"}])

    def test_warns_of_land_and_forecast_edge_before_the_drop(self):
        with Served() as page:
            run = "tidewise.page.runs[0].grid"
            places = {"land": (page.run(f"{run}.x_first + {run}.dx"), page.run(f"{run}.y_first + 27 * {run}.dy")),
                      "outside the forecast": (page.run(f"{run}.x_first + 22 * {run}.dx"), page.run(f"{run}.y_first + 2 * {run}.dy"))}
            page.run("tidewise.page.zoom(0)")
            for words, place in places.items():
                for kind in ("start", "target"):
                    page.drag(kind, *place, drop=False)
                    self.assertIn(words, page.text(".handle-label:visible"))
                    page.page.mouse.up()
                    self.assertRegex(page.text("#plan-said"), f"Not planned: the {kind} would be .*{words}")
                    self.assertEqual(page.page.locator(".handle-label:visible").count(), 0)
            self.assertEqual(page.server.questions("plan"), [])


class Proposals(unittest.TestCase):
    def test_show_the_printed_figures_and_those_of_the_accepted_run(self):
        with Served() as page:
            page.drag("target", *TARGET)
            page.wait_for_proposal()
            figures = page.figures()
            self.assertEqual(list(figures), ["Arrival", "Probability", "Time", "Time, 90 %", "Target"])
            for column, name in enumerate(("target", "first")):
                day, clock = re.search(r"Arrival (\d+ \w+) (\d\d:\d\d) UTC", reports[name]).groups()
                self.assertEqual(figures["Arrival"][column], f"{day} 2024 {clock} UTC")
                self.assertIn(f"(after {figures['Time'][column]})", reports[name])
                self.assertIn(f"probability {figures['Probability'][column]}", reports[name])
            page.page.locator("[name=plan-shown][value=accepted]").check(force=True)
            self.assertEqual(page.run("tidewise.page.runs[0].facts.name"), "first")
            page.page.locator("[name=plan-shown][value=proposed]").check(force=True)
            self.assertEqual(page.run("tidewise.page.runs[0].facts.name"), "target")
            self.assertGreater(page.run("tidewise.page.runs[0].route.length"), 1)

    def test_rejected_proposal_leaves_the_run_unchanged(self):
        with Served() as page:
            before = page.view(), page.run("tidewise.page.runs[0].facts.target")
            page.drag("target", *TARGET)
            page.wait_for_proposal()
            page.page.click("#plan-reject")
            page.page.wait_for_selector("#plan-accept", state="hidden")
            self.assertEqual(len(page.server.questions("reject")), 1)
            self.assertEqual((page.view(), page.run("tidewise.page.runs[0].facts.target")), before)
            # The next plan does not contain the rejected change.
            page.drag("start", *START)
            page.wait_for_proposal()
            self.assertEqual(list(page.server.questions("plan")[1]), ["start"])

    def test_changes_accumulate_until_a_proposal_is_accepted(self):
        with Served() as page:
            page.drag("target", *TARGET)
            page.wait_for_proposal()
            page.drag("start", *START)
            page.until("tidewise.page.runs[0].facts.name === 'start'")
            self.assertEqual(set(page.server.questions("plan")[1]), {"start", "target"})

    def test_show_progress_and_can_be_cancelled(self):
        with Served(seconds=30) as page:
            page.drag("target", *TARGET)
            page.page.wait_for_selector("#plan-cancel")
            self.assertRegex(page.text("#plan-done"), r"solving: \d+ of 100 levels")
            page.keep("serve_progress")
            page.page.click("#plan-cancel")
            page.page.wait_for_selector("#plan-cancel", state="hidden")
            self.assertEqual(page.text("#plan-said"), "Cancelled.")
            self.assertEqual(len(page.server.questions("cancel")), 1)
            for shown, wanted in zip(page.middle("target"), page.on_screen(280000, 40000)):
                self.assertAlmostEqual(shown, wanted, delta=1)

    def test_arrival_is_shown_before_the_map(self):
        with Served(seconds=30) as page:
            answer = ["Heading 067° true (ENE), 0.5 m/s.", "Arrival 2 Nov 05:00 UTC (after 110 h)."]
            page.server.early = {"id": "run-1", "reason": "drag", "figures": {"answer": answer}}
            page.drag("target", *TARGET)
            page.until("document.getElementById('plan-said').textContent !== ''")
            self.assertEqual(page.text("#plan-said"), "New plan: arrival 2 Nov 05:00 UTC (after 110 h).")
            page.page.click("#plan-cancel")

    def test_new_drag_cancels_the_plan_under_way(self):
        with Served(seconds=1) as page:
            page.drag("target", 250000, 30000)
            page.page.wait_for_selector("#plan-cancel")
            page.drag("target", *TARGET)
            page.wait_for_proposal()
            self.assertEqual([path for path, _ in page.server.asked], ["run", "plan", "cancel", "plan", "proposal"])

    def test_failure_is_one_line(self):
        with Served() as page:
            page.server.fails = "start (61.0°N, 179.0°E) is on land; choose a point in the water."
            page.drag("target", *TARGET)
            page.until("document.getElementById('plan-said').textContent !== ''")
            self.assertEqual(page.text("#plan-said"), page.server.fails.replace("start", "Start"))
            self.assertFalse(page.page.locator("#plan-accept").is_visible())

    def test_watched_folder_makes_proposals(self):
        with Served() as page:
            page.server.watch = {"folder": "dives", "message": "2 files read"}
            page.open()  # with the stored token
            page.until("document.getElementById('plan-watch').textContent !== ''")
            self.assertEqual(page.text("#plan-watch"), "Watching dives: 2 files read")
            page.server.propose("watch")
            page.wait_for_proposal()
            self.assertIn("Proposed after a new dive", page.text("#plan-reason"))
            page.page.click("#plan-reject")
            page.page.wait_for_selector("#plan-accept", state="hidden")

    def test_proposal_survives_a_reload(self):
        with Served() as page:
            page.drag("target", *TARGET)
            page.wait_for_proposal()
            self.assertNotIn(TOKEN, page.page.url)
            page.open()
            page.wait_for_proposal()


class Server(unittest.TestCase):
    def test_lost_server_is_reported_once_and_retried(self):
        with Served(silent=False) as page:
            page.silent = False
            page.server.stop()
            page.drag("target", *TARGET)
            page.page.wait_for_selector("#plan-retry")
            self.assertIn("The server does not answer", page.text("#plan-said"))
            for shown, wanted in zip(page.middle("target"), page.on_screen(280000, 40000)):
                self.assertAlmostEqual(shown, wanted, delta=1)
            page.page.click("#plan-retry")
            page.page.wait_for_timeout(200)
            self.assertTrue(page.page.locator("#plan-retry").is_visible())
            page.server.start()
            page.page.click("#plan-retry")
            page.page.wait_for_selector("#plan-retry", state="hidden")
            self.assertEqual(page.text("#plan-said"), "")
            page.drag("target", *TARGET)
            page.wait_for_proposal()

    def test_page_without_token_shows_no_run(self):
        with Served(silent=False) as page:
            page.run("sessionStorage.clear()")
            page.page.goto(page.server.address)
            page.page.wait_for_selector(".failure")
            self.assertIn("the part after #", page.text(".failure"))
            page.run(f"location.hash = '{TOKEN}'")
            page.page.wait_for_selector("html[data-ready]", timeout=30000)

    def test_exports_the_accepted_run(self):
        with Served() as page:
            self.assertEqual(page.page.locator("#downloads button").all_text_contents(), ["GeoJSON", "GPX", "KML", "Slocum", "CSV"])
            with page.page.expect_download() as download:
                page.page.click("#downloads button >> nth=1")
            self.assertEqual(download.value.suggested_filename, "route.gpx")
            self.assertEqual(Path(download.value.path()).read_text(), "a route as gpx")
            page.drag("target", *TARGET)
            page.wait_for_proposal()
            self.assertTrue(page.page.locator("#downloads button").first.is_disabled())


class RealServer:
    """'tidewise serve' of a run."""

    def __init__(self, run):
        command = [PYTHON, "-m", "tidewise.serve", run, "--no-browser"]
        self.process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        self.address, self.token = re.search(r"(http://127\.0\.0\.1:\d+/)#(\w+)", self.process.stdout.readline()).groups()

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=60)


class RealSolver(unittest.TestCase):
    def setUp(self):
        shutil.copytree(folder / "first", folder / "served")
        self.addCleanup(lambda: [shutil.rmtree(run) for run in folder.glob("served*")])

    def target(self, run):
        target = json.loads((folder / run / "summary.json").read_text())["target"]
        return target["lon"], target["lat"]

    def test_accepted_target_is_kept_as_a_run(self):
        with Served(server=RealServer("served")) as page:
            page.drag("target", *TARGET)
            page.wait_for_proposal()
            page.page.click("#plan-accept")
            page.page.wait_for_selector("#plan-accept", state="hidden")
            for planned, wanted in zip(self.target("served-001"), degrees_of(page, *TARGET)):
                self.assertAlmostEqual(planned, wanted, delta=0.02)
            with page.page.expect_download() as download:
                page.page.click("#downloads button >> nth=0")
            route = json.loads(Path(download.value.path()).read_text())
            self.assertEqual(route["type"], "FeatureCollection")
        self.assertTrue((folder / "served-001/policy.h5").exists())

    def test_rejected_target_leaves_no_run(self):
        with Served(phone=True, server=RealServer("served")) as page:
            page.swipe(page.middle("target"), page.on_screen(*TARGET))
            page.wait_for_proposal()
            for planned, wanted in zip(self.target("served-001"), degrees_of(page, *TARGET)):
                self.assertAlmostEqual(planned, wanted, delta=0.02)
            page.tap_until_hidden("#plan-reject")
        self.assertFalse((folder / "served-001").exists())


class Leaks(unittest.TestCase):
    COUNTS = ("Nodes", "JSEventListeners")

    def counts(self, page):
        page.session.send("HeapProfiler.collectGarbage")
        page.session.send("Performance.enable")
        metrics = {metric["name"]: metric["value"] for metric in page.session.send("Performance.getMetrics")["metrics"]}
        return [metrics[name] for name in self.COUNTS]

    def test_twenty_plans_leave_no_nodes_listeners_or_frames(self):
        with Served() as page:
            counts = []
            for n in range(22):
                page.drag("target", 258000, 42000 - 4000 * (n % 2))
                page.until(f"tidewise.page.planner.proposed?.id === 'run-{n + 1}'")
                counts.append(self.counts(page))
            # The first two plans fill caches.
            early, late = np.array(counts[1:3]).max(axis=0), np.array(counts[-2:]).max(axis=0)
            self.assertLessEqual(late[1], early[1], counts)
            self.assertLessEqual(late[0], early[0] + 5, counts)
            frames = page.run("window.framesAsked")
            page.page.wait_for_timeout(500)
            self.assertLessEqual(page.run("window.framesAsked") - frames, 2)


if __name__ == "__main__":
    unittest.main()
