"""Every table and file is read, and every change of one is detected."""

from pathlib import Path

import numpy as np
import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from surveys.models import Beat
from surveys.models.heartbeat import record_heartbeat
from tests.attack.forged import forge_rule
from tests.attack.stored import DATABASE, Stored, table_rows

pytestmark = pytest.mark.django_db(transaction=True)


def test_tables_and_files_of_other_programs_are_searched(tmp_path: Path) -> None:
    path = settings.SOTTOVOCE_HOME / "deep" / "down"
    before = Stored.now(tmp_path)
    try:
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE strange (thing text)")
            cursor.execute("INSERT INTO strange VALUES ('a needle in the database')")
        path.parent.mkdir()
        path.write_bytes(b"a needle in the home")
        (tmp_path / "log").write_bytes(b"a needle in a log")
        stored = Stored.now(tmp_path)
    finally:
        path.unlink(missing_ok=True)
        path.parent.rmdir()
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE IF EXISTS strange")
    seen = {name for name, content in stored.contents() if b"a needle in" in content}
    assert seen >= {"strange.thing", str(path), str(tmp_path / "log"), DATABASE}
    tables, files = stored.changes(before)
    assert tables == {"strange": [(b"a needle in the database",)]}
    assert files == {str(path), str(tmp_path / "log")}


def test_a_changed_row_is_reported_as_a_change_of_its_table() -> None:
    record_heartbeat("somebody", now=timezone.now())
    before = Stored.now()
    record_heartbeat("somebody", now=timezone.now(), says={"more": 1})
    changed = Stored.now()
    assert list(changed.changes(before)[0]) == ["surveys_beat"]
    Beat.objects.all().delete()
    assert Stored.now().changes(changed)[0] == {"surveys_beat": []}


def test_large_tables_are_read_in_chunks() -> None:
    Beat.objects.bulk_create(Beat(name=f"{number}", at=timezone.now()) for number in range(1_001))
    parts = [len(rows) for _columns, rows in table_rows("surveys_beat")]
    assert sum(parts) >= 1_001
    assert len(parts) == 2
    assert [rows for _columns, rows in table_rows("surveys_run")] == [[]]


def test_the_reported_number_of_forged_rows_creates_a_rule(soak: int) -> None:
    rng = np.random.default_rng(20261121)
    found = [forge_rule(500, rng=rng) for _ in range(4 * soak)]
    assert [each.needed for each in found] == [each.announced for each in found]
    assert max(each.needed for each in found) > 0
