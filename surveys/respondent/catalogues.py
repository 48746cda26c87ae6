"""Which of Sottovoce's sentences respondents read in a language, and which native speakers have read them.

The catalogue of each language that only respondents read states its readers in its head (``X-Read-By``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from django.conf import settings
from django.utils.translation import to_locale

from surveys.questionnaire.languages import Language, language_of, respondent_language

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
    """

    language: Language
    is_missing: bool = False
    readers: str = ""
    sentences: tuple[tuple[str, str], ...] = ()


def readings(tags: Iterable[str]) -> tuple[Reading, ...]:
    """Return a reading for each language of a survey, except those of the interface."""
    return tuple(_reading(tag) for tag in tags if tag not in dict(settings.LANGUAGES))


def _reading(tag: str) -> Reading:
    own, language = respondent_language(tag), language_of(tag)
    if own in dict(settings.LANGUAGES):
        return Reading(language=language, is_missing=not tag.startswith(own))
    readers, sentences = _catalogue(own)
    is_read = readers != NOBODY
    return Reading(
        language=language, readers=readers if is_read else "", sentences=() if is_read else sentences
    )


@lru_cache(maxsize=32)
def _catalogue(tag: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the readers of a language's catalogue, and its sentences beside the English ones."""
    # Only pages of staff need it.
    import polib

    (folder,) = settings.LOCALE_PATHS
    file = polib.mofile(str(folder / to_locale(tag) / "LC_MESSAGES" / "django.mo"))

    def pairs() -> Iterator[tuple[str, str]]:
        for entry in file:
            if entry.msgid_plural:
                yield entry.msgid_plural, " / ".join(dict.fromkeys(entry.msgstr_plural.values()))
            elif len(entry.msgid.strip()) > 1:
                yield entry.msgid, entry.msgstr

    return file.metadata.get("X-Read-By", NOBODY), tuple(sorted(pairs(), key=lambda pair: -len(pair[0])))
