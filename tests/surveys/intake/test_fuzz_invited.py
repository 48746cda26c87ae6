"""Hostile input with invitations: nothing fails, and a code is spent by a real body or not at all."""

from __future__ import annotations

import json
import random

import pytest
from django.utils import timezone

from privacy.errors import PrivacyError
from privacy.survey.layout import Layout
from surveys.intake.payload import code_new, is_code, receipt_key
from surveys.intake.receive import submission_receive
from surveys.models import Inbox, Receipt, Version
from tests.fixtures.devices import sealed_body
from tests.fixtures.invitations import codes_of, invited, invited_request
from tests.surveys.intake.test_fuzz import MUTATIONS, SEED

pytestmark = pytest.mark.django_db

REFUSALS = {400, 413, 422}
MEMBERS = {"survey", "code", "design_id", "body", "nonce"}


def spends(raw: bytes, version: Version, bodies: set[str], made: set[str]) -> str | None:
    """Return the code that these bytes may spend, if any; written apart from the parser."""
    if len(raw) > 65_536:
        return None
    try:
        pairs = json.loads(raw.decode("utf-8"), object_pairs_hook=tuple)
        members = dict(pairs)
    except (ValueError, TypeError, RecursionError):
        return None
    if len(pairs) != 5 or set(members) != MEMBERS or not all(isinstance(m, str) for m in members.values()):
        return None
    nonce = members["nonce"]
    is_one = (
        members["survey"] == "work"
        and members["design_id"] == version.design_id
        and members["body"] in bodies
        and len(nonce) == 64
        and set(nonce) <= set("0123456789abcdef")
    )
    return members["code"] if is_one and members["code"] in made else None


@pytest.mark.soak
def test_mutated_requests_spend_a_code_once_and_by_a_whole_body_only(soak: int) -> None:
    version = invited()
    rng, now = random.Random(SEED), timezone.now()
    design = version.to_design()
    bodies = {sealed_body(design, rng).hex() for _ in range(200)}
    codes = codes_of(version, 40)
    strangers = [code_new(rng.randrange) for _ in range(5)]
    spent: dict[str, bytes] = {}
    tally: dict[int | str, int] = {}
    for _ in range(3_000 * soak):
        raw = bytearray(
            invited_request(
                version,
                rng.choice([*codes, *strangers]),
                body=rng.choice(sorted(bodies)),
                nonce=rng.randbytes(32).hex(),
            )
        )
        for _ in range(rng.choice((0, 1, 1, 2, 3, 8))):
            if raw:
                rng.choice(MUTATIONS)(raw, rng)
        mutated = bytes(raw)
        status = submission_receive(mutated, now=now).status
        tally[status] = tally.get(status, 0) + 1
        code = spends(mutated, version, every_body(mutated, version, bodies), set(codes))
        if code is None:
            assert status in REFUSALS, (SEED, status, mutated[:400])
        else:
            first = spent.setdefault(code, mutated)
            tally["spent"] = tally.get("spent", 0) + (first != mutated)
            assert status == (200 if first == mutated else 422), (SEED, status, mutated)
    assert min(tally.get(each, 0) for each in (200, 400, 413, 422, "spent")) >= 20, (SEED, tally)
    used = {bytes(key) for key in Receipt.objects.filter(digest__isnull=False).values_list("key", flat=True)}
    assert used == {receipt_key(code, survey="work") for code in spent}
    assert Inbox.objects.count() == len(spent)
    assert Receipt.objects.count() == len(codes)
    assert all(is_code(code) for code in spent)


def every_body(raw: bytes, version: Version, bodies: set[str]) -> set[str]:
    """Add the mutated body if it differs and some device can send it."""
    try:
        body = json.loads(raw.decode("utf-8"))["body"]
        Layout(version.to_design()).unpack(bytes.fromhex(body))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, PrivacyError):
        return bodies
    # Python reads blanks between digits, which the server refuses.
    return bodies | {body} if body.isalnum() and body == body.lower() else bodies
