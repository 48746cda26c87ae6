"""Questions asked identify almost all rows if almost no one shares a set of questions, otherwise none."""

import numpy as np
import pytest

from privacy.risk.unique_combinations import unique_share_of_design
from tests.attack.asked_questions import SPREAD, find_rows, some_of_twenty


def test_rows_are_identified_where_few_people_share_their_questions() -> None:
    """The naive target, which must be broken: all sets of five of twenty, few rows."""
    found = find_rows(some_of_twenty(None), rows=500, rng=np.random.default_rng(1))
    assert found.identified > 0.95 * found.rows
    assert found.wrong == 0
    assert found.identified <= found.limit
    assert found.expected == pytest.approx(500 * unique_share_of_design(some_of_twenty(None), 500))


def test_no_rows_are_found_where_question_sets_are_few() -> None:
    found = find_rows(some_of_twenty(SPREAD), rows=2_000, rng=np.random.default_rng(2))
    assert (found.identified, found.wrong) == (0, 0)
    assert found.expected < 0.05


def test_the_attack_identifies_as_many_rows_as_the_audit_predicts() -> None:
    """Expect 1,875 unique rows among 2,000; a random count exceeds the limits once in a million."""
    design = some_of_twenty(None)
    found = find_rows(design, rows=2_000, rng=np.random.default_rng(3))
    assert found.expected == pytest.approx(1875, abs=1)
    assert 2 * found.expected - found.limit <= found.identified <= found.limit


def test_listed_sets_ask_every_question_equally_often() -> None:
    asked = [sum(place in booklet for booklet in SPREAD) for place in range(20)]
    assert (len(SPREAD), set(asked)) == (80, {20})
