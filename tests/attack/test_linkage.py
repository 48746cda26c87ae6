"""The attacker links rows to receipts no better than chance, and most where a protection is taken away."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from surveys.authoring.publish import survey_close
from surveys.intake import inbox, keys, receive
from surveys.intake import mix as mixer
from surveys.intake import store as receive_store
from surveys.intake.boxes import BoxError, PrivateKey, open_box
from surveys.intake.mix import mix, mix_waiting
from surveys.models import Batch, Version
from tests.attack.chance import most_by_chance
from tests.attack.linkage import (
    Guess,
    Theft,
    by_backups,
    by_log,
    by_place,
    by_row_number,
)
from tests.attack.victims import Victims
from tests.cast.devices import published, survey_of, wide_definition
from tests.statistics import FALSE_ALARM

# What can be done with a stolen PostgreSQL is in test_linkage_postgresql.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only("sqlite")]

BATCHES, ROWS = 20, 50
DAYS, A_DAY = 100, 2

ATTACKS: dict[str, Callable[[list[Theft]], Guess]] = {
    "row number": lambda thefts: by_row_number(thefts[-1]),
    "place": lambda thefts: by_place(thefts[-1]),
    "log": lambda thefts: by_log(thefts[-1]),
    "backups, row number": lambda thefts: by_backups(thefts, by_place=False),
    "backups, place": lambda thefts: by_backups(thefts, by_place=True),
}


@pytest.fixture
def version() -> Version:
    return published(wide_definition("wide", questions=90))


class Robbed(Victims):
    """Victims whose database is copied now and then."""

    def __init__(self, version: Version, loot: Path) -> None:
        super().__init__(version)
        self.loot = loot
        self.thefts: list[Theft] = []

    def steal(self) -> None:
        """Take a backup now."""
        database = Path(connection.settings_dict["NAME"])
        self.thefts.append(Theft.of(database, self.loot / str(len(self.thefts)), row_bytes=self.row_bytes))

    def linked_by(self, attack: str) -> int:
        """Return how many rows the attack links to the right receipt."""
        return self.linked(ATTACKS[attack](self.thefts))


@pytest.fixture
def victims(version: Version, tmp_path: Path) -> Robbed:
    return Robbed(version, tmp_path)


class Lazy:
    """A mixer that does not mix."""

    def shuffle(self, x: list[bytes], /) -> None:
        """Leave the rows as they are."""


@pytest.fixture
def plain_inbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rows wait in the clear, as they did before there were boxes."""

    def as_it_is(row: bytes, **_: Any) -> bytes:
        return row

    monkeypatch.setattr(receive, "seal", as_it_is)
    monkeypatch.setattr(inbox, "seal", as_it_is)
    monkeypatch.setattr(inbox, "open_box", as_it_is)


@pytest.fixture
def arrival_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave receipts where they arrived, name rows by a counter, and do not shuffle."""
    for name in ("fresh_receipts_rewrite", "receipts_rewrite"):
        monkeypatch.setattr(mixer, name, lambda survey_id: None)
    monkeypatch.setattr(mixer, "open_receipts_rewrite", lambda *, at: None)
    numbers = itertools.count()
    named = SimpleNamespace(
        token_bytes=lambda size: next(numbers).to_bytes(size, "big"), SystemRandom=mixer.secrets.SystemRandom
    )
    for module in (inbox, receive_store):
        monkeypatch.setattr(module, "secrets", named)


@pytest.fixture
def row_numbers(transactional_db: None) -> object:
    """Make the two tables as they would be without care: with hidden row numbers."""
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


def slow_survey(victims: Robbed, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two people answer a day, with a backup each night; then close the survey."""
    now = timezone.now()
    for day in range(DAYS):
        with monkeypatch.context() as patch:
            patch.setattr(timezone, "now", lambda day=day: now + timedelta(days=day))
            mix_waiting()
            victims.answer(A_DAY)
            mix_waiting()
            victims.steal()
    survey_close(survey_of(victims.version), by="alice", now=now, at_once=True)
    victims.steal()


