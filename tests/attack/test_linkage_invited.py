"""By invitation no more is linked: who has the list of codes as well sees which of them were used."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from surveys.intake import mix as mixer
from surveys.intake.invitation_code import code_in_groups, receipt_key
from surveys.intake.mix import mix
from surveys.intake.receive import submission_receive
from surveys.models import Batch, Inbox, Receipt
from surveys.models.audit_event import audit_event_record
from tests.attack import cluster
from tests.attack.chance import most_by_chance
from tests.attack.cluster import ServerTheft
from tests.attack.linkage import Theft, by_backups, by_log, by_place, by_row_number
from tests.attack.victims import Victims
from tests.cast.devices import sealed_body, wide_definition
from tests.cast.invitations import codes_of, invited, invited_request
from tests.cast.traces import database_files, occurrences
from tests.statistics import FALSE_ALARM

pytestmark = pytest.mark.django_db(transaction=True)

BATCHES, ROWS = 12, 50
# Some invitations stay unused, and lie among the others.
CODES = (BATCHES + 1) * ROWS + 100


class Invited(Victims):
    """Respondents with an invitation each; the attacker knows the codes."""

    def __init__(self) -> None:
        super().__init__(invited(wide_definition("wide", questions=90)))
        self.codes = codes_of(self.version, CODES)
        self.unused = list(self.codes)
        self.rng.shuffle(self.unused)

    def answer(self, times: int = 1) -> None:
        """Let so many of them seal and send."""
        for _ in range(times):
            code, body = self.unused.pop(), sealed_body(self.design, self.rng)
            raw = invited_request(self.version, code, body=body.hex(), nonce=self.rng.randbytes(32).hex())
            assert submission_receive(raw, now=timezone.now()).status == 200
            self.truth[receipt_key(code, survey="wide")] = body


class Robber:
    """Copies the files of SQLite now and then."""

    def __init__(self, victims: Victims, loot: Path) -> None:
        self.victims, self.loot = victims, loot
        self.thefts: list[Theft] = []

    def steal(self) -> None:
        database = Path(connection.settings_dict["NAME"])
        into = self.loot / str(len(self.thefts))
        self.thefts.append(Theft.of(database, into, row_bytes=self.victims.row_bytes))


@pytest.fixture
def victims(transactional_db: None) -> Invited:
    return Invited()


@pytest.fixture
def robber(victims: Invited, tmp_path: Path) -> Robber:
    return Robber(victims, tmp_path)


@pytest.mark.only("sqlite")
def test_who_stole_the_files_and_the_codes_links_no_more_rows_than_chance(
    victims: Invited, robber: Robber
) -> None:
    victims.answer(ROWS)
    for _ in range(BATCHES):
        victims.answer(ROWS)
        mix(now=timezone.now())
        robber.steal()
    assert [batch.n for batch in Batch.objects.all()] == [ROWS] * BATCHES
    limit = most_by_chance([ROWS] * BATCHES, alarm=FALSE_ALARM)
    assert BATCHES < limit < 3 * BATCHES
    last = robber.thefts[-1]
    assert set(last.receipts_by_row_number()) == set(last.receipts_by_place()) == set(victims.truth)
    linked = {
        "row number": victims.linked(by_row_number(last)),
        "place": victims.linked(by_place(last)),
        "log": victims.linked(by_log(last)),
        "backups, row number": victims.linked(by_backups(robber.thefts, by_place=False)),
        "backups, place": victims.linked(by_backups(robber.thefts, by_place=True)),
    }
    assert max(linked.values()) <= limit, (linked, limit)
    # What the list of codes does tell, as the researcher's page says.
    spent = {receipt_key(code, survey="wide") for code in victims.codes if code not in victims.unused}
    assert spent == set(victims.truth)


@pytest.mark.only("sqlite")
def test_with_batches_of_one_all_are_linked_by_two_backups_each(
    victims: Invited, robber: Robber, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mixer, "LEAST_WAITING", 1)
    monkeypatch.setattr(mixer, "POOL", 0)
    for _ in range(ROWS):
        victims.answer()
        mix(now=timezone.now())
        robber.steal()
    assert victims.linked(by_backups(robber.thefts, by_place=False)) == ROWS


@pytest.mark.only("postgresql")
def test_who_holds_the_server_and_the_codes_links_no_more_rows_than_chance(
    victims: Invited,
) -> None:
    thefts = []
    victims.answer(ROWS)
    for number in range(BATCHES):
        victims.answer(ROWS)
        mix(now=timezone.now())
        thefts.append(ServerTheft.of_now(victims, with_files=number == BATCHES - 1))
    limit = most_by_chance([ROWS] * BATCHES, alarm=FALSE_ALARM)
    assert set(thefts[-1].receipt_keys()) == set(victims.truth)
    linked = {
        "place": victims.linked(cluster.by_place(thefts[-1])),
        "transaction": victims.linked(cluster.by_transaction(thefts[-1])),
        "log": victims.linked(cluster.by_log(thefts[-1])),
        "files": victims.linked(cluster.by_files(thefts[-1])),
        "backups": victims.linked(cluster.by_backups(thefts)),
    }
    assert max(linked.values()) <= limit, (linked, limit)


def test_no_code_is_found_in_anything_that_the_database_keeps(victims: Invited) -> None:
    victims.answer(2 * ROWS)
    mix(now=timezone.now())
    spelt = [
        [code.encode() for code in victims.codes],
        [code_in_groups(code).encode() for code in victims.codes],
    ]
    assert Receipt.objects.count() == CODES
    assert Inbox.objects.count() == ROWS
    files = database_files()
    assert [occurrences(codes, files) for codes in spelt] == [{}, {}]
    audit_event_record(actor="alice", action="planted", target="wide", detail={"codes": [victims.codes[7]]})
    assert occurrences(spelt[0], database_files())
