"""One level of sensitive cells: its windows, weights and amplification."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Final

import numpy as np

from privacy import validation
from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.scales.planar_rectangles import (
    Frame,
    Rectangle,
    overlap,
    overlaps,
    paint_cells,
    read_frame,
    read_rectangle,
)
from privacy.scales.planar_tiles import Tiling, share_of_tiles, tile_probabilities, windows_in

MOST_RECTANGLES: Final = 2_000
LARGEST_WEIGHT: Final = 1 << 128
LARGEST_GRID: Final = 1_000_000


@dataclass(frozen=True, kw_only=True)
class PlanarLevel:
    """The cells A of one level of sensitivity, their amplification, and the frames in which windows move.

    Parameters
    ----------
    numerator, denominator : int
        rho = numerator / denominator > 1, the amplification inside A; e^epsilon rounded down.
    rectangles : tuple of Rectangle
        A, divided into rectangles that share no cell.
    frames : tuple of Frame
        Rectangles inside A, each with the width and height of the window in it; all windows have the same
        number W of cells. Empty if there are tiles.
    snap : bool
        True if windows are on a lattice of their own size in each frame, so that all cells of one tile have
        the same window; False if each window is centred on its cell as far as possible.
    tiles : tuple of Tiling, optional
        Instead of frames, the number of tiles in each rectangle, as even as whole cells allow. Tile i of m
        along n cells begins at i n div m.

    Raises
    ------
    PrivacyError
        With codes ``disguise``, ``rectangle``, ``frame``, ``overlap``, ``too_large``.

    Notes
    -----
    Let A have N cells, and let k = numerator - denominator. A device makes one draw u below T = k W +
    denominator N. If u is below k W, it reports a cell of the window (a place outside A passes this level);
    otherwise, it reports any cell of A. So each cell of A has the weight denominator, and each cell of the
    window has the weight numerator.

    Tiles need not have the same number of cells, so a device draws a tile. With M tiles, and L the least
    common multiple of their numbers of cells, T = k L + denominator L M. The place's own tile has the weight
    numerator, each other tile has the weight denominator, and all cells of a tile are equally likely.

    Examples
    --------
    Five columns in two tiles, of two and of three cells; L = 6:

    >>> level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 5, 1),), frames=(), snap=True,
    ...               tiles=((2, 1),))
    >>> level.window_at(1, 0), level.window_at(2, 0), level.total == 2 * 6 + 6 * 2
    ((0, 0, 2, 1), (2, 0, 3, 1), True)
    """

    numerator: int
    denominator: int
    rectangles: tuple[Rectangle, ...]
    frames: tuple[Frame, ...]
    snap: bool = False
    tiles: tuple[Tiling, ...] = ()

    def __post_init__(self) -> None:
        for name in ("numerator", "denominator"):
            number = validation.whole_number(
                getattr(self, name), name, low=1, high=LARGEST_WEIGHT, code="disguise"
            )
            object.__setattr__(self, name, number)
        if self.numerator <= self.denominator:
            raise PrivacyError("disguise.amplification", self.numerator, denominator=self.denominator)
        validation.truth_value(self.snap, "snap", code="disguise")
        for name, read in (("rectangles", read_rectangle), ("frames", read_frame)):
            rectangles = validation.as_tuple(getattr(self, name), name, code="rectangle")
            parts = tuple(read(part, LARGEST_GRID, LARGEST_GRID) for part in rectangles)
            if not (name == "rectangles" or not self.tiles) <= len(parts) <= MOST_RECTANGLES:
                raise PrivacyError("too_large.level", len(parts), name=name, most=MOST_RECTANGLES)
            object.__setattr__(self, name, parts)
        for earlier, other in np.argwhere(np.triu(overlaps(self.rectangles, self.rectangles), 1)).tolist()[
            :1
        ]:
            first, second = self.rectangles[earlier], self.rectangles[other]
            raise PrivacyError("overlap.rectangles", (first, second), first=first, second=second)
        if self.tiles:
            self._check_tiles()
        else:
            self._check_frames()

    def _check_tiles(self) -> None:
        counts = validation.as_tuple(self.tiles, "tiles", code="frame")
        if self.frames or not self.snap or len(counts) != len(self.rectangles):
            raise PrivacyError("frame.tiles", counts)
        tiles = []
        for entry, (_, _, width, height) in zip(counts, self.rectangles, strict=True):
            pair = validation.as_tuple(entry, "tiles", code="frame")
            if len(pair) != 2:
                raise PrivacyError("frame.tiles", pair)
            across, up = (
                validation.whole_number(count, "number of tiles", low=1, high=most, code="frame")
                for count, most in zip(pair, (width, height), strict=True)
            )
            tiles.append((across, up))
        object.__setattr__(self, "tiles", tuple(tiles))

    def _check_frames(self) -> None:
        areas = {across * up for *_, across, up in self.frames}
        if len(areas) != 1:
            raise PrivacyError("frame.tiles", sorted(areas))
        overlapping = overlaps(self.frames, self.rectangles).sum(axis=1)
        for frame, cells in zip(self.frames, overlapping.tolist(), strict=True):
            is_cut = self.snap and (frame[2] % frame[4] or frame[3] % frame[5])
            if is_cut or cells != frame[2] * frame[3]:
                raise PrivacyError("frame.tiles", frame)

    @cached_property
    def cells(self) -> int:
        """N, the number of cells in A."""
        return sum(width * height for _, _, width, height in self.rectangles)

    @cached_property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """Distinct widths and heights of windows, as sorted pairs."""
        if not self.tiles:
            return tuple(sorted({frame[4:] for frame in self.frames}))
        return tuple(
            sorted(
                {
                    (across, up)
                    for (_, _, width, height), (columns, rows) in zip(
                        self.rectangles, self.tiles, strict=True
                    )
                    for across in {width // columns, -(-width // columns)}
                    for up in {height // rows, -(-height // rows)}
                }
            )
        )

    @property
    def window(self) -> int:
        """W, the number of cells in a window, or in the largest tile."""
        return max(across * up for across, up in self.sizes)

    @cached_property
    def parts(self) -> int:
        """Number of parts of a window in a draw: W, or L, the least common multiple of the tiles' cells."""
        return lcm(*(across * up for across, up in self.sizes))

    @cached_property
    def ground(self) -> int:
        """Number of parts of A: N, its number of cells, or L for each tile."""
        if not self.tiles:
            return self.cells
        return self.parts * sum(across * up for across, up in self.tiles)

    @cached_property
    def total(self) -> int:
        """T; a device draws from 0 to T - 1."""
        return self.near + self.denominator * self.ground

    @cached_property
    def near(self) -> int:
        """k W, or k L, the weight of reporting from the window, or of passing through."""
        return (self.numerator - self.denominator) * self.parts

    @property
    def truth(self) -> Fraction:
        """beta = near / T, the probability of passing through."""
        return Fraction(self.near, self.total)

    @property
    def amplification(self) -> Fraction:
        """rho."""
        return Fraction(self.numerator, self.denominator)

    def holds(self, x: int, y: int) -> bool:
        """Return whether a cell is in A."""
        return any(left <= x < left + w and low <= y < low + h for left, low, w, h in self.rectangles)

    def window_at(self, x: int, y: int) -> Rectangle:
        """Return the window of a cell of A: its tile, or the first of the windows with the nearest middle."""
        left, low, across, up = (int(edge[0]) for edge in self.windows_of(np.array([x]), np.array([y])))
        return left, low, across, up

    def windows_of(self, x: Whole, y: Whole) -> tuple[Whole, Whole, Whole, Whole]:
        """Return the first column, first row, width and height of the windows of many cells of A."""
        if self.tiles:
            return windows_in(self.rectangles, self.tiles, x, y)
        best = np.full(len(x), np.iinfo(np.int64).max)
        left, low, across, up = (np.zeros_like(x) for _ in range(4))
        for frame in self.frames:
            starts_x = anchors(x, frame[0], frame[2], frame[4], snap=self.snap)
            starts_y = anchors(y, frame[1], frame[3], frame[5], snap=self.snap)
            distance = (2 * starts_x + frame[4] - 1 - 2 * x) ** 2 + (2 * starts_y + frame[5] - 1 - 2 * y) ** 2
            nearer = distance < best
            for window, value in (
                (best, distance),
                (left, starts_x),
                (low, starts_y),
                (across, frame[4]),
                (up, frame[5]),
            ):
                np.copyto(window, value, where=nearer)
        return left, low, across, up

    def parts_at(self, x: int, y: int) -> int:
        """Return the number of values of `ground` that map to a cell of A."""
        _, _, across, up = self.window_at(x, y)
        return self.parts // (across * up)

    def share_of(self, region: Iterable[Rectangle]) -> Fraction:
        """Return the probability that a random cell of A is in a region of rectangles that share no cell."""
        boxes = tuple(region)
        if not self.tiles:
            return Fraction(
                sum(overlap(part, rectangle) for part in boxes for rectangle in self.rectangles), self.cells
            )
        return share_of_tiles(self.rectangles, self.tiles, boxes)

    def probabilities(self, columns: int, rows: int) -> Array:
        """Return the probability of each cell of a map if a cell of A is drawn at random."""
        if not self.tiles:
            return paint_cells(self.rectangles, columns, rows) / self.cells
        return tile_probabilities(self.rectangles, self.tiles, columns, rows)

    def to_json(self) -> dict[str, Any]:
        """Return the level as a device reads it."""
        return {
            "numerator": str(self.numerator),
            "denominator": str(self.denominator),
            "rectangles": [list(rectangle) for rectangle in self.rectangles],
            "frames": [list(frame) for frame in self.frames],
            "snap": self.snap,
            # Omitted if there are no tiles, so that the bytes of published surveys do not change.
            **({"tiles": [list(pair) for pair in self.tiles]} if self.tiles else {}),
        }


def anchors(x: Whole, start: int | Whole, length: int | Whole, size: int | Whole, *, snap: bool) -> Whole:
    """Return the starts of the windows around some columns (or rows), in a frame that starts at `start`.

    Parameters
    ----------
    x : ndarray of int
        Columns, or rows.
    start, length : int or ndarray of int
        First cell and number of cells of the frame.
    size : int or ndarray of int
        Number of cells of a window, at most `length`.
    snap : bool
        Whether windows are on a lattice instead of around their cell.
    """
    first: Whole
    if snap:
        # A cell outside the frame gets the nearest tile of the frame.
        first = start + size * np.clip((x - start) // size, 0, length // size - 1)
    else:
        first = np.clip(x - size // 2, start, start + length - size)
    return first
