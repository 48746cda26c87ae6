"""A file that another survey tool exported: CSV, Excel or SPSS, as a header and lines of text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePath
from typing import Final

from surveys.errors.error import SurveyError
from surveys.unpacking.reader import read_in_child

__all__ = ["HostFile", "host_file"]

_UNPACKED: Final = {".xlsx": "workbook", ".sav": "spss", ".zsav": "spss"}
_SEPARATORS: Final = (",", ";", "\t")


@dataclass(frozen=True, kw_only=True)
class HostFile:
    """A table of texts that can be read several times, line by line.

    Parameters
    ----------
    name : str
        Of the file, for messages.
    header : tuple of str
    text : str
        Of a CSV file.
    separator : str
    heads : int
        Lines of heads below the header: Qualtrics writes two.
    """

    name: str
    header: tuple[str, ...]
    text: str
    separator: str
    heads: int

    def lines(self) -> Iterator[tuple[int, Sequence[str]]]:
        """Yield number, as editors count, and cells of each line below the header that is not empty.

        Raises
        ------
        SurveyError
            ``host_file.cells``.
        """
        reader = csv.reader(io.StringIO(self.text, newline=""), delimiter=self.separator)
        for _head in range(1 + self.heads):
            next(reader)
        width, before = len(self.header), reader.line_num
        for cells in reader:
            number, before = before + 1, reader.line_num
            if not cells:
                continue
            if len(cells) != width:
                raise SurveyError(
                    "host_file.cells",
                    len(cells),
                    file=self.name,
                    line=number,
                    count=len(cells),
                    columns=width,
                )
            yield number, cells


def host_file(name: str, raw: bytes) -> HostFile:
    """Read the bytes of a file.

    Parameters
    ----------
    name : str
        Its name; what stands behind the last point says what it is.
    raw : bytes

    Raises
    ------
    SurveyError
        ``host_file.text``, ``host_file.header``, ``host_file.damaged``; as `read_in_child`.
    """
    kind = PurePath(name).suffix.lower()
    if kind in _UNPACKED:
        _plain, raw = read_in_child(spreadsheet if kind == ".xlsx" else spss, raw)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SurveyError("host_file.text", name, file=name) from error
    first = text[: text.find("\n") + 1 or None]
    separator = max(_SEPARATORS, key=lambda sign: len(next(csv.reader([first], delimiter=sign), [])))
    try:
        top = list(islice(csv.reader(io.StringIO(text, newline=""), delimiter=separator), 3))
    except csv.Error as error:
        raise SurveyError("host_file.text", name, file=name) from error
    if not top or not any(top[0]):
        raise SurveyError("host_file.header", name, file=name)
    # The questions in words, and how Qualtrics calls them.
    heads = 2 if len(top) == 3 and any(cell.startswith('{"ImportId"') for cell in top[2]) else 0
    return HostFile(name=name, header=tuple(top[0]), text=text, separator=separator, heads=heads)


def spreadsheet(raw: bytes) -> tuple[None, bytes]:
    """Write the first sheet of a workbook as CSV; runs in the child process."""
    from openpyxl import load_workbook

    try:
        book = load_workbook(io.BytesIO(raw), read_only=True, data_only=True, keep_links=False)
        lines = book.worksheets[0].iter_rows(values_only=True)
        return None, _written(["" if cell is None else str(cell) for cell in line] for line in lines)
    except MemoryError:
        raise
    except Exception as error:
        raise SurveyError("host_file.damaged", kind="Excel") from error


def spss(raw: bytes) -> tuple[None, bytes]:
    """Write an SPSS file as CSV, values by their labels; runs in the child process."""
    import pyreadstat

    try:
        frame, _about = pyreadstat.read_sav(
            io.BytesIO(raw), apply_value_formats=True, formats_as_category=False
        )
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, UnicodeDecodeError) as error:
        raise SurveyError("host_file.damaged", kind="SPSS") from error
    return None, frame.to_csv(index=False).encode()


def _written(lines: Iterator[list[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(lines)
    return text.getvalue().encode()
