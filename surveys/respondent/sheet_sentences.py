"""Sottovoce's sentences in a survey's own words: corrections, or all of a language that Sottovoce lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from django.conf import settings
from django.utils.translation import ngettext, override, to_locale

from surveys.questionnaire.formality import FORMALITY, formality_in
from surveys.questionnaire.languages import has_catalogue, respondent_languages
from surveys.questionnaire.own_sentences import (
    FORMAT,
    SENTENCES,
    sentences_in,
)
from surveys.questionnaire.promise_words import promise_texts
from surveys.respondent.speaking import TRANSLATION_IN_USE, counts_by_category, sentence_key, speaking
from surveys.respondent.texts import instead_texts, texts_by_part

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
            yield Sentence(key=sentence_key(message, ""), message=message, english=single, note=note)
            continue
        for category in counts_by_category(tag):
            name = category or "other"
            english = single if category == "one" else plural
            yield Sentence(
                key=sentence_key(message, name), message=message, english=english, category=name, note=note
            )


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
        return str(TRANSLATION_IN_USE.value.gettext(sentence.message))
    other = next(plural for message, plural, _note in _messages() if message == sentence.message)
    category = "" if sentence.category == "other" else sentence.category
    return ngettext(sentence.message, other, counts_by_category(tag)[category])


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
    return {
        sentence_key(message, "")
        for message, plural, _note in _messages()
        if not plural and message in wanted
    }
