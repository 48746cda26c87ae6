"""Compare releases with four peers: a Mondrian of 40 lines, anonypy's, Qiyuan Gong's, and anjana.

    python -m benchmarks.release --adult FOLDER [--surveys FOLDER] [--peers PYTHON] [--out docs/evidence]

The search was tuned on three of the tables (Adult and two with made-up records). Two others were used for
checks during its development. It was not tuned on Fair's (with statsmodels) and, if --surveys names the
folder of list_race.csv, a survey of 1991. PYTHON is an interpreter with the peers
(`benchmarks/release_peers.py`); missing peers are named. Writes release-loss.csv, release-second-value.csv
and release-growth.csv to --out; docs/evidence/releases.md explains them.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.machine import machine
from benchmarks.mondrian import mondrian
from benchmarks.release_data import adult, fair_records, made_up
from benchmarks.tables import cells, write_csv
from privacy.sdc.blocks import BLOCK_FROM, BLOCK_SIZE, in_blocks
from privacy.sdc.bottom_up import bottom_up
from privacy.sdc.classes import Classes, ClassMatrix
from privacy.sdc.column_rule import ColumnRule
from privacy.sdc.generalisation import Boxes, Space
from privacy.sdc.hierarchy import Hierarchy, flat_hierarchy
from privacy.sdc.information_loss import loss
from privacy.sdc.k_member import k_member
from privacy.sdc.requirements import measure_models
from privacy.sdc.table import Table

SURVEYS = {
    "anes96": (("age", "educ", "income", "PID"), "vote", "selfLR"),
    "randhie": (("lncoins", "lpi", "fmde", "physlm", "disea"), "hlthg", "mdvis"),
}
"""Numeric quasi-identifiers, a categorical one, and the sensitive column, by statsmodels data set."""


CHECKED_BY_PYCANON = 10_000
"""Most records for which pycanon checks k and l of our classes; it took two minutes for Adult's 30,162."""

TIMED = 5
"""Number of timed runs of our search; release_peers.py times Mondrian's search as often."""


def survey(name: str) -> tuple[Table, dict[str, Hierarchy]]:
    """Read a survey from statsmodels, with the roles of its columns."""
    from statsmodels import datasets

    numeric, category, sensitive = SURVEYS[name]
    names = [*numeric, category, sensitive]
    frame = getattr(datasets, name).load_pandas().data[names]
    rules = [ColumnRule(name=each, role="quasi_identifier", kind="numeric") for each in numeric]
    rules += [
        ColumnRule(name=category, role="quasi_identifier"),
        ColumnRule(name=sensitive, role="sensitive"),
    ]
    rows = [[f"{cell:g}" for cell in row] for row in frame.to_numpy().tolist()]
    table = Table.from_rows(names, rows, rules)
    return table, {category: flat_hierarchy(category, table.column(category).values)}


def race_and_politics(folder: Path) -> tuple[Table, dict[str, Hierarchy]]:
    """Read the National Race and Politics Survey of 1991 (from the R package list)."""
    names = ["age", "south", "male", "college", "state", "y"]
    with (folder / "list_race.csv").open(encoding="utf-8", newline="") as file:
        rows = [[row[name] for name in names] for row in csv.DictReader(file)]
    rules = [ColumnRule(name="age", role="quasi_identifier", kind="numeric")]
    rules += [ColumnRule(name=name, role="quasi_identifier") for name in names[1:5]]
    rules.append(ColumnRule(name="y", role="sensitive"))
    table = Table.from_rows(names, [row for row in rows if not {"", "NA", None} & set(row)], rules)
    return table, {name: flat_hierarchy(name, table.column(name).values) for name in names[1:5]}


