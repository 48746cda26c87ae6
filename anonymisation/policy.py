"""Limits on releases and on questions about them; each comment gives the meaning and the reason."""

from __future__ import annotations

from typing import Final

# Questions that each person may ask about a release, unless its owner sets another number. A table of results
# needs a few dozen; copying the release needs more.
QUESTIONS_EACH: Final = 100
# Largest number of questions that an owner may allow each person. No one would read a longer log, and someone
# who needs more should get the release itself.
MOST_QUESTIONS_EACH: Final = 10_000
