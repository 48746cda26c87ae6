"""An attacker who knows everyone's age and job asks every possible question and solves for the wages.

Answers are linear bounds on 0-1 unknowns. An integer program finds each person's wages in all tables that fit
the answers. A naive service that counts records must be broken.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import scipy

from privacy.sdc.generalisation import Space
from privacy.sdc.k_member import k_member
from privacy.sdc.labels import Domain, label_column
from privacy.sdc.queries import Answer, answer
from privacy.sdc.query_language import parse
from privacy.sdc.table import Table
from tests.fixtures.tables import table_of, tree_of

WAGES = tuple(range(5))
K, L = 4, 3
AGES, WORKS = (20, 30, 40, 50), ("city", "firm", "own")

Ask = Callable[[str], tuple[Answer, ...]]


@pytest.fixture(scope="module")
def people() -> list[tuple[int, str, int]]:
    rng = np.random.default_rng(12)
    return [(int(rng.integers(20, 60)), WORKS[rng.integers(3)], int(rng.integers(5))) for _ in range(14)]


def table_of_people(people: list[tuple[int, str, int]]) -> Table:
    rows = [tuple(map(str, person)) for person in people]
    return table_of(["age", "work", "wage"], rows, sensitive=["wage"], numeric=["age"])


@pytest.fixture(scope="module")
def release(people: list[tuple[int, str, int]]) -> tuple[Table, dict[str, Domain], np.ndarray]:
    """Return the published table, what its labels mean, and each person's class."""
    table = table_of_people(people)
    trees = tree_of(table, {})
    space = Space.of(table, trees)
    classes = k_member(space, K, sensitive=table.sensitive[0], l_value=L)
    labels = dict(zip(space.names, space.labels(space.boxes(classes.number, classes.count)), strict=True))
    columns = tuple(
        label_column(name, table.column(name).role, [labels[name][at] for at in classes.number.tolist()])
        if name in labels
        else table.column(name)
        for name in ("age", "work", "wage")
    )
    domains = {
        "age": Domain(name="age", numeric=True, whole=True),
        "work": Domain.of_hierarchy(trees["work"]),
        "wage": Domain(name="wage", numeric=True, whole=True),
    }
    return Table(columns=columns, source_rows=np.arange(len(people))), domains, classes.number


@pytest.fixture(scope="module")
def ask(release: tuple[Table, dict[str, Domain], np.ndarray]) -> Ask:
    """Return a function that answers a query from the published table."""
    table, domains, _number = release
    return cache(lambda text: answer(table, parse(text), domains))


def questions(people: list[tuple[int, str, int]]) -> Iterator[tuple[str, Callable[[int, str], bool]]]:
    """Yield conditions on known columns, each with its meaning: single cells, trackers, alternatives."""
    ages = sorted({age for age, _work, _wage in people})
    for work in WORKS:
        for age in ages:
            yield f"age = {age} and work = {work}", lambda a, w, age=age, work=work: (a, w) == (age, work)
        for age in AGES:
            yield f"age < {age} or work = {work}", lambda a, w, age=age, work=work: a < age or w == work
            yield (
                f"age >= {age} and work = {work} or age < {age} and work != {work}",
                lambda a, w, age=age, work=work: (a >= age) == (w == work),
            )
    for age in ages:
        yield f"age <= {age}", lambda a, _w, age=age: a <= age
        yield f"age > {age}", lambda a, _w, age=age: a > age


def possible_wages(people: list[tuple[int, str, int]], ask: Ask) -> list[set[int]]:
    """Return the wages that each person can have in tables that fit every answer."""
    n, width = len(people), len(WAGES)
    rows, low, high = [], [], []

    def bound(weights: np.ndarray, least: float, most: float) -> None:
        rows.append(weights.ravel())
        low.append(least)
        high.append(most)

    for person in range(n):
        one = np.zeros((n, width))
        one[person] = 1
        bound(one, 1, 1)
    for condition, holds in questions(people):
        inside = np.array([holds(age, work) for age, work, _wage in people], dtype=float)[:, None]
        count = inside.sum()
        for cell in ask(f"count where {condition} group by wage"):
            of_wage = (np.arange(width) == int(cell.group[0]))[None, :]
            bound(inside * of_wage, cell.lower or 0, cell.upper or 0)
        if not count:
            continue
        (mean,) = ask(f"mean wage where {condition}")
        bound(inside * np.array(WAGES), count * mean.lower - 1e-6, count * mean.upper + 1e-6)
        (median,) = ask(f"median wage where {condition}")
        bound(inside * (np.array(WAGES) <= median.upper), np.ceil(count / 2), count)
        bound(inside * (np.array(WAGES) >= median.lower), np.ceil(count / 2), count)
    told = scipy.optimize.LinearConstraint(np.array(rows), low, high)
    is_possible = np.zeros(n * width, dtype=bool)
    while True:
        # Find a table that fits the answers and shows as many new possible wages as any does.
        solved = scipy.optimize.milp(
            is_possible - 1.0, constraints=told, integrality=np.ones(n * width), bounds=(0, 1)
        )
        assert solved.success, "the answers contradict each other"
        shown = solved.x > 0.5
        if not (shown & ~is_possible).any():
            break
        is_possible |= shown
    return [set(np.flatnonzero(wages).tolist()) for wages in is_possible.reshape(n, width)]


def test_all_answers_combined_keep_every_wage_of_the_class_possible(people, release, ask):
    _table, _domains, number = release
    found = possible_wages(people, ask)
    for person, wages in enumerate(found):
        of_class = {people[other][2] for other in np.flatnonzero(number == number[person]).tolist()}
        assert wages >= of_class
        assert len(of_class) >= L


def test_the_attack_detects_bounds_computed_from_the_records(people, ask):
    """A naive service: counts of four or more are exact, and smaller ones are bounded by the labels."""
    truth = table_of_people(people)
    exact = {name: Domain(name=name, numeric=name != "work") for name in ("age", "work", "wage")}

    def ask_naive(text: str) -> tuple[Answer, ...]:
        said = ask(text)
        if not text.startswith("count"):
            return said
        true = answer(truth, parse(text), exact)
        return tuple(
            replace(one, lower=of.lower, upper=of.upper) if of.most >= K else one
            for one, of in zip(said, true, strict=True)
        )

    found = possible_wages(people, ask_naive)
    assert all(person[2] in wages for person, wages in zip(people, found, strict=True))
    assert min(map(len, found)) < L


def test_swapping_wages_within_a_class_changes_no_answer(people, release, ask):
    """Bounds, expected values and likely ranges are functions of the published table."""
    table, domains, number = release
    rng = np.random.default_rng(3)
    order = np.arange(len(people))
    for at in np.unique(number):
        inside = np.flatnonzero(number == at)
        order[inside] = rng.permutation(inside)
    wage = table.column("wage")
    moved = Table(
        columns=(table.column("age"), table.column("work"), replace(wage, codes=wage.codes[order])),
        source_rows=table.source_rows,
    )
    assert (moved.column("wage").codes != wage.codes).any()
    for condition, _holds in questions(people):
        groups = "wage" if "work" in condition else "work, wage"
        for text in (f"count where {condition} group by {groups}", f"median wage where {condition}"):
            assert answer(moved, parse(text), domains) == ask(text)
