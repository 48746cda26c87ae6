"""True answers are read in the order of the design, and impossible ones are refused by name."""

from typing import Any

import pytest

from privacy.survey.true_answers import read_answers
from tests.fixtures.refusals import refused
from tests.vectors.designs import (
    DESIGNS,
)

ROUTED = DESIGNS["routed, choice"]


WHOLE: dict[str, Any] = {
    "you": {"married": 1, "age": 2},
    "a": {"affair": 0, "unhappy": 1},
    "later": {"why": 1},
    "b": {"drugs": [0, 1, 1]},
    "c": {"vote": 1},
}


def test_complete_answers_are_read_in_design_order() -> None:
    assert read_answers(ROUTED, dict(reversed(WHOLE.items()))) == (
        ((1, 2), False),
        ((0, 1), False),
        ((1,), False),
        (((0, 1, 1),), False),
        ((1,), False),
    )


def test_unmet_or_empty_conditions_omit_the_block() -> None:
    assert read_answers(ROUTED, {"you": {"married": 0}, "c": {"vote": 0}}) == (
        ((0, None), False),
        (None, False),
        (None, False),
        (None, False),
        ((0,), False),
    )
    assert read_answers(ROUTED, {"c": {"vote": 0}})[0] == ((None, None), False)


def test_skipped_and_unasked_questions_are_distinguished() -> None:
    answers = WHOLE | {"a": "skipped"}
    assert read_answers(ROUTED, answers)[1] == (None, True)


@pytest.mark.parametrize(
    ("changes", "code", "named"),
    [
        ({"x": {}}, "unknown_block", "'x'"),
        ({"c": {"vote": 1, "x": 1}}, "unknown_question", "'x'"),
        ({"c": {"affair": 1}}, "unknown_question", "'affair'"),
        ({"a": {"affair": 1}}, "half_answered", "unhappy"),
        ({"a": {}}, "half_answered", "affair, unhappy"),
        ({"a": None}, "missing_block", "a"),
        ({"c": "skipped"}, "skip_not_offered", "'skipped'"),
        ({"you": "skipped"}, "skip_not_offered", "'skipped'"),
        ({"c": "no"}, "malformed", "'no'"),
        ({"c": [1]}, "malformed", "[1]"),
        ({"you": {"married": 0}}, "not_asked", "block a"),
        ({"you": {"married": 1, "age": 3}}, "not_asked", "block later"),
    ],
)
def test_answers_outside_the_design_are_rejected(changes: dict[str, Any], code: str, named: str) -> None:
    with refused(code, named):
        read_answers(ROUTED, WHOLE | changes)


@pytest.mark.parametrize("gone", ["a", "b", "c"])
def test_asked_protected_blocks_must_be_answered(gone: str) -> None:
    answers = {key: value for key, value in WHOLE.items() if key != gone}
    with refused("missing_block", f"block {gone}"):
        read_answers(ROUTED, answers)


@pytest.mark.parametrize("answers", [None, [], "you", 1])
def test_answers_must_be_a_mapping(answers: Any) -> None:
    with refused("malformed", repr(answers)):
        read_answers(ROUTED, answers)


@pytest.mark.parametrize("value", [2, -1, True, 1.0, "1", None, [1]], ids=repr)
def test_yes_no_answers_must_be_0_or_1(value: Any) -> None:
    with refused("answer", "vote", value):
        read_answers(ROUTED, WHOLE | {"c": {"vote": value}})


@pytest.mark.parametrize("value", [4, -1, False, "o1", None], ids=repr)
def test_single_choice_answers_must_be_an_option_position(value: Any) -> None:
    with refused("answer", "age", value):
        read_answers(ROUTED, WHOLE | {"you": {"married": 1, "age": value}})


@pytest.mark.parametrize(
    "value", [1, [], [0, 1], [0, 1, 1, 0], [0, 1, 2], [0, 1, True], [0, 1, None], "011", None], ids=repr
)
def test_multi_select_answers_need_a_0_or_1_per_option(value: Any) -> None:
    with refused("answer", "drugs"):
        read_answers(ROUTED, WHOLE | {"b": {"drugs": value}})
