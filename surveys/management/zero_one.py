"""CSV files of 0 and 1 with a header, as commands read them."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from django.core.management.base import CommandError
from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class ZeroOneFile:
    """The cells of a file; those of a column are looked at when it is asked for.

    Attributes
    ----------
    path : Path
    header : tuple of str
        Names of the columns.
    lines : sequence of sequences of str
        What stands below, one cell a column.
    """

    path: Path
    header: tuple[str, ...]
    lines: Sequence[Sequence[str]]

    def column(self, name: str) -> NDArray[np.bool_]:
        """Return a column; refuse the first cell that is neither 0 nor 1."""
        if name not in self.header:
            raise CommandError(f"{self.path} has no column {name!r}; its columns: {', '.join(self.header)}")
        if self.header.count(name) > 1:
            raise CommandError(f"{self.path} has several columns {name!r}; give each a name of its own")
        place = self.header.index(name)
        cells = [line[place].strip() for line in self.lines]
        for number, cell in enumerate(cells, start=2):
            if cell not in ("0", "1"):
                raise CommandError(
                    f"{self.path}, line {number}, column {name!r}: {cell!r} is neither 0 nor 1"
                )
        return np.array([cell == "1" for cell in cells])


def zero_one_file(path: Path) -> ZeroOneFile:
    """Open a file; refuse one that cannot be read, has no row, or a row of another length than its header."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CommandError(f"{path} cannot be read: {error}; give a CSV file in UTF-8") from error
    if len(lines) < 2:
        raise CommandError(f"{path} has no row below its header; give at least one")
    header = tuple(name.strip() for name in lines[0])
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(header):
            raise CommandError(f"{path}, line {number}: {len(line)} cells for {len(header)} columns")
    return ZeroOneFile(path=path, header=header, lines=lines[1:])
