import json
from typing import Any

import numpy as np
import pytest

from mining.thresholds import Sides, Thresholds
from privacy.errors import PrivacyError
from tests.fixtures.questionnaires import grouped


@pytest.mark.parametrize(
    ("field", "value", "remedy"),
    [
        ("support", 0, "use a number above 0 and at most 1"),
        ("support", -0.1, "use a number above 0 and at most 1"),
        ("support", 1.01, "use a number above 0 and at most 1"),
        ("support", float("nan"), "use a number above 0 and at most 1"),
        ("support", "0.05", "use a number above 0 and at most 1"),
        ("confidence", -0.1, "use a number in"),
        ("confidence", 1.1, "use a number in"),
        ("lift", -1.0, "use a number in"),
        ("max_size", 0, "use one from 1 to 20"),
        ("max_size", 21, "use one from 1 to 20"),
        ("max_size", 2.5, "use one from 1 to 20"),
        ("policy", "all", "choose one of 'inclusive', 'estimate'"),
        ("sides", None, "pass a Sides object"),
    ],
)
def test_out_of_range_thresholds_are_refused_with_value_and_remedy(
    field: str, value: Any, remedy: str
) -> None:
    with pytest.raises(PrivacyError, match=remedy) as refusal:
        Thresholds(**{"support": 0.05, field: value})
    assert refusal.value.code == field
    assert refusal.value.value is value or refusal.value.value == value or value != value


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("antecedent", (), "sides"),
        ("antecedent", (1, 1), "sides"),
        ("consequent", (-1,), "sides"),
        ("consequent", (True,), "sides"),
        ("consequent", "12", "sides"),
        ("longest_consequent", 0, "longest_consequent"),
    ],
)
def test_impossible_sides_are_refused(field: str, value: Any, code: str) -> None:
    with pytest.raises(PrivacyError) as refusal:
        Sides(**{field: value})
    assert refusal.value.code == code


def test_sides_with_unknown_items_are_refused() -> None:
    Sides(antecedent=(0, 2)).check(grouped([3]))
    with pytest.raises(
        PrivacyError, match="the items allowed for the consequent include an unknown one: 3"
    ) as refusal:
        Sides(consequent=(3,)).check(grouped([3]))
    assert refusal.value.code == "unknown_item"


def test_both_sides_of_a_rule_must_use_allowed_items() -> None:
    sides = Sides(antecedent=(0, 1), consequent=(2, 3))
    assert sides.allow((0, 1), (2, 3))
    assert not sides.allow((0, 2), (3,))
    assert not sides.allow((0,), (1,))
    assert Sides().allow((5,), (6, 7))


def test_thresholds_survive_json() -> None:
    thresholds = Thresholds(support=0.1, lift=1.0, sides=Sides(consequent=(3, 1), longest_consequent=1))
    assert Thresholds.from_json(json.loads(json.dumps(thresholds.to_json()))) == thresholds


def test_shares_are_stored_as_plain_numbers() -> None:
    """JSON has no NumPy numbers."""
    asked = Thresholds(support=np.float32(0.25), confidence=np.int64(1), lift=np.float32(2))  # type: ignore[arg-type]
    stored = json.loads(json.dumps(asked.to_json()))
    assert (stored["support"], stored["confidence"], stored["lift"]) == (0.25, 1.0, 2.0)


def test_sizes_are_stored_as_plain_numbers() -> None:
    asked = Thresholds(support=0.1, max_size=np.int64(3), sides=Sides(longest_consequent=np.int64(2)))  # type: ignore[arg-type]
    assert type(asked.max_size) is type(asked.sides.longest_consequent) is int
    assert (asked.max_size, asked.sides.longest_consequent) == (3, 2)
