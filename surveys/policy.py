"""Every number by which the server decides to publish, refuse or warn.

The comment above each gives its meaning and the reason for its value. Numbers that the core reads are in
`privacy.policy`.
"""

from __future__ import annotations

from typing import Final

# Publishing answers.

# Rows that are shuffled into one batch, and by which two snapshots differ. Fewer could be matched to the
# receipts that arrived with them.
LEAST_BATCH_ROWS: Final = 50
# Protected answers below which no figure is published. An estimate from fewer says little, and a few rows
# may be recognised.
LEAST_PROTECTED: Final = 100
# Rows of the direct group from which the two groups are compared. An estimate from fewer says little.
LEAST_DIRECT: Final = 50
# Rows that must share each combination of unprotected answers that is reported. These answers are sent as
# they are, and the difference of two figures must not describe a few people.
LEAST_PROFILE: Final = 10
# Multiple to which counts of arrivals are rounded while a survey is open. Two looks must not show one
# arrival.
ROUNDED_TO: Final = 10
# Answers to a number or a place from which a practice survey has a result. One row has no error.
LEAST_WITH_AN_ERROR: Final = 2

# Designs before they are published.

# Epsilon of a part, of a survey or of a series above which publishing warns: 50:50 becomes more than 95%
# sure.
EPSILON_WARN: Final = 3
# Epsilon of the same above which publishing needs a written reason: a row is then 400 times likelier from one
# person than from another.
EPSILON_REFUSE: Final = 6
# Epsilon of all lightly disguised parts above which publishing needs a reason: wrong only once in 3,000
# times.
EPSILON_REFUSE_LIGHT: Final = 8
# Odds of one answer above which publishing warns: one answer makes 50:50 more than 90% sure.
ODDS_WARN: Final = 9
# Odds of one answer above which publishing needs a written reason: 50:50 becomes more than 99% sure.
ODDS_REFUSE: Final = 99
# Ten-thousandths of respondents who answer directly above which publishing warns: "disguised" is then mostly
# false.
MOST_DRAWN_DIRECT: Final = 5_000
# Share of true rows recognised with more than 95% certainty above which publishing warns. Epsilon does not
# show that decoys look unlike answers.
MOST_REIDENTIFIED: Final = 0.2
# Random rows of a survey that are compared with the expected answers. The builder checks while someone types.
MOST_COMPARED: Final = 300
# People assumed when unprotected answers are checked before anyone has answered. Their number is not known
# then.
UNIQUE_AMONG: Final = 1_000
# Share of people who may have unprotected answers that no one else has, without a warning. A few always do.
MOST_UNIQUE: Final = 0.05
# Share of people who may be the only ones with their questions and unprotected answers. Someone who saw the
# page knows which questions were asked; a row that is found is protected by its disguise alone.
MOST_OWN: Final = 0.1
# Power to detect the starred difference below which publishing needs a written reason: more than two surveys
# in three would find nothing.
USELESS_POWER: Final = 0.3

# Logging in.

# Failed logins with one name from one address that block the name at this address. Typing errors come in
# threes, guesses in thousands.
MOST_OF_NAME_AT_ADDRESS: Final = 5
# Failed logins from one address that block the address. The people of an office share one.
MOST_OF_ADDRESS: Final = 20
# Failed logins with one name from all addresses that block the name. With fewer, a stranger could block its
# owner.
MOST_OF_NAME: Final = 50
# Failed logins of everyone from which an address may fail only a few times in all. One by one, guesses
# spread over addresses and names look like typing errors.
FLOOD: Final = 100
# Minutes of a block: long for a machine that guesses, short for a person.
LOCKED_OUT_MINUTES: Final = 15
# Wrong second-factor codes in a row, from all addresses, that block a name. The attacker has the password
# already, and three codes of a million are right.
MOST_OF_CODES: Final = 10
# Hours of that block. Ten guesses a day find a code with a probability of one in ninety a year.
CODES_LOCKED_OUT_HOURS: Final = 24
# Days after the last login during which tokens of single sign-on accounts work. The institution does not
# tell us when someone leaves, and a holiday should stop no program.
MOST_DAYS_UNVOUCHED: Final = 30
