"""Message and remedy of every error, in English, marked for translation if pages show them.

A case is a code, or a code with a suffix: ``too_few.one``. Programs read the code, people the words. The code
that raises an error supplies the values of ``%(...)s``.
"""

from __future__ import annotations

from collections import ChainMap
from typing import Final

from surveys.errors.catalogue import pages, programs
from surveys.extension import extensions

_PARTS: Final = (pages, programs)

WORDS: Final = {case: words for part in _PARTS for case, words in part.WORDS.items()}
STATUS: Final = {case: status for part in _PARTS for case, status in part.STATUS.items()}
"""HTTP statuses of cases other than `UNPROCESSABLE`."""

UNPROCESSABLE: Final = 422


def words_of(case: str) -> tuple[str, str]:
    """Return message and remedy of a case, from this catalogue or that of an enabled application."""
    return ChainMap(WORDS, *(dict(app.refusals) for app in extensions()))[case]


def status_of(case: str) -> int:
    """Return the HTTP status of a case."""
    return ChainMap(STATUS, *(dict(app.statuses) for app in extensions())).get(case, UNPROCESSABLE)
