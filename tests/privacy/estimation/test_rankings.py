"""Rankings: every figure by enumeration of what devices send, and against expressions over the orders."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.estimation import SupportCounts
from privacy.estimation.expression import parse
from privacy.estimation.expressions import estimate_expression, expression_interval, expression_terms
from privacy.estimation.rankings import RankingEstimate, estimate_ranking, orders, ranking_terms
from privacy.survey import Design, Question
from tests.cast.refusals import refused
from tests.privacy.estimation.designs import design, opened, protected, single, yes_no
from tests.privacy.estimation.records import count, sample

UNEVEN = (3000, 2000, 2000, 1000, 1000, 1000)


def ranked(*shares: int) -> Question:
    return single("r", *shares)


def even(size: int) -> tuple[int, ...]:
    n = math.factorial(size)
    return tuple(10_000 // n + (place < 10_000 % n) for place in range(n))


def sent(questionnaire: Design, letters: dict[int, int], *, direct: bool = False) -> SupportCounts:
    """Return the counts of rows that show these orders; -1 is a skip."""
    n_items = len(questionnaire.items)
    total, answered = sum(letters.values()), sum(rows for letter, rows in letters.items() if letter >= 0)
    pair = (lambda rows: (rows, 0)) if direct else (lambda rows: (0, rows))
    table = {(): pair(total)} | {(item,): pair(letters.get(item, 0)) for item in range(n_items)}
    if questionnaire.blocks[0].refusal is not None:
        table[(questionnaire.answered_column(0),)] = pair(answered)
    return SupportCounts(table)


def figures(found: RankingEstimate) -> list[float]:
    pairs = [one.value for row in found.before for one in row if one is not None]
    return [one.value for one in (*found.mean_ranks, *found.first)] + pairs + [s.value for s in found.shares]


def errors(found: RankingEstimate) -> list[float]:
    pairs = [one.standard_error or 0.0 for row in found.before for one in row if one is not None]
    rest = [one.standard_error or 0.0 for one in (*found.mean_ranks, *found.first)]
    return rest + pairs + [one.standard_error or 0.0 for one in found.shares]


def truths(size: int, order: tuple[int, ...]) -> list[float]:
    """Say of one order what each figure is, from the order itself."""
    places = [order.index(thing) for thing in range(size)]
    pairs = [float(places[a] < places[b]) for a, b in itertools.product(range(size), repeat=2) if a != b]
    return [
        *(place + 1.0 for place in places),
        *(float(place == 0) for place in places),
        *pairs,
        *(float(order == other) for other in orders(size)),
    ]


def chance(questionnaire: Design, shown: int, true: int) -> Fraction:
    """K[y, x], from the description: kept with p, else drawn."""
    block = questionnaire.blocks[0]
    p = Fraction(block.truth_probability, 10_000)
    skip = Fraction(block.refusal or 0, 10_000)
    share = skip if shown < 0 else (1 - skip) * Fraction(block.questions[0].unrelated[shown], 10_000)
    return p * (shown == true) + (1 - p) * share


@pytest.mark.slow
@pytest.mark.parametrize(("size", "shares"), [(3, UNEVEN), (4, even(4))])
def test_whatever_somebody_ranks_the_mean_over_all_that_is_sent_is_the_truth(
    size: int, shares: tuple[int, ...]
) -> None:
    questionnaire = design(protected("b", 4000, ranked(*shares)))
    listed = orders(size)
    by_letter = np.array(
        [figures(estimate_ranking(sent(questionnaire, {y: 1}), 0, questionnaire)) for y in range(len(listed))]
    )
    for true, order in enumerate(listed):
        law = [float(chance(questionnaire, y, true)) for y in range(len(listed))]
        np.testing.assert_allclose(law @ by_letter, truths(size, order), atol=1e-9)


def test_the_errors_are_those_of_all_samples_of_two() -> None:
    """Every pair of rows of a population, with its chance: (n - 1)/n of the variance on average, exactly."""
    questionnaire = design(protected("b", 4000, ranked(*UNEVEN)))
    population = [0.4, 0.05, 0.15, 0.1, 0.3, 0.0]
    law = [
        sum(float(chance(questionnaire, y, x)) * share for x, share in enumerate(population))
        for y in range(6)
    ]
    means, squares, told = np.zeros(18), np.zeros(18), np.zeros(18)
    for first, second in itertools.combinations_with_replacement(range(6), 2):
        letters = {first: 2} if first == second else {first: 1, second: 1}
        found = estimate_ranking(sent(questionnaire, letters), 0, questionnaire)
        values, weight = np.array(figures(found)), (1 + (first != second)) * law[first] * law[second]
        means += weight * values
        squares += weight * values**2
        told += weight * np.array(errors(found)) ** 2
    true = sum(share * np.array(truths(3, order)) for share, order in zip(population, orders(3), strict=True))
    np.testing.assert_allclose(means, true, atol=1e-9)
    np.testing.assert_allclose(2 * told, squares - means**2, atol=1e-9)


def test_places_are_one_and_the_shares_of_those_who_put_others_before() -> None:
    questionnaire = design(protected("b", 3000, ranked(*even(4)), light=6000))
    letters = {y: 3 + 7 * y % 11 for y in range(24)}
    found = estimate_ranking(sent(questionnaire, letters), 0, questionnaire)
    for thing in range(4):
        others = sum(row[thing].value for row in found.before if row[thing] is not None)
        assert found.mean_ranks[thing].value == pytest.approx(1 + others, abs=1e-12)
    assert sum(one.value for one in found.first) == pytest.approx(1, abs=1e-12)
    assert sum(one.value for one in found.shares) == pytest.approx(1, abs=1e-12)
    for low, value, high in ((one.low, one.value, one.high) for one in found.mean_ranks):
        assert 1 <= low <= value <= high <= 4
    # Who does not put the one first puts the other first: one interval is the other, turned.
    for one, other in itertools.permutations(range(4), 2):
        share, turned = found.before[one][other], found.before[other][one]
        assert share is not None
        assert turned is not None
        assert 0 <= share.low <= share.value <= share.high <= 1
        assert (share.low, share.high) == (pytest.approx(1 - turned.high), pytest.approx(1 - turned.low))


@pytest.mark.parametrize(
    "questionnaire",
    [
        design(protected("b", 5000, ranked(*UNEVEN), yes_no("a", 4000))),
        design(opened("o", yes_no("oa"), single("r", options=6))),
        design(protected("b", 5000, ranked(*UNEVEN), light=8000)),
    ],
    ids=["beside another question", "open", "two strengths"],
)
def test_first_and_before_are_expressions_over_the_orders(questionnaire: Design) -> None:
    number = next(n for n, question in enumerate(questionnaire.questions) if question.key == "r")
    rows = sample(questionnaire, 300, seed=3, direct=0.3)
    counts = count(questionnaire, rows, ranking_terms(number, questionnaire))
    found = estimate_ranking(counts, number, questionnaire)
    said = {
        "r=o0 or r=o1": found.first[0],
        "r=o2 or r=o3": found.first[1],
        "r=o0 or r=o1 or r=o4": found.before[0][1],
        "r=o3": found.shares[3],
    }
    for text, figure in said.items():
        expression = parse(text, questionnaire)
        more = count(questionnaire, rows, expression_terms(expression, questionnaire))
        expected = estimate_expression(more, expression, questionnaire)
        interval = expression_interval(more, expression, questionnaire)
        assert figure is not None
        assert figure.value == pytest.approx(expected.value, abs=1e-12)
        assert figure.standard_error == pytest.approx(expected.standard_error, abs=1e-12)
        assert figure.low == pytest.approx(max(interval.low, 0), abs=1e-6)
        assert figure.high == pytest.approx(min(interval.high, 1), abs=1e-6)


def test_figures_are_of_those_who_answer_and_their_error_is_that_of_a_ratio() -> None:
    """Rows as expected of a population of which a fifth skips: the truth, and the delta method by hand."""
    shares = (2000, 2000, 2000, 2000, 1000, 1000)
    questionnaire = design(protected("b", 5000, ranked(*shares), refusal=2000))
    population = {0: 0.4, 3: 0.3, 5: 0.1, -1: 0.2}
    n = 10_000
    letters = {
        y: round(n * sum(float(chance(questionnaire, y, x)) * share for x, share in population.items()))
        for y in range(-1, 6)
    }
    assert sum(letters.values()) == n
    found = estimate_ranking(sent(questionnaire, letters), 0, questionnaire)
    answering = {x: share / 0.8 for x, share in population.items() if x >= 0}
    true = sum(share * np.array(truths(3, orders(3)[x])) for x, share in answering.items())
    np.testing.assert_allclose(figures(found), true, atol=1e-9)
    # A = p(order 0) and B = p(answers) from the counts; d(A/B) by the chain rule over the multinomial.
    law = np.array([letters[y] / n for y in (*range(6), -1)])
    gradient_a, gradient_b = np.zeros(7), np.zeros(7)
    gradient_a[0], gradient_b[:6] = 2, 2
    a, b = 2 * (law[0] - 0.08), 2 * (law[:6].sum() - 0.4)
    gradient = gradient_a / b - a / b**2 * gradient_b
    variance = (gradient**2 * law).sum() - (gradient @ law) ** 2
    assert a / b == pytest.approx(0.5)
    assert found.shares[0].standard_error == pytest.approx(math.sqrt(variance / n), rel=1e-9)


def test_what_is_no_ranking_is_refused() -> None:
    questionnaire = design(protected("b", 5000, yes_no("a", 5000), single("s", 2500, 2500, 2500, 2500)))
    for number, case in ((0, "question"), (1, "question")):
        with pytest.raises(PrivacyError, match="are no orders of things") as refusal:
            estimate_ranking(SupportCounts({}), number, questionnaire)
        assert refusal.value.code == case
    three = design(protected("b", 5000, ranked(*UNEVEN)))
    with refused("no_rows"):
        estimate_ranking(sent(three, {}), 0, three)
    with refused("level"):
        estimate_ranking(sent(three, {0: 1}), 0, three, level=1.0)
    blind = design(protected("b", 0, ranked(*UNEVEN)))
    with refused("truth_probability"):
        estimate_ranking(sent(blind, {0: 1}), 0, blind)
