"""Naive against robust: for each itemset the pooled and the stratified support on one line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from surveys.charts import axes, svg
from surveys.formats.figures import number

WIDTH = 420.0
LEFT, RIGHT, TOP, BOTTOM = 10.0, 14.0, 30.0, 36.0
STEP = 40.0


@dataclass(frozen=True, kw_only=True)
class Row:
    """One itemset; errors are standard errors, and whiskers extend one of them to either side."""

    label: str
    naive: float
    naive_error: float
    robust: float
    robust_error: float
    truth: float | None

    @property
    def difference(self) -> float:
        """Return how much larger the naive support is."""
        return self.naive - self.robust


def comparison_svg(rows: Sequence[Row]) -> SafeString:
    """Return the picture."""
    height = TOP + len(rows) * STEP + BOTTOM
    drawing = svg.drawing(WIDTH, height, title=_("Naive against robust support"))
    bottom = height - BOTTOM
    across = axes.axis_over(
        [end for row in rows for end in _ends(row)], start=LEFT, end=WIDTH - RIGHT, most=1.0
    )
    for tick in across.ticks:
        x = across.position(tick)
        css, stroke = ("axis", svg.STRONG) if tick == across.low else ("grid", svg.LINE)
        svg.line(drawing, x, TOP, x, bottom, css=css, stroke=stroke)
        svg.text(drawing, x, bottom + 16, across.label(tick), text_anchor="middle")
    svg.text(drawing, WIDTH - RIGHT, height - 4, _("support") + " →", text_anchor="end")
    _draw_key(drawing, with_truth=any(row.truth is not None for row in rows))
    for index, row in enumerate(rows):
        _draw_row(drawing, row, TOP + index * STEP, across)
    return svg.rendered(drawing)


def _draw_key(drawing: svg.Part, *, with_truth: bool) -> None:
    robust, naive = _("robust (stratified)"), _("naive (pooled)")
    x = LEFT + 5
    svg.circle(drawing, x, 12, 4, css="mark", fill=svg.ACCENT)
    svg.text(drawing, x + 9, 16, robust)
    x += 9 + svg.text_width(robust) + 12
    svg.circle(drawing, x, 12, 4, css="mark--hollow", fill=svg.PAPER, stroke=svg.ACCENT)
    svg.text(drawing, x + 9, 16, naive)
    if with_truth:
        x += 9 + svg.text_width(naive) + 12
        svg.diamond(drawing, x, 12, 4.5, css="truth", fill="none", stroke=svg.WARN)
        svg.text(drawing, x + 9, 16, _("true share"))


def _draw_row(drawing: svg.Part, row: Row, top: float, across: axes.Axis) -> None:
    y = top + 28
    group = drawing.add("g", {"class": "rule"})
    robust, naive = _("robust (stratified)"), _("naive (pooled)")
    said = f"{row.label}: {robust} {number(row.robust)}, {naive} {number(row.naive)}"
    group.add("title", text=said)
    svg.text(group, across.position(max(0.0, across.low)) + 4, top + 16, row.label, css="label")
    svg.line(group, LEFT, y, WIDTH - RIGHT, y, css="grid", stroke=svg.LINE)
    for middle, error, shift in ((row.robust, row.robust_error, -3), (row.naive, row.naive_error, 3)):
        svg.line(
            group, across.position(middle - error), y + shift,
            across.position(middle + error), y + shift,
            css="whisker", stroke=svg.ACCENT, stroke_width="1.25", stroke_opacity=".55",
        )  # fmt: skip
    svg.circle(
        group, across.position(row.naive), y + 3, 4, css="mark--hollow", fill=svg.PAPER, stroke=svg.ACCENT
    )
    svg.circle(group, across.position(row.robust), y - 3, 4, css="mark", fill=svg.ACCENT)
    if row.truth is not None:
        svg.diamond(
            group, across.position(row.truth), y, 4.5, css="truth", fill="none", stroke=svg.WARN,
            stroke_width="1.5",
        )  # fmt: skip


def _ends(row: Row) -> list[float]:
    ends = [row.naive + row.naive_error, row.robust + row.robust_error]
    ends += [min(row.naive, row.robust)] if row.truth is None else [min(row.naive, row.robust), row.truth]
    return [end for end in ends if math.isfinite(end)]
