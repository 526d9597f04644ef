"""No certificate of a random decision process is false: a few states, exact fractions beside."""

from __future__ import annotations

import itertools
import math
import random
import warnings
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from tidewise import mdp
from tidewise.errors import InputError, RunError

sparse = pytest.importorskip("scipy.sparse")

METHODS = [m for m in mdp.METHODS if m != "backward"]
GAMMAS = [0.0, 0.1, 0.5, 0.9, 0.99, 0.999, 1 - 1e-5, 1 - 1e-7, 1 - 1e-9]


@dataclass
class Model:
    """Rows s·A + a; gamma, what is asked of the solve, and the rewards' sign as the user has it."""

    states: int
    actions: int
    begin: list[int]
    successor: list[int]
    probability: list[float]
    reward: list[float]
    terminal: list[float]
    minimize: bool
    gamma: float
    tolerance: float
    relative: bool | None
    endings: str

    def process(self) -> mdp.Process:
        arrays = (
            np.array(self.probability, float),
            np.array(self.successor, np.int32),
            np.array(self.begin),
        )
        rows = sparse.csr_array(arrays, shape=(self.states * self.actions, self.states))
        return mdp.Process.from_arrays(
            rows,
            np.array(self.reward).reshape(self.states, self.actions),
            self.gamma,
            minimize=self.minimize,
            terminal_value=self.terminal,
        )


def random_row(rng: random.Random, count: int, kind: str) -> list[float]:
    """Of numbers that sum to one exactly, nearly, or within the digits of a file."""
    if count == 1:
        return [1.0]
    if kind == "dyadic":
        ends = [0, *sorted(rng.sample(range(1, 16), count - 1)), 16]
        return [(b - a) / 16 for a, b in itertools.pairwise(ends)]
    if kind == "thirds":
        weights = [rng.randint(1, 9) for _ in range(count)]
        return [w / sum(weights) for w in weights]
    if kind == "digits":
        weights = [rng.randint(1, 9) for _ in range(count)]
        return [round(w / sum(weights), 6) for w in weights]
    if kind == "tiny":
        small = [2.0 ** -rng.choice([4, 10, 20, 30, 40]) for _ in range(count - 1)]
        return [*small, 1 - math.fsum(small)]
    small = [10.0 ** -rng.choice([2, 4, 6, 9, 20]) for _ in range(count - 1)]
    return [*small, 1 - sum(small)]


def random_reward(rng: random.Random, kind: str) -> float:
    if kind == "zero" or rng.random() < 0.45:
        return 0.0
    if kind == "ints":
        return float(rng.randint(-5, 5))
    if kind == "costs":
        return float(rng.randint(0, 5))
    if kind == "decimal":
        return rng.choice([-1, 1]) * rng.randint(1, 30) / 10
    if kind == "wide":
        return rng.choice([-1, 1]) * 10.0 ** rng.randint(-7, 6)
    return rng.choice([-1.0, 1.0, 2.0, -2.0])


def random_model(rng: random.Random, discounted: bool) -> Model:
    states, actions = rng.randint(2, 6 if discounted else 4), rng.randint(1, 3)
    rows = rng.choice(["dyadic", "dyadic", "tiny", "thirds", "digits", "decimal"])
    rewards = rng.choice(["zero", "ints", "costs", "costs", "decimal", "wide", "cancel"])
    begin, successor, probability, reward = [0], [], [], []
    for s in range(states):
        is_terminal = rng.random() < (0.15 if s < states - 1 else 0.7)
        for a in range(actions):
            there = not is_terminal and (a == 0 or rng.random() < 0.8)
            if there:
                to = sorted(rng.sample(range(states), rng.randint(1, min(3, states))))
                to = [s] if rng.random() < 0.2 else to
                numbers = random_row(rng, len(to), rows)
                rng.shuffle(numbers)
                successor += to
                probability += numbers
            begin.append(len(successor))
            reward.append(random_reward(rng, rewards) if there else 0.0)
    return Model(
        states,
        actions,
        begin,
        successor,
        probability,
        reward,
        terminal=[float(rng.choice([0, 0, 0, 1, -2, 10])) for _ in range(states)],
        minimize=rng.random() < 0.5,
        gamma=rng.choice(GAMMAS) if discounted else 1.0,
        tolerance=rng.choice([1e-2, 1e-4, 1e-6, 1e-9]),
        relative=rng.choice([None, None, True, False]),
        endings=rng.choice(["auto", "free", "sure"]),
    )


