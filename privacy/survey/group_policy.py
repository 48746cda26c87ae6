"""How respondents come into the direct or the protected group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from privacy import validation
from privacy.coins import SCALE
from privacy.errors import PrivacyError

Policy: TypeAlias = Literal["protected", "choice", "assigned"]

POLICIES: Final = ("protected", "choice", "assigned")


@dataclass(frozen=True, kw_only=True)
class GroupPolicy:
    """Assignment of respondents to the direct or the protected group.

    Parameters
    ----------
    policy : {"protected", "choice", "assigned"}
        "protected": everyone is protected. "choice": each respondent chooses. "assigned": the device draws.
    direct_share : int or None, ten-thousandths, 0 to 10,000
        Probability of the direct group under ``"assigned"``; None under the other policies.
    """

    policy: Policy = "protected"
    direct_share: int | None = None

    def __post_init__(self) -> None:
        validation.one_of(self.policy, "group policy", allowed=POLICIES, code="group_policy")
        if self.policy == "assigned":
            share = validation.whole_number(
                self.direct_share, "direct share", low=0, high=SCALE, code="direct_share"
            )
            object.__setattr__(self, "direct_share", share)
        elif self.direct_share is not None:
            raise PrivacyError("direct_share.policy", self.direct_share, policy=self.policy)

    def allows(self, *, direct: bool) -> bool:
        """Whether a device can be in this group (direct or protected)."""
        if self.policy == "protected":
            return not direct
        return self.direct_share is None or self.direct_share != (0 if direct else SCALE)
