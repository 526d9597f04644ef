#!/usr/bin/env python3
"""tidewise.mdp beside quantecon on one random model, in one process, by one thread each.

    venv/bin/pip install './python' scipy quantecon
    venv/bin/python scripts/compare_mdp_python.py [--states 200000] [--actions 8] [--successors 8]

The arrays are there before any clock starts, and a small model has made quantecon compile its
kernels. Figures are CPU seconds, medians of interleaved rounds: of making the process of the arrays,
and of solving it. Both are to stop within 1e-4 of the optimum: quantecon's rule ends at half its
epsilon.
"""

import argparse
import os
import statistics
import time

for _threads in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")

import numpy as np  # noqa: E402 - the environment above must be set first
import scipy.sparse as sp  # noqa: E402
from quantecon.markov import DiscreteDP  # noqa: E402
from tidewise import mdp  # noqa: E402

TOLERANCE = 1e-4


def random_model(states, actions, successors):
    """Rows s·A + a, and rewards by state and action."""
    random = np.random.default_rng(1)
    rows = states * actions
    to = np.sort(random.integers(0, states, (rows, successors), dtype=np.int32), axis=1)
    share = random.dirichlet(np.ones(successors), rows)
    begin = np.arange(0, rows * successors + 1, successors, dtype=np.int32)
    matrix = sp.csr_matrix((share.ravel(), to.ravel(), begin), (rows, states))
    matrix.sum_duplicates()
    return matrix, random.normal(size=(states, actions))


def solve_tidewise(matrix, reward, discount):
    """(seconds of making, seconds of solving, values)."""
    return timed(
        lambda: mdp.Process.from_arrays(matrix, reward, discount),
        lambda process: process.solve(tolerance=TOLERANCE, threads=1, backend="cpu"),
        lambda result: result.value,
    )


def solve_by_action(matrix, reward, discount):
    """The same from a list of matrices."""
    states, actions = reward.shape
    matrices = [matrix[action::actions] for action in range(actions)]
    assert matrices[0].shape == (states, states)
    return timed(
        lambda: mdp.Process.from_arrays(matrices, reward, discount),
        lambda process: process.solve(tolerance=TOLERANCE, threads=1, backend="cpu"),
        lambda result: result.value,
    )


def solve_quantecon(matrix, reward, discount):
    """By modified policy iteration, its fastest here."""
    state, action = np.divmod(np.arange(reward.size), reward.shape[1])
    return timed(
        lambda: DiscreteDP(reward.ravel(), matrix, discount, state, action),
        lambda process: process.solve(
            method="modified_policy_iteration", epsilon=2 * TOLERANCE, max_iter=100_000
        ),
        lambda result: result.v,
    )


def timed(make, solve, values):
    """(CPU seconds of making, of solving, values)."""
    begun = time.process_time()
    process = make()
    made = time.process_time()
    result = solve(process)
    solved = time.process_time()
    return made - begun, solved - made, np.array(values(result))


def main():
    """Prints a line for each solver and discount."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--states", type=int, default=200_000)
    parser.add_argument("--actions", type=int, default=8)
    parser.add_argument("--successors", type=int, default=8)
    parser.add_argument("--discounts", type=float, nargs="+", default=[0.95, 0.99])
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    solvers = {
        "tidewise, rows s·A + a": solve_tidewise,
        "tidewise, by action": solve_by_action,
        "quantecon": solve_quantecon,
    }
    for solve in solvers.values():  # compiles
        solve(*random_model(50, 3, 4), 0.9)
    model = random_model(arguments.states, arguments.actions, arguments.successors)
    print(
        f"{arguments.states} states x {arguments.actions} actions x {arguments.successors} "
        f"successors, CPU seconds of one thread, medians of {arguments.rounds}"
    )
    for discount in arguments.discounts:
        rounds = {name: [] for name in solvers}
        for _ in range(arguments.rounds):
            for name, solve in solvers.items():
                rounds[name].append(solve(*model, discount))
        reference = rounds["tidewise, rows s·A + a"][0][2]
        for name, found in rounds.items():
            making, solving = (statistics.median(one[n] for one in found) for n in (0, 1))
            both = [one[0] + one[1] for one in found]
            print(
                f"discount {discount}: {name:24} from arrays {making:6.3f}  solve {solving:7.3f}  "
                f"both {statistics.median(both):7.3f} ({min(both):.3f} to {max(both):.3f}), "
                f"differs by {np.abs(found[0][2] - reference).max():.1e}"
            )


if __name__ == "__main__":
    main()
