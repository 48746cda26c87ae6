"""Draw a number's distribution: bars with intervals, and a line for the shape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from surveys.formats import svg
from surveys.formats.figures import SHARES, bounds_text
from surveys.formats.joints import series_text
from surveys.formats.numbers import percent_text

WIDTH, HEIGHT = 400, 270
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 30, 44
MOST_LABELS: Final = 6
CHARACTER: Final = 6.8
"""Width of a digit in the axes' text."""
LABEL_GAP: Final = 8


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar.

    Attributes
    ----------
    name, begin : str
        Its label, and the start of its range, as displayed.
    share, low, high : float
        Estimate and interval; values outside 0 to 1 are moved to the edge.
    shape : float or None
        Height of the smoothed line; None if answers are stored as given, which need no smoothing.
    """

    name: str
    begin: str
    share: float
    low: float
    high: float
    shape: float | None


def histogram_svg(bars: Sequence[Bar], *, title: str, end: str, unit: str, share: str) -> SafeString:
    """Draw the distribution of a number.

    Parameters
    ----------
    bars : sequence of Bar
    title : str
    end : str
        Upper end of the range, as displayed.
    unit, share : str
        Labels of the axes.
    """
    drawing = svg.drawing(WIDTH, HEIGHT, title=title, description=bars_text(bars))
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    up = svg.Axis(low=0.0, high=1.0, start=bottom, end=TOP, step=0.25)
    for tick in up.ticks:
        y = up.position(tick)
        css, stroke = ("axis", svg.STRONG) if abs(tick) < up.step / 2 else ("grid", svg.LINE)
        svg.line(drawing, LEFT, y, right, y, css=css, stroke=stroke)
        svg.text(drawing, LEFT - 6, y + 4, f"{100 * tick:g}%", text_anchor="end")
    svg.text(drawing, 4, 16, f"↑ {share}")
    width = (right - LEFT) / len(bars)
    label = CHARACTER * max(len(text) for text in (end, *(bar.begin for bar in bars)))
    every = max(-(-len(bars) // MOST_LABELS), math.ceil((label + LABEL_GAP) / width))
    for position, bar in enumerate(bars):
        left = LEFT + position * width
        if position % every == 0:
            svg.text(drawing, round(left, 1), bottom + 16, bar.begin, text_anchor="middle")
        _draw(drawing, bar, left, width, up)
    if shapes := [bar.shape for bar in bars if bar.shape is not None]:
        _draw_shape(drawing, shapes, width, up)
    last = LEFT + (len(bars) - 1) // every * every * width
    if len(bars) % every == 0 and last + label / 2 + LABEL_GAP < right - label:
        svg.text(drawing, right, bottom + 16, end, text_anchor="end")
    svg.text(drawing, right, HEIGHT - 6, f"{unit} →", text_anchor="end")
    return svg.render_svg(drawing)


def bar_text(bar: Bar) -> str:
    """Describe a bar in percent.

    >>> bar_text(Bar(name="20 – 29", begin="20", share=0.123, low=0.05, high=0.2, shape=0.1))
    '20 – 29: 12.3% (5.0 to 20.0)'
    """
    bounds = bounds_text(bar.share, (bar.low, bar.high), SHARES, lambda end: f"{percent_text(end)}%")
    if bounds:
        return _("%(name)s: %(bounds)s") % {"name": bar.name, "bounds": bounds}
    words = {"name": bar.name, "share": percent_text(bar.share), "low": percent_text(bar.low)}
    return _("%(name)s: %(share)s%% (%(low)s to %(high)s)") % {**words, "high": percent_text(bar.high)}


def bars_text(bars: Sequence[Bar]) -> str:
    """Describe all bars, for screen readers."""
    return series_text(bar_text(bar) for bar in bars)


def _draw(drawing: svg.SvgPart, bar: Bar, left: float, width: float, up: svg.Axis) -> None:
    group = drawing.add("g")
    group.add("title", text=bar_text(bar))
    gap = min(1.0, width / 8)
    foot, head = sorted((up.position(0), up.position(bar.share)), reverse=True)
    group.add(
        "rect",
        {
            "x": f"{left + gap:.2f}",
            "y": f"{head:g}",
            "width": f"{width - 2 * gap:.2f}",
            "height": f"{foot - head:.2f}",
            "class": "mark",
            "fill": svg.ACCENT,
            "fill-opacity": ".35",
        },
    )
    middle = round(left + width / 2, 2)
    low, high = up.position(bar.low), up.position(bar.high)
    svg.line(group, middle, low, middle, high, css="whisker", stroke=svg.ACCENT, stroke_width="1.5")


def _draw_shape(drawing: svg.SvgPart, shapes: Sequence[float], width: float, up: svg.Axis) -> None:
    """Draw the smoothed shape as one step per bar."""
    places = [
        f"{LEFT + (position + side) * width:.2f},{up.position(shape):g}"
        for position, shape in enumerate(shapes)
        for side in (0, 1)
    ]
    drawing.add(
        "polyline",
        {
            "points": " ".join(places),
            "class": "shape",
            "fill": "none",
            "stroke": svg.WARN,
            "stroke-width": "1.75",
        },
    )
