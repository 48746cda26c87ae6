"""Which rows of a run give a number or a place away, as the audit page says it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from privacy.audit.lone_rows import lone_rows
from privacy.audit.sentences import percent
from privacy.disguise.band import Band
from privacy.disguise.windows import Windows
from privacy.errors import PrivacyError
from surveys.core_refusals import sentences
from surveys.models import Run
from surveys.report.disclosure import shown_count
from surveys.report.lone.asked import Asked, asked_of
from surveys.report.lone.kept_density import density_of
from surveys.report.lone.number_page import figures_of
from surveys.report.outcome import RunPage

__all__ = ["LoneRowsLine", "lone_rows_lines"]


@dataclass(frozen=True, kw_only=True)
class LoneRowsLine:
    """One number or place in the table.

    Attributes
    ----------
    key, what : str
        The question, and of what its answers are named: bins or cells.
    n : str
        Disguised rows.
    shares : tuple of str
        Of them, those recognised with more than 50, 90 and 95 %.
    highest, before : str
        Of the surest row; of whoever saw no row.
    problem : str
        Why there is nothing to say; else empty.
    """

    key: str
    what: str
    n: str = ""
    shares: tuple[str, ...] = ()
    highest: str = ""
    before: str = ""
    problem: str = ""


def lone_rows_lines(run: Run, page: RunPage) -> tuple[LoneRowsLine, ...]:
    """Return a line for each number and place of a run."""
    return tuple(_line(run, page, link.key, is_place=link.is_place) for link in page.lone)


def _line(run: Run, page: RunPage, key: str, *, is_place: bool) -> LoneRowsLine:
    what = _("cells") if is_place else _("bins")
    try:
        asked = asked_of(run, page, key, "place" if is_place else "number")
        found = lone_rows(
            _disguise(asked), _shares(asked), asked.sent.protected, skipping=asked.sent.skipping
        )
    except PrivacyError as refusal:
        return LoneRowsLine(key=key, what=what, problem=sentences(refusal))
    return LoneRowsLine(
        key=key,
        what=what,
        n=shown_count(asked.n_protected, rounded=asked.shown.rounded),
        shares=tuple(percent(asked.told(share)) for share in found.sent),
        highest=percent(asked.told(found.highest)),
        before=percent(asked.told(found.before)),
    )


def _disguise(asked: Asked) -> Band | Windows:
    disguise = asked.question.disguise
    if disguise is None:
        raise TypeError(f"{asked.question.key} brings no disguise of its own")
    return disguise


def _shares(asked: Asked) -> NDArray[np.float64]:
    """How frequent each answer is, as the report reconstructs it."""
    if isinstance(asked.question.disguise, Band):
        return figures_of(asked).smooth.fit.shares
    return density_of(asked, smooth=False).fit.shares
