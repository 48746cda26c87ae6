"""Which of Sottovoce's sentences respondents read in a language, and which native speakers have read them.

The catalogue of each language that only respondents read states its readers in its head (``X-Read-By``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from django.conf import settings
from django.utils.translation import to_locale

from surveys.questionnaire.formality import formality_in
from surveys.questionnaire.languages import Language, has_catalogue, language_of, respondent_language
from surveys.questionnaire.own_sentences import PASSED, READERS, SENTENCES, sentences_in

NOBODY: Final = "nobody"
"""Stands for the readers of a catalogue that no native speaker has read."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How Sottovoce's sentences read in one language of a survey.

    Attributes
    ----------
    language : Language
        Language of the survey.
    is_missing : bool
        Whether there are no sentences in it, so that respondents read them in English.
    readers : str
        Native speakers who have read all sentences; empty if none has.
    sentences : tuple of (str, str)
        Each sentence in English and in the language, if no native speaker has read them.
    checked, passed : int
        For this survey, people who have read all sentences, and others who answered both questions on
        understanding correctly.
    own : int
        Sentences that the survey's team wrote.
    """

    language: Language
    is_missing: bool = False
    readers: str = ""
    sentences: tuple[tuple[str, str], ...] = ()
    checked: int = 0
    passed: int = 0
    own: int = 0

    @property
    def is_supported(self) -> bool:
        """Whether enough people have read the sentences and passed the questions; else it is a draft."""
        return self.checked >= READERS and self.passed >= PASSED


def readings(tags: Iterable[str], document: Mapping[str, Any]) -> tuple[Reading, ...]:
    """Return a reading for each language of a survey, except those of the interface.

    Parameters
    ----------
    tags : iterable of str
    document : mapping
        The draft, whose team may have corrected sentences and had them read.
    """
    checks = (document.get(SENTENCES) or {}).get("checks", {})
    return tuple(
        replace(
            _reading(
                tag,
                formality_in(document, tag),
                is_missing=not (has_catalogue(tag) or sentences_in(document, tag)),
            ),
            checked=checks.get(tag, {}).get("readers", 0),
            passed=checks.get(tag, {}).get("passed", 0),
            own=len(sentences_in(document, tag).get("sentences", ())),
        )
        for tag in tags
        if tag not in dict(settings.LANGUAGES)
    )


def _reading(tag: str, form: str, *, is_missing: bool) -> Reading:
    own, language = respondent_language(tag), language_of(tag)
    if own in dict(settings.LANGUAGES):
        return Reading(language=language, is_missing=is_missing)
    readers, sentences = _catalogue(own, "django")
    if form:
        # What differs in the other form of address replaces the first one, and needs readers of its own.
        readers, other = _catalogue(own, form)
        sentences = tuple({**dict(sentences), **dict(other)}.items())
    is_read = readers != NOBODY
    return Reading(
        language=language, readers=readers if is_read else "", sentences=() if is_read else sentences
    )


@lru_cache(maxsize=64)
def _catalogue(tag: str, name: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the readers of a language's catalogue, and its sentences beside the English ones."""
    # Only pages of staff need it.
    import polib

    (folder,) = settings.LOCALE_PATHS
    file = polib.mofile(str(folder / to_locale(tag) / "LC_MESSAGES" / f"{name}.mo"))

    def pairs() -> Iterator[tuple[str, str]]:
        for entry in file:
            if entry.msgid_plural:
                yield entry.msgid_plural, " / ".join(dict.fromkeys(entry.msgstr_plural.values()))
            elif len(entry.msgid.strip()) > 1:
                yield entry.msgid, entry.msgstr

    return file.metadata.get("X-Read-By", NOBODY), tuple(sorted(pairs(), key=lambda pair: -len(pair[0])))
