import numpy as np
import pytest

from privacy.risk.observed import OpenCells
from privacy.risk.open_answers import cell_names, combinations_of, expected_unique, open_after, open_before
from tests.cast.refusals import refused
from tests.vectors.designs import CHOICE, assigned, choice, live, opened, shielded, yes_no

PART = shielded("b", 5000, yes_no("q", 5000))
YOU = opened("you", choice("age", options=3), yes_no("city"))


@pytest.mark.parametrize(("n", "combinations"), [(1, 5), (2, 3), (3, 2), (4, 3)])
def test_expected_uniques_are_those_of_all_rows_written_out(n: int, combinations: int) -> None:
    rows = np.stack(np.meshgrid(*[range(combinations)] * n), axis=-1).reshape(-1, n)
    alone = [sum((row == value).sum() == 1 for value in row) for row in rows]
    assert expected_unique(n, combinations) == pytest.approx(float(np.mean(alone)))


def test_many_combinations_make_everybody_unique_and_none_nobody() -> None:
    assert expected_unique(1000, 10**15) == pytest.approx(1000)
    assert (expected_unique(1000, 1), expected_unique(1, 1)) == (0, 1)
    with refused("n", 0):
        expected_unique(0, 5)


def test_before_launch_the_direct_ones_are_told_where_their_share_is_known() -> None:
    assert combinations_of(live(YOU, PART)) == 6
    everybody = open_before(live(YOU, PART), n=10)
    assert everybody.expected_unique_direct == 0
    drawn = open_before(live(YOU, PART, group=assigned(2500)), n=10)
    assert drawn.expected_unique_direct == pytest.approx((drawn.expected_unique or 0) / 4)
    assert open_before(live(YOU, PART, group=CHOICE), n=10).expected_unique_direct is None
    assert open_before(live(YOU, PART), n=None).expected_unique is None
    assert open_before(live(PART), n=10).questions == ()


def cells() -> OpenCells:
    """o0 in the city: 1 direct; o0 outside: 1 protected; o1 in the city: 5; no age, outside: 1 direct."""
    return OpenCells(
        items=np.array([[1, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 1], [0, 0, 0, 0]], np.uint8),
        answered=np.array([[1, 1], [1, 1], [1, 1], [0, 1]], np.uint8),
        counts=np.array([[1, 0], [0, 1], [2, 3], [1, 0]]),
    )


def test_rows_alone_with_their_open_answers_are_counted_direct_ones_apart() -> None:
    found = open_after(live(YOU, PART, group=CHOICE), cells())
    assert (found.unique, found.unique_direct) == (3, 2)
    one, both = found.unicity
    # By age alone: only the blank one is alone. By city alone: nobody. By both: three of eight.
    assert (one.questions, one.mean, one.highest) == (1, 1 / 16, 1 / 8)
    assert (both.questions, both.mean) == (2, 3 / 8)


def test_cells_are_named_by_their_answers() -> None:
    found = cell_names(live(YOU, PART, group=CHOICE), cells(), 0)
    assert found == [("age=o0", "city"), ("age=o0", "not city"), ("age=o1", "city"), ("age=?", "not city")]
    assert cell_names(live(YOU, PART, group=CHOICE), cells(), 3) == [(), (), ("age=o1", "city"), ()]
    assert cell_names(live(PART), cells(), 0) == []


def test_a_survey_without_open_questions_or_rows_has_nothing_to_count() -> None:
    nothing = OpenCells(
        items=np.zeros((0, 4), np.uint8),
        answered=np.zeros((0, 2), np.uint8),
        counts=np.zeros((0, 2), np.int64),
    )
    assert open_after(live(PART), nothing).unique is None
    assert open_after(live(YOU, PART), nothing).unicity == ()
