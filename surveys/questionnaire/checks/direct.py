"""Whom a design protects at all: of a direct group nothing is disguised."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.survey.design import Design
from surveys.questionnaire.checks.finding import Finding, Level

# Above this share of direct answers a survey that says "disguised" is mostly not.
MOST_DIRECT: Final = SCALE // 2


def check_direct(design: Design) -> Iterator[Finding]:
    """Give a refusal where nobody would be disguised, and a warning where most would not be."""
    share = design.group.direct_share
    if share is None or share <= MOST_DIRECT or not any(block.protected for block in design.blocks):
        return
    nobody = share == SCALE
    message = (
        _("everybody would be drawn to answer directly, and nobody's answers would be disguised")
        if nobody
        else _("%(share)s of 100 people would be drawn to answer directly, and nothing protects them")
        % {"share": f"{100 * share / SCALE:g}"}
    )
    yield Finding(
        level=Level.REFUSE if nobody else Level.WARN,
        code="direct_share",
        path="group.direct_share",
        message=message,
        remedy=_("set the direct share to at most %(most)s %%, or ask in open parts")
        % {"most": f"{100 * MOST_DIRECT // SCALE}"},
    )
