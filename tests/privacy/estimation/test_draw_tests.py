import itertools

import numpy as np
import pytest
import scipy

from privacy.estimation.counts import SupportCounts
from privacy.estimation.draw_tests import (
    DrawTest,
    DrawTests,
    _joint_probabilities,
    draw_p_value,
    draw_terms,
    draw_test,
    draw_tests_of,
    skip_test,
)
from privacy.policy import DRAW_TEST_SIZE
from privacy.printed import CHECKED
from privacy.survey.booklets import Booklets
from privacy.survey.design import Condition, Design
from privacy.survey.rotation import Rotation
from tests.privacy.estimation.designs import ROTATING, TWO_OF_THREE, design, opened, protected, yes_no

FOUR_OF_TEN = Booklets(key="b", total=10, size=4)
ALL = np.array(list(itertools.combinations(range(10), 4)))


def counts_of(drawn: np.ndarray) -> np.ndarray:
    """Return how often each question was drawn, from how often each set was; shape (..., questions)."""
    held = (ALL[:, :, None] == np.arange(10)).any(axis=1)
    return np.asarray(drawn) @ held


def test_the_question_statistic_matches_sampling_without_replacement() -> None:
    """It is sum (n_i - n f)^2 (m - 1) / (n f (1 - f) m), with m - 1 degrees of freedom."""
    counts = np.array([8100, 7950, 8000, 8020, 7930, 8010, 7990, 8060, 7940, 8000])
    statistic = ((counts - 8000) ** 2).sum() * 9 / (20_000 * 0.4 * 0.6 * 10)
    expected = scipy.stats.chi2.sf(statistic, 9)
    assert draw_test(FOUR_OF_TEN, counts, 20_000) == pytest.approx(expected, rel=1e-9)


def test_the_test_rejects_one_survey_in_a_thousand() -> None:
    rng = np.random.default_rng(20)
    drawn = rng.multinomial(20_000, np.full(len(ALL), 1 / len(ALL)), size=4_000)
    rejected = sum(
        draw_test(FOUR_OF_TEN, asked, 20_000, draws=own) < DRAW_TEST_SIZE
        for asked, own in zip(counts_of(drawn), drawn, strict=True)
    )
    # At most 16 of 4,000, by a binomial bound of 1e-6; 4 are expected.
    assert rejected <= scipy.stats.binom.isf(1e-6, 4_000, 2 * DRAW_TEST_SIZE)


def test_a_tenth_quitting_over_one_question_is_detected_99_percent() -> None:
    chances = np.where((ALL == 0).any(axis=1), 0.9, 1.0)
    rng = np.random.default_rng(21)
    drawn = rng.multinomial(20_000, chances / chances.sum(), size=1_000)
    found = [
        draw_test(FOUR_OF_TEN, asked, 20_000, draws=own) < DRAW_TEST_SIZE
        for asked, own in zip(counts_of(drawn), drawn, strict=True)
    ]
    # With a power of .95, the mean would be this high with probability below 1e-6.
    assert np.mean(found) >= 0.985


def test_avoiding_two_questions_together_shows_in_their_sets() -> None:
    both = np.isin(ALL, (0, 1)).sum(axis=1) == 2
    drawn = np.where(both, 60.0, 100.0)
    n = int(drawn.sum())
    apart = draw_test(FOUR_OF_TEN, counts_of(np.full(len(ALL), n / len(ALL))), n, draws=drawn)
    assert apart < DRAW_TEST_SIZE


def test_sets_with_few_rows_leave_only_the_test_of_questions() -> None:
    drawn = np.zeros(len(ALL))
    drawn[0] = 1000
    even = np.full(10, 400)
    assert draw_test(FOUR_OF_TEN, even, 1000, draws=drawn) == pytest.approx(1.0)


