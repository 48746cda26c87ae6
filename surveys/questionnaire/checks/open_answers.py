"""Check answers that are stored as given: how many people they make unique."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

from django.utils.translation import gettext as _

from privacy.risk.open_answers import combinations_of, open_questions
from privacy.risk.unique_records import expected_unique
from privacy.survey.design import Design
from surveys.formats.numbers import count_text
from surveys.policy import MOST_UNIQUE
from surveys.questionnaire.aim import LEAST_PEOPLE
from surveys.questionnaire.checks.use import is_planned
from surveys.questionnaire.findings import Finding, Level
from surveys.questionnaire.use_words import quote_names

_MOST_SHOWN: Final = 10**12
"""Combinations are stated exactly up to this number."""


def check_open_answers(design: Design, names: Mapping[str, str], people: int | None) -> Iterator[Finding]:
    """Yield a warning if answers stored as given would make many people unique.

    Parameters
    ----------
    design : Design
    names : mapping of str to str
        Texts of questions, by key.
    people : int or None
        Expected number of respondents; None if unknown.
    """
    combinations = combinations_of(design)
    # The fewer people, the larger the share of unique ones.
    n = people or LEAST_PEOPLE
    alone = expected_unique(n, combinations)
    if alone <= MOST_UNIQUE * n or (not people and is_planned(design)):
        # Without a number, `check_use` reports it once.
        return
    message = (
        _(
            "the answers that are stored as given (%(names)s) have %(combinations)s combinations: of "
            "%(n)s people, about %(alone)s would have a unique one and could be identified by it"
        )
        if people
        else _(
            "the answers that are stored as given (%(names)s) have %(combinations)s combinations; without "
            "the number of answers you expect, we cannot work out how many people could be identified by them"
        )
    ) % {
        "names": quote_names([names.get(each.key, each.key) for each in open_questions(design)]),
        # Tens of open questions have more combinations than fit into a line.
        "combinations": count_text(combinations)
        if combinations < _MOST_SHOWN
        else _("at least %(count)s") % {"count": count_text(_MOST_SHOWN)},
        "n": count_text(n),
        "alone": f"{alone:,.0f}",
    }
    if design.sends_undisguised:
        message += _("; if such a person answers directly, that reveals all their answers")
    yield Finding(
        level=Level.WARN,
        code="unique_open",
        path="",
        message=message,
        remedy=_(
            "store fewer answers as given, or ask for coarser ones: up to %(count)s combinations are allowed"
        )
        % {"count": count_text(most_combinations(MOST_UNIQUE, people))}
        if people
        else _("plan the survey"),
    )


def most_combinations(share: float, people: int) -> int:
    """Return how many combinations C leave at most a share s of n people unique: (1 - 1/C)^(n - 1) <= s.

    Parameters
    ----------
    share : float
        Share of unique people, between 0 and 1.
    people : int
        Number of people, 1 or more.

    Examples
    --------
    >>> most_combinations(.05, 1000), most_combinations(.05, 250), most_combinations(.05, 1)
    (333, 83, 1)
    """
    return math.floor(1 / (1 - share ** (1 / (people - 1)))) if people > 1 else 1
