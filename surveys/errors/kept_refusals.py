"""Stored errors of jobs, which each reader reads in their own language.

A worker speaks English; the reader of its refusal may not. What is kept is a text that the catalogue knows
and the values in it, or, of a refusal of the core, its code and value. Older rows hold plain text.
"""

from __future__ import annotations

import json
from typing import Any, Final

from django.utils.translation import gettext

from privacy.errors import PrivacyError
from surveys.errors.catalogue import WORDS
from surveys.errors.core_refusals import sentences_of_core
from surveys.errors.error import SurveyError, in_sentences, said

_BEGINNING: Final = '{"code":'


def refusal_kept(refusal: PrivacyError) -> str:
    """Return the stored form of an error."""
    kept = {"code": refusal.code, "value": refusal.value}
    if isinstance(refusal, SurveyError):
        message, remedy = ({"text": text, "values": refusal.fields} for text in WORDS[refusal.case])
        return json.dumps({**kept, "message": message, "remedy": remedy}, default=repr)
    return json.dumps({**kept, "message": refusal.message, "remedy": refusal.remedy}, default=repr)


def refusal_said(stored: str) -> str:
    """Return a stored error as sentences in the current language."""
    if not stored.startswith(_BEGINNING):
        return gettext(stored) if stored else ""
    kept = json.loads(stored)
    message, remedy = kept["message"], kept["remedy"]
    if isinstance(message, str) and isinstance(remedy, str):
        return sentences_of_core(kept["code"], kept["value"], message, remedy)
    return in_sentences(_said(message), _said(remedy))


def _said(kept: str | dict[str, Any]) -> str:
    return kept if isinstance(kept, str) else said(kept["text"], kept["values"])
