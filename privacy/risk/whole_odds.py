"""Posterior odds of one person's whole row: the respondent's label over all parts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from privacy.channels.amplification import posterior_bound
from privacy.risk.budget import BlockBudget, block_budget, counted
from privacy.survey.design import Design

__all__ = ["WholeOdds", "largest_amplification", "whole_odds"]


@dataclass(frozen=True, kw_only=True)
class WholeOdds:
    """Largest posterior at an even prior, of any property of a person.

    Parameters
    ----------
    amplification : Fraction
        G: how many times likelier a whole row can be from one person than from another with the same open
        answers.
    parts : int
        How many protected parts it is of: those that one device can be asked.
    not_composed : bool
        Whether it leaves a place out, whose report can show in which areas it is not: to the bound it counts
        as known, like an open answer.

    Examples
    --------
    Five parts of one question each, p = .5 and theta = .5: 243 of 244, which is above 99 of 100.

    >>> WholeOdds(amplification=Fraction(3), parts=1, not_composed=False).of_100
    75
    >>> WholeOdds(amplification=Fraction(3) ** 5, parts=5, not_composed=False).once_in
    244
    """

    amplification: Fraction
    parts: int
    not_composed: bool

    @property
    def of_100(self) -> int | None:
        """At most right so many of 100 times, rounded up; None above 99, which would read as a certainty."""
        share = posterior_bound(self.amplification, Fraction(1, 2))
        return math.ceil(100 * share) if self.amplification <= 99 else None

    @property
    def once_in(self) -> int | None:
        """Then: wrong as rarely as once in so many times, G + 1 rounded up; None up to 99 of 100."""
        return math.ceil(self.amplification + 1) if self.amplification > 99 else None

    def to_json(self) -> dict[str, int | bool | None]:
        """Return what a page says of it."""
        return {
            "of_100": self.of_100,
            "once_in": self.once_in,
            "parts": self.parts,
            "not_composed": self.not_composed,
        }


def whole_odds(design: Design) -> WholeOdds | None:
    """Return the label over all protected parts of a design; None where none of them has a bound."""
    bounds = {number: block_budget(block) for number, block in enumerate(design.blocks) if block.protected}
    covered = {number: bound for number, bound in bounds.items() if not bound.exact_outside}
    gamma = largest_amplification(design, covered) if covered else None
    if gamma is None:
        return None
    return WholeOdds(
        amplification=gamma,
        parts=len(counted(covered.values(), design.rotations)),
        not_composed=len(covered) < len(bounds),
    )


def largest_amplification(design: Design, bounds: Mapping[int, BlockBudget]) -> Fraction | None:
    """Return G, the largest product of the gammas of parts that one device is asked together.

    Parameters
    ----------
    design : Design
    bounds : mapping of block number to BlockBudget
        The parts that are multiplied.

    Returns
    -------
    Fraction or None
        None where a part has no bound.

    Notes
    -----
    Given the open answers, which parts are asked is known, and their channels are independent: their
    product has amplification prod gamma_b, whatever the answers of the parts have to do with each other. Its
    posterior at an even prior, G / (1 + G), is reached by a distribution that puts one half each on two
    whole rows.

    Conditions that name one earlier open question each make a forest. Of the parts that hang on one
    question those are asked together that share one of its answers; parts that hang on different questions
    can always be. A part that waits for several answers together is taken to wait for the last of them alone,
    and one that waits for any of several to be asked of everybody: dropping a condition lets no fewer parts
    be asked together, and gammas are at least 1, so G is then a bound.

    Of a rotation the parts with the largest gammas count, as many as one device is asked, also where their
    conditions exclude each other: G is then a bound that no row reaches.
    """
    if any(bound.amplification is None for bound in bounds.values()):
        return None
    whole = _along_routes(design, bounds)
    if not design.rotations:
        return whole
    rotated = {key for rotation in design.rotations for key in rotation.blocks}
    rest = {number: bound for number, bound in bounds.items() if bound.key not in rotated}
    drawn = counted((bound for bound in bounds.values() if bound.key in rotated), design.rotations)
    gammas = (bound.amplification for bound in drawn if bound.amplification is not None)
    return min(whole, _along_routes(design, rest) * math.prod(gammas, start=Fraction(1)))


def _along_routes(design: Design, bounds: Mapping[int, BlockBudget]) -> Fraction:
    """Return the largest product of parts that the answers to open questions can lead to."""
    steps = [None if route is None or route.joined == "any" else route.steps[-1] for route in design.routes]

    def together(numbers: Sequence[int]) -> Fraction:
        return math.prod((within(number) for number in numbers), start=Fraction(1))

    def within(number: int) -> Fraction:
        bound = bounds.get(number)
        if bound is not None and bound.amplification is not None:
            return bound.amplification
        return math.prod(
            (most(number, question) for question in range(len(design.blocks[number].questions))),
            start=Fraction(1),
        )

    def most(block: int, question: int) -> Fraction:
        led = [
            (number, step.values)
            for number, step in enumerate(steps)
            if step is not None and (step.block, step.question) == (block, question)
        ]
        answers = frozenset[int]().union(*(values for _number, values in led))
        ways = (together([number for number, values in led if answer in values]) for answer in answers)
        return max(ways, default=Fraction(1))

    return together([number for number, step in enumerate(steps) if step is None])
