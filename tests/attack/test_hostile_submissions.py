"""Hostile submissions, with and without invitations, cause no failure and store no impossible row."""

import io
import itertools
import json
import random
import string
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from privacy.errors import PrivacyError
from privacy.survey.layout import Layout, Record
from surveys.intake.codes import code_new, is_code, receipt_key
from surveys.intake.receive import submission_receive
from surveys.models import Inbox, Receipt, Version
from tests.fixtures.devices import CONTENT_TYPE, published, request_of, sealed_body, shipped_definition
from tests.fixtures.invitations import codes_of, invited

pytestmark = pytest.mark.django_db

SEED = 20261120
HEX = set("0123456789abcdef")
REFUSALS = {400, 413, 422}


@pytest.fixture
def version(db: None) -> Version:
    return published(shipped_definition(slug="work"))


def producible_bodies(version: Version) -> set[bytes]:
    """Return all bodies that a device can send, from all possible answers."""
    layout = Layout(version.to_design())
    # A list is wording: each of its lines may be left empty, as another look of it allows.
    places = list(itertools.product((None, 0, 1), repeat=3))
    silence = [(said, False) for said in itertools.product((0, 1), repeat=4)]
    bodies = set()
    for years, leads, place in itertools.product((None, 0, 1, 2), (None, 0, 1), places):
        pressure = [((option,), False) for option in range(3)] + [((None,), True)]
        for (said, unsaid), (pressed, skipped) in itertools.product(
            [*silence, ((None,) * 4, True)], pressure if leads == 1 else [((None,), False)]
        ):
            answers = ((years, leads, *place), said, pressed)
            bodies.add(layout.pack(Record(direct=False, answers=answers, refused=(False, unsaid, skipped))))
    return bodies


def is_legitimate(raw: bytes, version: Version, bodies: set[str]) -> bool:
    """Return whether a device may have sent these bytes, independently of the parser."""
    if len(raw) > 65_536:
        return False
    try:
        pairs = json.loads(raw.decode("utf-8"), object_pairs_hook=tuple)
    except (ValueError, RecursionError):
        return False
    if not isinstance(pairs, tuple) or len(pairs) != 5 or not all(isinstance(pair, tuple) for pair in pairs):
        return False
    members = dict(pairs)
    if set(members) != {"survey", "key", "design_id", "body", "nonce"}:
        return False
    if not all(isinstance(text, str) for text in members.values()):
        return False
    return (
        members["survey"] == "work"
        and members["design_id"] == version.design_id
        and len(members["key"]) == 32
        and len(members["nonce"]) == 64
        and set(members["key"] + members["nonce"] + members["body"]) <= HEX
        and members["body"] in bodies
    )


def flip_bit(raw: bytearray, rng: random.Random) -> None:
    raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)


def put_byte(raw: bytearray, rng: random.Random) -> None:
    raw.insert(rng.randrange(len(raw) + 1), rng.choice(b'{}[]":,\\ \x00\xff0fF'))


def put_anything(raw: bytearray, rng: random.Random) -> None:
    place = rng.randrange(len(raw) + 1)
    raw[place:place] = rng.randbytes(rng.randrange(1, 20))


def cut(raw: bytearray, rng: random.Random) -> None:
    start = rng.randrange(len(raw))
    del raw[start : start + rng.randrange(1, 40)]


def repeat(raw: bytearray, rng: random.Random) -> None:
    start = rng.randrange(len(raw))
    raw[start:start] = raw[start : start + rng.randrange(1, 80)] * rng.randrange(1, 4)


def change_digit(raw: bytearray, rng: random.Random) -> None:
    raw[rng.randrange(len(raw))] = rng.choice(string.hexdigits).encode()[0]


def change_member(raw: bytearray, rng: random.Random) -> None:
    """Change one member's name, or its value to another type."""
    try:
        members = json.loads(bytes(raw).decode("utf-8"))
        name = rng.choice(sorted(members))
    except (ValueError, IndexError, TypeError, RecursionError):
        return
    odd = [
        None,
        True,
        0,
        -1.5,
        1e308,
        [],
        {},
        [dict(members)],
        "",
        "\x00",
        "\ud800",
        "é",
        "0" * 32,
        "0" * 64,
        "F" * 64,
    ]
    if rng.random() < 0.2:
        members[rng.choice(["", "Key", "key ", "__proto__", "x" * 300])] = members.pop(name)
    else:
        members[name] = rng.choice([*odd, f"{members[name]}\n", "0" * rng.randrange(70_000)])
    raw[:] = json.dumps(members).encode()


def other_body(raw: bytearray, rng: random.Random) -> None:
    """Replace the body by random bytes of the same length."""
    start = bytes(raw).find(b'"body":"')
    if start >= 0:
        raw[start + 8 : start + 14] = rng.randbytes(3).hex().encode()


