"""With the list of invitation codes, an attacker sees which were used, but links no more rows."""

from pathlib import Path

import pytest
from django.utils import timezone

from surveys.intake.codes import code_in_groups, receipt_key
from surveys.intake.mix import mix
from surveys.intake.receive import submission_receive
from surveys.models import Batch, Inbox, Receipt
from surveys.models.audit_event import audit_event_record
from tests.attack.linkage import Watched
from tests.attack.respondents import Respondents
from tests.attack.traces import database_files
from tests.fixtures.devices import request_of, wide_definition
from tests.fixtures.invitations import codes_of, invited
from tests.fixtures.traces import occurrences

pytestmark = pytest.mark.django_db(transaction=True)

BATCHES, ROWS = 12, 50
# Some invitations stay unused, among the others.
CODES = (BATCHES + 1) * ROWS + 100


class Invited(Respondents):
    """Respondents with one invitation each; the attacker knows the codes."""

    def __init__(self) -> None:
        super().__init__(invited(wide_definition("wide", questions=90)))
        self.codes = codes_of(self.version, CODES)
        self.unused = list(self.codes)
        self.rng.shuffle(self.unused)

    def answer(self, times: int = 1) -> None:
        """Let some of them disguise and send."""
        for _ in range(times):
            code, body = self.unused.pop(), self.row()
            raw = request_of(self.version, code=code, body=body.hex(), nonce=self.rng.bytes(32).hex())
            assert submission_receive(raw, now=timezone.now()).status == 200
            self.truth[receipt_key(code, survey="wide")] = body


@pytest.fixture
def watched(transactional_db: None, tmp_path: Path) -> Watched:
    return Watched(Invited(), tmp_path)


@pytest.fixture
def victims(watched: Watched) -> Invited:
    assert isinstance(watched.respondents, Invited)
    return watched.respondents


@pytest.mark.soak
def test_stolen_codes_and_files_link_rows_only_at_random(watched: Watched, victims: Invited) -> None:
    watched.answer_and_mix(batches=BATCHES, rows=ROWS)
    assert [batch.n for batch in Batch.objects.all()] == [ROWS] * BATCHES
    linked = watched.linked()
    assert BATCHES == linked.by_chance < linked.limit < 3 * BATCHES
    for theft in watched.files[-1:]:
        assert set(theft.receipts_by_row_number()) == set(theft.receipts_by_place()) == set(victims.truth)
    for taken in watched.servers[-1:]:
        assert set(taken.receipt_keys()) == set(victims.truth)
    assert max(linked.by_attack.values()) <= linked.limit, linked
    # The list of codes does reveal who responded, as the researcher's page says.
    spent = {receipt_key(code, survey="wide") for code in victims.codes if code not in victims.unused}
    assert spent == set(victims.truth)


@pytest.mark.soak
def test_the_database_contains_no_invitation_codes(victims: Invited) -> None:
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
