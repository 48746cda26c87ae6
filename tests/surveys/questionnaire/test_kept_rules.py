"""A draft keeps questions and rules for its other form; invalid entries are ignored."""

from typing import Any

import pytest

from surveys.questionnaire.kept_rules import component_keys, set_aside

RULE = {
    "key": "any",
    "kind": "yes_no",
    "computed": {"components": [{"key": "hit", "kind": "yes_no"}, {"key": "where", "kind": "several"}]},
}


def test_rules_and_the_questions_of_parts_are_kept_in_their_order() -> None:
    part = {"questions": [{"key": "hit", "kind": "yes_no"}], "part": {"protected": True}}
    lines = RULE | {"lines": {"where": {"home": "where_home"}}}
    assert set_aside({"set_aside": [part, 3, lines]}) == [part, lines]
    assert component_keys(lines) == ["hit", "where"]


@pytest.mark.parametrize(
    "entry", [None, {}, RULE | {"lines": 3}, RULE | {"lines": {"gone": {}}}, {"questions": [3], "part": {}}]
)
def test_other_entries_are_ignored(entry: Any) -> None:
    assert set_aside({"set_aside": [entry]}) == set_aside({"set_aside": entry}) == []
