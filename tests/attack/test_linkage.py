"""Attackers link rows to receipts no better than by guessing, but most rows if a protection is removed."""

from pathlib import Path

import pytest
from cryptography.exceptions import InvalidTag
from django.conf import settings
from django.db import connection
from django.utils import timezone

from surveys.intake import keys
from surveys.intake import mix as mixer
from surveys.intake.mix import mix
from surveys.intake.sealed_boxes import PrivateKey, open_box
from surveys.models import Batch, Version
from tests.attack.linkage import Lazy, Watched
from tests.attack.respondents import Respondents
from tests.fixtures.devices import published, wide_definition

# test_linkage_postgresql covers attacks on PostgreSQL.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only("sqlite")]

BATCHES, ROWS = 20, 50
DAYS, A_DAY = 100, 2


@pytest.fixture
def version() -> Version:
    return published(wide_definition("wide", questions=90))


@pytest.fixture
def victims(version: Version, tmp_path: Path) -> Watched:
    return Watched(Respondents(version), tmp_path)


@pytest.fixture
def row_numbers(transactional_db: None) -> object:
    """Recreate the two tables with hidden row numbers, as SQLite makes them by default."""
    with connection.cursor() as cursor:
        before = dict(
            cursor.execute(
                "SELECT name, sql FROM sqlite_master WHERE name IN ('surveys_receipt', 'surveys_inbox')"
            ).fetchall()
        )
        for table, sql in before.items():
            cursor.execute(f"DROP TABLE {table}")
            cursor.execute(sql.replace("WITHOUT ROWID", ""))
    yield
    with connection.cursor() as cursor:
        for table, sql in before.items():
            cursor.execute(f"DROP TABLE {table}")
            cursor.execute(sql)
        cursor.execute("CREATE INDEX surveys_receipt_fresh ON surveys_receipt (survey_id) WHERE fresh")


@pytest.mark.soak
def test_nightly_backups_link_rows_only_at_random(victims: Watched) -> None:
    victims.answer_nightly(nights=DAYS, a_day=A_DAY)
    sizes = [batch.n for batch in Batch.objects.all()]
    assert sum(sizes) == DAYS * A_DAY
    assert min(sizes) >= ROWS
    linked = victims.linked()
    assert linked.limit < sum(sizes) / 8
    assert max(linked.by_attack.values()) <= linked.limit, linked
    # The keys of the last day open nothing in any backup.
    with keys.locked_keyring(offers=False):
        pass
    boxes = {box for theft in victims.files for box in theft.boxes()}
    assert len(boxes) > DAYS
    assert opened_by_todays_keys(boxes, victims) == 0


def opened_by_todays_keys(boxes: set[bytes], victims: Watched) -> int:
    """Count the boxes that a key in the current folder opens."""
    files = [
        path for path in settings.SOTTOVOCE_MIXER_KEYS.rglob("*") if len(path.name) == 32 and path.is_file()
    ]
    today = [PrivateKey.of(path.read_bytes()) for path in files]

    def opens(box: bytes, key: PrivateKey) -> bool:
        try:
            open_box(box, key=key, design_id=victims.respondents.version.design_id)
        except InvalidTag:
            return False
        return True

    return sum(any(opens(box, key) for key in today) for box in boxes)


@pytest.mark.soak
def test_nightly_backups_of_a_plain_inbox_link_half_the_rows(victims: Watched, plain_inbox: None) -> None:
    victims.answer_nightly(nights=DAYS, a_day=A_DAY)
    linked = victims.linked()
    # With two receipts and two rows a night, each pairing is right with probability one half.
    assert linked.by_attack["backups, row number"] >= max(0.3 * DAYS * A_DAY, linked.limit + 1)


@pytest.mark.soak
def test_watching_every_mix_links_rows_only_at_random(victims: Watched) -> None:
    victims.answer_and_mix(batches=BATCHES, rows=ROWS)
    assert [batch.n for batch in Batch.objects.all()] == [ROWS] * BATCHES
    last = victims.files[-1]
    assert (
        set(last.receipts_by_row_number()) == set(last.receipts_by_place()) == set(victims.respondents.truth)
    )
    assert len(set(last.rows()) & set(victims.respondents.truth.values())) == BATCHES * ROWS
    linked = victims.linked()
    # The limit is so low that two linked rows in each batch would be detected.
    assert BATCHES == linked.by_chance < linked.limit < 3 * BATCHES
    assert max(linked.by_attack.values()) <= linked.limit, linked
    assert linked.by_attack["log"] == 0


def test_rows_kept_in_arrival_order_are_all_linked(
    victims: Watched, row_numbers: None, keep_arrivals: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mixer, "LEAST_WAITING", ROWS)
    monkeypatch.setattr(mixer, "POOL", 0)
    for batches in (1, 2):
        victims.respondents.answer(ROWS)
        mix(now=timezone.now(), shuffler=Lazy())
        victims.steal()
        assert victims.linked().by_attack["row number"] == batches * ROWS
        if batches == 1:
            # Fifty receipts fit on one page, in order; later pages may be anywhere in the file.
            assert victims.linked().by_attack["place"] == ROWS


def test_a_plaintext_inbox_lets_the_log_link_all_rows(victims: Watched, plain_inbox: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.execute("PRAGMA wal_autocheckpoint = 0")
    victims.respondents.answer(2 * ROWS)
    victims.steal()
    assert victims.linked().by_attack["log"] == 2 * ROWS
    connection.close()
