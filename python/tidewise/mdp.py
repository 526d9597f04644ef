"""Solves finite Markov decision processes, made of arrays or read from files.

>>> import numpy as np
>>> from tidewise import mdp
>>> P = np.array([[[0.9, 0.1], [0.0, 1.0]],   # action 0: wait
...               [[0.2, 0.8], [0.5, 0.5]]])  # action 1: go
>>> R = np.array([[0.0, -1.0], [2.0, 0.5]])   # (state, action)
>>> result = mdp.Process.from_arrays(P, R, discount=0.9).solve(tolerance=1e-8)
>>> result.policy
array([1, 0], dtype=int32)
>>> result.value.round(6)
array([16.341463, 20.      ])
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tidewise._html import html_table
from tidewise._keywords import in_keywords, python_errors
from tidewise._load import core
from tidewise._words import Progress, Reporter
from tidewise.errors import InputError, RunError

__all__ = ["METHODS", "ConvergenceWarning", "Process", "Result", "Savings", "solve_savings"]


def __dir__() -> list[str]:
    return sorted(__all__)


METHODS: tuple[str, ...] = tuple(core.mdp_methods())
"""The methods of :meth:`Process.solve`; docs/mdp/methods.md describes them."""

_HISTORY = np.dtype(
    [("sweeps", np.int64), ("seconds", float), ("residual", float), ("error", float)]
)


class ConvergenceWarning(UserWarning):
    """A method ended before its value was within the requested tolerance."""


class Result:
    """The optimum of a process, as :meth:`Process.solve` found it.

    Arrays are NumPy's, without a copy; S is the number of states, A that of actions.

    Examples
    --------
    >>> from tidewise import mdp
    >>> process = mdp.Process.from_arrays([[[0.5, 0.5], [0.0, 1.0]]], [1.0, 0.0], discount=0.5)
    >>> result = process.solve(tolerance=1e-9)
    >>> result.converged, result.error <= 1e-9
    (True, True)
    >>> bool((result.lower <= 4 / 3).any() and result.upper[0] >= 4 / 3)
    True
    """

    value: NDArray[np.float64]
    """Value of each state, (S); with a horizon, at its first step. It is −∞ (∞ for costs) if
    ``endings`` allows no policy from the state; ``lower`` and ``upper`` are then equal to it."""
    policy: NDArray[np.int32]
    """The best action of each state, (S), the first of equally good ones; −1 if the state has no
    action or an infinite value."""
    lower: NDArray[np.float64]
    """Lower bound of each state's optimum, including rounding, (S)."""
    upper: NDArray[np.float64]
    """Upper bound of each state's optimum, including rounding, (S)."""
    error: float
    """Bound of the difference between ``value`` and the optimum, over all states with a finite
    optimum; infinite if no bound is known."""
    residual: float
    """The largest change of a value by one more sweep."""
    converged: bool
    """True if the bounds prove that the value is within the requested tolerance."""
    outcome: str
    """``"within-tolerance"``: ``converged``; ``"limited-by-rounding"``: rounding keeps the bounds
    wider than requested; ``"gave-up"``: more sweeps may help."""
    sweeps: int
    """Backups of all states."""
    seconds: float
    """Duration of the method."""
    method: str
    """The method used, one of :data:`METHODS`, or ``"policy-iteration"`` if ``"auto"`` solved
    policies directly without sweeps."""
    backend: str
    """``"cpu"`` or ``"cuda"``."""
    history: NDArray[Any]
    """Records of the sweeps, with the fields ``sweeps`` done, ``seconds``, ``residual`` (largest
    change of a value by the sweep) and ``error`` (bound of the difference from the optimum,
    without rounding; infinite without a discount). pandas.DataFrame accepts it. Methods that do
    several sweeps between two checks have fewer records; with a horizon there are none."""
    step_value: NDArray[np.float64] | None
    """With ``keep_steps``: the values at each step, (horizon, S), the first step first."""
    step_policy: NDArray[np.int32] | None
    """With ``keep_steps``: the action at each step, (horizon, S)."""

    def __init__(self, process: Process, solution: Any) -> None:
        """Keep a solution; :meth:`Process.solve` calls this."""
        visible = slice(0, process.state_count)
        self._process = process
        self._solution = solution
        self.value = solution.value[visible]
        self.policy = solution.policy[visible]
        self.lower = solution.min_value[visible]
        self.upper = solution.max_value[visible]
        self.error = max(abs(solution.lower), abs(solution.upper))
        self.residual = solution.residual
        self.converged = solution.converged
        self.outcome = solution.outcome
        self.sweeps = solution.sweeps
        self.seconds = solution.seconds
        self.method = solution.method
        self.backend = solution.backend
        self.history = solution.history.view(_HISTORY)
        self.step_value = self.step_policy = None
        if solution.step_value.size:
            steps = (-1, process._core.state_count)
            self.step_value = solution.step_value.reshape(steps)[:, visible]
            self.step_policy = solution.step_policy.reshape(steps)[:, visible]

    @cached_property
    def q(self) -> NDArray[np.float64]:
        """Value of each action of each state, (S, A); NaN where a state lacks the action.

        Computed from ``value`` at the first use.

        Examples
        --------
        >>> from tidewise import mdp
        >>> P = [[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 1.0]]]
        >>> mdp.Process.from_arrays(P, [[1.0, 3.0], [0.0, 0.0]], discount=0.5).solve().q
        array([[2.5, 3. ],
               [0. , 0. ]])
        """
        return self._process.action_values(self.value)

    def save(
        self, path: str | os.PathLike[str], *, q: bool = False, overwrite: bool = False
    ) -> None:
        """Write it as ``tidewise research solve`` does (docs/mdp/formats.md).

        The file is written completely or not at all.

        ``start=`` and ``tidewise research solve --initial`` begin with such a file, even if
        the solution did not converge.

        Parameters
        ----------
        path : path
            The file: .h5, or .txt with two lines.
        q : bool
            .h5: also write the value of each action, (S, A).
        overwrite : bool
            Replace a file that is not a solution.

        Raises
        ------
        InputError
            If another kind of file is there, the ending is neither, or ``q`` is given for .txt or
            with a horizon.
        RunError
            If writing fails.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> from tidewise import mdp
        >>> process = mdp.Process.from_arrays([[[0.5, 0.5], [0.0, 1.0]]], [1.0, 0.0], discount=0.5)
        >>> result = process.solve("value-iteration")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "solution.h5")
        ...     result.save(path, q=True)
        ...     process.solve("value-iteration", start=path).sweeps < result.sweeps
        True
        """
        process = self._process
        with python_errors(_with_keywords):
            core.write_mdp_solution(
                os.fspath(path), process._core, self._solution, q, process.state_count, overwrite
            )

    def __repr__(self) -> str:
        """Return method, size and error in a line."""
        how_near = f"within {self.error:.2g} of the optimum" if self.error < np.inf else "no bounds"
        if not self.converged:
            how_near = f"not converged, {how_near}"
        return (
            f"<Result by {self.method}: {self.value.size} states, {how_near}, "
            f"{self.sweeps} sweeps, {self.seconds:.3g} s>"
        )


