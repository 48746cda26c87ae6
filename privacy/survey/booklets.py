"""Booklets: the sets of questions, or of whole parts, of which a device draws one."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final, TypeAlias

from privacy import validation
from privacy.errors import PrivacyError

__all__ = ["MOST_LISTED", "Booklet", "Booklets", "Drawn", "Rotation", "check_rotations"]

Booklet: TypeAlias = tuple[int, ...]
"""Positions of the questions that one device is asked, ascending."""

Drawn: TypeAlias = tuple[Booklet, ...]
"""Per block of a design the positions of its questions that one device asks; () for a part left out."""

MOST_LISTED: Final = 1_000
"""Booklets that a design lists: each of them stands in the page of every respondent."""

MOST_DRAWN: Final = 2**53
"""A browser's whole numbers are exact up to here, and so is the number of the booklet that it draws."""


@dataclass(frozen=True, kw_only=True)
class Booklets:
    """Sets of `size` of `total` positions, each drawn with the same chance.

    Parameters
    ----------
    key : str
        Of the part, for refusals.
    total : int
        Questions of the part; parts of a rotation.
    size : int, 1 to total - 1
        How many of them one device is asked.
    listed : tuple of Booklet or None
        The published list, ascending, at most 1,000; None for all C(total, size) sets in lexicographic order.

    Raises
    ------
    PrivacyError
        ``questions_per_person`` (none or all are asked, or a device could not draw exactly), ``booklets`` (a
        set of another size, twice, out of order or out of range; a question in none of them; too many).

    Notes
    -----
    A *t-design* holds any t positions in equally many sets. With few booklets the set that a device sends in
    the clear is shared by many respondents.

    References
    ----------
    Raghunathan and Grizzle 1995.

    Examples
    --------
    >>> pairs = Booklets(key="money", total=4, size=2)
    >>> pairs.count, pairs[0], pairs[5], pairs.number_of((1, 3))
    (6, (0, 1), (2, 3), 4)
    >>> pairs.share_asked((0,)), pairs.share_asked((0, 3)), pairs.share_asked((0, 1, 2))
    (Fraction(1, 2), Fraction(1, 6), Fraction(0, 1))
    """

    key: str
    total: int
    size: int
    listed: tuple[Booklet, ...] | None = None

    def __post_init__(self) -> None:
        size = validation.whole_number(
            self.size,
            f"number asked of each person of {self.key}",
            low=1,
            high=max(self.total - 1, 1),
            code="questions_per_person",
        )
        if size >= self.total:
            raise PrivacyError("questions_per_person.all", size, key=self.key, total=self.total)
        object.__setattr__(self, "size", size)
        if self.listed is not None:
            object.__setattr__(self, "listed", self._checked())
        elif self.count > MOST_DRAWN:
            raise PrivacyError(
                "questions_per_person.too_many", size, key=self.key, total=self.total, count=self.count
            )

    def _checked(self) -> tuple[Booklet, ...]:
        given = validation.listed(self.listed, f"booklets of {self.key}")
        if not 2 <= len(given) <= MOST_LISTED:
            raise PrivacyError("booklets.number", len(given), key=self.key, most=MOST_LISTED)
        booklets = tuple(self._checked_booklet(booklet) for booklet in given)
        for before, after in itertools.pairwise(booklets):
            if before >= after:
                raise PrivacyError("booklets.order", after, key=self.key, before=before)
        missing = set(range(self.total)) - set(itertools.chain.from_iterable(booklets))
        if missing:
            raise PrivacyError("booklets.never", min(missing), key=self.key)
        return booklets

    def _checked_booklet(self, given: object) -> Booklet:
        positions = tuple(
            validation.whole_number(
                position, f"booklet of {self.key}", low=0, high=self.total - 1, code="booklets"
            )
            for position in validation.listed(given, f"booklet of {self.key}")
        )
        ascending = all(before < after for before, after in itertools.pairwise(positions))
        if len(positions) != self.size or not ascending:
            raise PrivacyError("booklets.shape", positions, key=self.key, size=self.size)
        return positions

    @cached_property
    def count(self) -> int:
        """Number of booklets."""
        return math.comb(self.total, self.size) if self.listed is None else len(self.listed)

    def __getitem__(self, number: int) -> Booklet:
        """Return a booklet by its number, from 0."""
        rest = range(self.count)[number]
        if self.listed is not None:
            return self.listed[rest]
        booklet: list[int] = []
        for position in range(self.total):
            wanted = self.size - len(booklet)
            with_it = math.comb(self.total - position - 1, wanted - 1) if wanted else 0
            if rest < with_it:
                booklet.append(position)
            else:
                rest -= with_it
        return tuple(booklet)

    def __iter__(self) -> Iterator[Booklet]:
        return iter(
            itertools.combinations(range(self.total), self.size) if self.listed is None else self.listed
        )

    def least(self, weights: Sequence[int] | Sequence[Fraction]) -> Booklet:
        """Return the booklet of positions whose weights have the least product; the first of several."""
        if self.listed is None:
            order = sorted(range(self.total), key=weights.__getitem__)
            return tuple(sorted(order[: self.size]))
        return min(self.listed, key=lambda booklet: math.prod(weights[position] for position in booklet))

    @cached_property
    def _numbers(self) -> dict[Booklet, int]:
        return {booklet: number for number, booklet in enumerate(self.listed or ())}

    def number_of(self, positions: Iterable[int]) -> int | None:
        """Return the number of the booklet of exactly these positions; None where there is none."""
        wanted = tuple(sorted(positions))
        if self.listed is not None:
            return self._numbers.get(wanted)
        if (
            len(wanted) != self.size
            or len(set(wanted)) != self.size
            or wanted[0] < 0
            or wanted[-1] >= self.total
        ):
            return None
        number, first = 0, 0
        for index, position in enumerate(wanted):
            rest = self.size - index - 1
            number += sum(math.comb(self.total - skipped - 1, rest) for skipped in range(first, position))
            first = position + 1
        return number

    def share_asked(self, positions: Iterable[int]) -> Fraction:
        """Return the chance that a device draws all of the positions.

        Of all sets C(total - a, size - a) / C(total, size) with a the number of positions.
        """
        wanted = set(positions)
        if self.listed is not None:
            holding = sum(wanted.issubset(booklet) for booklet in self.listed)
        else:
            rest = self.size - len(wanted)
            holding = math.comb(self.total - len(wanted), rest) if rest >= 0 else 0
        return Fraction(holding, self.count)


