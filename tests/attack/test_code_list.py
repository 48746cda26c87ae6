"""Whoever has the list of codes, and takes codes back, learns of none whether it was used before.

Used, taken back and never made: the answers are the same bytes, and the same statements lead to them. That is
looked at in every trial; how long they take is compared where trials are repeated a hundred times as often.
"""

from __future__ import annotations

import random
import re
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from django.http import HttpResponseBase
from django.test import RequestFactory

from surveys.errors.error import SurveyError
from surveys.intake import receive
from surveys.intake.api import PATH, SubmissionsFirst, process_limiter
from surveys.intake.invitation_code import code_new
from surveys.intake.payload import CONTENT_TYPE
from surveys.invite.codes import invitations_revoke
from surveys.models import Inbox, Version
from tests.cast.devices import survey_of
from tests.cast.invitations import codes_of, invited, invited_request
from tests.cast.traces import statements

pytestmark = pytest.mark.django_db(transaction=True)

KINDS = ("used", "taken back", "never made")
EACH = 40
TRIES = 100
SAVEPOINT = re.compile(r"(?<=SAVEPOINT )\S+")


@pytest.fixture
def version(settings: Any) -> Iterator[Version]:
    # The attacker has as much time as it takes.
    settings.SUBMISSIONS_PER_SECOND = settings.SUBMISSION_BURST = 1_000_000
    process_limiter.cache_clear()
    yield invited()
    process_limiter.cache_clear()


@pytest.fixture
def codes(version: Version) -> dict[str, tuple[str, ...]]:
    """Forty codes of each kind; all that were made are taken back by name."""
    made = list(codes_of(version, 2 * EACH))
    random.Random(20261120).shuffle(made)
    used, unused = tuple(made[:EACH]), tuple(made[EACH:])
    for code in used:
        assert send(version, code).status_code == 200
    invitations_revoke(survey_of(version), typed=sorted(made), by="alice")
    never = tuple(code_new(secrets.randbelow) for _ in range(EACH))
    return dict(zip(KINDS, (used, unused, never), strict=True))


def request_with(version: Version, code: str) -> Any:
    raw = invited_request(version, code)
    return RequestFactory().post(f"/{PATH}", data=raw, content_type=CONTENT_TYPE)


def nothing_else(request: Any) -> HttpResponseBase:
    raise AssertionError(f"{request.path} is no submission")


SERVER = SubmissionsFirst(nothing_else)


def send(version: Version, code: str) -> Any:
    return SERVER(request_with(version, code))


def seen(version: Version, code: str) -> tuple[Any, ...]:
    """Return all that the sender sees of an answer, apart from when it comes."""
    answer = send(version, code)
    return answer.status_code, sorted(answer.headers.items()), answer.content


def asked(version: Version, code: str) -> tuple[Any, ...]:
    """Return the statements that an answer takes, with the types of their values and the lengths of bytes."""
    with statements() as noted:
        send(version, code)
    return tuple((SAVEPOINT.sub("", sql), tuple(map(_kind, values or ()))) for sql, values in noted)


def _kind(value: Any) -> tuple[str, int]:
    return type(value).__name__, len(value) if isinstance(value, bytes) else 0


def told_apart(
    look: Callable[[Version, str], Any], version: Version, codes: dict[str, tuple[str, ...]]
) -> bool:
    """Return whether a look at an answer separates used codes from others: any difference does."""
    looks = {kind: {repr(look(version, code)) for code in codes[kind]} for kind in KINDS}
    return len(set().union(*looks.values())) > 1


def durations(version: Version, codes: dict[str, tuple[str, ...]], tries: int) -> dict[str, list[float]]:
    """Return the seconds of `tries` answers of each kind, interleaved at random."""
    rng = random.Random(20261121)
    kinds = [kind for kind in KINDS for _ in range(tries)]
    rng.shuffle(kinds)
    took: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for kind in kinds:
        request = request_with(version, rng.choice(codes[kind]))
        began = time.perf_counter()
        SERVER(request)
        took[kind].append(time.perf_counter() - began)
    return took


def gap(took: dict[str, list[float]]) -> float:
    """Return the largest difference of two medians, in standard deviations of one duration.

    The deviation is the smaller one of the moments' and of the quartiles': one long pause of the machine must
    not hide a difference.
    """
    pooled: Sequence[float] = [seconds for each in took.values() for seconds in each]
    lower, upper = np.quantile(pooled, [0.25, 0.75])
    deviation = min(float(np.std(pooled)), float(upper - lower) / 1.349)
    medians = [float(np.median(each)) for each in took.values()]
    return (max(medians) - min(medians)) / deviation


def test_used_withdrawn_and_unknown_codes_get_one_answer(
    version: Version, codes: dict[str, tuple[str, ...]]
) -> None:
    assert not told_apart(seen, version, codes)
    assert seen(version, codes["used"][0])[0] == 422
    assert Inbox.objects.count() == EACH


def test_the_same_statements_lead_to_each_answer(
    version: Version, codes: dict[str, tuple[str, ...]], soak: int
) -> None:
    send(version, codes["used"][0])
    assert not told_apart(asked, version, codes)
    assert asked(version, codes["used"][0])
    took = durations(version, codes, TRIES * soak)
    assert {len(each) for each in took.values()} == {TRIES * soak}
    if soak > 1:
        assert gap(took) < 0.1


def test_a_server_that_names_the_reason_is_found_out(
    version: Version, codes: dict[str, tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = receive._receipt_of

    def naive(*given: Any) -> Any:
        receipt = honest(*given)
        if receipt is receive._Receipt.OTHER:
            raise SurveyError("other_body")
        return receipt

    monkeypatch.setattr(receive, "_receipt_of", naive)
    assert told_apart(seen, version, codes)


def test_a_server_that_looks_once_more_is_found_out(
    version: Version, codes: dict[str, tuple[str, ...]], monkeypatch: pytest.MonkeyPatch, soak: int
) -> None:
    honest = receive._receipt_of

    def naive(*given: Any) -> Any:
        receipt = honest(*given)
        return honest(*given) if receipt is receive._Receipt.OTHER else receipt

    monkeypatch.setattr(receive, "_receipt_of", naive)
    assert not told_apart(seen, version, codes)
    assert told_apart(asked, version, codes)
    if soak > 1:
        assert gap(durations(version, codes, TRIES * soak)) > 0.1
