"""Everything staff can read depends only on what devices sent: with the same row, the truth changes no byte.

The same people answer twice, and one of them has other true answers the second time. If that person's device
sends the same row, every page and file that reviewers and the survey's researcher can open is the same, byte
for byte. This holds for surveys with one strength or two, with numbers, places and rules that join them, and
for open surveys. The naive target, which must be broken, is a server that keeps the truth.
"""

import io
import itertools
import random
import re
import secrets
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, Final

import pytest
from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction
from django.http import HttpResponseBase, StreamingHttpResponse
from django.urls import reverse
from django.utils import timezone

from mining.thresholds import Thresholds
from privacy.coins import WORD_BITS, Coins, words_below
from privacy.survey.design import Design
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout, Record
from surveys.accounts.roles import Role
from surveys.models import Version
from surveys.runs import mining_job
from tests.fixtures import devices, runs
from tests.fixtures.devices import closed, stored
from tests.fixtures.runs import audited_run, mined_run, packed_rows
from tests.fixtures.scale_runs import scale_definition, scale_rows, with_light
from tests.site.test_roles import ADDRESSES, World, everywhere

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NOW: Final = datetime(2026, 11, 21, tzinfo=UTC)
READERS: Final = ("owner", "reviewer")
ONE_TIME: Final = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]+"|"csrf": "[^"]+"')
# Creation times of files for Stata or SPSS, digests of these files and of the archive, and its signature.
MADE: Final = re.compile(
    rb"<timestamp>.*?</timestamp>|(?<=\d\d \w\w\w \d\d)\d\d:\d\d:\d\d|\.(dta|sav)\": \"[0-9a-f]{64}"
    rb'|"(archive|signature)": "[0-9a-f]+"'
)
INNOCENT: Final = {"you": {"age": 1}, "work": {"late": 0, "cheat": 0}, "life": {"drink": 0}}
GUILTY: Final = {"you": {"age": 1}, "work": {"late": 1, "cheat": 1}, "life": {"drink": 1}}
NEAR: Final = INNOCENT | {"time": {"hours": 1}, "pay": {"wage": 3}, "places": {"care": 40}}
FAR: Final = GUILTY | {"time": {"hours": 6}, "pay": {"wage": 17}, "places": {"care": 4}}
# A comparison: long hours of people who went to a place.
COMPARED: Final = {"outcome": "hours:range", "outcome_from": "50", "by": "care=river"}
ASKED: Final = dict.fromkeys(("report:compare", "report:compare_file"), COMPARED)
FILES: Final = {
    "report:rules_file": ("ending", ("csv", "json")),
    "report:compare_file": ("ending", ("csv", "json")),
    "report:number_file": ("file", ("histogram.csv", "figures.json")),
    "report:place_file": ("file", ("cells.csv", "regions.csv", "map.geojson")),
}
"""Addresses with several files -> the parameters that select each."""


@pytest.fixture(autouse=True)
def _fixed_clocks_and_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    # The records of a release are in random order.
    monkeypatch.setattr(secrets, "randbits", lambda bits: 1)
    monkeypatch.setattr(secrets, "SystemRandom", lambda: random.Random(1))
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    monkeypatch.setattr(mining_job, "time", SimpleNamespace(monotonic=lambda: 0.0))


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of survey, and a respondent with two possible truths.

    Parameters
    ----------
    publish : callable
    others : callable
        Returns rows of this many other people; the direct group comes first.
    innocent, guilty : dict
        The person's two possible answers.
    direct : bool
        Whether the person is in the direct group.
    figures : tuple of str
        Names of pages and files that must reveal a server that keeps the truth.
    open : bool
        Whether the survey is mined while it is open, so without its newest batch.
    """

    publish: Callable[[], Version]
    others: Callable[[Design, int], list[bytes]]
    innocent: dict[str, Any]
    guilty: dict[str, Any]
    direct: bool
    figures: tuple[str, ...] = ("report:itemsets_csv", "report:run", "export:data taken")
    open: bool = False


ONE_STRENGTH: Final = Kind(
    publish=lambda: runs.published(policy="protected"),
    others=lambda design, n: packed_rows(design, n, n_direct=0),
    innocent=INNOCENT,
    guilty=GUILTY,
    direct=False,
)
KINDS: Final = {
    "one strength": ONE_STRENGTH,
    "two strengths": Kind(
        publish=lambda: runs.published(policy="assigned", light=True),
        others=lambda design, n: packed_rows(design, n, n_direct=n // 3),
        innocent=INNOCENT,
        guilty=GUILTY,
        direct=True,
    ),
    "numbers and places of two strengths, open": Kind(
        publish=lambda: devices.published(
            with_light(scale_definition(everywhere=True, policy="assigned", light=True))
        ),
        others=lambda design, n: list(scale_rows(design, n, n_direct=n // 3)),
        innocent=NEAR,
        guilty=FAR,
        direct=True,
        figures=(
            *(
                "report:itemsets_csv",
                "export:data taken",
                "report:compare_file json",
                "report:compare_file csv",
            ),
            *("report:number_file hours histogram.csv", "report:number_file wage figures.json"),
            "report:place_file care cells.csv",
        ),
        open=True,
    ),
}
OTHERS: Final = 260
SMALL: Final = Thresholds(support=0.1, max_size=2)


def sent(design: Design, truth: dict[str, Any], *, direct: bool) -> bytes:
    """Return the row of a device whose coins all choose decoys, and the first number or place."""
    words = iter([*_words(design, truth, direct=direct)])
    return Layout(design).pack(disguise(design, truth, direct=direct, coins=Coins(words)))


def _words(design: Design, truth: dict[str, Any], *, direct: bool) -> Iterator[int]:
    rng = random.Random(3)
    for block in design.blocks:
        if not block.is_scale:
            yield from [9_999] * block.n_draws
            continue
        ((value,), total) = truth[block.key].values(), block.scale_total
        tried = iter(lambda total=total: rng.randrange(total), None)
        draw = next(draw for draw in tried if block.scale_sent(value, draw, direct=direct) == 0)
        yield from (draw >> WORD_BITS * place & 0xFFFFFFFF for place in reversed(range(words_below(total))))


def undisguised(design: Design, truth: dict[str, Any]) -> bytes:
    """Return the row that a server which keeps the truth would store."""
    answers = tuple(tuple(truth[block.key].values()) for block in design.blocks)
    return Layout(design).pack(Record(direct=False, answers=answers, refused=(False,) * len(answers)))


def world(kind: Kind, truth: dict[str, Any], *, keeps_truth: bool = False) -> tuple[bytes, dict[str, bytes]]:
    """Return the victim's request and everything staff can read, then roll everything back."""
    _numbers_from_the_start()
    with transaction.atomic():
        version = kind.publish()
        design = version.to_design()
        row = sent(design, truth, direct=kind.direct)
        kept = undisguised(design, truth) if keeps_truth else row
        stored(version, [*kind.others(design, OTHERS), kept])
        if kind.open:
            stored(version, kind.others(design, 50))
        else:
            version = closed(version)
        mined_run(version, SMALL, anew=True)
        # Staff who may download rows can read more than others.
        reviewer = (Role.REVIEWER, Role.ROWS)
        pages = read(World(audited_run(mined_run(version, anew=True)), reviewer=reviewer))
        transaction.set_rollback(True)
    return row, pages


def _numbers_from_the_start() -> None:
    """Reset PostgreSQL's sequences, which a rollback does not undo."""
    with connection.cursor() as cursor:
        for sql in connection.ops.sequence_reset_sql(no_style(), apps.get_models()):
            cursor.execute(sql)


def read(world: World) -> dict[str, bytes]:
    """Open every readable address of a survey, as its researcher and as a reviewer."""
    pages = {}
    for name, pattern in everywhere().items():
        line = ADDRESSES.get(name, ("",))[0]
        if not line.startswith(("page ", "report ", "builder ", "reviewer ")):
            continue
        asked = pattern.pattern.converters
        keys = [question.key for question in world.run.version.to_design().questions]
        part, files = FILES.get(name, ("", ("",)))
        for key, file in itertools.product(keys if "question" in asked else [""], files):
            chosen = {each: value for each, value in (("question", key), (part, file)) if value}
            address = reverse(name, kwargs={each: world.arguments[each] for each in asked} | chosen)
            called = " ".join([name, *chosen.values()])
            for who in READERS:
                browser = world.browser(who)
                pages[f"{called}, {who}"] = whole(browser.get(address, ASKED.get(name)))
                if name == "export:data":
                    pages[f"{called} taken, {who}"] = whole(
                        browser.post(address, {"run": world.run.pk}, follow=True)
                    )
    return pages


def whole(response: HttpResponseBase) -> bytes:
    """Return status and content, without one-time tokens and creation times of files."""
    streamed = isinstance(response, StreamingHttpResponse)
    content = b"".join(response) if streamed else response.content
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            parts = [name for name in sorted(book.namelist()) if not name.startswith("docProps/")]
            content = b"".join(name.encode() + book.read(name) for name in parts)
    return b"%d " % response.status_code + MADE.sub(b"", ONE_TIME.sub(b"", content))


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> set[str]:
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_staff_pages_do_not_depend_on_the_truth_behind_a_row(kind: Kind) -> None:
    """If a server keeps the truth, figures, files and comparisons reveal it."""
    row, pages = world(kind, kind.innocent)
    other_row, other_pages = world(kind, kind.guilty)
    assert row == other_row
    readable = {name for name, page in pages.items() if page.startswith(b"200 ")}
    assert len(readable) > 50
    assert {f"{name}, reviewer" for name in kind.figures} <= readable
    assert differing(pages, other_pages) == set()
    _row, told = world(kind, kind.guilty, keeps_truth=True)
    assert {f"{name}, {who}" for name in kind.figures for who in READERS} <= differing(pages, told)


@pytest.mark.soak
def test_undisguised_answers_break_noninterference() -> None:
    """A device that disguises nothing never sends the same row for both truths, and the figures show it."""
    kind = replace(
        ONE_STRENGTH,
        publish=lambda: runs.published(policy="choice"),
        others=lambda design, n: packed_rows(design, n, n_direct=60),
        direct=True,
    )
    row, pages = world(kind, INNOCENT)
    other_row, other_pages = world(kind, GUILTY)
    assert row != other_row
    assert "report:itemsets_csv, reviewer" in differing(pages, other_pages)
