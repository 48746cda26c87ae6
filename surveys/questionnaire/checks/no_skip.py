"""Protected parts without “Prefer not to say”."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from privacy.survey.design import Block
from surveys.questionnaire.findings import Finding, Level


def no_skip(entry: Mapping[str, Any], block: Block, path: str) -> Iterator[Finding]:
    """Yield a finding if a protected part offers no skip and does not say why."""
    if block.refusal is None and not entry.get("no_skip"):
        yield Finding(
            level=Level.REFUSE,
            code="no_skip",
            path=path,
            message=_("respondents cannot choose “Prefer not to say” here, and the part does not say why"),
            remedy=_("offer “Prefer not to say”, or write the reason into the part"),
        )
