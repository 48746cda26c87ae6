"""True letters, their reports, and the terms of each equation that a letter needs."""

from fractions import Fraction

import numpy as np
import pytest

from privacy.channels import Retention
from privacy.regression.corrected_score import CorrectedLogit, LatentAnswers
from tests.fixtures.refusals import refused

DIE = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
SKIPPABLE = Retention.grouping(Fraction(1, 2), [Fraction(1, 2)] * 2, skip_probability=Fraction(1, 4))
PAIR = Retention.grouping(Fraction(1, 2), [Fraction(1, 4)] * 4, skip_probability=Fraction(1, 5))

ALL = {
    "response": LatentAnswers.of(response=[DIE]),
    "response that may be skipped": LatentAnswers.of(response=[SKIPPABLE]),
    "predictor": LatentAnswers.of(response=None, predictor=[DIE]),
    "predictor that may be skipped": LatentAnswers.of(response=None, predictor=[SKIPPABLE]),
    "two parts": LatentAnswers.of(response=[SKIPPABLE], predictor=[SKIPPABLE]),
    "one part": LatentAnswers.together([PAIR]),
}


@pytest.mark.parametrize("answers", ALL.values(), ids=ALL)
def test_letter_probabilities_sum_to_one_for_any_coefficients(answers: LatentAnswers) -> None:
    logits = np.random.default_rng(5).normal(size=(7, len(answers.logits)))
    model = CorrectedLogit(
        channels=answers.channels,
        unbiased=answers.unbiased,
        branches=answers.branches,
        designs=np.zeros((7, len(answers.logits), 1)),
        group=np.zeros(7, dtype=np.intp),
        counts=np.zeros((7, answers.channels.shape[1])),
        squares=np.zeros((7, answers.channels.shape[1])),
    )
    assert model.letters(logits).sum(axis=1) == pytest.approx(1)
    assert answers.channels.sum(axis=1) == pytest.approx(1)


def test_two_blocks_model_each_skip_and_the_response_per_answer() -> None:
    assert ALL["two parts"].logits == (
        ("predictor skipped", None),
        ("predictor", None),
        ("skipped", 0),
        ("response", 0),
        ("skipped", 1),
        ("response", 1),
        ("skipped", 2),
        ("response", 2),
    )
    assert ALL["one part"].logits == (
        ("skipped", None),
        ("predictor", None),
        ("response", 0),
        ("response", 1),
    )


def test_reports_of_two_blocks_are_independent_given_the_truth() -> None:
    answers = LatentAnswers.of(response=[DIE], predictor=[SKIPPABLE])
    at = answers.letters.index((2, 1))
    # The predictor was skipped, the response is yes; shown: yes, no.
    assert answers.channels[0, 2, at] == pytest.approx(float(SKIPPABLE.matrix[1, 2] * DIE.matrix[0, 1]))


def test_without_skips_only_decoys_report_skips() -> None:
    kept = ALL["one part"].without_skips()
    assert kept.letters == ((0, 0), (0, 1), (1, 0), (1, 1))
    assert not kept.may_skip
    assert kept.channels[0, 4].tolist() == [0.5 * 0.2] * 4
    assert kept.logits == (("predictor", None), ("response", 0), ("response", 1))


def test_groups_with_different_questions_are_refused() -> None:
    with refused("regression", [2, 3]):
        LatentAnswers.of(response=[DIE, SKIPPABLE])
    with refused("regression", [2]):
        LatentAnswers.together([DIE])
