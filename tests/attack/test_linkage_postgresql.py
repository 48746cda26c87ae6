"""Who holds the PostgreSQL server links rows no better than chance, and all where one protection is gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.utils import timezone

from surveys.intake import erase, erase_postgresql, store
from surveys.intake import mix as mixer
from surveys.intake.mix import mix
from surveys.intake.receive import submission_receive
from surveys.models import Batch, Inbox
from tests.attack.chance import most_by_chance
from tests.attack.cluster import (
    Guess,
    ServerTheft,
    by_backups,
    by_files,
    by_log,
    by_place,
    by_transaction,
    rows_outside_tables,
)
from tests.attack.victims import Victims
from tests.cast.devices import published, request_of, wide_definition
from tests.cast.traces import data_directory, log_of_our_own, occurrences, seen
from tests.statistics import FALSE_ALARM

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only("postgresql")]

BATCHES, ROWS = 40, 50

ATTACKS: dict[str, Callable[[list[ServerTheft]], Guess]] = {
    "place": lambda thefts: by_place(thefts[-1]),
    "transaction": lambda thefts: by_transaction(thefts[-1]),
    "log": lambda thefts: by_log(thefts[-1]),
    "files": lambda thefts: by_files(thefts[-1]),
    "backups": by_backups,
}


class Lazy:
    """A mixer that does not mix."""

    def shuffle(self, x: list[bytes], /) -> None:
        """Leave the rows as they are."""


@pytest.fixture(autouse=True)
def _alone(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(erase_postgresql, "SECONDS_BETWEEN_CHECKPOINTS", 0.0)
    with log_of_our_own():
        yield


@pytest.fixture
def victims() -> Victims:
    return Victims(published(wide_definition("wide", questions=90)))


@contextmanager
def log_kept() -> Iterator[None]:
    """Let the server keep its log, as a replica that is away would make it do."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_create_physical_replication_slot('sotto_replica', true)")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_drop_replication_slot('sotto_replica')")


@pytest.fixture
def kept_log(transactional_db: None) -> Iterator[None]:
    """Keep the log for a whole test."""
    with log_kept():
        yield


def test_the_attacker_links_no_more_rows_than_chance_does(victims: Victims) -> None:
    thefts = []
    for number in range(BATCHES):
        victims.answer(ROWS)
        assert mix(now=timezone.now()).erased
        thefts.append(ServerTheft.of_now(victims, with_files=number == BATCHES - 1))
    assert [batch.n for batch in Batch.objects.all()] == [ROWS] * BATCHES
    # Of 2,000 rows chance links 40 on average; it passes the limit once in a million times for each attack.
    limit = most_by_chance([ROWS] * BATCHES, alarm=FALSE_ALARM)
    assert BATCHES < limit < 2 * BATCHES
    assert set(thefts[-1].receipt_keys()) == set(victims.truth)
    assert set(thefts[-1].rows()) == set(victims.truth.values())
    guesses = {name: attack(thefts) for name, attack in ATTACKS.items()}
    # These three name a row for every receipt; the other two find next to nothing to name.
    assert {len(guesses[name]) for name in ("place", "transaction", "backups")} == {ROWS * BATCHES}
    linked = {name: victims.linked(guess) for name, guess in guesses.items()}
    assert max(linked.values()) <= limit, (linked, limit)
    assert rows_outside_tables(thefts[-1]) == []


def test_rows_that_waited_through_a_mix_are_linked_no_better_than_by_chance(victims: Victims) -> None:
    # All tests share the server's log, and a mix of another one would take it away.
    with log_kept():
        victims.answer(ROWS - 1)
        alone = ServerTheft.of_now(victims, with_files=True)
    # The limit that the README states: until some mix, the server's holder can tell.
    for attack in ("place", "transaction"):
        assert victims.linked(ATTACKS[attack]([alone])) == ROWS - 1
    # A pair through which the border of a page of the log runs is missed.
    assert victims.linked(by_log(alone)) >= 0.9 * ROWS
    others = Victims(published(wide_definition("other", questions=90)))
    others.answer(ROWS)
    assert mix(now=timezone.now()).erased
    assert Inbox.objects.count() == ROWS - 1
    theft = ServerTheft.of_now(victims, with_files=True)
    limit = most_by_chance([ROWS - 1], alarm=FALSE_ALARM)
    linked = {
        name: victims.linked(ATTACKS[name]([theft])) for name in ("place", "transaction", "log", "files")
    }
    assert max(linked.values()) <= limit < ROWS // 2, (linked, limit)


