"""Arguments correspond to the command line's options; errors name arguments."""

from __future__ import annotations

import inspect
import re
import subprocess
import tempfile

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import tidewise as tw
from tidewise._keywords import in_keywords, without_temporary
from tidewise._load import core
from tidewise.figures import animation
from tidewise.pictures import Pictures

pytestmark = pytest.mark.filterwarnings("ignore::tidewise.PlanWarning")

_PYTHON_ONLY = {"progress"}  # arguments without an option
# Options without an argument in Python:
_OUTPUT = {"out", "overwrite"}  # functions return results; save() writes files
_NAME = {"name"}  # an Environment contains the names of its variables
_PRINT_ONLY = {"value"}  # only changes the printed text; summaries have the values
_RENAMED_IN_BATCH = {"table": None, "mission": None, "settings": "set", "client": None}
# Each row: command, function, arguments whose option has another name (None: no option), and
# options without an argument.
COMMANDS = [
    ("env import", tw.Environment.from_xarray, {"forecast": None}, _OUTPUT),
    ("env import", tw.Environment.from_netcdf, {"files": None}, _OUTPUT),
    ("env double-gyre", tw.Environment.double_gyre, {"levels": "nt"}, _OUTPUT),
    ("env wind-driven-gyre", tw.Environment.wind_driven_gyre, {"levels": "nt"}, _OUTPUT),
    ("observe", tw.Environment.observe, {}, _NAME | {"fit-vehicle"}),  # the option only prints
    ("observe", tw.Run.observe, {}, _NAME | {"fit-vehicle"}),
    ("errors", tw.Environment.fit_forecast_error, {}, _NAME),
    ("rollout", tw.Run.rollout, {}, _NAME | _PRINT_ONLY | {"details", "truth"}),  # truth is another name of --environment
    ("bound", tw.Run.bound, {}, _NAME | {"truth"}),
    ("departures", tw.Run.departures, {"first": "from", "last": "to"}, _NAME | _OUTPUT),
    ("reach", tw.Run.reach, {}, set()),
    ("lookup", tw.Run.surfacing, {"after": "surfacing"}, _PRINT_ONLY | _OUTPUT | {"details", "json", "calibrate", "declination"}),
    ("score", tw.score, {"log": None}, {"json"}),
    ("replan", tw.Run.replan, {"settings": "set"}, _NAME | _PRINT_ONLY | {"details"}),
    ("refine", tw.Run.refine, {}, set()),
    ("compare", tw.Run.compare, {"other": None}, _PRINT_ONLY | _OUTPUT),
    ("export", tw.Run.export, {"path": "out"}, set()),
    ("serve", tw.serve, {"run": None, "browser": "no-browser"}, set()),
    ("view", tw.Run.view, {"path": "out", "others": "with", "show": None}, set()),
    ("batch", tw.batch, _RENAMED_IN_BATCH, {"dry-run"}),  # the option plans nothing
]


def options_of(program: str, command: str) -> set[str]:
    """Return the options that `tidewise … --help` lists."""
    words = [program, *command.split(), "--help"]
    text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    listed = text[text.index("Options:") :].partition("Examples:")[0]
    lines = re.findall(r"^  (?:-\w,)?(--[a-z-]+(?:,--[a-z-]+)*)", listed, re.MULTILINE)
    return {name.removeprefix("--") for line in lines for name in line.split(",")} - {"help"}


def keys_of(table: str) -> set[str]:
    """Return the keys of a table of a mission file, without the name of the table."""
    keys = [key.partition(".") for key in core.mission_key_names()]
    return {name for first, _, name in keys if first == table}


