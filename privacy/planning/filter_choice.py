"""Compare ways to send follow-ups of one filter: as several answers, or as one."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from privacy.coins import SCALE
from privacy.levels import normal_quantile
from privacy.planning.coin_choice import best_coin
from privacy.planning.precision import half_width
from privacy.planning.use import Goal, asked_item, strong
from privacy.risk.budget import block_budget
from privacy.survey.block import Block
from privacy.survey.component import MOST_OPTIONS
from privacy.survey.composed_block import shared_filters
from privacy.survey.design import Design
from privacy.survey.possible_answers import possible_answers
from privacy.survey.question import Question


@dataclass(frozen=True, kw_only=True)
class FilterChoice:
    """The widest 95% interval of a share, for each of two ways to send the same answers.

    Attributes
    ----------
    questions : tuple of str
        Keys of the composite questions that share a filter.
    separate : float
        Half-width with one answer for each question, as the design has them.
    combined : float
        Half-width with one answer that has an option for each combination that can be true, within the odds
        of the same block.
    combinations : int
        Number of these options.
    """

    questions: tuple[str, ...]
    separate: float
    combined: float
    combinations: int

    @property
    def is_separate_narrower(self) -> bool:
        """Whether several answers give narrower intervals than one."""
        return self.separate <= self.combined


def filter_choices(design: Design, aim: Goal) -> Iterator[FilterChoice]:
    """Yield the comparison for each block whose composite questions share a filter.

    Parameters
    ----------
    design : Design
    aim : Goal
        With the number of people, guessed shares and the protection.

    Notes
    -----
    Several answers have the half-widths that `privacy.planning.use.use_of` gives for the design. One answer
    has the best coin for the protection that leaves the odds of the whole block as they are, because other
    blocks have spent the rest, and equally likely random answers. A share pi is then reported with
    probability P = p pi + (1 - p)(1 - r) q, where q is the number of combinations with this answer, divided
    by the number of all. Its half-width is z sqrt(P (1 - P) / n) / p. Rotating blocks, and those with more
    than 200 combinations, are left out.
    """
    for number, block in enumerate(design.blocks):
        positions = sorted({each for own in shared_filters(block).values() for each in own})
        boxes = possible_answers(block)
        if not positions or not boxes or block.is_rotating or not aim.people:
            continue
        rows = {row for box in boxes for row in itertools.product(*(box[place] for place in positions))}
        if len(rows) > MOST_OPTIONS:
            continue
        asked = [block.questions[place] for place in positions]
        others = [question for question in block.questions if question not in asked]
        if combined := _widths_of_one_answer(strong(block), aim, others, asked, rows):
            keys = {question.key for question in asked}
            yield FilterChoice(
                questions=tuple(question.key for question in asked),
                separate=max(
                    half_width(asked_item(design, item, aim), aim.people)
                    for item in design.items
                    if item.block == number and design.questions[item.question].key in keys
                ),
                combined=max(combined),
                combinations=len(rows),
            )


def _widths_of_one_answer(
    block: Block,
    aim: Goal,
    others: Sequence[Question],
    asked: Sequence[Question],
    rows: set[tuple[int, ...]],
) -> list[float]:
    """Return the half-widths of the asked questions' shares if `rows` are the options of one answer.

    The block sends it besides the others. Empty if no coin is within the limits.
    """
    sizes = [question.n_items if question.options else 2 for question in others] + [len(rows)]
    p, r = best_coin(
        aim.protection,
        everything=block_budget(block).amplification or aim.protection.everything,
        row=Fraction(1, math.prod(sizes)),
        one=Fraction(1, max(sizes)),
        skips=block.refusal is not None,
    )
    if not p:
        return []
    truth, answering = p / SCALE, 1 - (r or 0) / SCALE
    found = []
    for place, question in enumerate(asked):
        shares = aim.shares_of(question)
        values = range(len(shares)) if question.options else [1]
        for value, share in zip(values, shares, strict=True):
            random = sum(row[place] == value for row in rows) / len(rows)
            reported = truth * share + (1 - truth) * answering * random
            error = math.sqrt(reported * (1 - reported) / aim.people) / truth
            found.append(normal_quantile(0.95) * error)
    return found
