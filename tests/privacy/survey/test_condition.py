from typing import Any

import pytest

from privacy.errors import PrivacyError
from privacy.survey.block import Condition, Conditions
from privacy.survey.design import GroupPolicy
from tests.fixtures.refusals import refused

MARRIED = Condition(question="married", options=("yes",))
ELDER = Condition(question="age", options=("o1", "o2"))


def test_one_condition_and_several_are_read_alike() -> None:
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
def test_several_conditions_are_two_or_more_on_questions_of_their_own(
    joined: Any, terms: tuple[Condition, ...], named: str
) -> None:
    with pytest.raises(PrivacyError) as caught:
        Conditions(joined=joined, terms=terms)
    assert named in str(caught.value)


def test_several_conditions_hold_conditions_alone() -> None:
    for terms in ((MARRIED, "age"), (MARRIED, Conditions(joined="any", terms=(MARRIED, ELDER)))):
        with refused("malformed", "Condition"):
            Conditions(joined="all", terms=terms)  # type: ignore[arg-type]


@pytest.mark.parametrize("share", [-1, 10_001, True, 0.5, None])
def test_an_assigned_group_needs_a_share_in_ten_thousandths(share: Any) -> None:
    with refused("direct_share", repr(share)):
        GroupPolicy(policy="assigned", direct_share=share)


@pytest.mark.parametrize("policy", ["protected", "choice"])
@pytest.mark.parametrize("share", [0, 2700])
def test_a_direct_share_is_refused_where_no_group_is_drawn(policy: Any, share: int) -> None:
    with refused("direct_share", share, policy):
        GroupPolicy(policy=policy, direct_share=share)


@pytest.mark.parametrize("policy", ["open", None, ""])
def test_other_group_policies_are_refused(policy: Any) -> None:
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
def test_a_policy_knows_which_groups_can_occur(
    policy: Any, share: int | None, direct: bool, protected: bool
) -> None:
    group = GroupPolicy(policy=policy, direct_share=share)
    assert (group.allows(direct=True), group.allows(direct=False)) == (direct, protected)
