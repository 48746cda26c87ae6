"""Sets of questions that one device can be asked."""

import itertools

import numpy as np
import pytest

from privacy.estimation.drawing import Drawing
from tests.privacy.estimation.designs import ROTATING, design, protected, yes_no


@pytest.mark.parametrize("name", ROTATING)
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_questions_occur_together_if_the_design_allows_it(name: str, size: int) -> None:
    rotating = ROTATING[name]
    sets = list(itertools.combinations(range(len(rotating.questions)), size))
    if sets:
        expected = [rotating.drawn_together(questions) for questions in sets]
        drawing = Drawing(rotating)
        assert drawing.together(np.array(sets)).tolist() == [chance > 0 for chance in expected]
        assert drawing.probability(np.array(sets)).tolist() == pytest.approx(
            [float(chance) for chance in expected]
        )


def test_seventy_booklets_need_more_than_one_machine_word() -> None:
    booklets = tuple(itertools.combinations(range(9), 4))[::-1][:70][::-1]
    questions = [yes_no(f"q{place}", 5000) for place in range(9)]
    missing = sorted(set(range(9)) - {place for booklet in booklets for place in booklet})
    booklets = tuple(sorted((*booklets, *(tuple(sorted((place, 5, 6, 7))) for place in missing))))
    listed = design(protected("b", 5000, *questions, asks=4, booklets=booklets))
    sets = list(itertools.combinations(range(9), 3))
    held = [sum(set(three) <= set(booklet) for booklet in booklets) for three in sets]
    drawing = Drawing(listed)
    assert drawing.together(np.array(sets)).tolist() == [number > 0 for number in held]
    assert drawing.probability(np.array(sets)).tolist() == [number / len(booklets) for number in held]
    assert 0 < np.count_nonzero(held) < len(sets)
