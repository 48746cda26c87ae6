"""Letters, their unbiased counts, and the events that lead to each."""

from fractions import Fraction

import numpy as np
import pytest

from privacy.channels import Retention
from privacy.regression.corrected_score import CorrectedLogit
from privacy.regression.latent_answers import LatentAnswers
from tests.fixtures.refusals import refused

PAIRS = [Fraction(tenths, 10) for tenths in (1, 3, 2, 4)]
SKIPPABLE = Retention.grouping(Fraction(2, 5), PAIRS, skip_probability=Fraction(1, 5))
WHOLE = Retention.grouping(Fraction(2, 5), PAIRS)
ONE = Retention.grouping(Fraction(3, 5), [Fraction(1, 2)] * 2)
ONE_OR_SKIP = Retention.grouping(Fraction(3, 5), [Fraction(1, 2)] * 2, skip_probability=Fraction(1, 4))


def events(answers: LatentAnswers) -> dict[int, list[tuple[str, int | None, bool]]]:
    return {number: answers.path(letter) for number, letter in enumerate(answers.letters)}


def test_two_answers_of_one_part_are_skipped_or_answered_together() -> None:
    answers = LatentAnswers.together([SKIPPABLE])
    assert answers.may_skip
    assert events(answers) == {
        0: [("skipped", None, False), ("predictor", None, False), ("response", 0, False)],
        1: [("skipped", None, False), ("predictor", None, False), ("response", 0, True)],
        2: [("skipped", None, False), ("predictor", None, True), ("response", 1, False)],
        3: [("skipped", None, False), ("predictor", None, True), ("response", 1, True)],
        4: [("skipped", None, True)],
    }
    assert answers.branches.tolist() == [
        [0, 0, 0, -1],
        [0, 0, 1, -1],
        [0, 1, -1, 0],
        [0, 1, -1, 1],
        [1, -1, -1, -1],
    ]
    plain = LatentAnswers.together([WHOLE])
    assert not plain.may_skip
    assert events(plain)[3] == [("predictor", None, True), ("response", 1, True)]


def test_two_parts_are_skipped_one_by_one() -> None:
    answers = LatentAnswers.of(response=[ONE_OR_SKIP], predictor=[ONE_OR_SKIP])
    assert [(z, y) for z, y in answers.letters][:4] == [(0, 0), (0, 1), (0, 2), (1, 0)]
    paths = events(answers)
    assert paths[1] == [
        ("predictor skipped", None, False),
        ("predictor", None, False),
        ("skipped", 0, False),
        ("response", 0, True),
    ]
    assert paths[5] == [("predictor skipped", None, False), ("predictor", None, True), ("skipped", 1, True)]
    assert paths[8] == [("predictor skipped", None, True), ("skipped", 2, True)]
    alone = LatentAnswers.of(response=[ONE])
    assert events(alone) == {0: [("response", None, False)], 1: [("response", None, True)]}


@pytest.mark.parametrize(
    "answers",
    [
        LatentAnswers.together([SKIPPABLE]),
        LatentAnswers.together([WHOLE]),
        LatentAnswers.of(response=[ONE, ONE], predictor=[ONE_OR_SKIP] * 2).without_skips(),
        LatentAnswers.together([SKIPPABLE]).without_skips(),
    ],
)
def test_unbiased_counts_return_the_letter_of_each_report_on_average(answers: LatentAnswers) -> None:
    size = len(answers.letters)
    for unbiased, channel in zip(answers.unbiased, answers.channels, strict=True):
        lost = channel.shape[0] - size
        expected = unbiased @ channel
        if not lost:
            assert expected == pytest.approx(np.eye(size), abs=1e-12)
    if answers.answered is not None:
        skipped = [report for report in range(answers.channels.shape[1]) if report not in answers.answered]
        assert (answers.unbiased[:, :, skipped] == 0).all()
        kept = answers.unbiased[:, :, list(answers.answered)] @ answers.channels[:, list(answers.answered)]
        assert kept == pytest.approx(np.stack([np.eye(size)] * len(kept)), abs=1e-12)


def test_reports_that_do_not_depend_on_the_letter_have_no_unbiased_counts() -> None:
    with refused("regression", "no information"):
        _ = LatentAnswers.of(response=[Retention.grouping(Fraction(0), [Fraction(1, 2)] * 2)]).unbiased
    with refused("regression", "no information"):
        _ = LatentAnswers.together([Retention.grouping(Fraction(0), [Fraction(1, 4)] * 4)]).unbiased
    with refused("regression", "different numbers of answers"):
        LatentAnswers.together([ONE])


DIE = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
EVEN_OR_SKIP = Retention.grouping(Fraction(1, 2), [Fraction(1, 2)] * 2, skip_probability=Fraction(1, 4))
PAIR = Retention.grouping(Fraction(1, 2), [Fraction(1, 4)] * 4, skip_probability=Fraction(1, 5))
ALL = {
    "response": LatentAnswers.of(response=[DIE]),
    "response that may be skipped": LatentAnswers.of(response=[EVEN_OR_SKIP]),
    "predictor": LatentAnswers.of(response=None, predictor=[DIE]),
    "predictor that may be skipped": LatentAnswers.of(response=None, predictor=[EVEN_OR_SKIP]),
    "two parts": LatentAnswers.of(response=[EVEN_OR_SKIP], predictor=[EVEN_OR_SKIP]),
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
    answers = LatentAnswers.of(response=[DIE], predictor=[EVEN_OR_SKIP])
    at = answers.letters.index((2, 1))
    # The predictor was skipped and the response is yes; the report is yes, no.
    assert answers.channels[0, 2, at] == pytest.approx(float(EVEN_OR_SKIP.matrix[1, 2] * DIE.matrix[0, 1]))


def test_without_skips_only_decoys_report_skips() -> None:
    kept = ALL["one part"].without_skips()
    assert kept.letters == ((0, 0), (0, 1), (1, 0), (1, 1))
    assert not kept.may_skip
    assert kept.channels[0, 4].tolist() == [0.5 * 0.2] * 4
    assert kept.logits == (("predictor", None), ("response", 0), ("response", 1))


def test_groups_with_different_questions_are_refused() -> None:
    with refused("regression", [2, 3]):
        LatentAnswers.of(response=[DIE, EVEN_OR_SKIP])
    with refused("regression", [2]):
        LatentAnswers.together([DIE])
