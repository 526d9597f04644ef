#!/usr/bin/env python3
"""Another solver's side of `tidewise bench mdp --peers`: one solve, in a process of its own.

    python3 -m venv venv && venv/bin/pip install numpy scipy h5py quantecon mdpsolver
    tidewise bench mdp --peers quantecon,mdpsolver,scipy --python venv/bin/python

    scripts/mdp_peers.py NAME MODEL.h5 DISCOUNT TOLERANCE VALUES

NAME is quantecon, quantecon-100, mdpsolver or scipy. Writes the values, (state), as doubles to the
file VALUES, and prints the CPU seconds of the solve alone. Each is to end within TOLERANCE of the
optimum, by its own rule: quantecon's ends at half its epsilon.
"""

import sys
import time


def read_model(path):
    import h5py
    import numpy as np

    with h5py.File(path) as file:
        states = int(np.ravel(file.attrs["state_count"])[0])
        actions = int(np.ravel(file.attrs["action_count"])[0])
        arrays = [file[name][:] for name in ("row_begin", "successor", "probability", "reward")]
    return states, actions, *arrays


def with_ends(model):
    """A sparse matrix of the rows that there are, with their rewards, states and actions; terminal
    states stay for nothing."""
    import numpy as np
    import scipy.sparse as sparse

    states, actions, begin, successor, probability, reward = model
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
    return matrix, reward, state, action


def solve_quantecon(model, gamma, tolerance, sweeps):
    """Modified policy iteration over state-action pairs."""
    from quantecon.markov import DiscreteDP

    matrix, reward, state, action = with_ends(model)
    problem = DiscreteDP(reward, matrix, gamma, state, action)
    begun = time.process_time()
    result = problem.solve(method="mpi", epsilon=2 * tolerance, k=sweeps, max_iter=100000)
    return time.process_time() - begun, result.v


def solve_mdpsolver(model, gamma, tolerance, _):
    import mdpsolver
    import numpy as np

    states, actions, begin, successor, probability, reward = model
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
    problem = mdpsolver.model()
    problem.mdp(discount=gamma, rewards=rows[0], tranMatProbs=rows[1], tranMatColumns=rows[2])
    begun = time.process_time()
    problem.solve(algorithm="mpi", tolerance=tolerance, parallel=False, verbose=False)
    taken = time.process_time() - begun
    return taken, np.array([problem.getValue(state) for state in range(states)])


def solve_scipy(model, gamma, tolerance, _):
    """Value iteration with MacQueen's bounds, as anybody would write it in an afternoon."""
    import numpy as np

    matrix, reward, state, _ = with_ends(model)
    first = np.flatnonzero(np.diff(state, prepend=-1))
    begun = time.process_time()
    value = np.zeros(matrix.shape[1])
    while True:
        following = np.maximum.reduceat(reward + gamma * (matrix @ value), first)
        change = following - value
        value = following
        lower, upper = (gamma / (1 - gamma) * bound for bound in (change.min(), change.max()))
        if (upper - lower) / 2 <= tolerance:
            break
    # Ends are worth 0, and stay so.
    moves = np.diff(model[2])[:].reshape(model[0], model[1]).any(axis=1)
    value = value + np.where(moves, (lower + upper) / 2, 0)
    return time.process_time() - begun, value


PEERS = {"quantecon": (solve_quantecon, 20), "quantecon-100": (solve_quantecon, 100),
         "mdpsolver": (solve_mdpsolver, 0), "scipy": (solve_scipy, 0)}


def main():
    if len(sys.argv) != 6 or sys.argv[1] not in PEERS:
        sys.exit(__doc__)
    solver, argument = PEERS[sys.argv[1]]
    taken, value = solver(read_model(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]), argument)
    value.astype("<f8").tofile(sys.argv[5])
    print(taken)


if __name__ == "__main__":
    main()
