"""Charts of figures with their intervals: one axis for several rows, or a bar for each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString

from surveys.formats.svg import (
    ACCENT,
    INK,
    LINE,
    PAPER,
    STRONG,
    WARN,
    Axis,
    circle,
    diamond,
    drawing,
    line,
    lines_of,
    render_svg,
    text,
)

WIDTH: Final = 420.0
LEFT: Final = 10.0
RIGHT: Final = 14.0
TOP: Final = 8.0
BOTTOM: Final = 40.0
STEP: Final = 36.0
_LINE: Final = 15.0


@dataclass(frozen=True, kw_only=True)
class IntervalRow:
    """One row of the chart; screen readers read its name and `text`."""

    name: str
    text: str
    value: float
    low: float
    high: float


def shares_svg(rows: Sequence[IntervalRow], *, title: str, unit: str) -> SafeString:
    """Draw shares on an axis from 0 to 1; an impossible share has no point, only its interval."""
    across = Axis(low=0.0, high=1.0, start=LEFT, end=WIDTH - RIGHT, step=0.25)
    return _interval_chart(rows, across, [f"{100 * tick:g}" for tick in across.ticks], title, unit, None)


def differences_svg(rows: Sequence[IntervalRow], *, title: str, unit: str) -> SafeString:
    """Draw differences of shares on an axis that is symmetric about 0, with a line at 0."""
    widest = max([0.05, *(abs(end) for row in rows for end in (row.low, row.high) if math.isfinite(end))])
    step = next(each for each in (0.05, 0.1, 0.25, 0.5) if widest <= 4 * each or each == 0.5)
    end = min(step * math.ceil(widest / step - 1e-9), 2.0)
    across = Axis(low=-end, high=end, start=LEFT + 8, end=WIDTH - RIGHT, step=step)
    ticks = [step * position for position in range(-round(end / step), round(end / step) + 1)]
    names = [f"{100 * tick:g}".replace("-", "−") for tick in ticks]
    return _interval_chart(rows, across, names, title, unit, 0.0, ticks)


def _interval_chart(
    rows: Sequence[IntervalRow],
    across: Axis,
    names: Sequence[str],
    title: str,
    unit: str,
    reference: float | None,
    ticks: Sequence[float] = (),
) -> SafeString:
    labels = [lines_of(row.name, WIDTH - LEFT - RIGHT) for row in rows]
    heights = [STEP + _LINE * (len(lines) - 1) for lines in labels]
    height = TOP + sum(heights) + BOTTOM
    summary = "; ".join(f"{row.name}: {row.text}" for row in rows)
    picture = drawing(WIDTH, height, title=title, description=summary)
    bottom = height - BOTTOM
    for tick, name in zip(ticks or across.ticks, names, strict=True):
        x = across.position(tick)
        css, stroke = ("axis", STRONG) if tick == reference else ("grid", LINE)
        line(picture, x, TOP, x, bottom, css=css, stroke=stroke)
        text(picture, x, bottom + 16, name, text_anchor="middle")
    text(picture, WIDTH - RIGHT, height - 6, f"{unit} →", text_anchor="end")
    top = TOP
    for row, lines, tall in zip(rows, labels, heights, strict=True):
        for position, part in enumerate(lines):
            text(picture, LEFT + 4, top + 13 + _LINE * position, part, css="label")
        y = top + tall - 11
        low, high = across.position(row.low), across.position(row.high)
        line(picture, low, y, high, y, css="whisker", stroke=ACCENT, stroke_width="1.5")
        if max(row.low, across.low) <= row.value <= min(row.high, across.high):
            circle(picture, across.position(row.value), y, 4, css="mark", fill=ACCENT)
        top += tall
    return render_svg(picture)


BAR_WIDTH: Final = 400
BAR_HEIGHT: Final = 18
_MIDDLE: Final = BAR_HEIGHT / 2


def share_bar(value: float, low: float, high: float, *, text: str, truth: float | None = None) -> SafeString:
    """Draw one share as a bar with its interval; an impossible share has only its interval.

    Parameters
    ----------
    value, low, high : float
        A share of people, and the ends of its interval.
    text : str
        Description for screen readers.
    truth : float, optional
        The true share, if it is known, drawn as a diamond.
    """
    across = Axis(low=0, high=1, start=1, end=BAR_WIDTH - 1, step=0.25)
    picture = drawing(BAR_WIDTH, BAR_HEIGHT, title=text)
    picture.attributes["class"] = "share-bar"
    ends = {"y": "4", "height": f"{BAR_HEIGHT - 8}"}
    picture.add("rect", {**ends, "class": "ground", "x": "1", "width": f"{BAR_WIDTH - 2}", "fill": LINE})
    # An impossible share has no bar, only its interval.
    is_point = max(low, 0) <= value <= min(high, 1)
    width = across.position(value) - 1 if is_point else 0.0
    picture.add("rect", {**ends, "class": "share", "x": "1", "width": f"{width:g}", "fill": ACCENT})
    whisker = {"stroke": INK, "stroke_width": "1.5"}
    line(picture, across.position(low), _MIDDLE, across.position(high), _MIDDLE, css="reach", **whisker)
    for end in (low, high):
        line(picture, across.position(end), 5, across.position(end), BAR_HEIGHT - 5, css="reach", **whisker)
    if truth is not None:
        diamond(picture, across.position(truth), _MIDDLE, 5, css="truth", fill=PAPER, stroke=WARN)
    return render_svg(picture)
