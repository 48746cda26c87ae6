"""What staff can read is a function of what devices sent: behind an equal row the truth changes no byte.

The same people answer twice, and one of them has other true answers the second time. Where their device
sends the same row, every page and file that a reviewer and the survey's researcher can open is the same, byte
for byte.
"""

from __future__ import annotations

import io
import re
import zipfile
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, Final

import pytest
from django.db import transaction
from django.http import StreamingHttpResponse
from django.urls import reverse
from django.utils import timezone

from privacy.coins import Coins
from privacy.survey.design import Design
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout
from surveys.analysis import mining_job
from surveys.models import Survey
from tests.cast.devices import closed, stored
from tests.cast.runs import audited, mined, packed_rows, published
from tests.surveys.test_roles import ADDRESSES, World, everywhere

# A savepoint that is rolled back gives numbers back with SQLite alone.
pytestmark = [pytest.mark.django_db, pytest.mark.only("sqlite")]

OTHERS: Final = 260
NOW: Final = datetime(2026, 11, 21, tzinfo=UTC)
INNOCENT: Final = {"you": {"age": 1}, "work": {"late": 0, "cheat": 0}, "life": {"drink": 0}}
GUILTY: Final = {"you": {"age": 1}, "work": {"late": 1, "cheat": 1}, "life": {"drink": 1}}
READERS: Final = ("owner", "reviewer")
ONE_TIME: Final = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]+"|"csrf": "[^"]+"')


@pytest.fixture(autouse=True)
def _clocks_that_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    monkeypatch.setattr(mining_job, "time", SimpleNamespace(monotonic=lambda: 0.0))


def sent(design: Design, truth: dict[str, Any], *, direct: bool) -> bytes:
    """Return the row of a device whose coins all say: not the truth."""
    never = iter(lambda: 9_999, None)
    return Layout(design).pack(disguise(design, truth, direct=direct, coins=Coins(never)))


def world(
    truth: dict[str, Any], *, policy: str, n_direct: int = 0, direct: bool = False, keeps_truth: bool = False
) -> tuple[bytes, dict[str, bytes]]:
    """Return what the victim sends, and all that staff can read; afterwards nothing of it has been."""
    with transaction.atomic():
        version = published(policy=policy)
        design = version.to_design()
        row = sent(design, truth, direct=direct)
        stored(version, [*packed_rows(design, OTHERS, n_direct=n_direct), row])
        if keeps_truth:
            known = {"drink": (1 + truth["life"]["drink"]) / (OTHERS + 1)}
            Survey.objects.filter(pk=version.survey_id).update(known_truth=known)
        pages = read(World(audited(mined(closed(version), anew=True))))
        transaction.set_rollback(True)
    return row, pages


def read(world: World) -> dict[str, bytes]:
    """Open every address that may be read about a survey, as the researcher and as a reviewer."""
    pages = {}
    for name, pattern in everywhere().items():
        line = ADDRESSES.get(name, ("",))[0]
        if not line.startswith(("page ", "report ", "builder ", "reviewer ")):
            continue
        arguments = {part: world.arguments[part] for part in pattern.pattern.converters}
        for who in READERS:
            response = world.browser(who).get(reverse(name, kwargs=arguments))
            whole = b"".join(response) if isinstance(response, StreamingHttpResponse) else response.content
            pages[f"{name}, {who}: {response.status_code}"] = lasting(whole)
    return pages


def lasting(content: bytes) -> bytes:
    """Return a page without its one-time token, a workbook without the times of its making."""
    if not content.startswith(b"PK"):
        return ONE_TIME.sub(b"", content)
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        parts = [name for name in sorted(book.namelist()) if not name.startswith("docProps/")]
        return b"".join(name.encode() + book.read(name) for name in parts)


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> set[str]:
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


def test_another_truth_behind_the_same_row_changes_no_byte_that_staff_can_read() -> None:
    row, pages = world(INNOCENT, policy="protected")
    other_row, other_pages = world(GUILTY, policy="protected")
    assert row == other_row
    assert len(pages) > 60
    assert sum(name.endswith(": 200") for name in pages) > 50
    assert differing(pages, other_pages) == set()


def test_a_server_that_keeps_the_truth_is_found() -> None:
    """The planted naive target: true supports beside the rows, as the demonstration has them."""
    row, pages = world(INNOCENT, policy="protected", keeps_truth=True)
    other_row, other_pages = world(GUILTY, policy="protected", keeps_truth=True)
    assert row == other_row
    assert "report:itemsets_csv, reviewer: 200" in differing(pages, other_pages)


def test_answers_that_are_sent_as_they_are_interfere() -> None:
    """Of a device that disguises nothing no row is the same, and its answers stand in the figures."""
    row, pages = world(INNOCENT, policy="choice", n_direct=60, direct=True)
    other_row, other_pages = world(GUILTY, policy="choice", n_direct=60, direct=True)
    assert row != other_row
    assert "report:itemsets_csv, reviewer: 200" in differing(pages, other_pages)
