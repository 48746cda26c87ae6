from typing import Any

import pytest

from privacy.survey.design import Question
from tests.fixtures.refusals import refused
from tests.vectors.designs import choice


def _question(**changes: Any) -> Question:
    parts: dict[str, Any] = {"key": "q", "kind": "yes_no", "options": (), "unrelated": (5000,)}
    return Question(**(parts | changes))


@pytest.mark.parametrize("theta", [0, 10_000, -1, 10_001])
def test_decoy_probabilities_of_zero_or_one_are_rejected(theta: int) -> None:
    with refused("unrelated_probability", theta, "q"):
        _question(unrelated=(theta,))


@pytest.mark.parametrize("theta", [True, 0.5, "5000", None])
def test_unrelated_probabilities_must_be_whole_numbers(theta: object) -> None:
    with refused("unrelated_probability", repr(theta)):
        _question(unrelated=(theta,))


@pytest.mark.parametrize(
    ("kind", "options", "shares"),
    [("yes_no", (), (5000, 5000)), ("single", ("a", "b"), (9999,)), ("multi", ("a", "b"), (1, 1, 1))],
)
def test_each_item_needs_one_decoy_probability(
    kind: str, options: tuple[str, ...], shares: tuple[int, ...]
) -> None:
    with refused("unrelated_probability", shares):
        _question(kind=kind, options=options, unrelated=shares)


def test_duplicate_options_are_rejected() -> None:
    with refused("duplicate_key", "'a'"):
        _question(kind="multi", options=("a", "b", "a"), unrelated=())


def test_a_question_has_at_most_two_hundred_options() -> None:
    assert choice("q", options=200).n_items == 200
    with refused("too_large", 201):
        choice("q", options=201)


@pytest.mark.parametrize("kind", ["text", "", None, 1])
def test_unknown_question_kinds_are_rejected(kind: object) -> None:
    with refused("kind", repr(kind)):
        _question(kind=kind)


@pytest.mark.parametrize("options", ["ab", {"a": 1}, None, 2])
def test_options_must_be_a_list(options: object) -> None:
    with refused("malformed", repr(options)):
        _question(kind="multi", options=options)


@pytest.mark.parametrize(
    "changes", [{"key": "a b"}, {"kind": "multi", "options": ("a", "b=c"), "unrelated": ()}]
)
def test_ambiguous_keys_are_rejected(changes: dict[str, Any]) -> None:
    with refused("bad_key"):
        _question(**changes)
