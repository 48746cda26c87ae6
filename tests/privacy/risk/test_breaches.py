from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privacy.channels import largest_ratio
from privacy.risk.breaches import no_breach, odds_ratio, property_of
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import generalised_rr, shift, shift_or_any
from privacy.survey.block_channel import block_channel
from tests.fixtures.blocks import even
from tests.fixtures.refusals import refused

HALF = Fraction(1, 2)
# The source's example: 0 has 1%, 1 to 1000 have .099% each; "X not in {200, ..., 800}", ends included.
PRIOR = [Fraction(1, 100), *([Fraction(99, 100_000)] * 1000)]
ZERO = [0]
OUTSIDE = [value for value in range(1001) if not 200 <= value <= 800]
NUMBERS = NumberRange(low=0, high=1000)
OPERATORS = {"R1": generalised_rr(NUMBERS, 2000), "R2": shift(NUMBERS, 100), "R3": shift_or_any(NUMBERS, 100)}


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[Fraction], list[Fraction]]:
    """Draw a prior over at most seven values, and a row of a channel, both with many equal entries."""
    n = draw(st.integers(1, 7))
    weights = draw(st.lists(st.integers(0, 6), min_size=n, max_size=n).filter(any))
    chances = draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    prior = [Fraction(weight, sum(weights)) for weight in weights]
    likelihood = [Fraction(chance, 4) for chance in chances]
    if not any(share * chance for share, chance in zip(prior, likelihood, strict=True)):
        likelihood = [Fraction(1, 4)] * n
    return prior, likelihood


def properties(n: int) -> list[tuple[int, ...]]:
    return [members for size in range(n + 1) for members in combinations(range(n), size)]


@pytest.mark.parametrize(
    ("name", "zero", "outside"),
    [
        ("R1", Fraction(250, 349), Fraction(289_501, 349_000)),
        ("R2", Fraction(5, 104), Fraction(1)),
        ("R3", Fraction(3005, 102_302), Fraction(28_961_501, 40_920_800)),
    ],
)
def test_table_1_of_the_source_is_reproduced_exactly(name: str, zero: Fraction, outside: Fraction) -> None:
    row = OPERATORS[name].row(0)
    assert property_of(ZERO, PRIOR, row) == (Fraction(1, 100), zero)
    assert property_of(OUTSIDE, PRIOR, row) == (Fraction(40_501, 100_000), outside)


def test_amplifications_match_the_operators_of_the_source() -> None:
    found = {name: operator.amplification for name, operator in OPERATORS.items()}
    assert found == {"R1": 250, "R2": None, "R3": 1 + Fraction(1001, 201)}
    assert [largest_ratio([operator.row(7)]) for operator in OPERATORS.values()] == list(found.values())


def test_only_r3_excludes_breaches_from_one_seventh_to_one_half() -> None:
    seventh = Fraction(1, 7)
    assert odds_ratio(seventh, HALF) == 6
    assert [no_breach(OPERATORS[name].amplification, seventh, HALF) for name in ("R1", "R2", "R3")] == [
        False,
        False,
        True,
    ]


@settings(max_examples=60, deadline=None)
@given(cases(), st.integers(1, 8), st.integers(1, 8))
def test_the_sufficient_condition_prevents_upward_and_downward_breaches(
    case: tuple[list[Fraction], list[Fraction]], one: int, more: int
) -> None:
    prior, likelihood = case
    rho1 = Fraction(one, 20)
    rho2 = rho1 + Fraction(more, 20)
    if min(likelihood) > 0 and no_breach(largest_ratio([likelihood]), rho1, rho2):
        for members in properties(len(prior)):
            before, after = property_of(members, prior, likelihood)
            assert not before <= rho1 <= rho2 <= after
            assert not after <= rho1 <= rho2 <= before


def test_the_bound_is_attained_so_equality_is_a_breach() -> None:
    block = even(3600, 5)
    channel = block_channel(block)
    assert channel.amplification() == 19
    prior = [Fraction(1, 20), *([Fraction(19, 20) / 31] * 31)]
    assert property_of((0,), prior, channel.row(0)) == (Fraction(1, 20), HALF)
    assert not no_breach(Fraction(19), Fraction(1, 20), HALF)


@pytest.mark.parametrize(
    ("prior", "likelihood", "code"),
    [
        ([HALF, HALF, HALF], [HALF] * 3, "prior"),
        ([Fraction(3, 2), -HALF], [HALF] * 2, "prior"),
        ([HALF, HALF], [Fraction(0)] * 2, "impossible"),
    ],
)
def test_invalid_priors_and_likelihoods_are_rejected(
    prior: Sequence[Fraction], likelihood: Sequence[Fraction], code: str
) -> None:
    with refused(code):
        property_of((0,), prior, likelihood)


def test_rho1_must_be_below_rho2() -> None:
    for pair in ((HALF, HALF), (Fraction(0), HALF), (HALF, Fraction(1))):
        with refused("rho"):
            odds_ratio(*pair)
