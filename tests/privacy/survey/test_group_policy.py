"""Group policies allow their own groups only."""

from typing import Any

import numpy as np
import pytest

from privacy.survey.design import GroupPolicy
from tests.fixtures.refusals import refused


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


def test_a_share_of_an_array_is_stored_as_a_plain_number() -> None:
    """JSON has no NumPy numbers."""
    assert type(GroupPolicy(policy="assigned", direct_share=np.int64(2000)).direct_share) is int  # type: ignore[arg-type]
