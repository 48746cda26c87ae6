"""What a device sends for one number or place under one draw: the law that arrays are held to."""

from __future__ import annotations

from privacy.coins import SCALE
from privacy.scales.area import Rectangle, overlap
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.skipping import Skipping
from privacy.scales.window import WindowChannel


def sent(disguise: WindowChannel | PlanarWindowChannel | Skipping, x: int | None, draw: int) -> int | None:
    """The bin or cell that is sent; None stands for a skip on both sides."""
    if isinstance(disguise, Skipping):
        inner = draw // (SCALE - disguise.refusal)
        if inner >= disguise.disguise.total or (x is None and not is_decoy(disguise.disguise, inner)):
            return None
        return sent(disguise.disguise, x or 0, inner)
    assert x is not None
    return _number(disguise, x, draw) if isinstance(disguise, WindowChannel) else _place(disguise, x, draw)


def is_decoy(disguise: WindowChannel | PlanarWindowChannel, draw: int) -> bool:
    """Whether a draw sends the same whatever the answer is; of a place a cell of the first level."""
    if isinstance(disguise, PlanarWindowChannel):
        return draw % disguise.levels[0].total >= disguise.levels[0].near
    draw -= disguise.floor * disguise.grid_outputs
    turn = draw - disguise.peak * disguise.window - disguise.lean
    return draw < 0 or -disguise.lean <= turn < 0 or turn >= disguise.step * (disguise.inputs - 1)


def _number(channel: WindowChannel, x: int, draw: int) -> int:
    if draw < channel.floor * channel.grid_outputs:
        return draw // channel.floor
    draw -= channel.floor * channel.grid_outputs
    if draw < channel.peak * channel.window:
        return (channel.start(x) + draw // channel.peak) % channel.grid_outputs
    draw -= channel.peak * channel.window
    return channel.grid_outputs + (draw < channel.lean + channel.step * x)


def _place(windows: PlanarWindowChannel, cell: int, draw: int) -> int:
    columns, own = windows.area.columns, windows.level_of(cell)
    for number, level in enumerate(windows.levels[: own + 1]):
        draw, here = divmod(draw, level.total)
        if here >= level.near:
            x, y = any_cell(level, (here - level.near) // level.denominator)
            return y * columns + x
        if number == own:
            y, x = divmod(cell, columns)
            x, y = _part_of(level, window_at(level, x, y), here // (level.numerator - level.denominator))
            return y * columns + x
    return cell


def any_cell(level: PlanarLevel, index: int) -> tuple[int, int]:
    """The cell of a level that a number below its ground falls on: of frames the cell, of tiles a part."""
    if level.tiles:
        tile, part = divmod(index, level.parts)
        for box, (columns, rows) in zip(level.rectangles, level.tiles, strict=True):
            if tile < columns * rows:
                return _part_of(level, tile_of(box, (columns, rows), tile), part)
            tile -= columns * rows
    for left, low, width, height in () if level.tiles else level.rectangles:
        if index < width * height:
            return left + index % width, low + index // width
        index -= width * height
    raise ValueError(f"place {index} lies behind the last cell")


def _part_of(level: PlanarLevel, window: Rectangle, part: int) -> tuple[int, int]:
    left, low, across, up = window
    tile = part * (across * up) // level.parts
    return left + tile % across, low + tile // across


def window_at(level: PlanarLevel, x: int, y: int) -> Rectangle:
    """The window of a cell: its tile, or the window with the nearest middle, the first frame among equals."""
    if level.tiles:
        for box, counts in zip(level.rectangles, level.tiles, strict=True):
            if overlap(box, (x, y, 1, 1)):
                tiles = (tile_of(box, counts, number) for number in range(counts[0] * counts[1]))
                return next(tile for tile in tiles if overlap(tile, (x, y, 1, 1)))
    best, window = None, (0, 0, 0, 0)
    for frame in level.frames:
        left = _anchor(x, frame[0], frame[2], frame[4], snap=level.snap)
        low = _anchor(y, frame[1], frame[3], frame[5], snap=level.snap)
        distance = (2 * left + frame[4] - 1 - 2 * x) ** 2 + (2 * low + frame[5] - 1 - 2 * y) ** 2
        if best is None or distance < best:
            best, window = distance, (left, low, frame[4], frame[5])
    return window


def _anchor(x: int, start: int, length: int, size: int, *, snap: bool) -> int:
    if snap:
        return start + size * min(max((x - start) // size, 0), length // size - 1)
    return min(max(x - size // 2, start), start + length - size)


def tile_of(box: Rectangle, counts: tuple[int, int], number: int) -> Rectangle:
    """Tile `number` of a rectangle, row after row."""
    row, column = divmod(number, counts[0])
    left, right = (box[0] + edge * box[2] // counts[0] for edge in (column, column + 1))
    low, high = (box[1] + edge * box[3] // counts[1] for edge in (row, row + 1))
    return left, low, right - left, high - low
