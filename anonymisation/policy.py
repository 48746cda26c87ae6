"""Limits on releases and on questions about them; each comment gives the meaning and the reason."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

# Questions that each person may ask about a release, unless its owner sets another number. A table of results
# needs a few dozen; copying the release needs more.
QUESTIONS_EACH: Final = 100
# Largest number of questions that an owner may allow each person. No one would read a longer log, and someone
# who needs more should get the release itself.
MOST_QUESTIONS_EACH: Final = 10_000
# How long the records of a table are kept if it is not published. The steps take minutes; a day lets someone
# ask a colleague.
LIFETIME: Final = timedelta(days=1)
# Releases that one person may prepare at the same time. Each holds records of people until it is published.
MOST_UNDER_WAY: Final = 5
# Largest number of characters of a typed tree of groups, or of typed beliefs. More should be a file.
LONGEST_TEXT: Final = 200_000
# Largest k that the form accepts. Larger groups say nothing about smaller parts of the people.
MOST_K: Final = 10_000
# Largest l that the form accepts: few columns have more values.
MOST_L: Final = 1000
# Largest weight of a column. A larger one would leave the other columns no part in the choice of groups.
MOST_WEIGHT: Final = 1000
# Percent of the records that a release may leave out. If more are missing, the table describes other people.
MOST_SUPPRESSED: Final = 20
