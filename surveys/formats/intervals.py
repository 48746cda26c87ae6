"""Shares or differences of shares with their intervals, one below the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString

from surveys.formats import svg

WIDTH: Final = 420.0
LEFT: Final = 10.0
RIGHT: Final = 14.0
TOP: Final = 8.0
BOTTOM: Final = 40.0
STEP: Final = 36.0
_LINE: Final = 15.0


@dataclass(frozen=True, kw_only=True)
class IntervalRow:
    """One figure; readers who do not see the picture get its name as `text`."""

    name: str
    text: str
    value: float
    low: float
    high: float


def shares_svg(rows: Sequence[IntervalRow], *, title: str, unit: str) -> SafeString:
    """Draw shares on an axis from 0 to 1; values outside are drawn at the edge."""
    across = svg.Axis(low=0.0, high=1.0, start=LEFT, end=WIDTH - RIGHT, step=0.25)
    return _drawn(rows, across, [f"{100 * tick:g}" for tick in across.ticks], title, unit, None)


def differences_svg(rows: Sequence[IntervalRow], *, title: str, unit: str) -> SafeString:
    """Draw differences of shares on an axis symmetric about 0, with a line there."""
    widest = max([0.05, *(abs(end) for row in rows for end in (row.low, row.high) if math.isfinite(end))])
    step = next(each for each in (0.05, 0.1, 0.25, 0.5) if widest <= 4 * each or each == 0.5)
    end = min(step * math.ceil(widest / step - 1e-9), 2.0)
    across = svg.Axis(low=-end, high=end, start=LEFT + 8, end=WIDTH - RIGHT, step=step)
    ticks = [step * position for position in range(-round(end / step), round(end / step) + 1)]
    names = [f"{100 * tick:g}".replace("-", "−") for tick in ticks]
    return _drawn(rows, across, names, title, unit, 0.0, ticks)


def _drawn(
    rows: Sequence[IntervalRow],
    across: svg.Axis,
    names: Sequence[str],
    title: str,
    unit: str,
    reference: float | None,
    ticks: Sequence[float] = (),
) -> SafeString:
    labels = [svg.lines_of(row.name, WIDTH - LEFT - RIGHT) for row in rows]
    heights = [STEP + _LINE * (len(lines) - 1) for lines in labels]
    height = TOP + sum(heights) + BOTTOM
    said = "; ".join(f"{row.name}: {row.text}" for row in rows)
    drawing = svg.drawing(WIDTH, height, title=title, said=said)
    bottom = height - BOTTOM
    for tick, name in zip(ticks or across.ticks, names, strict=True):
        x = across.position(tick)
        css, stroke = ("axis", svg.STRONG) if tick == reference else ("grid", svg.LINE)
        svg.line(drawing, x, TOP, x, bottom, css=css, stroke=stroke)
        svg.text(drawing, x, bottom + 16, name, text_anchor="middle")
    svg.text(drawing, WIDTH - RIGHT, height - 6, f"{unit} →", text_anchor="end")
    top = TOP
    for row, lines, tall in zip(rows, labels, heights, strict=True):
        for position, line in enumerate(lines):
            svg.text(drawing, LEFT + 4, top + 13 + _LINE * position, line, css="label")
        y = top + tall - 11
        low, high = across.position(row.low), across.position(row.high)
        svg.line(drawing, low, y, high, y, css="whisker", stroke=svg.ACCENT, stroke_width="1.5")
        svg.circle(drawing, across.position(row.value), y, 4, css="mark", fill=svg.ACCENT)
        top += tall
    return svg.rendered(drawing)


BAR_WIDTH: Final = 400
BAR_HEIGHT: Final = 18
_MIDDLE: Final = BAR_HEIGHT / 2


def share_bar(
    value: float,
    low: float,
    high: float,
    *,
    said: str,
    truth: float | None = None,
) -> SafeString:
    """Return the picture; values outside 0 to 1 are drawn at the edge.

    Parameters
    ----------
    value, low, high : float
        A share of people, and the ends of its interval.
    said : str
        Text for readers who do not see the picture.
    truth : float, optional
        The true share, if it is known: a diamond.
    """
    across = svg.Axis(low=0, high=1, start=1, end=BAR_WIDTH - 1, step=0.25)
    picture = svg.drawing(BAR_WIDTH, BAR_HEIGHT, title=said)
    ends = {"y": "4", "height": f"{BAR_HEIGHT - 8}"}
    picture.add("rect", {**ends, "class": "ground", "x": "1", "width": f"{BAR_WIDTH - 2}", "fill": svg.LINE})
    width = max(0.0, across.position(value) - 1)
    picture.add("rect", {**ends, "class": "share", "x": "1", "width": f"{width:g}", "fill": svg.ACCENT})
    whisker = {"stroke": svg.INK, "stroke_width": "1.5"}
    svg.line(picture, across.position(low), _MIDDLE, across.position(high), _MIDDLE, css="reach", **whisker)
    for end in (low, high):
        svg.line(
            picture, across.position(end), 5, across.position(end), BAR_HEIGHT - 5, css="reach", **whisker
        )
    if truth is not None:
        svg.diamond(picture, across.position(truth), _MIDDLE, 5, css="truth", fill=svg.PAPER, stroke=svg.WARN)
    return svg.rendered(picture)
