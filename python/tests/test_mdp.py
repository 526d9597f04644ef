"""Decision processes from arrays, tables and files, compared with pymdptoolbox and quantecon."""

from __future__ import annotations

import doctest
import json
import re
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import netCDF4
import numpy as np
import pytest

import tidewise.mdp
from tidewise._load import core
from tidewise.errors import InputError, RunError
from tidewise.mdp import METHODS, ConvergenceWarning, Process

sparse = pytest.importorskip("scipy.sparse")

DISCOUNTED = [method for method in METHODS if method not in ("backward", "q-learning")]


def random_model(seed: int, states: int, actions: int, successors: int):
    """Return a sparse matrix for each action, and rewards (state, action)."""
    random = np.random.default_rng(seed)
    P = []
    for _ in range(actions):
        to = np.array([random.choice(states, successors, replace=False) for _ in range(states)])
        share = random.dirichlet(np.ones(successors), states)
        begin = np.arange(0, states * successors + 1, successors)
        P.append(sparse.csr_matrix((share.ravel(), to.ravel(), begin), (states, states)))
    return P, random.normal(size=(states, actions))


def stacked(P):
    """Return one matrix with rows s·A + a, which a process does not copy."""
    states, actions = P[0].shape[0], len(P)
    order = np.arange(states * actions).reshape(actions, states).T.ravel()
    rows = sparse.csr_matrix(sparse.vstack(P))[order]
    rows.sort_indices()
    return rows


def plain_values(P, R, discount, sweeps=5000):
    """Return the optimum by value iteration in NumPy."""
    value = np.zeros(R.shape[0])
    for _ in range(sweeps):
        value = np.max(R + discount * np.stack([p @ value for p in P], axis=1), axis=1)
    return value


def test_examples_have_known_values():
    done = doctest.testmod(tidewise.mdp)
    assert done.attempted > 20
    assert done.failed == 0


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("method", DISCOUNTED)
def test_agrees_with_quantecon(method, seed):
    markov = pytest.importorskip("quantecon.markov")
    discount = [0.5, 0.95, 0.99][seed - 1]
    states, actions = 300, 5
    P, R = random_model(seed, states, actions, 6)
    state, action = np.divmod(np.arange(states * actions), actions)
    theirs = markov.DiscreteDP(R.ravel(), stacked(P), discount, state, action)
    exact = theirs.solve(method="policy_iteration")

    result = Process.from_arrays(P, R, discount).solve(method, tolerance=1e-7)

    assert result.converged
    assert result.error <= 1e-7
    rounding = 1e-10  # rounding of quantecon's linear solver
    assert np.all(result.lower <= exact.v + rounding)
    assert np.all(exact.v - rounding <= result.upper)
    assert np.all(np.abs(result.value - exact.v) <= result.error + rounding)
    # Chosen actions may differ, but must have the same value.
    our_values = np.take_along_axis(result.q, result.policy[:, None], axis=1)[:, 0]
    their_values = np.take_along_axis(result.q, exact.sigma[:, None], axis=1)[:, 0]
    np.testing.assert_allclose(our_values, their_values, atol=1e-6)


@pytest.mark.parametrize("method", DISCOUNTED)
def test_agrees_with_pymdptoolbox(method):
    toolbox = pytest.importorskip("mdptoolbox.mdp")
    P, R = random_model(11, 60, 4, 5)
    dense = np.stack([p.toarray() for p in P])
    theirs = toolbox.PolicyIteration(dense, R, 0.9)
    theirs.run()

    result = Process.from_arrays(dense, R, 0.9).solve(method, tolerance=1e-8)

    np.testing.assert_allclose(result.value, theirs.V, rtol=0, atol=2e-8)
    assert np.all(result.lower <= np.array(theirs.V) + 1e-10)
    assert np.all(np.array(theirs.V) - 1e-10 <= result.upper)
    assert result.policy.tolist() == list(theirs.policy)


def test_steps_agree_with_pymdptoolbox():
    toolbox = pytest.importorskip("mdptoolbox.mdp")
    P, R = random_model(12, 40, 3, 4)
    dense = np.stack([p.toarray() for p in P])
    end_value = np.random.default_rng(5).normal(size=40)
    theirs = toolbox.FiniteHorizon(dense, R, 0.9, 7, h=end_value)
    theirs.run()

    result = Process.from_arrays(dense, R, 0.9).solve(horizon=7, keep_steps=True, start=end_value)

    np.testing.assert_allclose(result.step_value, theirs.V[:, :7].T, atol=1e-12)
    assert np.array_equal(result.step_policy, theirs.policy.T)
    np.testing.assert_array_equal(result.value, result.step_value[0])
    assert result.method == "backward"


