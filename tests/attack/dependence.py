"""Attack the label's first sentence: the risk of a whole row whose answers depend on each other.

A promise for each part covers one part only. Five wordings of one question in five parts reveal one answer
five times.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from privacy.coins import SCALE, Coins
from privacy.errors import PrivacyError
from privacy.posterior import posterior_bound
from privacy.risk.budget import least_likely_decoy
from privacy.survey.answer_probabilities import unrelated_probability
from privacy.survey.block import SKIPPED, Block, BlockAnswers
from privacy.survey.block_channel import block_rows
from privacy.survey.booklets import Booklet
from privacy.survey.design import Design
from privacy.survey.disguise import disguise
from privacy.survey.drawn_questions import draw_questions, everything
from privacy.survey.layout import Record
from privacy.survey.question import Question, Value

__all__ = ["Believed", "believe_rows"]


@dataclass(frozen=True, kw_only=True)
class Believed:
    """Posterior of an adversary whose prior gives two whole rows equal probability.

    Parameters
    ----------
    devices : int
    right : int
        How often the likelier row was the true one.
    expected_right : float
        Sum of the probabilities of these guesses. It is the expected number of right ones, given the rows
        sent, if devices follow the design.
    max_posterior : float
        Largest posterior probability after any row.
    """

    devices: int
    right: int
    expected_right: float
    max_posterior: float


def believe_rows(design: Design, coins: Coins, *, devices: int) -> Believed:
    """Let each device disguise one of two whole rows, and compute the posteriors of the rows sent.

    Parameters
    ----------
    design : Design
        Must have only protected parts with coins, and no conditions.
    coins : Coins
        The devices' draws. The first one chooses the true row; in a rotating design, the next ones choose the
        questions.
    devices : int

    Raises
    ------
    PrivacyError
        ``lone`` if a part is a number or a place; ``open_block`` if a part is not disguised.

    Notes
    -----
    The two rows differ in every part, and in every question of a rotating part. In each part, one of them is
    the row that reveals most when sent. This prior reaches G/(1 + G), where G is the product of the parts'
    amplifications (`privacy.risk.budget`). The posterior after row y is prod l_b/(1 + prod l_b), l_b = (p
    [y=x] + (1-p) q(y))/(p [y=x'] + (1-p) q(y)).

    Examples
    --------
    Five wordings of one question, each with amplification 3, and a device that sends all five undisguised:

    >>> from privacy.survey.design import GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=tuple(
    ...     Block(key=f"b{number}", protected=True, truth_probability=5000,
    ...         questions=(Question(key=f"q{number}", kind="yes_no", options=(), unrelated=(5000,)),))
    ...     for number in range(5)))
    >>> beliefs = believe_rows(design, Coins([0] * 11), devices=1)
    >>> beliefs.right, round(beliefs.max_posterior, 3)  # 243/244
    (1, 0.996)
    """
    for block in design.blocks:
        if not block.protected:
            raise PrivacyError("open_block", block.key)
    rows = [two_rows(block) for block in design.blocks]
    right, expected, max_posterior = 0, 0.0, 0.0
    for _ in range(devices):
        truth = int(coins.draw() >= SCALE // 2)
        drawn = draw_questions(design, coins) if design.rotates else everything(design)
        pairs = [
            (block.of_booklet(booklet), _shown(pair[0], booklet), _shown(pair[1], booklet))
            for block, booklet, pair in zip(design.blocks, drawn, rows, strict=True)
            if booklet
        ]
        answers = {block.key: _answers(block, pair[truth]) for block, *pair in pairs}
        sent = disguise(design, answers, direct=False, coins=coins, drawn=drawn if design.rotates else None)
        sent_rows = (row for row, booklet in zip(_rows_of(sent), drawn, strict=True) if booklet)
        ratio = math.prod(
            _chance(block, row, first) / _chance(block, row, other)
            for (block, first, other), row in zip(pairs, sent_rows, strict=True)
        )
        chance = posterior_bound(ratio, 0.5)
        right += (chance > 0.5) == (truth == 0) and chance != 0.5
        expected += max(chance, 1 - chance) * (chance != 0.5)
        max_posterior = max(max_posterior, chance, 1 - chance)
    return Believed(devices=devices, right=right, expected_right=expected, max_posterior=max_posterior)


def two_rows(block: Block) -> tuple[BlockAnswers, BlockAnswers]:
    """Return the row of a part that reveals most when sent, and another row.

    For a rotating part, both rows cover all its questions and differ in each. Restricted to any booklet, the
    first one is the row that reveals most.
    """
    worst = least_likely_decoy(block.of_booklet(block.worst_booklet))
    if not block.is_rotating:
        return worst, next(row for row in block_rows(block) if row != worst)
    if isinstance(worst, str):
        return worst, tuple(_other_value(question, None) for question in block.questions)
    whole = replace(block, refusal=None, questions_per_person=None, booklets=None)
    answers = least_likely_decoy(whole)
    pairs = zip(block.questions, () if isinstance(answers, str) else answers, strict=True)
    return answers, tuple(_other_value(question, value) for question, value in pairs)


def _other_value(question: Question, value: Value | None) -> Value:
    if question.kind == "multi":
        ticks = value if isinstance(value, tuple) else (1,) * question.n_items
        return tuple(1 - tick for tick in ticks)
    return 0 if value else 1


def _shown(row: BlockAnswers, booklet: Booklet) -> BlockAnswers:
    return row if isinstance(row, str) else tuple(row[position] for position in booklet)


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
