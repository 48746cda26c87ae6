"""Write tables of benchmarks as CSV files, which pages in docs/evidence refer to."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path


def write_csv(path: Path, rows: Iterable[Sequence[object]]) -> None:
    """Write a CSV file; the first row is the header."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def cells(line: str) -> list[str]:
    """Return the cells of a line of a Markdown table.

    >>> cells("| Adult | 5 | |")
    ['Adult', '5', '']
    """
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
