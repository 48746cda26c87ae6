"""Differencing attack on questions to a release: subtract answers until one person is isolated.

The attacker knows age and work of everyone in the table, has as many accounts as needed, and asks for each
person how many people of their age and work have each value. The attacker asks directly, and as the
difference of two large counts that differ by that person's age (the tracker of Denning and Schlörer), and
intersects all bounds. An answer counts as learnt if it follows for certain.

A service that answers from published labels is safe: swapping the values of two people in one class changes
no label, and so no answer. A service that counts records and only refuses small counts is not.
"""

import csv
import io
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from django.contrib.auth.models import User
from django.utils import timezone

from anonymisation.releases.drafts import columns_save, release_request
from anonymisation.releases.jobs import release_job
from anonymisation.releases.new_release import upload_begin
from anonymisation.releases.release_queries import PublishedTable, published_of, question_answer
from privacy.sdc.label_conditions import Condition
from privacy.sdc.query_language import Query
from surveys.jobs import lease
from tests.attack.learnt import Learnt

__all__ = ["KEPT_RECORDS", "KEPT_VALUES", "Person", "Sought", "attack_questions", "people_drawn", "subtract"]

KEPT_RECORDS: Final = 5
KEPT_VALUES: Final = 3
"""k of the attacked release, and l of its sensitive column."""

_WORKS: Final = ("city", "firm", "own", "state")
_VALUES: Final = ("cold", "cough", "flu", "ulcer", "none")

Bounds = tuple[int, int]
Ask = Callable[[Query], Mapping[str, Bounds] | None]
"""Answers a count for each value of the sensitive column; None if the count is refused."""


@dataclass(frozen=True, kw_only=True)
class Person:
    """A record of the table; the attacker knows age and work."""

    age: int
    work: str
    value: str


@dataclass(frozen=True, kw_only=True)
class Sought:
    """What the attack derived about its targets.

    Attributes
    ----------
    people, questions : int
        Number of targets, and of questions asked.
    certain : int
        Targets with only one possible value.
    wrong : int
        Targets whose true value was excluded, because bounds were false.
    fewest_values, fewest_records : int
        Fewest possible values and records for any target.
    """

    people: int
    questions: int
    certain: int
    wrong: int
    fewest_values: int
    fewest_records: int


def subtract(people: Sequence[Person], ask: Ask) -> Sought:
    """Attack each person with all the differences that isolate them."""
    queries: set[Query] = set()

    @cache
    def bounds_of(*conditions: Condition) -> Mapping[str, Bounds] | None:
        query = Query(conditions=conditions, groups=("value",))
        queries.add(query)
        return ask(query)

    values = sorted({person.value for person in people})
    alike = Counter((person.age, person.work) for person in people)
    left: dict[tuple[int, str], frozenset[str]] = {}
    records: dict[tuple[int, str], int] = {}
    for (age, work), count in alike.items():
        at = Condition(column="work", sign="=", values=(work,))
        cell = dict.fromkeys(values, (0, count))
        most = len(people)
        for large, less in (
            ((_age("=", age),), None),
            ((_age("<=", age),), (_age("<", age),)),
            ((_age(">=", age),), (_age(">", age),)),
        ):
            whole = bounds_of(at, *large)
            rest: Mapping[str, Bounds] | None = {} if less is None else bounds_of(at, *less)
            if whole is None or rest is None:
                continue
            part = {
                value: (
                    whole.get(value, (0, 0))[0] - rest.get(value, (0, 0))[1],
                    whole.get(value, (0, 0))[1] - rest.get(value, (0, 0))[0],
                )
                for value in values
            }
            most = min(most, sum(high for _low, high in part.values()))
            for value, (low, high) in part.items():
                cell[value] = (max(cell[value][0], low), min(cell[value][1], high))
        left[age, work] = _left(cell, count)
        records[age, work] = most
    return Sought(
        people=len(people),
        questions=len(queries),
        certain=sum(len(left[person.age, person.work]) == 1 for person in people),
        wrong=sum(person.value not in left[person.age, person.work] for person in people),
        fewest_values=min(map(len, left.values())),
        fewest_records=min(records.values()),
    )


def _left(cell: Mapping[str, Bounds], count: int) -> frozenset[str]:
    """Return the values that a person can have in a cell of `count` people."""
    sure = sum(low for low, _high in cell.values())
    return frozenset(
        value for value, (low, high) in cell.items() if high > 0 and (low > 0 or sure + 1 <= count)
    )


def _age(sign: str, age: int) -> Condition:
    return Condition(column="age", sign=sign, values=(str(age),))


def people_drawn(count: int, rng: np.random.Generator) -> list[Person]:
    """Generate people, many of whom are unique by age and work."""
    return [
        Person(
            age=int(rng.integers(18, 80)),
            work=_WORKS[rng.integers(len(_WORKS))],
            value=_VALUES[rng.integers(len(_VALUES))],
        )
        for _ in range(count)
    ]


def published_of_people(people: Sequence[Person]) -> PublishedTable:
    """Make a release of these people, and return its published table."""
    now = timezone.now()
    owner = User.objects.create_user("attacked-owner", is_staff=True)
    text = io.StringIO()
    csv.writer(text).writerows(
        [("age", "work", "value"), *((person.age, person.work, person.value) for person in people)]
    )
    release = upload_begin(owner=owner, name="people.csv", raw=text.getvalue().encode(), now=now)
    roles = (
        ("quasi_identifier", "numeric"),
        ("quasi_identifier", "categorical"),
        ("sensitive", "categorical"),
    )
    columns_save(release, [{"role": role, "kind": kind, "policy": "value"} for role, kind in roles], by=owner)
    bounds = {
        "k": KEPT_RECORDS,
        "algorithm": "tight",
        "max_suppressed": 0,
        "columns": {"value": {"l": KEPT_VALUES}},
    }
    job = release_request(release, bounds, by=owner, now=now)
    lease.perform(job.pk, release_job)
    release.refresh_from_db()
    return published_of(release)


def attack_questions(count: int, rng: np.random.Generator) -> Learnt:
    """Make a release of simulated people through the services of its pages, and attack it."""
    people = people_drawn(count, rng)
    published = published_of_people(people)

    def ask(query: Query) -> dict[str, Bounds]:
        lines = question_answer(published, query).lines
        return {line.group[0]: (line.least, line.most) for line in lines}

    sought = subtract(people, ask)
    return Learnt(
        attack="questions to a release, subtracted",
        tried=f"{sought.people:,} people looked for by {sought.questions:,} questions, without a limit",
        learnt=(
            f"{sought.certain:,} people's values for certain; at least {sought.fewest_values} values and "
            f"{sought.fewest_records} records are left to each"
        ),
        chance=f"nobody's; the release leaves {KEPT_VALUES} values and {KEPT_RECORDS} records to each",
        beyond_chance=(
            sought.certain > 0
            or sought.wrong > 0
            or sought.fewest_values < KEPT_VALUES
            or sought.fewest_records < KEPT_RECORDS
        ),
    )
