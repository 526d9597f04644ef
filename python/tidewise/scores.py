"""Compares logged predictions with outcomes: `tidewise score`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tidewise._keywords import by_keywords
from tidewise._load import core
from tidewise._words import run_command

if TYPE_CHECKING:
    from tidewise._types import File


@by_keywords()
def score(
    log: File,
    *,
    track: File | Sequence[File] | None = None,
    out: File | None = None,
    overwrite: bool = False,
) -> dict[str, Any]:
    """Compare logged predictions with outcomes (`tidewise score`).

    Parameters
    ----------
    log : path
        File of predictions from `log=`, or with outcomes from `out` (docs/trust/probabilities.md).
    track : path or list of paths, optional
        Files with the vehicle's fixes after the predictions.
    out : path, optional
        File of predictions with their outcomes, for `calibrate`.
    overwrite : bool
        Replace an earlier one.

    Returns
    -------
    dict
        Number of scored predictions and of dates, and the measures ``brier``,
        ``brier_of_base_rate``, ``brier_skill``, ``crps`` [s], ``above_95``, ``window_50``,
        ``window_90`` (of missions that do not arrive, a part), ``window_90_of_arrivals`` …,
        ``surfacing_50``, ``surfacing_90`` and ``reliability`` in ten bins; each with its value, its
        90 % interval by a bootstrap over departure dates (low, high; None for one date) and count.

    Raises
    ------
    InputError
        If a log or track cannot be read, or nothing can be scored.

    Examples
    --------
    >>> score("no/such/log.jsonl")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidewise.errors.InputError: ...
    """
    tracks = [track] if isinstance(track, (str, bytes)) or hasattr(track, "__fspath__") else track
    options = {"log": log, "track": tracks, "out": out, "overwrite": overwrite, "json": True}
    return run_command(core.score, options)[1]