def people(n: int, seed: int) -> tuple[Table, dict[str, Hierarchy]]:
    """Draw n people, a quarter of whom are ill, older people more often."""
    rng = np.random.default_rng(seed)
    age = np.clip(np.rint(rng.gamma(6, 7.5, n)), 18, 90).astype(int)
    school = np.clip(np.rint(rng.normal(12, 3, n)), 6, 20).astype(int)
    shares = 1 / np.arange(1, 21) ** 0.8
    region = rng.choice(20, n, p=shares / shares.sum())
    sex = rng.integers(0, 2, n)
    ill = rng.random(n) < 1 / (1 + np.exp(1.1 - (age - 45) / 15 - (sex - 0.5)))
    columns = [age.tolist(), school.tolist(), region.tolist(), sex.tolist(), ill.tolist()]
    names = ["age", "school", "region", "sex", "ill"]
    rules = [ColumnRule(name=name, role="quasi_identifier", kind="numeric") for name in names[:2]]
    rules += [ColumnRule(name=name, role="quasi_identifier") for name in names[2:4]]
    rules.append(ColumnRule(name="ill", role="sensitive"))
    rows = [list(map(str, row)) for row in zip(*columns, strict=True)]
    table = Table.from_rows(names, rows, rules)
    return table, {name: flat_hierarchy(name, table.column(name).values) for name in names[2:4]}


def ours(table: Table, trees: dict[str, Hierarchy], k: int, l_value: int) -> tuple[dict[str, Any], Classes]:
    """Return processor seconds, loss and the bounds that the classes satisfy; and the classes."""
    space, sensitive = Space.of(table, trees), table.sensitive[0]
    # Not timed: the first call compiles code.
    k_member(space, k, sensitive=sensitive, l_value=l_value)
    seconds = []
    for _ in range(TIMED):
        began = time.process_time()
        classes = k_member(space, k, sensitive=sensitive, l_value=l_value)
        seconds.append(time.process_time() - began)
    distinct = np.bincount(ClassMatrix.of(classes, sensitive).classes)
    return {
        "seconds": min(seconds),
        "ncp": loss(space, classes).ncp,
        "smallest": int(classes.sizes.min()),
        "fewest": int(distinct.min()),
    }, classes


def _timed_mondrian(table: Table, k: int) -> tuple[float, Classes]:
    seconds = []
    for _ in range(TIMED):
        begun = time.process_time()
        classes = mondrian(table, k)
        seconds.append(time.process_time() - begun)
    return min(seconds), classes


def write_table(path: Path, table: Table, texts: list[list[str]] | None = None) -> None:
    """Write quasi-identifiers (or their labels) and the sensitive column in the peers' format."""
    columns = [*table.quasi_identifiers, table.sensitive[0]]
    cells = [column.texts for column in columns]
    if texts is not None:
        cells[: len(texts)] = texts
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([column.name for column in columns])
        writer.writerows(zip(*cells, strict=True))


