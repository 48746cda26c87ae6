"""Sampling weights are published as means of classes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.joined_classes import Protected
from privacy.sdc.requirements import Requirement
from privacy.sdc.table import Table
from privacy.sdc.weights import average_weights, round_weights, total_ratios

RULES = [
    ColumnRule(name="town", role="quasi_identifier"),
    ColumnRule(name="w", role="weight", kind="numeric"),
]
ILL = ColumnRule(name="ill", role="sensitive")


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


def test_neighbouring_weights_get_their_rounded_mean() -> None:
    rows = [("a", weight) for weight in ["0.52", "0.54", "2.1", "1.9"] * 3]
    table = Table.from_rows(["town", "w"], rows, RULES)
    assert round_weights(table, 3).column("w").texts == ["0.52", "0.54", "2.1", "1.9"] * 3
    assert round_weights(table, 4).column("w").texts == ["0.53", "0.53", "2", "2"] * 3
    assert set(round_weights(table, 12).column("w").texts) == {"1.265"}
    with pytest.raises(PrivacyError, match="weight"):
        round_weights(Table.from_rows(["town", "w"], [("a", "1"), ("a", "-1")], RULES), 2)


def test_one_large_weight_does_not_level_a_class() -> None:
    rows = [("a", f"{weight / 100}") for weight in range(100, 200)] + [("a", "90")]
    published = round_weights(Table.from_rows(["town", "w"], rows, RULES), 5).column("w").texts
    assert len(set(published)) >= 10
    assert published.count(published[-1]) >= 5


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.floats(0.01, 100), st.sampled_from("xyz")),
        min_size=4,
        max_size=60,
    ),
    st.integers(1, 3),
    st.booleans(),
)
@pytest.mark.soak
def test_bounds_hold_among_people_with_the_same_rounded_weight(
    rows: list[tuple[str, float, str]], l_value: int, has_owners: bool
) -> None:
    """Counted by hand. A person with several records has several answers, of which each counts."""
    table = Table.from_rows(
        ["town", "w", "ill"], [(town, repr(weight), ill) for town, weight, ill in rows], [*RULES, ILL]
    )
    owners = np.arange(len(rows)) // 2 if has_owners else None
    goal = Protected(
        column=table.column("ill"), requirement=Requirement(k=2, distinct_l=l_value), people=owners
    )
    published = round_weights(table, 2, owners, [goal]).column("w").texts
    means = average_weights(table).column("w").texts
    found: dict[tuple[str, str], set[str]] = {}
    for (town, _weight, ill), text in zip(rows, published, strict=True):
        found.setdefault((town, text), set()).add(ill)
    for row, text, mean in zip(rows, published, means, strict=True):
        assert text == mean or len(found[row[0], text]) >= l_value


def test_without_bounds_a_rounded_weight_can_reveal_an_illness() -> None:
    """The target that the bounds must remove: everyone with a weight of 2 has flu."""
    rows = [("a", "1", "flu"), ("a", "1", "cold"), ("a", "2", "flu"), ("a", "2", "flu")]
    table = Table.from_rows(["town", "w", "ill"], rows, [*RULES, ILL])
    assert round_weights(table, 2).column("w").texts == ["1", "1", "2", "2"]
    goal = Protected(column=table.column("ill"), requirement=Requirement(k=2, distinct_l=2))
    assert round_weights(table, 2, goals=[goal]).column("w").texts == ["1.5"] * 4


def test_totals_are_compared_as_published_over_original() -> None:
    before, after = (
        Table.from_rows(["town", "w"], [("a", first), ("a", second)], RULES)
        for first, second in (("1", "3"), ("4", "4"))
    )
    assert total_ratios(before, after) == {"w": 2.0}
    assert total_ratios(after, before) == {"w": 0.5}


def test_weights_stay_if_their_groups_meet_a_bound_exactly() -> None:
    rows = [("a", "1", "flu"), ("a", "1", "cold"), ("a", "2", "flu"), ("a", "2", "cold")]
    table = Table.from_rows(["town", "w", "ill"], rows, [*RULES, ILL])
    goal = Protected(column=table.column("ill"), requirement=Requirement(k=2, distinct_l=2))
    assert round_weights(table, 2, goals=[goal]).column("w").texts == ["1", "1", "2", "2"]