class Exact:
    """The model in fractions as the process holds it, each row over its sum."""

    def __init__(self, model: Model, process: mdp.Process) -> None:
        begin, successor, probability = process.rows
        self.model, self.sign = model, -1 if model.minimize else 1
        self.row: dict[tuple[int, int], dict[int, Fraction]] = {}
        for s, a in itertools.product(range(model.states), range(model.actions)):
            entries = range(begin[s * model.actions + a], begin[s * model.actions + a + 1])
            if entries:
                total = sum(Fraction(float(probability[n])) for n in entries)
                self.row[s, a] = {
                    int(successor[n]): Fraction(float(probability[n])) / total
                    for n in entries
                    if probability[n] > 0
                }
        self.choices = [
            [a for a in range(model.actions) if (s, a) in self.row] for s in range(model.states)
        ]

    def reward(self, s: int, a: int) -> Fraction:
        return Fraction(self.model.reward[s * self.model.actions + a])

    def worth(self, s: int, a: int, value: list[Fraction]) -> Fraction:
        later = sum(p * value[t] for t, p in self.row[s, a].items())
        return self.reward(s, a) + Fraction(self.model.gamma) * later

    def discounted(self) -> list[Fraction]:
        """Howard's policy iteration, to the fixed point itself."""
        policy = [actions[0] if actions else None for actions in self.choices]
        while True:
            value = self.value_of(
                policy,
                {s: Fraction(v) for s, v in enumerate(self.model.terminal) if policy[s] is None},
            )
            better = list(policy)
            for s, actions in enumerate(self.choices):
                for a in actions:
                    if self.sign * self.worth(s, a, value) > self.sign * self.worth(
                        s, better[s], value
                    ):
                        better[s] = a
            if better == policy:
                return value
            policy = better

    def value_of(self, policy, fixed: dict[int, Fraction]) -> list[Fraction]:
        """By Gauss's elimination; of states that are not `fixed`."""
        unknown = [s for s in range(self.model.states) if s not in fixed]
        place = {s: n for n, s in enumerate(unknown)}
        gamma, lines = Fraction(self.model.gamma), []
        for s in unknown:
            line = [Fraction(int(t == s)) for t in unknown] + [self.reward(s, policy[s])]
            for t, p in self.row[s, policy[s]].items():
                if t in place:
                    line[place[t]] -= gamma * p
                else:
                    line[-1] += gamma * p * fixed[t]
            lines.append(line)
        for k in range(len(lines)):
            pivot = next(n for n in range(k, len(lines)) if lines[n][k] != 0)
            lines[k], lines[pivot] = lines[pivot], lines[k]
            for n in range(len(lines)):
                if n != k and lines[n][k] != 0:
                    factor = lines[n][k] / lines[k][k]
                    lines[n] = [x - factor * y for x, y in zip(lines[n], lines[k], strict=True)]
        found = {s: lines[n][-1] / lines[n][n] for s, n in place.items()}
        return [fixed[s] if s in fixed else found[s] for s in range(self.model.states)]

    def is_end(self, s: int) -> bool:
        return all(set(self.row[s, a]) == {s} and self.reward(s, a) == 0 for a in self.choices[s])

    def classes_of(self, policy):
        """What each state leads to, and the closed classes."""
        leads = []
        for s in range(self.model.states):
            seen, todo = {s}, [s]
            while todo:
                t = todo.pop()
                new = set(self.row[t, policy[t]]) - seen if policy[t] is not None else set()
                seen |= new
                todo += new
            leads.append(seen)
        closed = {frozenset(seen) for seen in leads if all(seen == leads[t] for t in seen)}
        return leads, closed

    def gain_of(self, policy, members) -> Fraction:
        """The mean reward of a closed class: of a round from a state to it, by its length."""
        home, gains = min(members), []
        for rewards in (True, False):
            fixed = {
                s: Fraction(0) for s in range(self.model.states) if s not in members or s == home
            }
            other = self if rewards else Steps(self)
            value = Exact.value_of(other, policy, fixed)
            later = sum(p * value[t] for t, p in self.row[home, policy[home]].items())
            gains.append(other.reward(home, policy[home]) + later)
        return gains[0] / gains[1]

    def undiscounted(self, endings: str):
        """By every stationary policy: the optimum of those that count, and where some gain."""
        best: list[Fraction | None] = [None] * self.model.states
        gaining: set[int] = set()
        cancels = False
        for policy in itertools.product(*[a or [None] for a in self.choices]):
            leads, closed = self.classes_of(policy)
            fixed, bad = {}, set()
            for members in closed:
                first = next(iter(members))
                free = all(policy[s] is None or self.reward(s, policy[s]) == 0 for s in members)
                if free and ((len(members) == 1 and self.is_end(first)) or endings == "free"):
                    for s in members:
                        fixed[s] = (
                            Fraction(self.model.terminal[s]) if policy[s] is None else Fraction(0)
                        )
                    continue
                bad |= members
                if not free:
                    gain = self.sign * self.gain_of(policy, members)
                    gaining |= members if gain > 0 else set()
                    cancels = cancels or gain == 0
            counting = [s for s in range(self.model.states) if not leads[s] & bad]
            for s in range(self.model.states):
                if s not in counting:
                    fixed[s] = Fraction(0)  # no state that counts leads there
            value = self.value_of(policy, fixed)
            for s in counting:
                if best[s] is None or self.sign * value[s] > self.sign * best[s]:
                    best[s] = value[s]
        return best, gaining, cancels