def test_skips_that_depend_on_a_question_are_detected() -> None:
    asked = np.array([[600, 300, 300], [300, 600, 300], [300, 300, 600]])
    assert skip_test([asked], [[60, 60, 60]], [900], 2) == pytest.approx(1.0)
    assert skip_test([asked], [[90, 45, 45]], [900], 2) < DRAW_TEST_SIZE
    assert skip_test([asked], [[0, 0, 0]], [900], 2) == 1.0
    assert skip_test([asked, asked], [[60, 60, 60], [90, 45, 45]], [900, 900], 2) < DRAW_TEST_SIZE
    assert skip_test([np.zeros((3, 3))], [[0, 0, 0]], [0], 2) == 1.0
    # One in five skips, although the questions are asked unequally often.
    unequal = np.array([[300, 200, 100], [200, 260, 60], [100, 60, 160]])
    assert skip_test([unequal], [[60, 52, 32]], [360], 2) == pytest.approx(1.0)


def test_the_covariance_of_skips_matches_full_enumeration() -> None:
    """Six rows ask each pair twice; over all ways in which two of them skip, the mean statistic is 2."""
    pairs = [(0, 1), (0, 2), (1, 2)] * 2
    asked = np.array([[sum(i in pair and j in pair for pair in pairs) for j in range(3)] for i in range(3)])
    own = []
    for skipping in itertools.combinations(range(6), 2):
        lost = np.array([sum(i in pairs[row] for row in skipping) for i in range(3)])
        share = 2 / 6
        spread = share * (1 - share) * (asked - np.outer(np.diag(asked), np.diag(asked)) / 6)
        off = lost - share * np.diag(asked)
        own.append(off @ np.linalg.pinv(spread) @ off)
    # Without replacement, the mean is n / (n - 1) times the degrees of freedom.
    assert np.mean(own) == pytest.approx(2 * 6 / 5)


def test_a_rotating_part_with_rotating_questions_is_tested_as_a_part() -> None:
    """1,500 of 3,000 rows should have drawn each part; 1,200 drew the one that asks two of three."""
    asked = ROTATING["questions and parts"]
    table = {(column,): (0, 800) for column in (4, 5, 6)} | {(7,): (0, 1800), (): (0, 3000)}
    table |= dict.fromkeys(itertools.combinations((4, 5, 6), 2), (0, 400))
    inside, between = draw_tests_of(SupportCounts(table).table(draw_terms(asked)), asked).tests
    assert (inside.key, inside.n, inside.rejects) == ("b", 1200, False)
    # (300 / sqrt(3000 / 4))^2
    assert (between.key, between.n) == ("b, c", 3000)
    assert between.p_value == pytest.approx(scipy.stats.chi2.sf(120, 1), rel=1e-9)


def test_draw_tests_skip_rotating_blocks_with_a_condition() -> None:
    """1,000 of 3,000 rows should draw each part; rows do not show who drew the routed one."""
    asked = design(
        opened("o", yes_no("moved")),
        protected("b", 5000, yes_no("a", 5000)),
        protected("c", 5000, yes_no("c", 5000), asked_if=Condition(question="moved", options=("yes",))),
        protected("d", 5000, yes_no("d", 5000)),
        rotations=(Rotation(blocks=("b", "c", "d"), parts_per_person=1),),
    )
    assert set(draw_terms(asked)) == {(), (asked.asked_column(1),), (asked.asked_column(3),)}

    def tested(b: int, d: int) -> DrawTest:
        table = {(): (0, 3000), (asked.asked_column(1),): (0, b), (asked.asked_column(3),): (0, d)}
        (found,) = draw_tests_of(SupportCounts(table).table(draw_terms(asked)), asked).tests
        return found

    assert tested(1000, 1000).p_value == pytest.approx(1)
    # Three parts with 900, 1,000 and 1,100 rows: sum (n_i - 1000)^2 / 1000, two degrees of freedom.
    assert tested(900, 1000).p_value == pytest.approx(scipy.stats.chi2.sf(20, 2), rel=1e-9)
    assert tested(900, 1000).rejects


