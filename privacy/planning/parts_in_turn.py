"""Choose of how many whole parts each person is asked: as precise as all of them, with less epsilon.

Parts keep their coins; of B parts a device asks a, drawn by chance, and each of them may tell more than it
did. Two parts are asked together of a share a(a-1)/(B(B-1)) of the people. All is at uniform truth.

Parts of a design for the planner: questions, draws and probabilities.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from privacy import validation
from privacy.coins import SCALE
from privacy.planning.better_design import least_epsilon, odds_of_one
from privacy.planning.part_variance import AskedPart, AskedQuestion, Turns, mean_variance, variance_of_size
from privacy.policy import LEAST_COMPLETE_ROWS
from privacy.survey.block import Block
from privacy.survey.question import Question

__all__ = ["PartsInTurn", "asked_part", "parts_in_turn"]


NumberEpsilon = Callable[[float], float]
"""Epsilon with which a number that a share of the people is asked is as exact as now; infinite for none."""


@dataclass(frozen=True, kw_only=True)
class PartsInTurn:
    """Whole parts that take turns.

    Parameters
    ----------
    parts_per_person : int
        a, of all parts and numbers.
    parts : tuple of AskedPart
        With the p that they then have.
    part_epsilons, number_epsilons : tuple of float
        Of each part and of each number, at most.
    epsilon : float
        The largest sum that one device can be asked.
    variances : tuple of float
        n times the variance of supports of one, two and three items; infinite where nobody is asked them.
    complete : tuple of float
        People until enough were asked all parts that an itemset of one, two or three items can touch.
    """

    parts_per_person: int
    parts: tuple[AskedPart, ...]
    part_epsilons: tuple[float, ...]
    number_epsilons: tuple[float, ...]
    epsilon: float
    variances: tuple[float, ...]
    complete: tuple[float, ...]


def parts_in_turn(
    parts: Sequence[AskedPart],
    *,
    n: int,
    sizes: Sequence[int],
    skips: Sequence[bool],
    numbers: Sequence[NumberEpsilon] = (),
    most_epsilon: float = math.inf,
    most_of_device: float = math.inf,
    most_odds: float = math.inf,
) -> PartsInTurn | None:
    """Return the rotation of whole parts that is as precise as all parts with the least epsilon.

    Parameters
    ----------
    parts : sequence of AskedPart
        Of which everybody is asked all, each part with a coin of its own, drawn evenly from then on.
    n : int
        Respondents: of them enough must be asked the parts of an itemset.
    sizes : sequence of int
        Supports of so many items count alike, and so many parts a person at least.
    skips : sequence of bool
        Whether each part can be skipped, as likely as one pattern of its answers.
    numbers : sequence of callable
        Numbers that take turns with the parts: the epsilon with which each keeps its own error.
    most_epsilon : float
        Of one part, at most.
    most_of_device : float
        Of all that one device is asked, at most.
    most_odds : float
        Of one question of a part of several, at most.

    Returns
    -------
    PartsInTurn or None
        None where no rotation is as precise within the ceilings. All parts get one epsilon, numbers their
        own.

    Raises
    ------
    PrivacyError
        ``out_of_range``: not as many skips as parts.

    Examples
    --------
    Six parts of one question, each at p = 1/5: epsilon ln 1.5 each, 2.43 in all. Two of six need 1.66.

    >>> coins = [AskedPart(questions=1, truth=.2)] * 6
    >>> turns = parts_in_turn(coins, n=100_000, sizes=(1, 2), skips=[False] * 6)
    >>> turns.parts_per_person, round(turns.epsilon, 2)
    (2, 1.66)
    """
    validation.whole_number(len(skips), "number of skips", low=len(parts), high=len(parts))
    validation.number_of_rows(n)
    if not parts:
        return None
    rotations = _Rotations(
        parts=parts,
        n=n,
        sizes=sizes,
        skips=skips,
        numbers=numbers,
        most_epsilon=most_epsilon,
        most_of_device=most_of_device,
        most_odds=most_odds,
    )
    designs = (rotations.least(a) for a in range(max(sizes), rotations.total))
    return min((design for design in designs if design), key=lambda design: design.epsilon, default=None)


@dataclass(frozen=True, kw_only=True)
class _Rotations:
    """The rotations of parts and numbers, whatever many each person is asked; see `parts_in_turn`."""

    parts: Sequence[AskedPart]
    n: int
    sizes: Sequence[int]
    skips: Sequence[bool]
    numbers: Sequence[NumberEpsilon]
    most_epsilon: float
    most_of_device: float
    most_odds: float

    @property
    def total(self) -> int:
        return len(self.parts) + len(self.numbers)

    @cached_property
    def variance(self) -> float:
        """n times the mean variance of supports, where everybody is asked all parts."""
        return mean_variance(self.parts, self.sizes)

    def with_epsilon(self, epsilon: float) -> list[AskedPart]:
        """Return the parts with the p that one epsilon of each gives."""
        pairs = tuple(zip(self.parts, self.skips, strict=True))
        # Many parts are alike: each kind is made once.
        made = {
            (part, skip): _with_epsilon(part, epsilon, skips=skip, most_odds=self.most_odds)
            for part, skip in set(pairs)
        }
        return [made[pair] for pair in pairs]

    def least(self, per_person: int) -> PartsInTurn | None:
        """Return the rotation that asks each person so many parts; None where none is as precise."""
        # By size of an itemset, the share of people who are asked so many given parts.
        shares = [
            math.comb(self.total - size, per_person - size) / math.comb(self.total, per_person)
            for size in range(1, per_person + 1)
        ]
        touched = [min(size, len(self.parts)) for size in (1, 2, 3)]
        complete = tuple(
            math.ceil(LEAST_COMPLETE_ROWS / shares[most - 1] - 1e-6) if most <= per_person else math.inf
            for most in touched
        )
        number_epsilons = tuple(number(shares[0]) for number in self.numbers)
        if complete[max(self.sizes) - 1] > self.n or max(number_epsilons, default=0.0) > self.most_epsilon:
            return None
        turns: list[Turns] = [(tuple(range(self.total)), per_person)]

        def is_precise(epsilon: float) -> bool:
            parts = self.with_epsilon(epsilon)
            return (
                all(part.truth > 0 for part in parts)
                and mean_variance(parts, self.sizes, rotations=turns) <= self.variance
            )

        epsilon = least_epsilon(is_precise, min(self.most_epsilon, 20.0))
        if math.isinf(epsilon):
            return None
        parts = self.with_epsilon(epsilon)
        part_epsilons = tuple(
            math.log1p(part.truth / (1 - part.truth) * (part.patterns + skip))
            for part, skip in zip(parts, self.skips, strict=True)
        )
        of_device = math.fsum(sorted((*part_epsilons, *number_epsilons), reverse=True)[:per_person])
        # Less of each part would be less precise, so none of so many parts keeps the ceiling.
        if of_device > self.most_of_device:
            return None
        return PartsInTurn(
            parts_per_person=per_person,
            parts=tuple(parts),
            part_epsilons=part_epsilons,
            number_epsilons=number_epsilons,
            epsilon=of_device,
            variances=tuple(_variance(parts, size, turns) for size in (1, 2, 3)),
            complete=complete,
        )


def _with_epsilon(part: AskedPart, epsilon: float, *, skips: bool, most_odds: float) -> AskedPart:
    """Return a part with the p of an epsilon, drawn evenly, within the odds of one question of several."""
    kinds = tuple(replace(question, unrelated=None) for question in part.asked_questions)
    even = replace(part, kinds=kinds)
    gain = math.expm1(epsilon)
    truth = gain / (gain + even.patterns + skips)
    if part.questions > 1 and math.isfinite(most_odds):
        # 1 + p/((1 - p) q) with q from the odds at p = 1/2.
        ratio = (most_odds - 1) / (odds_of_one(replace(even, truth=0.5)) - 1)
        truth = min(truth, ratio / (1 + ratio))
    return replace(even, truth=math.floor(truth * SCALE + 1e-9) / SCALE)


def _variance(parts: Sequence[AskedPart], size: int, turns: Sequence[Turns]) -> float:
    if size > sum(question.items for part in parts for question in part.asked_questions):
        return math.inf
    return variance_of_size(parts, size, rotations=turns)


_SIZES: Final = (1, 2, 3)
"""Of itemsets that a planner knows of."""


def asked_part(block: Block) -> AskedPart:
    """Return a protected block with a coin as a planner computes with it; a skip is left aside.

    Parameters
    ----------
    block : Block
        Of two strengths that of the strong one. Where a list of sets asks some questions together more often
        than others, sets of as many questions count alike.

    Examples
    --------
    >>> questions = tuple(Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "abc")
    >>> part = asked_part(Block(key="b", protected=True, truth_probability=5000, refusal=None, asked_if=None,
    ...                         questions=questions, questions_per_person=2,
    ...                         booklets=((0, 1), (0, 2), (1, 2))))
    >>> part.truth, [part.inverse_share(size) for size in (1, 2, 3)]
    (0.5, [1.5, 3.0, inf])
    """
    return AskedPart(
        questions=len(block.questions),
        truth=block.truth_probability / SCALE,
        per_person=block.questions_per_person,
        inverse_shares=_inverse_shares(block),
        kinds=tuple(_asked_question(question) for question in block.questions),
        radius=block.radius,
    )


def _asked_question(question: Question) -> AskedQuestion:
    return AskedQuestion(
        items=question.n_items,
        exclusive=question.kind == "single",
        unrelated=tuple(share / SCALE for share in question.unrelated),
    )


def _inverse_shares(block: Block) -> tuple[float, ...] | None:
    """Return by size of a list of sets the mean of 1 / share asked together; None without a list."""
    if block.booklets is None:
        return None
    shares = []
    for size in _SIZES:
        booklets_with = Counter(
            chosen for booklet in block.booklets for chosen in itertools.combinations(booklet, size)
        )
        total = math.comb(len(block.questions), size)
        never = not total or len(booklets_with) < total
        shares.append(
            math.inf
            if never
            else math.fsum(block.n_booklets / count for count in booklets_with.values()) / total
        )
    return tuple(shares)
