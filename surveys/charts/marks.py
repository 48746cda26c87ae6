"""Distinguish series without colour: by the dash of their line and the shape of their marks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from surveys.charts import svg

__all__ = ["LOOKS", "RADIUS", "Look", "draw_mark", "group_of"]

RADIUS: Final = 3.6


@dataclass(frozen=True, kw_only=True)
class Look:
    """A line's dash, the shape of its marks, whether the marks are open, and a colour in addition.

    Attributes
    ----------
    shape : sequence of (float, float)
        Corners of the mark, in radii; empty: a circle.
    strokes : bool
        The corners are ends of strokes, in pairs, rather than of an area.
    """

    dash: str
    colour: str
    shape: tuple[tuple[float, float], ...] = ()
    open: bool = False
    strokes: bool = False


LOOKS: Final = (
    Look(dash="", colour=svg.ACCENT),
    Look(dash="7 3", colour=svg.WARN, shape=((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)), open=True),
    Look(dash="2 3", colour=svg.INK, shape=((0, -1.1), (1.1, 0.9), (-1.1, 0.9))),
    Look(dash="10 3 2 3", colour=svg.SOFT, shape=((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)), open=True),
    Look(
        dash="5 2 1 2 1 2",
        colour=svg.ACCENT,
        shape=((-0.9, -0.9), (0.9, 0.9), (-0.9, 0.9), (0.9, -0.9)),
        strokes=True,
    ),
    Look(dash="14 4", colour=svg.WARN, shape=((0, -1.2), (0, 1.2), (-1.2, 0), (1.2, 0)), strokes=True),
)
"""Looks of the series of a picture, in order; one picture cannot distinguish more."""


def group_of(parent: svg.Part, number: int) -> svg.Part:
    """Return a group for the elements of a series, in its colour, which a page's style sheet may override."""
    colour = LOOKS[number].colour
    return parent.add("g", {"class": f"series series-{number + 1}", "stroke": colour, "fill": colour})


def draw_mark(group: svg.Part, number: int, x: float, y: float) -> svg.Part:
    """Draw the mark of a series."""
    look = LOOKS[number]
    css = "open" if look.open else "full"
    paint = {"fill": svg.PAPER} if look.open else {}
    corners = [(round(x + RADIUS * dx, 2), round(y + RADIUS * dy, 2)) for dx, dy in look.shape]
    if look.strokes:
        ends = zip(corners[::2], corners[1::2], strict=True)
        path = "".join(f"M{x1:g} {y1:g}L{x2:g} {y2:g}" for (x1, y1), (x2, y2) in ends)
        return group.add("path", {"d": path, "class": css, "stroke-width": "1.5"})
    if corners:
        points = " ".join(f"{px:g},{py:g}" for px, py in corners)
        return group.add("polygon", {"points": points, "class": css, "stroke-width": "1.25", **paint})
    attributes = {"cx": f"{x:g}", "cy": f"{y:g}", "r": f"{RADIUS:g}"}
    return group.add("circle", {**attributes, "class": css, "stroke-width": "1.25", **paint})
