"""Publish records in equivalence classes by the utility matrix: the experiment of Zhu, Zhao and Wang.

Zhu Qing, Zhao Tong and Wang Shan, "Privacy preservation algorithm for service-oriented information search",
Chinese Journal of Computers 33 (2010) 1315. A table is published in classes of at least k records, each with
one generalised description. The utility matrix (section 3.1) measures how much each quasi-identifier reveals
about each sensitive value, and so how much information a generalisation loses (section 3.2).

Three algorithms are compared for k = 2 to 50 (section 5.2). "Bottom-up" merges the classes that lose least,
anywhere in the table. The algorithm by information loss penalty (ILP) does so within clusters of similar
sensitive values, and then changes sensitive values until each class has L = 3 of them (section 4). KACLUK
merges classes of a cluster at random. The script draws figures 5 (time), 6 (information loss), 7 (classes
with one sensitive value) and 8 (records with a changed value). The paper uses the Adult data of the UCI
repository; without that file, the script makes up a table with the same columns.

From the root of a checkout:

    .venv/bin/python -m examples.utility_matrix --data adult.data --out figures

It writes figure-5.svg to figure-8.svg and points.csv, prints the utility matrix, and answers a question from
the published table alone, as the paper's query service does.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.curves import Series, curves_svg
from privacy import sdc
from privacy.sdc.published_labels import Domain, label_column
from privacy.sdc.table import Column

SIZES = (2, 5, 10, 20, 50)
LEAST_VALUES = 3
"""L, the smallest number of distinct sensitive values in each class."""

ADULT = (
    "age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation",
    "relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week",
    "native-country", "salary-class",
)  # fmt: skip
QUASI_IDENTIFIERS = (
    "age", "education-num", "marital-status", "native-country", "race", "salary-class", "sex", "workclass",
)  # fmt: skip
NUMERIC = ("age", "education-num")
GROUPS = {
    "marital-status": {
        "Married-civ-spouse": "married", "Married-AF-spouse": "married", "Divorced": "parted",
        "Separated": "parted", "Widowed": "alone", "Married-spouse-absent": "alone",
    },
    "workclass": {
        "Federal-gov": "government", "Local-gov": "government", "State-gov": "government",
        "Self-emp-inc": "self-employed", "Self-emp-not-inc": "self-employed", "Without-pay": "unpaid",
        "Never-worked": "unpaid",
    },
}  # fmt: skip
"""The middle level of the two columns with three levels; values not listed form their own groups."""

FIGURES = {
    "seconds": ("figure-5", "Figure 5: time", "seconds"),
    "information_loss": ("figure-6", "Figure 6: information loss", "information loss penalty"),
    "one_value": ("figure-7", "Figure 7: classes with one sensitive value", "share of the classes"),
    "changed": ("figure-8", "Figure 8: changed sensitive values", "share of the records"),
}


def read_adult(path: Path) -> sdc.Table:
    """Read adult.data, leaving out records with missing values."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [[cell.strip() for cell in row] for row in csv.reader(file) if row]
    wanted = [ADULT.index(name) for name in (*QUASI_IDENTIFIERS, "occupation")]
    return table_of([[row[index] for index in wanted] for row in rows if "?" not in row])


def made_up(n: int, rng: np.random.Generator) -> sdc.Table:
    """Draw n records with three families of occupations, whose other values cover different ranges."""
    families = (
        ["clerk", "nurse", "teacher", "driver"],
        ["smith", "baker", "farmer"],
        ["judge", "pilot", "actor"],
    )
    jobs = np.concatenate(families)
    job = rng.choice(len(jobs), size=n, p=np.array([6, 4, 5, 5, 4, 3, 3, 2, 2, 2]) / 36)
    family = np.repeat([0, 1, 2], [4, 3, 3])[job]

    def frequent_first(values: Sequence[str], p: float, widths: tuple[int, int, int]) -> NDArray[np.str_]:
        most = np.array(widths)[family]
        return np.asarray(np.array(values)[np.minimum(rng.geometric(p, n), most) - 1])

    columns = (
        rng.integers(np.array([18, 25, 35])[family], np.array([80, 62, 58])[family]).astype(str),
        rng.integers(np.array([4, 1, 9])[family], np.array([17, 13, 17])[family]).astype(str),
        frequent_first(["Never-married", *sorted(GROUPS["marital-status"])], 0.3, (7, 5, 4)),
        frequent_first([f"land-{letter}" for letter in "abcdefghijklmnop"], 0.45, (16, 6, 9)),
        frequent_first(list("abcd"), 0.7, (4, 2, 2)),
        np.where(rng.random(n) < np.array([0.2, 0.1, 0.6])[family], ">50K", "<=50K"),
        np.where(rng.random(n) < 0.6, "Male", "Female"),
        frequent_first(["Private", *sorted(GROUPS["workclass"])[:-1]], 0.55, (7, 4, 5)),
        jobs[job],
    )
    return table_of([list(row) for row in zip(*(column.tolist() for column in columns), strict=True)])


def table_of(rows: Sequence[Sequence[str]]) -> sdc.Table:
    """Return the table with its quasi-identifiers and the sensitive occupation."""
    rules = [
        sdc.ColumnRule(
            name=name, role="quasi_identifier", kind="numeric" if name in NUMERIC else "categorical"
        )
        for name in QUASI_IDENTIFIERS
    ]
    rules.append(sdc.ColumnRule(name="occupation", role="sensitive"))
    return sdc.Table.from_rows([*QUASI_IDENTIFIERS, "occupation"], rows, rules)


