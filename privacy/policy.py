"""Every number that decides what is published, refused or warned of, in one table.

Each is a decision, and could be another one; what follows from mathematics stands where it is used. Meaning,
reason and the modules that read a number are in `TABLE`. Each number has a test in `tests/policy` that fails
when it moves by one step; ``python -m benchmarks.mutants`` moves them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

# Publishing answers.
LEAST_PROTECTED: Final = 100
LEAST_DIRECT: Final = 50
DRAW_TEST_SIZE: Final = 0.001
LEAST_PROFILE: Final = 10
LEAST_BATCH_ROWS: Final = 50
ROUNDED_TO: Final = 10
LEAST_QUOTA: Final = 50
LEAST_WITH_AN_ERROR: Final = 2
LEAST_FACTOR: Final = 0.05
LEAST_TOGETHER: Final = 2

# Errors beside figures.
FEW_ROWS: Final = 5
RELIABLE_ERRORS: Final = 5.0
LIKELIHOOD_LEAST_DIRECT: Final = 50
LIKELIHOOD_LEAST_EXPECTED: Final = 10
INESTIMABLE_REST: Final = 0.05
SIGNIFICANCE_LEVEL: Final = 0.05
WARNER_LEAST_TILT: Final = 0.05
MARGIN_ROUNDING: Final = 0.0015
LEAST_EVENTS_PER_COEFFICIENT: Final = 10
LARGEST_LOGIT: Final = 15
SHARPEST_AT: Final = 1_000
SCREENING_ERRORS: Final = 8.0

# Designs before they are published.
EPSILON_WARN_BLOCK: Final = 3
EPSILON_REFUSE_BLOCK: Final = 6
EPSILON_WARN_SURVEY: Final = 3
EPSILON_REFUSE_SURVEY: Final = 6
EPSILON_WARN_LIGHT: Final = 6
EPSILON_REFUSE_LIGHT: Final = 8
ODDS_WARN: Final = 9
ODDS_REFUSE: Final = 99
MOST_LIGHT_POWER: Final = 2
LEAST_LIGHT_POWER: Final = 1.25
MOST_LIGHT_TRUTH: Final = 9_500
EPSILON_LOWEST: Final = 0.01
EPSILON_HIGHEST: Final = 20.0
MOST_DRAWN_DIRECT: Final = 5_000
MOST_REIDENTIFIED: Final = 0.2
MOST_COMPARED: Final = 300
MOST_MENDED: Final = 3
UNIQUE_AMONG: Final = 1_000
MOST_UNIQUE: Final = 0.05
MOST_OWN: Final = 0.1
LEAST_SAVED: Final = 0.1
LEAST_COMPLETE_ROWS: Final = 100

# The audit of answers.
AUDIT_LEAST_ROWS: Final = 100
AUDIT_ROWS_PER_PATTERN: Final = 25
AUDIT_CELLS_LISTED: Final = 3

# Publishing records.
RECORD_AT_RISK: Final = 0.2
UNSAFE_TEXT_LENGTH: Final = 120
UNSAFE_SHARE: Final = 0.5
UNSAFE_LEAST_VALUES: Final = 20
UNSAFE_WORDS: Final = 3
QUESTIONS_EACH: Final = 100
MOST_QUESTIONS_EACH: Final = 10_000

# Logging in.
MOST_OF_NAME_AT_ADDRESS: Final = 5
MOST_OF_ADDRESS: Final = 20
MOST_OF_NAME: Final = 50
FLOOD: Final = 100
LOCKED_OUT_MINUTES: Final = 15
MOST_OF_CODES: Final = 10
CODES_LOCKED_OUT_HOURS: Final = 24
MOST_DAYS_UNVOUCHED: Final = 30


@dataclass(frozen=True, kw_only=True)
class Decision:
    """Why a number is what it is.

    Parameters
    ----------
    meaning : str
        What is decided by it.
    reason : str
        Why it is not smaller, or larger.
    used : tuple of str
        Modules that read it.
    """

    meaning: str
    reason: str
    used: tuple[str, ...]


def _decision(meaning: str, reason: str, *used: str) -> Decision:
    return Decision(meaning=meaning, reason=reason, used=used)


TABLE: Final[Mapping[str, Decision]] = {
    "LEAST_PROTECTED": _decision(
        "protected answers below which nothing of them is published",
        "an estimate of fewer says little, and a handful of rows can be somebody's",
        "surveys.figures.audit.selectors",
        "surveys.figures.estimating",
        "surveys.runs.mining_job",
        "surveys.figures.patterns",
        "surveys.figures.regression",
        "surveys.runs.request",
        "surveys.figures.scales.combined_estimates",
        "surveys.figures.scales.question",
        "surveys.runs.split_sample",
        "surveys.figures.weighting",
        "surveys.api.figures",
        "surveys.rows.disclosure",
        "surveys.export.package",
    ),
    "LEAST_DIRECT": _decision(
        "rows of the direct group from which on the two groups are told apart",
        "an estimate from fewer says little",
        "surveys.rows.disclosure",
    ),
    "DRAW_TEST_SIZE": _decision(
        "p-value of what devices drew below which complete rows alone count",
        "chance gives less once in a thousand surveys; then questions were avoided, or skipped unequally",
        "privacy.estimation.draw_tests",
    ),
    "LEAST_PROFILE": _decision(
        "rows that share each combination of answers to open questions which are told together",
        "open answers are sent as they are; one share less another must not come down to a few people",
        "surveys.figures.scales.combined_estimates",
        "surveys.figures.scales.question",
        "surveys.rows.disclosure",
    ),
    "LEAST_BATCH_ROWS": _decision(
        "rows that are shuffled into one batch, and by which two snapshots differ",
        "fewer could be matched to the receipts that came with them",
        "privacy.risk.lines",
        "privacy.risk.shuffling",
        "surveys.intake.mix",
        "surveys.rows.snapshot",
        "trials.attacks.installation",
    ),
    "ROUNDED_TO": _decision(
        "what counts of what came are rounded to while more can come in",
        "two looks at a count must not show one arrival",
        "surveys.rows.disclosure",
    ),
    "LEAST_QUOTA": _decision(
        "answers that a quota of a live survey lets in, at least",
        "anybody can read whether a group is full; of a smaller group that would tell of a few people",
        "surveys.questionnaire.quotas",
    ),
    "LEAST_WITH_AN_ERROR": _decision(
        "answers to a number or a place in a practice survey that have a result",
        "one row says nothing of how far off it is",
        "surveys.figures.scales.question",
    ),
    "LEAST_FACTOR": _decision(
        "factor by which a disguise shrinks a product of answers, below which it is not measured",
        "its errors would be more than twenty times as large",
        "privacy.planning.better_design",
        "privacy.planning.efficiency",
        "privacy.planning.part_variance",
        "privacy.survey.block",
        "surveys.authoring.draft_state",
        "surveys.questionnaire.definition",
    ),
    "LEAST_TOGETHER": _decision(
        "answers that a part of which near rows are sent lets be counted together, at least",
        "a rule is of two",
        "privacy.survey.design",
        "surveys.questionnaire.definition",
    ),
    "FEW_ROWS": _decision(
        "rows in each cell below which a figure is labelled",
        "the chi-square quantile is doubtful where fewer are expected",
        "trials.studies.coverage",
        "trials.studies.number_coverage",
        "privacy.estimation.composed_rules",
        "privacy.estimation.draw_tests",
        "privacy.estimation.intervals",
        "privacy.library.shares",
        "surveys.runs.store",
    ),
    "RELIABLE_ERRORS": _decision(
        "standard errors by which a denominator exceeds 0 for a ratio to have one",
        "the delta method misleads where it may divide by nothing",
        "privacy.estimation.equations",
        "surveys.report.pictures.two_by_two",
    ),
    "LIKELIHOOD_LEAST_DIRECT": _decision(
        "direct rows from which on there is a maximum-likelihood estimate",
        "its interval leans on the normal law in each group",
        "privacy.estimation.maximum_likelihood",
        "privacy.estimation.stratum_homogeneity",
    ),
    "LIKELIHOOD_LEAST_EXPECTED": _decision(
        "matches and others that are expected in each group for it",
        "the normal law is near enough from there on",
        "privacy.estimation.maximum_likelihood",
        "privacy.estimation.stratum_homogeneity",
    ),
    "INESTIMABLE_REST": _decision(
        "part of a number's range that an interval must rule out to be one",
        "at the ends the running sum is known: some of the outer bins always is ruled out",
        "privacy.scales.inverted",
    ),
    "SIGNIFICANCE_LEVEL": _decision(
        "false discoveries, or false alarms, that a list of rules may hold",
        "the convention of the field; the correction is chosen, the level is not",
        "mining.significance",
        "trials.attacks.forged",
        "surveys.export.expected_precision",
    ),
    "WARNER_LEAST_TILT": _decision(
        "distance of Warner's chance from one half from which on it is estimated",
        "at one half the answers say nothing, and near it next to nothing",
        "trials.studies.model_ladder",
    ),
    "MARGIN_ROUNDING": _decision(
        "by how much population shares may miss 1",
        "published shares are rounded; more is a mistake",
        "privacy.estimation.margins",
    ),
    "LEAST_EVENTS_PER_COEFFICIENT": _decision(
        "expected events, after what the disguise takes, for each coefficient of a regression",
        "with fewer the estimates lie too far from 0, and their errors are too small",
        "privacy.regression.regression",
    ),
    "LARGEST_LOGIT": _decision(
        "logit of any row above which the coefficients are taken to grow without end",
        "odds of three million to one; no survey can tell them from certainty",
        "privacy.regression.regression",
    ),
    "SHARPEST_AT": _decision(
        "rows at which an interval that holds at every look is sharpest",
        "a survey's usual size; with a tenth or ten times as many it is a quarter wider at most",
        "privacy.levels",
    ),
    "SCREENING_ERRORS": _decision(
        "errors by which too few complete rows show an itemset for it to be estimated from all rows",
        "chance takes rows so far from a support that is reached once in 1e14; more would be counted in vain",
        "mining.screening",
    ),
    "EPSILON_WARN_BLOCK": _decision(
        "epsilon of a part above which publishing warns",
        "an even chance becomes more than 95 of 100",
        "surveys.settings",
    ),
    "EPSILON_REFUSE_BLOCK": _decision(
        "epsilon of a part above which publishing needs a written reason",
        "a row is more than 400 times likelier from whom it is true of",
        "surveys.settings",
    ),
    "EPSILON_WARN_SURVEY": _decision(
        "epsilon of all parts above which publishing warns",
        "what one person tells adds up over the parts",
        "surveys.settings",
    ),
    "EPSILON_REFUSE_SURVEY": _decision(
        "epsilon of all parts, and waves, above which publishing needs a reason",
        "as of a part: the sum is what somebody learns",
        "surveys.settings",
    ),
    "EPSILON_WARN_LIGHT": _decision(
        "epsilon of all parts, lightly disguised, that no proposal exceeds",
        "what the strong one needs a reason for: light is lighter, and still no answer is sent as it is",
        "privacy.planning.light_strength",
        "surveys.questionnaire.checks.ceilings",
    ),
    "EPSILON_REFUSE_LIGHT": _decision(
        "epsilon of all parts, lightly disguised, above which publishing needs a reason",
        "an even chance becomes all but a certainty: wrong once in 3,000 times",
        "surveys.questionnaire.checks.ceilings",
    ),
    "ODDS_WARN": _decision(
        "odds of one answer to a part of several questions above which publishing warns",
        "an even chance becomes more than 90 of 100 by a single answer, whatever the row as a whole tells",
        "surveys.questionnaire.checks.ceilings",
        "surveys.settings",
    ),
    "ODDS_REFUSE": _decision(
        "odds of one answer to a part of several questions above which publishing needs a written reason",
        "an even chance becomes more than 99 of 100: whoever was asked that question has as good as said it",
        "surveys.questionnaire.checks.ceilings",
        "surveys.settings",
    ),
    "MOST_LIGHT_POWER": _decision(
        "times the epsilon of a strong part that the light one has at most",
        "a chance of 75 of 100 becomes one of 90: seen as another promise, and still one",
        "privacy.planning.light_strength",
    ),
    "LEAST_LIGHT_POWER": _decision(
        "times the epsilon of a strong part below which no light strength is offered",
        "two groups that are disguised nearly alike are a question more, and next to no precision",
        "privacy.planning.light_strength",
    ),
    "MOST_LIGHT_TRUTH": _decision(
        "ten-thousandths in which a lightly disguised part is proposed to be the truth, at most",
        "one row in twenty is a decoy, whatever the decoys are",
        "privacy.planning.light_strength",
    ),
    "EPSILON_LOWEST": _decision(
        "least epsilon of a number or a place",
        "below it a million answers say nothing",
        "privacy.channels.amplification",
        "surveys.questionnaire.checks.ceilings",
        "surveys.questionnaire.recommended",
    ),
    "EPSILON_HIGHEST": _decision(
        "largest epsilon of a number or a place",
        "above it nothing is protected",
        "privacy.channels.amplification",
        "surveys.planner.in_turn",
    ),
    "MOST_DRAWN_DIRECT": _decision(
        "ten-thousandths drawn to answer directly above which publishing warns",
        "a survey that says disguised is mostly not",
        "surveys.questionnaire.checks.ceilings",
    ),
    "MOST_REIDENTIFIED": _decision(
        "true rows recognised with more than 95 % above which publishing warns",
        "epsilon does not show that decoys look unlike answers",
        "surveys.questionnaire.checks.drawn",
    ),
    "MOST_COMPARED": _decision(
        "drawn answers of a survey that are compared with the expected ones",
        "the builder asks while somebody types",
        "surveys.questionnaire.checks.drawn",
    ),
    "MOST_MENDED": _decision(
        "parts whose remedies are computed",
        "each takes a search, and the builder asks while somebody types",
        "surveys.questionnaire.checks.drawn",
    ),
    "UNIQUE_AMONG": _decision(
        "people among whom open answers are looked at before anybody answered",
        "nobody knows beforehand how many will answer",
        "surveys.questionnaire.checks.drawn",
        "surveys.questionnaire.checks.rotating",
    ),
    "MOST_UNIQUE": _decision(
        "share of them that may stand alone with their open answers without a warning",
        "a few always do; one in twenty can be looked for",
        "surveys.questionnaire.checks.drawn",
    ),
    "MOST_OWN": _decision(
        "share of people who may have a combination of asked questions and open answers of their own",
        "who saw a page knows what was asked on it; a row that can be found has its disguise left, and no "
        "crowd",
        "surveys.planner.fewer_people",
        "surveys.questionnaire.checks.rotating",
    ),
    "LEAST_SAVED": _decision(
        "share of people, or of epsilon, from which on another design is proposed",
        "asking each person other questions is a change to explain; a few people less do not pay for it",
        "privacy.planning.better_design",
        "surveys.planner.in_turn",
    ),
    "LEAST_COMPLETE_ROWS": _decision(
        "people asked all of an itemset that devices draw: a plan counts on so many, and a run needs them",
        "as many as a survey must have for anything of it to be published",
        "mining.itemsets",
        "privacy.planning.better_design",
        "privacy.planning.parts_in_turn",
        "surveys.planner.fewer_people",
        "surveys.questionnaire.checks.rotating",
    ),
    "AUDIT_LEAST_ROWS": _decision(
        "protected rows from which on a prior is reconstructed, of a survey or a cell",
        "fewer have a prior that is mostly noise",
        "privacy.risk.data_audit",
    ),
    "AUDIT_ROWS_PER_PATTERN": _decision(
        "rows for each possible one from which on whole rows are reconstructed",
        "below, items are taken to be independent: less is read into noise",
        "privacy.risk.priors",
    ),
    "AUDIT_CELLS_LISTED": _decision(
        "cells of open answers that an audit lists, the worst first",
        "an example is a warning, a list is a target",
        "privacy.risk.data_audit",
    ),
    "RECORD_AT_RISK": _decision(
        "chance of being linked above which a record counts as at risk",
        "one in five: classes below 5",
        "privacy.sdc.risk",
        "releases.microdata.checking",
        "releases.microdata.config",
    ),
    "UNSAFE_TEXT_LENGTH": _decision(
        "characters above which a text is free text",
        "what is so long was written by somebody, about somebody",
        "privacy.sdc.table",
    ),
    "UNSAFE_SHARE": _decision(
        "share above which a column is one of time stamps, or has a value for each record",
        "a few such values are mistakes, most of them are the column",
        "privacy.sdc.table",
        "releases.deposits.proposals",
    ),
    "UNSAFE_LEAST_VALUES": _decision(
        "different values from which on a column is judged",
        "a small table has as many values as rows by chance",
        "privacy.sdc.table",
        "releases.deposits.proposals",
    ),
    "UNSAFE_WORDS": _decision(
        "words of a value, on average, from which on a column is free text",
        "names of towns have two",
        "privacy.sdc.table",
    ),
    "QUESTIONS_EACH": _decision(
        "questions that each person may ask of a deposit, unless its owner says another number",
        "a table of results takes some dozens; copying the deposit by questions takes more",
        "releases.deposits.question_form",
    ),
    "MOST_QUESTIONS_EACH": _decision(
        "questions that an owner may allow each person",
        "a log of more is read by nobody; who needs more is better given the deposit itself",
        "releases.deposits.question_form",
        "releases.deposits.questions",
    ),
    "MOST_OF_NAME_AT_ADDRESS": _decision(
        "failed log-ins with one name from one address that keep it out there",
        "typing errors come in threes, guesses in thousands",
        "surveys.accounts.known_devices",
        "surveys.accounts.lock_out",
        "surveys.doctor.configuration",
    ),
    "MOST_OF_ADDRESS": _decision(
        "failed log-ins from one address that keep it out",
        "an office shares one",
        "surveys.accounts.lock_out",
    ),
    "MOST_OF_NAME": _decision(
        "failed log-ins with one name from anywhere that keep it out",
        "with fewer a stranger could keep its owner out",
        "surveys.accounts.lock_out",
    ),
    "FLOOD": _decision(
        "failed log-ins of all together from which on an address has few for all names",
        "guesses spread over addresses and names look like typing errors one by one",
        "surveys.accounts.lock_out",
    ),
    "LOCKED_OUT_MINUTES": _decision(
        "how long who failed too often is kept out",
        "long for a machine that guesses, short for a person",
        "surveys.accounts.lock_out",
    ),
    "MOST_OF_CODES": _decision(
        "wrong codes of the second step in a row, from anywhere, that keep a name out",
        "who guesses has the password already, and three of a million codes are right",
        "surveys.accounts.lock_out",
    ),
    "CODES_LOCKED_OUT_HOURS": _decision(
        "how long who typed too many wrong codes is kept out",
        "ten guesses a day find a code with a chance of one in ninety a year",
        "surveys.accounts.lock_out",
    ),
    "MOST_DAYS_UNVOUCHED": _decision(
        "days after the last log-in on which tokens of an account that the institution logs in still work",
        "nobody here is told that the institution stopped somebody; a holiday should end no program",
        "surveys.access.api_tokens",
    ),
}
