"""Table of every number by which the server decides to publish, refuse or warn.

`TABLE` has the meaning and the reason of each, as in `privacy.policy`, which has the numbers that the core
reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from privacy.policy import Decision, decision

# Publishing answers.
LEAST_BATCH_ROWS: Final = 50
LEAST_PROTECTED: Final = 100
LEAST_DIRECT: Final = 50
LEAST_PROFILE: Final = 10
ROUNDED_TO: Final = 10
LEAST_WITH_AN_ERROR: Final = 2

# Designs before they are published.
EPSILON_WARN_BLOCK: Final = 3
EPSILON_REFUSE_BLOCK: Final = 6
EPSILON_WARN_SURVEY: Final = 3
EPSILON_REFUSE_SURVEY: Final = 6
EPSILON_REFUSE_LIGHT: Final = 8
ODDS_WARN: Final = 9
ODDS_REFUSE: Final = 99
MOST_DRAWN_DIRECT: Final = 5_000
MOST_REIDENTIFIED: Final = 0.2
MOST_COMPARED: Final = 300
UNIQUE_AMONG: Final = 1_000
MOST_UNIQUE: Final = 0.05
MOST_OWN: Final = 0.1
USELESS_POWER: Final = 0.3

# Logging in.
MOST_OF_NAME_AT_ADDRESS: Final = 5
MOST_OF_ADDRESS: Final = 20
MOST_OF_NAME: Final = 50
FLOOD: Final = 100
LOCKED_OUT_MINUTES: Final = 15
MOST_OF_CODES: Final = 10
CODES_LOCKED_OUT_HOURS: Final = 24
MOST_DAYS_UNVOUCHED: Final = 30

TABLE: Final[Mapping[str, Decision]] = {
    "LEAST_BATCH_ROWS": decision(
        "rows that are shuffled into one batch, and by which two snapshots differ",
        "fewer could be matched to the receipts that came with them",
    ),
    "LEAST_PROTECTED": decision(
        "protected answers below which nothing of them is published",
        "an estimate of fewer says little, and a handful of rows can be somebody's",
    ),
    "LEAST_DIRECT": decision(
        "rows of the direct group from which on the two groups are told apart",
        "an estimate from fewer says little",
    ),
    "LEAST_PROFILE": decision(
        "rows that share each combination of answers to unprotected questions which are told together",
        "unprotected answers are sent as they are; one share less another must not come down to a few people",
    ),
    "ROUNDED_TO": decision(
        "what counts of what came are rounded to while more can come in",
        "two looks at a count must not show one arrival",
    ),
    "LEAST_WITH_AN_ERROR": decision(
        "answers to a number or a place in a practice survey that have a result",
        "one row says nothing of how far off it is",
    ),
    "EPSILON_WARN_BLOCK": decision(
        "epsilon of a part above which publishing warns",
        "an even chance becomes more than 95 of 100",
    ),
    "EPSILON_REFUSE_BLOCK": decision(
        "epsilon of a part above which publishing needs a written reason",
        "a row is more than 400 times likelier from whom it is true of",
    ),
    "EPSILON_WARN_SURVEY": decision(
        "epsilon of all parts above which publishing warns",
        "what one person tells adds up over the parts",
    ),
    "EPSILON_REFUSE_SURVEY": decision(
        "epsilon of all parts, and waves, above which publishing needs a reason",
        "as of a part: the sum is what somebody learns",
    ),
    "EPSILON_REFUSE_LIGHT": decision(
        "epsilon of all parts, lightly disguised, above which publishing needs a reason",
        "an even chance becomes all but a certainty: wrong once in 3,000 times",
    ),
    "ODDS_WARN": decision(
        "odds of one answer to a part of several questions above which publishing warns",
        "an even chance becomes more than 90 of 100 by a single answer, whatever the row as a whole tells",
    ),
    "ODDS_REFUSE": decision(
        "odds of one answer to a part of several questions above which publishing needs a written reason",
        "an even chance becomes more than 99 of 100: whoever was asked that question has as good as said it",
    ),
    "MOST_DRAWN_DIRECT": decision(
        "ten-thousandths drawn to answer directly above which publishing warns",
        "a survey that says disguised is mostly not",
    ),
    "MOST_REIDENTIFIED": decision(
        "true rows recognised with more than 95% above which publishing warns",
        "epsilon does not show that decoys look unlike answers",
    ),
    "MOST_COMPARED": decision(
        "drawn answers of a survey that are compared with the expected ones",
        "the builder asks while somebody types",
    ),
    "UNIQUE_AMONG": decision(
        "people among whom unprotected answers are looked at before anybody answered",
        "nobody knows beforehand how many will answer",
    ),
    "MOST_UNIQUE": decision(
        "share of them that may stand alone with their unprotected answers without a warning",
        "a few always do; one in twenty can be looked for",
    ),
    "MOST_OWN": decision(
        "share of people who may have a combination of asked questions and unprotected answers of their own",
        "who saw a page knows what was asked on it; a row that can be found has its disguise left, and no "
        "crowd",
    ),
    "USELESS_POWER": decision(
        "chance of finding the wanted difference below which publishing needs a written reason",
        "more than two surveys in three find nothing although there is something",
    ),
    "MOST_OF_NAME_AT_ADDRESS": decision(
        "failed log-ins with one name from one address that keep it out there",
        "typing errors come in threes, guesses in thousands",
    ),
    "MOST_OF_ADDRESS": decision(
        "failed log-ins from one address that keep it out",
        "an office shares one",
    ),
    "MOST_OF_NAME": decision(
        "failed log-ins with one name from anywhere that keep it out",
        "with fewer a stranger could keep its owner out",
    ),
    "FLOOD": decision(
        "failed log-ins of all together from which on an address has few for all names",
        "guesses spread over addresses and names look like typing errors one by one",
    ),
    "LOCKED_OUT_MINUTES": decision(
        "how long who failed too often is kept out",
        "long for a machine that guesses, short for a person",
    ),
    "MOST_OF_CODES": decision(
        "wrong codes of the second step in a row, from anywhere, that keep a name out",
        "who guesses has the password already, and three of a million codes are right",
    ),
    "CODES_LOCKED_OUT_HOURS": decision(
        "how long who typed too many wrong codes is kept out",
        "ten guesses a day find a code with a chance of one in ninety a year",
    ),
    "MOST_DAYS_UNVOUCHED": decision(
        "days after the last log-in on which tokens of an account that the institution logs in still work",
        "nobody here is told that the institution stopped somebody; a holiday should end no program",
    ),
}
