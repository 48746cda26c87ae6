"""Check the share of respondents who answer directly."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.survey.design import Design
from surveys.policy import MOST_DRAWN_DIRECT
from surveys.questionnaire.findings import Finding, Level


def check_direct(design: Design) -> Iterator[Finding]:
    """Yield a refusal if all answers are direct, and a warning if most are."""
    share = design.group.direct_share
    if share is None or share <= MOST_DRAWN_DIRECT or not design.sends_undisguised:
        return
    nobody = share == SCALE
    message = (
        _("all respondents would answer directly, and no answers would be disguised")
        if nobody
        else _("%(share)s of 100 respondents would answer directly, without protection")
        % {"share": f"{100 * share / SCALE:g}"}
    )
    yield Finding(
        level=Level.REFUSE if nobody else Level.WARN,
        code="direct_share",
        path="group.direct_share",
        message=message,
        remedy=_("set the direct share to at most %(most)s%%, or ask in unprotected parts")
        % {"most": f"{100 * MOST_DRAWN_DIRECT // SCALE}"},
    )