def forms_of(P, R):
    """Return the same model in every accepted form, by name."""
    states, actions = R.shape
    dense = np.stack([matrix.toarray() for matrix in P])
    rewards = np.broadcast_to(R.T[:, :, None], dense.shape)  # each transition has its reward
    order = np.arange(states * actions).reshape(actions, states).T.ravel()
    unordered = sparse.csr_matrix(sparse.vstack(P))[order]
    unordered.indices = np.ascontiguousarray(unordered.indices.reshape(-1, 6)[:, ::-1]).ravel()
    unordered.data = np.ascontiguousarray(unordered.data.reshape(-1, 6)[:, ::-1]).ravel()
    rows = stacked(P)
    wide = sparse.csr_matrix(rows)
    wide.indices = wide.indices.astype(np.int64)
    wide.indptr = wide.indptr.astype(np.int64)
    return {
        "matrices": (P, R),
        "arrays": ([sparse.coo_array(matrix) for matrix in P], R),
        "columns": ([sparse.csc_matrix(matrix) for matrix in P], R.ravel()),
        "objects": (np.array([*P, None], dtype=object)[:-1], R),
        "one dense": ([P[0].toarray(), *P[1:]], R),
        "rows": (rows, R),
        "rows, flat rewards": (rows, R.ravel()),
        "rows in no order": (unordered, R),
        "rows, int64": (wide, R),
        "rows, rewards of transitions": (rows, rewards),
        "rows, sparse rewards": (
            rows,
            sparse.csr_matrix(rewards.transpose(1, 0, 2).reshape(-1, states)),
        ),
        "dense": (dense, R),
        "dense, in Fortran's order": (np.asfortranarray(dense), R),
        "dense, rewards of transitions": (dense, rewards),
        "lists": (dense.tolist(), R.tolist()),
        "sparse rewards": (P, [sparse.csr_matrix(matrix) for matrix in rewards]),
        "dense, sparse rewards": (dense, [sparse.csr_matrix(matrix) for matrix in rewards]),
    }


