"""All numbers by which the server decides to publish, refuse or warn.

The comment above each number gives its meaning and the reason for its value. Numbers that the core reads are
in `privacy.policy`.
"""

from __future__ import annotations

from typing import Final

# Publishing answers.

# Least number of rows that are shuffled into one batch, and that two snapshots differ by. Fewer rows could be
# matched to the receipts that arrived with them.
LEAST_BATCH_ROWS: Final = 50
# Least number of protected answers behind a published figure. An estimate from fewer says little, and a few
# rows may be recognised.
LEAST_PROTECTED: Final = 100
# Least number of direct rows for comparing the two groups. An estimate from fewer says little.
LEAST_DIRECT: Final = 50
# Least number of rows that share each reported combination of unprotected answers. These answers are sent
# undisguised, and the difference of two figures must not describe only a few people.
LEAST_PROFILE: Final = 10
# Counts of arrivals are rounded to multiples of this while a survey is open, so that two looks do not reveal
# a single arrival.
ROUNDED_TO: Final = 10
# Least number of answers to a number or place question for a result in a practice survey. One row has no
# error.
LEAST_WITH_AN_ERROR: Final = 2

# Checking designs before publication.

# Epsilon of a block, survey or series above which publishing warns: an attacker at 50:50 becomes more than
# 95% sure.
EPSILON_WARN: Final = 3
# Epsilon of these above which publishing requires a written reason: a row is then 400 times likelier from one
# person than from another.
EPSILON_REFUSE: Final = 6
# Epsilon of all lightly disguised blocks above which publishing requires a written reason: an attacker is
# then wrong only once in 3,000 times.
EPSILON_REFUSE_LIGHT: Final = 8
# Odds of one answer above which publishing warns: one answer makes an attacker at 50:50 more than 90% sure.
ODDS_WARN: Final = 9
# Odds of one answer above which publishing requires a written reason: 50:50 becomes more than 99% sure.
ODDS_REFUSE: Final = 99
# Share of respondents who answer directly, in ten-thousandths, above which publishing warns: for most people
# the word "disguised" is then false.
MOST_DRAWN_DIRECT: Final = 5_000
# Share of true rows recognised with more than 95% certainty above which publishing warns. Epsilon does not
# show whether decoys look unlike answers.
MOST_REIDENTIFIED: Final = 0.2
# Number of random rows that are compared with the expected answers; limited because the builder checks while
# researchers type.
MOST_COMPARED: Final = 300
# Share of people with unique unprotected answers above which publishing warns. A few people always have some.
MOST_UNIQUE: Final = 0.05
# Share of people with a unique combination of questions and unprotected answers above which publishing warns.
# Someone who saw the page knows which questions were asked, and a row that is found has only its disguise.
MOST_OWN: Final = 0.1

# Listing results.

# Most itemsets that a run lists without asking the requester. Few people want to read longer lists, which
# need seconds of work and megabytes.
MOST_ITEMSETS_UNASKED: Final = 20_000

# Logging in.

# Failed logins with one name from one address after which the name is blocked at this address. Typing errors
# come in threes, guesses in thousands.
MOST_OF_NAME_AT_ADDRESS: Final = 5
# Failed logins from one address after which the address is blocked. The people of an office share one
# address.
MOST_OF_ADDRESS: Final = 20
# Failed logins with one name from all addresses after which the name is blocked. With a lower number, a
# stranger could easily block its owner.
MOST_OF_NAME: Final = 50
# Total failed logins after which each address may fail only a few times. Otherwise guesses spread over many
# addresses and names look like typing errors.
FLOOD: Final = 100
# Minutes that a block lasts: long for a machine that guesses, short for a person.
LOCKED_OUT_MINUTES: Final = 15
# Consecutive wrong second-factor codes, from all addresses, after which a name is blocked. The attacker
# already has the password, and three codes of a million are right.
MOST_OF_CODES: Final = 10
# Hours that this block lasts. Ten guesses a day find a code with a probability of 1 in 90 a year.
CODES_LOCKED_OUT_HOURS: Final = 24
# Days after the last login during which tokens of single sign-on accounts work. The institution does not
# report when someone leaves, and a holiday should not stop a program.
MOST_DAYS_UNVOUCHED: Final = 30
