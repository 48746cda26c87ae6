import numpy as np

from privacy.risk.open_answers import combinations_of, open_after, open_before
from privacy.risk.unique_records import expected_unique
from tests.vectors.designs import CHOICE, choice, live, opened, shielded, yes_no

PART = shielded("b", 5000, yes_no("q", 5000))
YOU = opened("you", choice("age", options=3), yes_no("city"))


def test_unique_rows_are_counted_with_direct_rows_separate() -> None:
    found = open_after(live(YOU, PART, group=CHOICE), np.array([[1, 0], [0, 1], [2, 3], [1, 0]]))
    assert (found.unique, found.unique_direct) == (3, 2)


def test_open_answer_audits_need_open_questions_and_rows() -> None:
    nothing = np.zeros((0, 2), np.int64)
    assert open_after(live(PART), nothing).unique is None
    assert open_after(live(YOU, PART), nothing).unique == 0


def test_expected_unique_rows_depend_on_the_expected_sample_size() -> None:
    assert combinations_of(live(YOU, PART)) == 6
    assert open_before(live(YOU, PART), n=10).expected_unique == expected_unique(10, 6)
    assert open_before(live(YOU, PART), n=None).expected_unique is None
    assert open_before(live(PART), n=10).questions == ()