def hierarchies_of(table: sdc.Table) -> dict[str, sdc.Hierarchy]:
    """Return the hierarchies of the categorical columns: value, group if there is one, any value."""
    hierarchies = {}
    for column in table.quasi_identifiers:
        if column.name in GROUPS:
            groups = GROUPS[column.name]
            rows = [(value, groups.get(value, value), "*") for value in column.values]
            hierarchies[column.name] = sdc.Hierarchy.from_rows(column.name, rows)
        elif column.numbers is None:
            hierarchies[column.name] = sdc.flat_hierarchy(column.name, column.values)
    return hierarchies


@dataclass(frozen=True, kw_only=True)
class Point:
    """Results of one algorithm at one k, for the figures."""

    algorithm: str
    k: int
    information_loss: float
    discernibility: int
    one_value: float
    changed: float
    seconds: float


def points(table: sdc.Table, hierarchies: dict[str, sdc.Hierarchy], k: int, seed: int) -> Iterator[Point]:
    """Run the three algorithms on one table."""
    space, sensitive = sdc.Space.of(table, hierarchies), table.sensitive[0]
    matrix = sdc.utility_matrix(space, sensitive)
    weights = sdc.axis_weights(matrix, space)

    def point(
        name: str, classes: sdc.Classes, published: Column, seconds: float, changed: float = 0
    ) -> Point:
        lost = sdc.loss(space, classes, weights=weights)
        return Point(
            algorithm=name,
            k=k,
            information_loss=lost.ilp,
            discernibility=lost.discernibility,
            one_value=float((sdc.ClassMatrix.of(classes, published).distinct == 1).mean()),
            changed=changed,
            seconds=seconds,
        )

    began = time.perf_counter()
    classes = sdc.bottom_up(space, k, weights)
    yield point("bottom-up", classes, sensitive, time.perf_counter() - began)

    began = time.perf_counter()
    rng = np.random.default_rng([seed, k, 0])
    made = sdc.ilp_l_diversity(space, sensitive, k=k, l_value=LEAST_VALUES, matrix=matrix, rng=rng)
    seconds = time.perf_counter() - began
    yield point("by ILP", made.classes, sensitive, seconds)
    changed = replace(sensitive, codes=made.values)
    yield point("by ILP, 3-diverse", made.classes, changed, seconds, made.change_ratio)

    began = time.perf_counter()
    rng = np.random.default_rng([seed, k, 1])
    drawn = sdc.ka_cluster(space, sensitive, k, matrix=matrix, rng=rng)
    yield point("KACLUK", drawn.classes, sensitive, time.perf_counter() - began)


def figure(table: pd.DataFrame, field: str) -> str:
    """Plot one figure of the paper: a field by k, with a curve for each algorithm."""
    _, title, label = FIGURES[field]
    series = [
        Series(label=str(name), x=rows.k.tolist(), y=rows[field].tolist())
        for name, rows in table.groupby("algorithm", sort=False)
    ]
    return curves_svg(series, title=title, x_label="k, least records of a class", y_label=label, log_x=True)


def published(table: sdc.Table, hierarchies: dict[str, sdc.Hierarchy], k: int) -> sdc.Table:
    """Return the table that "bottom-up" publishes, with each value replaced by its class's label."""
    space = sdc.Space.of(table, hierarchies)
    classes = sdc.bottom_up(space, k)
    labels = space.labels(space.boxes(classes.number, classes.count).take(classes.number))
    columns = [
        label_column(name, "quasi_identifier", own) for name, own in zip(space.names, labels, strict=True)
    ]
    return sdc.Table(columns=(*columns, *table.sensitive), source_rows=np.arange(len(table)))


def ask(table: sdc.Table, hierarchies: dict[str, sdc.Hierarchy], question: str) -> pd.DataFrame:
    """Answer a question from the published table, with bounds that are certain."""
    domains = {name: Domain.of_hierarchy(tree) for name, tree in hierarchies.items()}
    domains |= {name: Domain(name=name, numeric=True, whole=True) for name in NUMERIC}
    answers = sdc.answer(published(table, hierarchies, k=10), sdc.parse(question), domains)
    return pd.DataFrame([(*one.group, one.lower, one.expected, one.upper) for one in answers])


def main(argv: Sequence[str] | None = None) -> None:
    """Run the experiment, write figures and table, and print the other results."""
    parser = argparse.ArgumentParser(description="Repeat the experiment of Zhu, Zhao and Wang.")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same classes")
    parser.add_argument("--rows", type=int, default=3_000, help="made-up records (default: 3000)")
    parser.add_argument("--data", type=Path, help="adult.data of the UCI repository")
    parser.add_argument("--out", type=Path, default=Path("figures"), help="folder (default: figures)")
    options = parser.parse_args(argv)
    rng = np.random.default_rng(options.seed)
    table = read_adult(options.data) if options.data else made_up(options.rows, rng)
    hierarchies = hierarchies_of(table)
    space, occupations = sdc.Space.of(table, hierarchies), table.sensitive[0]
    matrix = pd.DataFrame(sdc.utility_matrix(space, occupations), occupations.values, space.names)
    print("Utility matrix:", matrix.round(2).to_string(), sep="\n")
    made = pd.DataFrame([point for k in SIZES for point in points(table, hierarchies, k, options.seed)])
    options.out.mkdir(parents=True, exist_ok=True)
    for field, (name, _, _) in FIGURES.items():
        (options.out / f"{name}.svg").write_text(figure(made, field) + "\n", encoding="utf-8")
    made.to_csv(options.out / "points.csv", index=False, lineterminator="\n")
    print(made.round(4).to_string(index=False))
    question = "count where age < 40 group by occupation"
    print(f"{question}, from the published table: at least, expected, at most")
    print(ask(table, hierarchies, question).round(1).to_string(index=False, header=False))


if __name__ == "__main__":
    main()
