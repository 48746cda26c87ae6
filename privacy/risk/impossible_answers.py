"""Impossible decoys: how often a drawn row contradicts itself, and is thereby identified as a decoy."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.risk.constrained_prior import ItemPosition, item_positions, sets_of_blocks
from privacy.survey.block import Block
from privacy.survey.design import Design

__all__ = ["MOST_COMBINATIONS", "Contradiction", "ImpossibleDecoys", "exclusive_decoys"]

MOST_COMBINATIONS: Final = 40
"""Pairs of answers of one block that exclude each other."""

MOST_BOOKLETS: Final = 1_000
"""Sets of questions that are looked at one by one; beyond, it is taken that one device asks all of them."""


@dataclass(frozen=True, kw_only=True)
class Contradiction:
    """Answers of which no two can be true together.

    Parameters
    ----------
    items : tuple of str
        Item keys.
    share : Fraction
        Share of the block's decoys that show two or more of them.
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
        Share of the block's decoys that reveal themselves. For a rotating block, the largest over its
        booklets: only answers that are asked together can contradict each other.
    coin : Fraction
        Probability that one of the other rows is the truth, before anything else is known: p/(p +
        (1-p)(1-share)).
    contradictions : tuple of Contradiction
        Contradictions in the decoys, for answers that are stated to exclude each other.
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
        Item keys, two or more of one protected block each, of which at most one is true of anyone.

    Returns
    -------
    tuple of ImpossibleDecoys
        One for each block that has some, in design order.

    Raises
    ------
    PrivacyError
        ``combinations``: more than 40 pairs in a block. ``blocks``: a set is of several blocks.
        ``open_block``, ``unknown_item``.

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
    sets = sets_of_blocks(design, exclusive)
    return tuple(_of_block(block, sets[block.key]) for block in design.blocks if block.key in sets)


def _of_block(block: Block, exclusive: Sequence[Sequence[str]]) -> ImpossibleDecoys:
    if not block.protected:
        raise PrivacyError("open_block", block.key)
    pairs = sum(math.comb(len(keys), 2) for keys in exclusive)
    if pairs > MOST_COMBINATIONS:
        raise PrivacyError("combinations", pairs, most=MOST_COMBINATIONS)
    sets = item_positions(block, exclusive)
    share = _impossible(block, sets)
    others = (1 - block.truth) * (1 - share)
    return ImpossibleDecoys(
        block=block.key,
        share=share,
        # If only such decoys are ever sent, there is no other row, and none is a truth.
        coin=block.truth / (block.truth + others) if block.truth else Fraction(0),
        contradictions=tuple(
            Contradiction(items=tuple(keys), share=_impossible(block, [items]))
            for keys, items in zip(exclusive, sets, strict=True)
        ),
    )


def _impossible(block: Block, sets: Sequence[Sequence[ItemPosition]]) -> Fraction:
    """Return the probability that a decoy has two items of a set, in the booklet where it is largest."""
    touched = {question for items in sets for question, _item in items}
    booklets = _asked_together(block, touched)
    answered = 1 - Fraction(block.refusal or 0, SCALE)
    return answered * (1 - min(_possible(block, sets, booklet) for booklet in booklets))


def _asked_together(block: Block, touched: set[int]) -> Iterable[Iterable[int]]:
    """Return what booklets ask of some questions; all of them where there are too many booklets."""
    if block.booklets is not None:
        return {frozenset(touched.intersection(booklet)) for booklet in block.booklets}
    count = min(block.most_asked, len(touched))
    if math.comb(len(touched), count) > MOST_BOOKLETS:
        return [touched]
    return combinations(sorted(touched), count)


def _possible(block: Block, sets: Sequence[Sequence[ItemPosition]], drawn: Iterable[int]) -> Fraction:
    """Return the probability that the drawn answers to some questions have at most one item of each set."""
    parts: list[list[tuple[Fraction, frozenset[int]]]] = []
    for number in drawn:
        question = block.questions[number]
        shown = [
            (share, frozenset(own for own, items in enumerate(sets) if (number, item) in items))
            for item, share in enumerate(question.decoy_shares)
        ]
        if question.is_exclusive:
            parts.append(shown)
        else:
            parts += [[(share, own), (1 - share, frozenset())] for share, own in shown if own]
    # Item after item of a set, so that few sets are begun and not ended.
    parts.sort(key=lambda part: min(own for _share, sets_shown in part for own in sets_shown))
    # By the sets of which an item is shown already, as far as later parts can show another.
    chances = {frozenset[int](): Fraction(1)}
    for number, part in enumerate(parts, start=1):
        later = frozenset[int]().union(*(own for rest in parts[number:] for _share, own in rest))
        after: dict[frozenset[int], Fraction] = defaultdict(Fraction)
        for begun, chance in chances.items():
            for share, own in part:
                if not own & begun:
                    after[(begun | own) & later] += chance * share
        chances = after
    return sum(chances.values(), Fraction(0))
