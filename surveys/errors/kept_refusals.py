"""Why a job failed, kept so that each reader is told in a language of their own.

A worker speaks English; whoever reads its refusal later need not. What is kept is a text that the catalogue
knows and the values in it, or, of a refusal of the core, its code and value. Older rows hold plain text.
"""

from __future__ import annotations

import json
from typing import Any, Final

from django.utils.translation import gettext

from privacy.errors import PrivacyError
from surveys.errors.core_refusals import sentences

_BEGINNING: Final = '{"code":'


class Told(str):
    """A sentence said in the language of now, that can be said again in another.

    Parameters
    ----------
    text : str
        In English, marked for the catalogue by ``gettext_noop``.
    **values : str or int
        What its places are filled with.

    Examples
    --------
    >>> Told("Results are shown from %(least)s protected answers on.", least=100)
    'Results are shown from 100 protected answers on.'
    """

    text: str
    values: dict[str, str | int]

    def __new__(cls, text: str, **values: str | int) -> Told:
        """Say it now."""
        told = super().__new__(cls, gettext(text) % values)
        told.text, told.values = text, values
        return told


def refusal_kept(refusal: PrivacyError) -> str:
    """Return what is stored of a refusal."""
    kept = {
        "code": refusal.code,
        "value": refusal.value,
        "message": _kept(refusal.message),
        "remedy": _kept(refusal.remedy),
    }
    return json.dumps(kept, default=repr)


def refusal_said(stored: str) -> str:
    """Say what was stored, as sentences in the language of now."""
    if not stored.startswith(_BEGINNING):
        return gettext(stored) if stored else ""
    kept = json.loads(stored)
    return sentences(PrivacyError(kept["code"], _said(kept["message"]), kept["value"], _said(kept["remedy"])))


def _kept(sentence: str) -> str | dict[str, Any]:
    return {"text": sentence.text, "values": sentence.values} if isinstance(sentence, Told) else sentence


def _said(kept: str | dict[str, Any]) -> str:
    return kept if isinstance(kept, str) else Told(kept["text"], **kept["values"])