def arguments_of(function) -> list[str]:
    parameters = inspect.signature(function).parameters.values()
    assert not [p for p in parameters if p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    return [p.name for p in parameters if p.name not in ("self", "cls")]


def test_decision_processes_take_every_option_of_the_command(program):
    named = {
        "discount": "gamma",
        "start": "initial",
        "device": "devices",
        "settings": "set",
        "q": "value",
        "path": "out",
    }
    python = {"relative", "keep_steps", "progress"}
    functions = (tw.mdp.Process.open, tw.mdp.Process.solve, tw.mdp.Result.save)
    arguments = {argument for function in functions for argument in arguments_of(function)} - python
    options = {named.get(argument, argument.replace("_", "-")) for argument in arguments}
    assert options == options_of(program, "research solve")


@pytest.mark.parametrize("command, function, renamed, left_out", COMMANDS)
def test_arguments_are_the_commands_options(program, command, function, renamed, left_out):
    offered = options_of(program, command)
    assert left_out <= offered
    named = {a: renamed.get(a, a.rstrip("_").replace("_", "-")) for a in arguments_of(function)}
    named = {a: option for a, option in named.items() if a not in _PYTHON_ONLY}
    assert set(named.values()) - {None} == offered - left_out


def test_arguments_of_plan_are_the_keys_of_planner_and_rollout():
    arguments = {"mission", "out", "overwrite", "progress", "arrival_at_least"}
    arguments |= {"all_departures", "log"}
    assert set(arguments_of(tw.plan)) == keys_of("planner") | keys_of("rollout") | arguments


def test_every_option_of_plan_is_available_in_python(program):
    elsewhere = {"set", "model", "method"}  # Mission.read has settings; Python reads no models
    elsewhere |= _PRINT_ONLY | {"calibrate", "details"}  # these change only the printed report
    elsewhere |= {"serve"}  # Python has a function for it
    # Options of a plan on a forecast's own files, which Python converts by Environment.from_netcdf.
    elsewhere |= {"from", "to", "vehicle", "depart", "deadline", "dive", "u", "v"}
    named = {argument.replace("_", "-") for argument in arguments_of(tw.plan)}
    assert options_of(program, "plan") - elsewhere <= named


def test_arguments_of_a_mission_and_a_vehicle_are_their_keys():
    short = {"harvest.c_r": "c_r", "weight.alpha": "alpha"}
    keys = {short.get(key, key.partition(".")[0]) for key in keys_of("mission")}
    others = {"environment", "vehicle", "start_xy", "target_xy"}
    assert set(arguments_of(tw.Mission)) == keys - {"start_lonlat", "target_lonlat"} | others
    keys = {key.rpartition(".")[2] for key in keys_of("vehicle")}
    assert set(arguments_of(tw.Vehicle)) == keys


@pytest.mark.parametrize(
    "name",
    ["mission", "policy", "environment", "modes", "coefficients", "histograms", "rehearsal"],
)
def test_pictures_take_the_arguments_of_their_functions(name):
    def parameters_of(function):
        parameters = list(inspect.signature(function).parameters.values())[1:]
        return [(p.name, p.default) for p in parameters]

    assert parameters_of(getattr(Pictures, name)) == parameters_of(getattr(tw, f"draw_{name}"))
    assert parameters_of(Pictures.animation) == parameters_of(animation.write_animation)


def test_unknown_argument_is_refused_with_the_nearest(time_run):
    run = tw.open(time_run)
    for call, line in [
        (lambda: tw.Environment.double_gyre(realisations=3), "did you mean realizations?"),
        (lambda: tw.Environment.double_gyre(nt=3), "use levels"),
        (lambda: tw.plan("a.toml", bakend="cpu"), "did you mean backend?"),
        (lambda: tw.Vehicle(speed=0.5), "Vehicle: has no argument speed; did you mean speeds?"),
        (lambda: run.rollout(truth="a.h5"), "use environment"),
        (lambda: run.replan(start=(1, 2)), "use at"),
        (lambda: run.rollout(departure=3), "use time"),
        (lambda: run.replan(vehicle__battery=3), "give settings={'vehicle.battery': …}"),
        (lambda: tw.Mission("a.h5", tw.Vehicle(1.0), start_lonlat=(1, 2)), "use start"),
    ]:
        with pytest.raises(TypeError, match=re.escape(line)) as caught:
            call()
        assert "\n" not in str(caught.value)
    with pytest.raises(AttributeError, match="use environment"):
        run.forecast  # noqa: B018
    assert "forecast" not in dir(run) and "environment" in dir(run)


def test_translates_options_in_messages_to_keywords():
    for terminal, python in [
        ("use a shorter --step", "use a shorter step"),
        ("--at-xy 1,99: is outside", "at_xy=1,99: is outside"),
        ("with --lagged N, e.g. --lagged 4, or", "with lagged=N, e.g. lagged=4, or"),
        ("add --plane for x and y", "add plane for x and y"),
        ("take --backend cpu", "take backend cpu"),
        ('--zeros is "sand"', 'zeros is "sand"'),
        ("with --bbox, --from and --to", "with bbox, from_ and to"),
        ("--nt is 1", "levels is 1"),
        ("give --at LON,LAT (--at-xy X,Y)", "give at=LON,LAT (at_xy=X,Y)"),
        ("--set mission.horizon=3: is", "settings mission.horizon=3: is"),
        ("give --step 3h, or --spacing=1km.", "give step=3h, or spacing=1km."),
        ("run 'tidewise env import --step 3h'", "run 'tidewise env import --step 3h'"),
    ]:
        assert in_keywords(terminal) == python
    made = f"{tempfile.gettempdir()}/tidewise-x1Y/"
    assert without_temporary(f"{made}environment.h5: is") == "the environment: is"
    assert without_temporary(f"{made}run: is") == "the run: is"
    assert without_temporary(f"in {made}runs.csv") == "in runs.csv"


@pytest.fixture(scope="module")
def forecast():
    flow = np.full((4, 12, 12), 0.1, "float32")
    dimensions = ("time", "lat", "lon")
    axes = {"lat": np.linspace(46, 47, 12), "lon": np.linspace(-126, -125, 12)}
    axes["time"] = pd.date_range("2024-10-29", periods=4, freq="3h")
    return xr.Dataset({"uo": (dimensions, flow), "vo": (dimensions, flow)}, axes)


def test_messages_name_arguments(forecast, small_mission, small_run):
    """Messages name no temporary file and no option; see also test_wrong_calls."""
    mission, run = small_mission, small_run
    from_xarray = tw.Environment.from_xarray
    later = pd.DataFrame({"mission.departure": [0, "soon"], "mission.horizon": [5, 5]})
    for call, beginning in [
        (lambda: tw.batch(later, mission), 'table: row 1: mission.departure is "soon"'),
        (lambda: from_xarray([forecast, forecast.uo]), "forecast[1]: is a DataArray"),
        (lambda: from_xarray(forecast, lagged=9), "the forecast: has 4 times, but lagged=9"),
        (lambda: from_xarray(forecast, depth=3.0), "the forecast: variable uo: has no depth"),
        (lambda: from_xarray(forecast, zeros="sand"), 'zeros is "sand"'),
        (
            lambda: from_xarray([forecast.drop_vars("uo"), forecast]),
            "forecast[0]: holds vo, but no uo; also give the file that holds it, with u=uo v=vo",
        ),
        (lambda: tw.plan(mission, arrival_at_least=2), "arrival_at_least=2: must be"),
        (lambda: tw.plan(mission, arrival_at_least="a"), "arrival_at_least is 'a'; it must be a"),
        (lambda: run.act((1.0, 1.0), time=0, leg=1.5), "leg is 1.5; it must be a whole number"),
        (lambda: run.rollout(at=(1, 99)), "at_xy=1,99: mission.start is [1, 99], outside"),
        (lambda: run.act((1.0, 1.0), time="soon"), "time='soon': times of the run are numbers"),
        (lambda: tw.plan(mission, mode="none").trajectories, "the run: holds no trajectories.nc"),
        (lambda: run.export("a.csv"), "format csv: the environment has no longitudes"),
    ]:
        with pytest.raises(tw.InputError) as caught:
            call()
        line = str(caught.value)
        assert line.startswith(beginning), line
        assert "\n" not in line and "--" not in line and tempfile.gettempdir() not in line, line


def test_imports_components_in_separate_data_sets_as_advised(forecast):
    halves = [forecast.drop_vars("vo"), forecast.drop_vars("uo")]
    from_xarray = tw.Environment.from_xarray
    expected = from_xarray(forecast, spacing="10km").shape
    assert from_xarray(halves, spacing="10km").shape == expected
    assert from_xarray(halves, u="uo", v="vo", spacing="10km").shape == expected
    with pytest.raises(tw.InputError, match=r"\[velocity_component_missing\]$"):
        from_xarray(halves[0], spacing="10km")


def test_wrong_types_are_refused_by_name(time_run):
    run = tw.open(time_run)
    track = pd.DataFrame({"x": [20.5, 21.0], "y": [8.5, 9.0], "time": [0.0, 1.0]})
    for call, line in [
        (lambda: tw.Environment.double_gyre(nx="a"), 'nx is "a"; it must be a whole number from'),
        (lambda: tw.Environment.double_gyre(nx=2.5), "nx is 2.5; it must be a whole number from"),
        (lambda: tw.Environment.double_gyre(seed=-1), "seed: -1 is no seed; give a whole number"),
        (lambda: run.observe(track, error="2cm"), 'error is "2cm"; it must be a number without'),
        (lambda: run.observe(track, method="x"), 'method is "x"; it must be one of square-root, '),
    ]:
        with pytest.raises(tw.InputError) as caught:
            call()
        assert str(caught.value).startswith(line)


def test_dir_lists_only_public_names():
    for module in (tw, tw.mdp):
        assert dir(module) == sorted(module.__all__)
        assert all(hasattr(module, name) for name in module.__all__)
