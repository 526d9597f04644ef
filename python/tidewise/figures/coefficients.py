"""Joint densities of the first coefficients, which show if they are not Gaussian."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from tidewise._keywords import renamed
from tidewise.figures import palette
from tidewise.figures.moments import call_moment, call_origin, middle_level
from tidewise.figures.page import PAGE_WIDTH, make_page, put_caption, trim_page
from tidewise.units import unit_name

if TYPE_CHECKING:
    from tidewise.run import Run

_MIN_FOR_DENSITY = 150  # fewer realizations are shown as points
_CELLS = 90  # cells of a density, along each side
_CONTOUR_SHARES = (0.5, 0.9)  # shares of the realizations inside the contours


@renamed(most_modes="max_modes")
def draw_coefficients(
    run: Run, level: int | None = None, max_modes: int = 4, width: float = PAGE_WIDTH
) -> Figure:
    """Draw densities of single coefficients on the diagonal, and of pairs below it.

    A panel on the diagonal also has the Gaussian of the same mean and deviation, and prints
    skewness and excess kurtosis.

    Parameters
    ----------
    run : Run
        The run.
    level, max_modes, width : optional
        As in Pictures.coefficients.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    InputError
        If the level does not exist.
    """
    forecast = run.environment
    level = middle_level(run) if level is None else level
    forecast.require_level(level)
    count = min(max_modes, forecast.mode_count)
    values = forecast.coefficients(level)[:count].astype(float)
    weights = forecast.weights()
    share = np.ones(values.shape[1]) if weights is None else weights.astype(float)
    share = share / share.sum()
    unit = unit_name(str(run.environment.dataset["coefficient"].attrs.get("units", "1")))
    limits = [_limits(row) for row in values]
    with palette.styled():
        figure = make_page(width, width * 0.97)
        panels = figure.subplots(count, count, squeeze=False)
        for row in range(count):
            for column in range(count):
                axes = panels[row, column]
                if column > row:
                    axes.remove()
                    continue
                axes.set_xlim(*limits[column])
                if column == row:
                    _draw_marginal(axes, values[row], share)
                else:
                    axes.set_ylim(*limits[row])
                    _draw_joint(axes, values[column], values[row], share)
                _label(axes, row, column, count, unit)
        put_caption(figure, _describe(run, level, count))
        trim_page(figure)
    return figure


def _draw_marginal(axes: Axes, values: np.ndarray, share: np.ndarray) -> None:
    mean = float(values @ share)
    deviation = float(np.sqrt((values - mean) ** 2 @ share))
    low, high = axes.get_xlim()
    bins = int(np.clip(np.sqrt(len(values)), 8, 50))
    axes.hist(
        values, bins=bins, range=(low, high), weights=share * bins / (high - low), color="#9fb6cf"
    )
    if deviation > 0:
        positions = np.linspace(low, high, 300)
        z = (positions - mean) / deviation
        gaussian = np.exp(-0.5 * z**2) / (deviation * np.sqrt(2 * np.pi))
        axes.plot(positions, gaussian, color=palette.INK, linewidth=0.8, linestyle=(0, (4, 2)))
        scaled = (values - mean) / deviation
        skewness, kurtosis = scaled**3 @ share, scaled**4 @ share - 3.0
        axes.text(
            0.03,
            0.97,
            f"skewness {skewness:+.2f}\nkurtosis {kurtosis:+.2f}".replace("-", "−"),
            transform=axes.transAxes,
            fontsize=7,
            va="top",
        )
    axes.set_ylim(0.0, 1.35 * axes.get_ylim()[1])


def _draw_joint(axes: Axes, x: np.ndarray, y: np.ndarray, share: np.ndarray) -> None:
    if len(x) < _MIN_FOR_DENSITY:
        axes.scatter(x, y, s=9, color="#3b5b84", edgecolors="white", linewidths=0.3)
        return
    low_x, high_x = axes.get_xlim()
    low_y, high_y = axes.get_ylim()
    box = [[low_x, high_x], [low_y, high_y]]
    density, _, _ = np.histogram2d(x, y, bins=_CELLS, range=box, weights=share)
    # Scott's rule for two dimensions, in cells.
    effective = 1.0 / np.sum(share**2)
    for axis, (sample, low, high) in enumerate(((x, low_x, high_x), (y, low_y, high_y))):
        width = np.std(sample) * effective ** (-1 / 6) * _CELLS / (high - low)
        density = _smoothed(density, width, axis)
    extent = (low_x, high_x, low_y, high_y)
    axes.imshow(
        density.T,
        origin="lower",
        extent=extent,
        aspect="auto",
        cmap=palette.DENSITY,
        interpolation="bilinear",
    )
    levels = sorted({_density_enclosing(density, share) for share in _CONTOUR_SHARES})
    axes.contour(
        density.T,
        levels=levels,
        extent=extent,
        colors="white",
        linewidths=[0.6, 0.9][: len(levels)],
    )


def _smoothed(density: np.ndarray, width: float, axis: int) -> np.ndarray:
    """Smooth by a Gaussian of this standard deviation [cells] along one axis."""
    reach = max(1, int(np.ceil(3 * width)))
    offsets = np.arange(-reach, reach + 1)
    kernel = np.exp(-0.5 * (offsets / max(width, 0.3)) ** 2)
    kernel /= kernel.sum()
    padded = np.apply_along_axis(lambda line: np.convolve(line, kernel), axis, density)
    return np.take(padded, np.arange(reach, reach + density.shape[axis]), axis)


def _density_enclosing(density: np.ndarray, share: float) -> float:
    """Return the density whose contour encloses this share."""
    descending = np.sort(density, axis=None)[::-1]
    enclosed = np.cumsum(descending)
    return float(descending[np.searchsorted(enclosed, share * enclosed[-1])])


def _limits(values: np.ndarray) -> tuple[float, float]:
    low, high = np.quantile(values, [0.001, 0.999])
    margin = 0.12 * (high - low) or 1.0
    return float(low - margin), float(high + margin)


def _label(axes: Axes, row: int, column: int, count: int, unit: str) -> None:
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.yaxis.set_major_locator(MaxNLocator(4))
    axes.set_xlabel(f"coefficient {column + 1} ({unit})" if row == count - 1 else "")
    axes.tick_params(labelbottom=row == count - 1, labelleft=column == 0 and row > 0)
    if row == column:
        axes.set_yticks([])
        per_unit = "–" if unit == "–" else f"1/({unit})"
        axes.set_ylabel(f"density ({per_unit})" if row == 0 else "")
    elif column == 0:
        axes.set_ylabel(f"coefficient {row + 1} ({unit})")


def _describe(run: Run, level: int, count: int) -> str:
    forecast = run.environment
    text = (
        f"Level {level}, {call_moment(run, level)}: the first {count} of {forecast.mode_count} "
        f"coefficients over {forecast.realization_count} realizations. Dashed: the Gaussian of "
        "the same mean and deviation."
    )
    if forecast.realization_count >= _MIN_FOR_DENSITY:
        text += " Darker: denser; contours hold 50 and 90 %."
    return text + " Kurtosis is less the Gaussian's." + call_origin(run)