def lengthen(raw: bytearray, rng: random.Random) -> None:
    raw += rng.choice([b" ", b"\n", b"[", b'{"a":', b"\x00"]) * rng.choice([1, 100, 70_000])


MUTATIONS: list[Callable[[bytearray, random.Random], None]] = [
    flip_bit,
    put_byte,
    put_anything,
    cut,
    repeat,
    change_digit,
    change_member,
    other_body,
    lengthen,
]


@pytest.mark.soak
def test_mutated_requests_cause_no_faults_or_impossible_rows(version: Version, soak: int) -> None:
    bodies = {body.hex() for body in producible_bodies(version)}
    real = sorted(bodies)
    rng, now = random.Random(SEED), timezone.now()
    accepted: dict[str, bytes] = {}
    tally: dict[int, int] = {}
    for _ in range(10_000 * soak):
        members = {"key": rng.randbytes(16).hex(), "nonce": rng.randbytes(32).hex(), "body": rng.choice(real)}
        raw = bytearray(request_of(version, **members))
        for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
            if raw:
                rng.choice(MUTATIONS)(raw, rng)
        mutated = bytes(raw)
        status = submission_receive(mutated, now=now).status
        tally[status] = tally.get(status, 0) + 1
        if is_legitimate(mutated, version, bodies):
            first = accepted.setdefault(json.loads(mutated)["key"], mutated)
            assert status == (200 if first == mutated else 409), (SEED, status, mutated)
        else:
            assert status in REFUSALS, (SEED, status, mutated[:400])
    # Mutations are close enough to real requests to reach every check, and some requests stay valid.
    assert min(tally.get(status, 0) for status in (200, 400, 413, 422)) >= 50, (SEED, tally)
    assert Receipt.objects.count() == Inbox.objects.count() == len(accepted)


def test_only_bodies_a_device_can_send_are_accepted(version: Version) -> None:
    bodies = producible_bodies(version)
    assert len(bodies) == 4 * 27 * 17 * (2 + 4)
    size = Layout(version.to_design()).n_bytes
    rng, now = random.Random(SEED), timezone.now()
    tried = [rng.randbytes(size) for _ in range(1_000)] + rng.sample(sorted(bodies), 200)
    for body in tried:
        status = submission_receive(request_of(version, body=body.hex()), now=now).status
        assert status == (200 if body in bodies else 422), body.hex()
    assert Inbox.objects.count() >= 200


# Examples can share a database, because none of them stores anything.
one_database = settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
header = st.text(st.characters(codec="latin-1", exclude_characters="\r\n\x00"), max_size=60)


@pytest.mark.soak
@one_database
@given(
    method=st.sampled_from(["POST", "GET", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "FOO"]),
    content_type=st.one_of(st.just(CONTENT_TYPE), header),
    site=st.one_of(st.none(), st.sampled_from(["same-origin", "cross-site"]), header),
    length=st.one_of(st.none(), header, st.integers().map(str)),
    raw=st.binary(max_size=300),
)
def test_arbitrary_requests_never_cause_a_server_error(
    db: None, method: str, content_type: str, site: str | None, length: str | None, raw: bytes
) -> None:
    # A stream as from a server, which ends after its bytes, even if another length was announced.
    extra: dict[str, Any] = {"wsgi.input": io.BytesIO(raw)}
    if site is not None:
        extra["HTTP_SEC_FETCH_SITE"] = site
    if length is not None:
        extra["CONTENT_LENGTH"] = length
    response = Client().generic(method, "/api/submissions", raw, content_type=content_type, **extra)
    assert response.status_code in {400, 403, 405, 413, 415}
    assert Receipt.objects.count() == 0


@pytest.mark.soak
@one_database
@given(path=st.text(st.characters(codec="utf-8"), max_size=20))
def test_addresses_below_submissions_return_404(db: None, path: str) -> None:
    response = Client().post("/api/submissions/" + path, b"{}", content_type=CONTENT_TYPE)
    assert response.status_code == 404


MEMBERS = {"survey", "code", "design_id", "body", "nonce"}


def spends(raw: bytes, version: Version, bodies: set[str], made: set[str]) -> str | None:
    """Return the code that these bytes may use, if any, independently of the parser."""
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
def test_mutated_requests_spend_a_code_only_once_and_if_valid(soak: int) -> None:
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
            request_of(
                version,
                code=rng.choice([*codes, *strangers]),
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
    """Return the bodies with the mutated one, if it is well-formed."""
    try:
        body = json.loads(raw.decode("utf-8"))["body"]
        Layout(version.to_design()).unpack(bytes.fromhex(body))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, PrivacyError):
        return bodies
    # Python accepts blanks between hexadecimal digits, but the server does not.
    return bodies | {body} if body.isalnum() and body == body.lower() else bodies
