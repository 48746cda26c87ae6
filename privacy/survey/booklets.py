"""Booklets: the sets of questions, or of whole blocks, from which a device draws one."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final, TypeAlias

from privacy import validation
from privacy.errors import PrivacyError

Booklet: TypeAlias = tuple[int, ...]
"""Positions of the questions that one device asks, ascending."""

Drawn: TypeAlias = tuple[Booklet, ...]
"""For each block of a design, the positions of the questions that a device asks; () for a block left out."""

MOST_LISTED: Final = 1_000
"""Largest number of booklets that a design may list, because every respondent's page contains the list."""

MOST_DRAWN: Final = 2**53
"""Largest number of booklets to draw from: a browser's integers are exact up to here."""


@dataclass(frozen=True, kw_only=True)
class Booklets:
    """Sets of `size` out of `total` positions, each drawn with equal probability.

    Parameters
    ----------
    key : str
        Key of the block, for error messages.
    total : int
        Number of questions in the block, or of blocks in a rotation.
    size : int, 1 to total - 1
        How many of them one device asks.
    listed : tuple of Booklet or None
        The published list, ascending, at most 1,000; None for all C(total, size) sets in lexicographic order.

    Raises
    ------
    PrivacyError
        ``questions_per_person``: none or all would be asked, or there are too many sets to draw exactly.
        ``booklets``: a set of the wrong size, duplicated, out of order or out of range; a question in no set;
        or too many sets.

    Notes
    -----
    In a *t-design*, every t positions occur in the same number of sets. With few booklets, many respondents
    share the booklet that a device sends undisguised.

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
            object.__setattr__(self, "listed", self._check_list())
        elif self.count > MOST_DRAWN:
            raise PrivacyError(
                "questions_per_person.too_many", size, key=self.key, total=self.total, count=self.count
            )

    def _check_list(self) -> tuple[Booklet, ...]:
        entries = validation.as_tuple(self.listed, f"booklets of {self.key}")
        if not 2 <= len(entries) <= MOST_LISTED:
            raise PrivacyError("booklets.number", len(entries), key=self.key, most=MOST_LISTED)
        booklets = tuple(self._checked_booklet(booklet) for booklet in entries)
        for before, after in itertools.pairwise(booklets):
            if before >= after:
                raise PrivacyError("booklets.order", after, key=self.key, before=before)
        missing = set(range(self.total)) - set(itertools.chain.from_iterable(booklets))
        if missing:
            raise PrivacyError("booklets.never", min(missing), key=self.key)
        return booklets

    def _checked_booklet(self, booklet: object) -> Booklet:
        positions = tuple(
            validation.whole_number(
                position, f"booklet of {self.key}", low=0, high=self.total - 1, code="booklets"
            )
            for position in validation.as_tuple(booklet, f"booklet of {self.key}")
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
            n_missing = self.size - len(booklet)
            with_it = math.comb(self.total - position - 1, n_missing - 1) if n_missing else 0
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
        """Return the booklet with the smallest product of weights; the first one if several tie."""
        if self.listed is None:
            order = sorted(range(self.total), key=weights.__getitem__)
            return tuple(sorted(order[: self.size]))
        return min(self.listed, key=lambda booklet: math.prod(weights[position] for position in booklet))

    @cached_property
    def _numbers(self) -> dict[Booklet, int]:
        return {booklet: number for number, booklet in enumerate(self.listed or ())}

    def number_of(self, positions: Iterable[int]) -> int | None:
        """Return the number of the booklet with exactly these positions; None if there is none."""
        booklet = tuple(sorted(positions))
        if self.listed is not None:
            return self._numbers.get(booklet)
        if (
            len(booklet) != self.size
            or len(set(booklet)) != self.size
            or booklet[0] < 0
            or booklet[-1] >= self.total
        ):
            return None
        number, first = 0, 0
        for index, position in enumerate(booklet):
            rest = self.size - index - 1
            number += sum(math.comb(self.total - skipped - 1, rest) for skipped in range(first, position))
            first = position + 1
        return number

    def share_asked(self, positions: Iterable[int]) -> Fraction:
        """Return the probability that a device draws all of these positions.

        Without a list, it is C(total - a, size - a) / C(total, size) for a positions.
        """
        subset = set(positions)
        if self.listed is not None:
            holding = sum(subset.issubset(booklet) for booklet in self.listed)
        else:
            rest = self.size - len(subset)
            holding = math.comb(self.total - len(subset), rest) if rest >= 0 else 0
        return Fraction(holding, self.count)
