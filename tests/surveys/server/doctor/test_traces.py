import pytest
from django.db import connection

from surveys.server.doctor import traces
from surveys.server.doctor.diagnosis import Severity
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db


def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.only("sqlite")
@pytest.mark.django_db(transaction=True)
def test_insecure_deletion_and_asynchronous_commits_are_detected(doctor: Doctor) -> None:
    # The setting of tests/settings.py.
    assert doctor.seen(traces.deleted_rows_are_erased) == "synchronous = 0"
    try:
        run("PRAGMA synchronous = FULL")
        assert doctor.level(traces.deleted_rows_are_erased) is Severity.OK
        run("PRAGMA secure_delete = OFF")
        assert doctor.seen(traces.deleted_rows_are_erased) == "secure_delete = 0"
    finally:
        connection.close()


@pytest.mark.only("sqlite")
def test_a_hidden_row_number_is_detected(doctor: Doctor) -> None:
    with connection.cursor() as cursor:
        (sql,) = cursor.execute("SELECT sql FROM sqlite_master WHERE name = 'surveys_inbox'").fetchone()
    run("DROP TABLE surveys_inbox")
    run(sql.replace("WITHOUT ROWID", ""))
    assert doctor.seen(traces.deleted_rows_are_erased).endswith("surveys_inbox number rows as they arrive")


@pytest.mark.only("postgresql")
@pytest.mark.parametrize("name", ["log_statement", "log_min_duration_statement"])
def test_a_statement_log_is_detected(name: str, doctor: Doctor) -> None:
    assert doctor.level(traces.statements_are_not_logged) is Severity.OK
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config(%s, %s, true)", [name, "all" if name == "log_statement" else "100"])
    assert doctor.seen(traces.statements_are_not_logged).startswith(name)
