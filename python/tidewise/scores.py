"""How well logged predictions came true: what `tidewise score` measures."""

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
    """Compare logged predictions with what happened (`tidewise score`).

    - log: JSON lines of `--log`, or with outcomes, as `out` has them (docs/trust/probabilities.md).
    - track: files with the vehicle's fixes after the predictions.
    - out: the file to write predictions with their outcomes to, for `--calibrate`; overwrite:
      replace an earlier one.

    Returns how many predictions were scored, on how many dates, and the measures: `brier`,
    `brier_of_base_rate`, `brier_skill`, `crps` [s], `above_95`, `window_50`, `window_90` (of
    missions that do not arrive, a part), `window_90_of_arrivals` …, `surfacing_50`, `surfacing_90`,
    `reliability` in ten bins; each with its value, its 90 % interval by a bootstrap over departure
    dates (low, high; None for one date) and count. Errors: InputError for a log or track that
    cannot be read, or if nothing can be scored.

    >>> score("no/such/log.jsonl")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tidewise.errors.InputError: ...
    """
    tracks = [track] if isinstance(track, (str, bytes)) or hasattr(track, "__fspath__") else track
    given = {"log": log, "track": tracks, "out": out, "overwrite": overwrite, "json": True}
    return run_command(core.score, given)[1]
