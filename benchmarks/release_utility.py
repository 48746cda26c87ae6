"""Compare loss, seconds and usefulness of releases with strong peers, on Adult and on public tables.

    python -m benchmarks.release_utility --adult FOLDER --tables FOLDER [--peers PYTHON] [--arx CLASSPATH]
        [--most 5000]

Nothing was tuned on the public tables. In addition to the loss (NCP), two analyses of a researcher are
compared: a regression of the sensitive column on all others, and its cross table with the first category. A
label is read as its middle, or as the shares of its values. Larger tables are sampled without replacement to
--most records, because anonypy takes minutes. CLASSPATH has ARX and its dependencies; sdcMicro is the one
that Rscript finds. Writes release-use.csv to --out; docs/evidence/releases.md explains it.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.machine import machine
from benchmarks.mondrian import mondrian
from benchmarks.release import (
    boxes_loss,
    boxes_of_cells,
    classes_by_labels,
    peer,
    write_hierarchies,
    write_table,
)
from benchmarks.release_data import adult, made_up, public_tables, released_as, released_by
from benchmarks.tables import cells, write_csv
from privacy.arrays import Array
from privacy.sdc.classes import Classes
from privacy.sdc.generalisation import Boxes, Space
from privacy.sdc.hierarchy import Hierarchy
from privacy.sdc.information_loss import loss
from privacy.sdc.k_member import k_member
from privacy.sdc.label_conditions import Condition
from privacy.sdc.label_spread import LabelSpread
from privacy.sdc.published_labels import Domain
from privacy.sdc.queries import answer
from privacy.sdc.query_language import Query
from privacy.sdc.table import Table

K = 5
RUNS = 3
HERE = Path(__file__).parent


def sample(table: Table, most: int) -> Table:
    """Draw records without replacement."""
    if len(table) <= most:
        return table
    chosen = np.sort(np.random.default_rng(6).choice(len(table), most, replace=False))
    rows = [[column.values[column.codes[row]] for column in table.columns] for row in chosen.tolist()]
    return Table.from_rows([column.name for column in table.columns], rows, list(rules_of(table)))


def rules_of(table: Table) -> Any:
    """Yield the rules that a table was read with."""
    from privacy.sdc.column_rule import ColumnRule

    for column in table.columns:
        kind = "numeric" if column.numbers is not None else "categorical"
        yield ColumnRule(name=column.name, role=column.role, kind=kind)


def features(table: Table, original: Table, domains: dict[str, Domain]) -> Array:
    """Read quasi-identifiers as numbers: middles of labels, or shares of each value except the first."""
    columns = [np.ones(len(table))]
    for column in table.quasi_identifiers:
        source = original.column(column.name)
        domain = domains.get(column.name, Domain(name=column.name, numeric=source.numbers is not None))
        spread = LabelSpread(column=column, domain=domain)
        if source.numbers is not None:
            columns.append(spread.fits([]).mean[0][column.codes])
            continue
        for value in source.values[1:]:
            condition = Condition(column=column.name, sign="=", values=(value,))
            columns.append(spread.fits([condition]).share[0][column.codes])
    return np.stack(columns, axis=1)


def response_of(table: Table) -> Array:
    """Return the sensitive column as numbers, or flags of its most frequent value."""
    column = table.sensitive[0]
    try:
        numbers = np.array([float(value) for value in column.values])
    except ValueError:
        numbers = (np.arange(len(column.values)) == np.bincount(column.codes).argmax()).astype(float)
    return numbers[column.codes]


def regression_error(original: Table, released: Table, domains: dict[str, Domain]) -> float:
    """Return the root mean square of errors of coefficients, in units of their original standard errors."""
    response = response_of(original)
    before, after = features(original, original, {}), features(released, original, domains)
    inverse = np.linalg.pinv(before.T @ before)
    true = inverse @ before.T @ response
    residual = response - before @ true
    errors = np.sqrt(np.diag(inverse) * (residual @ residual) / (len(response) - before.shape[1]))
    found = np.linalg.pinv(after) @ response
    known = errors > 0
    return float(np.sqrt(np.mean(((found - true)[known] / errors[known])[1:] ** 2)))


def cross_error(original: Table, released: Table, domains: dict[str, Domain]) -> float:
    """Return the share of records that are in a wrong cell of the cross table."""
    first = next(column for column in original.quasi_identifiers if column.numbers is None)
    sensitive = original.sensitive[0]
    true = np.zeros((len(first.values), len(sensitive.values)))
    np.add.at(true, (first.codes, sensitive.codes), 1)
    wrong = 0.0
    for row, value in enumerate(first.values):
        for column, sensitive_value in enumerate(sensitive.values):
            conditions = (
                Condition(column=first.name, sign="=", values=(value,)),
                Condition(column=sensitive.name, sign="=", values=(sensitive_value,)),
            )
            (cell,) = answer(released, Query(conditions=conditions, groups=()), domains)
            wrong += abs((cell.expected or 0.0) - true[row, column])
    return wrong / 2 / len(original)


def line(
    name: str, tool: str, seconds: float, ncp: float, ratio: float, use: tuple[float, float] | None
) -> str:
    """Return one line of the page."""
    errors = ("", "") if use is None else tuple(f"{figure:.2f}" for figure in use)
    return f"| {name} | {tool} | {seconds:.2f} | {ncp:.4f} | {ratio:.2f} | {errors[0]} | {errors[1]} |"


def arx(paths: str, raw: Path, folder: Path) -> float | None:
    """Anonymise with ARX; return its seconds, None if it is missing."""
    command = [
        "java",
        "-cp",
        paths,
        str(HERE / "ArxPeer.java"),
        str(raw),
        str(folder),
        str(K),
        f"{raw}.arx.csv",
    ]
    return seconds_of(command)


def boxes_of_arx(path: Path, space: Space) -> Boxes:
    """Read the smallest box of records with the same labels; suppressed records get the whole space."""
    classes = classes_by_labels(path, space)
    boxes = space.boxes(classes.number, classes.count).take(classes.number)
    left = classes.sizes[classes.number] < K
    boxes.low[left], boxes.high[left] = space.codes.min(axis=0), space.codes.max(axis=0)
    return boxes


def sdcmicro(raw: Path, folder: Path, level: int) -> float | None:
    """Anonymise with sdcMicro; return its seconds, None if it is missing."""
    script = str(HERE / "sdcmicro_peer.R")
    return seconds_of(["Rscript", script, str(raw), str(folder), str(K), str(level), f"{raw}.sdc{level}.csv"])


def seconds_of(command: list[str]) -> float | None:
    """Run a program that prints its seconds at the start of its last line; None if it is missing or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return float(done.stdout.splitlines()[-1].split()[0]) if done.returncode == 0 else None


