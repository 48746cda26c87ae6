"""What a whole row tells where its answers hang together: the label's first sentence, attacked by devices.

A promise that is given part by part holds for one part. Five wordings of one question in five parts are five
looks at one answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from privacy.coins import SCALE, Coins
from privacy.errors import PrivacyError
from privacy.risk.budget import block_budget, least_likely_decoy
from privacy.survey.block import SKIPPED, Block, BlockAnswers
from privacy.survey.design import Design
from privacy.survey.grouping import block_rows, disguise, unrelated_probability
from privacy.survey.layout import Record

__all__ = ["Believed", "believe_rows"]


@dataclass(frozen=True, kw_only=True)
class Believed:
    """What somebody came to believe who held two whole rows for equally likely.

    Parameters
    ----------
    devices : int
    right : int
        How often the likelier one of the two was the truth.
    max_posterior : float
        The largest chance that a row gave one of them.
    part_by_part : float
        The largest chance that one part alone can give: what a promise by parts would say.
    """

    devices: int
    right: int
    max_posterior: float
    part_by_part: float


def believe_rows(design: Design, coins: Coins, *, devices: int) -> Believed:
    """Let devices disguise one of two whole rows each, and judge what they send.

    Parameters
    ----------
    design : Design
        Of protected parts with coins, each asked of everybody.
    coins : Coins
        The devices' draws; the first of each says which row is the truth.
    devices : int

    Raises
    ------
    PrivacyError
        ``lone``: a part is a number or a place. ``open_block``: a part is not disguised.

    Notes
    -----
    The two rows differ in every part, and one holds in each the row whose sending tells most: the law that
    reaches G/(1 + G), G being the product of the parts' amplifications (`privacy.risk.whole_odds`). The
    chance after row y is prod l_b/(1 + prod l_b), l_b = (p [y=x] + (1-p) q(y))/(p [y=x'] + (1-p) q(y)).

    Examples
    --------
    Five wordings of one question, each with amplification 3. A device that sends all five as they are:

    >>> from privacy.survey import GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=tuple(
    ...     Block(key=f"b{number}", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...         questions=(Question(key=f"q{number}", kind="yes_no", options=(), unrelated=(5000,)),))
    ...     for number in range(5)))
    >>> found = believe_rows(design, Coins([0] * 11), devices=1)
    >>> found.right, round(found.max_posterior, 3), found.part_by_part  # 243/244, 3/4
    (1, 0.996, 0.75)
    """
    for block in design.blocks:
        if not block.protected:
            raise PrivacyError("open_block", block.key)
    rows = [two_rows(block) for block in design.blocks]
    right, max_posterior = 0, 0.0
    for _ in range(devices):
        truth = int(coins.draw() >= SCALE // 2)
        answers = {
            block.key: _answers(block, pair[truth]) for block, pair in zip(design.blocks, rows, strict=True)
        }
        sent = disguise(design, answers, direct=False, coins=coins)
        ratio = math.prod(
            _chance(block, row, pair[0]) / _chance(block, row, pair[1])
            for block, row, pair in zip(design.blocks, _rows_of(sent), rows, strict=True)
        )
        chance = ratio / (1 + ratio)
        right += (chance > 0.5) == (truth == 0) and chance != 0.5
        max_posterior = max(max_posterior, chance, 1 - chance)
    alone = max((block_budget(block).epsilon for block in design.blocks), default=0.0)
    return Believed(
        devices=devices, right=right, max_posterior=max_posterior, part_by_part=1 / (1 + math.exp(-alone))
    )


def two_rows(block: Block) -> tuple[BlockAnswers, BlockAnswers]:
    """Return the row of a part whose sending tells most, and another one."""
    most = least_likely_decoy(block)
    return most, next(row for row in block_rows(block) if row != most)


def _answers(block: Block, row: BlockAnswers) -> object:
    if isinstance(row, str):
        return SKIPPED
    return {
        question.key: list(value) if isinstance(value, tuple) else value
        for question, value in zip(block.questions, row, strict=True)
    }


def _rows_of(record: Record) -> Iterator[BlockAnswers]:
    for values, refused in zip(record.answers, record.refused, strict=True):
        yield SKIPPED if refused else tuple(value for value in values if value is not None)


def _chance(block: Block, row: BlockAnswers, truth: BlockAnswers) -> float:
    p = float(block.truth)
    return p * (row == truth) + (1 - p) * float(unrelated_probability(block, row))
