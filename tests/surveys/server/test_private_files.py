from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

import pytest
from django.db import ConnectionHandler

from surveys import environment_services
from surveys.server.state import any_database_allowed

pytestmark = pytest.mark.django_db


def test_sqlite_files_are_private_whatever_process_created_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    before = os.umask(0o022)
    try:
        for _ in range(2):
            link = ConnectionHandler({"default": environment_services.database(tmp_path)})["default"]
            with any_database_allowed(), contextlib.closing(link), link.cursor() as cursor:
                cursor.execute("CREATE TABLE IF NOT EXISTS made (it)")
                made = list(tmp_path.glob("sottovoce.sqlite3*"))
                assert len(made) == 3, "the database, its log and the index of that"
                modes = {path: stat.S_IMODE(path.stat().st_mode) for path in made}
            assert modes == dict.fromkeys(made, 0o600)
            # Simulate another program that makes the file readable.
            (tmp_path / "sottovoce.sqlite3").chmod(0o644)
    finally:
        os.umask(before)
