"""Questions to a release reveal no one; services that count records instead are broken."""

import operator
from collections import Counter

import numpy as np
import pytest

from privacy.sdc.query_language import Query
from tests.anonymisation.release_questions import (
    KEPT_RECORDS,
    Ask,
    Bounds,
    Person,
    attack_questions,
    people_drawn,
    subtract,
)

pytestmark = pytest.mark.django_db

SIGNS = {"=": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def counted(people: list[Person], query: Query) -> Counter[str]:
    """Count the true records, value by value."""
    tests = [
        (one.column, SIGNS[one.sign], int(one.values[0]) if one.column == "age" else one.values[0])
        for one in query.conditions
    ]
    return Counter(
        person.value
        for person in people
        if all(holds(getattr(person, column), value) for column, holds, value in tests)
    )


# A separate connection renews the job's lease, and it sees only committed rows.
@pytest.mark.django_db(transaction=True)
def test_a_release_reveals_no_one_to_questions() -> None:
    found = attack_questions(60, np.random.default_rng(4))
    assert found.beyond_chance is False
    assert found.learnt.startswith("0 people")


def test_a_service_that_only_hides_small_counts_is_broken() -> None:
    """Each answer covers at least five people, but the difference of two answers does not."""
    people = people_drawn(250, np.random.default_rng(4))

    def ask(query: Query) -> dict[str, Bounds] | None:
        counts = counted(people, query)
        return (
            {value: (n, n) for value, n in counts.items()} if min(counts.values(), default=0) >= 5 else None
        )

    found = subtract(people, ask)
    assert found.wrong == 0
    assert found.certain > 20
    assert found.fewest_values == 1


def test_a_service_that_rounds_record_counts_is_broken() -> None:
    """Its bounds are true but narrower than those of the release, so that fewer than k records remain."""
    people = people_drawn(250, np.random.default_rng(4))

    def ask(query: Query) -> dict[str, Bounds]:
        return {value: (n - n % 2, n - n % 2 + 1) for value, n in counted(people, query).items()}

    found = subtract(people, ask)
    assert found.wrong == 0
    assert found.fewest_values == 1 or found.fewest_records < KEPT_RECORDS


def test_inferences_about_a_cell_match_a_hand_calculation() -> None:
    """Only single cells are answered: one possible value remains in a certain cell, two in another."""
    people = [Person(age=30, work="own", value="flu"), Person(age=40, work="own", value="cold")]

    def answering(**bounds: Bounds) -> Ask:
        return lambda query: bounds if query.conditions[1].sign == "=" else None

    sure = subtract(people, answering(flu=(1, 1), cold=(0, 1)))
    assert (sure.certain, sure.wrong, sure.fewest_records) == (2, 1, 2)
    unsure = subtract(people, answering(flu=(0, 1), cold=(0, 1)))
    assert (unsure.certain, unsure.wrong, unsure.fewest_values) == (0, 0, 2)
    assert subtract(people, lambda _query: None).fewest_values == 2
