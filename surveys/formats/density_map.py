"""Draw the density of places on a map."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from django.utils.safestring import SafeString
from numpy.typing import NDArray

from privacy.arrays import Array, Flags
from privacy.scales.area import Area
from privacy.scales.planar_pieces import Pieces
from privacy.scales.planar_rectangles import Rectangle
from surveys.formats import svg

MOST_ACROSS: Final = 128
"""Maps with more cells per side are drawn in tiles of several cells."""

MAP_WIDTH, TALLEST, MARGIN, KEY = 480, 460, 8, 74

KEY_COLUMNS: Final = 3

COLOUR_STEPS: Final = tuple(
    {"class": "mark", "fill": svg.ACCENT, "fill-opacity": darkness}
    for darkness in (".1", ".26", ".46", ".7", "1")
)

FRAME: Final = {"fill": "none", "class": "axis", "stroke": svg.STRONG}

DASHED: Final = {"class": "truth", "fill": "none", "stroke": svg.WARN, "stroke-dasharray": "5 3"}

BOLD: Final = {"stroke-width": "1.5"}


def tile_side(area: Area) -> int:
    """Return the side of the smallest tile in cells, a power of 2.

    >>> square = {"west": 0, "south": 0, "east": 10**7, "north": 10**7}
    >>> [tile_side(Area(**square, columns=columns, rows=9)) for columns in (128, 129, 999)]
    [1, 2, 8]
    """
    return 1 << max(0, -(-max(area.rows, area.columns) // MOST_ACROSS) - 1).bit_length()


def step_bounds(pieces: Pieces, area: Area) -> list[tuple[float, float]]:
    """Return lowest and highest share per tile of each shade; each shade reaches twice the previous one."""
    seen = _per_tile(pieces, area)[~pieces.hidden]
    most = float(seen.max()) if seen.size else 0.0
    ends = [0.0, most / 16, most / 8, most / 4, most / 2, most]
    return list(pairwise(ends))


def _per_tile(pieces: Pieces, area: Area) -> Array:
    """Return, for each piece, the share of people in a tile of the same density."""
    shares: Array = pieces.share / pieces.cells((area.rows, area.columns)) * tile_side(area) ** 2
    return shares


def density_svg(
    pieces: Pieces,
    area: Area,
    *,
    title: str,
    steps: Sequence[str],
    hidden: str,
    sensitive: Sequence[Rectangle],
    sensitive_word: str,
    outline: Sequence[Sequence[Sequence[int]]],
) -> SafeString:
    """Draw the density of places on a map.

    Parameters
    ----------
    pieces : Pieces
        Each at least as large as `tile_side`.
    area : Area
    title, hidden, sensitive_word : str
        Title of the picture, and the texts of its key.
    steps : sequence of str
        Label of each shade, in the order of `step_bounds`.
    sensitive : sequence of Rectangle
        Sensitive rectangles, in cells.
    outline : sequence of rings
        Points (longitude, latitude) in 10^-7 degrees.
    """
    metres = area.metres
    scale = min((MAP_WIDTH - 2 * MARGIN) / metres[0], TALLEST / metres[1])
    across, up = metres[0] * scale, metres[1] * scale
    drawing = svg.drawing(MAP_WIDTH, up + 2 * MARGIN + KEY, title=title)
    left, bottom = (MAP_WIDTH - across) / 2, MARGIN + up
    wide, high = across / area.columns, up / area.rows
    ground = drawing.add(
        "g",
        {
            "transform": f"translate({left:g} {bottom:g}) scale({wide:g} {-high:g})",
            "shape-rendering": "crispEdges",
        },
    )
    ground.add("title", text=title)
    size = tile_side(area)
    tile_steps = _tile_steps(pieces, area, size)
    for step, (look, words) in enumerate(zip(COLOUR_STEPS, steps, strict=True)):
        path = ground.add("path", {"d": _runs(tile_steps == step, size, area)} | look)
        path.add("title", text=words)
    frame = {"x": f"{left:g}", "y": f"{MARGIN}", "width": f"{across:g}", "height": f"{up:g}"}
    drawing.add("rect", frame | FRAME)
    for ring in outline:
        drawing.add("polygon", {"points": _points(ring, area, left, bottom, across, up)} | FRAME)
    for x, y, columns, rows in sensitive:
        box = {"x": left + x * wide, "y": bottom - (y + rows) * high}
        box |= {"width": columns * wide, "height": rows * high}
        drawing.add("rect", {name: f"{value:.2f}" for name, value in box.items()} | DASHED | BOLD)
    _draw_map_key(drawing, bottom + MARGIN, steps, hidden, sensitive_word if sensitive else "")
    return svg.render_svg(drawing)


def _draw_map_key(
    drawing: svg.SvgPart, top: float, steps: Sequence[str], hidden: str, sensitive: str
) -> None:
    width = (MAP_WIDTH - 2 * MARGIN) / KEY_COLUMNS
    box = {"width": "14", "height": "12"}
    entries: list[tuple[dict[str, str], str]] = list(zip(COLOUR_STEPS, steps, strict=True))
    if sensitive:
        entries.append((DASHED, sensitive))
    if hidden:
        entries += [({}, "")] * (-len(entries) % KEY_COLUMNS)
        entries.append((FRAME, hidden))
    for position, (look, words) in enumerate(entries):
        if words:
            row, column = divmod(position, KEY_COLUMNS)
            x, y = MARGIN + column * width, top + 4 + 22 * row
            drawing.add("rect", {"x": f"{x:g}", "y": f"{y:g}"} | look | box)
            svg.text(drawing, round(x + 20, 1), y + 10, words)


def _tile_steps(pieces: Pieces, area: Area, size: int) -> NDArray[np.int8]:
    """Return the shade of each tile; -1 if it has too few people to show."""
    shares = _per_tile(pieces, area)
    ends = [low for low, _high in step_bounds(pieces, area)]
    steps = np.where(pieces.hidden, -1, np.searchsorted(ends, shares, side="right") - 1)
    tiles = np.full((-(-area.rows // size), -(-area.columns // size)), -1, dtype=np.int8)
    places = zip(pieces.row // size, pieces.column // size, pieces.side // size, steps, strict=True)
    for row, column, side, step in places:
        tiles[row : row + side, column : column + side] = step
    return tiles


def _runs(inside: Flags, size: int, area: Area) -> str:
    """Return tiles as one SVG path, joining neighbours in a row; the unit is a cell, and north is up."""
    grid = np.pad(inside, ((0, 0), (1, 1))).astype(np.int8)
    edges = np.diff(grid, axis=1)
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
    points = ((left + (x - area.west) * east, bottom - (y - area.south) * north) for x, y in ring)
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
