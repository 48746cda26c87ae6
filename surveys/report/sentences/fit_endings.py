"""Sentences on how the reconstruction of a distribution ended."""

from __future__ import annotations

from django.utils.translation import gettext as _

from privacy.scales.em import GAIN, Fit
from surveys.formats.numbers import count_text, number


def ended_text(fit: Fit) -> str:
    """State the number of steps of a reconstruction and why it ended."""
    words = {"steps": count_text(fit.steps), "gain": number(GAIN, 7)}
    if fit.reason == "gain":
        return _("%(steps)s steps; the last gained less than %(gain)s in log-likelihood per answer") % words
    return (
        _(
            "stopped after %(steps)s steps; the last still gained at least %(gain)s in log-likelihood"
            " per answer"
        )
        % words
    )
