"""Posteriors of one row worked out alone, which audits and the respondent's page are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from privacy.channels.amplification import retention_posterior
from privacy.coins import SCALE
from privacy.risk.budget import least_likely_decoy
from privacy.risk.posterior import Prevalence, prior_probability, sent_row
from privacy.survey.block import Block, BlockAnswers
from privacy.survey.booklets import Booklet
from privacy.survey.design import Design
from privacy.survey.grouping import BlockPattern, read_value
from privacy.survey.question import Question, Value


def truthful_posterior(block: Block, row: BlockPattern, prior: Fraction) -> Fraction:
    """Return the chance that a row was sent as the truth: p P / (p P + (1 - p) q).

    Three known yes/no answers, p = 1/2, decoy chances 1/2: 1/2 / (1/2 + 1/2 * 1/8) = 8/9.
    """
    return sent_row(block, row, prior).coin


def item_posteriors(block: Block, prevalence: Prevalence, row: BlockAnswers) -> dict[str, Fraction]:
    """Return for each item of a block the chance that its respondent has it, after a row was sent.

    Notes
    -----
    (p P(y) y_j + (1 - p) q(y) P(x_j = 1)) / (p P(y) + (1 - p) q(y)), where "skipped" has no item.
    """
    sent = sent_row(block, row, prior_probability(block, prevalence, row))
    answered = 1 - prior_probability(block, prevalence, "skipped")
    result: dict[str, Fraction] = {}
    for number, question in enumerate(block.questions):
        for option, (item_key, share) in enumerate(
            zip(question.item_keys, prevalence[question.key], strict=True)
        ):
            present = not isinstance(row, str) and _has(question, row[number], option)
            result[item_key] = retention_posterior(sent.coin, present, answered * Fraction(share, SCALE))
    return result


def _has(question: Question, value: Value, option: int) -> bool:
    if isinstance(value, tuple):
        return value[option] == 1
    return value == option if question.kind == "single" else value == 1


@dataclass(frozen=True, kw_only=True)
class RowOdds:
    """The respondent's odds of one row of one block, the twin of what ``odds.js`` works out.

    Of people who send exactly this row the share who really have these answers, and that of somebody who
    held it for an even chance, both cut to 15 decimals; before and after in whole people of 100, halves up.
    """

    row: BlockAnswers
    posterior: float
    even: float
    prior_of_100: int
    posterior_of_100: int


def row_odds(
    design: Design,
    prevalence: Prevalence,
    block: int,
    row: BlockAnswers,
    *,
    prior: Fraction | None = None,
    booklet: Booklet | None = None,
) -> RowOdds:
    """Return the respondent's odds of sending a row in block number `block`.

    Of a rotating block what was asked is a booklet; where it is not known, that under which most is told.
    """
    chosen = design.blocks[block]
    chosen = chosen.of_booklet(chosen.worst_booklet if booklet is None else booklet)
    if not isinstance(row, str):
        row = tuple(
            read_value(question, value) for question, value in zip(chosen.questions, row, strict=True)
        )
    chance = prior_probability(chosen, prevalence, row) if prior is None else prior
    sent = sent_row(chosen, row, chance)
    return RowOdds(
        row=row,
        posterior=_cut(sent.answer),
        even=_cut(sent.even),
        prior_of_100=_of_100(chance),
        posterior_of_100=_of_100(sent.answer),
    )


_DIGITS: Final = 10**15


def _cut(share: Fraction) -> float:
    # Whole digits, so that the browser's arithmetic gives the same float to the last bit.
    return share.numerator * _DIGITS // share.denominator / _DIGITS


def _of_100(share: Fraction) -> int:
    return (200 * share.numerator + share.denominator) // (2 * share.denominator)


def worst_row_odds(design: Design, prevalence: Prevalence, block: int) -> RowOdds:
    """Return the odds of the most informative row of a block: that of its least likely decoy."""
    drawn = design.blocks[block].of_booklet(design.blocks[block].worst_booklet)
    return row_odds(design, prevalence, block, least_likely_decoy(drawn))
