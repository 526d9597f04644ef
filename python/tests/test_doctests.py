"""Examples in docstrings print what they show."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import tidewise as tw

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(tw.__path__, "tidewise.")
    if not module.name.rpartition(".")[2].startswith("_")
)


@pytest.mark.parametrize("module", ["tidewise", *MODULES])
@pytest.mark.filterwarnings("ignore")
def test_examples_print_their_output(module, small_run, environment, tmp_path, monkeypatch):
    """Run the examples in a folder with the files that they need."""
    names = {name: getattr(tw, name) for name in ("Environment", "Mission", "Vehicle", "plan")}
    names |= {"batch": tw.batch, "open": tw.open, "tw": tw, "run": small_run}
    monkeypatch.chdir(tmp_path)
    (tmp_path / "configs").mkdir()
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "double_gyre.h5").symlink_to(environment)
    from conftest import ROOT

    text = (ROOT / "configs" / "double_gyre_time.toml").read_text()
    (tmp_path / "configs" / "double_gyre_time.toml").write_text(text)
    loaded = importlib.import_module(module)
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in finder.find(loaded, module, globs={**vars(loaded), **names}):
        runner.run(test)
    assert runner.failures == 0


def test_every_public_function_has_an_example():
    for name in (
        *("Environment", "Knowledge", "Learned", "Mission", "Run", "Vehicle"),
        *("batch", "open", "plan"),
    ):
        assert ">>>" in getattr(tw, name).__doc__, name
