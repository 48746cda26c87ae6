"""Workbooks: titles above the header, cells beyond it, notes below the table."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
