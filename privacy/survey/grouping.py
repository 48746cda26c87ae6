"""The group that a device draws: protected, undisguised, or of another strength."""

from __future__ import annotations

from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.survey.design import STRENGTH, Design


def draw_group(design: Design, coins: Coins, *, place: int | None = None) -> bool:
    """Draw the group of one respondent under the policy ``"assigned"``; True for the direct group.

    The first draw is compared with the direct share. If the invitation decides the group, its number
    (`privacy.survey.arms.invited_draw`) replaces the draw.

    Parameters
    ----------
    design : Design
        A design with the policy "assigned".
    coins : Coins
        Gives one draw, unless the invitation decides.
    place : int, optional
        The invitation's number, in 0..9,999.

    Raises
    ------
    PrivacyError
        ``group_policy``: another policy, under which devices do not draw the group.
    """
    share = design.group.direct_share
    if share is None:
        raise PrivacyError("group_policy", design.group.policy)
    draw = coins.draw()
    return (place if design.invited == STRENGTH and place is not None else draw) < share
