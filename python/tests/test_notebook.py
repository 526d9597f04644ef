"""Notebooks show objects as short tables, and a View as its page."""

from __future__ import annotations

import html
import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import tidewise as tw
from tidewise import views

pytestmark = pytest.mark.filterwarnings("ignore::tidewise.PlanWarning")


class Cells(HTMLParser):
    """Parses a table to cells by their heads; fails for other HTML and external resources."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.cells: dict[str, str] = {}
        self.tags: list[str] = []
        self.head = self.open = ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        assert tag in ("table", "caption", "tbody", "tr", "th", "td")
        assert {name for name, _ in attributes} <= {"style"}
        self.tags.append(tag)
        self.open = tag

    def handle_endtag(self, tag):
        assert self.tags.pop() == tag
        self.open = ""

    def handle_data(self, data):
        if self.open == "th":
            self.head = data
        elif self.open == "td":
            self.cells[self.head] = self.cells.get(self.head, "") + data


def cells_of(shown) -> dict[str, str]:
    cells = Cells(shown._repr_html_())
    assert not cells.tags
    return cells.cells


def test_tables_describe_objects(time_run, environment):
    run = tw.open(time_run)
    ocean = run.environment
    assert cells_of(ocean)["cells"] == "40 × 40, of 1 × 1"
    assert cells_of(ocean)["realizations"] == "200"
    assert cells_of(ocean)["file"] == str(environment)
    shown = cells_of(tw.Mission(ocean, tw.Vehicle([1.0]), (20.5, 8.5), (20.5, 32.5), "energy"))
    assert shown["start"] == "[20.5, 8.5]" and shown["objective"] == '"energy"'
    shown = cells_of(run)
    assert shown["target"] == "[20.5, 32.5]" and shown["flights"] == "200"
    assert shown["predicted arrival"] == f"{100 * run.expected.arrival_probability:.4g} %"
    rate = run.summary["rollout"]["arrival_rate"]
    assert shown["arrive"] == f"{100 * rate:.4g} % of 200 flights"
    assert run.uncertainty == "ensemble" and "probability" not in shown
    process = tw.mdp.Process.from_arrays([[[0.5, 0.5], [0.0, 1.0]]], [1.0, 0.0], discount=0.5)
    assert cells_of(process)["transitions"] == "3"


def test_plan_shows_its_recommendation(place, time_run):
    run = tw.plan(place / "time.toml")
    shown = cells_of(run)["verdict"]
    assert shown == run.report.splitlines()[0] and shown.startswith("Heading ")
    assert "verdict" not in cells_of(tw.open(time_run))


@pytest.mark.parametrize(
    "edited",
    [
        {"expected": 5},
        {"expected": {"time": "x"}},
        {"rollout": 5},
        {"rollout": {"time": 3}},
        {"rollout": {"arrival_rate": "all", "trajectories": 2}},
        {"rollout": {"within": 1}},
        {"mission": [1]},
        {"mission": {"mission": 3}},
    ],
)
def test_damaged_summary_is_one_line(tmp_path, time_run, edited):
    folder = tw.open(time_run).save(tmp_path / "run").folder
    summary = json.loads((folder / "summary.json").read_text())
    (folder / "summary.json").write_text(json.dumps({**summary, **edited}))
    run = tw.open(folder)
    with pytest.raises(tw.InputError, match=r"summary.json: cannot be read \(.* is .*plan the"):
        assert run.summary
    assert repr(run) == "<Run run>"
    assert "<table" in run._repr_html_()


def test_text_is_escaped(tmp_path, time_run):
    odd = "<b>&\"'"
    missing = tw.Environment(tmp_path / f"{odd}.h5")
    assert odd in cells_of(missing)["cannot be opened"]
    assert repr(missing).startswith("<Environment that cannot be opened: ")
    saved = tw.open(time_run).save(tmp_path / odd)
    assert cells_of(saved)["folder"].endswith(odd)


def test_dates_are_shown(washington_run):
    ocean = tw.open(washington_run).environment
    shown = cells_of(ocean)
    assert shown["from"] == f"{ocean.dates[0]}Z" and shown["to"] == f"{ocean.dates[-1]}Z"
    assert shown["levels"].endswith("21600 s apart")
    assert "lonlat [-126.0, 46.8]" in cells_of(tw.open(washington_run))["start"]


def test_lagged_realizations_have_no_probability(washington_run):
    run = tw.open(washington_run)
    assert run.uncertainty == "lagged"
    arrived = f"{run.flights.ends.arrived.sum()} of {len(run.flights)} simulated missions"
    assert f": no probability; {arrived} arrive, after " in repr(run) and "%" not in repr(run)
    shown = cells_of(run)
    assert shown["arrive"] == arrived
    assert shown["probability"] == run.summary["recommendation"]["note"]
    assert "predicted arrival" not in shown


def test_a_run_without_a_summary_is_shown(time_run, tmp_path):
    saved = tw.open(time_run).save(tmp_path / "run")
    (tmp_path / "run" / "summary.json").unlink()
    assert cells_of(tw.open(saved.folder)) == {"folder": str(saved.folder)}
    assert repr(tw.open(saved.folder)) == "<Run run>"


def test_a_view_shows_its_page(time_run, tmp_path, monkeypatch):
    page = tw.open(time_run).view(tmp_path / "run.html")
    assert str(page) == os.fspath(page) == str(tmp_path / "run.html") and isinstance(page, Path)
    text = page.read_text(encoding="utf-8")
    frame = page._repr_html_()
    (source,) = re.findall(r'srcdoc="([^"]*)"', frame)
    assert html.unescape(source) == text
    assert not re.search(r"\bsrc=", frame)
    assert page.parent._repr_html_() is None
    monkeypatch.setattr(views, "_LARGEST", 1000)
    assert "too large for a notebook" in page._repr_html_()


def test_temporary_page_is_removed_with_its_object(time_run):
    page = tw.open(time_run).view()
    path = Path(str(page))
    assert path.is_file() and page._repr_html_().startswith("<iframe")
    del page
    assert not path.exists()
