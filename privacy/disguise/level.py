"""One level of sensitive cells: what is drawn when a place lies in them, and what passes through."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from privacy import validation
from privacy.disguise.cells import Frame, Rectangle, overlaps, read_frame, read_rectangle
from privacy.errors import DesignError

__all__ = ["Level", "anchors"]

Integers: TypeAlias = npt.NDArray[np.int64]

MOST_RECTANGLES: Final = 2_000
LARGEST_WEIGHT: Final = 1 << 128
LARGEST_GRID: Final = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Level:
    """Cells A of one sensitivity, their amplification, and the frames in which the window moves.

    Parameters
    ----------
    numerator, denominator : int
        rho = numerator / denominator > 1, the amplification inside A; e^epsilon rounded down.
    rectangles : tuple of Rectangle
        A, cut into rectangles that share no cell.
    frames : tuple of Frame
        Rectangles inside A, each with the width and height of the window in it; all windows have the same
        number W of cells.
    snap : bool
        True where windows lie on a lattice of their own size in each frame, so that all cells of one tile
        have the same window; False where a window is put around its cell as well as it goes.

    Raises
    ------
    DesignError
        With codes ``disguise``, ``rectangle``, ``frame``, ``overlap``, ``too_large``.

    Notes
    -----
    With N cells in A and k = numerator - denominator, one draw u below T = k W + denominator N says: u below
    k W, report a cell of the window (for a place outside A: nothing is drawn here); else any cell of A. So
    each cell of A has the weight denominator, and those of the window the weight numerator.
    """

    numerator: int
    denominator: int
    rectangles: tuple[Rectangle, ...]
    frames: tuple[Frame, ...]
    snap: bool = False

    def __post_init__(self) -> None:
        for name in ("numerator", "denominator"):
            number = validation.whole_number(
                getattr(self, name), name, low=1, high=LARGEST_WEIGHT, code="disguise", error=DesignError
            )
            object.__setattr__(self, name, number)
        if self.numerator <= self.denominator:
            raise DesignError(
                "disguise",
                f"an amplification of {self.numerator}/{self.denominator} carries no information",
                self.numerator,
                "choose epsilon > 0",
            )
        validation.truth_value(self.snap, "snap", code="disguise", error=DesignError)
        for name, read in (("rectangles", read_rectangle), ("frames", read_frame)):
            given = validation.listed(getattr(self, name), name, code="rectangle", error=DesignError)
            parts = tuple(read(part, LARGEST_GRID, LARGEST_GRID) for part in given)
            if not 1 <= len(parts) <= MOST_RECTANGLES:
                raise DesignError(
                    "too_large", f"{len(parts)} {name}", len(parts), f"give 1 to {MOST_RECTANGLES} of them"
                )
            object.__setattr__(self, name, parts)
        for one, other in np.argwhere(np.triu(overlaps(self.rectangles, self.rectangles), 1)).tolist()[:1]:
            first, second = self.rectangles[one], self.rectangles[other]
            raise DesignError(
                "overlap",
                f"rectangles {first} and {second} overlap",
                (first, second),
                "cut the union into rectangles that share no cell",
            )
        self._check_frames()

    def _check_frames(self) -> None:
        areas = {across * up for *_, across, up in self.frames}
        if len(areas) != 1:
            raise DesignError(
                "frame",
                f"windows of {sorted(areas)} cells",
                sorted(areas),
                "give all windows the same number of cells: else epsilon is exceeded",
            )
        held = overlaps(self.frames, self.rectangles).sum(axis=1)
        for frame, cells in zip(self.frames, held.tolist(), strict=True):
            if cells != frame[2] * frame[3]:
                raise DesignError(
                    "frame", f"frame {frame} leaves the sensitive cells", frame, "keep frames inside them"
                )
            if self.snap and (frame[2] % frame[4] or frame[3] % frame[5]):
                raise DesignError(
                    "frame", f"frame {frame} is no whole number of windows", frame, "let tiles fill the frame"
                )

    @cached_property
    def cells(self) -> int:
        """N, the number of cells in A."""
        return sum(width * height for _, _, width, height in self.rectangles)

    @property
    def window(self) -> int:
        """W, the number of cells in a window."""
        return self.frames[0][4] * self.frames[0][5]

    @cached_property
    def total(self) -> int:
        """T; a device draws from 0 to T - 1."""
        return self.near + self.denominator * self.cells

    @cached_property
    def near(self) -> int:
        """k W, the weight of reporting from the window, or of passing through."""
        return (self.numerator - self.denominator) * self.window

    @property
    def truth(self) -> Fraction:
        """beta = k W / T, the chance of passing through."""
        return Fraction(self.near, self.total)

    @property
    def amplification(self) -> Fraction:
        """rho."""
        return Fraction(self.numerator, self.denominator)

    def holds(self, x: int, y: int) -> bool:
        """Whether a cell lies in A."""
        return any(left <= x < left + w and low <= y < low + h for left, low, w, h in self.rectangles)

    def window_at(self, x: int, y: int) -> Rectangle:
        """Return the window of a cell of A: the one with the nearest middle; the first frame among equals."""
        best, found = None, (0, 0, 0, 0)
        for frame in self.frames:
            left = _anchor(x, frame[0], frame[2], frame[4], snap=self.snap)
            low = _anchor(y, frame[1], frame[3], frame[5], snap=self.snap)
            distance = (2 * left + frame[4] - 1 - 2 * x) ** 2 + (2 * low + frame[5] - 1 - 2 * y) ** 2
            if best is None or distance < best:
                best, found = distance, (left, low, frame[4], frame[5])
        return found

    def windows_of(
        self, x: npt.NDArray[np.int64], y: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return for many cells of A the window's first column, first row, and the number of its frame."""
        best = np.full(len(x), np.iinfo(np.int64).max)
        left, low, which = np.zeros_like(x), np.zeros_like(y), np.zeros_like(x)
        for number, frame in enumerate(self.frames):
            here = anchors(x, frame[0], frame[2], frame[4], snap=self.snap)
            there = anchors(y, frame[1], frame[3], frame[5], snap=self.snap)
            distance = (2 * here + frame[4] - 1 - 2 * x) ** 2 + (2 * there + frame[5] - 1 - 2 * y) ** 2
            nearer = distance < best
            best = np.where(nearer, distance, best)
            left, low = np.where(nearer, here, left), np.where(nearer, there, low)
            which = np.where(nearer, number, which)
        return left, low, which

    def any_cell(self, place: int) -> tuple[int, int]:
        """Return column and row of the cell of A number `place`, rectangle after rectangle."""
        for left, low, width, height in self.rectangles:
            if place < width * height:
                return left + place % width, low + place // width
            place -= width * height
        raise ValueError(f"place {place} lies behind the last cell")

    def to_json(self) -> dict[str, Any]:
        """Return the level as a device reads it."""
        return {
            "numerator": str(self.numerator),
            "denominator": str(self.denominator),
            "rectangles": [list(rectangle) for rectangle in self.rectangles],
            "frames": [list(frame) for frame in self.frames],
            "snap": self.snap,
        }


def _anchor(x: int, start: int, length: int, size: int, *, snap: bool) -> int:
    if snap:
        # Outside the frame, its nearest tile.
        return start + size * min(max((x - start) // size, 0), length // size - 1)
    return min(max(x - size // 2, start), start + length - size)


def anchors(
    x: Integers, start: int | Integers, length: int | Integers, size: int | Integers, *, snap: bool
) -> Integers:
    """Return where the windows around some columns (or rows) begin, in a frame that begins at `start`."""
    first: Integers
    if snap:
        first = start + size * np.clip((x - start) // size, 0, length // size - 1)
    else:
        first = np.clip(x - size // 2, start, start + length - size)
    return first
