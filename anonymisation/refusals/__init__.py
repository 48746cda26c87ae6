"""Refusals of releases: their messages and remedies, as in `surveys.errors.catalogue`."""

from __future__ import annotations

from typing import Final

from anonymisation.refusals import deposits, microdata

PARTS: Final = (deposits, microdata)
WORDS: Final = {case: words for part in PARTS for case, words in part.WORDS.items()}
STATUS: Final = deposits.STATUS
