"""Names of the mechanisms that disguise a number or a place."""

from __future__ import annotations

from django.utils.translation import gettext as _


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
