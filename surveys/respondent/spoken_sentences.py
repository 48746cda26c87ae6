"""Sottovoce's sentences in a survey's own words: corrections, or all of a language that Sottovoce lacks."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from django.conf import settings
from django.utils.translation import ngettext, override, to_locale, trans_real

from surveys.questionnaire.formality import FORMALITY, formality_in, other_form
from surveys.questionnaire.languages import has_catalogue, respondent_languages
from surveys.questionnaire.own_sentences import (
    FORMAT,
    SENTENCES,
    sentences_in,
    text_language,
)
from surveys.questionnaire.promise_words import promise_texts
from surveys.respondent.plurals import COUNTS, USUAL
from surveys.respondent.texts import instead_texts, texts_by_part

_active: Final[Any] = vars(trans_real)["_active"]
"""Django's translation in use, by thread; `speaking` puts a survey's own sentences before it."""
_CONTEXT: Final = "\x04"
"""Between the context and the text of a message, in compiled catalogues."""
_SKIPS: Final = (
    "skip",
    "block_skip",
    "block_skip_all",
    "scale_may_skip",
    "scale_skip",
    "line_all",
    "seal_protected",
)
"""Keys of the sentences on skips and sending without which no one consents to anything."""


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """A sentence that respondents read, or one plural form of it.

    Attributes
    ----------
    key : str
        Its name in the sheet: 12 hexadecimal digits of its English text, and the category of a plural form.
    message : str
        Key of the English message in catalogues.
    english : str
    category : str
        Category of a plural form, such as "few"; "other" for the general one, empty without forms.
    note : str
        Where it appears, and what its placeholders stand for.
    """

    key: str
    message: str
    english: str
    category: str = ""
    note: str = ""


def _key(message: str, category: str) -> str:
    name = hashlib.sha256(message.encode()).hexdigest()[:12]
    return f"{name}.{category}" if category else name


def _counts(tag: str) -> Mapping[str, int]:
    """Return one count of each plural category of a language."""
    return COUNTS.get(tag.partition("-")[0], USUAL)


@lru_cache(maxsize=1)
def _messages() -> tuple[tuple[str, str, str], ...]:
    """Return message, plural (or an empty text) and note of all sentences that respondents read."""
    # Only pages of staff need it.
    import polib

    (folder,) = settings.LOCALE_PATHS
    further = next(tag for tag in respondent_languages() if tag not in dict(settings.LANGUAGES))
    path = folder / to_locale(further) / "LC_MESSAGES" / "django"
    source = path.with_suffix(".po")
    file = polib.pofile(str(source)) if source.exists() else polib.mofile(str(path.with_suffix(".mo")))
    return tuple(
        (
            f"{entry.msgctxt}{_CONTEXT}{entry.msgid}" if entry.msgctxt else entry.msgid,
            entry.msgid_plural,
            entry.comment,
        )
        for entry in file
    )


def sentences_of(tag: str) -> Iterator[Sentence]:
    """Yield every sentence that respondents read, in the forms that a language has."""
    for message, plural, note in _messages():
        single = message.rpartition(_CONTEXT)[2]
        if len(single.strip()) < 2:
            # Signs of lists and numbers: a spreadsheet would lose the blanks that matter in them.
            continue
        if not plural:
            yield Sentence(key=_key(message, ""), message=message, english=single, note=note)
            continue
        for category in _counts(tag):
            name = category or "other"
            english = single if category == "one" else plural
            yield Sentence(
                key=_key(message, name), message=message, english=english, category=name, note=note
            )


class _Corrected:
    """A catalogue with a survey's own sentences before the shipped ones."""

    def __init__(self, shipped: Any, own: Mapping[str, str], tag: str) -> None:
        self._shipped, self._own, self._tag = shipped, own, tag

    def language(self) -> str:
        return self._tag

    def to_language(self) -> str:
        return self._tag

    def gettext(self, message: str) -> str:
        return self._own.get(_key(message, "")) or str(self._shipped.gettext(message))

    def ngettext(self, one: str, other: str, count: int) -> str:
        shipped = str(self._shipped.ngettext(one, other, count))
        for category, sample in _counts(self._tag).items():
            if self._shipped.ngettext(one, other, sample) == shipped:
                return self._own.get(_key(one, category or "other")) or shipped
        return shipped


@contextmanager
def speaking(wording: Mapping[str, Any], tag: str) -> Iterator[str]:
    """Speak in one language of a survey, in its form of address and with its own sentences.

    The context is the texts' language.
    """
    own, language = sentences_in(wording, tag), text_language(wording, tag)
    with override(language):
        if formality_in(wording, tag):
            _active.value = _Corrected(_in_other_form(_active.value, tag), {}, language)
        if own:
            _active.value = _Corrected(_active.value, own["sentences"], language)
        yield language


def _in_other_form(shipped: Any, tag: str) -> Any:
    """Return the sentences of a language in its other form of address."""
    spoken = copy.copy(other_form(tag))
    spoken.add_fallback(shipped)
    return spoken


def now_in(wording: Mapping[str, Any], tag: str) -> list[tuple[Sentence, str]]:
    """Return each sentence with its present text in a language; empty where Sottovoce has none."""
    own = sentences_in(wording, tag).get("sentences", {})
    found = []
    for sentence in sentences_of(tag):
        text = own.get(sentence.key, "")
        if not text and has_catalogue(tag):
            with speaking(_formed(wording, tag), tag):
                text = _shipped(sentence, tag)
        found.append((sentence, text))
    return found


def _formed(wording: Mapping[str, Any], tag: str) -> dict[str, Any]:
    """Return a wording with the form of address alone, without its own sentences."""
    form = formality_in(wording, tag)
    return {FORMALITY: {tag: form}} if form else {}


def _shipped(sentence: Sentence, tag: str) -> str:
    if not sentence.category:
        return str(_active.value.gettext(sentence.message))
    other = next(plural for message, plural, _note in _messages() if message == sentence.message)
    category = "" if sentence.category == "other" else sentence.category
    return ngettext(sentence.message, other, _counts(tag)[category])


def stated_sentences(
    texts: Mapping[str, str], tag: str, wording: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return sentences with the client's texts by key, and how many on promise and skips are missing.

    Parameters
    ----------
    texts : mapping
        Sentences by the keys of the sheet.
    tag : str
    wording : mapping, optional
        Wording or draft, which may state a form of address.
    """
    own = {"sentences": dict(texts), "texts": {}, "instead": {}, "lacks": 0}
    formed = _formed(wording or {}, tag)
    with speaking(formed, tag):
        plain, plain_instead = _by_key(), instead_texts()
    with speaking({**formed, SENTENCES: {"format": FORMAT, "languages": {tag: own}}}, tag):
        said, instead = _by_key(), instead_texts()
    own["texts"] = {key: text for key, text in said.items() if plain.get(key) != text}
    own["instead"] = {
        kind: changed
        for kind, kept in instead.items()
        if (changed := {key: text for key, text in kept.items() if plain_instead[kind].get(key) != text})
    }
    own["lacks"] = 0 if has_catalogue(tag) else sum(key not in texts for key in _essential())
    return own


def _by_key() -> dict[str, str]:
    return {key: text for texts in texts_by_part().values() for key, text in texts.items()}


def _essential() -> set[str]:
    """Return the keys of the sentences on the promise, on skips and on sending."""
    with override(settings.LANGUAGE_CODE):
        texts = _by_key()
        wanted = {*promise_texts().values(), *(texts[key] for key in _SKIPS)}
    return {_key(message, "") for message, plural, _note in _messages() if not plural and message in wanted}
