"""Regressions with disguised answers: exact results and refusals."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.special import expit, logit

from privacy.channels import Retention
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.regression import Regression, regress
from tests.fixtures.refusals import refused

DIE = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
STRONG = Retention.unrelated_question(Fraction(1, 2), Fraction(2, 5))
LIGHT = Retention.unrelated_question(Fraction(4, 5), Fraction(2, 5))
PAIR = Retention.grouping(
    Fraction(1, 2), [Fraction(n, 10) for n in (4, 3, 2, 1)], skip_probability=Fraction(1, 5)
)
SEXES = np.array([[1.0, 0.0], [1.0, 1.0]])
TERMS = ["constant", "woman"]


def test_a_saturated_model_reproduces_each_cell() -> None:
    """Expected counts for two sexes with both strengths give back the shares .2 and .3."""
    shares = np.array([0.2, 0.3, 0.2, 0.3])
    group = np.array([0, 0, 1, 1])
    shown = np.array([0.5, 0.5, 0.8, 0.8]) * shares + np.array([0.2, 0.2, 0.08, 0.08])
    counts = np.array([[4000.0], [4000.0], [1000.0], [1000.0]]) * np.column_stack([1 - shown, shown])
    answers = LatentAnswers.of(response=[STRONG, LIGHT])
    found = regress(answers, np.vstack([SEXES, SEXES]), TERMS, counts, group=group)
    alone = regress(answers, SEXES, TERMS, counts[:2])
    for fitted in (found.corrected, alone.corrected):
        assert fitted.coefficients == pytest.approx([logit(0.2), logit(0.3) - logit(0.2)], abs=1e-9)


def together(truth: list[float], n: float = 20_000.0) -> Regression:
    """Fit expected reports of one part: no-no, no-yes, yes-no, yes-yes, skipped."""
    counts = n * (PAIR.matrix.as_array() @ np.array(truth))[None, :]
    return regress(LatentAnswers.together([PAIR]), np.ones((1, 1)), ["constant"], counts)


def test_two_answers_in_one_block_reproduce_their_table() -> None:
    found = together([0.4, 0.1, 0.15, 0.15, 0.2])
    assert found.corrected.names == (
        ("skipped", "constant"),
        ("predictor", "constant"),
        ("response", "constant"),
        ("response", "predictor"),
    )
    assert found.corrected.coefficients == pytest.approx(
        [logit(0.2), logit(0.3 / 0.8), logit(0.2), logit(0.5) - logit(0.2)]
    )
    assert found.skips == "covariates"


def test_two_answers_in_two_blocks_reproduce_their_table() -> None:
    truth = np.array([0.4, 0.1, 0.2, 0.3])
    answers = LatentAnswers.of(response=[STRONG], predictor=[LIGHT])
    found = regress(answers, np.ones((1, 1)), ["constant"], 20_000 * (answers.channels[0] @ truth)[None, :])
    assert found.corrected.coefficients == pytest.approx([0.0, logit(0.2), logit(0.6) - logit(0.2)], abs=1e-9)


def test_rare_skips_use_a_constant_or_count_as_decoys() -> None:
    part = Retention.grouping(Fraction(1, 2), [Fraction(1, 2)] * 2, skip_probability=Fraction(1, 4))
    answers = LatentAnswers.of(response=[part])

    def skipping(share: float) -> Regression:
        truth = np.array([[(1 - share) * 0.7, (1 - share) * 0.3, share]] * 2)
        return regress(answers, SEXES, TERMS, 4_000 * truth @ part.matrix.as_array().T)

    assert [skipping(share).skips for share in (0.05, 0.03, 0.0)] == ["covariates", "constant", "none"]
    for share in (0.05, 0.03, 0.0):
        fitted = skipping(share).corrected
        assert fitted.coefficients[fitted.of("response")] == pytest.approx([logit(0.3), 0.0], abs=1e-9)


BENT_X = np.column_stack([np.ones(9), np.arange(-4.0, 5.0)])
BENT = expit(-1.2 + 0.4 * BENT_X[:, 1] - 0.15 * BENT_X[:, 1] ** 2)
"""Shares whose log odds are not linear."""


def misfitting_letters(letters: int) -> np.ndarray:
    """Return true letters of 9,000 people whose answers do not follow a logistic regression."""
    no, yes = 1 - BENT, BENT
    of = {
        2: [no, yes],
        3: [0.9 * no, 0.9 * yes, np.full(9, 0.1)],
        4: [no * 0.6, no * 0.4, yes * 0.7, yes * 0.3],
        5: [no * 0.5, no * 0.3, yes * 0.5, yes * 0.3, np.full(9, 0.2)],
        9: [share * own for share in (0.9 * no, 0.9 * yes, np.full(9, 0.1)) for own in (0.5, 0.4, 0.1)],
    }
    return 1_000 * np.column_stack(of[letters])


def part(letters: int, skip: bool = False) -> Retention:
    chance = Fraction(1, 5) if skip else None
    return Retention.grouping(Fraction(7, 10), [Fraction(1, letters)] * letters, skip_probability=chance)


KINDS = {
    "response": LatentAnswers.of(response=[part(2)]),
    "response that is skipped": LatentAnswers.of(response=[part(2, skip=True)]),
    "two parts": LatentAnswers.of(response=[part(2)], predictor=[STRONG]),
    "two parts that are skipped": LatentAnswers.of(
        response=[part(2, skip=True)], predictor=[part(2, skip=True)]
    ),
    "one part": LatentAnswers.together([part(4)]),
    "one part that is skipped": LatentAnswers.together([PAIR]),
}


@pytest.mark.parametrize("name", KINDS)
def test_the_corrected_score_fits_undisguised_answers_of_any_distribution(name: str) -> None:
    answers = KINDS[name]
    true, terms = 100 * misfitting_letters(len(answers.letters)), ["constant", "x"]
    plain = LatentAnswers(
        letters=answers.letters, channels=np.eye(len(answers.letters))[None], one_part=answers.one_part
    )
    undisguised = regress(plain, BENT_X, terms, true)
    disguised = regress(answers, BENT_X, terms, true @ answers.channels[0].T)
    assert disguised.corrected.coefficients == pytest.approx(undisguised.corrected.coefficients, abs=1e-8)


def test_answered_reports_are_corrected_when_skips_count_as_decoys() -> None:
    """No one skips, so 1 - .3 * .2 = .94 of the rows are answers, for which the channel is inverted."""
    answers = LatentAnswers.of(response=[part(2, skip=True)])
    true = 100 * misfitting_letters(2)
    counts = np.column_stack([true, np.zeros(9)]) @ answers.channels[0].T
    found = regress(answers, BENT_X, ["constant", "x"], counts)
    assert found.skips == "none"
    assert found.corrected.answers.unbiased[0, :, 2].tolist() == [0.0, 0.0]
    plain = regress(LatentAnswers.of(response=None), BENT_X, ["constant", "x"], true)
    assert found.corrected.coefficients == pytest.approx(plain.corrected.coefficients, abs=1e-8)


def test_doubled_weights_change_no_coefficient_or_standard_error() -> None:
    answers = LatentAnswers.of(response=[DIE])
    counts = np.array([[600.0, 400.0], [500.0, 500.0]])
    once = regress(answers, SEXES, TERMS, counts)
    twice = regress(answers, SEXES, TERMS, 2 * counts)
    weighted = regress(answers, SEXES, TERMS, 2 * counts, squares=4 * counts)
    assert weighted.corrected.coefficients == pytest.approx(once.corrected.coefficients)
    assert weighted.corrected.standard_errors() == pytest.approx(once.corrected.standard_errors())
    assert twice.corrected.standard_errors() == pytest.approx(once.corrected.standard_errors() / np.sqrt(2))
    # Events are numbers of actual rows, however these are weighted.
    assert weighted.events["response"] == pytest.approx(once.events["response"])


def test_covariate_units_do_not_change_the_fit() -> None:
    answers, counts = (
        LatentAnswers.of(response=[DIE]),
        np.array([[600.0, 400.0], [500.0, 500.0], [550.0, 450.0]]),
    )
    years = np.array([[1.0, 20.0], [1.0, 70.0], [1.0, 40.0]])
    millionths = years * [1, 1e6]
    one, other = (regress(answers, x, ["constant", "age"], counts).corrected for x in (years, millionths))
    assert other.coefficients * [1, 1e6] == pytest.approx(one.coefficients, rel=1e-6)
    assert other.table()[1].standard_error * 1e6 == pytest.approx(one.table()[1].standard_error, rel=1e-6)


@pytest.mark.parametrize(
    "groups", [[[600, 400], [850, 150]], [[850, 150], [600, 400]], [[6000, 4000], [85, 15]]]
)
def test_groups_with_fewer_yes_answers_than_decoys_are_rejected(groups: list[list[float]]) -> None:
    with refused("regression", "response", "diverge"):
        regress(LatentAnswers.of(response=[DIE]), SEXES, TERMS, np.array(groups, dtype=float))


def test_a_few_rows_with_large_logits_are_no_divergence() -> None:
    """Expected counts with the coefficients -1.5 and .5, so 10 of 3,010 rows have a logit of 48.5."""
    x = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 5.0], [1.0, 100.0]])
    shown = 1 / 6 + 2 / 3 * expit(x @ [-1.5, 0.5])
    counts = np.array([[1000.0], [1000.0], [1000.0], [10.0]]) * np.column_stack([1 - shown, shown])
    found = regress(LatentAnswers.of(response=[DIE]), x, TERMS, counts)
    assert found.corrected.coefficients == pytest.approx([-1.5, 0.5], abs=1e-9)


def test_the_design_alone_sets_the_minimum_rows() -> None:
    """A row disguised by the die counts (2/3)^2, so 22 rows count 9.8 and 23 count 10.2, for any answers."""
    answers, one = LatentAnswers.of(response=[DIE]), np.ones((1, 1))
    assert regress(answers, one, ["constant"], np.array([[60.0, 40.0]])).events["response"] == pytest.approx(
        100 * 0.35 * (4 / 9) * 0.35 * 0.65 / 0.24
    )
    for yes in (6, 11, 16):
        with refused("regression", "worth 10", "1 coefficient"):
            regress(answers, one, ["constant"], np.array([[22.0 - yes, yes]]))
        assert regress(answers, one, ["constant"], np.array([[23.0 - yes, yes]])).corrected.few_events


def test_events_of_skips_and_answers_are_those_that_reports_reveal() -> None:
    """Of 50,000 people 20% skip, and 30% of the others say yes: 10,000 skips and 12,000 times yes.

    The disguise leaves the information of a report about a logit, the mean of (d log P(report) / d logit)^2,
    divided by that of the truth, g (1 - g) for each person whom the logit concerns. Without a disguise all
    events are left.
    """
    skips, says_yes, n = 0.2, 0.3, 50_000.0
    answers = LatentAnswers.of(response=[part(2, skip=True)])
    matrix = answers.channels[0]

    def reports(skip: float, yes: float) -> np.ndarray:
        q, r = expit(logit(skips) + skip), expit(logit(says_yes) + yes)
        return np.asarray(matrix @ [(1 - q) * (1 - r), (1 - q) * r, q])

    def information(skip: float, yes: float) -> float:
        slope = (reports(skip, yes) - reports(-skip, -yes)) / 2e-5
        return float((slope**2 / reports(0, 0)).sum())

    found = regress(answers, np.ones((1, 1)), ["constant"], n * reports(0, 0)[None, :])
    of_skips = information(1e-5, 0) / (skips * (1 - skips))
    of_answers = information(0, 1e-5) / ((1 - skips) * says_yes * (1 - says_yes))
    assert found.events == pytest.approx({"skipped": 10_000 * of_skips, "response": 12_000 * of_answers})
    # About half of the skips are left, and fewer answers.
    assert 0.4 < of_answers < of_skips < 0.5
    twice = regress(
        answers, np.ones((1, 1)), ["constant"], 2 * n * reports(0, 0)[None, :],
        squares=4 * n * reports(0, 0)[None, :],
    )  # fmt: skip
    assert twice.events == pytest.approx(found.events)
