"""Workbooks: titles above the header, cells beyond it, notes below the table."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from privacy.tables.columns import ReadTable
from privacy.tables.header import name_columns
from privacy.tables.table_file import file_table
from tests.fixtures.workbooks import workbook

OPENED: list[str] = []
WATCHED: list[bool] = []


@contextmanager
def watched() -> Iterator[list[str]]:
    """List the files that this process opens."""
    if not WATCHED:
        # A hook of the interpreter cannot be removed, so it is added once.
        sys.addaudithook(
            lambda event, args: OPENED.append(str(args[0])) if event == "open" and WATCHED[0] else None
        )
        WATCHED.append(False)
    OPENED.clear()
    WATCHED[0] = True
    try:
        yield OPENED
    finally:
        WATCHED[0] = False


def test_the_watch_finds_an_opened_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with watched() as opened:
        path.write_text("x")
    assert opened == [str(path)]


DATA = [[30 + number % 3, "mf"[number % 2], "flu"] for number in range(40)]


def read(*rows: list[object]) -> ReadTable:
    return name_columns(file_table("a.xlsx", io.BytesIO(workbook(data=list(rows)))))


def test_a_title_above_the_header_of_a_sheet_is_no_header() -> None:
    table = read(["Study 7"], [], ["age", "sex", "ill"], *DATA)
    assert (table.header, len(table)) == (["age", "sex", "ill"], 40)
    assert next(iter(table.rows())) == ("30", "m", "flu")
    assert [each.key for each in table.decisions] == ["above"]


def test_cells_beyond_the_last_header_are_read_and_said() -> None:
    """They can be names or telephone numbers, so they must not vanish from view."""
    late = [[*row, None, "Tel. 0123"] if number == 30 else row for number, row in enumerate(DATA)]
    table = read(["age", "sex", "ill"], *late)
    assert table.header == ["age", "sex", "ill", "column 4", "column 5"]
    assert table.column("column 5").counts == {"": 39, "Tel. 0123": 1}
    assert str(table.decisions).splitlines()[-1] == "The file gives no name to “column 5”."


def test_notes_below_a_sheet_are_no_records() -> None:
    table = read(["age", "sex", "ill"], *DATA, [], ["Source: own"], ["Weighted"])
    assert len(table) == 40
    assert [str(each) for each in table.decisions] == [
        "Lines below the table that were left out: 2. The first one is “Source: own”."
    ]


def test_records_of_zeros_are_records() -> None:
    assert len(read(["a", "b"], *[[0, 0]] * 5)) == 5
