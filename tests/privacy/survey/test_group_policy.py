from typing import Any

import pytest

from privacy.survey import GroupPolicy
from tests.cast.refusals import refused


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
