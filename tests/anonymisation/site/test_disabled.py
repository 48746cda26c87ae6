"""While the application is disabled or gone, its rows stay, and no backup holds uploaded records."""

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from anonymisation.models import Release, ReleaseQuestion, ReleaseTable
from anonymisation.releases.release_queries import question_ask, question_read
from surveys import extension
from surveys.authoring.deletion import survey_delete
from surveys.models import Survey
from surveys.server import backup as backups
from surveys.server.backup import backup_make, backup_restore
from surveys.server.database_copy import NAMES, tables_left_out
from surveys.server.disabled_applications import absent_rows, absent_tables, unclaimed_tables
from surveys.server.doctor.diagnosis import CheckContext, Diagnosis, Severity
from surveys.server.doctor.storage import disabled_applications_have_no_rows
from tests.anonymisation.made_releases import begun_release, opened_release
from tests.fixtures.runs import alice, answered_version

pytestmark = pytest.mark.django_db(transaction=True)

TABLES = [
    f"anonymisation_{name}"
    for name in ("release", "releasecolumn", "releasepart", "releasequestion", "releasetable")
]


def copied_rows(directory: Path) -> dict[str, int]:
    """Count the rows of each of the application's tables in a backup."""
    path = directory / NAMES[connection.vendor]
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(path)) as copy:
            return {table: copy.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] for table in TABLES}
    read = ["pg_restore", "--data-only", "--file=-", str(path)]
    dump = subprocess.run(read, capture_output=True, check=True, text=True).stdout
    blocks = {table: dump.partition(f".{table} (")[2].partition("\n\\.\n")[0] for table in TABLES}
    return {table: block.count("\n") for table, block in blocks.items()}


@pytest.fixture
def records() -> int:
    """Upload records; return the number of rows that hold them."""
    begun_release(alice())
    table = ReleaseTable.objects.get()
    assert len(bytes(table.sealed)) > 50
    return counted("anonymisation_releasetable")


def test_declared_tables_exist() -> None:
    """They would be missing if a model was renamed, and its rows would be in backups."""
    (declared,) = (each for each in extension.installed() if each.name == "anonymisation")
    assert declared.not_in_backups
    tables = {model._meta.db_table for model in apps.get_app_config("anonymisation").get_models()}
    assert set(declared.not_in_backups) <= tables == set(TABLES)


@pytest.mark.soak
@pytest.mark.parametrize("enabled", [True, False])
def test_no_backup_contains_uploaded_records(
    records: int, enabled: bool, tmp_path: Path, settings: Settings
) -> None:
    sealed = bytes(ReleaseTable.objects.get().sealed)
    if not enabled:
        without_releases(settings)
    backup_make(tmp_path / "backup", version="1", now=timezone.now())
    rows = copied_rows(tmp_path / "backup")
    assert (rows["anonymisation_release"], rows["anonymisation_releasetable"]) == (1, 0)
    assert rows["anonymisation_releasecolumn"] == 0
    assert sealed not in (tmp_path / "backup" / NAMES[connection.vendor]).read_bytes()
    assert counted("anonymisation_releasetable") == records


@pytest.mark.soak
def test_a_backup_holds_no_row_of_an_application_that_is_gone_and_says_so(
    records: int,
    tmp_path: Path,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert unclaimed_tables() == []
    without_releases(settings)
    assert unclaimed_tables() == []
    # Its package is deleted, but not its tables.
    monkeypatch.setattr(extension, "declarations", list)
    assert unclaimed_tables() == TABLES
    assert set(TABLES) < set(tables_left_out())
    call_command("backup", tmp_path / "backup")
    assert "not installed: anonymisation_release, anonymisation_releasecolumn" in capsys.readouterr().out
    assert set(copied_rows(tmp_path / "backup").values()) == {0}
    assert counted("anonymisation_releasetable") == records


@pytest.mark.soak
def test_a_backup_is_restored_where_the_application_is_disabled(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> None:
    made = tmp_path / "backup"
    backup_make(made, version="1.2.3", now=timezone.now())
    put: list[Path] = []
    monkeypatch.setattr(backups, "database_put", put.append)
    monkeypatch.setattr(backups, "_check_home", lambda: None)
    without_releases(settings)
    assert any(name.startswith("anonymisation.") for name in backup_restore(made).migrations)
    assert put == [made / NAMES[connection.vendor]]


def told() -> Diagnosis:
    (finding,) = disabled_applications_have_no_rows(
        CheckContext(address=None, client_digest=None, now=timezone.now())
    )
    return finding


def counted(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*) FROM {table}")
        return int(cursor.fetchone()[0])


def without_releases(settings: Settings) -> None:
    settings.INSTALLED_APPS = [name for name in settings.INSTALLED_APPS if name != "anonymisation"]


@pytest.mark.soak
def test_no_application_tables_are_absent_if_all_are_enabled() -> None:
    begun_release(alice())
    assert (absent_tables(), absent_rows()) == ([], {})
    assert told().level is Severity.OK


def test_the_doctor_reports_rows_of_a_disabled_application(settings: Settings) -> None:
    without_releases(settings)
    assert absent_tables() == TABLES
    assert told().level is Severity.OK


def test_deleting_a_survey_deletes_its_rows_in_disabled_applications_only(settings: Settings) -> None:
    version, other = answered_version(slug="gone"), answered_version(slug="stays")
    releases = [opened_release(alice()) for _ in range(3)]
    for release, survey in zip(releases, (version.survey, other.survey, None), strict=True):
        question_ask(release, question_read("count"), by=alice(), now=timezone.now())
        Release.objects.filter(pk=release.pk).update(survey=survey)
    left = begun_release(alice())
    Release.objects.filter(pk=left.pk).update(survey=version.survey)
    assert (ReleaseQuestion.objects.count(), counted("anonymisation_releasetable")) == (3, 1)
    without_releases(settings)
    assert told().level is Severity.WARNING
    assert "4 rows in anonymisation_release" in told().seen
    survey_delete(version.survey, by="ada")
    assert not Survey.objects.filter(slug="gone").exists()
    assert absent_rows() == {"anonymisation_release": 2, "anonymisation_releasequestion": 2}
    with connection.cursor() as cursor:
        cursor.execute("SELECT survey_id FROM anonymisation_release")
        assert {key for (key,) in cursor.fetchall()} == {other.survey_id, None}