@pytest.mark.parametrize("form", list(forms_of(*random_model(21, 30, 4, 6))))
def test_every_form_is_the_same_process(form):
    P, R = random_model(21, 30, 4, 6)
    wanted = Process.from_arrays(P, R, 0.9)
    probabilities, rewards = forms_of(P, R)[form]

    process = Process.from_arrays(probabilities, rewards, 0.9)

    for ours, theirs in zip(process.rows, wanted.rows, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_allclose(process.solve().value, wanted.solve().value, rtol=0, atol=1e-12)
    rows = stacked(P)
    np.testing.assert_array_equal(process.rows[2], rows.data)
    np.testing.assert_array_equal(process.rows[1], rows.indices)


def test_accepts_rewards_of_states():
    P, R = random_model(22, 20, 3, 4)
    by_state = Process.from_arrays(P, R[:, 0], 0.9).solve()
    by_action = Process.from_arrays(P, np.repeat(R[:, :1], 3, axis=1), 0.9).solve()
    np.testing.assert_array_equal(by_state.value, by_action.value)


def test_sparse_rows_are_not_copied():
    P, R = random_model(23, 500, 3, 6)
    rows = stacked(P)
    process = Process.from_arrays(rows, R, 0.9)
    begin, successor, probability = process.rows
    assert np.shares_memory(probability, rows.data)
    assert np.shares_memory(successor, rows.indices)
    assert not probability.flags.writeable
    before = process.solve().value
    # The process keeps the arrays of transitions alive, but copies rewards.
    del rows
    R[:] = 7
    np.testing.assert_array_equal(process.solve().value, before)
    # Arrays of other types are copied.
    copied = stacked(P)
    copied.data[0] = 0
    copied.data[1] += 1 - copied.data[:6].sum()
    other = Process.from_arrays(copied, R, 0.9)
    assert not np.shares_memory(other.rows[2], copied.data)
    assert other.transition_count == copied.nnz - 1


def test_rejects_arrays_that_changed():
    P, R = random_model(24, 50, 3, 6)
    rows = stacked(P)
    process = Process.from_arrays(rows, R, 0.9)
    rows.indices[3] = 2**30
    with pytest.raises(InputError, match=r"1073741824.*\[row_invalid\]$"):
        process.solve()


def test_results_are_not_copied():
    P, R = random_model(25, 50, 3, 6)
    process = Process.from_arrays(P, R, 0.9)
    result = process.solve("value-iteration")
    for array in (
        result.value,
        result.policy,
        result.lower,
        result.upper,
        result.history,
        result.q,
    ):
        assert not array.flags.owndata
    value = result.value
    expected = value.copy()
    del result, process
    np.testing.assert_array_equal(value, expected)


def test_action_values_agree_with_numpy():
    P, R = random_model(27, 40, 3, 5)
    process = Process.from_arrays(P, R, 0.9)
    value = np.random.default_rng(1).normal(size=40)
    wanted = R + 0.9 * np.stack([p @ value for p in P], axis=1)
    np.testing.assert_allclose(process.action_values(value), wanted, rtol=1e-13, atol=1e-13)
    result = process.solve(tolerance=1e-9)
    np.testing.assert_array_equal(result.q, process.action_values(result.value))
    np.testing.assert_array_equal(result.q.argmax(axis=1), result.policy)


def test_history_has_a_record_for_each_sweep():
    P, R = random_model(28, 60, 3, 5)
    result = Process.from_arrays(P, R, 0.9).solve("value-iteration", tolerance=1e-6)
    history = result.history
    assert history["sweeps"].tolist() == list(range(1, result.sweeps + 1))
    assert history["residual"][0] == pytest.approx(np.abs(R.max(axis=1)).max())
    assert history["error"][-1] <= 1e-6 < history["error"][-2]
    assert np.all(np.diff(history["seconds"]) >= 0)
    pandas = pytest.importorskip("pandas")
    assert list(pandas.DataFrame(history)) == ["sweeps", "seconds", "residual", "error"]


def test_starts_from_another_solution():
    P, R = random_model(29, 200, 3, 5)
    first = Process.from_arrays(P, R, 0.99).solve("gauss-seidel")
    changed = Process.from_arrays(P, R + 1e-3, 0.99)
    cold = changed.solve("gauss-seidel")
    warm = changed.solve("gauss-seidel", start=first)
    assert warm.sweeps < cold.sweeps
    assert np.all(np.abs(warm.value - cold.value) <= warm.error + cold.error)
    again = changed.solve("gauss-seidel", start=first.value.tolist())
    np.testing.assert_array_equal(again.value, warm.value)


def test_minimizes_costs():
    P, R = random_model(30, 50, 3, 5)
    rewards = Process.from_arrays(P, R, 0.9).solve(tolerance=1e-8)
    costs = Process.from_arrays(P, -R, 0.9, minimize=True).solve(tolerance=1e-8)
    np.testing.assert_array_equal(costs.value, 0 - rewards.value)
    np.testing.assert_array_equal(costs.lower, 0 - rewards.upper)
    np.testing.assert_array_equal(costs.q, 0 - rewards.q)
    np.testing.assert_array_equal(costs.policy, rewards.policy)


@pytest.mark.parametrize("form", ["actions", "rows", "dense"])
def test_states_may_lack_actions(form):
    P, R = random_model(31, 30, 3, 5)
    R[4, 1] = R[7, 2] = -np.inf
    P[0] = P[0].tolil()
    P[0][9] = 0
    P[0] = P[0].tocsr()
    forms = {"actions": P, "rows": stacked(P), "dense": np.stack([p.toarray() for p in P])}

    result = Process.from_arrays(forms[form], R, 0.9).solve(tolerance=1e-9)

    absent = [(4, 1), (7, 2), (9, 0)]
    assert [tuple(pair) for pair in np.argwhere(np.isnan(result.q))] == absent
    R[9, 0] = -np.inf
    np.testing.assert_allclose(result.value, plain_values(P, R, 0.9), atol=2e-9)


def test_terminal_states_have_the_given_values():
    P = np.zeros((2, 3, 3))
    P[0, 0, 1] = P[1, 0, 2] = 1
    process = Process.from_arrays(P, np.full(3, -1.0), 1.0, terminal_value=[0, 5, 7])
    result = process.solve()
    assert result.value.tolist() == [6, 5, 7]
    assert result.policy.tolist() == [1, -1, -1]


def table_values(table, discount, sweeps=3000):
    """Return the values of a table by plain value iteration."""
    value = np.zeros(len(table))
    for _ in range(sweeps):
        for s in table:
            value[s] = max(
                sum(p * (r + discount * value[to] * (not done)) for p, to, r, done in table[s][a])
                for a in table[s]
            )
    return value


def table_of(name):
    gymnasium = pytest.importorskip("gymnasium")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return gymnasium.make(name).unwrapped.P


@pytest.mark.parametrize("name", ["FrozenLake-v1", "CliffWalking-v1", "Taxi-v4"])
def test_reads_tables_of_gymnasium(name):
    table = table_of(name)
    process = Process.from_arrays(table, discount=0.9)
    assert process.state_count == len(table)
    result = process.solve(tolerance=1e-9)
    exact = table_values(table, 0.9, 500)
    np.testing.assert_allclose(result.value, exact, rtol=0, atol=2e-9)
    assert np.all((result.lower <= exact + 1e-12) & (exact - 1e-12 <= result.upper))


def test_solves_frozen_lake_without_discount():
    # The known maximum probability of crossing.
    result = Process.from_arrays(table_of("FrozenLake-v1"), discount=1.0).solve(tolerance=1e-9)
    assert result.value[0] == pytest.approx(14 / 17, abs=1e-8)
    assert result.lower[0] <= 14 / 17 <= result.upper[0]
    assert np.flatnonzero(result.policy < 0).tolist() == [5, 7, 11, 12, 15]


def test_done_transition_ends_the_episode():
    # A done transition into state 1 does not add the value of that state.
    table = {
        0: {0: [(1.0, 1, 2.0, True)], 1: [(1.0, 1, 1.0, False)]},
        1: {0: [(1.0, 1, 1.0, False)]},
    }
    process = Process.from_arrays(table, discount=0.5)
    assert process.state_count == 2
    result = process.solve(tolerance=1e-10, start=[1.0, 1.0])
    np.testing.assert_allclose(result.value, [2, 2], atol=1e-9)
    np.testing.assert_allclose(result.q[0], [2, 2], atol=1e-9)
    assert result.q.shape == (2, 2)
    assert np.isnan(result.q[1, 1])
    steps = process.solve(horizon=3, keep_steps=True)
    assert steps.step_value.shape == (3, 2)


ONE = [[[0.5, 0.5], [0.0, 1.0]]]
STAY = {0: {0: [(1.0, 0, 0, True)]}}
WRONG = """
>>> Process.from_arrays(ONE, [1, 0])
there is no discount; give one
>>> Process.from_arrays(ONE, discount=0.9)
there are no rewards; give R
>>> Process.from_arrays(ONE, [1, 0], 1.5)
1.5 [discount_invalid]
>>> Process.from_arrays([[[0.5, 0.4], [0.0, 1.0]]], [1, 0], 0.9)
its probabilities sum to 0.9 [row_invalid]
>>> Process.from_arrays([[[1.5, -0.5], [0.0, 1.0]]], [1, 0], 0.9)
state 0 has the probability 1.5 [row_invalid]
>>> Process.from_arrays([[[np.nan, 1.0], [0.0, 1.0]]], [1, 0], 0.9)
state 0 has the probability nan [row_invalid]
>>> Process.from_arrays(ONE, [np.nan, 0], 0.9)
its reward is nan [row_invalid]
>>> Process.from_arrays(ONE, [np.inf, 0], 0.9)
its reward is inf [row_invalid]
>>> Process.from_arrays([[['a']]], [1], 0.9)
P is no array of real numbers
>>> Process.from_arrays([[[1.0], [1.0, 0]]], [1], 0.9)
P is no array of real
>>> Process.from_arrays(np.ones((3, 2, 3)) / 3, np.ones((3, 2)), 0.9)
take P.transpose(1, 0, 2)
>>> Process.from_arrays(ONE, [1, 0, 0], 0.9)
R has the shape (3,); with 2 states and 1 actions it must be (2, 1), (2,), or (1, 2, 2)
>>> Process.from_arrays(sparse.csr_array(np.ones((5, 2)) / 2), np.ones(5), 0.9)
P is one matrix of shape (5, 2)
>>> Process.from_arrays([sparse.eye(2), sparse.eye(3)], np.ones((2, 2)), 0.9)
P[1] has the shape (3, 3)
>>> Process.from_arrays(ONE, [1, 0], 0.9, terminal_value=[1])
terminal_value has the shape (1,)
>>> Process.from_arrays({1: {0: [(1.0, 1, 0, True)]}}, discount=0.9)
its keys must be 0, 1, 2
>>> Process.from_arrays({0: {0: [(1.0, 0)]}}, discount=0.9)
P[0][0] has the transition (1.0, 0)
>>> Process.from_arrays({0: {0: [(1.0, 3, 0, True)]}}, discount=0.9)
P[0][0] leads to state 3, and there are 1
>>> Process.from_arrays({0: {0: [(0.5, 0, 1, False)]}}, discount=0.9)
its probabilities sum to 0.5 [row_invalid]
>>> Process.from_arrays({0: {'left': [(1.0, 0, 0, True)]}}, discount=0.9)
number the actions
>>> Process.from_arrays(ONE, sparse.eye(7), discount=0.9)
R is a sparse matrix of shape (7, 7)
>>> Process.from_arrays(STAY, discount=0.9, terminal_value=[1.0, 2.0])
terminal_value has the shape (2,); give one number a state, (1,)
>>> Process.from_arrays(STAY, [1], discount=0.9)
a table P[s][a] has its rewards in it
>>> good().solve('simplex')
simplex [solve_option_invalid]
>>> good().solve(tolerance=0)
0 [tolerance_invalid]
>>> good().solve(backend='tpu')
tpu [solve_option_invalid]
>>> good().solve(endings='never')
never [solve_option_invalid]
>>> good().solve(max_sweeps=0)
[sweep_limit_invalid]
>>> good().solve('fused', horizon=3)
horizon [option_of_other_method]
>>> good().solve(settings={'block-divided.variant': 'both'})
[option_of_other_method]
>>> good().solve('block-divided', settings={'block-divided.variant': 'some'})
some [solve_option_invalid]
>>> good().solve('block-divided', settings={'block-divided.varian': 'both'})
varian [solve_option_unknown]
>>> good().solve(settings={'gamma': 0.5})
gamma [solve_option_unknown]
>>> good().solve(evaluator='guess')
guess [solve_option_invalid]
>>> good().solve('backward')
[horizon_missing]
>>> good().solve(keep_steps=True)
[steps_not_kept]
>>> good().solve(start=[1.0])
values have the shape (1,); give one a state
>>> good().solve(start=[np.nan, 0])
nan [first_value_not_finite]
>>> Process.from_arrays([[[0, 1.0], [1, 0]]], [-1, -1], 1.0).solve()
[states_without_end]
>>> Process.from_arrays([[[0, 1.0], [0, 0]]], [-1, 0], 1.0).solve('inexact_policy_iteration')
[inexact_iteration_without_discount]
>>> Process.open('nowhere.h5')
nowhere.h5 [file_missing]
>>> Process.open('m.h5', goal='gold')
the goal is 'gold'
>>> Process.open('m.h5', goal='probability')
[probability_without_target]
>>> good().save('model.doc')
model.doc [process_ending_unknown]
"""


def good() -> Process:
    return Process.from_arrays(ONE, [1, 0], 0.9)


@pytest.mark.parametrize("case", WRONG.split(">>> ")[1:])
def test_wrong_input_is_one_line(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, text = case.splitlines()
    with pytest.raises(InputError) as caught:
        eval(call)  # noqa: S307
    line = str(caught.value)
    value, code = re.fullmatch(r"(.*?) ?(\[[a-z0-9_]+\])?", text).groups()
    assert value in line and line.endswith(code or "")
    assert "\n" not in line
    assert "--" not in line
    assert list(tmp_path.iterdir()) == []


def test_gives_up_with_a_warning():
    P, R = random_model(41, 40, 3, 5)
    process = Process.from_arrays(P, R, 0.99)
    with pytest.warns(
        ConvergenceWarning, match="after 3 sweeps .* increase max_sweeps"
    ) as warned:
        result = process.solve("value-iteration", max_sweeps=3)
    assert warned[0].filename == __file__
    assert not result.converged
    assert "not converged" in repr(result)
    exact = process.solve(tolerance=1e-9).value
    assert np.all((result.lower <= exact) & (exact <= result.upper))


def test_unbounded_gain_is_an_error():
    # A loop gains 1 in each round, and has an exit.
    P = np.array([[[0, 1, 0], [1, 0, 0], [0, 0, 1.0]], [[0, 0, 1], [0, 0, 1], [0, 0, 1.0]]])
    process = Process.from_arrays(P, [1.0, 0.0, 0.0], 1.0)
    with pytest.raises(RunError, match="rewards are gained without end.*give discount below 1"):
        process.solve()


@pytest.mark.parametrize("name, words", [option for option in core.mdp_options() if option[1]])
def test_accepts_every_value_of_an_option(name, words):
    options = core.MdpOptions()
    for word in words:
        options.set(name, word)
    with pytest.raises(InputError):
        options.set(name, "no such word")


def test_accepts_variants_evaluators_layouts_and_precision():
    P, R = random_model(5, 60, 3, 4)
    process = Process.from_arrays(P, R, 0.9)
    optimum = process.solve(tolerance=1e-9, backend="cpu").value
    words = dict(core.mdp_options())
    for variant in words["block-divided.variant"]:
        result = process.solve(
            "block-divided",
            settings={
                "block-divided.variant": variant,
                "block-divided.states": 16,
                "block-divided.states-per-thread": 3,
                "block-divided.changed-states": 2,
            },
            backend="cpu",
        )
        assert np.abs(result.value - optimum).max() < 1e-4
    for evaluator in ("sweeps", "krylov"):
        result = process.solve("inexact-policy-iteration", evaluator=evaluator)
        assert np.abs(result.value - optimum).max() < 1e-4
    for layout in ("rows", "packed"):
        result = process.solve(layout=layout, precision="float", backend="cpu")
        assert result.method == "fused"
        assert np.abs(result.value - optimum).max() < 2e-4
    assert process.solve("policy-iteration", evaluator="serial").backend == "cpu"


def test_learns_by_simulation():
    P, R = random_model(6, 12, 2, 3)
    process = Process.from_arrays(P, R, 0.8)
    optimum = process.solve(tolerance=1e-9).value
    learn = {"method": "q-learning", "agents": 64, "steps": 20_000, "backend": "cpu"}
    result = process.solve(**learn, seed=3)
    assert np.abs(result.value - optimum).max() < 0.05 * np.abs(optimum).max()
    assert (process.solve(**learn, seed=3).value == result.value).all()
    other = process.solve(**learn, seed=3, settings={"q-learning.exploration": 0.5})
    assert (other.value != result.value).any()


def test_missing_gpu_is_one_line():
    try:
        good().solve(backend="cuda")
    except InputError as error:
        line = str(error)
    else:
        pytest.skip("there is a GPU")
    assert line.startswith("the backend is cuda, but ")
    assert ", or use auto or cpu" in line
    assert good().solve(backend="auto").backend == "cpu"


def test_command_line_solves_a_saved_process(tidewise, tmp_path):
    P, R = random_model(43, 50, 3, 5)
    process = Process.from_arrays(P, R, 0.9)
    result = process.solve()
    for form in ("model.h5", "model.json"):
        process.save(tmp_path / form)
        tidewise("research", "solve", tmp_path / form, "--out", tmp_path / "s.h5")
        with netCDF4.Dataset(tmp_path / "s.h5") as file:
            np.testing.assert_array_equal(result.value, file["value"][:].data)
        again = Process.open(tmp_path / form, discount=0.5)
        assert again.discount == 0.5
        np.testing.assert_array_equal(again.rows[2], process.rows[2])


def test_reads_a_target_by_its_label(tmp_path):
    path = tmp_path / "coin.json"
    model = {
        "S": 3,
        "A": 2,
        "P": {
            "indptr": [0, 2, 3, 4, 4, 5, 5],
            "indices": [1, 2, 0, 1, 2],
            "data": [0.5, 0.5, 1, 1, 1],
        },
        "labels": {"init": [0], "done": [1], "nowhere": []},
    }
    path.write_text(json.dumps(model))
    maximum = Process.open(path, target="done", goal="probability").solve()
    minimum = Process.open(path, target="done", goal="probability", minimize=True).solve()
    assert maximum.value[0] == pytest.approx(0.5)
    assert minimum.value[0] == 0
    one_step = Process.open(path, target="done", goal="probability").solve("backward", horizon=1)
    assert one_step.value[0] == 0.5
    either = Process.open(path, target="done, 2", goal="probability").solve()
    np.testing.assert_allclose(either.value, 1)
    with pytest.raises(InputError, match=r"'nothing'.*\[target_unknown\]$"):
        Process.open(path, target="nothing")


def test_saves_a_solution(tmp_path):
    h5py = pytest.importorskip("h5py")
    P, R = [[[0.5, 0.5], [0.0, 1.0]], [[1.0, 0.0], [0.0, 0.0]]], [[1.0, 0.2], [0.0, -np.inf]]
    process = Process.from_arrays(P, R, discount=0.9)
    result = process.solve("value-iteration", tolerance=1e-9)
    path = tmp_path / "s.h5"
    result.save(path, q=True)
    with h5py.File(path) as file:
        np.testing.assert_array_equal(file["value"], result.value)
        np.testing.assert_array_equal(file["action"], result.policy)
        np.testing.assert_array_equal(file["q"], result.q)
        assert np.isnan(file["q"][1, 1])
        assert file.attrs["discount"] == 0.9 and np.ndim(file.attrs["discount"]) == 0
        assert (file.attrs["converged"], file.attrs["method"]) == (1, b"value-iteration")
        assert (file["lower"][:] <= file["value"][:]).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert process.solve("value-iteration", tolerance=1e-9, start=path).sweeps < 5
    result.save(tmp_path / "s.txt")
    assert process.solve("value-iteration", start=str(tmp_path / "s.txt")).sweeps < 5
    other = Process.from_arrays(P, [[2.0, 0.2], [0.0, -np.inf]], discount=0.9)
    with pytest.warns(UserWarning, match="another model"):
        other.solve(start=path)
    with pytest.raises(InputError, match=r"\[action_values_without_hdf5\]$"):
        result.save(tmp_path / "q.txt", q=True)
    with pytest.raises(InputError, match=r"\[action_values_of_first_step\]$"):
        process.solve(horizon=3).save(tmp_path / "q.h5", q=True)
    assert not (tmp_path / "q.h5").exists()
    with pytest.raises(InputError, match=r"\[solution_form_unknown\]$"):
        result.save(tmp_path / "s.csv")
    table = {0: {0: [(1.0, 0, 1.0, True)]}}
    episode = Process.from_arrays(table, discount=0.9).solve()
    episode.save(path, q=True)
    with h5py.File(path) as file:
        assert file["value"].shape == (1,) and file["q"].shape == (1, 1)


@pytest.mark.parametrize("landing", ["area", "cell"])
@pytest.mark.parametrize("objective", ["time", "energy", "net_energy"])
def test_missions_process_has_the_plans_values_and_policy(
    tidewise, environment, tmp_path, objective, landing
):
    """Compare with backward induction in SciPy."""
    h5py = pytest.importorskip("h5py")
    mission = tmp_path / "mission.toml"
    mission.write_text(
        f'[environment]\nfile = "{environment}"\n[vehicle]\nspeeds = [0.5, 1.0]\nheadings = 8\n'
        f'energy.c_t = 0.01\n[planner]\nlanding = "{landing}"\n[rollout]\nmode = "none"\n'
        f'[mission]\nobjective = "{objective}"\nstart = [20.5, 8.5]\ntarget = [20.5, 32.5]\n'
        "horizon = 30\n"
    )
    path = tmp_path / "process.h5"
    tidewise("research", "build", mission, "--format", "process", "--out", path)
    tidewise("plan", mission, "--out", tmp_path / "run")
    with h5py.File(path) as file:
        states, actions = int(file.attrs["state_count"]), int(file.attrs["action_count"])
        levels, cells = file["time"].size, file["y"].size * file["x"].size
        parts = (file["probability"][:], file["successor"][:], file["row_begin"][:])
        P = sparse.csr_matrix(parts, shape=(states * actions, states))
        R, v = file["reward"][:], file["initial_value"][:]
        name = dict(zip(file["label_name"].asstr()[:], file.attrs["label_reward"], strict=True))
        assert file["entry_reward"].dims[0][0].name == "/entry"
    assert name["target"] == 100 and max(name["obstacle"], name["border"]) < -1000
    q = np.full((levels - 1, cells, actions), -np.inf)
    for k in reversed(range(levels - 1)):
        of_level = slice(k * cells, (k + 1) * cells)
        rows = slice(k * cells * actions, (k + 1) * cells * actions)
        decides = np.diff(P.indptr[rows.start : rows.stop + 1 : actions]) > 0
        q[k] = np.where(decides[:, None], (R[rows] + P[rows] @ v).reshape(cells, actions), -np.inf)
        v[of_level] = np.where(decides, q[k].max(axis=1), v[of_level])
    with netCDF4.Dataset(tmp_path / "run" / "policy.h5") as file:
        planned = file["value"][:].data.reshape(levels, cells).astype(float)
        action = file["action"][:].data.reshape(levels, cells)[:-1]
    solved = v[: levels * cells].reshape(levels, cells)
    in_target = solved == name["target"]
    assert in_target.any() and not planned[in_target].any()
    scale = 1e-5 * np.abs(planned).max()
    np.testing.assert_allclose(solved[~in_target], planned[~in_target], rtol=0, atol=scale)
    decides = np.isfinite(q[..., 0])
    np.testing.assert_array_equal(action >= 0, decides)
    chosen = np.take_along_axis(q, np.maximum(action, 0)[..., None].astype(int), axis=2)[..., 0]
    assert (q.max(axis=2)[decides] - chosen[decides]).max() <= scale
    assert (q.argmax(axis=2) == action)[decides].mean() > 0.95
    np.testing.assert_allclose(Process.open(path).solve().value, v, rtol=0, atol=scale)


def test_ctrl_c_ends_a_solve(ctrl_c):
    process = Process.from_arrays([[[0.0, 1.0], [1.0, 0.0]]], [1.0, -1.0], 1 - 1e-9)
    ctrl_c(0.5)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        process.solve("value-iteration", tolerance=1e-12, max_sweeps=10**15)
    assert time.monotonic() - began < 5


def test_several_threads_solve_at_once():
    P, R = random_model(46, 5000, 4, 6)
    process = Process.from_arrays(stacked(P), R, 0.95)
    methods = ["auto", "fused", "value-iteration", "policy-iteration"]
    single = [process.solve(method).value for method in methods]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(process.solve, methods * 3))
    for n, result in enumerate(together):
        np.testing.assert_array_equal(result.value, single[n % 4])


def test_reports_progress():
    P, R = random_model(45, 3000, 4, 6)
    process = Process.from_arrays(P, R, 0.999)
    reports = []
    process.solve("gauss-seidel", stop="change", progress=lambda *news: reports.append(news))
    assert reports
    assert {(work, total, unit) for work, _, total, unit in reports} == {("sweeping", 0, "sweeps")}
    assert sorted(done for _, done, _, _ in reports) == [done for _, done, _, _ in reports]

    def fail(*_):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        process.solve("gauss-seidel", stop="change", progress=fail)


def test_savings_accept_transitions_and_utility():
    assets = np.linspace(0, 10, 80)
    levels, chain = np.array([0.6, 1.0, 1.7]), np.array(
        [[0.8, 0.2, 0.0], [0.1, 0.8, 0.1], [0.0, 0.3, 0.7]]
    )
    on_grid = tidewise.mdp.solve_savings(
        assets, levels, chain, np.sqrt, discount=0.9, method="on-grid", backend="cpu"
    )
    value = np.zeros((3, 80))
    c = 1.03 * assets[None, :, None] + levels[:, None, None] - assets[None, None, :]
    u = np.where(c > 0, np.sqrt(np.maximum(c, 0)), -np.inf)
    for _ in range(400):
        value = (u + 0.9 * (chain @ value)[:, None, :]).max(axis=2)
    assert abs(on_grid.value - value).max() < 1e-5
    best = (u + 0.9 * (chain @ value)[:, None, :]).argmax(axis=2)
    assert abs(on_grid.saving - assets[best]).max() < 0.2
    finer = tidewise.mdp.solve_savings(assets, levels, chain, np.sqrt, discount=0.9, backend="cpu")
    assert (finer.value > on_grid.value - 1e-4).all() and "80 assets" in repr(finer)
    table = np.geomspace(1e-3, 15, 3000)
    from_table = tidewise.mdp.solve_savings(
        assets, levels, chain, (table, np.sqrt(table)), discount=0.9, backend="cpu"
    )
    assert abs(from_table.value - finer.value).max() < 1e-5


def test_savings_reject_impossible_values():
    def refused(code, *arguments, **options):
        with pytest.raises(InputError) as caught:
            tidewise.mdp.solve_savings(*arguments, backend="cpu", **options)
        assert caught.value.code == code

    grid, chain = np.linspace(0, 5, 20), [[0.9, 0.1], [0.2, 0.8]]
    refused("savings_transition_sum", grid, [0.5, 1.5], [[0.9, 0.2], [0.2, 0.8]])
    refused("utility_not_concave", grid, [0.5, 1.5], chain, lambda c: c**2)
    refused("utility_range", grid, [0.5, 1.5], chain, ([0.1, 0.2, 0.3, 0.4], [1, 1.5, 1.7, 1.8]))
    with pytest.raises(InputError):
        tidewise.mdp.solve_savings(grid, [0.5, 1.5], [[1.0]])
    with pytest.raises(InputError):
        tidewise.mdp.solve_savings(grid, [0.5, 1.5], chain, method="by-hand")
