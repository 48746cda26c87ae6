"""If invitations determine the arm, an invitation and its row share only the arm."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from privacy.coins import Coins
from privacy.survey.arms import arm_at, draw_arms, invited_draw
from surveys.intake.codes import receipt_key
from surveys.intake.mix import mix
from surveys.intake.receive import submission_receive
from surveys.models import Batch
from tests.attack.linkage import FALSE_ALARM, Watched
from tests.attack.matching import most_by_chance
from tests.attack.respondents import Respondents
from tests.fixtures.devices import request_of, wide_definition
from tests.fixtures.invitations import codes_of, invited

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.only("sqlite")]

BATCHES, ROWS = 4, 50
FEW = 10


def definition() -> dict[str, Any]:
    arm = {"key": "told", "kind": "arm", "options": [{"key": key, "share": 5000} for key in ("a", "b")]}
    wide = wide_definition("wide", questions=60)
    part = {"key": "told", "protected": False, "title": {"en": "InvitedToArms"}, "questions": [arm]}
    return {**wide, "blocks": [part, *wide["blocks"]], "invited": "told"}


class InvitedToArms(Respondents):
    """Respondents whose invitation determines their arm; the attacker knows codes and files."""

    def __init__(self) -> None:
        super().__init__(invited(definition()))
        self.unused = list(codes_of(self.version, (BATCHES + 1) * ROWS + 20))
        self.rng.shuffle(self.unused)

    def arm(self, key: bytes) -> int:
        """Return the arm that the digest of a code determines."""
        draw = invited_draw(key, survey="wide", decision="told")
        return arm_at(self.design.questions[0], draw)

    def answer(self, times: int = 1) -> None:
        """Let some of them disguise and send."""
        for _ in range(times):
            code = self.unused.pop()
            key = receipt_key(code, survey="wide")
            number = invited_draw(key, survey="wide", decision="told")
            (arm,) = draw_arms(self.design, Coins(self.words), place=number)
            answers = {
                block.key: {question.key: int(self.rng.integers(2)) for question in block.questions}
                for block in self.design.blocks
            }
            body = self.row({**answers, "told": {"told": arm}})
            raw = request_of(self.version, code=code, body=body.hex(), nonce=self.rng.bytes(32).hex())
            assert submission_receive(raw, now=timezone.now()).status == 200
            self.truth[key] = body


@pytest.fixture
def watched(transactional_db: None, tmp_path: Path) -> Watched:
    return Watched(InvitedToArms(), tmp_path)


def linked_within_arms(watched: Watched) -> tuple[int, list[int]]:
    """Pair new receipts and rows of each arm, in storage order, after each theft.

    Return the number of right pairs, and the number of rows of each arm in each batch.
    """
    people = watched.respondents
    assert isinstance(people, InvitedToArms)
    receipts, rows, guess = set[bytes](), set[bytes](), {}
    cells: Counter[tuple[int, int]] = Counter()
    for number, theft in enumerate(watched.files):
        came = [key for key in theft.receipts_by_place() if key in people.truth and key not in receipts]
        new = [row for row in theft.rows() if row not in rows]
        receipts |= set(came)
        rows |= set(new)
        for arm in (0, 1):
            own = [row for row in new if people.layout.unpack(row).answers[0][0] == arm]
            cells[number, arm] += len(own)
            guess |= dict(zip((key for key in came if people.arm(key) == arm), own, strict=False))
    return people.linked(guess), [size for size in cells.values() if size]


def test_invitation_and_row_share_only_the_arm(watched: Watched) -> None:
    watched.answer_and_mix(batches=BATCHES, rows=ROWS)
    people = watched.respondents
    assert isinstance(people, InvitedToArms)
    for key, row in people.truth.items():
        assert people.layout.unpack(row).answers[0][0] == people.arm(key)
    assert [batch.n for batch in Batch.objects.all()] == [ROWS] * BATCHES
    linked, cells = linked_within_arms(watched)
    # Guessing links one row per arm and batch, instead of one per batch. This is the price of arms.
    assert len(cells) == 2 * BATCHES
    assert linked <= most_by_chance(cells, alarm=FALSE_ALARM)


def test_batches_of_one_let_the_same_attack_link_all_rows(watched: Watched, batches_of_one: None) -> None:
    for _ in range(FEW):
        watched.respondents.answer()
        mix(now=timezone.now())
        watched.steal()
    assert linked_within_arms(watched)[0] == FEW