def test_rejected_tests_are_named() -> None:
    fine, bad = (DrawTest(about="draw", key=key, n=10, p_value=p) for key, p in (("a", 0.5), ("b", 0.0005)))
    found = DrawTests(tests=(fine, bad))
    assert not found.all_rows
    assert found.rejections == (bad,)
    assert DrawTests(tests=()).all_rows
    assert not DrawTest(about="draw", key="a", n=10, p_value=DRAW_TEST_SIZE).rejects


def test_kept_probabilities_cannot_be_changed() -> None:
    """Four of ten questions: one is drawn with .4, two are drawn together with .4 * 3/9."""
    kept = _joint_probabilities(FOUR_OF_TEN, (2, 5))
    assert kept == pytest.approx(np.array([[0.4, 0.4 / 3], [0.4 / 3, 0.4]]))
    with pytest.raises(ValueError, match="read-only"):
        kept[0, 0] = 1


def test_counts_from_a_part_with_an_avoided_question_are_rejected() -> None:
    asked: Design = TWO_OF_THREE
    table = {(): (0, 3000), (3,): (0, 1800), (4,): (0, 2100), (5,): (0, 2100)}
    table |= {(3, 4): (0, 900), (3, 5): (0, 900), (4, 5): (0, 1200)}
    (test,) = draw_tests_of(SupportCounts(table).table(draw_terms(asked)), asked).tests
    assert (test.about, test.key, test.n, test.rejects) == ("draw", "b", 3000, True)


def test_a_test_of_the_draws_is_named_and_needs_rows() -> None:
    drawn, skips = draw_p_value("draw", 0.2, 7, CHECKED), draw_p_value("skip", 0.3, 0, CHECKED)
    assert (drawn.value, drawn.test, drawn.n, drawn.estimable) == (0.2, "drawn questions", 7, True)
    assert (skips.value, skips.test, skips.n, skips.estimable) == (0.3, "skips", 0, False)
    assert draw_p_value("skip", 0.3, 1, CHECKED).estimable


def test_skips_of_a_rotating_part_are_tested_together_with_its_draws() -> None:
    """Each pair of three questions was drawn by 400, of whom 60 skipped, or 120 of one pair."""
    asked = ROTATING["with a skip"]
    terms, questions = draw_terms(asked), [asked.asked_column(number) for number in range(3)]

    def tested(*skips: int) -> list[tuple[str, str, int, bool]]:
        pairs = [*itertools.combinations(questions, 2)]
        drew = dict.fromkeys(pairs, 400)
        answered = {pair: 400 - skip for pair, skip in zip(pairs, skips, strict=True)}
        table = {}
        for term in terms:
            counted = answered if asked.answered_column(0) in term else drew
            columns = {column for column in term if column in questions}
            table[term] = (0, sum(n for pair, n in counted.items() if columns <= {*pair}))
        found = draw_tests_of(SupportCounts(table).table(terms), asked).tests
        return [(test.about, test.key, test.n, test.rejects) for test in found]

    assert tested(60, 60, 60) == [("draw", "b", 1200, False), ("skip", "b", 1200, False)]
    assert tested(120, 60, 60) == [("draw", "b", 1200, False), ("skip", "b", 1200, True)]


def test_question_sets_drawn_unequally_are_found_even_if_questions_are_not() -> None:
    """Of six pairs of four questions, only two were drawn, 300 times each instead of 100."""
    asked = design(protected("b", 5000, *(yes_no(key, 5000) for key in "wxyz"), asks=2))
    columns = [asked.asked_column(number) for number in range(4)]
    table = {(): (0, 600)} | {(column,): (0, 300) for column in columns}
    table |= {
        pair: (0, 300 * (pair in (tuple(columns[:2]), tuple(columns[2:]))))
        for pair in itertools.combinations(columns, 2)
    }
    (found,) = draw_tests_of(SupportCounts(table).table(draw_terms(asked)), asked).tests
    # 2 (300 - 100)^2 / 100 + 4 (100 - 0)^2 / 100, five degrees of freedom.
    assert found.p_value == pytest.approx(scipy.stats.chi2.sf(1200, 5), rel=1e-9)
    assert found.rejects
