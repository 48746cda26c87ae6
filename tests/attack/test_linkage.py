"""The attacker links rows to receipts no better than chance, and all where one protection is taken away."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from surveys.intake import mix as mixer
from surveys.intake import store
from surveys.intake.mix import mix
from surveys.models import Batch, Inbox, Version
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
from tests.cast.devices import published, wide_definition
from tests.statistics import FALSE_ALARM

# What can be done with a stolen PostgreSQL is in test_linkage_postgresql.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only("sqlite")]

BATCHES, ROWS = 40, 50

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


def give_row_numbers() -> None:
    """Make the two tables as they would be without care: with hidden row numbers."""
    with connection.cursor() as cursor:
        for table in ("surveys_receipt", "surveys_inbox"):
            (sql,) = cursor.execute("SELECT sql FROM sqlite_master WHERE name = %s", [table]).fetchone()
            cursor.execute(f"DROP TABLE {table}")
            cursor.execute(sql.replace("WITHOUT ROWID", ""))


@pytest.fixture
def row_numbers(transactional_db: None) -> object:
    with connection.cursor() as cursor:
        before = dict(
            cursor.execute(
                "SELECT name, sql FROM sqlite_master WHERE name IN ('surveys_receipt', 'surveys_inbox')"
            ).fetchall()
        )
    give_row_numbers()
    yield
    with connection.cursor() as cursor:
        for table, sql in before.items():
            cursor.execute(f"DROP TABLE {table}")
            cursor.execute(sql)


def test_the_attacker_links_no_more_rows_than_chance_does(victims: Robbed) -> None:
    for _ in range(BATCHES):
        victims.answer(ROWS)
        assert mix(now=timezone.now()).erased
        victims.steal()
    assert [batch.n for batch in Batch.objects.all()] == [ROWS] * BATCHES
    sizes = [ROWS] * BATCHES
    limit = most_by_chance(sizes, alarm=FALSE_ALARM)
    # Of 2,000 rows chance links 40 on average. Two rows given away in each batch would be seen for certain.
    assert BATCHES < limit < 2 * BATCHES
    last = victims.thefts[-1]
    assert set(last.receipts_by_row_number()) == set(last.receipts_by_place()) == set(victims.truth)
    assert set(last.rows()) == set(last.rows_by_place()) == set(victims.truth.values())
    linked = {attack: victims.linked_by(attack) for attack in ATTACKS}
    assert max(linked.values()) <= limit, (linked, limit)
    # The best of them do as well as chance: they see which rows came in one batch, and no more.
    assert linked["log"] == 0


def test_with_row_numbers_and_no_mixing_all_are_linked(victims: Robbed, row_numbers: None) -> None:
    victims.answer(2 * ROWS)
    victims.steal()
    assert victims.linked_by("row number") == 2 * ROWS


def test_without_shuffling_all_are_linked(
    victims: Robbed, row_numbers: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Lazy:
        def shuffle(self, x: list[bytes], /) -> None:
            """Leave the rows as they are."""

    numbers = count()
    monkeypatch.setattr(store.secrets, "token_bytes", lambda size: next(numbers).to_bytes(size, "big"))
    for batches in (1, 2, 3):
        victims.answer(ROWS)
        mix(now=timezone.now(), shuffler=Lazy())
        victims.steal()
        assert victims.linked_by("row number") == batches * ROWS
        assert victims.linked_by("backups, row number") == batches * ROWS
        if batches == 1:
            # Fifty receipts lie on one page, in their order; later pages lie wherever the file had room.
            assert victims.linked_by("place") == victims.linked_by("backups, place") == ROWS


def test_with_the_log_left_as_it_is_all_are_linked(victims: Robbed, monkeypatch: pytest.MonkeyPatch) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.execute("PRAGMA wal_autocheckpoint = 0")
    monkeypatch.setattr(mixer, "erase_traces", lambda *, after_mixing: False)
    victims.answer(2 * ROWS)
    mix(now=timezone.now())
    victims.steal()
    assert Inbox.objects.count() == 0
    assert victims.linked_by("log") == 2 * ROWS
    connection.close()


def test_without_overwriting_what_is_deleted_rows_are_found_again(
    victims: Robbed, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete = OFF")
    victims.answer(ROWS)
    mix(now=timezone.now())
    victims.steal()
    assert Inbox.objects.count() == 0
    connection.close()
    carved = victims.thefts[-1].rows_by_place()[:ROWS]
    batch = victims.thefts[-1].rows()
    assert carved != batch, "the file still tells another order than the batch"
    assert sorted(carved) == sorted(batch)


def test_with_batches_of_one_all_are_linked_by_two_backups_each(
    victims: Robbed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mixer, "LEAST_ROWS", 1)
    for _ in range(ROWS):
        victims.answer()
        mix(now=timezone.now())
        victims.steal()
    assert victims.linked_by("backups, row number") == ROWS
    assert victims.linked_by("backups, place") == ROWS
