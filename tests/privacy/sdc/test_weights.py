"""Sampling weights are published as means of classes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc.table import ColumnRule, Table
from privacy.sdc.weights import average_weights, round_weights

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


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.floats(0.01, 100)), min_size=4, max_size=60),
    st.integers(2, 4),
    st.booleans(),
)
def test_k_people_share_each_rounded_weight_of_a_class(
    rows: list[tuple[str, float]], k: int, has_owners: bool
) -> None:
    """Counted anew, by hand: someone who knows the town and the published weight finds k people."""
    owners = np.arange(len(rows)) // 2 if has_owners else None
    table = Table.from_rows(["town", "w"], [(town, repr(weight)) for town, weight in rows], RULES)
    published = round_weights(table, k, owners).column("w").texts
    people = range(len(rows)) if owners is None else owners.tolist()
    found: dict[tuple[str, str], set[int]] = {}
    in_town: dict[str, set[int]] = {}
    for (town, _weight), text, person in zip(rows, published, people, strict=True):
        found.setdefault((town, text), set()).add(person)
        in_town.setdefault(town, set()).add(person)
    assert all(len(own) >= min(k, len(in_town[town])) for (town, _text), own in found.items())


def test_rounded_weights_are_within_half_a_unit_of_their_last_digit() -> None:
    weights = [0.52, 0.54, 2.1, 1.9] * 3
    rows = [("a", str(weight)) for weight in weights]
    table = Table.from_rows(["town", "w"], rows, RULES)
    assert round_weights(table, 3).column("w").texts == ["0.52", "0.54", "2.1", "1.9"] * 3
    assert round_weights(table, 4).column("w").texts == ["0.5", "0.5", "2", "2"] * 3
    assert set(round_weights(table, 12).column("w").texts) == {"1.265"}
    with pytest.raises(PrivacyError, match="weight"):
        round_weights(Table.from_rows(["town", "w"], [("a", "1"), ("a", "-1")], RULES), 2)
