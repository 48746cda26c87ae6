import numpy as np
import pytest

from privacy.errors import PrivacyError
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.published_labels import Domain, Interval, Prefix, label_column, labels_domain, middle
from tests.fixtures.refusals import refused

AGE = Domain(name="age", numeric=True)


@pytest.mark.parametrize(
    ("label", "inside", "outside"),
    [
        ("[20,29]", [20, 25, 29], [19.9, 29.1]),
        ("[20,30)", [20, 29.9], [30]),
        ("(20,30]", [20.1, 30], [20]),
        ("42", [42], [41, 43]),
        ("[-5,-1]", [-3], [0]),
        ("*", [-1e9, 1e9], []),
    ],
)
def test_numeric_labels_mean_intervals(label, inside, outside):
    meaning = AGE.meaning(label)
    assert isinstance(meaning, Interval)
    assert all(meaning.holds(number) for number in inside)
    assert not any(meaning.holds(number) for number in outside)


def test_invalid_numeric_labels_are_refused():
    with pytest.raises(PrivacyError, match="'young'"):
        AGE.meaning("young")


def test_named_number_groups_mean_their_minimum_to_maximum():
    tree = Hierarchy.from_rows("age", [("17", "young", "*"), ("25", "young", "*"), ("60", "old", "*")])
    meaning = Domain.of_hierarchy(tree, numeric=True).meaning("young")
    assert meaning == Interval(low=17, high=25)


def test_a_star_without_a_codebook_entry_matches_any_suffix():
    domain = Domain(name="zip", numeric=False)
    assert domain.meaning("12**") == Prefix(start="12")
    assert domain.meaning("*") == Prefix(start="")
    assert domain.meaning("1234") == frozenset({"1234"})


def test_label_columns_are_encoded_without_loss():
    column = label_column("a", "quasi_identifier", ["b", "a", "b"])
    assert column.texts == ["b", "a", "b"]
    assert column.codes.dtype == np.int32


def test_a_label_allows_its_numbers_its_beginning_or_the_texts_below_it():
    assert [AGE.allows("[20,29]", text) for text in ("20", "29.0", "29.5")] == [True, True, False]
    with refused("not_a_number", "'young'"):
        AGE.allows("[20,29]", "young")
    work = Domain(name="work", numeric=False, leaves={"public": ("state", "city")})
    assert [work.allows("public", text) for text in ("city", "public", "own")] == [True, True, False]
    assert [work.allows("12**", text) for text in ("1234", "1334")] == [True, False]


def test_labels_are_numbers_if_each_is_one() -> None:
    assert labels_domain("age", ("[20,30]", "41", "*")).numeric
    assert not labels_domain("age", ("[20,30]", "young")).numeric


@pytest.mark.parametrize(
    ("label", "at"),
    [
        ("[20,30]", 25),
        ("42", 42),
        ("[60,inf)", (60 + 90) / 2),
        ("*", (10 + 90) / 2),
        ("young", (10 + 14 + 30) / 3),
    ],
)
def test_the_middle_of_an_unbounded_label_ends_with_the_column(label, at):
    age = Domain(name="age", numeric=True, leaves={"young": ("10", "14", "30")})
    assert middle(age, label, np.array([50.0, 10.0, 90.0])) == pytest.approx(at)
