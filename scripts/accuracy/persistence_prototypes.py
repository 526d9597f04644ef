#!/usr/bin/env python3
"""Two more rules for an ocean that stays, beside none and margins (docs/trust/persistence.md).

  scripts/accuracy/persistence_prototypes.py [--tidewise build/cpu/app/tidewise] [--missions 10] [--width 3]

Weights by state: at each place and time realizations whose own flights by the plain plan are near count
more, by a Gaussian of the distance so many cells wide. Margins by spread: the price of nearness
(docs/model.md, 3.10) times the spread of the flow at the place over its mean in the basin. Plans are
made and flown by plain NumPy, on the double gyre of 2.5 cells a step and the missions of persistence.py:
150 realizations plan, 1000 others are flown through, and the program's own plan and flights stand
beside: on all ten missions the value at the start is the same to 0.01, the share that arrives to 0.1 %.
Gains are of the mean total reward, with the standard error over missions. Needs h5py and numpy.
"""

import argparse
import functools
import pathlib
import tempfile

import h5py
import numpy
import persistence

HEADINGS, PARTS = 24, 8  # parts of a step in flights
REACH = 7  # cells of a step at most
SIDE = 2 * REACH + 1
OFFSETS = [(dx, dy) for dy in range(-REACH, REACH + 1) for dx in range(-REACH, REACH + 1)]
FLOOR = 0.05  # of a realization's weight without a flight near
# Cells of margin, and whether by spread
MARGINS = {
    "as is": (0, False),
    "margin of 1 cell": (1, False),
    "margin of 2 cells": (2, False),
    "margin of 1 cell by spread": (1, True),
    "margin of 2 cells by spread": (2, True),
}
ARRIVED, OBSTACLE, OUTSIDE, LATE = range(4)
angles = 2 * numpy.pi * numpy.arange(HEADINGS) / HEADINGS
ACTIONS = numpy.stack([numpy.cos(angles), numpy.sin(angles)]).astype("f4")  # cells a step
SHIFTS, SHIFT_OF = numpy.unique(ACTIONS.round(6), return_inverse=True)
SHIFT_OF = SHIFT_OF.reshape(2, HEADINGS)


def way(dx, dy):
    """The cells on the way of model.md, 3.3, its start left out unless the vehicle stays."""
    columns, rows = (range(min(0, d), max(0, d) + 1) for d in (dx, dy))
    cells = [(i, j) for j in rows for i in columns if 2 * abs(i * dy - j * dx) <= abs(dx) + abs(dy)]
    return [cell for cell in cells if cell != (0, 0)] or cells


class Ocean:
    def __init__(self, path):
        with h5py.File(path) as file:
            mean, modes = ([file[f"{axis}_{of}"][...] for axis in "uv"] for of in ("mean", "mode"))
            coefficient, mask = file["coefficient"][...], file["obstacle_mask"][...] != 0
        self.levels, self.ny, self.nx = mask.shape
        self.cells = self.ny * self.nx
        # (level, mean and modes, axis, cell), and each realization's factors of them
        self.fields = numpy.concatenate([numpy.stack(mean, 1)[:, None], numpy.stack(modes, 2)], 1)
        self.fields = self.fields.reshape(self.levels, -1, 2, self.cells)
        self.factors = numpy.insert(coefficient, 0, 1, axis=1)
        self.mask = mask
        self.closed = mask[:-1] | mask[1:]  # of the step from each level
        self.rows, self.columns = (n.ravel() for n in numpy.indices((self.ny, self.nx)))
        self.border = numpy.minimum.reduce(
            [self.columns, self.nx - 1 - self.columns, self.rows, self.ny - 1 - self.rows])

    def shut(self, dx, dy):
        """Whether the cell at that offset is closed in the step from each level."""
        padded = numpy.pad(self.closed, ((0, 0), (REACH, REACH), (REACH, REACH)))
        beside = padded[:, REACH + dy : REACH + dy + self.ny, REACH + dx : REACH + dx + self.nx]
        return beside.reshape(-1, self.cells)

    @functools.cached_property
    def barred(self):
        """(level, cell, offset): whether the way there meets a closed cell."""
        shut = {offset: self.shut(*offset) for offset in OFFSETS}
        return numpy.stack([functools.reduce(numpy.logical_or, [shut[cell] for cell in way(*offset)])
                            for offset in OFFSETS], 2)

    @functools.cached_property
    def water(self):
        """(level, cell): to the nearest closed cell within reach, edge to edge."""
        gaps = [numpy.where(self.shut(dx, dy), numpy.hypot(max(abs(dx) - 1, 0), max(abs(dy) - 1, 0)), numpy.inf)
                for dx, dy in OFFSETS if max(abs(dx), abs(dy)) <= 3]
        return numpy.minimum.reduce(gaps)

    def flow(self, k):
        return numpy.einsum("mr,mas->asr", self.factors[k], self.fields[k], optimize=True)

    def spread(self, k):
        """Of the flow over realizations at each cell, over its mean in the basin."""
        spread = numpy.sqrt(self.flow(k).var(2).sum(0))
        return spread / spread.mean()

    def flow_at(self, k, place, who):
        corner = numpy.clip(numpy.floor(place).astype(int), 0, [[self.nx - 2], [self.ny - 2]])
        fx, fy = numpy.clip(place - corner, 0, 1)
        cell = corner[1] * self.nx + corner[0]
        field = self.fields[k]
        around = ((field[..., cell] * (1 - fx) + field[..., cell + 1] * fx) * (1 - fy)
                  + (field[..., cell + self.nx] * (1 - fx) + field[..., cell + self.nx + 1] * fx) * fy)
        return (self.factors[k][:, None, who] * around).sum(0)


