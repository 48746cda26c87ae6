"""A trial restore uses the newest backup, leaves nothing, and is noted; a damaged backup is found by it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from surveys.errors.error import SurveyError
from surveys.server.backup import backup_make_dated
from surveys.server.backup_notes import TRIAL_FAILED, TRIED, note, noted
from surveys.server.database_copy import NAMES
from surveys.server.trial_restore import trial_restore

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.soak
def test_the_newest_is_tried_and_nothing_of_the_trial_stays(tmp_path: Path) -> None:
    now = timezone.now()
    backup_make_dated(tmp_path, most=3, version="1", now=now - timedelta(days=1))
    newest, _ = backup_make_dated(tmp_path, most=3, version="1", now=now)
    before = sorted(tmp_path.iterdir())
    assert trial_restore(tmp_path, now=now) == newest
    assert sorted(tmp_path.iterdir()) == before
    tried = noted(TRIED)
    assert tried is not None
    assert tried.at == now
    path = newest / NAMES[connection.vendor]
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(SurveyError, match="is not what was backed up"):
        trial_restore(tmp_path, now=now + timedelta(days=1))
    assert sorted(tmp_path.iterdir()) == before
    failed = noted(TRIAL_FAILED)
    assert failed is not None
    assert "restore failed on the restored backup" in failed.says["reason"]


def test_where_there_is_no_backup_the_trial_failed(tmp_path: Path) -> None:
    note(TRIED, now=timezone.now())
    with pytest.raises(CommandError, match="There is no backup"):
        call_command("try-restore", tmp_path / "none")
    assert noted(TRIAL_FAILED) is not None
