"""The child that unpacks: its limits hold for the libraries that read files; it has nothing to give away."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from surveys.errors.error import SurveyError
from surveys.unpacking.child import MEGABYTES, NICENESS, SECONDS
from surveys.unpacking.reader import read_in_child
from tests.fixtures.swollen_files import GREEDY, surroundings, touch


@pytest.mark.parametrize("read", GREEDY, ids=lambda read: str(read.__name__))
def test_memory_beyond_the_limit_ends_the_child_and_the_refusal_names_the_limit(
    read: Callable[..., tuple[Any, bytes]],
) -> None:
    with pytest.raises(SurveyError, match=f"more than {MEGABYTES} MB of memory") as caught:
        read_in_child(read, b"")
    assert caught.value.remedy


def test_the_child_sees_no_secret_leaves_no_core_and_lets_others_go_first(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setenv("SOTTOVOCE_SECRET_KEY", "x" * 60)
    monkeypatch.setenv("DATABASE_URL", "postgres://somebody:secret@db/sottovoce")
    seen, sent_back = read_in_child(surroundings, b"a name,a value\n1,2\n")
    assert sent_back == b"a name,a value\n1,2\n"
    assert not [name for name in seen["environment"] if name.startswith(("SOTTOVOCE", "DATABASE", "DJANGO"))]
    assert (seen["core"], seen["processor"], seen["niceness"]) == (0, SECONDS, max(NICENESS, os.nice(0)))
    assert "value" not in seen["arguments"]


def test_the_child_can_write_nothing_to_a_disk(tmp_path: Path) -> None:
    with pytest.raises(SurveyError, match="OSError"):
        read_in_child(touch, b"a value of somebody", str(tmp_path / "copy"))
    assert not (tmp_path / "copy").read_bytes()
