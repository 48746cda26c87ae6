import itertools
import math
from collections import Counter

import pytest

from privacy.errors import PrivacyError
from privacy.survey import balanced_booklets as module
from privacy.survey.balanced_booklets import balanced_booklets, develop_sets

TABLE = list(module._STARTERS)


@pytest.mark.parametrize(
    ("questions", "per_person", "together", "wanted"),
    [(10, 4, 2, 15), (10, 4, 3, 30), (20, 5, 2, 76), (7, 3, 2, 7), (8, 4, 2, 14), (8, 4, 3, 14)],
)
def test_balanced_lists_have_the_known_minimum_length(
    questions: int, per_person: int, together: int, wanted: int
) -> None:
    booklets = balanced_booklets(questions, per_person, together=together)
    assert booklets is not None
    assert len(booklets) == wanted
    assert list(booklets) == sorted(booklets)


@pytest.mark.parametrize(("questions", "per_person", "together"), TABLE)
def test_lists_for_triples_are_never_shorter_than_for_pairs(
    questions: int, per_person: int, together: int
) -> None:
    longer = balanced_booklets(questions, per_person, together=together)
    shorter = balanced_booklets(questions, per_person, together=together - 1)
    assert longer is not None
    assert shorter is not None
    assert len(shorter) <= len(longer)


def test_all_sets_are_used_if_the_table_has_no_list() -> None:
    assert balanced_booklets(5, 2, together=2) is None
    assert balanced_booklets(40, 4, together=2) is None


def test_balanced_lists_beyond_triples_are_rejected() -> None:
    with pytest.raises(PrivacyError, match="questions asked together = 4"):
        balanced_booklets(10, 5, together=4)


TABLE = list(module._STARTERS)


@pytest.mark.parametrize(("questions", "per_person", "together"), TABLE)
def test_each_balanced_list_is_a_t_design(questions: int, per_person: int, together: int) -> None:
    booklets = develop_sets(*module._STARTERS[questions, per_person, together])
    assert len(set(booklets)) == len(booklets) <= math.comb(questions, per_person) / 2
    assert {len(set(booklet)) for booklet in booklets} == {per_person}
    counts = Counter(sets for one in booklets for sets in itertools.combinations(one, together))
    assert set(counts) == set(itertools.combinations(range(questions), together))
    assert len(set(counts.values())) == 1
