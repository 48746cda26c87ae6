"""Every number of releases that decides what is published, refused or allowed, in one table.

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
        "questions that each person may ask of a deposit, unless its owner says another number",
        "a table of results takes some dozens; copying the deposit by questions takes more",
    ),
    "MOST_QUESTIONS_EACH": decision(
        "questions that an owner may allow each person",
        "a log of more is read by nobody; who needs more is better given the deposit itself",
    ),
}
