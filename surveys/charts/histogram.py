"""The picture of a number's distribution: bars with their intervals, and a line for the shape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString

from surveys.charts import axes, svg
from surveys.formats.figures import share_text

__all__ = ["Bar", "histogram_svg"]

WIDTH, HEIGHT = 400, 270
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 30, 44
MOST_LABELS: Final = 6
CHARACTER: Final = 6.8
"""Width of a digit at the size of the axes' text."""
LABEL_GAP: Final = 8


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar.

    Attributes
    ----------
    name, begin : str
        What it holds and where it begins, as people write it.
    share, low, high : float
        The ends of the interval may be infinite.
    shape : float
        Height of the smoothed line over it.
    """

    name: str
    begin: str
    share: float
    low: float
    high: float
    shape: float


def histogram_svg(
    bars: Sequence[Bar], *, title: str, end: str, unit: str, share: str, paper: bool = False
) -> SafeString:
    """Return the picture; with `paper` it has a background, to be saved.

    Parameters
    ----------
    bars : sequence of Bar
    title : str
    end : str
        Where the range ends.
    unit, share : str
        What the axes are.
    """
    drawing = svg.drawing(WIDTH, HEIGHT, title=title, paper=paper)
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    tops = [value for bar in bars for value in (bar.low, bar.high, bar.shape) if math.isfinite(value)]
    up = axes.axis_over(tops, start=bottom, end=TOP, most=1.0)
    for tick in up.ticks:
        y = up.position(tick)
        css, stroke = ("axis", svg.STRONG) if abs(tick) < up.step / 2 else ("grid", svg.LINE)
        svg.line(drawing, LEFT, y, right, y, css=css, stroke=stroke)
        svg.text(drawing, LEFT - 6, y + 4, up.label(tick), text_anchor="end")
    svg.text(drawing, 4, 16, f"↑ {share}")
    width = (right - LEFT) / len(bars)
    label = CHARACTER * max(len(text) for text in (end, *(bar.begin for bar in bars)))
    every = max(-(-len(bars) // MOST_LABELS), math.ceil((label + LABEL_GAP) / width))
    for position, bar in enumerate(bars):
        left = LEFT + position * width
        if position % every == 0:
            svg.text(drawing, round(left, 1), bottom + 16, bar.begin, text_anchor="middle")
        _draw(drawing, bar, left, width, up)
    _draw_shape(drawing, bars, width, up)
    last = LEFT + (len(bars) - 1) // every * every * width
    if len(bars) % every == 0 and last + label / 2 + LABEL_GAP < right - label:
        svg.text(drawing, right, bottom + 16, end, text_anchor="end")
    svg.text(drawing, right, HEIGHT - 6, f"{unit} →", text_anchor="end")
    return svg.rendered(drawing)


def _draw(drawing: svg.Part, bar: Bar, left: float, width: float, up: axes.Axis) -> None:
    group = drawing.add("g")
    share, ends = share_text(bar.share), f"[{share_text(bar.low)}, {share_text(bar.high)}]"
    group.add("title", text=f"{bar.name}: {share} {ends}")
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


def _draw_shape(drawing: svg.Part, bars: Sequence[Bar], width: float, up: axes.Axis) -> None:
    """Draw the shape over neighbouring bars as steps as wide as these."""
    places = [
        f"{LEFT + (position + side) * width:.2f},{up.position(bars[position].shape):g}"
        for position in range(len(bars))
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
