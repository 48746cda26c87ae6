"""Thresholds of the core that decide what is published, refused or warned about.

Each is a choice that could be made differently; constants that follow from mathematics are defined where
they are used. The comment above each gives its meaning and the reason for its value. Each number has a test
in `tests/policy` that fails if it changes by one step; ``python -m benchmarks.mutants`` changes them all.
Numbers used only by the server are in `surveys.policy`.
"""

from __future__ import annotations

from typing import Final

# Publishing answers.

# p-value of the questions that devices drew below which only complete rows count. Chance gives less in one
# survey of 1,000; a smaller value means that respondents avoided or skipped some questions.
DRAW_TEST_SIZE: Final = 0.001

# Uncertainty of estimates.

# p-value, over all counts, below which reports cannot come from their design, and no figure is given. One
# survey in 10,000 is refused in vain; reports read with a wrong design give far smaller values.
FIT_CHECK_SIZE: Final = 1e-4
# Rows in a cell below which a figure is labelled. The chi-square quantile is doubtful with fewer.
FEW_ROWS: Final = 5
# Clusters from which errors by cluster are given. The spread of fewer sums says almost nothing.
FEW_CLUSTERS: Final = 10
# Clusters of equal size below which a figure is labelled. Intervals by t with G* - 1 degrees of freedom
# cover 93 to 95% with ten clusters and 95% with twenty.
SURE_CLUSTERS: Final = 20
# Standard errors by which a denominator must exceed 0 for a ratio. The delta method fails near 0.
RELIABLE_ERRORS: Final = 5.0
# Direct rows from which the two groups are compared by the normal distribution. With fewer, the exact
# distribution of the difference of two binomials is used.
LIKELIHOOD_LEAST_DIRECT: Final = 50
# Expected matches, and expected others, in each group from which the normal distribution is close enough.
LIKELIHOOD_LEAST_EXPECTED: Final = 10
# Part of a number's range that the interval of a quantile must rule out. A median that may be almost anywhere
# in the range tells readers nothing.
INESTIMABLE_REST: Final = 0.5
# False discovery rate, or family-wise error rate, of a list of rules: the convention of the field.
SIGNIFICANCE_LEVEL: Final = 0.05
# Largest distance of the sum of population shares from 1. Published shares are rounded; more is a mistake.
MARGIN_ROUNDING: Final = 0.0015
# Undisguised answers, and events, for each coefficient of a regression. With fewer answers there is no
# regression; with fewer events it is labelled.
LEAST_EVENTS_PER_COEFFICIENT: Final = 10
# Logit of a row above which coefficients are considered infinite: odds of three million to one, which no
# survey can distinguish from certainty.
LARGEST_LOGIT: Final = 15
# Rows at which an always-valid interval is narrowest: a usual survey. With a tenth or ten times as many rows
# it is at most a quarter wider.
SHARPEST_AT: Final = 1_000

# Designs before they are published.

# Largest epsilon of all lightly disguised parts in a proposal: what strong protection needs a reason for.
EPSILON_WARN_LIGHT: Final = 6
# Largest ratio of light to strong epsilon of a part. 75% certainty becomes 90%: a weaker promise, but still
# one.
MOST_LIGHT_POWER: Final = 2
# Smallest such ratio for which a light strength is offered. Below it, two groups cost a question and add
# almost no precision.
LEAST_LIGHT_POWER: Final = 1.25
# Largest p of a proposed light part, in ten-thousandths: at least one row in twenty is made up.
MOST_LIGHT_TRUTH: Final = 9_500
# Smallest epsilon of a number or a place. With less, even a million answers show nothing.
EPSILON_LOWEST: Final = 0.01
# Largest epsilon of a number or a place. With more, nothing is protected.
EPSILON_HIGHEST: Final = 20.0
# Respondents who were asked all of an itemset, from which a plan counts on it and a run reports it: as many
# as a survey needs for any figure.
LEAST_COMPLETE_ROWS: Final = 100
# Pairs asked of enough people from which each pair is shrunk by itself. From 20 pairs, the variance between
# pairs is known to about a third.
BORROWING_LEAST_PAIRS: Final = 20
# Half-width of the interval of a starred share above which a design is of little use: 20% is then
# indistinguishable from 40%.
USEFUL_WIDTH: Final = 0.10
# Difference of a starred pair that a survey should detect: 30 points, enough to change what people do.
USEFUL_DIFFERENCE: Final = 0.30
# Power to detect it below which a design is of little use: the usual 80%.
USEFUL_POWER: Final = 0.8
# Half-width above which no layout is proposed, and publishing needs a written reason: almost no share then
# differs from half. Painful questions would have no result.
USELESS_WIDTH: Final = 0.25

# Smallest share of each arm of an experiment, in ten-thousandths: of 1,000 people, the 100 that a group
# needs.
LEAST_ARM: Final = 1_000
# Arms of one question. Each further arm takes people from the others and makes more cells of unprotected
# answers.
MOST_ARMS: Final = 6
# Questions that have arms in one survey. Their combinations are known of every row.
MOST_ARM_QUESTIONS: Final = 3

# The audit of answers.

# Protected rows from which a prior is estimated. A prior from fewer is mostly noise.
AUDIT_LEAST_ROWS: Final = 100
# Rows for each possible pattern from which the distribution of whole rows is estimated. With fewer, items are
# considered independent, which reads less into noise.
AUDIT_ROWS_PER_PATTERN: Final = 25

# Publishing records.

# Probability of being linked above which a record is at risk: equivalence classes below five.
RECORD_AT_RISK: Final = 0.2
# Characters above which a value is free text: someone wrote it, perhaps about someone.
UNSAFE_TEXT_LENGTH: Final = 120
# Share of values above which a column holds time stamps, or identifies each record. Fewer are mistakes.
UNSAFE_SHARE: Final = 0.5
# Distinct values from which a column is judged. In a small table all values may differ by chance.
UNSAFE_LEAST_VALUES: Final = 20
# Average number of words of a value from which a column is free text. Names of towns have two.
UNSAFE_WORDS: Final = 3
