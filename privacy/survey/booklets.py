"""Booklets: the sets of questions, or of whole blocks, from which a device draws one."""

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


@dataclass(frozen=True, kw_only=True)
class Rotation:
    """Blocks of which each device asks some, drawn at random.

    Parameters
    ----------
    blocks : tuple of str
        Keys of protected blocks, at least two.
    parts_per_person : int, 1 to len(blocks) - 1
        How many of them one device draws. A drawn block whose condition fails is not replaced.

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
            for key in validation.as_tuple(self.blocks, "parts of a rotation")
        )
        if len(keys) < 2:
            raise PrivacyError("rotation.parts", keys)
        validation.distinct(keys, "part of a rotation")
        object.__setattr__(self, "blocks", keys)
        object.__setattr__(self, "parts_per_person", self.sets.size)

    @property
    def sets(self) -> Booklets:
        """The sets of blocks from which a device draws one."""
        return Booklets(key="the rotating parts", total=len(self.blocks), size=self.parts_per_person)


def check_rotations(rotations: Sequence[Rotation], is_protected: Mapping[str, bool]) -> None:
    """Refuse rotations that do not fit the blocks of a design.

    Parameters
    ----------
    rotations : sequence of Rotation
    is_protected : mapping of str to bool
        Whether each block is protected, by its key.

    Raises
    ------
    PrivacyError
        ``rotation``: not a rotation, an unknown or open block, or a block in two rotations.
    """
    seen_keys: set[str] = set()
    for rotation in rotations:
        validation.instance(rotation, "rotation", Rotation)
        for key in rotation.blocks:
            if key not in is_protected:
                raise PrivacyError("rotation.unknown", key, known=", ".join(is_protected))
            if not is_protected[key]:
                raise PrivacyError("rotation.open", key)
            if key in seen_keys:
                raise PrivacyError("rotation.twice", key)
            seen_keys.add(key)


MOST_TOGETHER: Final = 3

_SIGNS: Final = "0123456789abcdefghij"

# (questions, questions per person, t): cycle lengths of a permutation, and starter sets that it develops.
# Found by integer programming over the orbits of such permutations. Each list is the shortest that a brief
# search found, and at most half as long as the list of all sets. A test checks that each is balanced.
_STARTERS: Final[dict[tuple[int, int, int], tuple[tuple[int, ...], str]]] = {
    (6, 3, 2): ((5, 1), "013 015"),
    (7, 3, 2): ((7,), "015"),
    (7, 4, 2): ((7,), "0125"),
    (8, 4, 3): ((7, 1), "0125 0137"),
    (9, 3, 2): ((8, 1), "013 048"),
    (9, 4, 2): ((9,), "0127 0146"),
    (9, 5, 2): ((9,), "01247 01267"),
    (9, 6, 2): ((8, 1), "012368 012456"),
    (10, 3, 2): ((9, 1), "015 017 029 036"),
    (10, 4, 2): ((5, 5), "0138 0179 0569"),
    (10, 4, 3): ((10,), "0126 0134 0247"),
    (10, 5, 2): ((9, 1), "01279 01356"),
    (10, 5, 3): ((9, 1), "01245 01247 01269 01379"),
    (10, 6, 2): ((5, 5), "012358 013789 015679"),
    (10, 6, 3): ((10,), "012347 012456 013468"),
    (11, 3, 2): ((11,), "012 016 024 036 037"),
    (11, 4, 2): ((11,), "0134 0139 0145 0157 0257"),
    (11, 4, 3): ((11,), "0123 0125 0128 0135 0137 0138 0146 0148 0149 0156 0159 0168 0179 0246 0258"),
    (11, 5, 2): ((11,), "01269"),
    (11, 5, 3): ((11,), "01239 01247 01256 01348 01357 01469"),
    (11, 6, 2): ((11,), "012689"),
    (11, 6, 3): ((11,), "012349 012367 012457 012468 012589 013569"),
    (12, 3, 2): ((11, 1), "016 019 02b 037"),
    (12, 4, 2): ((12,), "0129 0138 0268 0369"),
    (12, 4, 3): ((12,), "0123 0124 0136 0145 0149 0156 0158 016a 0179 017a 0248 0249 0257 0268 0369"),
    (12, 5, 3): ((12,), "01234 01258 01268 0129a 01358 01359 01367 0145a 01467 0148a 02479"),
    (12, 6, 3): ((11, 1), "01247b 012689"),
    (13, 3, 2): ((13,), "014 028"),
    (13, 4, 2): ((13,), "018a"),
    (13, 4, 3): ((13,), "0124 012b 0137 0145 0156 0168 017b 0258 0259 026a 027a"),
    (13, 5, 2): ((13,), "01269 01356 0137b"),
    (13, 6, 2): ((13,), "01236a 013578"),
    (14, 3, 2): ((13, 1), "012 013 015 019 01b 027 028 02d 036 037 039 048 05d 06d"),
    (14, 4, 3): ((7, 7), "0124 0159 0178 01ab 01cd 0279 028d 02ac 037a 038c 039d 089b 789c"),
    (14, 5, 3): ((14,), "01236 0123b 01279 01349 01358 013ab 0145c 01489 01589 017ac 0246a 0247b 0258a"),
    (14, 6, 3): ((14,), "01236b 01237a 012789 013468 0134ac 014589 02468b"),
    (15, 3, 2): ((15,), "01c 029 05a"),
    (15, 4, 2): ((15,), "013b 0145 0157 015d 019b 0279 0369"),
    (15, 5, 2): ((14, 1), "0147c 0156e 018ac"),
    (15, 5, 3): (
        (15,),
        "01248 0125c 0126a 0127a 0127b 0129d 01347 0134c 01356 01358 01379 0145a 0158b 0168a 0179d 018bd "
        "0257b 0258a 0369c",
    ),
    (15, 6, 2): ((15,), "013578 0139bc 0156ab"),
    (16, 3, 2): ((16,), "017 01a 025 02d 048"),
    (16, 4, 2): ((15, 1), "0137 05af"),
    (16, 4, 3): ((15, 1), "0126 0138 014a 017b 019d 01cf 024c 0258 029f 05af"),
    (16, 5, 2): ((16,), "013cd 015ae 0168e"),
    (16, 6, 2): ((8, 8), "0134df 028abf"),
    (16, 6, 3): (
        (15, 1),
        "01238b 012467 01248f 01256c 0129df 0134ac 01359d 01368a 0145af 01489d 0258af 0369cf",
    ),
    (17, 3, 2): ((17,), "012 019 024 036 03a 048 05a 05b"),
    (17, 4, 2): ((17,), "0145 017b 025e 028a"),
    (17, 4, 3): (
        (17,),
        "0126 012d 0136 0139 0145 0148 017a 017b 018b 019f 01ae 01cf 0249 024c 025e 026c 027d 028a 037c 038d",
    ),
    (17, 5, 3): ((17,), "0128b 01356 0149e 026ac"),
    (17, 6, 3): ((17,), "01235f 012789 01347e 0138af 0149cd 0156ab 0246ad 0258bd"),
    (18, 3, 2): ((17, 1), "017 01b 025 02e 048 08h"),
    (18, 4, 2): ((18,), "0145 017f 018b 019a 01df 0257 025c 028e 029b 049d"),
    (18, 5, 2): (
        (18,),
        "0134g 0138a 013ab 01459 0145e 0147f 01589 015eg 0167d 016cg 0179d 017df 0189g 02479 024df 025cf "
        "0268e",
    ),
    (18, 6, 2): ((17, 1), "01239d 015cfh 0169df"),
    (18, 6, 3): (
        (17, 1),
        "01236e 01237d 0125eh 01348d 013689 01379a 0145bh 0148bc 0168ac 0179bh 02469e 0258ah",
    ),
    (19, 3, 2): ((19,), "01c 02g 04a"),
    (19, 4, 2): ((19,), "019d 01ch 026g"),
    (19, 5, 2): ((19,), "0128d 0129c 01356 0145c 014ag 016ae 0247g 0258a 026ac"),
    (19, 6, 2): ((19,), "013cef 0145bd 0146eg"),
    (20, 3, 2): ((20,), "012 013 01e 01h 01i 029 02b 02d 038 03e 03f 048 04a 04b 04e 05a 05c 05d 06c"),
    (20, 4, 2): ((20,), "012h 018h 028e 02bf 03ad 05af"),
    (20, 4, 3): (
        (20,),
        "0125 013e 016d 017i 018h 019f 01ab 01cg 024h 0268 027b 02ac 036f 038g 03ad 04ae 05af",
    ),
    (20, 5, 2): ((19, 1), "017bj 017fh 019eg 01bdg"),
    (20, 6, 2): ((20,), "01246f 0127ag 0127gi 0134bd 01478f 014cdh 0158eh 0167fh 024ace 0257ac"),
}


def balanced_booklets(questions: int, per_person: int, *, together: int) -> tuple[Booklet, ...] | None:
    """Return booklets that ask every t questions together equally often; None if no short list is known.

    Parameters
    ----------
    questions : int
        Number of questions m.
    per_person : int
        Questions per booklet j, below m.
    together : int
        t, at most 3: the size of the longest itemset to estimate.

    Returns
    -------
    tuple of tuple of int or None
        Ascending positions, with the sets in lexicographic order. None if the table has no list of at most
        half as many sets as there are; use all sets then.

    Examples
    --------
    Three of seven questions: the lines of the Fano plane. Each pair occurs in one of the seven booklets.

    >>> balanced_booklets(7, 3, together=2)
    ((0, 1, 5), (0, 2, 3), (0, 4, 6), (1, 2, 6), (1, 3, 4), (2, 4, 5), (3, 5, 6))
    >>> [len(balanced_booklets(10, 4, together=t)) for t in (2, 3)], balanced_booklets(5, 3, together=2)
    ([15, 30], None)
    """
    validation.whole_number(together, "questions asked together", low=1, high=MOST_TOGETHER)
    lists = [
        develop_sets(cycles, starters)
        for (m, j, t), (cycles, starters) in _STARTERS.items()
        if (m, j) == (questions, per_person) and t >= together
    ]
    return min(lists, key=len, default=None)


def develop_sets(cycles: Sequence[int], starters: str) -> tuple[Booklet, ...]:
    """Return the orbits of starter sets under a permutation.

    Parameters
    ----------
    cycles : sequence of int
        Cycle lengths of the permutation: (3, 1) maps 0 to 1, 1 to 2, 2 to 0, and 3 to itself.
    starters : str
        Space-separated sets; each character 0-9 or a-j is a question.

    Examples
    --------
    >>> develop_sets((3, 1), "03")
    ((0, 3), (1, 3), (2, 3))
    """
    follows: list[int] = []
    for length in cycles:
        first = len(follows)
        follows += [first + (position + 1) % length for position in range(length)]
    booklets: set[tuple[int, ...]] = set()
    for word in starters.split():
        booklet = tuple(sorted(map(_SIGNS.index, word)))
        while booklet not in booklets:
            booklets.add(booklet)
            booklet = tuple(sorted(follows[question] for question in booklet))
    return tuple(sorted(booklets))
