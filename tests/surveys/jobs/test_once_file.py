"""A file that several processes may create is created once."""

import os
from pathlib import Path

import pytest

from surveys.jobs.once_file import made_once


def test_the_first_text_stays_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "key"
    assert [made_once(path, "first"), made_once(path, "second")] == ["first", "first"]
    assert path.stat().st_mode & 0o077 == 0
    assert list(tmp_path.iterdir()) == [path]


def test_a_process_that_comes_second_returns_the_text_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, link = tmp_path / "key", os.link

    def link_second(draft: Path, target: Path) -> None:
        path.write_text("first", encoding="ascii")
        link(draft, target)

    monkeypatch.setattr(os, "link", link_second)
    assert made_once(path, "second") == "first"
    assert list(tmp_path.iterdir()) == [path]
