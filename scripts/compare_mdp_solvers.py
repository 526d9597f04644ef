#!/usr/bin/env python3
"""Tidewise beside quantecon and mdpsolver on worlds of several kinds, in one run, by one thread each.

    python3 -m venv venv && venv/bin/pip install numpy scipy h5py quantecon mdpsolver
    venv/bin/python scripts/compare_mdp_solvers.py --tidewise build/cpu/app/tidewise

Figures are CPU seconds (user and system), medians of interleaved rounds: of the whole process
(reading and, for others, import), and of the solve alone; of Tidewise that is the time by the clock
that it tells itself, which on a busy machine is more. All stop within 1e-4 of the optimum;
quantecon's rule ends at epsilon / 2 with its own bounds. A difference is the greatest between a
solver's values and those of Tidewise.
"""

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

TOLERANCE = 1e-4


def read_model(path):
    import h5py
    import numpy as np

    with h5py.File(path) as file:
        states = int(np.ravel(file.attrs["state_count"])[0])
        actions = int(np.ravel(file.attrs["action_count"])[0])
        arrays = [file[name][:] for name in ("row_begin", "successor", "probability", "reward")]
    return states, actions, *arrays


def solve_quantecon(path, gamma, sweeps):
    """Modified policy iteration over state-action pairs; terminal states stay for nothing."""
    import numpy as np
    import scipy.sparse as sparse
    from quantecon.markov import DiscreteDP

    states, actions, begin, successor, probability, reward = read_model(path)
    allowed = np.flatnonzero(np.diff(begin) > 0)
    bounds = np.concatenate([[0], begin[1:][allowed]])
    matrix = sparse.csr_matrix((probability, successor, bounds), shape=(len(allowed), states))
    reward, state, action = reward[allowed], allowed // actions, allowed % actions
    terminal = np.setdiff1d(np.arange(states), state)
    if len(terminal):
        stay = sparse.csr_matrix(
            (np.ones(len(terminal)), (np.arange(len(terminal)), terminal)),
            shape=(len(terminal), states))
        state = np.concatenate([state, terminal])
        action = np.concatenate([action, np.zeros(len(terminal), dtype=int)])
        order = np.lexsort((action, state))
        matrix = sparse.vstack([matrix, stay]).tocsr()[order]
        reward = np.concatenate([reward, np.zeros(len(terminal))])[order]
        state, action = state[order], action[order]
    problem = DiscreteDP(reward, matrix, gamma, state, action)
    begun = time.process_time()
    result = problem.solve(method="mpi", epsilon=2 * TOLERANCE, k=sweeps, max_iter=100000)
    return time.process_time() - begun, result.v


def solve_mdpsolver(path, gamma, _):
    import mdpsolver
    import numpy as np

    states, actions, begin, successor, probability, reward = read_model(path)
    rows = [[], [], []]  # of each state: rewards, probabilities, successors
    for state in range(states):
        of_state = [[], [], []]
        for row in range(state * actions, (state + 1) * actions):
            first, end = begin[row], begin[row + 1]
            if first == end:
                continue
            of_state[0].append(float(reward[row]))
            of_state[1].append(probability[first:end].tolist())
            of_state[2].append(successor[first:end].tolist())
        if not of_state[0]:
            of_state = [[0.0], [[1.0]], [[state]]]
        for whole, part in zip(rows, of_state):
            whole.append(part)
    model = mdpsolver.model()
    model.mdp(discount=gamma, rewards=rows[0], tranMatProbs=rows[1], tranMatColumns=rows[2])
    begun = time.process_time()
    model.solve(algorithm="mpi", tolerance=TOLERANCE, parallel=False, verbose=False)
    taken = time.process_time() - begun
    return taken, np.array([model.getValue(state) for state in range(states)])


PEERS = {"quantecon mpi, k 20": (solve_quantecon, 20),
         "quantecon mpi, k 100": (solve_quantecon, 100),
         "mdpsolver mpi": (solve_mdpsolver, 0)}


