"""The picture of one share: a bar from 0 to 100%, a line over its interval, a mark at the true share."""

from __future__ import annotations

from typing import Final

from django.utils.safestring import SafeString

from surveys.charts import axes, svg

WIDTH: Final = 400
HEIGHT: Final = 18
_MIDDLE: Final = HEIGHT / 2


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
    across = axes.Axis(low=0, high=1, start=1, end=WIDTH - 1, step=0.25)
    picture = svg.drawing(WIDTH, HEIGHT, title=said)
    ends = {"y": "4", "height": f"{HEIGHT - 8}"}
    picture.add("rect", {**ends, "class": "ground", "x": "1", "width": f"{WIDTH - 2}", "fill": svg.LINE})
    width = max(0.0, across.position(value) - 1)
    picture.add("rect", {**ends, "class": "share", "x": "1", "width": f"{width:g}", "fill": svg.ACCENT})
    whisker = {"stroke": svg.INK, "stroke_width": "1.5"}
    svg.line(picture, across.position(low), _MIDDLE, across.position(high), _MIDDLE, css="reach", **whisker)
    for end in (low, high):
        svg.line(picture, across.position(end), 5, across.position(end), HEIGHT - 5, css="reach", **whisker)
    if truth is not None:
        svg.diamond(picture, across.position(truth), _MIDDLE, 5, css="truth", fill=svg.PAPER, stroke=svg.WARN)
    return svg.rendered(picture)
