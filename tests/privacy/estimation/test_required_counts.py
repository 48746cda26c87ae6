from __future__ import annotations

import numpy as np

from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.design_index import BLANK
from privacy.estimation.estimates import estimates_of
from privacy.estimation.required_counts import Plan, required_counts
from tests.fixtures.questionnaires import EVERYTHING, grouped
from tests.privacy.estimation.designs import ONE_BLOCK


def test_a_set_of_columns_is_asked_for_once() -> None:
    needed: tuple[Columns, ...] = required_counts([((0, 1), (0,))], ONE_BLOCK)
    assert len(set(needed)) == len(needed)
    counts = SupportCounts.from_array(needed, np.ones((len(needed), 2), dtype=np.int64))
    assert len(counts) == len(needed)


def test_where_everybody_was_asked_each_sub_itemset_is_requested_once() -> None:
    plan = Plan.of_itemsets(grouped([2, 1]), np.array([[0, 1], [0, 2]]))
    # All rows; {0, 1}; then {0}, {2} and {0, 2} of the itemset that touches both blocks.
    requests = {tuple(column for column in request if column != BLANK) for request in plan.requests.tolist()}
    assert requests == {(), (0, 1), (0,), (2,), (0, 2)}


def test_an_itemset_that_nobody_was_asked_has_no_value() -> None:
    plan = Plan.of_itemsets(EVERYTHING, np.array([[0], [EVERYTHING.item("married").index]]))
    counts = np.zeros((len(plan.requests), 2), dtype=np.int64)
    counts[1] = counts[3] = 0, 4
    assert np.isnan(estimates_of(plan, counts).value).tolist() == [True, False]
