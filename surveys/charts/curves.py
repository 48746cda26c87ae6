"""A picture of measured points with their error bars, and the curves that formulas give."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from surveys.charts import svg

WIDTH, HEIGHT = 620.0, 380.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 18.0, 52.0, 46.0
COLOURS = (svg.ACCENT, svg.WARN, svg.SOFT, svg.INK)


@dataclass(frozen=True, kw_only=True)
class Series:
    """Points of one kind; `errors` are half the lengths of their bars, `expected` the curve's heights."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    errors: Sequence[float] = ()
    expected: Sequence[float] = ()


def curves_svg(series: Sequence[Series], *, title: str, x_label: str, y_label: str) -> SafeString:
    """Return the picture; points that are no numbers are left out.

    The values of all series share both axes, which begin at 0.
    """
    drawing = svg.drawing(WIDTH, HEIGHT, title=title, paper=True)
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    across = svg.axis_over([x for one in series for x in one.x], start=LEFT, end=right)
    heights = [
        value
        for one in series
        for value in (*one.y, *one.expected, *(y + e for y, e in zip(one.y, one.errors, strict=False)))
        if math.isfinite(value)
    ]
    up = svg.axis_over(heights, start=bottom, end=TOP)
    for tick in up.ticks:
        svg.line(drawing, LEFT, up.place(tick), right, up.place(tick), css="grid", stroke=svg.LINE)
        svg.text(drawing, LEFT - 8, up.place(tick) + 4, up.label(tick), text_anchor="end")
    for tick in across.ticks:
        svg.text(drawing, across.place(tick), bottom + 18, across.label(tick), text_anchor="middle")
    svg.line(drawing, LEFT, bottom, right, bottom, css="axis", stroke=svg.STRONG)
    svg.text(drawing, LEFT, 18, title, css="strong")
    svg.text(drawing, right, HEIGHT - 8, f"{x_label} →", text_anchor="end")
    svg.text(drawing, LEFT, HEIGHT - 8, f"↑ {y_label}")
    # Three labels of any length have room beside each other; more share the width.
    step = 190 if len(series) <= 3 else (right - LEFT) / len(series)
    for place, one in enumerate(series):
        colour = COLOURS[place % len(COLOURS)]
        svg.circle(drawing, LEFT + 6 + step * place, 36, 4, css="mark", fill=colour)
        svg.text(drawing, LEFT + 16 + step * place, 40, one.label)
        _curve(drawing, one, across, up, colour)
        _points(drawing, one, across, up, colour)
    return svg.rendered(drawing)


def _curve(drawing: svg.Part, one: Series, across: svg.Axis, up: svg.Axis, colour: str) -> None:
    places = [
        f"{across.place(x):g},{up.place(y):g}"
        for x, y in zip(one.x, one.expected, strict=False)
        if math.isfinite(y)
    ]
    if places:
        drawing.add(
            "polyline", {"points": " ".join(places), "fill": "none", "stroke": colour, "stroke-width": "1.5"}
        )


def _points(drawing: svg.Part, one: Series, across: svg.Axis, up: svg.Axis, colour: str) -> None:
    errors = one.errors or [0.0] * len(one.x)
    for x, y, error in zip(one.x, one.y, errors, strict=True):
        if not math.isfinite(y):
            continue
        at = across.place(x)
        if math.isfinite(error) and error > 0:
            svg.line(
                drawing, at, up.place(y - error), at, up.place(y + error), css="whisker", stroke=colour,
                stroke_width="1.5",
            )  # fmt: skip
        svg.circle(drawing, at, up.place(y), 3.5, css="mark", fill=colour)
