"""The source's ladder: each rung inverts its own law exactly, and states the error it has."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from mining.simulation import true_rows
from privacy.channels.retention import Retention
from privacy.errors import PrivacyError
from privacy.estimation import SupportCounts, estimate
from tests.cast.refusals import refused
from tests.privacy.estimation.designs import ONE_BLOCK
from trials.studies.model_ladder import MODELS, Model, estimate_study
from trials.studies.study_simulation import draws_of, simulate_study

N = 10_000_000


def yes_shown(channel: Retention, share: Fraction) -> Fraction:
    """Share of "yes" that is shown, where this one is true."""
    return (1 - share) * channel.matrix[1, 0] + share * channel.matrix[1, 1]


def rows_of(share: Fraction, n: int = N) -> tuple[int, int]:
    assert (share * n).denominator == 1
    return int(share * n), n


@pytest.mark.parametrize("share", [Fraction(1, 10), Fraction(3, 10), Fraction(9, 10)])
def test_each_model_inverts_the_share_that_its_law_shows(share: Fraction) -> None:
    warner = Retention.warner(Fraction(7, 10))
    found = estimate_study("warner", protected=rows_of(yes_shown(warner, share)), theta=0.7)
    assert found.value == pytest.approx(float(share))
    shown = yes_shown(Retention.unrelated_question(Fraction(3, 10), Fraction(6, 10)), share)
    found = estimate_study("unrelated", protected=rows_of(shown), theta=0.6, p=0.3)
    assert found.value == pytest.approx(float(share))
    for model in ("grouping", "improved", "blocks"):
        found = estimate_study(
            model, protected=rows_of(shown, 8_000_000), direct=rows_of(share, 2_000_000), theta=0.6, p=0.3
        )
        assert found.value == pytest.approx(float(share))


def test_all_of_several_attributes_have_each_models_own_decoy() -> None:
    older = Retention.older_grouping(Fraction(3, 10), Fraction(6, 10), 3)
    true = np.array([0.3, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1])
    shown = float(older.matrix.as_array()[-1] @ true)
    found = estimate_study("grouping", protected=(round(shown * N), N), n_attributes=3, theta=0.6, p=0.3)
    assert found.value == pytest.approx(0.1, abs=1e-6)
    shown = 0.3 * 0.1 + 0.7 * 0.6**3
    found = estimate_study("improved", protected=(round(shown * N), N), n_attributes=3, theta=0.6, p=0.3)
    assert found.value == pytest.approx(0.1, abs=1e-6)


def test_the_improved_model_is_the_pooled_estimate_of_a_design_with_its_error_and_equation_6() -> None:
    counts = SupportCounts({(): (200, 800), (0,): (30, 400), (1,): (30, 400), (0, 1): (20, 300)})
    theirs = estimate(counts, (0, 1), ONE_BLOCK, estimator="pooled")
    ours = estimate_study(
        "improved", protected=(300, 800), direct=(20, 200), n_attributes=2, theta=0.6, p=0.3
    )
    assert ours.value == pytest.approx(theirs.value)
    assert ours.standard_error == pytest.approx(theirs.standard_error)
    assert ours.standard_error_eq6 == pytest.approx(theirs.standard_error_eq6)


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_simulated_then_estimated_the_error_is_the_one_stated(model) -> None:
    n, repetitions, share = 1000, 1500, 0.2
    rng = np.random.default_rng(12)
    k = 0.2 if model in ("grouping", "improved", "blocks") else 0.0
    values, errors = np.empty(repetitions), np.empty(repetitions)
    for row in range(repetitions):
        truth = true_rows(n, [share], 0.0, rng)
        direct = rng.random(n) < k
        coins = rng.integers(10_000, size=(n, draws_of(model, 1)))
        shown = simulate_study(model, truth, direct, theta=7000, p=4000, coins=coins)[:, 0]
        found = estimate_study(
            model, theta=0.7, p=0.4,
            protected=(int((shown & ~direct).sum()), int((~direct).sum())),
            direct=(int((shown & direct).sum()), int(direct.sum())),
        )  # fmt: skip
        values[row], errors[row] = found.value, found.standard_error
    # Mean and spread of 1,500 repetitions, with 5 of their own standard errors to either side.
    assert values.mean() == pytest.approx(share, abs=5 * errors.mean() / np.sqrt(repetitions))
    assert values.std() == pytest.approx(errors.mean(), rel=5 / np.sqrt(2 * repetitions))


def test_many_rows_at_once_are_those_of_the_models_coin_by_coin() -> None:
    coins = np.array([[a, b] for a in (2999, 3000, 6999, 7000) for b in (5999, 6000, 6999, 7000)])
    n = len(coins)
    for answer in ((0, 1), (1, 1), (1, 0)):
        for direct in (False, True):
            truth, group = np.tile(np.array(answer, bool), (n, 1)), np.full(n, direct)
            found = simulate_study("grouping", truth, group, theta=6000, p=3000, coins=coins)
            # The first coin keeps the row, else the second says what all its answers are.
            expected = [
                answer if direct or first < 3000 else (int(second < 6000),) * 2
                for first, second in coins.tolist()
            ]
            assert found.astype(int).tolist() == [list(row) for row in expected]
        found = simulate_study("warner", truth[:, :1], group, theta=7000, p=0, coins=coins[:, :1])
        assert found[:, 0].tolist() == [
            answer[0] if first < 7000 else 1 - answer[0] for first in coins[:, 0].tolist()
        ]
        found = simulate_study("unrelated", truth[:, :1], group, theta=6000, p=3000, coins=coins)
        assert found[:, 0].tolist() == [
            answer[0] if first < 3000 else int(second < 6000) for first, second in coins.tolist()
        ]


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        ({"model": "warner", "theta": 0.52}, "theta", "theta = 0.52 is near .5"),
        ({"model": "warner", "theta": 1.2}, "theta", "theta = 1.2 is outside"),
        ({"model": "guess"}, "model", "'guess' is unknown"),
        ({"p": None}, "truth_probability", "needs p"),
        ({"p": 0.0}, "truth_probability", "p = 0 and no direct row"),
        ({"p": 1.5}, "truth_probability", "p = 1.5 is outside"),
        ({"protected": (0, 0)}, "no_rows", "0 rows were given"),
        ({"protected": (5, 3)}, "count", "protected rows that show it = 5 is outside 0..3"),
        ({"model": "unrelated", "direct": (1, 2)}, "direct", "no direct group, but 2 direct rows"),
        ({"model": "blocks", "n_attributes": 2}, "attributes", "one attribute at a time, not 2"),
        ({"n_attributes": 0}, "attributes", "number of attributes = 0"),
    ],
)
def test_what_cannot_be_estimated_is_refused_with_its_value(change, code, said) -> None:
    given = {"model": "improved", "protected": (50, 100), "theta": 0.6, "p": 0.3} | change
    with pytest.raises(PrivacyError, match=said) as refusal:
        estimate_study(given.pop("model"), **given)
    assert refusal.value.code == code


def test_with_p_0_direct_rows_alone_carry_the_estimate() -> None:
    found = estimate_study("improved", protected=(300, 500), direct=(50, 500), theta=0.6, p=0.0)
    assert found.value == pytest.approx((350 / 1000 - 0.5 * 0.6) / 0.5)


ANSWERS = np.random.default_rng(3).random(2_000) < 0.4


@pytest.mark.parametrize("argument", ["protected", "direct"])
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    "answers",
    [
        pd.Series(ANSWERS.astype(int)), pd.Series([1, 1]), ANSWERS, ANSWERS.astype(int), np.array([1, 1]),
        [1, 1], [1, 0, 1], (1, 0, 1), pd.Series(ANSWERS, index=ANSWERS.cumsum()), 7, None, "11",
    ],
    ids=lambda answers: type(answers).__name__,
)  # fmt: skip
def test_answers_that_nobody_has_counted_are_refused(model: Model, answers: object, argument: str) -> None:
    given = {"protected": (40, 100), argument: answers}
    with refused("count", f"the {argument} rows are", "not two numbers"):
        estimate_study(model, **given, theta=0.7, p=None if model == "warner" else 0.5)  # type: ignore[arg-type]


ARRAYS = [
    ("theta", pd.Series([0.7])), ("theta", np.array([0.7])), ("p", pd.Series([0.5])),
    ("p", np.array([0.5])), ("n_attributes", np.array([1])), ("n_attributes", pd.Series([1])),
    ("protected", (pd.Series([40]), 100)), ("protected", (40, np.array([100]))),
    ("direct", (np.array([4, 5]), 10)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("model", "argument", "value"),
    # Warner's model has no p.
    [(model, *pair) for model in MODELS for pair in ARRAYS if (model, pair[0]) != ("warner", "p")],
)
def test_no_other_argument_takes_an_array_either(model: Model, argument: str, value: object) -> None:
    given = {"protected": (40, 100), "theta": 0.7, "p": None if model == "warner" else 0.5, argument: value}
    with pytest.raises(PrivacyError, match="is not a"):
        estimate_study(model, **given)  # type: ignore[arg-type]
