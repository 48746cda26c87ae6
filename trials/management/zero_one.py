"""CSV files of 0 and 1 with a header, as commands read them."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from privacy.arrays import Flags
from surveys.errors.error import refused


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

    def column(self, name: str) -> Flags:
        """Return a column; refuse the first cell that is neither 0 nor 1."""
        if name not in self.header:
            raise refused("zero_one.no_column", path=self.path, name=name, header=", ".join(self.header))
        if self.header.count(name) > 1:
            raise refused("zero_one.several", path=self.path, name=name)
        index = self.header.index(name)
        cells = [line[index].strip() for line in self.lines]
        for number, cell in enumerate(cells, start=2):
            if cell not in ("0", "1"):
                raise refused("zero_one.cell", path=self.path, number=number, name=name, cell=cell)
        return np.array([cell == "1" for cell in cells])


def zero_one_file(path: Path) -> ZeroOneFile:
    """Open a file; refuse one that cannot be read, has no row, or a row of another length than its header."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise refused("location.file", path=path, error=error) from error
    if len(lines) < 2:
        raise refused("zero_one.empty", path=path)
    header = tuple(name.strip() for name in lines[0])
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(header):
            raise refused("zero_one.cells", path=path, number=number, count=len(line), columns=len(header))
    return ZeroOneFile(path=path, header=header, lines=lines[1:])
