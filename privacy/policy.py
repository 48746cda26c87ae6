"""Thresholds of the core that decide what is published, refused or warned about.

Each of them is a choice that could be made differently; constants that follow from mathematics are defined
where they are used. The comment above each gives its meaning and the reason for its value. Each number has a
test in `tests/policy` that fails if it changes by one step; ``python -m benchmarks.mutants`` changes them
all. Numbers that only the server uses are in `surveys.policy`.
"""

from __future__ import annotations

from typing import Final

# Publishing answers.

# Smallest p-value of the test of drawn questions at which incomplete rows are used. By chance, one survey in
# 1,000 has a smaller one; otherwise respondents avoided or skipped some questions.
DRAW_TEST_SIZE: Final = 0.001

# Uncertainty of estimates.

# Smallest p-value, over all counts, at which reports are accepted as coming from their design; below it, no
# figures are shown. One correct survey in 10,000 is refused; a wrong design gives far smaller values.
FIT_CHECK_SIZE: Final = 1e-4
# Fewest rows in a cell for a figure without a label. With fewer, the chi-square quantile is unreliable.
FEW_ROWS: Final = 5
# Fewest clusters for cluster-robust errors. The spread of fewer sums says almost nothing.
FEW_CLUSTERS: Final = 10
# Fewest clusters of equal size for a figure without a label. Intervals by t with G* - 1 degrees of freedom
# cover 93 to 95% with ten clusters and 95% with twenty.
SURE_CLUSTERS: Final = 20
# Fewest answers, counted as answers of equal weight (Kish), for a figure.
# With fewer than 30, a few answers decide both the estimate and its error.
LEAST_EFFECTIVE_ROWS: Final = 30
# Fewest such answers for a figure without a label. With fewer than 100, intervals can miss their level.
SURE_EFFECTIVE_ROWS: Final = 100
# Largest share of a coefficient's information that one row may hold without a label.
MOST_ROW_INFORMATION: Final = 0.1
# Number of standard errors by which a denominator must exceed 0. The delta method fails near 0.
RELIABLE_ERRORS: Final = 5.0
# Fewest direct rows for comparing the two groups by the normal distribution. With fewer, the exact
# distribution of the difference of two binomials is used.
LIKELIHOOD_LEAST_DIRECT: Final = 50
# Fewest expected matches, and expected others, in each group for the normal approximation.
LIKELIHOOD_LEAST_EXPECTED: Final = 10
# Share of a number's range that the interval of a quantile must rule out. A median that may be almost
# anywhere in the range tells readers nothing.
INESTIMABLE_REST: Final = 0.5
# False discovery rate, or family-wise error rate, of a list of rules: the convention of the field.
SIGNIFICANCE_LEVEL: Final = 0.05
# Largest difference between the sum of population shares and 1. Rounded shares need this tolerance; a larger
# difference is a mistake.
MARGIN_ROUNDING: Final = 0.0015
# Fewest undisguised answers, and fewest events, per coefficient of a regression. With fewer answers there is
# no regression; with fewer events it is labelled.
LEAST_EVENTS_PER_COEFFICIENT: Final = 10
# Logit above which coefficients are considered infinite if they do not settle or if most rows exceed it: odds
# of three million to one, which no survey can distinguish from certainty.
LARGEST_LOGIT: Final = 15
# Number of rows at which an always-valid interval is narrowest: a typical survey. With a tenth or ten times
# as many rows, the interval is at most a quarter wider.
SHARPEST_AT: Final = 1_000

# Designs before they are published.

# Largest total epsilon of all lightly disguised blocks in a proposal: above it, even strong protection needs
# a written reason.
EPSILON_WARN_LIGHT: Final = 6
# Largest ratio of light to strong epsilon of a block. 75% certainty becomes 90%: a weaker promise, but still
# one.
MOST_LIGHT_POWER: Final = 2
# Smallest such ratio for which a light strength is offered. Below it, two groups cost respondents a question
# and add almost no precision.
LEAST_LIGHT_POWER: Final = 1.25
# Largest p of a proposed light block, in ten-thousandths: at least one row in twenty is made up.
MOST_LIGHT_TRUTH: Final = 9_500
# Smallest epsilon of a number or a place. With less, even a million answers show nothing.
EPSILON_LOWEST: Final = 0.01
# Largest epsilon of a number or a place. With more, nothing is protected.
EPSILON_HIGHEST: Final = 20.0
# Fewest respondents who were asked all questions of an itemset for plans to count on it and runs to report
# it: as many as a survey needs for any figure.
LEAST_COMPLETE_ROWS: Final = 100
# Fewest pairs, each asked of enough people, for shrinking each pair individually. With 20 pairs, the variance
# between pairs is known to about a third.
BORROWING_LEAST_PAIRS: Final = 20
# Largest error of the pooled latent correlation at which it says how high a predicted pair can be. With a
# larger one, nearly every correlation of positive answers is possible.
BORROWING_LARGEST_RHO_ERROR: Final = 1 / 4
# Largest half-width of the interval of a starred share in a useful design: with more, 20% cannot be
# distinguished from 40%.
USEFUL_WIDTH: Final = 0.10
# Difference of a starred pair that a survey should detect: 30 points, enough to change what people do.
USEFUL_DIFFERENCE: Final = 0.30
# Smallest power to detect it in a useful design: the usual 80%.
USEFUL_POWER: Final = 0.8
# Largest half-width for which a layout is proposed; above it, publishing needs a written reason. Almost no
# share would differ from half, so people would answer painful questions for no result.
USELESS_WIDTH: Final = 0.25
# Share of a starred yes or no answer that power assumes without a guess. At one half, the best case, a survey
# would be promised links that it finds only if half of all people did what people keep to themselves.
SHARE_FOR_POWER: Final = 0.2
# Power to detect the planned difference below which no layout is proposed and publishing needs a written
# reason: more than two surveys in three would find nothing.
USELESS_POWER: Final = 0.3

# Smallest share of each arm of an experiment, in ten-thousandths: in a survey of 1,000, the 100 people that a
# group needs.
LEAST_ARM: Final = 1_000
# Most arms of one question. Each additional arm leaves fewer people in the others and divides unprotected
# answers into more cells.
MOST_ARMS: Final = 6
# Most questions with arms in one survey. Every row shows its combination of arms.
MOST_ARM_QUESTIONS: Final = 3

# The audit of answers.

# Fewest protected rows for estimating a prior. A prior from fewer is mostly noise.
AUDIT_LEAST_ROWS: Final = 100
# Fewest rows per possible pattern for estimating the distribution of complete rows. With fewer, items are
# treated as independent, which reads less into noise.
AUDIT_ROWS_PER_PATTERN: Final = 25

# Publishing records.

# Probability of re-identification above which a record is at risk: equivalence classes below five.
RECORD_AT_RISK: Final = 0.2
# Length in characters above which a value is free text, which may be about a person.
UNSAFE_TEXT_LENGTH: Final = 120
# Share of values above which a column counts as time stamps, or as identifying each record. A smaller share
# is due to mistakes in the data.
UNSAFE_SHARE: Final = 0.5
# Fewest distinct values for judging a column. In a small table, all values may differ by chance.
UNSAFE_LEAST_VALUES: Final = 20
# Average number of words per value from which a column is free text. Names of towns have two.
UNSAFE_WORDS: Final = 3
