"""Decoys that cannot be true, by which an attacker recognises them."""

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
from privacy.risk.prior import ItemPosition, item_positions, sets_of_blocks
from privacy.survey.block import Block
from privacy.survey.design import Design
from privacy.survey.possible_answers import impossible_pairs

MOST_COMBINATIONS: Final = 40
"""Largest number of pairs of mutually exclusive answers in one block."""

MOST_BOOKLETS: Final = 1_000
"""Largest number of question sets to check one by one; beyond it, one device is assumed to ask all."""


@dataclass(frozen=True, kw_only=True)
class ImpossibleDecoys:
    """Decoys of a block that cannot be true.

    Parameters
    ----------
    block : str
    share : Fraction
        Share of the block's decoys that reveal themselves. For a rotating block, the largest over its
        booklets: only answers that are asked together can contradict each other.
    counted_in : bool
        Whether the block's other figures account for these decoys. They do not if too many answers are
        connected.
    """

    block: str
    share: Fraction
    counted_in: bool = False


def exclusive_decoys(design: Design, exclusive: Sequence[Sequence[str]]) -> tuple[ImpossibleDecoys, ...]:
    """Measure, for each block, how often decoys show mutually exclusive answers and so reveal themselves.

    Parameters
    ----------
    design : Design
    exclusive : sequence of sequences of str
        Sets of two or more item keys of one protected block; in each, at most one item is true of a person.

    Returns
    -------
    tuple of ImpossibleDecoys
        One for each block with such sets, in design order.

    Raises
    ------
    PrivacyError
        ``combinations``: more than 40 pairs in a block. ``blocks``: a set spans several blocks.
        ``open_block``, ``unknown_item``.

    Examples
    --------
    Four of the eight rows of three fair questions have two or more "yes":

    >>> from privacy.survey.design import Block, GroupPolicy, Question
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abc")
    >>> design = Design(blocks=(Block(key="b", protected=True, truth_probability=5000,
    ...     questions=questions),), group=GroupPolicy(), use="live")
    >>> (decoys,) = exclusive_decoys(design, ["abc"])
    >>> decoys.share
    Fraction(1, 2)
    """
    sets = sets_of_blocks(design, exclusive)
    return tuple(_block_decoys(block, sets[block.key]) for block in design.blocks if block.key in sets)


def with_shared_filters(design: Design, exclusive: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return stated sets of mutually exclusive answers with the pairs that shared filters exclude.

    Parameters
    ----------
    design : Design
    exclusive : sequence of sequence of str
        Sets of item keys; in each, at most one item is true of a person.
    """
    stated = sets_of_blocks(design, exclusive)
    return [keys for block in design.blocks for keys in block_exclusive(block, stated.get(block.key, ()))]


def block_exclusive(block: Block, exclusive: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the stated sets of mutually exclusive answers of a block with the pairs that filters exclude.

    Parameters
    ----------
    block : Block
    exclusive : sequence of sequence of str
        Sets of item keys of the block.

    Returns
    -------
    list of tuple of str
        Only the stated ones if there were more than 40 pairs.
    """
    pairs = {frozenset(pair) for keys in exclusive for pair in combinations(keys, 2)}
    implied = [pair for pair in impossible_pairs(block) if frozenset(pair) not in pairs]
    is_few = len(pairs) + len(implied) <= MOST_COMBINATIONS
    return [*(tuple(keys) for keys in exclusive), *(implied if is_few else ())]


def contradictions(block: Block, keys: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the sets of mutually exclusive answers in a stated set that no shared filter explains.

    Rows that contain two answers which a shared filter excludes are expected: the promise states what they
    reveal.

    Parameters
    ----------
    block : Block
    keys : sequence of str
        Item keys of the block; at most one is true of a person.

    Returns
    -------
    list of tuple of str
        The set itself if no filter excludes any of its pairs, otherwise its other pairs.
    """
    implied = {frozenset(pair) for pair in impossible_pairs(block)}
    pairs = [*combinations(keys, 2)]
    rest = [pair for pair in pairs if frozenset(pair) not in implied]
    return [tuple(keys)] if len(rest) == len(pairs) else [*rest]


def _block_decoys(block: Block, exclusive: Sequence[Sequence[str]]) -> ImpossibleDecoys:
    if not block.protected:
        raise PrivacyError("open_block", block.key)
    pairs = sum(math.comb(len(keys), 2) for keys in exclusive)
    if pairs > MOST_COMBINATIONS:
        raise PrivacyError("combinations", pairs, most=MOST_COMBINATIONS)
    return ImpossibleDecoys(block=block.key, share=_impossible_share(block, item_positions(block, exclusive)))


def _impossible_share(block: Block, sets: Sequence[Sequence[ItemPosition]]) -> Fraction:
    """Return the largest probability, over booklets, that a decoy has two items of the same set."""
    questions = {question for items in sets for question, _item in items}
    booklets = _booklet_questions(block, questions)
    answering = 1 - Fraction(block.refusal or 0, SCALE)
    return answering * (1 - min(_possible_share(block, sets, booklet) for booklet in booklets))


def _booklet_questions(block: Block, questions: set[int]) -> Iterable[Iterable[int]]:
    """Return which of these questions each booklet asks; all of them if there are too many booklets."""
    if block.booklets is not None:
        return {frozenset(questions.intersection(booklet)) for booklet in block.booklets}
    count = min(block.most_asked, len(questions))
    if math.comb(len(questions), count) > MOST_BOOKLETS:
        return [questions]
    return combinations(sorted(questions), count)


def _possible_share(block: Block, sets: Sequence[Sequence[ItemPosition]], numbers: Iterable[int]) -> Fraction:
    """Return the probability that decoy answers to these questions have at most one item of each set."""
    parts: list[list[tuple[Fraction, frozenset[int]]]] = []
    for number in numbers:
        question = block.questions[number]
        options = [
            (
                share,
                frozenset(set_numbers for set_numbers, items in enumerate(sets) if (number, item) in items),
            )
            for item, share in enumerate(question.decoy_shares)
        ]
        if question.is_exclusive:
            parts.append(options)
        else:
            parts += [
                [(share, set_numbers), (1 - share, frozenset())]
                for share, set_numbers in options
                if set_numbers
            ]
    # Sort by set, so that few sets are incomplete at any time.
    parts.sort(key=lambda part: min(own for _share, sets_shown in part for own in sets_shown))
    # Keys are the sets that already have an item and can get another from later parts.
    probabilities = {frozenset[int](): Fraction(1)}
    for number, part in enumerate(parts, start=1):
        later = frozenset[int]().union(
            *(set_numbers for rest in parts[number:] for _share, set_numbers in rest)
        )
        after: dict[frozenset[int], Fraction] = defaultdict(Fraction)
        for open_sets, probability in probabilities.items():
            for share, set_numbers in part:
                if not set_numbers & open_sets:
                    after[(open_sets | set_numbers) & later] += probability * share
        probabilities = after
    return sum(probabilities.values(), Fraction(0))
