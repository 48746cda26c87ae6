"""Sentences that say whose answers are disguised, and how strongly."""

from __future__ import annotations

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.survey.design import STRENGTH, Design
from surveys.formats.numbers import number


def policy_text(design: Design) -> str:
    """Describe whose answers are disguised, and how strongly."""
    if design.group.policy == "protected":
        return _("everyone protected")
    share = number((design.group.direct_share or 0) / SCALE, 2)
    if design.has_two_strengths:
        if design.group.policy == "choice":
            return _(
                "each respondent chooses a strong or a light disguise, and the choice is sent undisguised"
            )
        if design.invited == STRENGTH:
            return _("the invitation decides: lightly disguised with probability %(share)s") % {
                "share": share
            }
        return _(
            "the device draws: lightly disguised with probability %(share)s; reloading the page "
            "draws again, so the groups can differ in who reloaded"
        ) % {"share": share}
    if design.group.policy == "choice":
        return _("each respondent chooses the direct or the protected group")
    return _(
        "the device draws: direct with probability %(share)s; reloading the page draws again, so "
        "the groups can differ in who reloaded"
    ) % {"share": share}
