import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.sdc.hierarchy import (
    Hierarchy,
    _check_parents,
    ends_hierarchy,
    flat_hierarchy,
    hierarchy_of,
    interval_hierarchy,
    prefix_hierarchy,
)
from tests.fixtures.refusals import refused


def refusal(rows):
    with pytest.raises(PrivacyError) as caught:
        Hierarchy.from_rows("work", rows)
    return str(caught.value)


def test_labels_with_two_parents_are_rejected_naming_both():
    rows = [("a", "x", "1", "*"), ("b", "x", "2", "*")]
    assert "'x' (level 1) has two parents: '1' and '2'" in refusal(rows)


def test_hierarchies_with_several_roots_are_rejected():
    assert "has 2 values ('x', 'y'" in refusal([("a", "x"), ("b", "y")])


def test_rows_of_unequal_length_are_rejected_naming_the_value():
    assert "the row of 'b' has 2 levels" in refusal([("a", "x", "*"), ("b", "*")])


def test_duplicate_rows_for_a_value_are_rejected():
    assert "two rows for 'a'" in refusal([("a", "*"), ("a", "*")])


def test_an_empty_hierarchy_is_refused():
    assert "is empty" in refusal([])


def test_coverage_names_the_missing_values_of_the_table():
    tree = flat_hierarchy("work", ["a", "b"])
    with pytest.raises(PrivacyError, match=r"'work' lacks 2 values of the table: 'c', 'd'"):
        tree.for_values(["a", "c", "d"])


def test_restriction_keeps_value_order_and_drops_unused_values():
    tree = Hierarchy.from_rows("work", [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*")])
    assert tree.for_values(["c", "a"]).rows() == [("c", "y", "*"), ("a", "x", "*")]


@pytest.mark.parametrize("widths", [[5, 12], [0], [-5], [float("nan")], [10, 5]])
def test_interval_widths_that_do_not_increase_are_rejected(widths):
    with pytest.raises(PrivacyError, match="interval widths"):
        interval_hierarchy("age", ["17"], widths)


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ([[18, 18]], "18 follows 18"),
        ([[18, 25], [65, 40]], "40 follows 65"),
        ([[18, 25], [20]], r"'\[18,25\)' \(level 1\) has two parents"),
    ],
)
def test_interval_ends_must_ascend_and_keep_earlier_intervals_whole(levels, message):
    with pytest.raises(PrivacyError, match=message):
        ends_hierarchy("age", ["19", "24", "70"], levels)
    with pytest.raises(PrivacyError, match="old"):
        ends_hierarchy("age", ["old"], [[18]])


def test_missing_text_joins_the_numbers_only_at_the_root():
    tree = interval_hierarchy("age", ["17", "?"], [5, 10], missing=["?"])
    assert tree.rows() == [("17", "[15,20)", "[10,20)", "*"), ("?", "?", "?", "*")]


def test_interval_hierarchies_reject_text():
    with pytest.raises(PrivacyError, match="contains 'old'"):
        interval_hierarchy("age", ["17", "old"], [5])


def test_prefix_hierarchies_need_values_of_equal_length():
    with pytest.raises(PrivacyError, match="different length"):
        prefix_hierarchy("zip", ["123", "12"])


@given(st.lists(st.integers(-500, 500), min_size=1, unique=True), st.sampled_from([[1], [5, 10], [3, 6, 12]]))
def test_every_interval_contains_its_number(numbers, widths):
    tree = interval_hierarchy("age", [str(number) for number in numbers], widths)
    for row in tree.rows():
        for label in row[1:-1]:
            low, high = label[1:-1].split(",")
            assert float(low) <= float(row[0]) < float(high)


@given(st.lists(st.text("0123456789", min_size=4, max_size=4), min_size=1, unique=True))
def test_prefix_hierarchies_keep_prefixes_and_end_in_one_root(values):
    tree = prefix_hierarchy("zip", values)
    assert len(tree.labels[-1]) == 1
    assert all(row[2].rstrip("*") == row[0][:2] for row in tree.rows())


def test_missing_values_join_ranges_only_at_the_root():
    tree = ends_hierarchy("age", ["19", "", "70"], [[30]], missing=[""])
    assert tree.rows() == [("19", "(-inf,30)", "*"), ("", "", "*"), ("70", "[30,inf)", "*")]


def test_labels_are_given_as_texts_lists_or_a_frame():
    as_texts = hierarchy_of("work", {"nurse": "health", "cook": "food"})
    as_lists = hierarchy_of("work", {"nurse": ["health"], "cook": ["food"]})
    frame = pandas.DataFrame([["nurse", "health"], ["cook", "food"]])
    wanted = [("nurse", "health", "*"), ("cook", "food", "*")]
    for own in (as_texts, as_lists, hierarchy_of("work", frame)):
        assert sorted(own.rows()) == sorted(wanted)
    one = hierarchy_of("work", {"nurse": "any", "cook": "any"})
    assert sorted(one.rows()) == [("cook", "any"), ("nurse", "any")]
    with refused("hierarchy", "int"):
        hierarchy_of("work", 5)


def test_the_first_ten_values_that_a_hierarchy_lacks_are_named():
    tree = flat_hierarchy("work", ["cook"])
    for count, ends in ((10, "'9'"), (11, "'9', ...")):
        with pytest.raises(PrivacyError) as caught:
            tree.for_values(["cook", *map(str, range(count))])
        assert ends in caught.value.message
        assert ("..." in caught.value.message) == (count == 11)


def test_the_second_parent_of_a_label_at_any_level_is_refused():
    rows = [("cook", "food", "hand", "*"), ("baker", "food", "trade", "*"), ("nurse", "health", "care", "*")]
    for part in ("food", "hand", "trade"):
        assert part in refusal(rows)
    top = [("cook", "food", "hand", "a"), ("baker", "food", "hand", "b")]
    for part in ("hand", "'a'", "'b'"):
        assert part in refusal(top)


def test_a_label_has_one_parent_on_every_level():
    _check_parents("work", [["a", "x", "*"], ["b", "x", "*"]])
    for table in ([["a", "x", "*"], ["b", "x", "all"]], [["a", "x", "*"], ["a", "y", "*"]]):
        with pytest.raises(PrivacyError) as caught:
            _check_parents("work", table)
        assert caught.value.code == "hierarchy"
