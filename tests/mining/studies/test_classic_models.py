from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest

from mining.studies.classic_models import OlderGrouping, UnrelatedQuestion, Warner
from privacy.coins import SCALE, Coins
from tests.privacy.refusals import refused

HALF = Fraction(1, 2)


def _law(send: Callable[[Coins], Hashable], *thresholds: int) -> dict[Hashable, Fraction]:
    """The law of what is sent, one run per class of draws and per end of the class."""
    law: Counter[Hashable] = Counter()
    classes = [
        [range(low, high) for low, high in pairwise((0, edge, SCALE)) if low < high] for edge in thresholds
    ]
    for combination in product(*classes):
        weight = Fraction(1)
        for members in combination:
            weight *= Fraction(len(members), SCALE)
        for end in (0, -1):
            coins = Coins([members[end] for members in combination])
            law[send(coins)] += weight * HALF  # type: ignore[assignment]  # a Counter adds fractions as well
            assert coins.used == len(thresholds)
    return dict(law)


@pytest.mark.parametrize("theta", [0, 3000, 5000, 9999, 10_000])
def test_warner_answers_one_statement_or_its_opposite(theta: int) -> None:
    model = Warner(truth_probability=theta)
    for true in (0, 1):
        law = _law(lambda coins, true=true: model.disguise(true, coins=coins), theta)
        assert [law.get(answer, 0) for answer in (0, 1)] == [
            model.channel()[answer, true] for answer in (0, 1)
        ]


@pytest.mark.parametrize(("p", "theta"), [(0, 3000), (6000, 3000), (10_000, 1), (1, 9999)])
def test_the_unrelated_question_is_answered_where_the_sensitive_one_is_not(p: int, theta: int) -> None:
    model = UnrelatedQuestion(truth_probability=p, unrelated_probability=theta)
    for true in (0, 1):
        law = _law(lambda coins, true=true: model.disguise(true, coins=coins), p, theta)
        assert [law.get(answer, 0) for answer in (0, 1)] == [
            model.channel()[answer, true] for answer in (0, 1)
        ]


@pytest.mark.parametrize(("p", "theta"), [(3000, 6000), (0, 5000), (10_000, 5000), (5000, 0)])
def test_the_older_grouping_answers_all_questions_alike_or_truly(p: int, theta: int) -> None:
    model = OlderGrouping(truth_probability=p, unrelated_probability=theta, n_questions=3)
    for column, true in enumerate(model.rows()):
        law = _law(lambda coins, true=true: model.disguise(true, direct=False, coins=coins), p, theta)
        assert [law.get(row, 0) for row in model.rows()] == [model.channel()[n, column] for n in range(8)]


def test_in_the_older_grouping_a_mixed_row_is_surely_true() -> None:
    model = OlderGrouping(truth_probability=3000, unrelated_probability=6000, n_questions=2)
    posterior = model.channel().posterior(prior=[Fraction(1, 4)] * 4, observed=model.rows().index((1, 0)))
    assert posterior[model.rows().index((1, 0))] == 1
    assert model.channel().amplification() is None


def test_the_direct_group_of_the_older_grouping_sends_the_truth_and_draws_all_the_same() -> None:
    model = OlderGrouping(truth_probability=3000, unrelated_probability=6000, n_questions=2)
    assert _law(lambda coins: model.disguise((0, 1), direct=True, coins=coins), 3000, 6000) == {(0, 1): 1}


def test_observed_shares_are_those_of_the_channels() -> None:
    prevalence, k = Fraction(1, 5), Fraction(3, 10)
    for model in (
        Warner(truth_probability=7000),
        UnrelatedQuestion(truth_probability=3000, unrelated_probability=6000),
    ):
        channel = model.channel()
        assert (
            model.observed_share(prevalence) == prevalence * channel[1, 1] + (1 - prevalence) * channel[1, 0]
        )
    older = OlderGrouping(truth_probability=3000, unrelated_probability=6000, n_questions=1)
    protected = prevalence * older.channel()[1, 1] + (1 - prevalence) * older.channel()[1, 0]
    assert older.observed_share(prevalence, k) == k * prevalence + (1 - k) * protected


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda: Warner(truth_probability=10_001), "10001"),
        (lambda: Warner(truth_probability=True), "True"),
        (lambda: UnrelatedQuestion(truth_probability=-1, unrelated_probability=1), "-1"),
        (lambda: UnrelatedQuestion(truth_probability=1, unrelated_probability=0.5), "0.5"),  # type: ignore[arg-type]  # on purpose
        (lambda: OlderGrouping(truth_probability=1, unrelated_probability=1, n_questions=0), "0"),
        (lambda: OlderGrouping(truth_probability=1, unrelated_probability=1, n_questions=11), "11"),
    ],
)
def test_parameters_outside_their_range_are_refused(make: Callable[[], Any], named: str) -> None:
    with refused("out_of_range", named):
        make()


@pytest.mark.parametrize("answer", [2, -1, True, "1", None])
def test_answers_are_0_or_1(answer: Any) -> None:
    with refused("answer", repr(answer)):
        Warner(truth_probability=1).disguise(answer, coins=Coins([0]))


def test_a_row_has_one_answer_per_question() -> None:
    model = OlderGrouping(truth_probability=3000, unrelated_probability=6000, n_questions=2)
    with refused("row", "(1,)"):
        model.disguise((1,), direct=False, coins=Coins([0, 0]))
