"""An attacker with the list of codes who revokes them does not learn which codes were used.

Used, revoked and invented codes get the same bytes, from the same SQL statements. This is always checked.
Durations are compared closely only in soak tests, with a hundred times as many tries.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponseBase
from django.test import RequestFactory

from surveys.intake import receive
from surveys.intake.request_checks import CONTENT_TYPE
from surveys.intake.views import PATH, SubmissionsFirst, process_limiter
from surveys.models import Inbox
from tests.attack.code_list import MOST_GAP, CodeList, gap, most_gap
from tests.fixtures.devices import wide_definition
from tests.fixtures.invitations import invited
from tests.fixtures.traces import statements

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]

EACH = 40
TRIES = 100
SAVEPOINT = re.compile(r"(?<=SAVEPOINT )\S+")


def nothing_else(request: Any) -> HttpResponseBase:
    raise AssertionError(f"{request.path} is no submission")


SERVER = SubmissionsFirst(nothing_else)


def sent(raw: bytes) -> Any:
    """Return everything the sender sees of a response."""
    answer: Any = SERVER(RequestFactory().post(f"/{PATH}", data=raw, content_type=CONTENT_TYPE))
    return answer.status_code, sorted(answer.headers.items()), answer.content


@pytest.fixture
def listed(settings: Any) -> Iterator[CodeList]:
    # No rate limit, because the attacker has unlimited time.
    settings.SUBMISSIONS_PER_SECOND = settings.SUBMISSION_BURST = 1_000_000
    process_limiter.cache_clear()
    yield CodeList.of(invited(wide_definition("codes")), each=EACH, seed=20_261_120, send=sent)
    process_limiter.cache_clear()


def asked(listed: CodeList, code: str) -> tuple[Any, ...]:
    """Return the SQL statements behind a response, with the types and byte lengths of their values."""
    with statements() as noted:
        listed.seen(code)
    return tuple((SAVEPOINT.sub("", sql), tuple(map(_kind, values or ()))) for sql, values in noted)


def _kind(value: Any) -> tuple[str, int]:
    return type(value).__name__, len(value) if isinstance(value, bytes) else 0


def test_used_revoked_and_unknown_codes_get_the_same_response(listed: CodeList) -> None:
    assert listed.distinguished(listed.seen) == 0
    assert {listed.seen(code)[0] for codes in listed.codes.values() for code in codes} == {422}
    assert Inbox.objects.count() == EACH


def test_every_code_runs_the_same_database_statements(listed: CodeList, soak: int) -> None:
    listed.seen(listed.codes["used"][0])
    assert listed.distinguished(lambda code: asked(listed, code)) == 0
    assert asked(listed, listed.codes["used"][0])
    # A few tries only show large differences.
    most = MOST_GAP if soak > 1 else most_gap(TRIES)
    assert gap(listed.durations(TRIES * soak)) < most


def test_the_attack_detects_a_server_that_checks_a_code_twice(
    listed: CodeList, monkeypatch: pytest.MonkeyPatch, soak: int
) -> None:
    honest = receive._receipt_of

    def naive(*given: Any) -> Any:
        receipt = honest(*given)
        return honest(*given) if receipt is receive._Receipt.OTHER else receipt

    monkeypatch.setattr(receive, "_receipt_of", naive)
    assert listed.distinguished(listed.seen) == 0
    assert listed.distinguished(lambda code: asked(listed, code)) == EACH
    if soak > 1:
        assert gap(listed.durations(TRIES * soak)) > MOST_GAP