class Savings:
    """The solution of :func:`solve_savings`; arrays are (E, N)."""

    value: NDArray[np.float64]
    """Expected discounted utility."""
    saving: NDArray[np.float64]
    """Assets of the next period."""
    consumption: NDArray[np.float64]
    """Consumption of this period."""
    euler_error: NDArray[np.float64]
    """``abs(1 - u'(c) / (β (1 + r) E[u'(c')]))``; NaN if the saving is at an end of the grid."""
    error: float
    """Bound of the distance of ``value`` from the limit of its iteration."""
    sweeps: int
    """Backups of all states."""
    seconds: float
    """Duration of the method."""
    backend: str
    """``"cpu"`` or ``"cuda"``."""

    def __init__(self, solution: Any, shape: tuple[int, int]) -> None:
        """Keep a solution; :func:`solve_savings` calls this."""
        self.value = solution.value.reshape(shape)
        self.saving = solution.saving.reshape(shape)
        self.consumption = solution.consumption.reshape(shape)
        self.euler_error = solution.euler_error.reshape(shape)
        self.error = solution.error
        self.sweeps = solution.sweeps
        self.seconds = solution.seconds
        self.backend = solution.backend

    def __repr__(self) -> str:
        """Return sizes and time in a line."""
        return (
            f"<Savings: {self.value.shape[1]} assets, {self.value.shape[0]} productivities, "
            f"{self.sweeps} sweeps, {self.seconds:.3g} s>"
        )