class Mission:
    """Places in cells; prices and the disc of a cell's width as the program resolves them."""

    def __init__(self, ocean, start, target, settings):
        self.start, self.target = (numpy.array(place) - 0.5 for place in (start, target))
        self.arrival, self.failure = settings["arrival_reward"], settings["failure"]
        px, py = ocean.columns - self.target[0], ocean.rows - self.target[1]
        self.is_target = numpy.hypot(px, py) <= 1
        self.late = self.failure["late"] - numpy.maximum(0, numpy.hypot(px, py) - 1)
        wy, wx = (n.ravel() - REACH for n in numpy.indices((SIDE, SIDE)))
        self.share = disc_met(px[:, None], py[:, None], wx, wy).astype("f4")


def disc_met(px, py, wx, wy):
    """The share of the way w after which the disc of radius 1 is met from p; inf where it is not."""
    c, b = px**2 + py**2 - 1, -(px * wx + py * wy)
    root = b**2 - (wx**2 + wy**2) * c
    with numpy.errstate(divide="ignore", invalid="ignore"):
        share = numpy.where((b > 0) & (root >= 0), c / (b + numpy.sqrt(numpy.maximum(root, 0))), numpy.inf)
    return numpy.where(c <= 0, 0, numpy.where(share <= 1, share, numpy.inf))


def hats(displacement, window):
    """What each place of a window gets of displacements by every shift: (cell, shift, place, realization)."""
    shifted = displacement[:, None, None] + (SHIFTS[:, None] - window)[..., None]
    numpy.abs(shifted, out=shifted)
    numpy.subtract(1, shifted, out=shifted)
    return numpy.maximum(shifted, 0, out=shifted)


def count(ocean, k, cells, weight):
    """Shares of landings (cell, action, window), and where a window's middle is beside the cell."""
    middle = numpy.rint(ocean.fields[k, 0][:, cells]).astype(int)
    flow = (ocean.flow(k)[:, cells] - middle[..., None]).astype("f4")
    half = int(numpy.ceil(abs(flow).max() + 1))
    window = numpy.arange(-half, half + 1, dtype="f4")
    shares = numpy.empty((len(cells), HEADINGS, len(window), len(window)), "f4")
    for first in range(0, len(cells), 20):  # as much as a processor's cache holds
        part = slice(first, first + 20)
        x, y = (hats(flow[axis, part], window) for axis in (0, 1))
        y *= weight[part, None, None]
        for a, (column, row) in enumerate(SHIFT_OF.T):
            shares[part, a] = y[:, row] @ x[:, column].swapaxes(1, 2)
    return shares.reshape(len(cells), HEADINGS, -1), middle, half


def nearness(ocean, mission, k, margin):
    prices = [numpy.minimum(0, (mission.failure[of] - mission.arrival) / 10) * numpy.maximum(0, 1 - gap / margin)
              for of, gap in (("obstacle", ocean.water[k]), ("outside", ocean.border))]
    return numpy.minimum(*prices)


