"""The server of the interactive page: refused requests, and plans."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import numpy as np
import pytest
import tidewise as tw
import xarray as xr
from tidewise._load import core
from tidewise.planning import plan_as_asked
from tidewise.serving import guard, schema, session, watch

pytestmark = pytest.mark.filterwarnings("ignore::tidewise.PlanWarning")

TARGET = [30.5, 25.5]
SECONDS = 120  # limit for each wait


class Page:
    """Sends requests with the token, like the page."""

    def __init__(self, url: str) -> None:
        self.base, _, self.token = url.partition("/#")
        self.headers = {"Origin": self.base, "X-Tidewise-Token": self.token}
        self.client = httpx.Client(base_url=self.base, headers=self.headers, timeout=SECONDS)

    def post(self, name: str, **body: object) -> httpx.Response:
        return self.client.post(f"/api/{name}", json=body)

    def ask(self, name: str, **body: object) -> dict:
        answer = self.post(name, **body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refusal(self, name: str, **body: object) -> tuple[int, str]:
        answer = self.post(name, **body)
        return answer.status_code, answer.json()["code"]

    def until(self, fulfilled) -> dict:
        end = time.monotonic() + SECONDS
        while not fulfilled(state := self.ask("state")):
            assert time.monotonic() < end, state
            time.sleep(0.05)
        return state

    def idle(self) -> dict:
        return self.until(lambda state: state["job"] is None)

    def propose(self, **changes: object) -> dict:
        self.ask("plan", **changes)
        state = self.idle()
        assert state["failed"] is None and state["proposal"] is not None, state
        return state["proposal"]

    def raw(self, text: bytes) -> bytes:
        """Send bytes on a separate connection; return the answer until it is closed."""
        host, _, port = self.base.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), timeout=20) as connection:
            try:
                connection.sendall(text)
            except ConnectionError:
                pass  # refused before all bytes were sent
            answer = b""
            try:
                while part := connection.recv(65536):
                    answer += part
            except ConnectionError:
                pass
            return answer


def worker_of(server: int | None = None) -> int:
    """Return the process number of the worker of a server, by default of this process."""
    parent = os.getpid() if server is None else server
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            parent_of_process = (folder / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if b"tidewise.serving.worker" in command and int(parent_of_process) == parent:
            return int(folder.name)
    raise AssertionError("no worker")


def folders_next_to(run: Path) -> set[str]:
    return {path.name for path in run.parent.iterdir()}


@pytest.fixture(scope="module")
def run_folder(plan, environment, tmp_path_factory) -> Path:
    """A run in a separate folder."""
    planned = plan("served", environment, "vehicle.headings=8", "rollout.realizations=20")
    folder = tmp_path_factory.mktemp("serve") / "served"
    shutil.copytree(planned, folder)
    return folder


@pytest.fixture(scope="module")
def slow_run(plan, environment, tmp_path_factory) -> Path:
    """A run that takes seconds to plan with another target."""
    planned = plan("slow", environment, "vehicle.headings=8", "rollout.mode=none")
    folder = tmp_path_factory.mktemp("serve") / "slow"
    shutil.copytree(planned, folder)
    summary = json.loads((folder / "summary.json").read_text())
    summary["mission"]["vehicle"]["headings"] = 100
    (folder / "summary.json").write_text(json.dumps(summary))
    return folder


@pytest.fixture
def served(run_folder):
    with tw.serve(run_folder, browser=False) as server:
        yield server
    remaining = folders_next_to(run_folder) - {"served"}
    for name in remaining:  # accepted runs
        shutil.rmtree(run_folder.parent / name)


@pytest.fixture
def page(served) -> Page:
    return Page(served.url)


# Refused requests.


def test_listens_only_on_this_computer_at_a_separate_port(run_folder):
    with tw.serve(run_folder, browser=False) as first, tw.serve(run_folder, browser=False) as other:
        for url in (first.url, other.url):
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/#[0-9a-f]{32}", url)
        assert first.url.partition("#")[0] != other.url.partition("#")[0]
        assert first.url.partition("#")[2] != other.url.partition("#")[2]
        port = int(Page(first.url).base.rpartition(":")[2])
        listening = Path("/proc/net/tcp").read_text().splitlines()[1:]
        places = [line.split()[1] for line in listening if line.split()[3] == "0A"]
        assert f"0100007F:{port:04X}" in places
        assert not any(place == f"00000000:{port:04X}" for place in places)


def test_page_needs_no_token_and_holds_no_data(page):
    answer = httpx.get(page.base + "/")
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/html")
    assert page.token not in answer.text and "served/policy.h5" not in answer.text
    policy = answer.headers["content-security-policy"]
    for directive in ("default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'"):
        assert directive in policy
    assert "unsafe" not in policy and "*" not in policy


@pytest.mark.parametrize("path, status", [("/", 200), ("/api/run", 404), ("/../x", 404)])
def test_all_answers_have_security_headers_and_allow_no_other_origin(page, path, status):
    answer = httpx.get(page.base + path)
    assert answer.status_code == status
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert not any(name.startswith("access-control") for name in answer.headers)
    assert "server" not in answer.headers


@pytest.mark.parametrize("host", ["evil.example", "localhost:{port}", "127.0.0.1", "127.0.0.1:1"])
def test_another_host_is_refused(page, host):
    """In DNS rebinding, the name of another site resolves to this server."""
    host = host.format(port=page.base.rpartition(":")[2])
    for answer in (
        httpx.get(page.base + "/", headers={"Host": host}),
        page.client.post("/api/state", json={}, headers={"Host": host}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "host")


def test_two_hosts_are_refused(page):
    host = page.base.removeprefix("http://")
    text = f"GET / HTTP/1.1\r\nHost: {host}\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    assert page.raw(text.encode()).split()[1] in (b"400", b"403")


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1", ""])
def test_another_origin_is_refused(page, origin):
    for answer in (
        httpx.get(page.base + "/", headers={"Origin": origin}),
        page.client.post("/api/state", json={}, headers={"Origin": origin}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "origin")


def test_a_request_without_origin_is_refused(page):
    headers = {"X-Tidewise-Token": page.token}
    answer = httpx.post(page.base + "/api/state", json={}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")


def test_a_preflight_is_refused(page):
    headers = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    answer = httpx.options(page.base + "/api/state", headers=headers)
    assert answer.status_code == 405
    assert not any(name.startswith("access-control") for name in answer.headers)


@pytest.mark.parametrize("token", [None, "", "0" * 32, "é", "{token}0", "{half}"])
def test_a_wrong_token_is_refused(page, token):
    headers = {"Origin": page.base}
    if token is not None:
        value = token.format(token=page.token, half=page.token[:16])
        headers["X-Tidewise-Token"] = value.encode()
    for path in ("/api/state", "/api/plan", "/api/nothing"):
        answer = httpx.post(page.base + path, json={}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "token")


def test_tokens_are_compared_in_constant_time(page, monkeypatch):
    compared = []
    original = guard.hmac.compare_digest
    monkeypatch.setattr(
        guard.hmac, "compare_digest", lambda a, b: compared.append((a, b)) or original(a, b)
    )
    page.ask("state")
    assert compared == [(page.token.encode(), page.token.encode())]


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_refuses_types_except_json(page, kind):
    answer = page.client.post("/api/state", content=b"{}", headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["code"]) == (415, "content_type")


def test_compressed_bodies_are_refused(page):
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    answer = page.client.post("/api/state", content=b"{}", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (415, "content_type")


def test_refuses_methods_except_get_of_the_page_and_post(page):
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        assert page.client.request(method, "/api/state").status_code == 405
    assert page.client.post("/", json={}).status_code == 405
    for path in ("/api/state", "/policy.h5", "/served/policy.h5", "/static/../../etc/passwd"):
        assert page.client.get(path).status_code == 404


@pytest.mark.parametrize(
    "path", ["/api/../../etc/passwd", "/api/%2e%2e/%2e%2e/etc/passwd", "/api/run/", "//api/run"]
)
def test_paths_outside_are_not_found(page, path):
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {page.base.removeprefix('http://')}\r\n"
        f"Origin: {page.base}\r\nX-Tidewise-Token: {page.token}\r\n"
        "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    )
    answer = page.raw(head.encode())
    assert answer.split()[1] == b"404" and b"root:" not in answer


def test_large_bodies_are_refused_by_their_length(page):
    largest = b'{"id": "' + b"a" * (guard.MAX_BODY - 10) + b'"}'
    headers = {"Content-Type": "application/json"}
    assert len(largest) == guard.MAX_BODY
    answer = page.client.post("/api/accept", content=largest, headers=headers)
    assert answer.status_code == 400
    answer = page.client.post("/api/accept", content=largest + b" ", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_large_chunked_bodies_are_refused_as_they_arrive(page):
    head = (
        f"POST /api/state HTTP/1.1\r\nHost: {page.base.removeprefix('http://')}\r\n"
        f"Origin: {page.base}\r\nX-Tidewise-Token: {page.token}\r\n"
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"1000\r\n" + b" " * 4096 + b"\r\n"
    answer = page.raw(head.encode() + 17 * chunk)  # without an end of the chunks
    assert answer.split()[1] == b"413" and b"too_large" in answer
    assert page.ask("state")["job"] is None


def test_a_small_chunked_body_is_read(page):
    parts = iter([b"{", b"}"])
    headers = {"Content-Type": "application/json"}
    assert page.client.post("/api/state", content=parts, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"1",
        b"{",
        b'{"target": [1, NaN]}',
        b'{"target": [1, Infinity]}',
        b'{"target": [1, 2], "target": [3, 4]}',
        b"[" * 60000,
        b'{"target": [1' + b"0" * 5000 + b", 2]}",
        b"\xff\xfe",
    ],
)
def test_refuses_bodies_except_json_objects(page, body):
    headers = {"Content-Type": "application/json"}
    answer = page.client.post("/api/plan", content=body, headers=headers)
    assert answer.status_code == 400 and answer.json()["code"] in ("json", "schema")


@pytest.mark.parametrize(
    "name, body",
    [
        ("plan", {}),
        ("plan", {"environment.file": "/etc/passwd"}),
        ("plan", {"settings": ["output.directory='/tmp'"]}),
        ("plan", {"target": TARGET, "out": "/tmp/x"}),
        ("plan", {"target": "30.5, 25.5"}),
        ("plan", {"target": [1]}),
        ("plan", {"target": [1, 2, 3]}),
        ("plan", {"target": [True, 2]}),
        ("plan", {"target": [[1, 2], [3, 4]]}),
        ("plan", {"target": {"x": 1, "y": 2}}),
        ("plan", {"target": [1, 1e300]}),
        ("plan", {"start": "/etc/passwd"}),
        ("plan", {"departure": "now"}),
        ("plan", {"departure": '2024-10-29T12:00Z"\nenvironment.file="/etc/passwd'}),
        ("plan", {"departure": "2024-10-29T12:00Z\n"}),
        ("plan", {"departure": "2024-10-29T12:00Z"}),  # times of this run are levels
        ("plan", {"departure": -1}),
        ("plan", {"departure": [1]}),
        ("export", {}),
        ("export", {"format": "../../etc/passwd"}),
        ("export", {"format": "html"}),
        ("export", {"format": "gpx", "out": "/tmp/x"}),
        ("export", {"format": ["gpx"]}),
        ("accept", {"id": "../served"}),
        ("accept", {"id": 1}),
        ("accept", {}),
        ("reject", {"id": "a/b"}),
        ("run", {"run": "/etc"}),
        ("proposal", {"id": "served"}),
        ("state", {"a": 1}),
        ("cancel", {"signal": 9}),
        ("quit", {"a": 1}),
    ],
)
def test_requests_contain_only_positions_times_and_format_names(page, name, body):
    assert page.refusal(name, **body) == (400, "schema")
    assert page.ask("state")["job"] is None


def test_a_refusal_repeats_nothing_of_the_request(page):
    answer = page.post("plan", **{"<script>": 1})
    assert "script" not in answer.text


def test_nothing_is_logged_and_no_token_is_printed(run_folder):
    code = (
        "import sys, tidewise as tw, httpx, logging\n"
        "logging.basicConfig(level=logging.DEBUG, handlers=[logging.StreamHandler(sys.stderr)])\n"
        "for name in ('httpx', 'httpcore'): logging.getLogger(name).disabled = True\n"
        "logging.getLogger('httpcore').setLevel('ERROR')\n"
        "with tw.serve(sys.argv[1], browser=False) as served:\n"
        "    base, _, token = served.url.partition('/#')\n"
        "    headers = {'Origin': base, 'X-Tidewise-Token': token}\n"
        "    for name in ('state', 'nothing', 'accept'):\n"
        "        httpx.post(f'{base}/api/{name}', json={}, headers=headers)\n"
        "    httpx.get(f'{base}/?{token}')\n"
        "    print(repr(served))\n"
        "    open(sys.argv[2], 'w').write(token)\n"
    )
    token_file = run_folder.parent / "token"
    command = [sys.executable, "-c", code, str(run_folder), str(token_file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True)
    token = token_file.read_text()
    token_file.unlink()
    assert len(token) == 32
    assert token not in done.stdout + done.stderr
    assert "/api/" not in done.stderr


def test_the_browser_gets_the_token_by_a_private_file(run_folder, monkeypatch):
    """Other users of the computer can read command lines."""
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    with tw.serve(run_folder) as served:
        assert opened[0].startswith("file:///") and Page(served.url).token not in opened[0]
        file = Path(opened[0].removeprefix("file://"))
        assert file.stat().st_mode & 0o077 == 0 and file.parent.stat().st_mode & 0o077 == 0
        assert served.url in file.read_text()
    assert not file.exists()


# Plans.


def test_drag_becomes_a_proposal_in_its_own_folder(page, served, run_folder):
    before = {path.name: path.read_bytes() for path in run_folder.iterdir()}
    proposal = page.propose(target=TARGET)
    assert proposal["reason"] == "drag" and proposal["mission"]["target"] == TARGET
    assert proposal["mission"]["start"] == [20.5, 8.5]
    answer = proposal["figures"]["answer"]
    assert answer[0].startswith("Heading ") and answer[1].startswith("Arrival ")
    summary = json.loads((run_folder.parent / proposal["id"] / "summary.json").read_text())
    outlook = summary["recommendation"]["outlook"]
    assert proposal["figures"]["arrival"]["time"] == outlook["time"]
    assert page.ask("proposal")["id"] == proposal["id"]
    assert served.folder == run_folder
    assert before == {path.name: path.read_bytes() for path in run_folder.iterdir()}


def test_saved_runs_equal_plans_of_their_mission_file(page, served, tidewise, run_folder, tmp_path):
    page.propose(start=[12.5, 9.5])
    page.propose(departure=3)
    proposal = page.propose(target=TARGET)
    page.ask("accept", id=proposal["id"])
    assert served.folder.name == proposal["id"]
    saved, again = served.folder, tmp_path / "again"
    tidewise("plan", saved / "mission.toml", "--out", again)
    for name in ("policy.h5", "trajectories.nc"):
        with xr.open_dataset(saved / name) as ours, xr.open_dataset(again / name) as other:
            assert set(ours.variables) == set(other.variables)
            for variable in ours.variables:
                assert ours[variable].values.tobytes() == other[variable].values.tobytes(), variable
    ours, other = (json.loads((folder / "summary.json").read_text()) for folder in (saved, again))
    for summary in (ours, other):
        for key in ("seconds", "peak_memory_bytes"):
            del summary[key]
        del summary["mission"]["output"]
    assert ours == other
    mission = ours["mission"]["mission"]
    assert (mission["start"], mission["target"]) == ([12.5, 9.5], TARGET)
    assert ours["departure"]["level"] == 3
    first = json.loads((run_folder / "summary.json").read_text())
    assert ours["deadline"] == first["deadline"]


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"mission.decide_every": 3},
        {"mission.via": [{"point": [12.5, 20.5], "radius": 3}]},
        {"mission.no_go": [{"polygon": [[2, 2], [8, 2], [8, 8]]}]},
        {"planner.landing": "cell", "planner.engine": "direct"},
        {"vehicle.speed_error": 0.1},
        {"vehicle.speeds": [0.7]},  # the counts are of another vehicle
    ],
)
def test_plans_with_shared_counts_have_the_same_bits(small_mission, settings):
    counts_of = {key: value for key, value in settings.items() if key != "vehicle.speeds"}
    ocean = small_mission.environment.core
    counts = core.count(ocean, small_mission.with_settings(counts_of))
    asked = small_mission.with_settings({**settings, "mission.target": TARGET})
    plans = []
    for shared in (None, counts):
        planned = plan_as_asked(small_mission, asked, out=None, counts=shared)
        plans.append(planned)
    without, with_counts = plans
    for name in ("action", "value"):
        assert without.policy[name].values.tobytes() == with_counts.policy[name].values.tobytes()
    for key in ("expected", "rollout", "problem", "engine"):
        assert without.summary[key] == with_counts.summary[key]


def test_keeps_accepted_runs_and_removes_rejected_and_replaced_ones(page, served, run_folder):
    first = page.propose(target=TARGET)["id"]
    second = page.propose(target=[28.5, 25.5])["id"]
    assert folders_next_to(run_folder) == {"served", second}
    assert page.refusal("accept", id=first)[1] == ("stale" if first != second else "none")
    page.ask("reject", id=second)
    assert folders_next_to(run_folder) == {"served"}
    assert page.refusal("reject", id=second) == (409, "none")
    third = page.propose(target=TARGET)["id"]
    page.ask("accept", id=third)
    fourth = page.propose(target=[28.5, 25.5])["id"]
    assert page.ask("run")["id"] == third
    served.close()  # proposals are removed
    assert folders_next_to(run_folder) == {"served", third} and fourth != third
    assert served.run.summary["mission"]["mission"]["target"] == TARGET


def test_keeps_the_folder_of_another_run(page, run_folder):
    other = run_folder.parent / "served-001"
    other.mkdir()
    (other / "mine").write_text("kept")
    proposal = page.propose(target=TARGET)
    assert proposal["id"] == "served-002"
    page.ask("reject", id=proposal["id"])
    assert (other / "mine").read_text() == "kept"
    shutil.rmtree(other)


def test_a_mission_that_cannot_be_planned_leaves_nothing(page, run_folder):
    page.ask("plan", target=[500.0, 3.0])
    state = page.idle()
    assert "[place_outside]" in state["failed"] and "mission.toml" not in state["failed"]
    assert state["proposal"] is None and folders_next_to(run_folder) == {"served"}
    assert page.propose(target=TARGET)


def test_one_solve_at_a_time_which_can_be_cancelled(slow_run):
    with tw.serve(slow_run, browser=False) as served:
        page = Page(served.url)
        page.ask("plan", target=TARGET)
        state = page.until(lambda state: state["done"] > 0)
        assert state["total"] > 0 and state["work"] and state["unit"]
        for name, body in [("plan", {"target": TARGET}), ("export", {"format": "csv"})]:
            assert page.refusal(name, **body) == (409, "busy")
        assert page.ask("run")["id"] == "slow"
        begin = time.monotonic()
        page.ask("cancel")
        state = page.idle()
        assert time.monotonic() - begin < 10
        assert state["failed"] is None and state["proposal"] is None
        assert folders_next_to(slow_run) == {"slow"}
        page.ask("cancel")  # without a job
        page.ask("plan", target=TARGET)
        page.until(lambda state: state["done"] > 0)
        page.ask("cancel")
        assert page.idle()["proposal"] is None
        assert folders_next_to(slow_run) == {"slow"}


def test_a_killed_solve_leaves_no_run_and_the_next_one_works(slow_run):
    with tw.serve(slow_run, browser=False) as served:
        page = Page(served.url)
        page.ask("plan", target=TARGET)
        page.until(lambda state: state["done"] > 0)
        os.kill(worker_of(), signal.SIGKILL)
        state = page.idle()
        assert "SIGKILL" in state["failed"] and state["proposal"] is None
        assert folders_next_to(slow_run) == {"slow"}
        page.ask("plan", target=TARGET)
        page.until(lambda state: state["done"] > 0)
        killed = worker_of()
        os.kill(killed, signal.SIGSTOP)  # a worker that does not answer
        page.ask("cancel")
        assert page.idle()["failed"] is None
        assert folders_next_to(slow_run) == {"slow"}
    assert not Path(f"/proc/{killed}").exists()


def test_an_ended_server_leaves_no_process_and_no_files(slow_run, tmp_path):
    """The signal arrives while the worker plans."""
    command = [sys.executable, "-m", "tidewise.serve", "--no-browser", str(slow_run)]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        page = Page(server.stdout.readline().split()[-1])
        page.ask("plan", target=TARGET)
        page.until(lambda state: state["done"] > 0)
        worker = worker_of(server.pid)
        server.send_signal(signal.SIGTERM)
        assert server.wait(SECONDS) == 0
    assert not Path(f"/proc/{worker}").exists()
    assert folders_next_to(slow_run) == {"slow"}
    assert not list(tmp_path.iterdir())


def test_import_of_the_module_returns_the_function():
    import tidewise.serve as imported

    assert imported is tw.serve


def test_quit_ends_the_server(run_folder):
    command = [sys.executable, "-m", "tidewise.serve", "--no-browser", str(run_folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        page = Page(server.stdout.readline().split()[-1])
        page.ask("quit")
        assert server.wait(SECONDS) == 0


def test_folder_that_is_no_run_is_one_line(tmp_path, run_folder):
    for arguments, line in [
        ([str(tmp_path)], "holds neither policy.h5 nor"),
        ([str(tmp_path / "none")], "there is no such folder"),
        ([str(run_folder), "--watch", str(tmp_path / "none")], "name a folder"),
        ([str(run_folder), "--port", "80"], "unrecognized arguments: --port 80"),
        ([], "required: RUN"),
    ]:
        command = [sys.executable, "-m", "tidewise.serve", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
        assert line in done.stderr


# The command of the program.


def with_python(folder: Path, text: str) -> dict[str, str]:
    """Return environment variables with which `python3` is a script of this text."""
    script = folder / "python3"
    script.write_text(f"#!/bin/sh\n{text}\n")
    script.chmod(0o755)
    return os.environ | {"PATH": f"{folder}:/usr/bin:/bin"}


def test_command_passes_arguments_unchanged_to_the_module(program, tmp_path):
    environment = with_python(tmp_path, '[ "$1" = -c ] || printf "%s|" "$PYTHONSAFEPATH" "$@"')
    command = [program, "serve", "a b;$(touch x)", "--watch", "-dives `id`", "--no-browser"]
    command = [*command[:3], "--watch=-dives `id`", "--no-browser"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)
    expected = ["1", "-m", "tidewise.serve", "--watch=-dives `id`", "--no-browser", "--"]
    assert done.stdout == "|".join([*expected, "a b;$(touch x)", ""]), done.stderr
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("words", [["serve", "run"], ["plan", "mission.toml", "--serve"]])
def test_command_reports_how_to_install_missing_packages(program, tmp_path, words):
    environment = with_python(tmp_path, "exit 1")
    done = subprocess.run(
        [program, *words], capture_output=True, text=True, env=environment, cwd=tmp_path
    )
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.count("\n") == 1 and "pip install 'tidewise[serve]'" in done.stderr
    assert "[serve_packages_missing]" in done.stderr


def test_plan_serves_its_run(program, tmp_path, environment):
    settings = with_python(tmp_path, '[ "$1" = -c ] || printf "%s|" "$@"')
    (tmp_path / "m.toml").write_text(
        f'[environment]\nfile = "{environment}"\n[vehicle]\nspeeds = [1.0]\nheadings = 4\n'
        "[mission]\nstart = [20.5, 8.5]\ntarget = [20.5, 32.5]\nhorizon = 5\n"
        '[rollout]\nmode = "none"\n'
    )
    done = subprocess.run(
        [program, "-q", "plan", "m.toml", "--serve", "--out", "a run"],
        **{"capture_output": True, "text": True, "env": settings, "cwd": tmp_path},
    )
    assert done.stdout.endswith("-m|tidewise.serve|--|a run|"), done.stderr + done.stdout
    assert (tmp_path / "a run" / "summary.json").is_file()


# The watched folder.


@pytest.fixture
def quick_looks(monkeypatch):
    monkeypatch.setattr(session, "SECONDS_BETWEEN_LOOKS", 0.2)


@pytest.fixture(scope="module")
def tracks(run_folder) -> list[str]:
    """Two dives of a vehicle that follows the plan: positions and currents at levels."""
    flown = tw.open(run_folder).trajectories.isel(trajectory=3, obs=slice(0, 7))
    rows = [
        f"{level},{float(x):.4f},{float(y):.4f},0.1,0.05,0.05"
        for level, (x, y) in enumerate(zip(flown.x.values, flown.y.values, strict=True))
    ]
    head = "level,x,y,u,v,error\n"
    return [head + "\n".join(rows[:4]) + "\n", head + "\n".join(rows[3:]) + "\n"]


def test_dives_are_replanned_as_they_arrive(quick_looks, run_folder, tracks, tmp_path):
    (tmp_path / "old.csv").write_text(tracks[0])
    os.utime(tmp_path / "old.csv", (0, 0))
    with tw.serve(run_folder, watch=tmp_path, browser=False) as served:
        page = Page(served.url)
        assert page.ask("state")["watch"]["folder"] == tmp_path.name
        (tmp_path / "dive 1.csv").write_text(tracks[0])
        state = page.until(lambda state: state["proposal"] and state["job"] is None)
        first = state["proposal"]
        assert first["reason"] == "watch" and "dive_1.csv" in state["watch"]["message"]
        summary = json.loads((run_folder.parent / first["id"] / "summary.json").read_text())
        used = summary["replanned_from"]["tracks"]
        assert [Path(path).name for path in used] == ["dive_1.csv"]
        assert summary["departure"]["level"] == 3
        assert page.refusal("plan", target=TARGET) == (409, "decide_first")

        page.ask("reject", id=first["id"])
        (tmp_path / "dive2.csv").write_text(tracks[1])
        state = page.until(lambda state: state["proposal"] and state["job"] is None)
        second = state["proposal"]
        summary = json.loads((run_folder.parent / second["id"] / "summary.json").read_text())
        used = summary["replanned_from"]["tracks"]  # the accepted run has used none of them
        assert [Path(path).name for path in used] == ["dive_1.csv", "dive2.csv"]
        assert all(Path(path).is_file() for path in used)
        page.ask("accept", id=second["id"])
        assert served.folder.name == second["id"]
        assert served.run.summary["departure"]["level"] == 6
        time.sleep(1.0)
        assert page.ask("state")["proposal"] is None
    shutil.rmtree(served.folder)


def test_a_file_that_cannot_be_read_is_reported_and_left_out(quick_looks, run_folder, tmp_path):
    with tw.serve(run_folder, watch=tmp_path, browser=False) as served:
        page = Page(served.url)
        (tmp_path / "noise.nc").write_bytes(os.urandom(5000))
        state = page.until(lambda state: state["failed"])
        assert "noise.nc" in state["watch"]["message"]
        time.sleep(1.0)
        assert page.ask("state")["job"] is None  # the file is not tried again
        assert folders_next_to(run_folder) == {"served"}


def test_takes_only_regular_files_without_a_second_name(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    folder, inbox = tmp_path / "dives", tmp_path / "inbox"
    folder.mkdir()
    inbox.mkdir()
    (folder / "link.csv").symlink_to(secret)
    (folder / "hard.csv").hardlink_to(secret)
    (folder / "folder.csv").mkdir()
    os.mkfifo(folder / "pipe.csv")
    (folder / ".part.csv").write_text("a")
    (folder / "empty.csv").write_text("")
    with open(folder / "great.csv", "wb") as large:
        large.truncate(watch.MAX_FILE_BYTES + 1)
    (folder / "dive.csv").write_text("a")
    watched = watch.WatchedFolder(folder, 0.0)
    assert watched.look() == [] and watched.look() == ["dive.csv"]

    (folder / "dive.csv").unlink()
    (folder / "dive.csv").symlink_to(secret)  # replaced between the look and the copy
    assert watched.take("dive.csv", inbox) is None
    assert watched.take("../secret", inbox) is None
    assert not list(inbox.iterdir())


def test_uses_a_file_when_it_has_stopped_growing(tmp_path):
    folder, inbox = tmp_path / "dives", tmp_path / "inbox"
    folder.mkdir()
    inbox.mkdir()
    watched = watch.WatchedFolder(folder, 0.0)
    file = folder / "dive.csv"
    for text in ("a", "ab", "abc"):
        file.write_text(text)
        assert watched.look() == []
    assert watched.look() == ["dive.csv"]
    file.write_text("abcd")
    assert watched.take("dive.csv", inbox) is None
    assert watched.look() == [] and watched.look() == ["dive.csv"]
    assert watched.take("dive.csv", inbox).read_text() == "abcd"
    assert watched.look() == []
    file.write_text("abcde")  # the file grows again
    assert watched.look() == [] and watched.look() == ["dive.csv"]


def test_folder_that_replaces_the_watched_one_is_ignored(tmp_path):
    folder, other = tmp_path / "dives", tmp_path / "other"
    folder.mkdir()
    other.mkdir()
    (other / "secret.csv").write_text("a")
    watched = watch.WatchedFolder(folder, 0.0)
    folder.rmdir()
    folder.symlink_to(other)
    assert watched.look() == [] and watched.look() == []


def test_names_of_copies_are_plain(tmp_path):
    folder, inbox = tmp_path / "dives", tmp_path / "inbox"
    folder.mkdir()
    inbox.mkdir()
    for name in ("a b\n;$(id).csv", "-rf", "é,\\etc.nc", "-", "a_b.csv", "a b.csv"):
        (folder / name).write_text("a")
    watched = watch.WatchedFolder(folder, 0.0)
    watched.look()
    copies = [watched.take(name, inbox) for name in watched.look()]
    assert len(set(copies)) == 6
    for copy in copies:
        assert copy.parent == inbox and re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", copy.name)


def test_formats_are_those_of_export():
    assert schema.FORMATS == tuple(dict.fromkeys(schema.FORMATS)) and "policy" in schema.FORMATS


def test_exports_the_accepted_route(tw_geographic_run):
    with tw.serve(tw_geographic_run, browser=False) as served:
        page = Page(served.url)
        route = page.ask("export", format="geojson")
        assert json.loads(route["text"])["type"] == "FeatureCollection"
        assert route["name"].endswith(".geojson")
        route = page.ask("export", format="policy")
        assert route["base64"] and "text" not in route


@pytest.fixture(scope="module")
def tw_geographic_run(washington_run) -> Path:
    return washington_run


def test_dates_and_degrees_are_those_of_the_forecast(tw_geographic_run, tmp_path, tidewise):
    folder = tmp_path / "washington"
    shutil.copytree(tw_geographic_run, folder)
    with tw.serve(folder, browser=False) as served:
        page = Page(served.url)
        mission = page.ask("run")["mission"]
        assert mission["geographic"] and np.allclose(mission["start"], [-126.0, 46.8], atol=0.1)
        assert page.refusal("plan", departure=1) == (400, "schema")
        later = mission["departures"][2]
        proposal = page.propose(departure=later, target=[-125.2, 47.9])
        assert proposal["mission"]["departure"] == later
        assert np.allclose(proposal["mission"]["target"], [-125.2, 47.9], atol=0.1)
        assert proposal["figures"]["arrival"]["date"] > later
        page.ask("accept", id=proposal["id"])
        tidewise("plan", served.folder / "mission.toml", "--out", tmp_path / "again")
