"""Texts of a definition: one per language, in every language that the survey has."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _

from surveys.errors.error import shown
from surveys.questionnaire.problems import Problems, joined

MOST_CHARACTERS: Final = 5_000


@dataclass(frozen=True, kw_only=True)
class TextReader:
    """Reads texts by language and notes what is missing.

    Parameters
    ----------
    languages : tuple of str
        The survey's languages: those it states, else those of its title.
    problems : Problems
    """

    languages: tuple[str, ...]
    problems: Problems

    @classmethod
    def for_title(cls, title: object, problems: Problems, *, stated: tuple[str, ...]) -> TextReader:
        """Return the reader of the survey whose title is this, and that is in the `stated` languages.

        Where none are stated, the survey is in those languages of its title that the pages speak.
        """
        if stated:
            reader = cls(languages=stated, problems=problems)
            reader.text(title, "title")
            return reader
        known = [code for code, _name in settings.LANGUAGES]
        languages = (
            tuple(language for language in title if language in known) if isinstance(title, dict) else ()
        )
        if not languages:
            problems.add(
                "title",
                _("%(value)s has no text in a language of the pages") % {"value": shown(title)},
                _("give it one in %(languages)s") % {"languages": _(" or ").join(known)},
            )
        reader = cls(languages=languages, problems=problems)
        if languages:
            reader.text(title, "title")
        return reader

    def text(self, document: object, path: str) -> dict[str, str]:
        """Return the text at `path` by language; note languages that are missing, empty or foreign."""
        if not isinstance(document, dict):
            self.problems.add(
                path,
                _("%(value)s is not a text by language") % {"value": shown(document)},
                _('write {"en": "..."}'),
            )
            return {}
        for language in self.languages:
            if language not in document:
                self.problems.add(
                    joined(path, language), _("the text is missing"), _("write it in this language too")
                )
        for language, text in document.items():
            if language not in self.languages:
                self.problems.add(
                    joined(path, language),
                    _("the survey is not in this language"),
                    _("leave it out, or state it in languages; it is in %(languages)s")
                    % {"languages": ", ".join(self.languages)},
                )
            else:
                self._check(text, joined(path, language))
        return document

    def text_or_none(self, document: object, path: str) -> dict[str, str] | None:
        """Return the text at `path`, or None where there is none."""
        return None if document is None else self.text(document, path)

    def _check(self, text: object, path: str) -> None:
        if not isinstance(text, str) or not text.strip():
            self.problems.add(
                path,
                _("%(value)s is no text") % {"value": shown(text)},
                _("write one"),
            )
        elif len(text) > MOST_CHARACTERS:
            self.problems.add(
                path,
                _("it has %(count)s characters") % {"count": len(text)},
                _("use at most %(most)s") % {"most": MOST_CHARACTERS},
            )
        elif any(unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\n\t" for sign in text):
            self.problems.add(
                path, _("%(text)s holds control characters") % {"text": shown(text)}, _("leave them out")
            )


class AnyTexts(TextReader):
    """Takes whatever stands where a text should be: for reading a design alone."""

    def __init__(self, languages: tuple[str, ...] = ()) -> None:
        super().__init__(languages=languages, problems=Problems())

    def text(self, document: object, path: str) -> dict[str, str]:
        """Return what is there, or nothing."""
        return document if isinstance(document, dict) else {}