def peer(python: str, task: str, path: Path, folder: Path, k: int) -> dict[str, Any] | None:
    """Run a peer's task; None if its package is missing."""
    package = task.split("_")[0]
    if subprocess.run([python, "-c", f"import {package}"], capture_output=True).returncode:
        return None
    script = Path(__file__).with_name("release_peers.py")
    command = [python, str(script), task, str(path), str(folder), str(k), "1", "0", "1"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def write_hierarchies(folder: Path, space: Space, finest: int = 8) -> None:
    """Write every column's levels for peers: for numbers from `finest` intervals to halves, and the trees."""
    for axis in space.numeric:
        width = max(axis.extent, 1.0) / finest
        low = float(axis.numbers[0])
        place = np.minimum((axis.numbers - low) // width, finest - 1).astype(int).tolist()
        levels = range(finest.bit_length() - 1)
        rows = [
            [text, *(f"part {at >> level} of {finest >> level}" for level in levels), "*"]
            for text, at in zip(axis.values, place, strict=True)
        ]
        _write_rows(folder / f"h_{axis.name}.csv", rows)
    for tree in space.categorical:
        _write_rows(folder / f"h_{tree.name}.csv", tree.hierarchy.rows())


def _write_rows(path: Path, rows: Any) -> None:
    path.write_text("".join(";".join(row) + "\n" for row in rows), encoding="utf-8")


def boxes_loss(path: Path, space: Space) -> float:
    """Return the NCP of anonypy's classes, read from its ranges and sets."""
    lost = total = 0.0
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            count = float(row["count"])
            total += count
            for axis in space.numeric:
                ends = (
                    row[axis.name].strip("[]'").split("-")
                    if "-" in row[axis.name]
                    else [row[axis.name].strip("[]'")] * 2
                )
                lost += count * (float(ends[-1]) - float(ends[0])) / axis.extent
            for tree in space.categorical:
                values = sorted(set(row[tree.name].strip("[]'").split(",")))
                values = [value.strip(" '") for value in values]
                leaves = [tree.hierarchy.labels[0].index(value) for value in values]
                lost += count * float(tree.width(np.array([min(leaves)]), np.array([max(leaves)]))[0])
    return lost / total / len(space.axes)


def labels_as_classes_loss(path: Path, space: Space) -> float:
    """Return the NCP of the smallest boxes around rows with the same labels: at most that of the labels."""
    return loss(space, classes_by_labels(path, space)).ncp


def classes_by_labels(path: Path, space: Space) -> Classes:
    """Return classes of rows with the same labels."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [tuple(row[name] for name in space.names) for row in csv.DictReader(file)]
    if len(rows) != len(space):
        raise SystemExit(f"anjana returned {len(rows)} of {len(space)} records.")
    number = {row: at for at, row in enumerate(dict.fromkeys(rows))}
    return Classes.from_numbers([number[row] for row in rows])


def boxes_of_cells(path: Path, space: Space) -> Boxes:
    """Read each record's box: around all values with the same label, or the whole axis if suppressed."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    low, high = space.codes.copy(), space.codes.copy()
    for position, axis in enumerate(space.axes):
        codes = space.codes[:, position]
        labels = np.array([row[axis.name] for row in rows])
        for label in np.unique(labels):
            own = labels == label
            members = codes if label in ("NA", "*") else codes[own]
            low[own, position], high[own, position] = members.min(), members.max()
    return Boxes(low=low, high=high)


def row_of(name: str, n: int, tool: str, k: int, l_value: int, *figures: Any) -> str:
    """Return one line of the page; cells without a measurement are empty."""
    shown = [f"{figure:.4f}" if at == 1 else f"{figure:.2f}" for at, figure in enumerate(figures[:3])]
    shown += [str(figure) for figure in figures[3:]] or ["", ""]
    return "| " + " | ".join([name, str(n), tool, str(k), str(l_value), *shown]) + " |"


def missing(name: str, n: int, tool: str) -> str:
    """Return the line of a peer that is not installed."""
    return f"| {name} | {n} | {tool} | missing | | | | | | |"


def compare(
    name: str, table: Table, trees: dict[str, Hierarchy], python: str | None, k: int, l_value: int
) -> list[str]:
    """Return the lines of the page for one table."""
    lines = []
    best, n = 0.0, len(table)
    space = Space.of(table, trees)
    for wanted in (1, l_value):
        found, classes = ours(table, trees, k, wanted)
        best = best or found["ncp"]
        figures = found["seconds"], found["ncp"], found["ncp"] / best, found["smallest"], found["fewest"]
        lines.append(row_of(name, n, "tight", k, wanted, *figures))
    # Insert the simple baseline first; it is stronger than the packages.
    seconds, cut = _timed_mondrian(table, k)
    ncp = loss(space, cut).ncp
    lines.insert(0, row_of(name, n, "Mondrian, widest span", k, 1, seconds, ncp, ncp / best))
    begun = time.process_time()
    joined = bottom_up(space, k)
    seconds, ncp = time.process_time() - begun, loss(space, joined).ncp
    lines.append(row_of(name, n, "bottom-up", k, 1, seconds, ncp, ncp / best))
    if python is None:
        return lines
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        raw = folder / "raw.csv"
        write_table(raw, table)
        if there := peer(python, "anonypy", raw, folder, k):
            ncp = boxes_loss(Path(f"{raw}.anonypy.csv"), space)
            lines.append(row_of(name, n, "anonypy (Mondrian)", k, 1, there["processor"][0], ncp, ncp / best))
        else:
            lines.append(missing(name, n, "anonypy"))
        if there := peer(python, "mondrian", raw, folder, k):
            for order, seconds in there["searched"].items():
                numbers = np.loadtxt(f"{raw}.mondrian-{order}.csv", skiprows=1, dtype=np.int64)
                ncp = loss(space, Classes.from_numbers(numbers)).ncp
                lines.append(row_of(name, n, f"Mondrian, categories {order}", k, 1, seconds, ncp, ncp / best))
        else:
            lines.append(missing(name, n, "Mondrian"))
        write_hierarchies(folder, space)
        if there := peer(python, "anjana_k", raw, folder, k):
            ncp = labels_as_classes_loss(Path(f"{raw}.anjana.csv"), space)
            lines.append(row_of(name, n, "anjana", k, 1, there["processor"][0], ncp, ncp / best))
        else:
            lines.append(missing(name, n, "anjana"))
        if n <= CHECKED_BY_PYCANON:
            released = folder / "released.csv"
            labels = [
                [texts[number] for number in classes.number.tolist()]
                for texts in space.labels(space.boxes(classes.number, classes.count))
            ]
            write_table(released, table, labels)
            if there := peer(python, "pycanon", released, folder, k):
                checked = f"{there['processor'][0]:.2f} | | | {there['reached_k']} | {there['distinct_l']}"
                lines.append(f"| {name} | {n} | pycanon checks tight | {k} | {l_value} | {checked} |")
            else:
                lines.append(missing(name, n, "pycanon"))
    return lines


def scarce(seeds: range) -> list[str]:
    """Measure the cost of requiring a second sensitive value, for several draws of ten thousand people."""
    lines = ["| draw | L = 1 | L = 2 | ratio |"]
    for seed in seeds:
        table, trees = people(10_000, seed)
        one, two = (ours(table, trees, 5, l_value)[0]["ncp"] for l_value in (1, 2))
        lines.append(f"| {seed} | {one:.4f} | {two:.4f} | {two / one:.3f} |")
    return lines


def growth(sizes: list[int]) -> list[str]:
    """Measure the seconds of releases and of their checks by number of records, in blocks if it is large."""
    lines = ["| records | largest block | tight, s | NCP | check, s |"]
    for n in sizes:
        table, trees = made_up(n, 5)
        space, sensitive = Space.of(table, trees), table.sensitive[0]
        for largest in {n if n <= BLOCK_FROM else BLOCK_SIZE, BLOCK_SIZE if n == BLOCK_FROM else 0} - {0}:
            begun = time.process_time()
            classes = in_blocks(
                space,
                lambda part, its, sensitive=sensitive: k_member(
                    part, 10, sensitive=sensitive.take(its), l_value=3
                ),
                largest=largest,
                values=sensitive.codes,
                l_value=3,
            )
            seconds = time.process_time() - begun
            begun = time.process_time()
            measure_models(
                ClassMatrix.of(Classes.of_columns(table.quasi_identifiers), sensitive), "occupation"
            )
            checked = time.process_time() - begun
            ncp = loss(space, classes).ncp
            lines.append(f"| {n} | {min(n, largest)} | {seconds:.2f} | {ncp:.4f} | {checked:.3f} |")
    return lines


def main() -> None:
    """Measure every table and write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--adult", type=Path, required=True)
    parser.add_argument("--surveys", type=Path, help="folder of list_race.csv")
    parser.add_argument("--peers", help="Python interpreter with anonypy, anjana, pycanon and Mondrian")
    parser.add_argument("--large", default="10000,30000,100000,300000,1000000")
    parser.add_argument("--out", type=Path, default=Path("docs/evidence"))
    given = parser.parse_args()
    lines = ["| table | records | tool | k | L | seconds | NCP | ratio | smallest | fewest |"]
    fair = fair_records()
    tables = [("Fair", (fair, {}), 5, 2)]
    if given.surveys:
        tables.append(("race", race_and_politics(given.surveys), 5, 2))
    tables += [(name, survey(name), 5, 2) for name in SURVEYS]
    tables += [("people", people(10_000, 1), 5, 2), ("made up", made_up(30_000, 5), 10, 3)]
    tables.append(("Adult", adult(given.adult), 10, 3))
    print(machine())
    for name, (table, trees), k, l_value in tables:
        lines += compare(name, table, trees, given.peers, k, l_value)
        # Save after each table, because the peers run for minutes and no measurement should be lost.
        write_csv(given.out / "release-loss.csv", map(cells, lines))
    write_csv(given.out / "release-second-value.csv", map(cells, scarce(range(1, 6))))
    sizes = [int(size) for size in given.large.split(",")]
    write_csv(given.out / "release-growth.csv", map(cells, growth(sizes)))


if __name__ == "__main__":
    main()
