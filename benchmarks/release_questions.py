"""Measure how often the likely range of an answer contains the true figure, on development tables and others.

    python -m benchmarks.release_questions --adult FOLDER [--surveys FOLDER] [--tables FOLDER] [--out DIR]

Random questions are answered from releases by `tight` and from the records: counts, means and medians, with
up to three conditions, one in five with an alternative, some with values that no record has. Questions that
the labels answer exactly are left out. Writes release-answers.csv to --out; docs/evidence/releases.md
explains it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.machine import machine
from benchmarks.release import SURVEYS, people, race_and_politics, survey
from benchmarks.release_data import adult, fair_records, public_tables, released_by
from benchmarks.tables import write_csv
from privacy.numeric_text import number_text
from privacy.sdc.generalisation import Space
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.k_member import k_member
from privacy.sdc.label_conditions import Condition
from privacy.sdc.queries import answer
from privacy.sdc.query_language import Query
from privacy.sdc.table import Column, Table

ASKED = 100
"""Number of questions for each kind, table and k."""
KINDS = ("count", "mean", "median")

Tables = Iterator[tuple[str, str, Table, dict[str, Hierarchy]]]


def tables(given: argparse.Namespace) -> Tables:
    """Yield each table, and whether the range was developed on it."""
    yield "Fair", "tried", fair_records(), {}
    for name in SURVEYS:
        yield name, "tried", *survey(name)
    yield "people", "tried", *people(10_000, 1)
    yield "Adult", "tried", *adult(given.adult)
    if given.surveys:
        yield "race", "tried", *race_and_politics(given.surveys)
    if given.tables:
        for name, table, trees in public_tables(given.tables):
            yield name, "new", table, trees


def drawn(table: Table, kind: str, rng: np.random.Generator) -> Query:
    """Draw a question about quasi-identifiers."""
    quasi = table.quasi_identifiers
    numbers = [column.name for column in quasi if column.numbers is not None]
    number = None if kind == "count" else numbers[rng.integers(len(numbers))]
    others = [column for column in quasi if column.name != number]
    least = 1 if kind == "count" else 0

    def term() -> tuple[Condition, ...]:
        n = int(rng.integers(least, min(3, len(others)) + 1))
        return tuple(condition(others[at], rng) for at in rng.permutation(len(others))[:n].tolist())

    terms = [term()]
    if terms[0] and rng.random() < 0.2 and (other := term()):
        terms.append(other)
    return Query(
        conditions=terms[0],
        alternatives=tuple(terms[1:]),
        groups=(),
        mean_of=number if kind == "mean" else None,
        median_of=number if kind == "median" else None,
    )


def condition(column: Column, rng: np.random.Generator) -> Condition:
    """Draw an interval between two records' numbers, or a single value, possibly rare, or half the values."""
    if column.numbers is not None:
        ends = np.sort(column.numbers[column.codes[rng.integers(len(column.codes), size=2)]])
        values = tuple(map(number_text, ends.tolist()))
        return Condition(column=column.name, sign="between", values=values)
    if rng.random() < 0.3:
        chosen = [int(column.codes[rng.integers(len(column.codes))])]
    else:
        size = 1 if rng.random() < 0.5 else max(1, len(column.values) // 2)
        chosen = rng.permutation(len(column.values))[:size].tolist()
    return Condition(column=column.name, sign="in", values=tuple(column.values[code] for code in chosen))


def truth(table: Table, query: Query) -> float | None:
    """Compute the answer from the records, independently of the measured code; None if no record matches."""
    holds = np.zeros(len(table), dtype=bool)
    for term in query.terms:
        both = np.ones(len(table), dtype=bool)
        for one in term:
            column = table.column(one.column)
            if column.numbers is None:
                fits = np.isin(np.array(column.values, dtype=object), one.values)
            else:
                fits = (column.numbers >= float(one.values[0])) & (column.numbers <= float(one.values[-1]))
            both &= fits[column.codes]
        holds |= both
    if query.number is None:
        return float(holds.sum())
    column = table.column(query.number)
    assert column.numbers is not None
    numbers = column.numbers[column.codes][holds]
    if not len(numbers):
        return None
    return float(numbers.mean() if query.kind == "mean" else np.median(numbers))


def measured(table: Table, trees: dict[str, Hierarchy], k: int, rng: np.random.Generator) -> list[str]:
    """Return a cell for each kind of question: their number, the share that hold, and the width."""
    space = Space.of(table, trees)
    released, domains = released_by(table, trees, k_member(space, k))
    cells = []
    for kind in KINDS:
        held, widths = [], []
        for _ in range(ASKED):
            query = drawn(table, kind, rng)
            true, (found,) = truth(table, query), answer(released, query, domains)
            if true is None or found.lower is None or found.upper is None or found.lower == found.upper:
                continue
            assert found.likely_lower is not None
            assert found.likely_upper is not None
            off = 1e-9 * max(1.0, abs(true))
            if not found.lower - off <= true <= found.upper + off:
                raise SystemExit(f"A bound does not hold: {query}, {true}, {found}")
            held.append(found.likely_lower - off <= true <= found.likely_upper + off)
            widths.append((found.likely_upper - found.likely_lower) / (found.upper - found.lower))
        cells += (
            [str(len(held)), f"{np.mean(held):.2f}", f"{np.median(widths):.2f}"] if held else ["0", "", ""]
        )
    return cells


def main() -> None:
    """Measure every table and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--adult", type=Path, required=True)
    parser.add_argument("--surveys", type=Path, help="folder of list_race.csv")
    parser.add_argument("--tables", type=Path, help="folder of the public tables, benchmarks/release_data.py")
    parser.add_argument("--out", type=Path, default=Path("docs/evidence"))
    given = parser.parse_args()
    head = ["table", "used", "records", "k"]
    lines = [[*head, *(f"{kind}s{part}" for kind in KINDS for part in ("", " held", " width"))]]
    print(machine())
    rng = np.random.default_rng(20)
    for name, status, table, trees in tables(given):
        for k in (5, 20):
            lines.append([name, status, str(len(table)), str(k), *measured(table, trees, k, rng)])
            print(*lines[-1], flush=True)
            # Save after each table, so that no measurement is lost.
            write_csv(given.out / "release-answers.csv", lines)


if __name__ == "__main__":
    main()