def missing(name: str, tool: str) -> str:
    """Return the line of a program that is missing or failed."""
    return f"| {name} | {tool} | missing | | | | |"


def compare(
    name: str, table: Table, trees: dict[str, Hierarchy], python: str | None, paths: str | None
) -> list[str]:
    """Return the lines of one table."""
    space, lines = Space.of(table, trees), []

    def use(classes: Classes) -> tuple[float, float]:
        released, domains = released_by(table, trees, classes)
        return regression_error(table, released, domains), cross_error(table, released, domains)

    def timed(make: Any) -> tuple[float, Classes]:
        taken = []
        for _ in range(RUNS):
            begun = time.process_time()
            classes = make()
            taken.append(time.process_time() - begun)
        return min(taken), classes

    k_member(space, K)
    seconds, classes = timed(lambda: k_member(space, K))
    cut_seconds, cut = timed(lambda: mondrian(table, K))
    ours, theirs = loss(space, classes).ncp, loss(space, cut).ncp
    lines.append(line(name, f"tight ({len(table)} records)", seconds, ours, ours / theirs, use(classes)))
    lines.append(line(name, "Mondrian, widest span", cut_seconds, theirs, 1.0, use(cut)))

    def used(boxes: Boxes) -> tuple[float, float]:
        released, domains = released_as(table, trees, boxes)
        return regression_error(table, released, domains), cross_error(table, released, domains)

    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        raw = folder / "raw.csv"
        write_table(raw, table)
        write_hierarchies(folder, space, finest=64)
        if paths is not None and (taken := arx(paths, raw, folder)) is not None:
            boxes = boxes_of_arx(Path(f"{raw}.arx.csv"), space)
            ncp = float(space.penalties(boxes).mean())
            lines.append(line(name, "ARX", taken, ncp, ncp / theirs, used(boxes)))
        else:
            lines.append(missing(name, "ARX"))
        write_hierarchies(folder, space)
        for level, tool in enumerate(("sdcMicro", "sdcMicro, numbers in eighths")):
            if (taken := sdcmicro(raw, folder, level)) is None:
                lines.append(missing(name, tool))
                continue
            boxes = boxes_of_cells(Path(f"{raw}.sdc{level}.csv"), space)
            ncp = float(space.penalties(boxes).mean())
            lines.append(line(name, tool, taken, ncp, ncp / theirs, used(boxes)))
        if python is None:
            return lines
        if there := peer(python, "anonypy", raw, folder, K):
            ncp = boxes_loss(Path(f"{raw}.anonypy.csv"), space)
            lines.append(line(name, "anonypy", there["processor"][0], ncp, ncp / theirs, None))
        if there := peer(python, "anjana_k", raw, folder, K):
            classes = classes_by_labels(Path(f"{raw}.anjana.csv"), space)
            ncp = loss(space, classes).ncp
            lines.append(line(name, "anjana", there["processor"][0], ncp, ncp / theirs, use(classes)))
    return lines


def main() -> None:
    """Measure every table and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--adult", type=Path, required=True)
    parser.add_argument("--tables", type=Path, required=True, help="folder of the public tables")
    parser.add_argument("--peers", help="Python interpreter with anonypy and anjana")
    parser.add_argument("--arx", help="class path of ARX and what it needs")
    parser.add_argument("--most", type=int, default=5_000)
    parser.add_argument("--out", type=Path, default=Path("docs/evidence"))
    given = parser.parse_args()
    lines = ["| table | tool | seconds | NCP | to Mondrian | regression | cross table |"]
    print(machine())
    # Not timed: compiles the code that all tables use.
    k_member(Space.of(*made_up(30_000, 5)), K)
    for name, table, trees in (("Adult", *adult(given.adult)), *public_tables(given.tables)):
        part = sample(table, given.most)
        lines += compare(name, part, trees, given.peers, given.arx)
        print(*lines[-4:], sep="\n", flush=True)
        write_csv(given.out / "release-use.csv", map(cells, lines))


if __name__ == "__main__":
    main()