def solve_savings(
    assets: ArrayLike,
    productivity: ArrayLike,
    transition: ArrayLike,
    utility: Callable[[NDArray[np.float64]], ArrayLike] | tuple[ArrayLike, ArrayLike] | None = None,
    *,
    wage: float = 1.0,
    interest: float = 0.03,
    discount: float = 0.96,
    method: str = "off-grid",
    tolerance: float = 1e-8,
    backend: str = "auto",
    threads: int = 0,
    progress: Progress = False,
) -> Savings:
    """Solve a household's choice between consumption and saving by value function iteration.

    V(a, ε) = max over a' of u(c) + β E[V(a', ε') | ε] with c = (1 + r) a + w ε − a'.

    Parameters
    ----------
    assets : array_like
        (N), rising; the first is the borrowing limit.
    productivity : array_like
        ε, (E), above 0.
    transition : array_like
        Π, (E, E), from rows to columns; rows sum to 1.
    utility : callable or (array_like, array_like), optional
        A function of an array of consumptions, rising and concave, which is called once with 4096
        of them; or a table (consumption, u), both (K), with a monotone cubic between its points,
        that covers each consumption that can occur; ln c if not given.
    wage, interest, discount : float
        w, r per period, and β.
    method : {"off-grid", "on-grid"}
        Search of a' by golden section between the assets, or only among them.
    tolerance : float
        Maximum error of the value.
    backend : {"auto", "cpu", "cuda"}
        The processor: ``"auto"`` takes a GPU if there is one.
    threads : int
        0 uses all cores.
    progress : bool or callable
        As in :meth:`Process.solve`.

    Returns
    -------
    Savings
        Value, saving and consumption, (E, N).

    Raises
    ------
    InputError
        If the problem has no solution, or arrays do not fit each other.
    RunError
        If the tolerance is not reached.

    Examples
    --------
    >>> import numpy as np
    >>> from tidewise import mdp
    >>> savings = mdp.solve_savings(
    ...     np.linspace(0, 20, 200), [0.5, 1.5], [[0.9, 0.1], [0.1, 0.9]],
    ...     lambda c: -1 / c, backend="cpu")
    >>> savings.saving.shape, bool((np.diff(savings.consumption) > 0).all())
    ((2, 200), True)
    """
    for name, word, words in (
        ("method", method, ("off-grid", "on-grid")),
        ("backend", backend, ("auto", "cpu", "cuda")),
    ):
        if word not in words:
            raise InputError(f"the {name} is {word!r}; give one of {', '.join(words)}")
    grid = np.ascontiguousarray(assets, dtype=np.float64)
    level = np.ascontiguousarray(productivity, dtype=np.float64)
    matrix = np.ascontiguousarray(transition, dtype=np.float64)
    if grid.ndim != 1 or level.ndim != 1 or matrix.shape != (level.size, level.size):
        raise InputError(
            f"assets, productivity and transition have shapes {grid.shape}, {level.shape} and "
            f"{matrix.shape}; give (N), (E) and (E, E)"
        )
    table = np.empty(0), np.empty(0)
    if callable(utility):
        least = interest * grid[0] + wage * level.min()
        greatest = (1 + interest) * grid[-1] + wage * level.max() - grid[0]
        if not 0 < least < greatest:
            raise InputError(
                f"consumption can be {least:g} to {greatest:g}; raise assets, wage or productivity"
            )
        consumption = np.geomspace(1e-3 * least, greatest * (1 + 1e-12), 4096)
        table = consumption, np.asarray(utility(consumption), dtype=np.float64)
    elif utility is not None:
        table = tuple(np.asarray(column, dtype=np.float64) for column in utility)
    if any(column.ndim != 1 for column in table):
        raise InputError("the utility is no one-dimensional array; give one value per consumption")
    with python_errors(_with_keywords), Reporter(progress) as report:
        solution = core.solve_savings(
            grid,
            level,
            matrix.ravel(),
            *(np.ascontiguousarray(column) for column in table),
            wage,
            interest,
            discount,
            method == "on-grid",
            tolerance,
            backend,
            threads,
            report,
        )
    return Savings(solution, (level.size, grid.size))


