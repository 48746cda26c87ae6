import itertools
from fractions import Fraction

import numpy as np
import pytest

from privacy.estimation import estimate, pattern_terms, required_counts
from privacy.estimation.counts import SupportCounts
from privacy.estimation.design_index import index_of
from privacy.estimation.drawing import Drawing
from privacy.estimation.events import skipped, skipped_terms
from tests.fixtures.refusals import refused
from tests.privacy.estimation.designs import ROTATING, TWO_OF_THREE, design, protected, yes_no
from tests.privacy.estimation.drawn_rows import SCALE, a_law, counted, sent


@pytest.mark.parametrize("name", ROTATING)
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_questions_are_together_where_the_law_gives_them_a_chance(name: str, size: int) -> None:
    rotating = ROTATING[name]
    sets = list(itertools.combinations(range(len(rotating.questions)), size))
    if sets:
        expected = [rotating.drawn_together(questions) for questions in sets]
        drawing = Drawing(rotating)
        assert drawing.together(np.array(sets)).tolist() == [chance > 0 for chance in expected]
        assert drawing.chance(np.array(sets)).tolist() == pytest.approx(
            [float(chance) for chance in expected]
        )


def test_seventy_booklets_need_more_than_one_word() -> None:
    booklets = tuple(itertools.combinations(range(9), 4))[::-1][:70][::-1]
    questions = [yes_no(f"q{place}", 5000) for place in range(9)]
    missing = sorted(set(range(9)) - {place for booklet in booklets for place in booklet})
    booklets = tuple(sorted((*booklets, *(tuple(sorted((place, 5, 6, 7))) for place in missing))))
    listed = design(protected("b", 5000, *questions, asks=4, booklets=booklets))
    sets = list(itertools.combinations(range(9), 3))
    held = [sum(set(three) <= set(booklet) for booklet in booklets) for three in sets]
    drawing = Drawing(listed)
    assert drawing.together(np.array(sets)).tolist() == [number > 0 for number in held]
    assert drawing.chance(np.array(sets)).tolist() == [number / len(booklets) for number in held]
    assert 0 < np.count_nonzero(held) < len(sets)


def test_what_nobody_is_asked_together_is_refused_with_a_sentence() -> None:
    with refused("never_together", "no respondent is asked 'a', 'b', 'c' together"):
        required_counts([(0, 1, 2)], TWO_OF_THREE)
    with refused("never_together", "'a', 'b', 'c'"):
        required_counts([((0,), (1, 2))], TWO_OF_THREE)
    with refused("never_together", "'a', 'b', 'c'"):
        pattern_terms((0, 1, 2), TWO_OF_THREE)
    with refused("never_together", "'a', 'b', 'c'"):
        estimate(SupportCounts({}), (0, 1, 2), TWO_OF_THREE)


def test_an_answered_part_that_rotates_does_not_say_which_questions_were_asked() -> None:
    rotating = ROTATING["with a skip"]
    answered, asked = rotating.answered_column(0), rotating.asked_column(0)
    assert index_of(rotating).key([(answered,), (asked,)]) == (asked, answered)
    parts = ROTATING["parts"]
    both = index_of(parts).key([(parts.answered_column(0),), (parts.asked_column(0),)])
    assert both == (parts.answered_column(0),)


def test_the_share_that_skips_a_part_is_right_whatever_was_drawn() -> None:
    rotating = ROTATING["with a skip"]
    law = a_law(rotating, seed=3, direct=Fraction(1, 4))
    counts = counted(rotating, sent(rotating, law), skipped_terms(0, rotating), all_rows=False)
    truth = sum(chance for row, chance in law.items() if dict(row.blocks)[0] is None)
    found = skipped(counts, 0, rotating)
    assert found.n == pytest.approx(SCALE, rel=1e-9)
    assert found.value == pytest.approx(float(truth), abs=1e-9)
