"""Thresholds of the core that decide what is published, refused or warned about.

Each is a choice that could be made differently; constants that follow from mathematics are defined where
they are used. `TABLE` documents the meaning of and the reason for each. Each number has a test in
`tests/policy` that fails if it changes by one step; ``python -m benchmarks.mutants`` changes them all.
Numbers used only by the server are in `surveys.policy`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

# Publishing answers.
DRAW_TEST_SIZE: Final = 0.001

# Uncertainty of estimates.
FIT_CHECK_SIZE: Final = 1e-4
FEW_ROWS: Final = 5
FEW_CLUSTERS: Final = 10
SURE_CLUSTERS: Final = 20
RELIABLE_ERRORS: Final = 5.0
LIKELIHOOD_LEAST_DIRECT: Final = 50
LIKELIHOOD_LEAST_EXPECTED: Final = 10
INESTIMABLE_REST: Final = 0.5
SIGNIFICANCE_LEVEL: Final = 0.05
MARGIN_ROUNDING: Final = 0.0015
LEAST_EVENTS_PER_COEFFICIENT: Final = 10
LARGEST_LOGIT: Final = 15
SHARPEST_AT: Final = 1_000

# Designs before they are published.
EPSILON_WARN_LIGHT: Final = 6
MOST_LIGHT_POWER: Final = 2
LEAST_LIGHT_POWER: Final = 1.25
MOST_LIGHT_TRUTH: Final = 9_500
EPSILON_LOWEST: Final = 0.01
EPSILON_HIGHEST: Final = 20.0
LEAST_COMPLETE_ROWS: Final = 100
BORROWING_LEAST_PAIRS: Final = 20
USEFUL_WIDTH: Final = 0.10
USEFUL_DIFFERENCE: Final = 0.30
USEFUL_POWER: Final = 0.8
USELESS_WIDTH: Final = 0.25

LEAST_ARM: Final = 1_000
MOST_ARMS: Final = 6
MOST_ARM_QUESTIONS: Final = 3

# The audit of answers.
AUDIT_LEAST_ROWS: Final = 100
AUDIT_ROWS_PER_PATTERN: Final = 25

# Publishing records.
RECORD_AT_RISK: Final = 0.2
UNSAFE_TEXT_LENGTH: Final = 120
UNSAFE_SHARE: Final = 0.5
UNSAFE_LEAST_VALUES: Final = 20
UNSAFE_WORDS: Final = 3


@dataclass(frozen=True, kw_only=True)
class Decision:
    """Meaning of a number and the reason for its value.

    Parameters
    ----------
    meaning : str
        What is decided by it.
    reason : str
        Why it is not smaller, or larger.
    """

    meaning: str
    reason: str


def decision(meaning: str, reason: str) -> Decision:
    """Return the decision of one line of a table.

    Parameters
    ----------
    meaning : str
        What the number decides.
    reason : str
        Why it is that number.
    """
    return Decision(meaning=meaning, reason=reason)


TABLE: Final[Mapping[str, Decision]] = {
    "DRAW_TEST_SIZE": decision(
        "p-value of what devices drew below which complete rows alone count",
        "chance gives less once in a thousand surveys; then questions were avoided, or skipped unequally",
    ),
    "FIT_CHECK_SIZE": decision(
        "p-value, over all counts, below which reports cannot come from their design",
        "no figure follows: one survey in 10,000 may be refused in vain, and a slip is far beyond it",
    ),
    "FEW_ROWS": decision(
        "rows in each cell below which a figure is labelled",
        "the chi-square quantile is doubtful where fewer are expected",
    ),
    "FEW_CLUSTERS": decision(
        "clusters from which on errors by clusters are given",
        "the spread of fewer sums says next to nothing of their error",
    ),
    "SURE_CLUSTERS": decision(
        "clusters of one size below which a figure is labelled",
        "by t with G* - 1 degrees intervals of ten clusters hold in 93 to 95 of 100 surveys, of twenty in 95",
    ),
    "RELIABLE_ERRORS": decision(
        "standard errors by which a denominator exceeds 0 for a ratio to have one",
        "the delta method misleads where it may divide by nothing",
    ),
    "LIKELIHOOD_LEAST_DIRECT": decision(
        "direct rows from which on the groups are compared by the normal law",
        "with fewer the law of the difference is that of both binomials",
    ),
    "LIKELIHOOD_LEAST_EXPECTED": decision(
        "matches and others that are expected in each group for it",
        "the normal law is near enough from there on",
    ),
    "INESTIMABLE_REST": decision(
        "part of a number's range that an interval must rule out to be one",
        "a median that may lie in most of the range is too few answers to say",
    ),
    "SIGNIFICANCE_LEVEL": decision(
        "false discoveries, or false alarms, that a list of rules may hold",
        "the convention of the field; the correction is chosen, the level is not",
    ),
    "MARGIN_ROUNDING": decision(
        "by how much population shares may miss 1",
        "published shares are rounded; more is a mistake",
    ),
    "LEAST_EVENTS_PER_COEFFICIENT": decision(
        "undisguised answers, and events, for each coefficient of a regression",
        "of fewer answers there is no regression; one of fewer events is labelled",
    ),
    "LARGEST_LOGIT": decision(
        "logit of any row above which the coefficients are taken to grow without end",
        "odds of three million to one; no survey can tell them from certainty",
    ),
    "SHARPEST_AT": decision(
        "rows at which an interval that holds at every look is sharpest",
        "a survey's usual size; with a tenth or ten times as many it is a quarter wider at most",
    ),
    "EPSILON_WARN_LIGHT": decision(
        "epsilon of all parts, lightly disguised, that no proposal exceeds",
        "what the strong one needs a reason for: light is lighter, and still no answer is sent as it is",
    ),
    "MOST_LIGHT_POWER": decision(
        "times the epsilon of a strong part that the light one has at most",
        "a chance of 75 of 100 becomes one of 90: seen as another promise, and still one",
    ),
    "LEAST_LIGHT_POWER": decision(
        "times the epsilon of a strong part below which no light strength is offered",
        "two groups that are disguised nearly alike are a question more, and next to no precision",
    ),
    "MOST_LIGHT_TRUTH": decision(
        "ten-thousandths in which a lightly disguised part is proposed to be the truth, at most",
        "one row in twenty is a decoy, whatever the decoys are",
    ),
    "EPSILON_LOWEST": decision(
        "least epsilon of a number or a place",
        "below it a million answers say nothing",
    ),
    "EPSILON_HIGHEST": decision(
        "largest epsilon of a number or a place",
        "above it nothing is protected",
    ),
    "LEAST_COMPLETE_ROWS": decision(
        "people asked all of an itemset that devices draw: a plan counts on so many, and a run needs them",
        "as many as a survey must have for anything of it to be published",
    ),
    "BORROWING_LEAST_PAIRS": decision(
        "pairs asked of enough people from which on each pair is shrunk and not pooled alone",
        "the spread between pairs is known to a third from 20 of them",
    ),
    "USEFUL_WIDTH": decision(
        "half-width of the interval of a wanted share above which a design is of little use",
        "one in five people is then told from two in five",
    ),
    "USEFUL_DIFFERENCE": decision(
        "difference of a wanted pair that a survey is to find",
        "of 100 with the one thing 30 more have the other: what changes what anybody would do",
    ),
    "USEFUL_POWER": decision(
        "chance that it is found below which a design is of little use",
        "the usual one: a survey in five finds nothing although there is something",
    ),
    "USELESS_WIDTH": decision(
        "half-width of an interval above which no layout is proposed, and publishing needs a written reason",
        "nearly no one is then told from half of the people: painful questions for no result",
    ),
    "LEAST_ARM": decision(
        "share of people that each arm of an experiment gets at least, in ten-thousandths",
        "a tenth of 1,000 people is what a group needs to be estimated at all",
    ),
    "MOST_ARMS": decision(
        "options of a question of arms",
        "each further arm takes people from all others, and makes more cells of open answers",
    ),
    "MOST_ARM_QUESTIONS": decision(
        "questions of arms of one survey",
        "their product with the other open answers is what a row tells openly",
    ),
    "AUDIT_LEAST_ROWS": decision(
        "protected rows from which on a prior is reconstructed",
        "fewer have a prior that is mostly noise",
    ),
    "AUDIT_ROWS_PER_PATTERN": decision(
        "rows for each possible one from which on whole rows are reconstructed",
        "below, items are taken to be independent: less is read into noise",
    ),
    "RECORD_AT_RISK": decision(
        "chance of being linked above which a record counts as at risk",
        "one in five: classes below 5",
    ),
    "UNSAFE_TEXT_LENGTH": decision(
        "characters above which a text is free text",
        "what is so long was written by somebody, about somebody",
    ),
    "UNSAFE_SHARE": decision(
        "share above which a column is one of time stamps, or has a value for each record",
        "a few such values are mistakes, most of them are the column",
    ),
    "UNSAFE_LEAST_VALUES": decision(
        "different values from which on a column is judged",
        "a small table has as many values as rows by chance",
    ),
    "UNSAFE_WORDS": decision(
        "words of a value, on average, from which on a column is free text",
        "names of towns have two",
    ),
}
