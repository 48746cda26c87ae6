"""Compare ways to send follow-ups of one filter: as several answers, as one, or with the filter left open."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from privacy.coins import SCALE
from privacy.levels import normal_quantile
from privacy.planning.coin_choice import best_coin
from privacy.planning.use import Goal
from privacy.survey.block import Block
from privacy.survey.composed_block import shared_filters
from privacy.survey.design import Design
from privacy.survey.possible_answers import possible_answers
from privacy.survey.question import MOST_OPTIONS, Question


@dataclass(frozen=True, kw_only=True)
class FilterChoice:
    """The widest 95% interval of a share, for each of two ways to send the same answers.

    Attributes
    ----------
    questions : tuple of str
        Keys of the composite questions that share a filter.
    separate : float
        Half-width with one answer for each question.
    combined : float
        Half-width with one answer that has an option for each combination that can be true.
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
    Both ways have the best coin for the protection, and equally likely random answers. A share pi is reported
    with probability P = p pi + (1 - p)(1 - r) q, so its half-width is z sqrt(P (1 - P) / n) / p. With one
    answer of m combinations, q is the number of combinations with this answer, divided by m. Rotating blocks,
    and those with more than 200 combinations, are left out.
    """
    for block in design.blocks:
        positions = sorted({each for own in shared_filters(block).values() for each in own})
        boxes = possible_answers(block)
        if not positions or not boxes or block.is_rotating:
            continue
        rows = {row for box in boxes for row in itertools.product(*(box[place] for place in positions))}
        if len(rows) > MOST_OPTIONS:
            continue
        asked = [block.questions[place] for place in positions]
        others = [question for question in block.questions if question not in asked]
        apart = _widths(block, aim, [*asked, *others], asked)
        whole = _widths(block, aim, others, asked, rows=rows)
        if apart and whole:
            yield FilterChoice(
                questions=tuple(question.key for question in asked),
                separate=max(apart),
                combined=max(whole),
                combinations=len(rows),
            )


def _widths(
    block: Block,
    aim: Goal,
    questions: Sequence[Question],
    asked: Sequence[Question],
    *,
    rows: set[tuple[int, ...]] | None = None,
) -> list[float]:
    """Return the half-widths of the asked questions' shares; empty if no coin is within the limits.

    With `rows`, they are one answer, which the block sends besides `questions`.
    """
    sizes = [question.n_items if question.options else 2 for question in questions]
    sizes += [] if rows is None else [len(rows)]
    p, r = best_coin(
        aim.protection,
        everything=aim.protection.everything,
        row=Fraction(1, math.prod(sizes)),
        one=Fraction(1, max(sizes)),
        skips=block.refusal is not None,
    )
    if not p or not aim.people:
        return []
    truth, answering = p / SCALE, 1 - (r or 0) / SCALE
    found = []
    for place, question in enumerate(asked):
        shares = aim.shares_of(question)
        values = range(len(shares)) if question.options else [1]
        for value, share in zip(values, shares, strict=True):
            random = 1 / (len(shares) if question.options else 2)
            if rows is not None:
                random = sum(row[place] == value for row in rows) / len(rows)
            reported = truth * share + (1 - truth) * answering * random
            error = math.sqrt(reported * (1 - reported) / aim.people) / truth
            found.append(normal_quantile(0.95) * error)
    return found


def width_among(
    *,
    truth: float,
    decoys: Sequence[float],
    shares: Sequence[float],
    option: int,
    among: Sequence[int],
    people: float,
) -> float:
    """Return the half-width of a share of people with an option among those who have one of several.

    Parameters
    ----------
    truth : float
        p of the block.
    decoys, shares : sequence of float
        By option: its probability among random answers, with skips, and its share of all people.
    option : int
        Position of the option.
    among : sequence of int
        Positions of the options that these people have, with `option`.
    people : float
        Number of all people who are asked.

    Notes
    -----
    With c the share of the options `among` and R that of `option` in c, the mean over reports of
    Z = [option] - R [one of them] has the variance that the ratio's error has, times p c:

        z sqrt((E Z^2 - (E Z)^2) / n) / (p c).

    Examples
    --------
    300 people, 60% of whom had contact to officials, and 20% of these paid a bribe. Disguised together with
    the contact, p = .5 and each answer is a third of the random ones: E Z^2 = .1613 and E Z = .1. If contact
    is stored as answered, p = .6 for 180 people: 1.96 sqrt(.32 (.68) / 180) / .6 = .114.

    >>> whole = width_among(truth=.5, decoys=[1 / 3] * 3, shares=[.4, .48, .12], option=2, among=[1, 2],
    ...                     people=300)
    >>> round(100 * whole, 1)
    14.7
    """
    contact = math.fsum(shares[place] for place in among)
    ratio = shares[option] / contact
    reported = [truth * share + (1 - truth) * decoy for share, decoy in zip(shares, decoys, strict=True)]
    others = math.fsum(reported[place] for place in among if place != option)
    squares = reported[option] * (1 - ratio) ** 2 + others * ratio**2
    mean = reported[option] * (1 - ratio) - others * ratio
    error = math.sqrt((squares - mean**2) / people) / (truth * contact)
    return normal_quantile(0.95) * error
