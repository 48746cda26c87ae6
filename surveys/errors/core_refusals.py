"""Errors of the core, in the language of the page.

The core speaks English and knows no translations. Where the page speaks English its sentences are shown as
they are; elsewhere the code of a refusal chooses a sentence, and the place beside it says the rest. Where
no place stands beside it, as below a file that was sent, its case chooses one with the fields of the English.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.translation import get_language

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from surveys.errors.catalogue import core
from surveys.errors.error import SurveyError, in_sentences, said, shown


def in_words(error: PrivacyError) -> tuple[str, str]:
    """Return message and remedy of a refusal."""
    if _speaks_english() or isinstance(error, SurveyError):
        return error.message, error.remedy
    message, remedy = core.CASES.get(error.case) or core.WORDS.get(error.code, core.UNFORESEEN)
    fields = {name: _shown(value) for name, value in error.fields.items()}
    return _filled(message, error.value, fields), _filled(remedy, error.value, fields)


def sentences(error: PrivacyError) -> str:
    """Write what is wrong and what to do as sentences: "9 are too many. Raise the support." """
    if isinstance(error, SurveyError):
        return in_sentences(error.message, error.remedy)
    if error.case in core.CASES and not _speaks_english():
        return in_sentences(*in_words(error))
    return sentences_of_core(error.code, error.value, error.message, error.remedy)


def sentences_of_core(code: str, value: object, message: str, remedy: str) -> str:
    """Write a refusal of the core, given the English it was raised with, as sentences of the page."""
    if code in core.WORDS and not _speaks_english():
        message, remedy = (_filled(text, value) for text in core.WORDS[code])
    return in_sentences(message, remedy)


def _speaks_english() -> bool:
    return (get_language() or "en").startswith("en")


def _filled(text: str, value: object, fields: Mapping[str, object] = MappingProxyType({})) -> str:
    return said(text, {"scale": SCALE, **fields, "value": shown(value)})


def _shown(value: object) -> object:
    """Return a field as its sentence holds it: words and figures bare, all else as a document spells it."""
    return value if isinstance(value, (str, int, float)) else shown(value)
