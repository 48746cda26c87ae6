"""Charts of figures with their intervals: one axis for the rows of each unit, or a bar for each figure."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from surveys.formats.joints import join_sentences, series_text
from surveys.formats.numbers import MINUS
from surveys.formats.svg import (
    ACCENT,
    INK,
    LINE,
    PAPER,
    STRONG,
    WARN,
    Axis,
    SvgPart,
    circle,
    cut,
    diamond,
    drawing,
    line,
    lines_of,
    render_svg,
    round_step,
    text,
    text_width,
)

WIDTH: Final = 420.0
LEFT: Final = 10.0
RIGHT: Final = 14.0
TOP: Final = 8.0
BOTTOM: Final = 40.0
STEP: Final = 36.0
_LINE: Final = 15.0
_LETTER: Final = 12
"""Size of the text that `text_width` measures."""
_TICK_GAP: Final = 8.0
"""Smallest distance between two labels of an axis, in px at that size."""


@dataclass(frozen=True, kw_only=True)
class Ruler:
    """What an axis measures: its ends, its labels and its unit.

    Attributes
    ----------
    low, high : float
        Values at the two ends, in the unit of the figures; ``low < high``.
    ticks : tuple of (float, str)
        Values with a label, from low to high; those at the ends are always shown.
    unit : str
    end : str
        The last label with its unit; by default one after the other.
    """

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    unit: str
    end: str = ""

    @property
    def ends(self) -> tuple[str, str]:
        """The labels of both ends, the second with the unit."""
        return self.ticks[0][1], self.end or f"{self.ticks[-1][1]} {self.unit}".rstrip()

    def axis(self, start: float, end: float) -> Axis:
        """Return the scale from values to positions."""
        return Axis(low=self.low, high=self.high, start=start, end=end, step=self.high - self.low)

    def about_zero(self, widest: float) -> Ruler:
        """Return a ruler of differences from -`widest` to `widest`, or somewhat more, with 0 in the middle.

        Parameters
        ----------
        widest : float
            Largest absolute value that must be visible. Differences beyond the length of the ruler do not
            lengthen it.
        """
        length = self.high - self.low
        step = round_step(max(widest / 4, length / 20), factors=(1, 2.5, 5, 10))
        count = max(1, math.ceil(min(widest, length) / step - 1e-9))
        ticks = tuple((number * step, tick_text(number * step)) for number in range(-count, count + 1))
        return Ruler(low=-count * step, high=count * step, ticks=ticks, unit=self.unit)


def tick_text(value: float) -> str:
    """Write the value of a tick.

    >>> tick_text(-0.5), tick_text(1500.0), tick_text(2.5)
    ('−0.5', '1,500', '2.5')
    """
    written = f"{abs(value):,.6f}".rstrip("0").rstrip(".")
    return (MINUS if value < 0 and written != "0" else "") + written


def people_ruler() -> Ruler:
    """Return the ruler of shares: people of 100."""
    return replace(_ruler_of_hundred(_("people of 100")), end=_("100 of 100 people"))


def points_ruler() -> Ruler:
    """Return the ruler of differences of shares, in percentage points."""
    return _ruler_of_hundred(_("points more"))


def _ruler_of_hundred(unit: str) -> Ruler:
    ticks = tuple((float(tick), f"{tick}") for tick in (0, 25, 50, 75, 100))
    return Ruler(low=0.0, high=100.0, ticks=ticks, unit=unit)


@dataclass(frozen=True, kw_only=True)
class IntervalRow:
    """One row of the chart, in the unit of its ruler; screen readers read its name and `text`."""

    name: str
    text: str
    value: float
    low: float
    high: float
    ruler: Ruler

    @property
    def said(self) -> str:
        """Name and text in one line."""
        if self.name.endswith(("?", "？", ":", "：")):
            return join_sentences([self.name, self.text])
        return _("%(name)s: %(figure)s") % {"name": self.name, "figure": self.text}


def share_row(name: str, text: str, *, value: float, low: float, high: float) -> IntervalRow:
    """Return the row of a share of people.

    Parameters
    ----------
    name, text : str
    value, low, high : float
        The share and the ends of its interval, from 0 to 1 if it is possible.
    """
    ends = {"value": 100 * value, "low": 100 * low, "high": 100 * high}
    return IntervalRow(name=name, text=text, ruler=people_ruler(), **ends)


def intervals_svg(rows: Sequence[IntervalRow], *, title: str) -> SafeString:
    """Draw figures with their intervals, with an axis for the rows of each unit.

    A figure that is impossible or outside its own interval has no point, only its interval.
    """
    panels = [(ruler, [*members]) for ruler, members in itertools.groupby(rows, key=lambda row: row.ruler)]
    return _chart(panels, title, LEFT)


def differences_svg(rows: Sequence[IntervalRow], *, title: str) -> SafeString:
    """Draw differences on axes that are symmetric about 0, one for the rows of each unit."""
    panels = []
    for ruler, grouped in itertools.groupby(rows, key=lambda row: row.ruler):
        members = [*grouped]
        ends = (abs(end) for row in members for end in (row.low, row.high) if math.isfinite(end))
        panels.append((ruler.about_zero(max(ends, default=0.0)), members))
    return _chart(panels, title, LEFT + 8)


def labelled_ticks(
    ruler: Ruler, across: Axis, *, size: float, width: float, with_unit: bool = False
) -> list[tuple[float, str, str]]:
    """Return position, label and anchor of the ticks that fit next to each other.

    Parameters
    ----------
    ruler : Ruler
    across : Axis
    size : float
        Size of the labels, in px.
    width : float
        Width of the picture. A label at an end is beside its tick if it would leave the picture otherwise.
    with_unit : bool
        Whether the last label has the unit.
    """
    last, last_label = ruler.ticks[-1][0], ruler.ends[1] if with_unit else ruler.ticks[-1][1]
    room = (across.end - across.start) * 0.6
    last_label = cut(last_label, room * _LETTER / size)

    def anchor_at(label: str, margin: float, beside: str) -> str:
        return "middle" if text_width(label) * size / _LETTER / 2 <= margin else beside

    first, first_label = ruler.ticks[0]
    ends = {
        first: (first_label, anchor_at(first_label, across.start, "start")),
        last: (last_label, anchor_at(last_label, width - across.end, "end")),
    }

    def reach(x: float, label: str, anchor: str) -> tuple[float, float]:
        wide = text_width(label) * size / _LETTER
        left = x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        return left - _TICK_GAP, left + wide + _TICK_GAP

    placed = [(across.position(value), *label) for value, label in ends.items()]
    for value, label in ruler.ticks:
        tick = (across.position(value), label, "middle")
        left, right = reach(*tick)
        others = [reach(*other) for other in placed]
        if value not in ends and all(right <= start or left >= end for start, end in others):
            placed.append(tick)
    return sorted(placed)


def mark_row(
    picture: SvgPart, row: IntervalRow, across: Axis, y: float, *, radius: float, thick: float, css: str
) -> None:
    """Draw the interval of a row, and its point if it is possible and inside its interval."""
    low, high = across.position(row.low), across.position(row.high)
    line(picture, low, y, high, y, css=css, stroke=ACCENT, stroke_width=f"{thick:g}")
    if max(row.low, across.low) <= row.value <= min(row.high, across.high):
        circle(picture, across.position(row.value), y, radius, css="mark", fill=ACCENT)


def _chart(panels: Sequence[tuple[Ruler, Sequence[IntervalRow]]], title: str, start: float) -> SafeString:
    rows = [row for _ruler, members in panels for row in members]
    labels = [lines_of(row.name, WIDTH - LEFT - RIGHT) for row in rows]
    heights = [STEP + _LINE * (len(lines) - 1) for lines in labels]
    height = sum(heights) + (TOP + BOTTOM) * len(panels)
    summary = series_text(row.said for row in rows)
    picture = drawing(WIDTH, height, title=title, description=summary)
    sized = iter(zip(labels, heights, strict=True))
    top = 0.0
    for ruler, members in panels:
        across = ruler.axis(start, WIDTH - RIGHT)
        own = [next(sized) for _row in members]
        top += TOP
        bottom = top + sum(tall for _lines, tall in own)
        for x, name, anchor in labelled_ticks(ruler, across, size=_LETTER, width=WIDTH):
            css, stroke = ("axis", STRONG) if ruler.low < 0 and name == "0" else ("grid", LINE)
            line(picture, x, top, x, bottom, css=css, stroke=stroke)
            text(picture, x, bottom + 16, name, text_anchor=anchor)
        unit = cut(f"{ruler.unit} →", WIDTH - LEFT - RIGHT)
        text(picture, WIDTH - RIGHT, bottom + BOTTOM - 6, unit, text_anchor="end")
        for row, (lines, tall) in zip(members, own, strict=True):
            for position, part in enumerate(lines):
                text(picture, LEFT + 4, top + 13 + _LINE * position, part, css="label")
            mark_row(picture, row, across, top + tall - 11, radius=4, thick=1.5, css="whisker")
            top += tall
        top = bottom + BOTTOM
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
    across = people_ruler().axis(1, BAR_WIDTH - 1)
    row = share_row("", text, value=value, low=low, high=high)
    picture = _empty_bar(text)
    # An impossible share has no bar, only its interval.
    is_point = max(row.low, 0) <= row.value <= min(row.high, 100)
    width = across.position(row.value) - 1 if is_point else 0.0
    picture.add("rect", {**_BAR_ENDS, "class": "share", "x": "1", "width": f"{width:g}", "fill": ACCENT})
    _whisker(picture, row, across)
    if truth is not None:
        diamond(picture, across.position(100 * truth), _MIDDLE, 5, css="truth", fill=PAPER, stroke=WARN)
    return render_svg(picture)


def number_bar(row: IntervalRow) -> SafeString:
    """Draw one figure of a number with its interval on its ruler; the page writes the ends of the ruler.

    There is no bar from the left end: its length would not be the figure unless the ruler starts at 0.
    """
    across = row.ruler.axis(1, BAR_WIDTH - 1)
    picture = _empty_bar(row.said)
    _whisker(picture, row, across)
    if max(row.low, across.low) <= row.value <= min(row.high, across.high):
        circle(picture, across.position(row.value), _MIDDLE, 5, css="mark", fill=ACCENT)
    return render_svg(picture)


_BAR_ENDS: Final = {"y": "4", "height": f"{BAR_HEIGHT - 8}"}


def _empty_bar(title: str) -> SvgPart:
    picture = drawing(BAR_WIDTH, BAR_HEIGHT, title=title)
    picture.attributes["class"] = "share-bar"
    picture.add("rect", {**_BAR_ENDS, "class": "ground", "x": "1", "width": f"{BAR_WIDTH - 2}", "fill": LINE})
    return picture


def _whisker(picture: SvgPart, row: IntervalRow, across: Axis) -> None:
    whisker = {"stroke": INK, "stroke_width": "1.5"}
    low, high = across.position(row.low), across.position(row.high)
    line(picture, low, _MIDDLE, high, _MIDDLE, css="reach", **whisker)
    for end in (low, high):
        line(picture, end, 5, end, BAR_HEIGHT - 5, css="reach", **whisker)
