"""Tables and hierarchies from files, read once and within bounds."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from privacy.sdc import (
    Hierarchy,
    Table,
    ends_hierarchy,
    flat_hierarchy,
    interval_hierarchy,
    prefix_hierarchy,
)
from releases.microdata.config import ReleaseConfig
from surveys.errors.error import SurveyError

__all__ = ["LARGEST_FILE", "csv_rows", "hierarchies_read", "hierarchy_read"]

LARGEST_FILE: Final = 1_000_000_000
_LONGEST_CELL: Final = 10_000


@contextmanager
def csv_rows(path: Path) -> Iterator[tuple[list[str], Iterator[list[str]]]]:
    """Open a CSV file: its header, and its rows one by one.

    Raises
    ------
    PrivacyError
        When the file is missing, larger than `LARGEST_FILE` bytes, not UTF-8, without a header, or not CSV.
    """
    try:
        size = path.stat().st_size
    except OSError as error:
        raise SurveyError("file.table", str(path), path=path, error=error.strerror) from error
    if not path.is_file():
        raise SurveyError("file.none", str(path), path=path)
    if size > LARGEST_FILE:
        raise SurveyError("file_size.table", size, path=path, largest=LARGEST_FILE)
    with path.open("rb") as sample:
        start = sample.read(4096).decode("utf-8", errors="replace")
    with path.open(encoding="utf-8-sig", newline="") as file:
        first = start.splitlines()[0] if start.splitlines() else ""
        reader = csv.reader(
            _guarded(file, path), delimiter=";" if first.count(";") > first.count(",") else ",", strict=True
        )
        try:
            header = next(reader)
        except StopIteration:
            raise SurveyError("empty.table", str(path), path=path) from None
        yield [name.strip() for name in header], _cells(reader, path)


def _guarded(file: Iterator[str], path: Path) -> Iterator[str]:
    try:
        yield from file
    except UnicodeDecodeError as error:
        raise SurveyError("encoding", error.start, path=path) from error


def _cells(reader: Iterator[list[str]], path: Path) -> Iterator[list[str]]:
    number = 1
    while True:
        number += 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise SurveyError("ragged.table", number, path=path, error=error) from error
        if not row:
            continue
        cells = [cell.strip() for cell in row]
        if max(map(len, cells)) > _LONGEST_CELL:
            raise SurveyError("free_text", number, path=path, longest=_LONGEST_CELL)
        yield cells


def hierarchy_read(name: str, path: Path) -> Hierarchy:
    """Read a hierarchy in the ARX form: values and their ancestors, separated by semicolons."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SurveyError("file.hierarchy", str(path), path=path, name=name) from error
    lines = [line for line in text.splitlines() if line.strip()]
    separator = ";" if any(";" in line for line in lines) else ","
    rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=separator)]
    return Hierarchy.from_rows(name, rows)


def hierarchies_read(table: Table, config: ReleaseConfig) -> dict[str, Hierarchy]:
    """Read or build the hierarchies that a configuration asks for, and check that each covers all values.

    Raises
    ------
    PrivacyError
        Naming column and values, before any work has started.
    """
    missing_texts = {rule.name: rule.missing_texts for rule in config.rules}
    hierarchies = {}
    for column in (*table.quasi_identifiers, *table.sensitive):
        rule = config.hierarchies.get(column.name)
        if rule is None:
            continue
        missing = missing_texts[column.name]
        if rule.builder == "file" and rule.file is not None:
            tree = hierarchy_read(column.name, rule.file)
        elif rule.builder == "flat":
            tree = flat_hierarchy(column.name, column.values)
        elif rule.builder == "prefix":
            tree = prefix_hierarchy(column.name, column.values)
        elif rule.ends:
            tree = ends_hierarchy(column.name, column.values, rule.ends, missing=missing)
        else:
            tree = interval_hierarchy(
                column.name, column.values, rule.widths, origin=rule.origin, missing=missing
            )
        tree.for_values(column.values)
        hierarchies[column.name] = tree
    return hierarchies