def test_without_shuffling_all_are_linked(victims: Victims, monkeypatch: pytest.MonkeyPatch) -> None:
    names = iter(range(1000))
    monkeypatch.setattr(store.secrets, "token_bytes", lambda size: next(names).to_bytes(size, "big"))
    thefts = []
    for _ in range(3):
        victims.answer(ROWS)
        mix(now=timezone.now(), shuffler=Lazy())
        thefts.append(ServerTheft.of_now(victims))
    for attack in ("place", "transaction", "backups"):
        assert victims.linked(ATTACKS[attack](thefts)) == 3 * ROWS, attack


def test_with_the_log_left_as_it_is_all_are_linked(victims: Victims, kept_log: None) -> None:
    victims.answer(2 * ROWS)
    mix(now=timezone.now())
    assert Inbox.objects.count() == 0
    theft = ServerTheft.of_now(victims, with_files=True)
    assert victims.linked(by_log(theft)) >= 1.9 * ROWS


def test_with_vacuum_alone_mixed_rows_are_found_again_in_their_order(
    victims: Victims, monkeypatch: pytest.MonkeyPatch
) -> None:
    def vacuum(*, milliseconds: int) -> bool:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM surveys_inbox")
        return True

    monkeypatch.setattr(erase, "erase_inbox", vacuum)
    victims.answer(ROWS)
    # Rows of another survey wait behind them and keep their pages in use.
    Victims(published(wide_definition("other", questions=88))).answer(5)
    mix(now=timezone.now())
    theft = ServerTheft.of_now(victims, with_files=True)
    carved = rows_outside_tables(theft)
    assert len(carved) > ROWS // 2
    # In a page the newest row has the lowest place.
    arrived = [row for row in victims.truth.values() if row in carved]
    assert carved[::-1] == arrived


def test_with_values_in_statements_the_server_tells_of_the_last_submission_and_of_those_that_failed(
    victims: Victims, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told() -> set[str]:
        """Send one submission, and one that meets a lock; return where the key of which stands."""
        victims.answer()
        sessions = occurrences([list(victims.truth)[-1]], {"sessions": "\n".join(seen()).encode()})
        key = victims.rng.randbytes(16)
        other = connection.copy()
        other.set_autocommit(False)
        with other.cursor() as theirs, connection.cursor() as ours:
            theirs.execute("LOCK TABLE surveys_receipt IN EXCLUSIVE MODE")
            ours.execute("SET lock_timeout = '10ms'")
            raw = request_of(victims.version, key=key.hex())
            assert submission_receive(raw, now=timezone.now()).status == 503
            ours.execute("SET lock_timeout = '20s'")
        other.close()
        said = data_directory().with_name("log").read_bytes()
        assert b"lock timeout" in said
        return set(sessions) | set(occurrences([key], {"log": said}))

    assert told() == set()
    monkeypatch.setattr(store, "server_bound_cursor", connection.cursor)
    assert told() == {"sessions", "log"}


def test_with_samples_the_statistics_tell_which_rows_of_a_batch_came_first(victims: Victims) -> None:
    def first_half_by_samples() -> int:
        victims.answer(ROWS // 2)
        early = list(victims.truth.values())[-ROWS // 2 :]
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE surveys_inbox")
        victims.answer(ROWS // 2)
        mix(now=timezone.now())
        return sum(occurrences(early, {"samples": "\n".join(seen()).encode()}).values())

    assert first_half_by_samples() == 0
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE surveys_inbox ALTER COLUMN packed SET STATISTICS -1")
    try:
        assert first_half_by_samples() == ROWS // 2
    finally:
        with connection.cursor() as cursor:
            for change in ("SET STATISTICS 0", "TYPE bytea"):
                cursor.execute(f"ALTER TABLE surveys_inbox ALTER COLUMN packed {change}")
        assert "\\x" not in "".join(seen()), "what the migration does forgets the samples"


def test_with_batches_of_one_all_are_linked_by_two_backups_each(
    victims: Victims, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mixer, "LEAST_ROWS", 1)
    thefts = []
    for _ in range(ROWS):
        victims.answer()
        mix(now=timezone.now())
        thefts.append(ServerTheft.of_now(victims))
    assert victims.linked(by_backups(thefts)) == ROWS
