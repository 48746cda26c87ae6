"""Show figures as a pandas table, and draw their points and intervals as a picture.

Pandas is imported only when a table is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from privacy.errors import PrivacyError
from privacy.p_values import split_columns
from privacy.tables.frames import read_frame

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame

_WIDEST: Final = 1e6
"""Interval ends beyond this are drawn at the end of the axis."""
_AXIS, _NARROW, _WIDE, _LATIN = 420, 8, 14, 0x2E80
"""Widths in pixels of the axis, a letter and a Chinese character; first code point of wide characters."""


def data_frame(
    columns: Mapping[Any, Any],
    *,
    index: Any = None,
    name: Any = None,
    about: Mapping[str, Any] | None = None,
) -> DataFrame:
    """Return a DataFrame of these columns; an index of tuples becomes a MultiIndex.

    Parameters
    ----------
    columns : mapping
        Values by column name, all of one length. Columns of `PValues` become numbers; ``attrs["about"]``
        then has their tests as ``tests``, by column name.
    index : sequence, optional
        Labels of the rows.
    name : hashable or sequence, optional
        Name of the index, or of each of its levels.
    about : mapping, optional
        What holds for all estimates of the table, `privacy.printed.PrintedEstimates.about`: stored as
        ``attrs["about"]``.
    """
    import pandas

    labels = index
    if index is not None and len(index) and isinstance(index[0], tuple):
        labels = pandas.MultiIndex.from_tuples(index, names=name)
    elif index is not None:
        labels = pandas.Index(index, name=name)
    plain, tests = split_columns(columns)
    table = pandas.DataFrame(plain, index=labels)
    if about is not None or tests:
        table.attrs["about"] = dict(about or {}) | ({"tests": tests} if tests else {})
    return table


class Picture(str):
    """An SVG picture that notebooks display; save it with `pathlib.Path.write_text`."""

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<picture of {self.partition('<title>')[2].partition('</title>')[0]}>"


def plot(table: DataFrame | Tabled) -> Picture:
    """Draw the figures of a table as points with their intervals, the first row at the top.

    Parameters
    ----------
    table : DataFrame, or a result with intervals
        With the columns ``low`` and ``high``. The points are the column ``odds_ratio`` if there is one, else
        the first column. Odds ratios get a logarithmic axis.

    Returns
    -------
    Picture

    Raises
    ------
    PrivacyError
        ``plot``: no rows, or no intervals. ``frame.kind``: not a DataFrame.
    """
    table = table.to_frame() if isinstance(table, Tabled) else read_frame(table)
    if not hasattr(table, "columns"):
        raise PrivacyError("frame.kind", type(table).__name__)
    if not len(table) or not {"low", "high"} <= set(table.columns):
        raise PrivacyError("plot", ", ".join(map(str, table.columns)))
    name = "odds_ratio" if "odds_ratio" in table else str(table.columns[0])
    labels = [" ".join(map(str, np.atleast_1d(label))) for label in table.index.tolist()]
    figures = table[[name, "low", "high"]].to_numpy(dtype=float)
    if name == "odds_ratio":
        figures = np.log10(np.maximum(figures, 1e-9))
    finite = figures[np.isfinite(figures) & (np.abs(figures) < _WIDEST)]
    first, last = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    # At most seven ticks, 1, 2 or 5 times a power of ten apart.
    rough = max(last - first, 1e-6) / 5
    power = 10 ** np.floor(np.log10(rough))
    step = power * next(times for times in (1, 2, 5, 10) if times * power >= rough)
    ticks = step * np.arange(
        np.floor(first / step), max(np.ceil(last / step), np.floor(first / step) + 1) + 1
    )
    left = 12 + max(sum(_WIDE if ord(letter) > _LATIN else _NARROW for letter in label) for label in labels)
    height = 28 * len(labels) + 52

    def x(value: float) -> float:
        clipped = min(max(value, ticks[0]), ticks[-1])
        return float(round(left + _AXIS * (clipped - ticks[0]) / (ticks[-1] - ticks[0]), 1))

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + _AXIS + 30} {height}" '
        f'width="{left + _AXIS + 30}" font-family="system-ui, sans-serif" font-size="13" role="img">',
        f"<title>{escape(name)} with intervals</title>",
        f'<rect width="{left + _AXIS + 30}" height="{height}" fill="#fff"/>',
    ]
    for tick in ticks:
        tick_label = f"{10**tick:.3g}" if name == "odds_ratio" else f"{tick:.6g}"
        ends = f'x1="{x(tick)}" x2="{x(tick)}" y1="6" y2="{height - 42}"'
        lines.append(f'<line {ends} stroke="#ddd"/>')
        lines.append(f'<text x="{x(tick)}" y="{height - 26}" text-anchor="middle">{tick_label}</text>')
    for row, (label, (value, low, high)) in enumerate(zip(labels, figures.tolist(), strict=True)):
        y = 22 + 28 * row
        lines.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{escape(label)}</text>')
        lines.append(
            f'<line x1="{x(low)}" x2="{x(high)}" y1="{y}" y2="{y}" stroke="#1f4e79" stroke-width="2"/>'
        )
        if value == value:
            lines.append(f'<circle cx="{x(value)}" cy="{y}" r="4" fill="#1f4e79"/>')
    caption = name.replace("_", " ")
    lines.append(
        f'<text x="{left + _AXIS / 2}" y="{height - 6}" text-anchor="middle">{escape(caption)}</text></svg>'
    )
    return Picture("\n".join(lines))


class Tabled:
    """Base of results that notebooks display as a DataFrame."""

    def to_frame(self) -> DataFrame:
        """Return one row per figure."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        """Return the table that notebooks show."""
        return str(self.to_frame().to_html(float_format=lambda figure: f"{figure:.4g}"))


class Shown(Tabled):
    """Base of results with intervals: columns for the figure and its error, ``low`` and ``high``."""

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return one row per figure, with intervals at a level."""
        raise NotImplementedError

    def plot(self, level: float = 0.95) -> Picture:
        """Draw each figure as a point with its interval, the first row at the top."""
        return plot(self.to_frame(level))
