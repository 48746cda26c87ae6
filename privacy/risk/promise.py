"""The promise to a respondent: how sure anyone can become of them, by all that is sent and by one answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from privacy.risk.budget import BlockBudget, block_budget, counted, question_odds, skip_odds
from privacy.survey.design import Design


def percent(odds: Fraction) -> int | None:
    """Convert odds at a prior of 1/2 to a posterior in whole percent, rounded up; None above 99%.

    Parameters
    ----------
    odds : Fraction
        Likelihood ratio O, at least 1; the posterior is O / (1 + O). Compared as a fraction: the float of
        1 / (1 + exp(-ln 19)) is above .95.

    Examples
    --------
    >>> percent(Fraction(4)), percent(Fraction(19)), percent(Fraction(22, 3)), percent(Fraction(100))
    (80, 95, 88, None)
    """
    return math.ceil(100 * odds / (1 + odds)) if odds <= 99 else None


def once_in(odds: Fraction) -> int | None:
    """Return how rarely a guess at such odds is wrong, once in so many times; None up to 99%.

    Parameters
    ----------
    odds : Fraction
        For the guess against all else, above 0.

    Examples
    --------
    >>> once_in(Fraction(243)), once_in(Fraction(99))
    (244, None)
    """
    return math.ceil(odds + 1) if odds > 99 else None


@dataclass(frozen=True, kw_only=True)
class Promise:
    """Largest likelihood ratios of a device's report, over any property of a respondent.

    Parameters
    ----------
    everything : Fraction
        G, the largest likelihood ratio of a whole row between two respondents with the same open answers.
        Printed as M.
    answer : Fraction
        The same ratio for one reported answer, without the others. Printed as K.
    skip : Fraction or None
        The ratio for "skipped", between a respondent who skipped and any other; None if skipping is not
        offered. Printed as S.
    parts : int
        Number of protected blocks covered: those that one device can be asked.
    not_composed : bool
        Whether a place is left out because its report can rule areas out; the bound treats it as known, like
        an open answer.
    anchors : int, optional
        Number of blocks left out because their true answers are publicly known. The bound assumes respondents
        who answer these truthfully, and covers everything else they send.

    Examples
    --------
    Five parts of one question each, p = .5 and theta = .5: 243 of 244, which is above 99 of 100.

    >>> odds = Fraction(3)
    >>> five = Promise(everything=odds**5, answer=odds, skip=None, parts=5, not_composed=False)
    >>> five.of_100, five.once_in, five.one_of_100
    (None, 244, 75)
    """

    everything: Fraction
    answer: Fraction
    skip: Fraction | None
    parts: int
    not_composed: bool
    anchors: int = 0

    @property
    def of_100(self) -> int | None:
        """M: how sure all that is sent makes at most, in percent rounded up; None above 99."""
        return percent(self.everything)

    @property
    def once_in(self) -> int | None:
        """Then: wrong as rarely as once in so many times; None up to 99 percent."""
        return once_in(self.everything)

    @property
    def one_of_100(self) -> int | None:
        """K: how sure one answer makes at most, in percent rounded up; None above 99."""
        return percent(self.answer)

    @property
    def skip_of_100(self) -> int | None:
        """S: how sure a skip makes at most, in percent rounded up; None above 99, and without one."""
        return None if self.skip is None else percent(self.skip)

    def to_json(self) -> dict[str, int | bool | None]:
        """Return the values that a page shows."""
        return {
            "of_100": self.of_100,
            "once_in": self.once_in,
            "one_of_100": self.one_of_100,
            "one_once_in": once_in(self.answer),
            "skip_of_100": self.skip_of_100,
            "times": math.ceil(self.everything),
            "parts": self.parts,
            "not_composed": self.not_composed,
            **({"anchors": self.anchors} if self.anchors else {}),
        }


def promise(design: Design) -> Promise | None:
    """Return the promise of a design of one strength; None where no protected part has a bound.

    Parameters
    ----------
    design : Design
        `Design.in_group` gives that of one strength.

    Notes
    -----
    "Everything" is the largest product of amplifications of parts that one device is asked together
    (`largest_amplification`), "answer" the largest `question_odds`, "skip" the largest `skip_odds`. One
    answer is a part of all that is sent, so answer <= everything.

    An anchor has the same true answer for everyone. Two respondents who both give it have equal probabilities
    for that report whatever else they answer, so its factor is 1 and the product omits it.

    References
    ----------
    Evfimievski, Gehrke and Srikant 2003 (amplification).
    """
    bounds = {number: block_budget(block) for number, block in enumerate(design.blocks) if block.protected}
    covered = {number: bound for number, bound in bounds.items() if bound.is_summed}
    gamma = largest_amplification(design, covered) if covered else None
    if gamma is None:
        return None
    blocks = [design.blocks[number] for number in covered]
    answers = [odds for block in blocks if (odds := question_odds(block)) is not None]
    skips = [odds for block in blocks if (odds := skip_odds(block)) is not None]
    return Promise(
        everything=gamma,
        answer=max(answers),
        skip=max(skips, default=None),
        parts=len(counted(covered.values(), design.rotations)),
        not_composed=any(bound.exact_outside for bound in bounds.values()),
        anchors=sum(bound.is_anchor for bound in bounds.values()),
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

    Conditions on one earlier open question each form a forest. Among the blocks that depend on one question,
    those that share one of its answers can be asked together; blocks that depend on different questions
    always can. A block with an AND of conditions is treated as depending only on the last of them, and a
    block with an OR as unconditional. Dropping a condition never reduces the blocks that can be asked
    together, and gammas are at least 1, so G remains an upper bound.

    Each rotation contributes its blocks with the largest gammas, as many as one device is asked, even if
    their conditions exclude each other. G is then an upper bound that no row reaches.
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
