#!/usr/bin/env python3
"""The picture of docs/trust/persistence.md: the same realizations flown without a margin and with one.

  scripts/accuracy/persistence_picture.py RUN_WITHOUT RUN_WITH [OUT.png]

Both runs are of one mission in one environment. In either panel stand the flights of those realizations
that meet an obstacle without a margin, by what they come to, over a sample of all others, and the
obstacles as they are when the first, the middle and the last of them meet one. Needs './python[plot]'.
"""

import pathlib
import sys

import numpy

import tidewise
from tidewise.figures import page, palette
from tidewise.saving import save_figure

_ROOT = pathlib.Path(__file__).resolve().parents[2]
_DOTS = 130  # an inch
_OTHERS = 60  # that are drawn
_OBSTACLE = 1
# Of outcomes, as in trajectories.nc; Okabe's and Ito's colours.
_KINDS = {0: ("#0072B2", "arrive"), _OBSTACLE: ("#D55E00", "meet an obstacle"),
          2: ("#CC79A7", "leave the domain"), 3: ("#E69F00", "run out of time")}


def _draw(axes, run, chosen, levels):
    flights, ocean = run.trajectories, run.environment.dataset
    x, y = (flights[name].values for name in "xy")
    outcome = flights["outcome"].values
    mask = ocean["obstacle_mask"].values
    for level in levels:
        axes.contourf(ocean["x"].values, ocean["y"].values, mask[level] != 0, [0.5, 1.5],
                      colors=[palette.CLOSED], alpha=0.45)
    others = numpy.setdiff1d(numpy.arange(len(x)), chosen)
    for flight in others[:: max(1, len(others) // _OTHERS)]:
        axes.plot(x[flight], y[flight], color="0.85", linewidth=0.5, zorder=1)
    for kind, (colour, words) in _KINDS.items():
        of_kind = [flight for flight in chosen if outcome[flight] == kind]
        for number, flight in enumerate(of_kind):
            label = f"{len(of_kind)} {words}" if number == 0 else None
            axes.plot(x[flight], y[flight], color=colour, linewidth=0.8, label=label)
            if kind != 0:
                last = numpy.flatnonzero(numpy.isfinite(x[flight]))[-1]
                axes.plot(x[flight][last], y[flight][last], "x", color=colour, markersize=4)
    places = run.summary
    axes.plot(places["start"]["x"], places["start"]["y"], "o", color=palette.START,
              markeredgecolor=palette.INK, markersize=5, zorder=5)
    axes.plot(places["target"]["x"], places["target"]["y"], "*", color=palette.TARGET,
              markeredgecolor=palette.INK, markersize=9, zorder=5)
    axes.set(aspect="equal", xlabel="x", ylabel="y")
    axes.legend(frameon=False, fontsize=7, loc="upper left")


def main(without, with_margin, out=_ROOT / "docs/figures/persistence.png"):
    runs = [tidewise.open(name) for name in (without, with_margin)]
    flights = runs[0].trajectories
    chosen = numpy.flatnonzero(flights["outcome"].values == _OBSTACLE)
    met = numpy.isfinite(flights["x"].values[chosen]).sum(axis=1) - 1
    levels = [int(level) for level in numpy.quantile(met, [0, 0.5, 1])]
    with palette.styled():
        figure = page.make_page(page.PAGE_WIDTH, 9.5)
        for number, (axes, run) in enumerate(zip(figure.subplots(1, 2, sharey=True), runs)):
            margin = run.summary["mission"]["planner"]["margin"]
            rate = 100 * run.summary["rollout"]["arrival_rate"]
            _draw(axes, run, chosen, levels)
            page.put_letter(axes, number, f"margin {margin:g}: of all flights {rate:.1f} % arrive")
        page.put_caption(figure, (
            f"The {len(chosen)} of {len(flights['x'])} realizations in which a flight without a margin meets an "
            f"obstacle, flown by either plan; some of the others in grey. The obstacles move; they are drawn at "
            f"times {levels[0]}, {levels[1]} and {levels[2]}, when the first, the middle and the last of the flights in (a) "
            "meet one. Circle: start; star: target; crosses: where flights fail."))
        page.trim_page(figure)
        save_figure(figure, pathlib.Path(out), _DOTS)


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