class Steps(Exact):
    """Each step brings 1."""

    def __init__(self, exact: Exact) -> None:
        self.__dict__.update(exact.__dict__)

    def reward(self, s: int, a: int) -> Fraction:
        return Fraction(1)


def expect_true(model: Model, result: mdp.Result, value: list[Fraction | None]) -> None:
    for s, exact in enumerate(value):
        lower, upper = float(result.lower[s]), float(result.upper[s])
        if exact is None:
            infinite = math.inf if model.minimize else -math.inf
            assert (result.value[s], lower, upper) == (infinite, infinite, infinite), s
            assert result.policy[s] == -1
            continue
        assert lower == -math.inf or Fraction(lower) <= exact, (s, float(exact), lower, upper)
        assert upper == math.inf or Fraction(upper) >= exact, (s, float(exact), lower, upper)
        if result.converged:
            allowed = model.tolerance * (abs(exact) if model.relative else 1)
            assert abs(Fraction(float(result.value[s])) - exact) <= Fraction(allowed) + Fraction(
                1, 10**280
            )
        if result.outcome == "limited-by-rounding":
            assert math.isfinite(lower) and math.isfinite(upper)


def solved(model: Model, process: mdp.Process, method: str) -> mdp.Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mdp.ConvergenceWarning)
        return process.solve(
            method,
            tolerance=model.tolerance,
            relative=model.relative,
            endings=model.endings,
            threads=1,
            max_sweeps=20_000,
        )


@pytest.mark.parametrize("seed", range(150))
def test_no_bound_is_false_with_a_discount(seed: int) -> None:
    model = random_model(random.Random(f"discounted {seed}"), discounted=True)
    process = model.process()
    exact = Exact(model, process).discounted()
    for method in METHODS:
        expect_true(model, solved(model, process, method), exact)


@pytest.mark.parametrize("seed", range(250))
def test_no_bound_is_false_without_one(seed: int) -> None:
    model = random_model(random.Random(f"undiscounted {seed}"), discounted=False)
    process = model.process()
    exact = Exact(model, process)
    sure, gaining, cancels = exact.undiscounted("sure")
    value = sure if model.endings == "sure" else exact.undiscounted("free")[0]
    refused = model.endings == "auto" and None in sure
    if model.endings == "sure":
        gaining = {s for s in gaining if sure[s] is not None}
    for method in METHODS:
        if method == "inexact-policy-iteration":
            continue
        try:
            result = solved(model, process, method)
        except InputError:
            assert refused or cancels
            continue
        except RunError as error:
            assert gaining and "gained without end" in str(error)
            continue
        assert not refused
        if gaining:
            assert not result.converged
            continue
        expect_true(model, result, value)
        # Of these, what rounding hides is all that may be left open.
        assert cancels or result.outcome != "gave-up", (method, result)