def plan(ocean, cases, weights, plain=None):
    """Actions and values (case, level, cell) of cases: a mission, cells of margin, and whether it goes by
    spread. weights(k): cells, and the weight of each realization there; elsewhere as in `plain`."""
    last = ocean.levels - 1
    actions, value = plain or (numpy.zeros((len(cases), last, ocean.cells), "i1"),
                               numpy.zeros((len(cases), last + 1, ocean.cells), "f4"))
    actions, value = actions.copy(), value.copy()
    value[:, last] = [mission.late for mission, *_ in cases]
    for k in reversed(range(last)):
        cells, weight = weights(k)
        if len(cells) == 0:
            continue
        shares, (mx, my), half = count(ocean, k, cells, weight)
        wy, wx = (n.ravel() - half for n in numpy.indices((2 * half + 1,) * 2))
        dx, dy = mx[:, None] + wx, my[:, None] + wy
        leads = (dy + REACH) * SIDE + dx + REACH
        barred = numpy.take_along_axis(ocean.barred[k, cells], leads, 1)
        row, column = ocean.rows[cells, None] + dy, ocean.columns[cells, None] + dx
        inside = (row >= 0) & (row < ocean.ny) & (column >= 0) & (column < ocean.nx)
        lands = numpy.where(inside, row * ocean.nx + column, 0)
        worth = numpy.empty((len(cells), leads.shape[1], len(cases)), "f4")
        for c, (mission, *_) in enumerate(cases):
            after = value[c, k + 1] - (k + 1 < last)
            after = numpy.where(mission.is_target, mission.arrival - 1, after)
            share = mission.share[cells[:, None], leads]
            of = numpy.where(inside, after[lands], mission.failure["outside"])
            of = numpy.where(share <= 1, mission.arrival - share, of)
            worth[..., c] = numpy.where(barred, mission.failure["obstacle"], of)
        found = shares @ worth
        actions[:, k, cells] = found.argmax(1).T
        value[:, k, cells] = found.max(1).T
        for c, (mission, margin, by_spread) in enumerate(cases):
            if margin:
                price = nearness(ocean, mission, k, margin) * (ocean.spread(k) if by_spread else 1)
                value[c, k, cells] += price[cells]
            value[c, k, ocean.mask[k].ravel()] = mission.failure["obstacle"]
            value[c, k, mission.is_target] = 0
    return actions, value


def cell_of(ocean, place):
    column, row = numpy.floor(place + 0.5).astype(int)
    inside = (column >= 0) & (column < ocean.nx) & (row >= 0) & (row < ocean.ny)
    return numpy.where(inside, row * ocean.nx + column, -1)


def fly(ocean, mission, actions):
    """How each realization's flight ends, its total reward, and its places (level, axis, realization), which
    are no numbers after its end."""
    count = ocean.factors.shape[2]
    place = numpy.repeat(mission.start[:, None], count, 1)
    outcome, reward = numpy.full(count, LATE), numpy.zeros(count)
    places = numpy.full((ocean.levels, 2, count), numpy.nan)
    who = numpy.arange(count)
    for k in range(ocean.levels - 1):
        places[k][:, who] = place[:, who]
        began = cell_of(ocean, place)
        through = ACTIONS[:, actions[k][began]]
        closed = ocean.closed[k].ravel()
        for part in range(PARTS):
            at, own = place[:, who], through[:, who]
            middle = at + (ocean.flow_at(k, at, who) + own) / (2 * PARTS)
            way = (ocean.flow_at(k, middle, who) + own) / PARTS
            share = disc_met(*(at - mission.target[:, None]), *way)
            place[:, who] = at + way
            cell = cell_of(ocean, place[:, who])
            is_last = part == PARTS - 1
            hit = closed[cell] & (cell >= 0) & (is_last | (cell != began[who]))
            there = (share <= 1) | (is_last & (cell >= 0) & mission.is_target[cell] & ~hit)
            ends = numpy.select([there, hit, cell < 0], [ARRIVED, OBSTACLE, OUTSIDE], -1)
            time = k + (part + numpy.minimum(share, 1)) / PARTS
            worth = numpy.select([there, hit, cell < 0], [
                mission.arrival - time, mission.failure["obstacle"] - k, mission.failure["outside"] - k])
            ended = ends >= 0
            outcome[who[ended]], reward[who[ended]] = ends[ended], worth[ended]
            who = who[~ended]
    reward[who] = mission.late[cell_of(ocean, place[:, who])] - (ocean.levels - 2)
    return outcome, reward, places