def test_nightly_backups_of_two_answers_a_day_link_no_more_rows_than_chance_does(
    victims: Robbed, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow_survey(victims, monkeypatch)
    sizes = [batch.n for batch in Batch.objects.all()]
    assert sum(sizes) == DAYS * A_DAY
    assert min(sizes) >= ROWS
    limit = most_by_chance(sizes, alarm=FALSE_ALARM)
    assert limit < sum(sizes) / 8
    linked = {attack: victims.linked_by(attack) for attack in ATTACKS}
    assert max(linked.values()) <= limit, (linked, limit)
    # The keys of the last day open nothing that any backup holds.
    with keys.keyring_taken(offers=False):
        pass
    boxes = {box for theft in victims.thefts for box in theft.boxes()}
    assert len(boxes) > DAYS
    assert opened_by_todays_keys(boxes, victims) == 0


def opened_by_todays_keys(boxes: set[bytes], victims: Robbed) -> int:
    """Count the boxes that a key of today's folder opens."""
    files = [path for path in settings.SOTTO_MIXER_KEYS.rglob("*") if len(path.name) == 32 and path.is_file()]
    today = [PrivateKey.of(path.read_bytes()) for path in files]

    def opens(box: bytes, key: PrivateKey) -> bool:
        try:
            open_box(box, key=key, design_id=victims.version.design_id)
        except BoxError:
            return False
        return True

    return sum(any(opens(box, key) for key in today) for box in boxes)


def test_with_a_plain_inbox_nightly_backups_link_half_of_all_rows(
    victims: Robbed, plain_inbox: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow_survey(victims, monkeypatch)
    linked = victims.linked_by("backups, row number")
    # Two receipts and two rows a night: each pairing is right with one half.
    assert linked >= 0.3 * DAYS * A_DAY
    assert linked > most_by_chance([batch.n for batch in Batch.objects.all()], alarm=FALSE_ALARM)


def test_with_keys_that_are_kept_all_backups_are_opened(
    victims: Robbed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys.Keyring, "destroy_unneeded", lambda self: None)
    slow_survey(victims, monkeypatch)
    # Two backups tell it: each box is tried with a key of every night.
    boxes = set(victims.thefts[DAYS // 4].boxes()) | set(victims.thefts[-1].boxes())
    assert len(boxes) > 50
    assert opened_by_todays_keys(boxes, victims) == len(boxes)


def test_the_attacker_who_watches_every_mix_links_no_more_rows_than_chance_does(victims: Robbed) -> None:
    victims.answer(ROWS)
    for _ in range(BATCHES):
        victims.answer(ROWS)
        mix(now=timezone.now())
        victims.steal()
    assert [batch.n for batch in Batch.objects.all()] == [ROWS] * BATCHES
    limit = most_by_chance([ROWS] * BATCHES, alarm=FALSE_ALARM)
    # Two rows given away in each batch would be seen for certain.
    assert BATCHES < limit < 3 * BATCHES
    last = victims.thefts[-1]
    assert set(last.receipts_by_row_number()) == set(last.receipts_by_place()) == set(victims.truth)
    assert len(set(last.rows()) & set(victims.truth.values())) == BATCHES * ROWS
    linked = {attack: victims.linked_by(attack) for attack in ATTACKS}
    assert max(linked.values()) <= limit, (linked, limit)
    assert linked["log"] == 0


def test_in_the_order_of_arrival_all_are_linked(
    victims: Robbed, row_numbers: None, arrival_kept: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mixer, "LEAST_WAITING", ROWS)
    monkeypatch.setattr(mixer, "POOL", 0)
    for batches in (1, 2, 3):
        victims.answer(ROWS)
        mix(now=timezone.now(), shuffler=Lazy())
        victims.steal()
        assert victims.linked_by("row number") == batches * ROWS
        if batches == 1:
            # Fifty receipts lie on one page, in their order; later pages lie wherever the file had room.
            assert victims.linked_by("place") == ROWS


def test_with_a_plain_inbox_the_log_links_all(victims: Robbed, plain_inbox: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.execute("PRAGMA wal_autocheckpoint = 0")
    victims.answer(2 * ROWS)
    victims.steal()
    assert victims.linked_by("log") == 2 * ROWS
    connection.close()


def test_with_batches_of_one_and_no_pool_all_are_linked_by_two_backups_each(
    victims: Robbed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mixer, "LEAST_WAITING", 1)
    monkeypatch.setattr(mixer, "POOL", 0)
    for _ in range(ROWS):
        victims.answer()
        mix(now=timezone.now())
        victims.steal()
    assert victims.linked_by("backups, row number") == ROWS
    assert victims.linked_by("backups, place") == ROWS
