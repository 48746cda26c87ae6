"""Balanced booklets: few sets of questions in which every pair of questions occurs about equally often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from privacy import validation
from privacy.survey.booklets import Booklet

MOST_TOGETHER: Final = 3
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


_SIGNS: Final = "0123456789abcdefghij"


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
