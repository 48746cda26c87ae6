"""Rows of numbers and places that give their answer away: a part of the audit of a survey's rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from django.db.models import QuerySet

from mining.columns.scale_counts import SentCounts
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.risk import Audit
from privacy.risk.report import ScaleAudit
from privacy.risk.scale_rows import ScaleRows, scale_rows
from privacy.scales.scale_groups import mixed_fit, scale_groups
from privacy.scales.skipping import Disguise, Skipping
from privacy.scales.window import WindowChannel
from surveys.figures.scales.place_estimates import drawn_density
from surveys.figures.scales.question import check_enough, sent_by
from surveys.models import Batch, Version

__all__ = ["with_scale_rows"]

_Measured: TypeAlias = Mapping[tuple[str, bool], ScaleRows]
"""By question, and by whether the rows are lightly disguised; without those of which too few were sent."""


def with_scale_rows(audit: Audit, version: Version, batches: QuerySet[Batch]) -> Audit:
    """Return the audit of some batches of a version's design with what they say of numbers and places."""
    measured: dict[tuple[str, bool], ScaleRows] = {}
    design = version.to_design()
    for number, question in enumerate(design.questions):
        if question.disguise is not None and design.blocks[design.block_of(number)].protected:
            try:
                sent = sent_by(version, batches, number)
                check_enough(version, question.key, sent)
                measured |= _measured(question.key, question.disguise, sent)
            except PrivacyError:
                # Nothing is said of a question that too few answered.
                continue
    light = audit.light and replace(audit.light, lone=_with(audit.light.lone, measured, is_light=True))
    return replace(audit, lone=_with(audit.lone, measured, is_light=False), light=light)


def _with(parts: tuple[ScaleAudit, ...], measured: _Measured, *, is_light: bool) -> tuple[ScaleAudit, ...]:
    return tuple(replace(part, rows=measured.get((part.question, is_light))) for part in parts)


def _measured(key: str, disguise: Disguise, sent: SentCounts) -> _Measured:
    """Measure the strongly disguised rows and, where there are any, the lightly disguised ones."""
    shares = _shares(disguise, sent)
    rows = {(key, False): scale_rows(disguise, shares, sent.protected, skipping=sent.skipping)}
    if sent.light is not None and sent.direct.any():
        skipping = sent.skipping and Skipping(disguise=sent.light, refusal=sent.skipping.refusal)
        rows[key, True] = scale_rows(sent.light, shares, sent.direct, skipping=skipping)
    return rows


def _shares(disguise: Disguise, sent: SentCounts) -> Array:
    """How frequent each answer is, as the report reconstructs it."""
    if isinstance(disguise, WindowChannel):
        groups = scale_groups(disguise, sent.protected, skipping=sent.skipping)
        return mixed_fit(disguise, groups, smooth=True).shares
    return drawn_density(disguise, sent, smooth=False).fit.shares
