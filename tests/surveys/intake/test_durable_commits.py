"""Commits are reported once they are on disk."""

from contextlib import nullcontext
from types import SimpleNamespace
from unittest.mock import MagicMock

from surveys.intake.durable_commits import commit_durably


def test_postgresql_alone_is_told_to_commit_durably() -> None:
    cursor = MagicMock()
    for vendor, asked in (("sqlite", 0), ("postgresql", 1)):
        commit_durably(SimpleNamespace(vendor=vendor, cursor=lambda: nullcontext(cursor)))  # type: ignore[arg-type]
        assert cursor.execute.call_count == asked
