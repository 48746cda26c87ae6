"""Messages of errors about the sheet of sentences, each of which names the sentence."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

from surveys.extension import Refusal

WORDS: Final[dict[str, Refusal]] = {
    "sheet.columns": (
        _("the sheet has no column “%(column)s”"),
        _("fill in the file from the page of this language, and keep its first line"),
    ),
    "sheet.half": (
        _("%(count)s sentences are missing, the first one is “%(english)s”"),
        _("upload the whole sheet; leave a text empty if you do not know it"),
    ),
    "sheet.unknown": (
        _("this program has no sentence %(key)s, “%(english)s”"),
        _("the sheet is of another release: download it again"),
    ),
    "sheet.english": (
        _("the English text of “%(english)s” was changed: “%(value)s”"),
        _("write the translation into the last column, and leave the English one as it is"),
    ),
    "sheet.direction": (
        _("“%(english)s” is English in the column of the language, too"),
        _("write it in the language, or leave it empty"),
    ),
    "sheet.placeholder": (
        _("the translation of “%(english)s” lacks %(placeholder)s"),
        _("keep each placeholder as it is: a number or a name takes its place"),
    ),
    "sheet.extra": (
        _("the translation of “%(english)s” has %(placeholder)s, which the English text does not have"),
        _("remove it"),
    ),
    "sheet.markup": (
        _("the translation of “%(english)s” has markup: “%(value)s”"),
        _("write plain text"),
    ),
    "sheet.long": (
        _("the translation of “%(english)s” has more than %(most)s characters"),
        _("shorten it"),
    ),
}
