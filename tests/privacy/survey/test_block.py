from dataclasses import replace
from typing import Any

import pytest

from privacy.errors import PrivacyError
from privacy.survey.block import Conditions
from privacy.survey.design import Block, Condition, GroupPolicy, Question, default_refusal
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


def test_conditions_need_at_least_one_option_without_duplicates() -> None:
    with refused("asked_if", "married"):
        Condition(question="married", options=())
    with refused("duplicate_key", "yes"):
        Condition(question="married", options=("yes", "yes"))


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


MARRIED = Condition(question="married", options=("yes",))
ELDER = Condition(question="age", options=("o1", "o2"))


def test_single_and_joined_conditions_share_one_interface() -> None:
    assert (MARRIED.joined, MARRIED.terms) == ("all", (MARRIED,))
    either = Conditions(joined="any", terms=(MARRIED, ELDER))
    assert (either.joined, either.terms) == ("any", (MARRIED, ELDER))


@pytest.mark.parametrize(
    ("joined", "terms", "named"),
    [
        ("all", (MARRIED,), "two or more"),
        ("any", (), "two or more"),
        ("none", (MARRIED, ELDER), "'all', 'any'"),
        ("all", (ELDER, Condition(question="age", options=("o0",))), "twice"),
    ],
)
def test_joined_conditions_need_two_or_more_distinct_questions(
    joined: Any, terms: tuple[Condition, ...], named: str
) -> None:
    with pytest.raises(PrivacyError) as caught:
        Conditions(joined=joined, terms=terms)
    assert named in str(caught.value)


def test_joined_conditions_contain_only_simple_conditions() -> None:
    for terms in ((MARRIED, "age"), (MARRIED, Conditions(joined="any", terms=(MARRIED, ELDER)))):
        with refused("malformed", "Condition"):
            Conditions(joined="all", terms=terms)  # type: ignore[arg-type]


@pytest.mark.parametrize("share", [-1, 10_001, True, 0.5, None])
def test_assigned_groups_need_a_share_in_ten_thousandths(share: Any) -> None:
    with refused("direct_share", repr(share)):
        GroupPolicy(policy="assigned", direct_share=share)


@pytest.mark.parametrize("policy", ["protected", "choice"])
@pytest.mark.parametrize("share", [0, 2700])
def test_direct_shares_are_rejected_unless_a_group_is_drawn(policy: Any, share: int) -> None:
    with refused("direct_share", share, policy):
        GroupPolicy(policy=policy, direct_share=share)


@pytest.mark.parametrize("policy", ["open", None, ""])
def test_unknown_group_policies_are_rejected(policy: Any) -> None:
    with refused("group_policy", repr(policy)):
        GroupPolicy(policy=policy)


@pytest.mark.parametrize(
    ("policy", "share", "direct", "protected"),
    [
        ("protected", None, False, True),
        ("choice", None, True, True),
        ("assigned", 0, False, True),
        ("assigned", 1, True, True),
        ("assigned", 10_000, True, False),
    ],
)
def test_group_policies_allow_only_their_own_groups(
    policy: Any, share: int | None, direct: bool, protected: bool
) -> None:
    group = GroupPolicy(policy=policy, direct_share=share)
    assert (group.allows(direct=True), group.allows(direct=False)) == (direct, protected)
