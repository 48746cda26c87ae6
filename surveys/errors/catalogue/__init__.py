"""The messages and remedies of every error, in English, marked for translation where pages show them.

A case is a code, or a code and what tells it from others of that code after a dot: ``too_few.one``. Programs
read the code, people the words; what stands in ``%(...)s`` is given where the refusal is raised.
"""

from __future__ import annotations

from collections import ChainMap
from typing import Final

from surveys.errors.catalogue import analysis, authoring, server
from surveys.extension import extensions

_PARTS: Final = (analysis, authoring, server)

WORDS: Final = {case: words for part in _PARTS for case, words in part.WORDS.items()}
STATUS: Final = {case: status for part in _PARTS for case, status in part.STATUS.items()}
"""HTTP statuses of the cases that are answered with another one than `UNPROCESSABLE`."""

UNPROCESSABLE: Final = 422


def words_of(case: str) -> tuple[str, str]:
    """Return message and remedy of a case, of this catalogue or of an application that is on."""
    return ChainMap(WORDS, *(dict(app.refusals) for app in extensions()))[case]


def status_of(case: str) -> int:
    """Return the HTTP status that a case is answered with."""
    return ChainMap(STATUS, *(dict(app.statuses) for app in extensions())).get(case, UNPROCESSABLE)
