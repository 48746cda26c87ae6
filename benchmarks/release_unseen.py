"""Loss of tight classes beside anonypy's Mondrian and anjana on tables that the search was not tuned to.

    python -m benchmarks.release_unseen --adult FOLDER [--peers PYTHON] [--k 5] [--out docs]

Adult, and two surveys that come with statsmodels: the RAND health insurance experiment (20,190 records) and
the American National Election Study of 1996 (944). Made-up people whose sensitive value is scarce show what
a second value costs. PYTHON is an interpreter with the peers; those it lacks are named. Writes
release-unseen.md into --out. pycanon, where it is there, measures k and l of our classes anew.
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
from benchmarks.release import boxes_loss
from benchmarks.release_data import adult, made_up
from privacy.sdc import (
    Classes,
    ClassMatrix,
    ColumnRule,
    Hierarchy,
    Space,
    Table,
    flat_hierarchy,
    k_member,
    loss,
)

SURVEYS = {
    "anes96": (("age", "educ", "income", "PID"), "vote", "selfLR"),
    "randhie": (("lncoins", "lpi", "fmde", "physlm", "disea"), "hlthg", "mdvis"),
}
"""By set of statsmodels: numeric quasi-identifiers, a categorical one, and the sensitive column."""


def survey(name: str) -> tuple[Table, dict[str, Hierarchy]]:
    """Read a survey of statsmodels with its roles."""
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


def people(n: int, seed: int) -> tuple[Table, dict[str, Hierarchy]]:
    """Draw n people of whom a quarter are ill, the older ones more often."""
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
    """Seconds of processor time, loss and the bounds that the classes keep."""
    space, sensitive = Space.of(table, trees), table.sensitive[0]
    # Once before, so that compiled code is there.
    k_member(space, k, sensitive=sensitive, l_value=l_value)
    began = time.process_time()
    classes = k_member(space, k, sensitive=sensitive, l_value=l_value)
    seconds = time.process_time() - began
    distinct = np.bincount(ClassMatrix.of(classes, sensitive).classes)
    return {
        "seconds": seconds,
        "ncp": loss(space, classes).ncp,
        "smallest": int(classes.sizes.min()),
        "fewest": int(distinct.min()),
    }, classes


def write_table(path: Path, table: Table, texts: list[list[str]] | None = None) -> None:
    """Write quasi-identifiers (or their labels) and the sensitive column, as the peers read them."""
    columns = [*table.quasi_identifiers, table.sensitive[0]]
    cells = [column.texts for column in columns]
    if texts is not None:
        cells[: len(texts)] = texts
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([column.name for column in columns])
        writer.writerows(zip(*cells, strict=True))


def peer(python: str, task: str, path: Path, folder: Path, k: int) -> dict[str, Any] | None:
    """Run a peer's task; None where the package is missing."""
    package = task.split("_")[0]
    if subprocess.run([python, "-c", f"import {package}"], capture_output=True).returncode:
        return None
    script = Path(__file__).with_name("release_peers.py")
    command = [python, str(script), task, str(path), str(folder), str(k), "1", "0", "1"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def write_hierarchies(folder: Path, space: Space, table: Table) -> None:
    """Write what anjana needs of every column: eighths, quarters and halves of numbers, and the trees."""
    for axis in space.numeric:
        width = max(axis.extent, 1.0) / 8
        low = float(axis.numbers[0])
        place = np.minimum((axis.numbers - low) // width, 7).astype(int).tolist()
        rows = [
            [text, f"eighth {at}", f"quarter {at // 2}", f"half {at // 4}", "*"]
            for text, at in zip(axis.values, place, strict=True)
        ]
        _write_rows(folder / f"h_{axis.name}.csv", rows)
    for tree in space.categorical:
        _write_rows(folder / f"h_{tree.name}.csv", tree.hierarchy.rows())


def _write_rows(path: Path, rows: Any) -> None:
    path.write_text("".join(";".join(row) + "\n" for row in rows), encoding="utf-8")


def labels_as_classes_loss(path: Path, space: Space) -> float:
    """NCP of the smallest boxes around rows that share their labels: never more than the labels' own."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [tuple(row[name] for name in space.names) for row in csv.DictReader(file)]
    if len(rows) != len(space):
        raise SystemExit(f"anjana returned {len(rows)} of {len(space)} records.")
    number = {row: at for at, row in enumerate(dict.fromkeys(rows))}
    return loss(space, Classes.from_numbers([number[row] for row in rows])).ncp


def compare(
    name: str, table: Table, trees: dict[str, Hierarchy], python: str | None, k: int, l_value: int
) -> list[str]:
    """Lines of the page for one table."""
    lines = []
    best = 0.0
    space = Space.of(table, trees)
    for wanted in (1, l_value):
        found, classes = ours(table, trees, k, wanted)
        if wanted == 1:
            best = found["ncp"]
        lines.append(
            f"| {name} | {len(table)} | tight | {k} | {wanted} | {found['seconds']:.2f} | {found['ncp']:.4f} "
            f"| {found['ncp'] / best:.2f} | {found['smallest']} | {found['fewest']} |"
        )
    if python is None:
        return lines
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        raw = folder / "raw.csv"
        write_table(raw, table)
        found_there = peer(python, "anonypy", raw, folder, k)
        if found_there is None:
            lines.append(f"| {name} | {len(table)} | anonypy | missing | | | | | | |")
        else:
            ncp = boxes_loss(Path(f"{raw}.anonypy.csv"), space)
            seconds = found_there["processor"][0]
            lines.append(
                f"| {name} | {len(table)} | anonypy (Mondrian) | {k} | 1 | {seconds:.2f} | {ncp:.4f} "
                f"| {ncp / best:.2f} | | |"
            )
        found_there = peer(python, "mondrian", raw, folder, k)
        if found_there is None:
            lines.append(f"| {name} | {len(table)} | Mondrian | missing | | | | | | |")
        else:
            numbers = np.loadtxt(f"{raw}.mondrian.csv", skiprows=1, dtype=np.int64)
            ncp = loss(space, Classes.from_numbers(numbers)).ncp
            lines.append(
                f"| {name} | {len(table)} | Mondrian (strict) | {k} | 1 | {found_there['searched']:.2f} "
                f"| {ncp:.4f} | {ncp / best:.2f} | | |"
            )
        write_hierarchies(folder, space, table)
        found_there = peer(python, "anjana_k", raw, folder, k)
        if found_there is None:
            lines.append(f"| {name} | {len(table)} | anjana | missing | | | | | | |")
        else:
            ncp = labels_as_classes_loss(Path(f"{raw}.anjana.csv"), space)
            lines.append(
                f"| {name} | {len(table)} | anjana | {k} | 1 | {found_there['seconds'][0]:.2f} | {ncp:.4f} "
                f"| {ncp / best:.2f} | | |"
            )
        released = folder / "released.csv"
        write_table(
            released,
            table,
            [
                [texts[number] for number in classes.number.tolist()]
                for texts in space.labels(space.boxes(classes.number, classes.count))
            ],
        )
        found_there = peer(python, "pycanon", released, folder, k)
        if found_there is None:
            lines.append(f"| {name} | {len(table)} | pycanon | missing | | | | | | |")
        else:
            lines.append(
                f"| {name} | {len(table)} | pycanon checks tight | {k} | {l_value} "
                f"| {found_there['seconds'][0]:.2f} | | | {found_there['reached_k']} "
                f"| {found_there['distinct_l']} |"
            )
    return lines


def main() -> None:
    """Measure every table and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--adult", type=Path, required=True)
    parser.add_argument("--peers", help="Python interpreter with anonypy, anjana and pycanon")
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path("docs"))
    given = parser.parse_args()
    here = machine()
    lines = [
        "# Releases of tables that the search was not tuned to",
        "",
        f"{here}; {time.strftime('%Y-%m-%d')}. Regenerate: `python -m benchmarks.release_unseen`.",
        "",
        "Seconds are of the processor, since other work shares the machine; of ours once compiled code is",
        "loaded, of Mondrian (qiyuangong's, in Python) those of its search. NCP weighs all columns alike;",
        "that of anjana is of the smallest boxes around its classes, which favours it. The ratio is to tight",
        "with L = 1 on the same table. The last two columns are the smallest class and its fewest values.",
        "`people` are made up: about three in ten are ill, the older ones more often; the search was tuned",
        "on them, on `made up` and on Adult.",
        "",
        "| table | records | tool | k | L | seconds | NCP | ratio | smallest | fewest |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    tables = [("Adult", adult(given.adult), 3), ("people", people(10_000, 1), 2)]
    tables += [(name, survey(name), 2) for name in SURVEYS]
    tables += [("made up", made_up(30_000, 5), 3)]
    for name, (table, trees), l_value in tables:
        k = 10 if l_value == 3 else given.k
        lines += compare(name, table, trees, given.peers, k, l_value)
        # After each table: the peers take minutes, and what is measured should not be lost.
        (given.out / "release-unseen.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
