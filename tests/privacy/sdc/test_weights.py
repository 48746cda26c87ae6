"""Sampling weights are published as means of classes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc.table import ColumnRule, Table
from privacy.sdc.weights import average_weights

RULES = [
    ColumnRule(name="town", role="quasi_identifier"),
    ColumnRule(name="w", role="weight", kind="numeric"),
]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0.01, 1e6)), min_size=1, max_size=60))
def test_totals_of_classes_stay_and_no_weight_tells_two_records_of_a_class_apart(
    rows: list[tuple[str, float]],
) -> None:
    table = Table.from_rows(["town", "w"], [(town, repr(weight)) for town, weight in rows], RULES)
    published = [float(text) for text in average_weights(table).column("w").texts]
    towns = np.array([town for town, _weight in rows])
    for town in set(towns):
        own = np.array(published)[towns == town]
        assert len(set(own)) == 1
        total = sum(weight for other, weight in rows if other == town)
        assert own.sum() == pytest.approx(total, rel=1e-5)


@pytest.mark.parametrize("weight", ["0", "-1"])
def test_weights_of_zero_or_less_are_refused(weight: str) -> None:
    table = Table.from_rows(["town", "w"], [("a", "1"), ("a", weight)], RULES)
    with pytest.raises(PrivacyError, match="weight"):
        average_weights(table)
