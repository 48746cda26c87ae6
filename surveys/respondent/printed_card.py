"""Texts of a printed card with a code."""

from __future__ import annotations

from django.utils.translation import gettext as _


def card_texts(title: str, address: str, *, takes_turns: bool) -> dict[str, str]:
    """Return the texts of a printed card with a code, in the active language."""
    once = (
        _(
            "The code works once in each survey of this series. Keep it: the next survey needs the same "
            "code. Your answers are stored separately from it."
        )
        if takes_turns
        else _("The code works once. Your answers are stored separately from it.")
    )
    return {
        "invitation": _("You are invited to answer “%(title)s”.") % {"title": title},
        "hint": _("Scan the QR code, or open %(address)s and enter this code:") % {"address": address},
        "once": once,
    }
