"""Tables that the tests share, made here and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from privacy.sdc import ColumnRule, Hierarchy, Space, Table, flat_hierarchy
from privacy.sdc.table import Column
from surveys.tables.table import ReadColumn, ReadTable

# Sweeney 2002: race, year of birth, sex, postal code, problem.
ELEVEN = [
    ("Black", "1965", "m", "0214*", "short breath"),
    ("Black", "1965", "m", "0214*", "chest pain"),
    ("Black", "1965", "f", "0213*", "hypertension"),
    ("Black", "1965", "f", "0213*", "hypertension"),
    ("Black", "1964", "f", "0213*", "obesity"),
    ("Black", "1964", "f", "0213*", "chest pain"),
    ("White", "1964", "m", "0213*", "chest pain"),
    ("White", "1964", "m", "0213*", "obesity"),
    ("White", "1964", "m", "0213*", "short breath"),
    ("White", "1967", "m", "0213*", "chest pain"),
    ("White", "1967", "m", "0213*", "chest pain"),
]
# Zhu et al. 2010, figures 1 and 2: age, sex, postal code, disease; then the electoral roll.
PATIENTS = [
    ("25", "F", "12300", "AIDS"),
    ("29", "F", "14000", "pneumonia"),
    ("38", "M", "13500", "bronchitis"),
    ("37", "M", "13010", "flu"),
    ("40", "M", "13400", "bronchitis"),
    ("26", "M", "12600", "flu"),
]
VOTERS = {
    "name": ["Betty", "Linda", "Bill", "Sam", "John"],
    "age": ["25", "35", "21", "35", "28"],
    "sex": ["F", "F", "M", "M", "M"],
    "zip": ["12300", "13000", "12000", "27000", "14000"],
}


def table_of(
    names: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    sensitive: Sequence[str] = (),
    numeric: Sequence[str] = (),
    insensitive: Sequence[str] = (),
) -> Table:
    """Build a table: what is not named otherwise is a categorical quasi-identifier."""
    rules = [
        ColumnRule(
            name=name,
            role="sensitive"
            if name in sensitive
            else "insensitive"
            if name in insensitive
            else "quasi_identifier",
            kind="numeric" if name in numeric else "categorical",
        )
        for name in names
    ]
    return Table.from_rows(names, rows, rules)


def eleven() -> Table:
    return table_of(["race", "birth", "sex", "zip", "problem"], ELEVEN, sensitive=["problem"])


def patients() -> Table:
    return table_of(["age", "sex", "zip", "disease"], PATIENTS, sensitive=["disease"], numeric=["age"])


def codes_column(name: str, codes: Sequence[int], *, role: str = "sensitive") -> Column:
    width = max(codes) + 1
    return Column(
        name=name,
        role=role,
        kind="categorical",
        values=tuple(f"v{number:02d}" for number in range(width)),
        codes=np.array(codes, dtype=np.int32),
    )


def tree_of(table: Table, groups: Mapping[str, Mapping[str, str]]) -> dict[str, Hierarchy]:
    """Hierarchies of the categorical quasi-identifiers: flat, or of three levels where groups are named."""
    found = {}
    for column in table.quasi_identifiers:
        if column.name in groups:
            rows = [(value, groups[column.name].get(value, value), "*") for value in column.values]
            found[column.name] = Hierarchy.from_rows(column.name, rows)
        elif column.numbers is None:
            found[column.name] = flat_hierarchy(column.name, column.values)
    return found


WORK = {"state": "public", "city": "public", "own": "private", "firm": "private"}


def random_table(seed: int, n: int) -> tuple[Table, dict[str, Hierarchy]]:
    """A table of ages, years at school, work (three levels), sex and a disease."""
    rng = np.random.default_rng(seed)
    rows = [
        (
            str(rng.integers(18, 60)),
            str(rng.integers(1, 9)),
            str(rng.choice(["state", "city", "own", "firm", "none"])),
            str(rng.choice(["F", "M"])),
            str(rng.choice(["flu", "cold", "cough", "ulcer"], p=[0.5, 0.3, 0.15, 0.05])),
        )
        for _ in range(n)
    ]
    names = ["age", "school", "work", "sex", "disease"]
    table = table_of(names, rows, sensitive=["disease"], numeric=["age", "school"])
    return table, tree_of(table, {"work": WORK})


def random_space(seed: int, n: int) -> tuple[Space, Table]:
    table, trees = random_table(seed, n)
    return Space.of(table, trees), table


def read_column(name: str, texts: Sequence[str]) -> ReadColumn:
    """A column as a file from outside holds it."""
    return ReadTable.of_rows([name], [[text] for text in texts]).columns[0]
