"""The number of people whose undisguised answers and questions no one else has."""

from __future__ import annotations

from privacy.risk import Audit


def unique_people(audit: Audit) -> float | int | None:
    """Return how many people are unique by their undisguised answers and the questions that they were asked.

    An integer was counted. A float is the expected number if all these answers are equally common; it is no
    bound, see `privacy.risk.unique_combinations.most_unique_of_design`. None if no one can be unique, or if
    the number of people is unknown.
    """
    if audit.own is not None:
        people = audit.own.share * audit.own.n
        return round(people) if audit.own.counted else people
    if not audit.open.questions:
        return None
    return audit.open.expected_unique if audit.open.unique is None else audit.open.unique
