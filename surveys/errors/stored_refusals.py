"""Refusals as the database stores them."""

from __future__ import annotations

import json
from typing import Any, Final

from django.utils.translation import gettext

from privacy.catalogue import WORDS as CORE_WORDS
from privacy.errors import PrivacyError
from surveys.errors.error import SurveyError, in_sentences, message_text, sentences, speaks_english

_BEGINNING: Final = '{"code":'


def refusal_json(error: PrivacyError) -> str:
    """Serialise an error for the database."""
    record: dict[str, Any] = {"code": error.code, "value": error.value}
    if isinstance(error, SurveyError):
        message, remedy = ({"text": text, "values": error.fields} for text in error.texts)
        return json.dumps({**record, "message": message, "remedy": remedy}, default=repr)
    record |= {"message": error.message, "remedy": error.remedy}
    record |= {"case": error.case, "advice": error.advice, "fields": error.fields}
    return json.dumps(record, default=repr)


def refusal_record(text: str) -> dict[str, Any] | None:
    """Return the members of a stored error; None if the text is not the output of `refusal_json`."""
    record: dict[str, Any] | None = json.loads(text) if text.startswith(_BEGINNING) else None
    return record


def refusal_text(text: str) -> str:
    """Return a stored error as sentences in the active language."""
    record = refusal_record(text)
    if record is None:
        return gettext(text) if text else ""
    if record.get("case") in CORE_WORDS and not speaks_english():
        advice = record["advice"]
        return sentences(PrivacyError(record["case"], code=record["code"], advice=advice, **record["fields"]))
    return in_sentences(_record_text(record["message"]), _record_text(record["remedy"]))


def _record_text(record: str | dict[str, Any]) -> str:
    return record if isinstance(record, str) else message_text(record["text"], record["values"])
