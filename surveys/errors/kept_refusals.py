"""Stored errors of jobs, which each reader reads in their own language.

A worker speaks English; the reader of its refusal may not. What is kept is a text that the catalogue knows
and the values in it, or, of a refusal of the core, its case and fields beside the English. Older rows hold
plain text.
"""

from __future__ import annotations

import json
from typing import Any, Final

from django.utils.translation import gettext

from privacy.catalogue import WORDS
from privacy.errors import PrivacyError
from surveys.errors.core_refusals import sentences, speaks_english
from surveys.errors.error import SurveyError, in_sentences, said

_BEGINNING: Final = '{"code":'


def refusal_kept(error: PrivacyError) -> str:
    """Return the stored form of an error."""
    record: dict[str, Any] = {"code": error.code, "value": error.value}
    if isinstance(error, SurveyError):
        message, remedy = ({"text": text, "values": error.fields} for text in error.texts)
        return json.dumps({**record, "message": message, "remedy": remedy}, default=repr)
    record |= {"message": error.message, "remedy": error.remedy}
    record |= {"case": error.case, "advice": error.advice, "fields": error.fields}
    return json.dumps(record, default=repr)


def refusal_said(stored: str) -> str:
    """Return a stored error as sentences in the current language."""
    if not stored.startswith(_BEGINNING):
        return gettext(stored) if stored else ""
    record = json.loads(stored)
    if record.get("case") in WORDS and not speaks_english():
        advice = record["advice"]
        return sentences(PrivacyError(record["case"], code=record["code"], advice=advice, **record["fields"]))
    return in_sentences(_said(record["message"]), _said(record["remedy"]))


def _said(record: str | dict[str, Any]) -> str:
    return record if isinstance(record, str) else said(record["text"], record["values"])
