"""The picture of a place's density: the map in steps of darkness, with its outline and sensitive places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from django.utils.safestring import SafeString
from numpy.typing import NDArray

from privacy.disguise.area import Area
from privacy.disguise.cells import Rectangle
from surveys.report import svg

__all__ = ["Tiles", "density_svg", "step_bounds", "tiles_of"]

Array: TypeAlias = NDArray[np.float64]

MOST_ACROSS: Final = 120
"""A map of more cells to a side is drawn in tiles of several cells."""

WIDTH, TALLEST, MARGIN, KEY = 480, 460, 8, 74
KEY_COLUMNS: Final = 3
DARKNESS: Final = (".1", ".26", ".46", ".7", "1")


@dataclass(frozen=True, kw_only=True, eq=False)
class Tiles:
    """A density as it is drawn.

    Attributes
    ----------
    shares : ndarray of float64, shape (rows, columns)
        Row 0 in the south.
    size : int
        Cells to a side of a tile.
    hidden : ndarray of bool, same shape
        Tiles of too few people to be told of.
    """

    shares: Array
    size: int
    hidden: NDArray[np.bool_]


def tiles_of(shares: Array, n: int, least: int) -> Tiles:
    """Return the tiles of a density of `n` people; those of fewer than `least` are hidden.

    >>> tiles_of(np.array([[0.9, 0.1]]), 50, 10).hidden.tolist()
    [[False, True]]
    """
    rows, columns = shares.shape
    size = -(-max(rows, columns) // MOST_ACROSS)
    summed = np.add.reduceat(
        np.add.reduceat(shares, range(0, rows, size), axis=0), range(0, columns, size), axis=1
    )
    # A rounding of the sum is no person.
    return Tiles(shares=summed, size=size, hidden=summed * n < least - 1e-6)


def step_bounds(tiles: Tiles) -> list[tuple[float, float]]:
    """Return lowest and highest share of each step of darkness; each step is twice the one below it."""
    seen = tiles.shares[~tiles.hidden]
    most = float(seen.max()) if seen.size else 0.0
    ends = [0.0, most / 16, most / 8, most / 4, most / 2, most]
    return list(pairwise(ends))


def density_svg(
    tiles: Tiles,
    area: Area,
    *,
    title: str,
    steps: Sequence[str],
    hidden: str,
    sensitive: Sequence[Rectangle],
    sensitive_word: str,
    outline: Sequence[Sequence[Sequence[int]]],
    paper: bool = False,
) -> SafeString:
    """Return the picture; with `paper` it has a background, to be saved.

    Parameters
    ----------
    tiles : Tiles
    area : Area
    title, hidden, sensitive_word : str
        What the picture is, and the words of its key.
    steps : sequence of str
        What each step of darkness says, as `step_bounds` orders them.
    sensitive : sequence of Rectangle
        In cells.
    outline : sequence of rings
        Of points, longitude and latitude in 10^-7 degrees.
    """
    metres = area.metres
    scale = min((WIDTH - 2 * MARGIN) / metres[0], TALLEST / metres[1])
    across, up = metres[0] * scale, metres[1] * scale
    drawing = svg.drawing(WIDTH, up + 2 * MARGIN + KEY, title=title, paper=paper)
    left, bottom = (WIDTH - across) / 2, MARGIN + up
    wide, high = across / area.columns, up / area.rows
    ground = drawing.add(
        "g",
        {
            "transform": f"translate({left:g} {bottom:g}) scale({wide:g} {-high:g})",
            "shape-rendering": "crispEdges",
        },
    )
    ground.add("title", text=title)
    for (low, top), darkness, words in zip(step_bounds(tiles), DARKNESS, steps, strict=True):
        inside = (
            ~tiles.hidden
            & (tiles.shares >= low)
            & (tiles.shares <= top if darkness == "1" else tiles.shares < top)
        )
        path = ground.add(
            "path",
            {
                "d": _runs(inside, tiles.size, area),
                "class": "mark",
                "fill": svg.ACCENT,
                "fill-opacity": darkness,
            },
        )
        path.add("title", text=words)
    frame = {"fill": "none", "class": "axis", "stroke": svg.STRONG}
    drawing.add(
        "rect", {"x": f"{left:g}", "y": f"{MARGIN}", "width": f"{across:g}", "height": f"{up:g}"} | frame
    )
    for ring in outline:
        drawing.add("polygon", {"points": _points(ring, area, left, bottom, across, up)} | frame)
    for x, y, columns, rows in sensitive:
        drawing.add(
            "rect",
            {
                "x": f"{left + x * wide:.2f}",
                "y": f"{bottom - (y + rows) * high:.2f}",
                "width": f"{columns * wide:.2f}",
                "height": f"{rows * high:.2f}",
                "class": "truth",
                "fill": "none",
                "stroke": svg.WARN,
                "stroke-width": "1.5",
                "stroke-dasharray": "5 3",
            },
        )
    _draw_key(drawing, bottom + MARGIN, steps, hidden, sensitive_word if sensitive else "")
    return svg.rendered(drawing)


def _draw_key(drawing: svg.Part, top: float, steps: Sequence[str], hidden: str, sensitive: str) -> None:
    width = (WIDTH - 2 * MARGIN) / KEY_COLUMNS
    box = {"width": "14", "height": "12"}
    entries = [
        ({"class": "mark", "fill": svg.ACCENT, "fill-opacity": darkness}, words)
        for darkness, words in zip(DARKNESS, steps, strict=True)
    ]
    if sensitive:
        dashed = {"class": "truth", "fill": "none", "stroke": svg.WARN, "stroke-dasharray": "5 3"}
        entries.append((dashed, sensitive))
    if hidden:
        entries += [({}, "")] * (-len(entries) % KEY_COLUMNS)
        entries.append(({"class": "axis", "fill": "none", "stroke": svg.STRONG}, hidden))
    for place, (look, words) in enumerate(entries):
        if words:
            row, column = divmod(place, KEY_COLUMNS)
            x, y = MARGIN + column * width, top + 4 + 22 * row
            drawing.add("rect", {"x": f"{x:g}", "y": f"{y:g}"} | look | box)
            svg.text(drawing, round(x + 20, 1), y + 10, words)


def _runs(inside: NDArray[np.bool_], size: int, area: Area) -> str:
    """Write tiles as one path, neighbours in a row together; the unit is a cell, and up is up."""
    padded = np.pad(inside, ((0, 0), (1, 1))).astype(np.int8)
    edges = np.diff(padded, axis=1)
    rows, starts = np.nonzero(edges == 1)
    _rows, ends = np.nonzero(edges == -1)
    parts = []
    for row, start, end in zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True):
        wide = min(end * size, area.columns) - start * size
        high = min((row + 1) * size, area.rows) - row * size
        parts.append(f"M{start * size} {row * size}h{wide}v{high}h-{wide}z")
    return "".join(parts)


def _points(
    ring: Sequence[Sequence[int]], area: Area, left: float, bottom: float, across: float, up: float
) -> str:
    east, north = across / (area.east - area.west), up / (area.north - area.south)
    found = ((left + (x - area.west) * east, bottom - (y - area.south) * north) for x, y in ring)
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in found)
