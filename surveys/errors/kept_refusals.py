"""Stored errors of jobs, which each reader reads in their own language.

A worker speaks English; the reader of its refusal may not. What is kept is a text that the catalogue knows
and the values in it, or, of a refusal of the core, its code and value. Older rows hold plain text.
"""

from __future__ import annotations

import json
from typing import Any, Final

from django.utils.translation import gettext

from privacy.errors import PrivacyError
from surveys.errors.catalogue import words_of
from surveys.errors.core_refusals import sentences_of_core
from surveys.errors.error import SurveyError, in_sentences, said

_BEGINNING: Final = '{"code":'


def refusal_kept(error: PrivacyError) -> str:
    """Return the stored form of an error."""
    record = {"code": error.code, "value": error.value}
    if isinstance(error, SurveyError):
        message, remedy = ({"text": text, "values": error.fields} for text in words_of(error.case))
        return json.dumps({**record, "message": message, "remedy": remedy}, default=repr)
    return json.dumps({**record, "message": error.message, "remedy": error.remedy}, default=repr)


def refusal_said(stored: str) -> str:
    """Return a stored error as sentences in the current language."""
    if not stored.startswith(_BEGINNING):
        return gettext(stored) if stored else ""
    record = json.loads(stored)
    message, remedy = record["message"], record["remedy"]
    if isinstance(message, str) and isinstance(remedy, str):
        return sentences_of_core(record["code"], record["value"], message, remedy)
    return in_sentences(_said(message), _said(remedy))


def _said(record: str | dict[str, Any]) -> str:
    return record if isinstance(record, str) else said(record["text"], record["values"])
