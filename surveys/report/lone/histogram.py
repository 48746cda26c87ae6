"""The picture of a number's distribution: bars with their errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString

from surveys.report import svg
from surveys.report.figures import NORMAL

__all__ = ["Bar", "histogram_svg"]

WIDTH, HEIGHT = 480, 290
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 30, 44
MOST_LABELS: Final = 6


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar.

    Attributes
    ----------
    begin : str
        Where it begins, as people write it.
    said : str
        What is read aloud and shown under the pointer.
    share, error : float
    hidden : bool
        Whether too few people are in it to be told of.
    """

    begin: str
    said: str
    share: float
    error: float
    hidden: bool


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
    tops = [bar.share + NORMAL * bar.error for bar in bars if not bar.hidden]
    up = svg.axis_over(tops, start=bottom, end=TOP, most=1.0)
    for tick in up.ticks:
        y = up.place(tick)
        css, stroke = ("axis", svg.STRONG) if tick == up.low else ("grid", svg.LINE)
        svg.line(drawing, LEFT, y, right, y, css=css, stroke=stroke)
        svg.text(drawing, LEFT - 6, y + 4, up.label(tick), text_anchor="end")
    svg.text(drawing, 4, 16, f"↑ {share}")
    width = (right - LEFT) / len(bars)
    every = -(-len(bars) // MOST_LABELS)
    for place, bar in enumerate(bars):
        left = LEFT + place * width
        if place % every == 0:
            svg.text(drawing, round(left, 1), bottom + 16, bar.begin, text_anchor="middle")
        if not bar.hidden:
            _draw(drawing, bar, left, width, up)
    if len(bars) % every == 0:
        svg.text(drawing, right, bottom + 16, end, text_anchor="end")
    svg.text(drawing, right, HEIGHT - 6, f"{unit} →", text_anchor="end")
    return svg.rendered(drawing)


def _draw(drawing: svg.Part, bar: Bar, left: float, width: float, up: svg.Axis) -> None:
    group = drawing.add("g")
    group.add("title", text=bar.said)
    top, gap = up.place(bar.share), min(1.0, width / 8)
    group.add(
        "rect",
        {
            "x": f"{left + gap:.2f}",
            "y": f"{top:g}",
            "width": f"{width - 2 * gap:.2f}",
            "height": f"{up.place(0) - top:.2f}",
            "class": "mark",
            "fill": svg.ACCENT,
            "fill-opacity": ".55",
        },
    )
    middle = round(left + width / 2, 2)
    low, high = (up.place(bar.share + side * NORMAL * bar.error) for side in (-1, 1))
    svg.line(group, middle, low, middle, high, css="whisker", stroke=svg.ACCENT, stroke_width="1.5")
