from dataclasses import replace
from typing import Any

import pytest

from privacy.survey.design import Block, Condition, Question, default_refusal
from tests.fixtures.refusals import refused
from tests.vectors.designs import choice, opened, shielded, yes_no


def _block(**changes: Any) -> Block:
    parts: dict[str, Any] = {
        "key": "b",
        "protected": True,
        "truth_probability": 6000,
        "refusal": None,
        "asked_if": None,
        "questions": (yes_no("affair", 5000),),
    }
    return Block(**(parts | changes))


@pytest.mark.parametrize(
    "make", [lambda: _block(key=""), lambda: Condition(question="a&b", options=("yes",))]
)
def test_ambiguous_keys_are_rejected(make: Any) -> None:
    with refused("bad_key"):
        make()


def test_an_empty_block_is_refused() -> None:
    with refused("empty_block", "b"):
        _block(questions=())


@pytest.mark.parametrize("p", [-1, 10_001, True, 0.6, "6000", None])
def test_truth_probabilities_must_be_whole_ten_thousandths(p: object) -> None:
    with refused("truth_probability", repr(p)):
        _block(truth_probability=p)


@pytest.mark.parametrize("refusal", [0, 10_000, -5, True, 0.1])
def test_skip_probabilities_of_zero_or_one_are_rejected(refusal: object) -> None:
    with refused("refusal", repr(refusal)):
        _block(refusal=refusal)


def test_open_blocks_have_no_disguise_and_no_skip() -> None:
    with refused("truth_probability", 6000):
        _block(protected=False, questions=(yes_no("q"),))
    with refused("refusal", 100):
        _block(protected=False, truth_probability=10_000, refusal=100, questions=(yes_no("q"),))


def test_only_protected_blocks_have_decoy_probabilities() -> None:
    with refused("unrelated_probability", "affair", "open"):
        opened("b", yes_no("affair", 5000))
    with refused("unrelated_probability", "affair", "has 0"):
        shielded("b", 6000, yes_no("affair"))


@pytest.mark.parametrize(
    ("part", "value", "named"),
    [
        ("protected", 1, "1"),
        ("questions", "affair", "'affair'"),
        ("questions", ("affair",), "'affair'"),
        ("asked_if", "affair", "'affair'"),
    ],
)
def test_malformed_block_fields_are_rejected(part: str, value: object, named: str) -> None:
    with refused("malformed", named):
        _block(**{part: value})


@pytest.mark.parametrize(
    ("questions", "patterns", "refusal"),
    [
        ((yes_no("a", 5000),), 2, 3334),
        ((yes_no("a", 5000), yes_no("b", 5000)), 4, 2000),
        (tuple(yes_no(f"q{number}", 5000) for number in range(4)), 16, 589),
        ((choice("a", 2000, 3000, 5000), choice("b", 1, 1, multi=True)), 12, 770),
        (tuple(yes_no(f"q{number}", 5000) for number in range(20)), 2**20, 1),
    ],
)
def test_the_default_skip_probability_is_one_extra_pattern(
    questions: tuple[Question, ...], patterns: int, refusal: int
) -> None:
    block = shielded("b", 5000, *questions)
    assert block.patterns == patterns
    assert default_refusal(block) == refusal


def test_check_questions_need_their_own_protected_block() -> None:
    check = replace(yes_no("true", 5000), anchor="nobody")
    for changes in (
        {"questions": (check, yes_no("affair", 5000))},
        {"questions": (replace(check, unrelated=()),), "protected": False, "truth_probability": 10_000},
    ):
        with refused("anchor", "b"):
            _block(**changes)


def test_blocks_without_rotation_have_no_booklets() -> None:
    with refused("questions_per_person", "b"):
        _ = _block().sets


def test_the_worst_booklet_has_the_questions_with_the_rarest_decoys_or_all_if_everyone_is_asked_all() -> None:
    """The least of the decoy probabilities are .3 and .4; .5 is that of a."""
    questions = tuple(yes_no(key, share) for key, share in (("a", 5000), ("b", 3000), ("c", 4000)))
    assert _block(questions=questions).worst_booklet == (0, 1, 2)
    assert _block(questions=questions, questions_per_person=2).worst_booklet == (1, 2)
    assert _block(questions=questions, questions_per_person=1).worst_booklet == (1,)
    assert _block().worst_booklet == (0,)