def weights_by_state(ocean, places, width):
    """Of a Gaussian so many cells wide; where no flight is within four widths nothing is weighed."""
    def weights(k):
        away = (ocean.columns[:, None] - places[k, 0]) ** 2 + (ocean.rows[:, None] - places[k, 1]) ** 2
        away = numpy.nan_to_num(away, nan=numpy.inf)
        cells = numpy.flatnonzero(away.min(1) < (4 * width) ** 2)
        weight = FLOOR / away.shape[1] + numpy.exp(-away[cells] / (2 * width**2))
        return cells, (weight / weight.sum(1, keepdims=True)).astype("f4")
    return weights


def measure(program, count, widths, folder):
    """Outcomes and total rewards (mission, realization) of the flights of each plan."""
    missions, speed, _ = persistence.ocean_to_plan(program, "gyre 2.5", count, folder)
    planned, others = Ocean(folder / "planned.h5"), Ocean(folder / "others.h5")
    alike = numpy.full((planned.cells, persistence.PLANNED), 1 / persistence.PLANNED, "f4")
    real = []
    for number, (start, target) in enumerate(missions):
        text = persistence.mission_text(folder / "planned.h5", speed, start, target)
        flown, summary = persistence.plan_and_fly(program, text, 0.0, folder / "others.h5", folder)
        missions[number] = Mission(planned, start, target, summary["mission"]["mission"])
        real.append((flown, summary["value_at_start"]))
    cases = [(mission, *rule) for mission in missions for rule in MARGINS.values()]
    actions, value = plan(planned, cases, lambda k: (numpy.arange(planned.cells), alike))
    found = {}
    for number, mission in enumerate(missions):
        mine = slice(number * len(MARGINS), (number + 1) * len(MARGINS))
        plans = dict(zip(MARGINS, actions[mine]))
        *_, places = fly(planned, mission, plans["as is"])
        for width in widths:
            plain = [plan_of[mine][:2] for plan_of in (actions, value)]
            weighed, _ = plan(planned, cases[mine][:2], weights_by_state(planned, places, width), plain)
            for margin, policy in zip(list(MARGINS)[:2], weighed):
                plans[f"{margin}, weights {width:g} cells wide"] = policy
        flown, worth = real[number]
        at_start = value[mine][0, 0, cell_of(planned, mission.start)]
        print(f"{mission.start + 0.5} → {mission.target + 0.5}: value at the start {at_start:.2f}, the program's "
              f"{worth:.2f}; its flights {100 * flown['arrive']:.1f} % {flown['objective']:.1f}")
        for words, policy in plans.items():
            outcome, reward, _ = fly(others, mission, policy)
            found.setdefault(words, []).append((outcome, reward))
            gain = reward - found["as is"][-1][1]
            print(f"  {words}: {line([outcome], [reward])}, {gain_of(gain)}", flush=True)
    return found


def line(outcomes, rewards, link=", "):
    shares = [f"{100 * numpy.mean(numpy.equal(outcomes, kind)):.2f} %" for kind in range(4)]
    return link.join([*shares, f"{numpy.mean(rewards):.1f}"])


def gain_of(gains):
    return f"{gains.mean():+.2f} ± {gains.std(ddof=1) / len(gains) ** 0.5:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tidewise", default="build/cpu/app/tidewise")
    parser.add_argument("--missions", type=int, default=10)
    parser.add_argument("--width", type=float, action="append", help="cells; 3 where none is given")
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.tidewise).resolve())
    with tempfile.TemporaryDirectory() as name:
        found = measure(program, arguments.missions, arguments.width or [3], pathlib.Path(name))
    print(f"\n{arguments.missions} missions\n\n| plan | arrive | onto an obstacle | leave | late | objective | gained "
          "| beside the same margin |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
    objective = {words: numpy.array([reward.mean() for _, reward in flights]) for words, flights in found.items()}
    for words, flights in found.items():
        same_margin = words.split(", weights")[0].split(" by spread")[0]
        gains = [gain_of(objective[words] - objective[beside]) for beside in ("as is", same_margin)]
        print(f"| {words} | {line(*zip(*flights), ' | ')} | {' | '.join(gains)} |")


if __name__ == "__main__":
    main()
