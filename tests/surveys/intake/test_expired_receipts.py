"""Receipts of surveys that closed a week ago are deleted; nothing that people see changes by it."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from surveys.authoring.lifecycle import survey_close
from surveys.intake import expired_receipts, receipts
from surveys.intake.codes import receipt_key
from surveys.intake.expired_receipts import SERVES_FOR, expired_receipts_delete, space_give_back
from surveys.intake.mix import mix
from surveys.intake.receive import submission_receive
from surveys.management.commands.sweep import IN_DOUBT, SWEEPER_STEPS
from surveys.models import Batch, Receipt, Survey, Version
from surveys.respondent.invitations import InvitationStatus, invitation_status
from surveys.runs.received_answers import received_count, received_counts
from tests.fixtures.devices import published, request_of, wide_definition
from tests.fixtures.invitations import codes_of, invited
from tests.surveys.intake.test_mix import NOW, answer

pytestmark = pytest.mark.django_db(transaction=True)

SECOND = timedelta(seconds=1)


@pytest.fixture
def version() -> Version:
    """Return a survey by invitation with 60 answers and 5 unused codes."""
    version = invited(wide_definition("wide"))
    for code in codes_of(version, 65)[:60]:
        assert submission_receive(request_of(version, code=code), now=NOW).status == 200
    return version


def close(version: Version) -> Survey:
    """Close at once and settle."""
    survey = survey_close(version.survey, by="ana", now=NOW, at_once=True)
    assert (survey.settled, survey.accepts_until) == (True, NOW)
    return survey


def figures(survey: Survey) -> tuple[int, InvitationStatus, list[bytes]]:
    """Return everything that may not change."""
    survey.refresh_from_db()
    batches = [bytes(packed) for packed in Batch.objects.values_list("packed", flat=True)]
    return received_count(survey), invitation_status(survey), batches


def test_receipts_go_seven_days_after_the_end_of_acceptance_and_counts_stay(version: Version) -> None:
    survey = close(version)
    before = figures(survey)
    assert before[0] == 60
    assert (before[1].n_made, before[1].n_used, before[1].n_unused) == ("65", "60", "5")
    assert expired_receipts_delete(now=NOW + SERVES_FOR - SECOND) == []
    assert Receipt.objects.count() == 65
    assert expired_receipts_delete(now=NOW + SERVES_FOR) == ["wide"]
    assert not Receipt.objects.exists()
    assert (figures(survey), survey.receipts_deleted) == (before, 60)
    assert expired_receipts_delete(now=NOW + SERVES_FOR) == []
    assert figures(survey) == before


@pytest.mark.parametrize("state", ["open", "accepting", "unsettled"])
def test_receipts_stay_while_an_answer_could_come_again(version: Version, state: str) -> None:
    if state != "open":
        survey_close(version.survey, by="ana", now=NOW)
    if state == "unsettled":
        # As if the mixer were absent: acceptance ended long ago, but the last answers are not mixed.
        Survey.objects.update(accepts_until=NOW - timedelta(days=30))
    assert expired_receipts_delete(now=NOW + SERVES_FOR) == []
    assert Receipt.objects.count() == 65


def test_late_bodies_are_refused_alike_before_and_after(version: Version) -> None:
    # A device gives up after seven days, so no device asks for a receipt that is gone.
    code = codes_of(version)[0]
    stored, late = request_of(version, code=code), request_of(version, code=codes_of(version)[0])
    assert submission_receive(stored, now=NOW).status == 200
    close(version)
    day = NOW + SERVES_FOR
    assert [submission_receive(raw, now=day - SECOND).status for raw in (stored, late)] == [200, 410]
    expired_receipts_delete(now=day)
    assert [submission_receive(raw, now=day).status for raw in (stored, late)] == [410, 410]
    assert not Receipt.objects.exists()


def test_an_interrupted_deletion_goes_on_and_counts_each_answer_once(
    version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    survey = close(version)
    monkeypatch.setattr(receipts, "ROWS_AT_ONCE", 7)
    calls: list[int] = []
    condition_ranges = receipts._ranges

    def stops(survey_id: int, condition: str) -> Any:
        for number, each in enumerate(condition_ranges(survey_id, condition)):
            if number == 3:
                calls.append(number)
                raise KeyboardInterrupt
            yield each

    with monkeypatch.context() as patch:
        patch.setattr(receipts, "_ranges", stops)
        with pytest.raises(KeyboardInterrupt):
            expired_receipts_delete(now=NOW + SERVES_FOR)
    assert (calls, Receipt.objects.count()) == ([3], 65 - 21)
    assert received_count(survey) == 60
    assert expired_receipts_delete(now=NOW + SERVES_FOR) == ["wide"]
    assert (received_counts(), Receipt.objects.count()) == ({survey.pk: 60}, 0)


def test_no_one_learns_who_used_a_code(version: Version) -> None:
    # The attack on promise 6: someone with the list of codes and the database looks for their digests.
    used, unused = codes_of(version, 2)
    assert submission_receive(request_of(version, code=used), now=NOW).status == 200

    def traces() -> list[bool]:
        keys = [receipt_key(code, survey="wide") for code in (used, unused)]
        return [Receipt.objects.filter(key=key, digest__isnull=False).exists() for key in keys]

    close(version)
    # The planted target: with its receipts the survey shows it.
    assert traces() == [True, False]
    expired_receipts_delete(now=NOW + SERVES_FOR)
    assert traces() == [False, False]
    assert not Receipt.objects.exists()


def test_the_sweeper_deletes_them_unless_its_clock_is_in_doubt(version: Version) -> None:
    survey_close(version.survey, by="ana", now=timezone.now() - SERVES_FOR - SECOND, at_once=True)
    assert (IN_DOUBT["receipts"], Receipt.objects.count()) == (None, 65)
    dict(SWEEPER_STEPS)["receipts"]()
    assert not Receipt.objects.exists()


def test_space_is_given_back_when_no_survey_accepts_answers(
    version: Version, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    if connection.vendor != "sqlite":
        assert not space_give_back(now=NOW)
        return
    monkeypatch.setattr(expired_receipts, "LEAST_UNUSED_BYTES", 100_000)
    monkeypatch.setitem(connection.settings_dict, "NAME", str(tmp_path / "database"))
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE filler AS SELECT randomblob(4000000) AS bytes")
        cursor.execute("DROP TABLE filler")
        assert not space_give_back(now=NOW), "a survey accepts answers"
        close(version)
        monkeypatch.setattr(expired_receipts, "LEAST_UNUSED_BYTES", 10_000_000)
        assert not space_give_back(now=NOW), "too little"
        monkeypatch.setattr(expired_receipts, "LEAST_UNUSED_BYTES", 100_000)
        unused = cursor.execute("PRAGMA freelist_count").fetchone()[0]
        assert unused > 900
        assert space_give_back(now=NOW)
        assert cursor.execute("PRAGMA freelist_count").fetchone()[0] < unused / 100
    assert not space_give_back(now=NOW), "nothing is left to give back"
    answer_count = received_count(Survey.objects.get())
    assert answer_count == 60


def test_surveys_with_an_open_link_lose_their_receipts_too() -> None:
    version = published(wide_definition("wide"))
    answer(version, 60)
    survey = close(version)
    mix(now=NOW)
    assert expired_receipts_delete(now=NOW + SERVES_FOR) == ["wide"]
    assert (received_count(survey), Receipt.objects.count()) == (60, 0)


def test_postgresql_rewrites_a_table_of_few_receipts_while_answers_arrive(
    version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor != "postgresql":
        assert connection.vendor == "sqlite"
        return
    monkeypatch.setattr(expired_receipts, "LEAST_UNUSED_BYTES", 500_000)

    def size() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_total_relation_size('surveys_receipt')")
            return int(cursor.fetchone()[0])

    with connection.cursor() as cursor:
        put = (
            "INSERT INTO surveys_receipt (survey_id, key, fresh) "
            "SELECT %s, sha256(n::text::bytea), false FROM generate_series(1, 9000) n"
        )
        cursor.execute(put, [version.survey_id])
        cursor.execute("ANALYZE surveys_receipt")
        assert not space_give_back(now=NOW), "nothing is unused"
        before = size()
        cursor.execute("DELETE FROM surveys_receipt WHERE digest IS NULL")
        cursor.execute("VACUUM surveys_receipt")
        monkeypatch.setattr(expired_receipts, "MOST_ROWS_MEANWHILE", 59)
        assert not space_give_back(now=NOW), "too many receipts remain while a survey is open"
        monkeypatch.setattr(expired_receipts, "MOST_ROWS_MEANWHILE", 60)
        assert space_give_back(now=NOW)
    assert size() < before / 3
    assert Receipt.objects.count() == 60


class Database:
    """A database that answers questions from a table, and remembers its statements."""

    def __init__(self, **answers: tuple[int, ...]) -> None:
        self.answers, self.done = answers, list[str]()
        self.settings_dict = {"NAME": "/there/database"}

    def cursor(self) -> "Database":
        return self

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def execute(self, statement: str) -> "Database":
        self.done.append(statement.split()[-1] if statement.startswith("PRAGMA") else statement)
        if statement == "VACUUM FULL surveys_receipt" and "locked" in self.answers:
            raise OperationalError("canceling statement due to lock timeout")
        return self

    def fetchone(self) -> tuple[int, ...]:
        return self.answers.get(self.done[-1], self.answers.get("table", ()))


@pytest.mark.parametrize(
    ("unused", "free", "rewritten"),
    [
        (25, 3 * 75 * 4096, True),
        (24, 3 * 76 * 4096, False),  # less than a quarter of 100 pages
        (25, 3 * 75 * 4096 - 1, False),  # no room for the new file and its log
        (80, 3 * 20 * 4096, True),
    ],
)
def test_sqlite_is_rewritten_for_a_quarter_of_its_pages_if_the_disk_has_room(
    monkeypatch: pytest.MonkeyPatch, unused: int, free: int, rewritten: bool
) -> None:
    database = Database(freelist_count=(unused,), page_count=(100,), page_size=(4096,))
    logs: list[str] = []
    monkeypatch.setattr(expired_receipts, "connection", database)
    monkeypatch.setattr(expired_receipts, "LEAST_UNUSED_BYTES", 24 * 4096)
    monkeypatch.setattr(expired_receipts.shutil, "disk_usage", lambda _folder: SimpleNamespace(free=free))
    monkeypatch.setattr(expired_receipts, "truncate_log", lambda: logs.append("cut"))
    assert expired_receipts._sqlite_rewrite() is rewritten
    assert ("VACUUM" in database.done, logs) == (rewritten, ["cut"] * rewritten)
    monkeypatch.setattr(expired_receipts, "LEAST_UNUSED_BYTES", unused * 4096 + 1)
    assert not expired_receipts._sqlite_rewrite()
    monkeypatch.setattr(expired_receipts, "LEAST_UNUSED_BYTES", unused * 4096)
    assert expired_receipts._sqlite_rewrite() is rewritten


@pytest.mark.parametrize(
    ("size", "rows", "rewritten"),
    [
        (600, 3, True),  # 600 - 3 * 150 = 150 is a quarter
        (604, 3, True),
        (599, 3, False),  # less than 150 are unused
        (799, 4, False),  # 199 is less than a quarter of 799
        (800, 4, True),
        (90_000, 10, True),
        (90_000, 11, False),  # more than 10 receipts remain
        (90_000, 0, True),
        (90_000, -1, False),  # never counted
    ],
)
def test_postgresql_is_rewritten_for_a_quarter_of_the_table_if_few_receipts_remain(
    monkeypatch: pytest.MonkeyPatch, size: int, rows: int, rewritten: bool
) -> None:
    database = Database(table=(size, rows))
    monkeypatch.setattr(expired_receipts, "connection", database)
    monkeypatch.setattr(expired_receipts, "LEAST_UNUSED_BYTES", 150)
    assert expired_receipts._postgresql_rewrite(10) is rewritten
    assert ("VACUUM FULL surveys_receipt" in database.done) is rewritten
    assert database.done[1:2] == ["SET lock_timeout = '1s'"] * rewritten
    locked = Database(table=(size, rows), locked=())
    monkeypatch.setattr(expired_receipts, "connection", locked)
    assert not expired_receipts._postgresql_rewrite(10)
    assert locked.done[3:] == ["RESET lock_timeout"] * rewritten
