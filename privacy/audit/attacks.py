"""Attacks beside plain reading: known answers, impossible decoys, the group flag, new draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Final

from privacy import validation
from privacy.audit.budget import least_likely_decoy
from privacy.audit.posterior import coin_posterior
from privacy.coins import SCALE
from privacy.disguise.block import Block, BlockAnswers
from privacy.disguise.design import Design
from privacy.disguise.grouping import item_probability, unrelated_probability
from privacy.disguise.question import Value
from privacy.errors import ParameterError

__all__ = [
    "ImpossibleDecoys",
    "KnownAnswers",
    "flag_posterior",
    "impossible_decoys",
    "known_answers",
    "redraw_exposure",
]

MOST_COMBINATIONS: Final = 12
MOST_DRAWS: Final = 1000


@dataclass(frozen=True, kw_only=True)
class KnownAnswers:
    """Somebody knows some answers of a block beforehand, and sees them in the row.

    Parameters
    ----------
    keys : tuple of str
        The questions whose known answers tell most, most telling first.
    coin : Fraction
        Chance that the whole row is then the truth, before its other answers are looked at.
    """

    keys: tuple[str, ...]
    coin: Fraction


def known_answers(block: Block) -> tuple[KnownAnswers, ...]:
    """Return what one, two, ... known answers of a block give away at worst.

    Parameters
    ----------
    block : Block
        A protected block.

    Returns
    -------
    tuple of KnownAnswers
        One for each number of questions, all of them last.

    Notes
    -----
    p/(p + (1 - p) q(known)), where the known answers are those that decoys show least often. The other
    answers then have the prior of the others alone: p P(r|K)/(p P(r|K) + (1 - p) q(known) q(r)).

    Examples
    --------
    >>> from privacy.disguise import Question
    >>> asked = tuple(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,)) for n in range(5))
    >>> block = Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...               questions=asked)
    >>> [round(float(known.coin), 2) for known in known_answers(block)]
    [0.67, 0.8, 0.89, 0.94, 0.97]
    """
    row = _answered(least_likely_decoy(replace(block, refusal=None)))
    single: list[tuple[Value | None, ...]] = [
        tuple(value if place == known else None for place, value in enumerate(row))
        for known in range(len(row))
    ]
    order = sorted(range(len(row)), key=lambda place: unrelated_probability(block, single[place]))
    found = []
    for count in range(1, len(row) + 1):
        known = set(order[:count])
        pattern = tuple(value if place in known else None for place, value in enumerate(row))
        keys = tuple(block.questions[place].key for place in order[:count])
        found.append(KnownAnswers(keys=keys, coin=coin_posterior(block, pattern, Fraction(1))))
    return tuple(found)


def _answered(row: BlockAnswers) -> tuple[Value, ...]:
    return () if isinstance(row, str) else row


@dataclass(frozen=True, kw_only=True)
class ImpossibleDecoys:
    """Decoys that nobody's truth can be.

    Parameters
    ----------
    block : str
    share : Fraction
        Of the block's decoys, the share that gives itself away.
    coin : Fraction
        Chance that one of the other rows is the truth, before anything else is known: p/(p + (1-p)(1-share)).
    """

    block: str
    share: Fraction
    coin: Fraction


def impossible_decoys(
    design: Design, combinations_of_items: Sequence[Mapping[str, bool]]
) -> ImpossibleDecoys:
    """Measure what it gives away that no person can have some combinations of answers.

    Parameters
    ----------
    design : Design
    combinations_of_items : sequence of mapping of item key to bool
        1 to 12 of them, all in one protected block; True for "has it", False for "answered without it".

    Raises
    ------
    ParameterError
        ``combinations``: none, or too many. ``blocks``: in more than one block. ``open_block``.
    DesignError
        ``unknown_item``.

    Notes
    -----
    Inclusion and exclusion over the combinations.

    Examples
    --------
    "Never drank" and "drank this week" exclude each other; a quarter of fair decoys says both.

    >>> from privacy.disguise import GroupPolicy, Question
    >>> asked = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,))
    ...               for key in ("never", "week"))
    >>> design = Design(blocks=(Block(key="b", protected=True, truth_probability=5000, refusal=None,
    ...     asked_if=None, questions=asked),), group=GroupPolicy(), use="live")
    >>> found = impossible_decoys(design, [{"never": True, "week": True}])
    >>> found.share, found.coin
    (Fraction(1, 4), Fraction(4, 7))
    """
    if not 1 <= len(combinations_of_items) <= MOST_COMBINATIONS or not all(combinations_of_items):
        count = len(combinations_of_items)
        raise ParameterError(
            "combinations",
            f"{count} combinations, each of at least one answer, are expected to be 1 to {MOST_COMBINATIONS}",
            count,
            "name the shortest combinations that exclude each other",
        )
    wanted = [
        {design.item(key).index: yes for key, yes in combination.items()}
        for combination in combinations_of_items
    ]
    blocks = {design.items[index].block for combination in wanted for index in combination}
    if len(blocks) != 1:
        keys = sorted(design.blocks[number].key for number in blocks)
        raise ParameterError(
            "blocks",
            f"the combinations lie in blocks {', '.join(keys)}",
            keys,
            "ask block by block: decoys of different blocks are independent",
        )
    block = design.blocks[blocks.pop()]
    share = Fraction(0)
    for count in range(1, len(wanted) + 1):
        for chosen in combinations(wanted, count):
            share -= (-1) ** count * _together(design, chosen)
    truth = Fraction(block.truth_probability, SCALE)
    others = (1 - truth) * (1 - share)
    return ImpossibleDecoys(block=block.key, share=share, coin=truth / (truth + others))


def _together(design: Design, chosen: Sequence[Mapping[int, bool]]) -> Fraction:
    joined: dict[int, bool] = {}
    for combination in chosen:
        for index, yes in combination.items():
            if joined.setdefault(index, yes) != yes:
                return Fraction(0)
    return item_probability(design, joined)


def flag_posterior(prior: Fraction, *, among_carriers: Fraction, among_others: Fraction) -> Fraction:
    """Return the chance that somebody has a property, once they chose the protected group.

    Parameters
    ----------
    prior : Fraction, 0 to 1
        Share who have it.
    among_carriers, among_others : Fraction, 0 to 1
        Shares of those who have it, and of those who do not, that choose protection; not both 0.

    Raises
    ------
    ParameterError
        ``share``, or ``impossible``: nobody chooses protection.

    Examples
    --------
    80 % of carriers and 40 % of others choose protection: 10 % becomes 18 %.

    >>> flag_posterior(Fraction(1, 10), among_carriers=Fraction(8, 10), among_others=Fraction(4, 10))
    Fraction(2, 11)
    """
    for name, share in (("prior", prior), ("carriers", among_carriers), ("others", among_others)):
        validation.real_number(share, name, low=0, high=1, code="share")
    choosing = prior * among_carriers + (1 - prior) * among_others
    if choosing == 0:
        raise ParameterError(
            "impossible", "nobody chooses protection", choosing, "ask about a group that somebody chooses"
        )
    return prior * among_carriers / choosing


def redraw_exposure(block: Block, row: BlockAnswers, draws: int) -> Fraction:
    """Return the chance that a true row is sent at least twice, if its owner's answers are drawn anew.

    A row of many answers that comes twice is the truth, since no decoy comes twice.

    Parameters
    ----------
    block : Block
        A protected block.
    row : tuple of values, or "skipped"
        The true answers.
    draws : int, 1 to 1,000

    Notes
    -----
    With h = p + (1 - p) q(row), 1 - (1 - h)^d - d h (1 - h)^(d - 1). Devices draw once; this is what a client
    that drew again, or a wave with new coins, would cost.

    Examples
    --------
    Ten yes/no questions, p = .5, three draws.

    >>> from privacy.disguise import Question
    >>> asked = tuple(Question(key=f"q{n}", kind="yes_no", options=(), unrelated=(5000,)) for n in range(10))
    >>> block = Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...               questions=asked)
    >>> round(float(redraw_exposure(block, (1,) * 10, 3)), 2)
    0.5
    """
    count = validation.whole_number(draws, "draws", low=1, high=MOST_DRAWS, code="draws")
    truth = Fraction(block.truth_probability, SCALE)
    hit = truth + (1 - truth) * unrelated_probability(block, row)
    return 1 - (1 - hit) ** count - count * hit * (1 - hit) ** (count - 1)
