"""The error that services raise, with its message in the reader's language.

The English messages and remedies are in `surveys.errors.pages` and `fields`, marked for translation, and in
`surveys.errors.programs`. The key of an entry is a case: a code, or a code with a suffix, such as
``too_few.one``. Programs use the code, people read the message, and browsers get the HTTP status at the end
of the entry. The code that raises an error supplies the values of ``%(...)s``.
"""

from __future__ import annotations

import json
import re
from collections import ChainMap
from collections.abc import Mapping
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.utils.translation import get_language, gettext, pgettext
from django.utils.translation import gettext_noop as _

from privacy.catalogue import WORDS as CORE_WORDS
from privacy.catalogue.survey import NAME
from privacy.errors import PrivacyError
from privacy.filled_text import fill_fields
from surveys.errors import fields, one_answers, pages, programs, sheets
from surveys.errors.typed_commands import as_typed
from surveys.extension import Refusal, extensions

WORDS: Final = fields.WORDS | one_answers.WORDS | pages.WORDS | programs.WORDS | sheets.WORDS

UNPROCESSABLE: Final = 422
"""HTTP status of entries that state none."""

_AS_WRITTEN: Final = re.compile(r"[b-z] = |\w+[./_]\w")
"""Matches sentences that begin with a parameter such as p, or with a file name; these are not capitalised."""


class SurveyError(PrivacyError):
    """Error of a service, with its message in the reader's language.

    Parameters
    ----------
    case : str
        Key of its entry in the catalogue: a code, or a code and a suffix after a dot.
    value : object
        The offending value.
    **fields : object
        Other values for the message; ``retry_after`` in seconds, if the same request may succeed later.

    Examples
    --------
    >>> SurveyError("regression.cells", cells=9, most=4).message
    'The unprotected questions have 9 combinations of answers.'
    """

    @property
    def texts(self) -> tuple[str, str]:
        """Message and remedy in English, with placeholders for the fields."""
        message, remedy = self._entry[:2]
        return message, remedy

    @property
    def _entry(self) -> Refusal:
        return ChainMap(WORDS, *(dict(app.refusals) for app in extensions()), CORE_WORDS)[self.case]

    @property
    def message(self) -> str:
        """The problem, in the active language."""
        return message_text(self.texts[0], self.fields)

    @property
    def remedy(self) -> str:
        """The remedy, in the active language; empty if the message already contains it."""
        return message_text(self.texts[1], self.fields)

    @property
    def status(self) -> int:
        """The HTTP status of the response."""
        entry = self._entry
        return entry[2] if len(entry) == 3 else UNPROCESSABLE

    @property
    def retry_after(self) -> int | None:
        """Seconds until the same request may succeed; None if it would fail again."""
        seconds = self.fields.get("retry_after")
        return seconds if isinstance(seconds, int) else None


def message_text(text: str, fields: Mapping[str, object]) -> str:
    """Translate a text of the catalogue and fill in its fields.

    >>> message_text("more than %(most)s are 40% of all", {"most": 3})
    'more than 3 are 40% of all'
    """
    return fill_fields(as_typed(gettext(text)), fields, counts=None) if text else ""


def field_error(case: str, **fields: Any) -> ValidationError:
    """Return a form field's error with the message of a case."""
    error = SurveyError(case, **fields)
    return ValidationError(error.message, code=error.code)


def refusal(case: str, *, returncode: int = 1, **fields: Any) -> CommandError:
    """Return a command's error with the message of a case.

    >>> refusal("option.account", name="ann")
    CommandError("There is no account 'ann'.")
    """
    error = SurveyError(case, **fields)
    return CommandError(in_sentences(error.message, error.remedy), returncode=returncode)


def in_sentences(*parts: str) -> str:
    """Write each part as a sentence, punctuated as in the active language.

    >>> in_sentences("9 are too many", "raise the support.")
    '9 are too many. Raise the support.'
    >>> in_sentences("p = 0 carries no information", "choose p > 0")
    'p = 0 carries no information. Choose p > 0.'
    >>> in_sentences("list.csv, line 3 has 2 cells", "give 3")
    'list.csv, line 3 has 2 cells. Give 3.'
    """
    stop = pgettext("between two sentences", ". ")
    bare = (part.strip().rstrip(".。") for part in parts if part)
    texts = (part if _AS_WRITTEN.match(part) else part[:1].upper() + part[1:] for part in bare)
    return "".join(part + stop for part in texts).rstrip()


_LONGEST_VALUE: Final = 60


def short_json(value: object) -> str:
    """Return a value as JSON, shortened for messages."""
    # Show a lone surrogate as its escape: JSON can spell it, but no terminal can display it.
    text = json.dumps(value, ensure_ascii=False, default=repr).encode("utf-8", "backslashreplace").decode()
    if len(text) <= _LONGEST_VALUE:
        return text
    closing = '"' if isinstance(value, str) else ""
    return f"{text[:_LONGEST_VALUE]}...{closing}"


UNFORESEEN: Final = (_("%(value)s cannot be used here"), _("correct it, or leave it out"))


def in_words(error: PrivacyError) -> tuple[str, str]:
    """Return message and remedy of an error, for display next to the value."""
    if speaks_english() or isinstance(error, SurveyError):
        return error.message, error.remedy
    found = _translation(error, named=False)
    if found is not None:
        return found
    message, remedy = UNFORESEEN
    return message_text(message, {"value": short_json(error.value)}), message_text(remedy, {})


def sentences(error: PrivacyError) -> str:
    """Return message and remedy as sentences: "9 are too many. Raise the support." """
    if speaks_english() or isinstance(error, SurveyError):
        return in_sentences(error.message, error.remedy)
    return in_sentences(*(_translation(error, named=True) or (error.message, error.remedy)))


def _translation(error: PrivacyError, *, named: bool) -> tuple[str, str] | None:
    """Return message and remedy in the active language; None if either has no translation.

    With `named`, the message of a general check begins with the core's name for the value.
    """
    message, remedy = error.texts
    bare = message.removeprefix(NAME)
    begin = NAME if named and bare != message else ""
    texts = gettext(bare), gettext(remedy) if remedy else ""
    if texts[0] == bare or (remedy and texts[1] == remedy):
        return None
    filled = [fill_fields(text, error.fields, counts=error.counted) for text in (begin + texts[0], texts[1])]
    return filled[0], filled[1]


def speaks_english() -> bool:
    """Return whether the active language is English, the core's language."""
    return (get_language() or "en").startswith("en")
