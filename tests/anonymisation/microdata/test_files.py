"""Files of a release are complete, digested and in random order."""

import os

import pytest

from anonymisation.microdata.files import (
    content_digest,
    csv_bytes,
    directory_publish,
)
from privacy.errors import PrivacyError
from privacy.sdc.table import ColumnRule, Table


def table(rows):
    return Table.from_rows(["a"], [[row] for row in rows], [ColumnRule(name="a", role="insensitive")])


def test_publishing_a_directory_is_atomic(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "rename", full)
    with pytest.raises(PrivacyError, match="No space left"):
        directory_publish(tmp_path / "out", {"a/b.txt": b"x"})
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    directory_publish(tmp_path / "out", {"a/b.txt": b"x"})
    assert (tmp_path / "out" / "a" / "b.txt").read_bytes() == b"x"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_existing_directory_is_left_unchanged(tmp_path):
    (tmp_path / "out").mkdir()
    with pytest.raises(PrivacyError, match="already exists"):
        directory_publish(tmp_path / "out", {"b": b"x"})
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=A1", "'=A1"),
        ("+cmd", "'+cmd"),
        ("@x", "'@x"),
        ("-5", "-5"),
        ("-x", "'-x"),
        ("[1,2]", '"[1,2]"'),
        ("a", "a"),
    ],
)
def test_csv_cells_are_safe_in_spreadsheets(text, written):
    assert csv_bytes(table([text]), [0]).decode() == f"a\n{written}\n"


def test_the_content_digest_ignores_record_order():
    assert content_digest(table(["x", "y", "x"])) == content_digest(table(["y", "x", "x"]))
    assert content_digest(table(["x", "y"])) != content_digest(table(["x", "x"]))


def test_an_interrupted_write_leaves_no_files(tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        directory_publish(tmp_path / "out", {"a.txt": b"x"})
    assert list(tmp_path.iterdir()) == []
