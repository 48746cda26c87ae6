"""All numbers that decide about publishing and refusing releases, in one table.

`TABLE` has the meaning and the reason of each, as in `privacy.policy`, which has the numbers that the core
reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from privacy.policy import Decision, decision

QUESTIONS_EACH: Final = 100
MOST_QUESTIONS_EACH: Final = 10_000

TABLE: Final[Mapping[str, Decision]] = {
    "QUESTIONS_EACH": decision(
        "questions that each person may ask of a release, unless its owner sets another number",
        "a table of results needs a few dozen; copying the release needs more",
    ),
    "MOST_QUESTIONS_EACH": decision(
        "highest number of questions that an owner may allow each person",
        "no one reads a longer log; someone who needs more should get the release itself",
    ),
}