class Process:
    """A validated finite Markov decision process, made by one of its class methods.

    Examples
    --------
    >>> from tidewise import mdp
    >>> process = mdp.Process.from_arrays([[[0.5, 0.5], [0.0, 1.0]]], [1.0, 0.0], discount=0.5)
    >>> process
    <Process: 2 states, 1 actions, 3 transitions, discount 0.5>
    """

    def __init__(self, compiled: Any, state_count: int | None = None) -> None:
        """Keep a compiled process; :meth:`from_arrays` and :meth:`open` call this."""
        self._core = compiled
        # A terminal state that a table lacks comes after the table's states.
        self._state_count = compiled.state_count if state_count is None else state_count

    @classmethod
    def from_arrays(
        cls,
        P: Any,
        R: Any = None,
        discount: float | None = None,
        *,
        minimize: bool = False,
        terminal_value: ArrayLike | None = None,
    ) -> Process:
        """Make a process of transition probabilities and rewards, S states and A actions.

        Parameters
        ----------
        P : array_like, sparse matrix, list of them or dict
            A list of A sparse (S, S) matrices of scipy, or A dense ones, one per action; or a dense
            array (A, S, S). Or one sparse (S·A, S) matrix whose row s·A + a is that of action a in
            state s: as CSR with float64 data, int32 indices in order and no zeros, its data and
            indices are not copied, and must not change while the process is in use. Or a table
            ``P[s][a] = [(probability, next state, reward, done), …]`` as gymnasium's toy
            environments have (``env.unwrapped.P``): a transition that is done has no successor, and
            a state that only stays, done and without reward, becomes terminal.
        R : array_like, optional
            Expected immediate rewards, (S, A), (S,) where actions do not matter, or (S·A,); or
            rewards of transitions in any of the forms of ``P``. A table has its own. A row without
            entries, or a reward of −∞ (∞ with ``minimize``), is an action that the state does not
            have; a state without actions is terminal.
        discount : float
            From 0 to 1.
        minimize : bool
            True if rewards are costs.
        terminal_value : array_like, optional
            Value of terminal states, (S,); 0 if not given. For other states, iteration begins with
            it.

        Returns
        -------
        Process
            The process.

        Raises
        ------
        InputError
            If a row does not sum to one or leads to a state that does not exist, a number is
            impossible (with state and action), or arrays do not fit each other.

        Examples
        --------
        >>> import scipy.sparse as sp
        >>> from tidewise import mdp
        >>> stay = sp.eye_array(3, format="csr")
        >>> go = sp.csr_array([[0, 1, 0], [0, 0, 1], [0, 0, 1]])
        >>> process = mdp.Process.from_arrays([stay, go], [0.0, 0.0, 1.0], discount=0.9)
        >>> process.solve().value.round(3)
        array([ 8.1,  9. , 10. ])
        """
        if discount is None:
            raise InputError("there is no discount; give one from 0 to 1, such as discount=0.95")
        if isinstance(P, Mapping):
            if R is not None:
                raise InputError("a table P[s][a] has its rewards in it; leave out R")
            return cls._from_table(P, discount, minimize, terminal_value)
        if R is None:
            raise InputError("there are no rewards; give R, of shape (states, actions)")
        kind, parts, states, actions = _parts_of(P)
        reward = _expected_reward(R, kind, parts, states, actions)
        if kind == "rows" and isinstance(R, np.ndarray) and np.may_share_memory(reward, R):
            reward = reward.copy()  # callers may change it; it is small compared with P
        with python_errors(_with_keywords):
            header = _header(states, actions, reward, terminal_value, discount, minimize)
            if kind == "dense":
                return cls(core.MdpProcess.from_dense(header, parts))
            if kind == "rows":
                return cls(core.MdpProcess.from_rows(header, _rows(parts, "P")))
            matrices = [_rows(part, f"P[{a}]") for a, part in enumerate(parts)]
            return cls(core.MdpProcess.from_actions(header, matrices))

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        discount: float | None = None,
        target: str = "",
        goal: str = "reward",
        minimize: bool = False,
    ) -> Process:
        """Read a file that ``tidewise research solve`` reads (docs/mdp/formats.md).

        ``tidewise research build --format process`` writes a mission in one of these formats.

        Parameters
        ----------
        path : path
            .h5, .json or .xml.
        discount : float, optional
            Discount in place of the file's.
        target : str
            States in which the process ends: labels of the file and numbers of states, separated
            by commas, such as ``"finished, 7"``.
        goal : {"reward", "probability"}
            Maximize the reward, or the probability of reaching the target.
        minimize : bool
            True if rewards are costs.

        Returns
        -------
        Process
            The process.

        Raises
        ------
        InputError
            If the file is wrong; the message has file and line.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> from tidewise import mdp
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "walk.json")
        ...     mdp.Process.from_arrays([[[0.5, 0.5], [0.0, 1.0]]], [1.0, 0.0], 0.5).save(path)
        ...     mdp.Process.open(path, discount=0.9)
        <Process: 2 states, 1 actions, 3 transitions, discount 0.9>
        """
        if goal not in ("reward", "probability"):
            raise InputError(f"the goal is {goal!r}; take 'reward' or 'probability'")
        with python_errors(_with_keywords):
            return cls(
                core.MdpProcess.read(
                    os.fspath(path), discount, target, goal == "reward", minimize
                )
            )

    @classmethod
    def _from_table(
        cls, table: Mapping[int, Any], discount: float, minimize: bool, terminal_value: Any
    ) -> Process:
        begin, successor, probability, reward, states, actions, has_end = _table_rows(table)
        if terminal_value is not None:
            terminal_value = _one_per_state(terminal_value, states)
            terminal_value = np.append(terminal_value, np.zeros(has_end))
        with python_errors(_with_keywords):
            header = _header(states + has_end, actions, reward, terminal_value, discount, minimize)
            rows = (begin, successor, probability)
            return cls(core.MdpProcess.from_rows(header, rows), states)

    @property
    def state_count(self) -> int:
        """Number of states, S."""
        return self._state_count

    @property
    def action_count(self) -> int:
        """Maximum number of actions of a state, A."""
        return self._core.action_count

    @property
    def transition_count(self) -> int:
        """Entries of all rows, each a successor with its probability."""
        return self._core.transition_count

    @property
    def discount(self) -> float:
        """Discount factor γ."""
        return self._core.discount

    @property
    def minimize(self) -> bool:
        """True if rewards are costs."""
        return self._core.minimize

    @property
    def rows(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """The transitions: starts of rows s·A + a, successors, probabilities.

        Read-only, without a copy; in the order of scipy's ``csr_array((data, indices, indptr))``
        they are ``(rows[2], rows[1], rows[0])``.

        Examples
        --------
        >>> from tidewise import mdp
        >>> P = [[[0.5, 0.5], [0.0, 1.0]]]
        >>> mdp.Process.from_arrays(P, [1.0, 0.0], discount=0.5).rows[2]
        array([0.5, 0.5, 1. ])
        """
        return self._core.row_begin, self._core.successor, self._core.probability

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write a file for ``tidewise research solve`` and :meth:`open`, completely or not at all.

        The formats do not store whether rewards are costs.

        Parameters
        ----------
        path : path
            The file; its ending names the format.
        overwrite : bool
            Replace a file of another kind.

        Raises
        ------
        InputError
            If another kind of file is there, or the format is unknown or cannot hold the process.
        RunError
            If writing fails.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> from tidewise import mdp
        >>> process = mdp.Process.from_arrays([[[0.5, 0.5], [0.0, 1.0]]], [1.0, 0.0], discount=0.5)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     process.save(pathlib.Path(folder, "walk.h5"))
        ...     [path.name for path in pathlib.Path(folder).iterdir()]
        ['walk.h5']
        """
        with python_errors(_with_keywords):
            self._core.write(os.fspath(path), overwrite)

    def solve(
        self,
        method: str = "auto",
        *,
        tolerance: float = 1e-4,
        relative: bool | None = None,
        stop: str = "error",
        horizon: int | None = None,
        keep_steps: bool = False,
        start: Result | ArrayLike | str | os.PathLike[str] | None = None,
        endings: str = "auto",
        max_sweeps: int = 1_000_000,
        evaluator: str = "auto",
        layout: str = "auto",
        agents: int | None = None,
        steps: int | None = None,
        seed: int | None = None,
        settings: Mapping[str, Any] | None = None,
        precision: str = "double",
        backend: str = "auto",
        device: int = 0,
        threads: int = 0,
        progress: Progress = False,
    ) -> Result:
        """Find the best policy and its value.

        The result has the same bits for any number of threads. Other Python threads go on
        meanwhile, and Ctrl-C ends it after a sweep.

        Parameters
        ----------
        method : str
            One of :data:`METHODS`; ``"auto"`` takes the one that should be fastest.
        tolerance : float
            Maximum error of the value in any state.
        relative : bool, optional
            True: the tolerance is a share of each state's value. False: it is a difference. If not
            given, a difference; with a discount of 1 the stricter of the two.
        stop : {"error", "change", "policy"}
            ``"change"``: end when a sweep changes no value by the tolerance. ``"policy"`` (policy
            iteration, discount below 1): end with a stable policy, each evaluated until a sweep
            changes no value by the tolerance, or for ``max_sweeps``.
        horizon : int, optional
            Number of steps backward, by the method ``"backward"``.
        keep_steps : bool
            Keep values and policies of each step.
        start : Result, array_like or path, optional
            A result, values (S), or the file of a solution, with which iteration begins; with a
            horizon, the values at its end.
        endings : {"auto", "sure", "free"}
            With a discount of 1: ``"sure"`` compares policies that surely end, ``"free"`` also
            those that cycle without cost; states without such a policy have the value −∞ (∞ for
            costs), and the others are solved. ``"auto"`` is ``"free"``, but refuses a process with
            states from which no policy surely ends.
        max_sweeps : int
            Maximum number of sweeps.
        evaluator : str
            For policy iteration ``"serial"``, ``"cuda"`` or ``"cusparse"``; for inexact policy
            iteration ``"sweeps"`` or ``"krylov"``.
        layout : str
            For ``"fused"`` and ``"backward"``: ``"rows"``, ``"packed"`` or on a GPU ``"sliced"``.
        agents, steps, seed : int, optional
            Settings of ``"q-learning"``, whose result has no bounds.
        settings : dict, optional
            Other settings of a method, ``{"block-divided.variant": "both"}`` (docs/mdp/methods.md).
        precision : {"double", "float"}
            Type of probabilities and values.
        backend : {"auto", "cpu", "cuda"}
            ``"auto"``: the GPU ``device`` if there is one that the method runs on.
        device : int
            Number of the GPU.
        threads : int
            Number of threads; 0 takes all cores.
        progress : bool or callable
            True shows a bar (tqdm), a function is called with (work, done, total, unit).

        Returns
        -------
        Result
            Values, policy and bounds.

        Warns
        -----
        ConvergenceWarning
            If the tolerance is not reached; ``converged`` is then False.

        Raises
        ------
        InputError
            If options are wrong or contradict each other, no policy surely ends (discount 1,
            ``endings`` ``"auto"``), or the GPU does not exist.
        RunError
            If rewards grow without end, or the GPU fails.

        Examples
        --------
        >>> from tidewise import mdp
        >>> P, R = [[[0.5, 0.5], [0.0, 1.0]]], [1.0, 0.0]
        >>> process = mdp.Process.from_arrays(P, R, discount=0.5)
        >>> first = process.solve("value-iteration")
        >>> again = mdp.Process.from_arrays(P, [1.01, 0.0], discount=0.5).solve(
        ...     "value-iteration", start=first)
        >>> again.sweeps < first.sweeps
        True
        """
        if horizon is not None and method == "auto":
            method = "backward"
        values_by_name: dict[str, Any] = {
            "method": method.replace("_", "-"),
            "tolerance": tolerance,
            "stop": "relative" if relative and stop == "error" else stop,
            "endings": None if endings == "auto" else endings,
            "max-sweeps": max_sweeps,
            "horizon": horizon,
            "evaluator": None if evaluator == "auto" else evaluator,
            "layout": None if layout == "auto" else layout,
            "agents": agents,
            "steps": steps,
            "seed": seed,
            "precision": precision,
            "backend": backend,
            "devices": device,
            "threads": threads,
        }
        with python_errors(_with_keywords):
            options = core.MdpOptions()
            for name, value in values_by_name.items():
                if value is not None:
                    options.set(name, str(value))
            for name, value in (settings or {}).items():
                options.set(name, str(value), is_setting=True)
            options.keep_history()
            if keep_steps:
                options.keep_steps()
            if relative is False:
                options.measure_absolute()
            first = None if start is None else self._values(start)
            with Reporter(progress) as report:
                solution = core.solve_mdp(self._core, options, first, report)
        _warn_of_shortfall(solution)
        return Result(self, solution)

    def action_values(self, value: ArrayLike, *, threads: int = 0) -> NDArray[np.float64]:
        """Return the value of each action for given values of its successors.

        Parameters
        ----------
        value : array_like
            (S,).
        threads : int
            Number of threads; 0 takes all cores.

        Returns
        -------
        ndarray
            (S, A); NaN where a state does not have the action.

        Raises
        ------
        InputError
            If the shape is another one.

        Examples
        --------
        >>> from tidewise import mdp
        >>> process = mdp.Process.from_arrays([[[0.5, 0.5], [0.0, 1.0]]], [1.0, 0.0], discount=0.5)
        >>> process.action_values([2.0, 4.0])
        array([[2.5],
               [2. ]])
        """
        with python_errors(_with_keywords):
            values = self._core.action_values(self._values(value), threads)
        return values[: self.state_count]

    def _values(self, start: Result | ArrayLike | str | os.PathLike[str]) -> NDArray[np.float64]:
        """Extend values of the visible states to all stored states."""
        if isinstance(start, (str, os.PathLike)):
            value, fingerprint = core.read_mdp_values(os.fspath(start))
            if fingerprint and fingerprint != self._core.fingerprint:
                warnings.warn(
                    f"{os.fspath(start)}: is of another model than this one, or of another goal; "
                    "the solve begins with its values all the same",
                    UserWarning,
                    stacklevel=3,
                )
        else:
            value = start.value if isinstance(start, Result) else _numbers(start, "values")
        if value.shape != (self.state_count,):
            raise InputError(
                f"values have the shape {value.shape}; give one a state, ({self.state_count},)"
            )
        hidden = self._core.state_count - self.state_count
        return np.append(value, np.zeros(hidden)) if hidden else np.ascontiguousarray(value)

    def __repr__(self) -> str:
        """Return the sizes in a line."""
        costs = ", costs" if self.minimize else ""
        return (
            f"<Process: {self.state_count} states, {self.action_count} actions, "
            f"{self.transition_count} transitions, discount {self.discount:g}{costs}>"
        )

    def _repr_html_(self) -> str:
        """Return the sizes, for a notebook."""
        return html_table(
            "Process",
            [
                ("states", self.state_count),
                ("actions", self.action_count),
                ("transitions", self.transition_count),
                ("discount", f"{self.discount:g}"),
                ("rewards are", "costs, to be as small as can be" if self.minimize else "gains"),
            ],
        )


def _numbers(values: Any, name: str) -> NDArray[np.float64]:
    """Return an array as float64; copies only if it has another type."""
    try:
        array = np.asarray(values)
    except ValueError:
        array = None
    if array is None or array.dtype.kind not in "fiub":
        raise InputError(f"{name} is no array of real numbers; give one of float64")
    return np.asarray(array, dtype=np.float64)


def _is_sparse(matrix: Any) -> bool:
    return hasattr(matrix, "tocsr")


def _header(
    states: int, actions: int, reward: Any, terminal_value: Any, discount: float, minimize: bool
) -> Any:
    if terminal_value is not None:
        terminal_value = _one_per_state(terminal_value, states)
    return core.MdpHeader(
        states, actions, np.ascontiguousarray(reward), terminal_value, float(discount), minimize
    )


def _one_per_state(terminal_value: ArrayLike, states: int) -> NDArray[np.float64]:
    values = np.ascontiguousarray(_numbers(terminal_value, "terminal_value"))
    if values.shape != (states,):
        raise InputError(
            f"terminal_value has the shape {values.shape}; give one number a state, ({states},)"
        )
    return values


def _parts_of(P: Any) -> tuple[str, Any, int, int]:
    """Return the form of P ("dense", "rows" or "actions"), its parts, S and A."""
    if _is_sparse(P):
        rows, states = P.shape
        if states == 0 or rows % states != 0 or rows == 0:
            raise InputError(
                f"P is one matrix of shape {P.shape}; it must have a row for each state and "
                "action, (states · actions, states)"
            )
        return "rows", P, states, rows // states
    parts = list(P) if isinstance(P, (list, tuple)) else P
    if isinstance(parts, np.ndarray) and parts.dtype == object:
        parts = list(parts)
    if isinstance(parts, list) and any(_is_sparse(part) for part in parts):
        kind = type(next(part for part in parts if _is_sparse(part)))
        parts = [part if _is_sparse(part) else kind(part) for part in parts]
        states = parts[0].shape[0]
        for a, part in enumerate(parts):
            if part.shape != (states, states):
                raise InputError(
                    f"P[{a}] has the shape {part.shape}, and P[0] has {states} rows; give a matrix "
                    "(states, states) for each action"
                )
        return "actions", parts, states, len(parts)
    cube = _numbers(parts, "P")
    if cube.ndim != 3 or cube.shape[1] != cube.shape[2] or cube.size == 0:
        hint = ""
        if cube.ndim == 3 and cube.shape[0] == cube.shape[2]:
            hint = "; of (states, actions, states) take P.transpose(1, 0, 2)"
        raise InputError(
            f"P has the shape {cube.shape}, and must be (actions, states, states){hint}"
        )
    return "dense", cube, cube.shape[1], cube.shape[0]


def _rows(matrix: Any, name: str) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64]]:
    """Return row starts, columns and values of a sparse matrix; copies only if types differ."""
    csr = matrix.tocsr()
    columns = csr.indices
    # The conversion to int32 would change larger numbers.
    if columns.dtype != np.int32 and columns.size:
        lowest, highest = columns.min(), columns.max()
        if lowest < 0 or highest >= csr.shape[1]:
            state = lowest if lowest < 0 else highest
            raise InputError(f"{name} leads to state {state}, and there are {csr.shape[1]}")
    return (
        np.ascontiguousarray(csr.indptr, dtype=np.int64),
        np.ascontiguousarray(columns, dtype=np.int32),
        np.ascontiguousarray(_numbers(csr.data, name)),
    )


def _expected(P: Any, R: Any) -> NDArray[np.float64]:
    """Return Σ P · R over the last axis; elements of R count only where P is not 0."""
    if _is_sparse(P):
        return np.asarray(P.multiply(R).sum(axis=1), dtype=np.float64).ravel()
    if _is_sparse(R):
        R = R.toarray()
    return np.multiply(P, R, where=P != 0, out=np.zeros(P.shape)).sum(axis=-1)


def _expected_reward(
    R: Any,
    kind: str,
    parts: Any,
    states: int,
    actions: int,
) -> NDArray[np.float64]:
    """Return the expected reward of each row s·A + a, (S·A,)."""
    by_row = (states * actions, states)
    if kind == "rows" and _is_sparse(R) and R.shape == by_row:
        return _expected(parts, R)
    if _is_sparse(R):
        if R.shape != (states, actions):
            raise InputError(
                f"R is a sparse matrix of shape {R.shape}; it must be ({states}, {actions}), or of "
                "the shape of P"
            )
        R = R.toarray()
    if isinstance(R, np.ndarray) and R.dtype == object:
        R = list(R)
    if isinstance(R, (list, tuple)) and any(_is_sparse(rewards) for rewards in R):
        shapes = {np.shape(rewards) if not _is_sparse(rewards) else rewards.shape for rewards in R}
        if kind == "rows" or len(R) != actions or shapes != {(states, states)}:
            raise InputError(
                "R is a list with sparse matrices; it goes with a P of one matrix an action, and "
                f"must have {actions} of shape ({states}, {states})"
            )
        by_action = [_expected(P, rewards) for P, rewards in zip(parts, R, strict=True)]
        return np.stack(by_action, axis=1).ravel()
    reward = _numbers(R, "R")
    if reward.shape == (states, actions) or reward.shape == (states * actions,):
        return reward.ravel()
    if reward.shape == (states,):
        return np.repeat(reward, actions)
    if kind == "rows" and reward.shape == by_row:
        return _expected(parts, reward)
    if reward.shape == (actions, states, states):
        if kind == "rows":
            return _expected(parts, reward.transpose(1, 0, 2).reshape(by_row))
        by_action = [_expected(P, rewards) for P, rewards in zip(parts, reward, strict=True)]
        return np.stack(by_action, axis=1).ravel()
    raise InputError(
        f"R has the shape {reward.shape}; with {states} states and {actions} actions it must be "
        f"({states}, {actions}), ({states},), or ({actions}, {states}, {states}) for transitions"
    )


def _transitions(table: Mapping[int, Any], state: int, action: int) -> list[tuple]:
    """Return (probability, next state, reward, done) for each transition."""
    place = f"P[{state}][{action}]"
    transitions = []
    for transition in table[state][action]:
        try:
            probability, following, reward, done = transition
            one = (float(probability), int(following), float(reward), bool(done))
        except (TypeError, ValueError):
            raise InputError(
                f"{place} has the transition {transition!r}; it must be (probability, next state, "
                "reward, done)"
            ) from None
        if not 0 <= one[1] < len(table):
            raise InputError(f"{place} leads to state {one[1]}, and there are {len(table)}")
        transitions.append(one)
    return transitions


def _table_rows(table: Mapping[int, Any]) -> tuple:
    """Convert a gymnasium table to row starts, successors, probabilities, rewards, S, A, has_end.

    has_end: True if episodes end in an additional last state that the table lacks.
    """
    states = len(table)
    if states == 0 or set(table) != set(range(states)):
        raise InputError(f"P is a table of {states} states; its keys must be 0, 1, 2, … of states")
    names = [
        sorted(table[s]) if isinstance(table[s], Mapping) else range(len(table[s]))
        for s in range(states)
    ]
    if not all(
        isinstance(name, (int, np.integer)) and name >= 0 for of_state in names for name in of_state
    ):
        raise InputError("P[s] has an action that is no number 0, 1, 2, …; number the actions")
    actions = 1 + max((int(name) for of_state in names for name in of_state), default=0)
    rows = [{int(a): _transitions(table, s, a) for a in names[s]} for s in range(states)]
    is_end = [
        all(
            following == s and done and reward == 0
            for of_action in rows[s].values()
            for probability, following, reward, done in of_action
            if probability != 0
        )
        for s in range(states)
    ]
    begin, successor, probabilities, rewards = [0], [], [], []
    has_end = False
    for s in range(states):
        for a in range(actions):
            expected = 0.0
            for probability, following, reward, done in [] if is_end[s] else rows[s].get(a, []):
                ends = done and not is_end[following]
                has_end = has_end or ends
                successor.append(states if ends else following)
                probabilities.append(probability)
                expected += probability * reward
            begin.append(len(successor))
            rewards.append(expected)
    if has_end:
        begin += [len(successor)] * actions
        rewards += [0.0] * actions
    return (
        np.array(begin, dtype=np.int64),
        np.array(successor, dtype=np.int32),
        np.array(probabilities, dtype=np.float64),
        np.array(rewards, dtype=np.float64),
        states,
        actions,
        has_end,
    )


def _warn_of_shortfall(solution: Any) -> None:
    """Emit warnings for the public function's caller. Raises RunError if there is no optimum."""
    if solution.converged:
        return
    line = _with_keywords(solution.shortfall)
    if solution.endless.size:
        raise RunError(line)
    warnings.warn(line, ConvergenceWarning, stacklevel=3)


def _with_keywords(line: str) -> str:
    for option, argument in (("use automatic or", "use auto or"),
                      ("with --target", "by rows without entries, or with target")):  # fmt: skip
        line = line.replace(option, argument)
    return in_keywords(line)
