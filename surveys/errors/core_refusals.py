"""Errors of the core, in the language of the page.

The core knows no translations; it marks the texts that pages show, and here they are translated. A text
without a translation stays English in a sentence of its own. Beside the value that it is about, a general
sentence replaces it.
"""

from __future__ import annotations

from typing import Final

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_noop as _

from privacy.catalogue.marker import NAME
from privacy.errors import PrivacyError, filled
from surveys.errors.error import SurveyError, in_sentences, said, shown

UNFORESEEN: Final = (_("%(value)s cannot be used here"), _("mend it, or leave it out"))


def in_words(error: PrivacyError) -> tuple[str, str]:
    """Return message and remedy of a refusal, to be shown beside the value that it is about."""
    if speaks_english() or isinstance(error, SurveyError):
        return error.message, error.remedy
    found = _translated(error, named=False)
    if found is not None:
        return found
    message, remedy = UNFORESEEN
    return said(message, {"value": shown(error.value)}), said(remedy, {})


def sentences(error: PrivacyError) -> str:
    """Write what is wrong and what to do as sentences: "9 are too many. Raise the support." """
    if speaks_english() or isinstance(error, SurveyError):
        return in_sentences(error.message, error.remedy)
    return in_sentences(*(_translated(error, named=True) or (error.message, error.remedy)))


def _translated(error: PrivacyError, *, named: bool) -> tuple[str, str] | None:
    """Return message and remedy in the active language; None where one of them has no translation.

    With `named` the message of a check of any value begins with what the core calls the value.
    """
    message, remedy = error.texts
    bare = message.removeprefix(NAME)
    begin = NAME if named and bare != message else ""
    texts = gettext(bare), gettext(remedy) if remedy else ""
    if texts[0] == bare or (remedy and texts[1] == remedy):
        return None
    return filled(begin + texts[0], error.fields), filled(texts[1], error.fields)


def speaks_english() -> bool:
    """Whether the active language is the one that the core's texts are in."""
    return (get_language() or "en").startswith("en")
