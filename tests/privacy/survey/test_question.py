from typing import Any

import pytest

from privacy.survey import Question
from tests.fixtures.refusals import refused
from tests.vectors.designs import choice, yes_no


def _question(**changes: Any) -> Question:
    parts: dict[str, Any] = {"key": "q", "kind": "yes_no", "options": (), "unrelated": (5000,)}
    return Question(**(parts | changes))


@pytest.mark.parametrize("theta", [0, 10_000, -1, 10_001])
def test_a_decoy_that_never_or_always_says_yes_is_refused(theta: int) -> None:
    with refused("unrelated_probability", theta, "q"):
        _question(unrelated=(theta,))


@pytest.mark.parametrize("theta", [True, 0.5, "5000", None])
def test_decoy_chances_are_whole_numbers(theta: object) -> None:
    with refused("unrelated_probability", repr(theta)):
        _question(unrelated=(theta,))


@pytest.mark.parametrize("shares", [(5000, 4999), (5000, 5001), (1, 1)])
def test_decoy_shares_of_a_single_choice_must_sum_to_ten_thousand(shares: tuple[int, ...]) -> None:
    with refused("shares_sum", sum(shares)):
        _question(kind="single", options=("a", "b"), unrelated=shares)


def test_decoy_chances_of_a_multi_select_need_not_sum_to_anything() -> None:
    assert _question(kind="multi", options=("a", "b"), unrelated=(9000, 9000)).n_draws == 2


@pytest.mark.parametrize(
    ("kind", "options", "shares"),
    [("yes_no", (), (5000, 5000)), ("single", ("a", "b"), (9999,)), ("multi", ("a", "b"), (1, 1, 1))],
)
def test_there_must_be_one_decoy_chance_per_item(
    kind: str, options: tuple[str, ...], shares: tuple[int, ...]
) -> None:
    with refused("unrelated_probability", shares):
        _question(kind=kind, options=options, unrelated=shares)


@pytest.mark.parametrize("kind", ["single", "multi"])
@pytest.mark.parametrize("options", [(), ("only",)])
def test_a_choice_needs_two_options(kind: str, options: tuple[str, ...]) -> None:
    with refused("too_few_options", f"too few options: {len(options)}"):
        _question(kind=kind, options=options, unrelated=())


def test_a_yes_no_question_has_no_options() -> None:
    with refused("malformed", "('yes', 'no')"):
        _question(options=("yes", "no"))


def test_options_of_one_question_differ() -> None:
    with refused("duplicate_key", "'a'"):
        _question(kind="multi", options=("a", "b", "a"), unrelated=())


def test_a_question_has_at_most_two_hundred_options() -> None:
    assert choice("q", options=200).n_items == 200
    with refused("too_large", 201):
        choice("q", options=201)


@pytest.mark.parametrize("kind", ["text", "", None, 1])
def test_other_kinds_of_question_are_refused(kind: object) -> None:
    with refused("kind", repr(kind)):
        _question(kind=kind)


@pytest.mark.parametrize("options", ["ab", {"a": 1}, None, 2])
def test_options_come_as_a_list(options: object) -> None:
    with refused("malformed", repr(options)):
        _question(kind="multi", options=options)


@pytest.mark.parametrize(
    ("question", "items", "patterns", "draws"),
    [
        (yes_no("q", 1), ("q",), 2, 1),
        (choice("q", 4000, 3000, 3000), ("q=o0", "q=o1", "q=o2"), 3, 1),
        (choice("q", 1, 2, 3, multi=True), ("q=o0", "q=o1", "q=o2"), 8, 3),
    ],
)
def test_a_question_knows_its_items_patterns_and_draws(
    question: Question, items: tuple[str, ...], patterns: int, draws: int
) -> None:
    assert (question.item_keys, question.patterns, question.n_draws) == (items, patterns, draws)


@pytest.mark.parametrize(
    "changes", [{"key": "a b"}, {"kind": "multi", "options": ("a", "b=c"), "unrelated": ()}]
)
def test_keys_that_could_be_misread_are_refused(changes: dict[str, Any]) -> None:
    with refused("bad_key"):
        _question(**changes)


def test_lists_become_tuples_so_that_nothing_can_change_later() -> None:
    question = _question(kind="multi", options=["a", "b"], unrelated=[1, 2])
    assert (question.options, question.unrelated) == (("a", "b"), (1, 2))
