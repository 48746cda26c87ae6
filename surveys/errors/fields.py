"""Messages of errors about values that any field of a form refuses."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

from surveys.extension import Refusal

WORDS: Final[dict[str, Refusal]] = {
    "field.long": (
        _("the text has %(count)s characters; at most %(most)s are possible"),
        _("shorten it by %(over)s"),
    ),
    "field.short": (
        _("the text has %(count)s characters; at least %(least)s are needed"),
        _("write %(missing)s more"),
    ),
    "field.large": (_("%(value)s is too large"), _("enter at most %(most)s")),
    "field.small": (_("%(value)s is too small"), _("enter at least %(least)s")),
    "field.choice": (_("“%(choice)s” cannot be chosen here"), _("choose one of these")),
    "field.null": (
        _("line %(line)s contains an invisible null character"),
        _("delete this line and type it again"),
    ),
}
