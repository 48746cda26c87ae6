"""Speak in a language of a survey: in its form of address and with its own sentences."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from django.utils.translation import override, trans_real

from surveys.questionnaire.formality import formality_in, other_form
from surveys.questionnaire.own_sentences import (
    sentences_in,
    text_language,
)
from surveys.respondent.plurals import COUNTS, USUAL

TRANSLATION_IN_USE: Final[Any] = vars(trans_real)["_active"]
"""Django's translation in use, by thread; `speaking` puts a survey's own sentences before it."""


def sentence_key(message: str, category: str) -> str:
    """Return the name of a sentence, or of one of its plural forms, in the sheet and in wordings."""
    name = hashlib.sha256(message.encode()).hexdigest()[:12]
    return f"{name}.{category}" if category else name


def counts_by_category(tag: str) -> Mapping[str, int]:
    """Return one count of each plural category of a language."""
    return COUNTS.get(tag.partition("-")[0], USUAL)


class _Corrected:
    """A catalogue with a survey's own sentences before the shipped ones."""

    def __init__(self, shipped: Any, own: Mapping[str, str], tag: str) -> None:
        self._shipped, self._own, self._tag = shipped, own, tag

    def language(self) -> str:
        return self._tag

    def to_language(self) -> str:
        return self._tag

    def gettext(self, message: str) -> str:
        return self._own.get(sentence_key(message, "")) or str(self._shipped.gettext(message))

    def ngettext(self, one: str, other: str, count: int) -> str:
        shipped = str(self._shipped.ngettext(one, other, count))
        for category, sample in counts_by_category(self._tag).items():
            if self._shipped.ngettext(one, other, sample) == shipped:
                return self._own.get(sentence_key(one, category or "other")) or shipped
        return shipped


@contextmanager
def speaking(wording: Mapping[str, Any], tag: str) -> Iterator[str]:
    """Speak in one language of a survey, in its form of address and with its own sentences.

    The context is the texts' language.
    """
    own, language = sentences_in(wording, tag), text_language(wording, tag)
    with override(language):
        if formality_in(wording, tag):
            TRANSLATION_IN_USE.value = _Corrected(_in_other_form(TRANSLATION_IN_USE.value, tag), {}, language)
        if own:
            TRANSLATION_IN_USE.value = _Corrected(TRANSLATION_IN_USE.value, own["sentences"], language)
        yield language


def _in_other_form(shipped: Any, tag: str) -> Any:
    """Return the sentences of a language in its other form of address."""
    spoken = copy.copy(other_form(tag))
    spoken.add_fallback(shipped)
    return spoken
