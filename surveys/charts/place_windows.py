"""Sensitive areas and windows on a map: each kind told apart by its line, each place by its number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString

from privacy.scales.area import Area, Rectangle
from surveys.charts import svg

__all__ = ["PlaceMark", "Words", "place_windows_svg"]

WIDTH, TALLEST, MARGIN, ROW = 400.0, 400.0, 8.0, 18.0
LEAST: Final = 3.0
"""Px to a side: a window of one cell of a large map is still seen."""
SENSITIVE: Final = {"class": "truth", "fill": "none", "stroke": svg.WARN, "stroke-dasharray": "5 3"}
WINDOW: Final = {"class": "reach", "stroke": svg.INK, "fill": svg.ACCENT, "fill-opacity": ".18"}
FRAME: Final = {"class": "axis", "fill": "none", "stroke": svg.STRONG}


@dataclass(frozen=True, kw_only=True)
class PlaceMark:
    """A place, its number on the map, and its window in cells; None where there is none."""

    number: int
    column: int
    row: int
    window: Rectangle | None


@dataclass(frozen=True, kw_only=True)
class Words:
    """The texts of the picture in the reader's language."""

    title: str
    sensitive: str
    window: str
    location: str


def place_windows_svg(
    area: Area, sensitive: Sequence[Rectangle], marks: Sequence[PlaceMark], words: Words
) -> SafeString:
    """Return the picture.

    Parameters
    ----------
    area : Area
    sensitive : sequence of Rectangle
        In cells.
    marks : sequence of PlaceMark
    words : Words
    """
    metres = area.metres
    scale = min((WIDTH - 2 * MARGIN) / metres[0], TALLEST / metres[1])
    across, up = metres[0] * scale, metres[1] * scale
    left, bottom = (WIDTH - across) / 2, MARGIN + up
    wide, high = across / area.columns, up / area.rows
    drawing = svg.drawing(WIDTH, bottom + MARGIN + 3 * ROW + 4, title=words.title)

    def box(rectangle: Rectangle, look: dict[str, str]) -> None:
        x, y, columns, rows = rectangle
        width, height = max(columns * wide, LEAST), max(rows * high, LEAST)
        drawing.add(
            "rect",
            {
                "x": f"{left + (x + columns / 2) * wide - width / 2:.2f}",
                "y": f"{bottom - (y + rows / 2) * high - height / 2:.2f}",
                "width": f"{width:.2f}",
                "height": f"{height:.2f}",
            }
            | look,
        )

    box((0, 0, area.columns, area.rows), FRAME)
    for mark in marks:
        if mark.window is not None:
            # Of two that overlap each keeps its line.
            box(mark.window, WINDOW if mark.number % 2 else WINDOW | {"stroke-dasharray": "1.5 2.5"})
    for rectangle in sensitive:
        box(rectangle, SENSITIVE)
    for mark in marks:
        x, y = left + (mark.column + 0.5) * wide, bottom - (mark.row + 0.5) * high
        svg.circle(drawing, round(x, 2), round(y, 2), 3, css="node", fill=svg.INK)
        beyond = x > WIDTH - 2 * MARGIN - 20
        svg.text(
            drawing, round(x - 6 if beyond else x + 6, 2), round(max(y - 6, 12), 2), str(mark.number),
            css="label", text_anchor="end" if beyond else "start",
        )  # fmt: skip
    for row, (look, said) in enumerate(((SENSITIVE, words.sensitive), (WINDOW, words.window))):
        y = bottom + MARGIN + 4 + ROW * row
        drawing.add("rect", {"x": f"{MARGIN:g}", "y": f"{y:g}", "width": "14", "height": "11"} | look)
        svg.text(drawing, MARGIN + 20, y + 10, svg.cut(said, WIDTH - 40))
    y = bottom + MARGIN + 4 + ROW * 2
    svg.circle(drawing, MARGIN + 7, y + 6, 3, css="node", fill=svg.INK)
    svg.text(drawing, MARGIN + 20, y + 10, svg.cut(words.location, WIDTH - 40))
    return svg.rendered(drawing)
