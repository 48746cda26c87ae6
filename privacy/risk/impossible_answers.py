"""Impossible decoys: how often a drawn row contradicts itself, and is thereby identified as a decoy."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final, TypeAlias

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.survey.block import Block
from privacy.survey.design import Design

__all__ = ["MOST_COMBINATIONS", "Contradiction", "ImpossibleDecoys", "exclusive_decoys", "impossible_decoys"]

MOST_COMBINATIONS: Final = 40
MOST_BOOKLETS: Final = 1_000
"""Sets of questions that are looked at one by one; beyond, it is taken that one device asks all of them."""

Combination: TypeAlias = frozenset[tuple[int, bool]]
"""Item numbers, each had or not."""


@dataclass(frozen=True, kw_only=True)
class Contradiction:
    """Answers of which no two can be true together.

    Parameters
    ----------
    items : tuple of str
        Item keys.
    share : Fraction
        Of the block's decoys, the share that shows two of them or more.
    """

    items: tuple[str, ...]
    share: Fraction


@dataclass(frozen=True, kw_only=True)
class ImpossibleDecoys:
    """Decoys of a block that cannot be true.

    Parameters
    ----------
    block : str
    share : Fraction
        Of the block's decoys, the share that gives itself away. Of a rotating block that of the booklet under
        which it is largest: only answers that are asked together contradict each other.
    coin : Fraction
        Chance that one of the other rows is the truth, before anything else is known: p/(p + (1-p)(1-share)).
    contradictions : tuple of Contradiction
        What the decoys say, where it was stated as answers that exclude each other.
    counted_in : bool
        Whether the other figures of the block know it, or leave it aside because too much hangs together.
    """

    block: str
    share: Fraction
    coin: Fraction
    contradictions: tuple[Contradiction, ...] = ()
    counted_in: bool = False


def exclusive_decoys(design: Design, exclusive: Sequence[Sequence[str]]) -> tuple[ImpossibleDecoys, ...]:
    """Measure the disclosure by decoys with exclusive answers, block by block.

    Parameters
    ----------
    design : Design
    exclusive : sequence of sequences of str
        Item keys, two or more of one protected block each, of which at most one is true of anybody.

    Returns
    -------
    tuple of ImpossibleDecoys
        One for each block that has some, in design order.

    Raises
    ------
    PrivacyError
        As `impossible_decoys`.

    Examples
    --------
    Of eight rows of three fair answers four show two of them or more; without them p is .5/(.5 + .25).

    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abc")
    >>> design = Design(blocks=(Block(key="b", protected=True, truth_probability=5000, refusal=None,
    ...     asked_if=None, questions=questions),), group=GroupPolicy(), use="live")
    >>> (decoys,) = exclusive_decoys(design, ["abc"])
    >>> decoys.share, decoys.coin, decoys.contradictions[0].items
    (Fraction(1, 2), Fraction(2, 3), ('a', 'b', 'c'))
    """
    sets: dict[int, list[Sequence[str]]] = {}
    for keys in exclusive:
        sets.setdefault(min(design.item(key).block for key in keys), []).append(keys)
    return tuple(_of_sets(design, sets[block]) for block in sorted(sets))


def _of_sets(design: Design, sets: Sequence[Sequence[str]]) -> ImpossibleDecoys:
    whole = impossible_decoys(design, [pair for keys in sets for pair in _pairs(keys)])
    return ImpossibleDecoys(
        block=whole.block,
        share=whole.share,
        coin=whole.coin,
        contradictions=tuple(
            Contradiction(items=tuple(keys), share=impossible_decoys(design, list(_pairs(keys))).share)
            for keys in sets
        ),
    )


def _pairs(keys: Sequence[str]) -> Iterator[dict[str, bool]]:
    return ({first: True, other: True} for first, other in combinations(keys, 2))


def impossible_decoys(
    design: Design, combinations_of_items: Sequence[Mapping[str, bool]]
) -> ImpossibleDecoys:
    """Measure the disclosure by decoys that are impossible rows.

    Parameters
    ----------
    design : Design
    combinations_of_items : sequence of mapping of item key to bool
        1 to 40 of them, all in one protected block; True for "has it", False for "answered without it".

    Raises
    ------
    PrivacyError
        ``combinations``: none, or too many. ``blocks``: in more than one block. ``open_block``.
        ``unknown_item``.

    Notes
    -----
    Question by question: what each of its answers leaves of the combinations is looked at in turn.

    Examples
    --------
    "Never drank" and "drank this week" exclude each other; a quarter of fair decoys says both.

    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,))
    ...               for key in ("never", "week"))
    >>> design = Design(blocks=(Block(key="b", protected=True, truth_probability=5000, refusal=None,
    ...     asked_if=None, questions=questions),), group=GroupPolicy(), use="live")
    >>> decoys = impossible_decoys(design, [{"never": True, "week": True}])
    >>> decoys.share, decoys.coin
    (Fraction(1, 4), Fraction(4, 7))
    """
    if not 1 <= len(combinations_of_items) <= MOST_COMBINATIONS or not all(combinations_of_items):
        count = len(combinations_of_items)
        raise PrivacyError("combinations", count, most=MOST_COMBINATIONS)
    wanted = frozenset(
        frozenset((design.item(key).index, yes) for key, yes in combination.items())
        for combination in combinations_of_items
    )
    blocks = {design.items[index].block for combination in wanted for index, _yes in combination}
    if len(blocks) != 1:
        keys = sorted(design.blocks[number].key for number in blocks)
        raise PrivacyError("blocks.combinations", keys, keys=", ".join(keys))
    block = design.blocks[blocks.pop()]
    if not block.protected:
        raise PrivacyError("open_block", block.key)
    answered = 1 - Fraction(block.refusal or 0, SCALE)
    share = answered * max(1 - _clear(design, shown, {}) for shown in _asked_together(design, block, wanted))
    truth = Fraction(block.truth_probability, SCALE)
    others = (1 - truth) * (1 - share)
    # Where nothing but such decoys is ever sent there is no other row, and none is a truth.
    coin = truth / (truth + others) if truth else Fraction(0)
    return ImpossibleDecoys(block=block.key, share=share, coin=coin)


def _asked_together(
    design: Design, block: Block, wanted: frozenset[Combination]
) -> Iterator[frozenset[Combination]]:
    """Yield what a booklet can show of the combinations; all of them where there are too many booklets."""
    if not block.is_rotating:
        yield wanted
        return
    first = design.first_questions[design.blocks.index(block)]
    touched = {design.items[index].question - first for combination in wanted for index, _yes in combination}
    if block.booklets is not None:
        shown = {frozenset(touched.intersection(booklet)) for booklet in block.booklets}
    else:
        count = min(block.most_asked, len(touched))
        if math.comb(len(touched), count) > MOST_BOOKLETS:
            yield wanted
            return
        shown = set(map(frozenset, combinations(sorted(touched), count)))
    for positions in shown:
        yield frozenset(
            combination
            for combination in wanted
            if all(design.items[index].question - first in positions for index, _yes in combination)
        )


def _clear(
    design: Design, left: frozenset[Combination], chances: dict[frozenset[Combination], Fraction]
) -> Fraction:
    """Return the chance that a decoy which answers has none of the combinations that are left."""
    if not left:
        return Fraction(1)
    if frozenset() in left:
        return Fraction(0)
    if left not in chances:
        touched = Counter(index for combination in left for index, _yes in combination)
        most = min(touched, key=lambda index: (-touched[index], index))
        chances[left] = sum(
            (
                chance * _clear(design, _given(left, shown), chances)
                for chance, shown in _shown(design, most, touched)
                if chance
            ),
            Fraction(0),
        )
    return chances[left]


def _shown(
    design: Design, index: int, touched: Collection[int]
) -> Iterator[tuple[Fraction, dict[int, bool]]]:
    """Give what a decoy can say of an item, and of those that are drawn with it, with its chance."""
    item = design.items[index]
    question = design.questions[item.question]
    if not question.is_exclusive:
        share = question.decoy_shares[item.option]
        yield share, {index: True}
        yield 1 - share, {index: False}
        return
    own = [other for other in touched if design.items[other].question == item.question]
    shares = {other: question.decoy_shares[design.items[other].option] for other in own}
    for option, share in shares.items():
        yield share, {other: other == option for other in own}
    yield 1 - sum(shares.values(), Fraction(0)), dict.fromkeys(own, False)


def _given(left: frozenset[Combination], shown: Mapping[int, bool]) -> frozenset[Combination]:
    """Return what is left of the combinations; one that is contradicted is gone, one that is shown empty."""
    return frozenset(
        frozenset((index, yes) for index, yes in combination if index not in shown)
        for combination in left
        if all(shown.get(index, yes) == yes for index, yes in combination)
    )