def run_peer(name, path, gamma, values):
    solver, argument = PEERS[name]
    taken, value = solver(path, gamma, argument)
    whole = time.process_time()  # of this process up to here: what one solve takes in all
    if name.startswith("quantecon"):  # the first solve compiles; the second is what it takes
        taken, value = solver(path, gamma, argument)
    import numpy as np

    np.save(values, value)
    print(json.dumps([whole, taken]))


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(words, **more):
    before = children_seconds()
    done = subprocess.run(words, capture_output=True, text=True, **more)
    return children_seconds() - before, done


def tidewise_side(program, path, gamma, method, folder):
    out = os.path.join(folder, "solution.h5")
    words = [program, "solve", path, "--gamma", str(gamma), "--method", method, "--tolerance",
             str(TOLERANCE), "--threads", "1", "--backend", "cpu", "--out", out, "-q"]
    whole, done = timed(words)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    report = {line[:16].strip(): line[16:] for line in done.stdout.splitlines()}
    return whole, report, out


def measure(arguments, kind, gamma, folder):
    path = os.path.join(folder, "world.h5")
    words = [arguments.tidewise, "mdp", "sample", "--world", kind, "--gamma", str(gamma), "--scale",
             str(arguments.scale), "--out", path, "-q"]
    subprocess.run(words, check=True, capture_output=True)
    whole, alone, apart, notes = {}, {}, {}, {}
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1",
                       NUMBA_NUM_THREADS="1")
    import h5py
    import numpy as np

    reference = None
    for _ in range(arguments.rounds):
        for method in arguments.methods.split(","):
            name = "tidewise " + method
            seconds, report, out = tidewise_side(arguments.tidewise, path, gamma, method, folder)
            whole.setdefault(name, []).append(seconds)
            notes[name] = report.get("auto", "").strip()
            own = re.search(r"([0-9.e+-]+) s in all", report["computed on"])
            alone.setdefault(name, []).append(float(own.group(1)))
            with h5py.File(out) as file:
                value = file["value"][:]
            reference = value if reference is None else reference
            apart[name] = float(np.abs(value - reference).max())
        for name in PEERS:
            if name.split()[0] not in arguments.peers.split(","):
                continue
            values = os.path.join(folder, "values.npy")
            words = [sys.executable, __file__, "--peer", name, path, str(gamma), values]
            try:
                _, done = timed(words, env=environment, timeout=arguments.limit)
            except subprocess.TimeoutExpired:
                notes[name] = f"more than {arguments.limit:g} s"
                continue
            if done.returncode != 0:
                notes[name] = done.stderr.strip().splitlines()[-1] if done.stderr else "failed"
                continue
            of_whole, of_solve = json.loads(done.stdout.splitlines()[-1])
            whole.setdefault(name, []).append(of_whole)
            alone.setdefault(name, []).append(of_solve)
            apart[name] = float(np.abs(np.load(values) - reference).max())
    print(f"\n{kind}, discount {gamma}")
    print(f"{'':34}{'whole process':>14}{'solve alone':>14}{'|dV|':>10}")
    for name in list(whole) + [name for name in notes if name not in whole]:
        if name not in whole:
            print(f"{name:34} {notes[name]}")
            continue
        solve = f"{statistics.median(alone[name]):14.3f}" if name in alone else f"{'':14}"
        print(f"{name:34}{statistics.median(whole[name]):14.3f}{solve}{apart[name]:10.1e}"
              f"  {notes.get(name, '')}")


def main():
    if len(sys.argv) > 1 and sys.argv[1] == "--peer":
        return run_peer(sys.argv[2], sys.argv[3], float(sys.argv[4]), sys.argv[5])
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tidewise", default="build/cpu/app/tidewise", help="the program")
    parser.add_argument("--worlds", default="random@0.95,random@0.99,inventory@0.99,queues@0.99,"
                        "car@0.99", help="KIND@DISCOUNT, as tidewise mdp sample knows the kinds")
    parser.add_argument("--methods", default="auto,fused", help="of tidewise solve")
    parser.add_argument("--peers", default="quantecon,mdpsolver")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--limit", type=float, default=300, help="seconds of a peer's run")
    arguments = parser.parse_args()
    for world in arguments.worlds.split(","):
        kind, gamma = world.split("@")
        with tempfile.TemporaryDirectory() as folder:
            measure(arguments, kind, float(gamma), folder)


if __name__ == "__main__":
    main()
