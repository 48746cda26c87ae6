"""An attacker who controls the PostgreSQL server can only guess links, unless a protection is removed."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from surveys.intake import mix as mixer
from surveys.intake import receive, store, target
from surveys.intake.mix import mix
from surveys.intake.receive import submission_receive
from surveys.models import Batch, Beat
from tests.attack.linkage import Lazy, Watched
from tests.attack.respondents import Respondents
from tests.attack.server import ATTACKS, ServerTheft, by_backups, by_log, by_place
from tests.attack.traces import data_directory, seen
from tests.fixtures.devices import published, request_of, wide_definition
from tests.fixtures.traces import occurrences, rows_outside_tables

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.only("postgresql"),
    pytest.mark.usefixtures("own_log"),
]

BATCHES, ROWS = 20, 50
DAYS, A_DAY = 100, 2


@pytest.fixture
def watched(request: pytest.FixtureRequest, tmp_path: Path) -> Watched:
    # A seed for each test, because the cluster's log may still contain plain rows of another test.
    seed = zlib.crc32(request.node.name.encode())
    return Watched(Respondents(published(wide_definition("wide", questions=90)), seed=seed), tmp_path)


@pytest.fixture
def victims(watched: Watched) -> Respondents:
    return watched.respondents


@contextmanager
def keep_log() -> Iterator[None]:
    """Make the server keep its log, as an absent replica would."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_create_physical_replication_slot('sottovoce_replica', true)")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_drop_replication_slot('sottovoce_replica')")


@pytest.mark.soak
def test_the_attacker_links_rows_only_at_random(watched: Watched) -> None:
    """The attacker watches every mix, and has the complete log."""
    with keep_log():
        watched.answer_and_mix(batches=BATCHES, rows=ROWS)
    assert [batch.n for batch in Batch.objects.all()] == [ROWS] * BATCHES
    assert watched.unread == ""
    linked, thefts, truth = watched.linked(), watched.servers, watched.respondents.truth
    # Each attack passes the limit by chance once in a million times.
    assert BATCHES == linked.by_chance < linked.limit < 3 * BATCHES
    assert set(thefts[-1].receipt_keys()) == set(truth)
    assert len(set(thefts[-1].rows()) & set(truth.values())) == BATCHES * ROWS
    # These three attacks guess a receipt for every mixed row; the other two find almost nothing.
    assert {len(ATTACKS[name](thefts)) for name in ("place", "transaction", "backups")} == {ROWS * BATCHES}
    assert max(linked.by_attack.values()) <= linked.limit, linked
    assert rows_outside_tables(thefts[-1]) == []


def test_an_account_without_server_rights_reports_unread_files(watched: Watched) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE ROLE sottovoce_reader")
        try:
            cursor.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO sottovoce_reader")
            cursor.execute("SET ROLE sottovoce_reader")
            watched.steal(with_files=True)
        finally:
            cursor.execute("RESET ROLE")
            cursor.execute("DROP OWNED BY sottovoce_reader")
            cursor.execute("DROP ROLE sottovoce_reader")
    assert "superuser" in watched.unread
    assert set(watched.linked().by_attack) == {"place", "transaction", "backups"}


def test_a_database_holder_cannot_link_waiting_rows(victims: Respondents) -> None:
    with keep_log():
        victims.answer(ROWS - 1)
        theft = ServerTheft.of_now(victims, with_files=True)
    assert (theft.rows(), len(theft.receipts)) == ([], ROWS - 1)
    # No file of the cluster contains a row either.
    assert occurrences(victims.truth.values(), theft.files | {"log": theft.log}) == {}


@pytest.mark.soak
def test_nightly_backups_link_rows_only_at_random(watched: Watched) -> None:
    watched.answer_nightly(nights=DAYS, a_day=A_DAY)
    sizes = [batch.n for batch in Batch.objects.all()]
    assert sum(sizes) == DAYS * A_DAY
    assert min(sizes) >= ROWS
    linked = watched.linked()
    assert set(linked.by_attack) == {"place", "transaction", "backups"}
    assert linked.limit < sum(sizes) / 8
    assert max(linked.by_attack.values()) <= linked.limit, linked


def test_a_plaintext_inbox_lets_all_waiting_rows_be_linked(victims: Respondents, plain_inbox: None) -> None:
    with keep_log():
        victims.answer(ROWS - 1)
        theft = ServerTheft.of_now(victims, with_files=True)
    for attack in ("place", "transaction"):
        assert victims.linked(ATTACKS[attack]([theft])) == ROWS - 1
    # The attack misses pairs that cross a page boundary in the log.
    assert victims.linked(by_log(theft)) >= 0.9 * (ROWS - 1)


def test_rows_in_arrival_order_and_unshuffled_are_all_linked(
    victims: Respondents, keep_arrivals: None
) -> None:
    victims.answer(ROWS)
    for _ in range(3):
        victims.answer(ROWS)
        mix(now=timezone.now(), shuffler=Lazy())
    theft = ServerTheft.of_now(victims)
    assert victims.linked(by_place(theft)) == 3 * ROWS


def test_receipt_position_and_transaction_hide_arrival_order(victims: Respondents) -> None:
    """After a mix, the receipts since the last one are ordered by key and have one transaction number."""
    mix(now=timezone.now())
    orders = []
    for _ in range(2):
        victims.answer(2 * ROWS)
        mix(now=timezone.now())
        numbered = sorted(ServerTheft.of_now(victims).receipts, key=lambda receipt: receipt.transaction)
        orders.append([receipt.value for receipt in numbered][-2 * ROWS :])
        assert len({receipt.transaction for receipt in numbered[-2 * ROWS :]}) == 1
    assert all(order == sorted(order) for order in orders)
    arrived = list(victims.truth)
    assert set(orders[1]) == set(arrived[-2 * ROWS :]), (
        "between which mixes they came is told until the night"
    )
    Beat.objects.filter(name=mixer.NIGHT).delete()
    mix(now=timezone.now())
    after = ServerTheft.of_now(victims)
    assert after.receipt_keys() == sorted(arrived)
    assert len({receipt.transaction for receipt in after.receipts}) == 1


def test_statement_values_reveal_only_the_last_and_the_failed_submissions(
    victims: Respondents, monkeypatch: pytest.MonkeyPatch
) -> None:
    def places_with_keys() -> set[str]:
        """Send a submission, and one that fails at a lock; return the places that show their keys."""
        victims.answer()
        sessions = occurrences([list(victims.truth)[-1]], {"sessions": "\n".join(seen()).encode()})
        key = victims.rng.bytes(16)
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

    assert places_with_keys() == set()
    for module in (receive, store, target):
        monkeypatch.setattr(module, "server_bound_cursor", connection.cursor)
    assert places_with_keys() == {"sessions", "log"}


def test_batches_of_one_without_a_pool_are_linked_by_two_backups(
    victims: Respondents, batches_of_one: None
) -> None:
    thefts = []
    for _ in range(ROWS):
        victims.answer()
        mix(now=timezone.now())
        thefts.append(ServerTheft.of_now(victims))
    assert victims.linked(by_backups(thefts)) == ROWS