@dataclass(frozen=True, kw_only=True)
class Rotation:
    """Parts of which each device asks some, drawn at random.

    Parameters
    ----------
    blocks : tuple of str
        Keys of protected blocks, at least two.
    parts_per_person : int, 1 to len(blocks) - 1
        How many of them one device asks. A part that is routed away counts as its slot and is not replaced.

    Raises
    ------
    PrivacyError
        ``rotation``, ``questions_per_person``, ``duplicate_key``, ``bad_key``.

    Examples
    --------
    >>> Rotation(blocks=("money", "health", "work"), parts_per_person=2).sets.share_asked((0, 1))
    Fraction(1, 3)
    """

    blocks: tuple[str, ...]
    parts_per_person: int

    def __post_init__(self) -> None:
        keys = tuple(
            validation.key(key, "part of a rotation")
            for key in validation.listed(self.blocks, "parts of a rotation")
        )
        if len(keys) < 2:
            raise PrivacyError("rotation.parts", keys)
        validation.distinct(keys, "part of a rotation")
        object.__setattr__(self, "blocks", keys)
        object.__setattr__(self, "parts_per_person", self.sets.size)

    @property
    def sets(self) -> Booklets:
        """The sets of parts of which a device draws one."""
        return Booklets(key="the parts that take turns", total=len(self.blocks), size=self.parts_per_person)


def check_rotations(rotations: Sequence[Rotation], protected: Mapping[str, bool]) -> None:
    """Refuse rotations that do not fit the blocks of a design.

    Parameters
    ----------
    rotations : sequence of Rotation
    protected : mapping of str to bool
        Keys of the blocks; whether each is protected.

    Raises
    ------
    PrivacyError
        ``rotation``: no rotation, no such block, an open one, or a block in two rotations.
    """
    taken: set[str] = set()
    for rotation in rotations:
        validation.instance(rotation, "rotation", Rotation)
        for key in rotation.blocks:
            if key not in protected:
                raise PrivacyError("rotation.unknown", key, known=", ".join(protected))
            if not protected[key]:
                raise PrivacyError("rotation.open", key)
            if key in taken:
                raise PrivacyError("rotation.twice", key)
            taken.add(key)
