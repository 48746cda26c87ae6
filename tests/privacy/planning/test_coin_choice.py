"""The share of skips among random answers: the best one within all limits, against every other one."""

import itertools
from dataclasses import replace
from fractions import Fraction

import pytest

from privacy.coins import SCALE
from privacy.planning.coin_choice import best_coin
from privacy.planning.largest_truth import largest_truth
from privacy.planning.power import AskedItem
from privacy.planning.precision import half_width
from privacy.planning.protection import PROTECTIONS, Protection
from privacy.risk.amplification import promise
from privacy.survey.design import Block, Design, GroupPolicy, Question

BLOCKS = {
    "one yes/no question": (2,),
    "two yes/no questions": (2, 2),
    "three levels": (3,),
    "four yes/no questions": (2, 2, 2, 2),
    "a choice of five, and two": (5, 2),
}


def block(kinds: tuple[int, ...], truth: int, refusal: int | None) -> Block:
    questions = []
    for number, count in enumerate(kinds):
        options = () if count == 2 else tuple(f"o{option}" for option in range(count))
        kind = "yes_no" if count == 2 else "single"
        even = Question(key=f"q{number}", kind=kind, options=options, unrelated=()).even_shares
        questions.append(Question(key=f"q{number}", kind=kind, options=options, unrelated=even))
    return Block(
        key="b", protected=True, truth_probability=truth, refusal=refusal, questions=tuple(questions)
    )


def is_within(protection: Protection, kinds: tuple[int, ...], truth: int, refusal: int | None) -> bool:
    """Return whether a design keeps all limits, by its promise, which enumerations of the device confirm."""
    made = promise(Design(blocks=(block(kinds, truth, refusal),), group=GroupPolicy(), use="live"))
    assert made is not None
    return protection.allows(made)


def best_of(protection: Protection, kinds: tuple[int, ...], *, skips: bool) -> tuple[int, int | None]:
    rarest = [question.rarest_decoy for question in block(kinds, 5000, None).questions]
    row = Fraction(1)
    for each in rarest:
        row *= each
    return best_coin(protection, everything=protection.everything, row=row, one=min(rarest), skips=skips)


@pytest.mark.parametrize(("strength", "kinds"), list(itertools.product(PROTECTIONS, BLOCKS.values())))
def test_no_larger_p_keeps_the_limits_with_any_share_of_skips(strength: str, kinds: tuple[int, ...]) -> None:
    protection = PROTECTIONS[strength]
    truth, refusal = best_of(protection, kinds, skips=True)
    assert refusal is not None
    assert is_within(protection, kinds, truth, refusal)
    for other in {*range(1, SCALE, 97), *range(max(refusal - 40, 1), refusal + 40)}:
        assert not is_within(protection, kinds, truth + 1, other), other


@pytest.mark.parametrize("share", [0.01, 0.05, 0.1, 0.3, 0.5])
@pytest.mark.parametrize("strength", PROTECTIONS)
def test_no_other_share_of_skips_gives_a_narrower_interval(strength: str, share: float) -> None:
    """Compares all shares r in steps of .001, each with the largest p that keeps the limits."""
    protection = PROTECTIONS[strength]
    truth, refusal = best_of(protection, (2,), skips=True)
    assert refusal is not None

    def width(truth: int, refusal: int) -> float:
        decoy = 0.5 * (1 - refusal / SCALE)
        return half_width(AskedItem(truth=truth / SCALE, decoy=decoy, share=share, share_asked=1.0), 300)

    best = width(truth, refusal)
    for other in range(10, SCALE, 10):
        r = Fraction(other, SCALE)
        odds = min((protection.answer - 1) * (1 - r) / 2, (protection.skip - 1) * r)
        assert best <= width(largest_truth(odds), other) * (1 + 2e-4), other


def test_a_skip_may_be_twice_as_likely_if_it_is_true() -> None:
    """Then o <= r and o <= (A - 1) (1 - r) / 2, so r = 3 / 5 and p = r / (1 + r) at odds of 4."""
    protection = Protection(everything=Fraction(19), answer=Fraction(4), skip=Fraction(2))
    assert best_of(protection, (2,), skips=True) == (3750, 6000)
    none = replace(protection, skip=Fraction(1))
    assert best_of(none, (2,), skips=True) == (0, 1)


def test_figures_of_one_question_and_of_three_levels() -> None:
    """With 300 people and a share of one half: r = .158, p = .558, ±10.1; three levels r = 1/9, p = .471."""
    medium = PROTECTIONS["medium"]
    assert best_of(medium, (2,), skips=True) == (5581, 1579)
    assert best_of(medium, (3,), skips=True) == (4705, 1111)

    def points(truth: int, refusal: int, decoy: float) -> float:
        asked = AskedItem(
            truth=truth / SCALE, decoy=decoy * (1 - refusal / SCALE), share=0.5, share_asked=1.0
        )
        return round(100 * half_width(asked, 300), 1)

    # Before: r = 1 / (1 + rows).
    assert (points(4999, 3334, 0.5), points(5581, 1579, 0.5)) == (11.2, 10.1)
    assert (points(4285, 2500, 1 / 3), points(4705, 1111, 1 / 3)) == (12.7, 11.7)


def test_impossible_limits_give_no_p() -> None:
    medium = PROTECTIONS["medium"]
    half = Fraction(1, 2)
    assert best_coin(medium, everything=Fraction(1), row=half, one=half, skips=True)[0] == 0
    assert best_coin(medium, everything=Fraction(1), row=half, one=half, skips=False)[0] == 0
    certain = Protection(everything=Fraction(19), answer=Fraction(4), skip=Fraction(1))
    assert best_coin(certain, everything=Fraction(19), row=half, one=half, skips=True)[0] == 0
