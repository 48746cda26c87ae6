"""Texts on the disguise of a number or a place: its mechanism, its bounds, and its reconstruction."""

from __future__ import annotations

from django.utils.translation import gettext as _

from privacy.scales.em import GAIN, Fit
from surveys.formats.numbers import count_text, number


def mechanism_text(name: str) -> str:
    """Return the name of a mechanism in the language of the page."""
    names = {
        "square_wave": _("square wave"),
        "hybrid": _("hybrid"),
        "keep": _("keep the bin or draw any"),
        "as_answered": _("stored as answered"),
        "sm": _("square around the place"),
        "usm": _("square inside the sensitive places"),
        "grid": _("keep the tile or draw any"),
        "ugrid": _("keep the tile or draw any, inside the sensitive places"),
        "levels": _("several levels of sensitive places"),
    }
    return names.get(name, name)


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
