"""The near-truth disguise by enumeration: chances, factors, margins and scores, in exact fractions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from operator import ne

import pytest

from privacy.channels.near_truth import NearTruth, ball_size, krawtchouk
from privacy.channels.retention import Retention
from privacy.errors import PrivacyError

LAWS = [
    NearTruth(questions=j, radius=r, truth=truth)
    for j in range(1, 7)
    for r in range(j)
    for truth in (Fraction(0), Fraction(1, 3), Fraction(8121, 10_000), Fraction(1))
]


def ids(law: NearTruth) -> str:
    return f"{law.questions}-{law.radius}-{law.truth}"


def rows(length: int) -> list[tuple[int, ...]]:
    return list(itertools.product((0, 1), repeat=length))


def distance(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    return sum(map(ne, one, other))


def sign(row: tuple[int, ...], chosen: tuple[int, ...]) -> int:
    return (-1) ** sum(row[place] for place in chosen)


@pytest.mark.parametrize("law", LAWS, ids=ids)
def test_each_set_of_turned_answers_is_numbered_once_in_the_order_of_binary_numbers(law: NearTruth) -> None:
    found = [law.turned(number) for number in range(law.ball)]
    as_rows = [tuple(int(place in turned) for place in range(law.questions)) for turned in found]
    assert as_rows == [row for row in rows(law.questions) if sum(row) <= law.radius]
    for outside in (-1, law.ball):
        if outside == law.ball:
            with pytest.raises(IndexError):
                law.turned(outside)


@pytest.mark.soak
@pytest.mark.parametrize("law", LAWS, ids=ids)
def test_the_chance_of_a_row_is_that_of_a_coin_and_of_a_number_or_of_fair_coins(law: NearTruth) -> None:
    true = (0,) * law.questions
    for sent in rows(law.questions):
        turned = tuple(place for place, bit in enumerate(sent) if bit)
        ways = sum(law.turned(number) == turned for number in range(law.ball))
        chance = law.truth * Fraction(ways, law.ball) + (1 - law.truth) * Fraction(1, 2**law.questions)
        assert law.chance(distance(sent, true)) == chance
        assert law.matrix[int("".join(map(str, sent)), 2), 0] == chance
    assert law.matrix.amplification() == law.amplification


@pytest.mark.parametrize("law", LAWS, ids=ids)
def test_factors_are_the_means_of_signs(law: NearTruth) -> None:
    for size in range(law.questions + 1):
        chosen = tuple(range(size))
        mean = sum(
            law.chance(distance(row, (0,) * law.questions)) * sign(row, chosen) for row in rows(law.questions)
        )
        assert mean == law.factor(size)


@pytest.mark.parametrize("law", LAWS, ids=ids)
def test_the_margin_of_some_questions_depends_on_how_many_answers_differ_alone(law: NearTruth) -> None:
    for size in range(1, law.questions + 1):
        found = law.margin(size)
        assert sum(math.comb(size, u) * chance for u, chance in enumerate(found)) == 1
        for part in rows(size):
            chance = sum(law.chance(sum(part) + sum(rest)) for rest in rows(law.questions - size))
            assert chance == found[sum(part)]


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS, ids=ids)
def test_the_score_is_unbiased_whatever_is_true_and_is_the_sum_over_characters(law: NearTruth) -> None:
    for size in range(1, law.questions + 1):
        factors = [law.factor(a) for a in range(size + 1)]
        if 0 in factors:
            with pytest.raises(PrivacyError) as refused:
                law.score(size)
            assert refused.value.code == "no_score"
            continue
        found, margin = law.score(size), law.margin(size)
        for shown in rows(size):
            characters = sum(
                (-1) ** len(chosen) * sign(shown, chosen) / factors[len(chosen)]
                for a in range(size + 1)
                for chosen in itertools.combinations(range(size), a)
            )
            assert found[size - sum(shown)] == characters / 2**size
        for true in rows(size):
            mean = sum(margin[distance(shown, true)] * found[size - sum(shown)] for shown in rows(size))
            assert mean == int(all(true))


def test_radius_0_is_the_grouping_model_with_fair_coins() -> None:
    for j in range(1, 6):
        for truth in (Fraction(1, 10_000), Fraction(1, 3), Fraction(9999, 10_000)):
            law = NearTruth(questions=j, radius=0, truth=truth)
            own = Retention.grouping(truth, [Fraction(1, 2**j)] * 2**j)
            assert law.matrix == own.matrix
            assert law.amplification == own.amplification
            assert {law.factor(a) for a in range(1, j + 1)} == {truth}
            q = [Fraction(1, 2**size) for size in range(j + 1)]
            for size in range(1, j + 1):
                z = law.score(size)
                assert z[0] == (1 - (1 - truth) * q[size]) / truth
                assert set(z[1:]) == {-(1 - truth) * q[size] / truth}


def test_the_goldens_of_ten_questions_at_epsilon_6() -> None:
    gain = math.expm1(6)
    truth = 11 * gain / (11 * gain + 1024)
    law = NearTruth(questions=10, radius=1, truth=Fraction(truth))
    assert round(truth, 6) == 0.812135
    assert [round(float(law.factor(a)), 6) for a in (1, 2, 3)] == [0.664474, 0.516813, 0.369152]
    # n Var at uniform truth, as a sum over characters and as the second moment of the score.
    for size, expected in ((1, 0.5662), (2, 0.5171), (3, 0.3963)):
        by_factors = sum(math.comb(size, a) / float(law.factor(a)) ** 2 for a in range(1, size + 1)) / 4**size
        z = law.score(size)
        square = float(sum(math.comb(size, u) * z[u] ** 2 for u in range(size + 1)) / 2**size)
        assert round(by_factors, 4) == expected
        assert square - 0.25**size == pytest.approx(by_factors, rel=1e-12)


def test_what_is_lost_is_said_by_the_reach() -> None:
    lost = NearTruth(questions=3, radius=1, truth=Fraction(2, 3))
    assert (lost.amplification, lost.factor(1), lost.factor(2)) == (5, Fraction(1, 3), 0)
    assert lost.reach(0.05) == 1
    assert NearTruth(questions=5, radius=1, truth=Fraction(9, 10)).reach(0.05) == 2
    assert NearTruth(questions=10, radius=1, truth=Fraction(8121, 10_000)).reach(0.05) == 10
    assert NearTruth(questions=10, radius=1, truth=Fraction(8121, 10_000)).reach(0.3) == 3
    assert NearTruth(questions=4, radius=0, truth=Fraction(4, 100)).reach(0.05) == 0


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"radius": 4}, "radius"),
        ({"radius": -1}, "radius"),
        ({"radius": 1.5}, "radius"),
        ({"truth": Fraction(3, 2)}, "out_of_range"),
        ({"questions": 0}, "out_of_range"),
    ],
)
def test_what_is_no_such_law_is_refused(change: dict[str, object], code: str) -> None:
    with pytest.raises(PrivacyError) as refused:
        NearTruth(**{"questions": 4, "radius": 1, "truth": Fraction(1, 2), **change})
    assert refused.value.code == code


def test_a_channel_of_more_than_ten_questions_is_not_written_out() -> None:
    with pytest.raises(PrivacyError) as refused:
        _ = NearTruth(questions=11, radius=1, truth=Fraction(1, 2)).matrix
    assert refused.value.code == "too_large"


def test_krawtchouk_numbers_are_the_coefficients_of_a_product() -> None:
    for length in range(7):
        for size in range(length + 1):
            for weight in range(length + 1):
                signed = sum(
                    (-1) ** sum(place < size for place in chosen)
                    for chosen in itertools.combinations(range(length), weight)
                )
                assert krawtchouk(weight, size, length) == signed
        assert ball_size(length, 99) == 2**length
