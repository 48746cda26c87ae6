"""Every page, file and text of an interim run, or of a chapter's run, says so, and none of a final run does.

A new address of runs is found by itself. If its view takes more than a run, a rule or a shared link, add its
arguments to `VARIANTS`.
"""

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from html import unescape
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final
from urllib.parse import urljoin

import pyreadstat
import pytest
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import path, reverse
from django.utils import timezone
from pytest_django import Settings

from surveys.accounts.page_sharing import page_share
from surveys.accounts.roles import Role
from surveys.models import Chapter, RuleRow, Run, SharedPage, Version
from surveys.report.export.data_package import TYPES
from surveys.runs.chapters import chapters_cut
from surveys.runs.interim_or_final import standing_of
from surveys.runs.look import Look, look_of
from surveys.runs.repeated_analyses import analyses_of
from tests.fixtures.devices import closed, stored, version_of
from tests.fixtures.everyday import THRESHOLDS, bodies, everyday
from tests.fixtures.runs import audited_run, done, find_run, mined_run, requested_run
from tests.fixtures.scenes import scene
from tests.fixtures.staff import browser_of
from tests.site.test_roles import ADDRESSES, everywhere

pytestmark = pytest.mark.django_db
N, LATER = 600, 60
WORDS = ("interim", "chapter 1")
COMPARED: Final = "?outcome=unpaid&by=shifts"
VARIANTS: Final[dict[str, list[dict[str, str]]]] = {
    "report:rules_file": [{"ending": "csv"}, {"ending": "json"}],
    "report:compare_file": [{"ending": "csv"}, {"ending": "json"}],
    "report:number": [{"question": "hours"}, {"question": "wage"}],
    "report:number_file": [
        {"question": "hours", "file": "histogram.csv"},
        {"question": "hours", "file": "figures.json"},
    ],
    "report:place": [{"question": "care"}],
    "report:place_file": [
        {"question": "care", "file": "cells.csv"},
        {"question": "care", "file": "regions.csv"},
        {"question": "care", "file": "map.geojson"},
    ],
    "export:rows": [{"kind": kind} for kind in TYPES],
    "shared:picture": [{"question": "care"}],
}
"""Further arguments of addresses, once for each page or file."""

QUERIES: Final = {
    "report:compare_file": COMPARED,
    "report:compare": COMPARED,
    "report:weights_csv": "?margins=shifts:yes=.4,no=.6",
    "report:regression": "?response=5&by=0",
}

SILENT: Final = {
    "report:progress": "numbers of a job in progress",
    "shared:risk": "about a design, without a run",
    "shared:preview": "the questionnaire",
}
"""Addresses of runs or shared links without anything of a run."""

OF_SURVEYS: Final = ("report:surveys", "report:survey", "report:runs_json", "export:data")
"""Pages and files that list runs."""

NOT_OF_THE_RUN: Final = {
    "rows.csv", "rows.parquet", "design.json", "codebook.csv", "reproduce.py", "sottovoce.R",
}  # fmt: skip
"""Members of the ZIP file without figures. README.md, settings and the signed statement speak for them."""


@scene(find_run)
def analysed() -> Run:
    """Return a run on all answers of a settled survey with questions of every kind."""
    version = everyday()
    rows = bodies(version.to_design(), N)
    for start in range(0, N, 300):
        stored(version, rows[start : start + 300])
    return audited_run(mined_run(closed(version), THRESHOLDS))


def overtaken(run: Run) -> Run:
    """Add a batch to the run's survey, as if the run had been requested before it was mixed."""
    stored(run.version, bodies(run.design, LATER, seed=3))
    return find_run(run.pk)


def of_first_chapter(run: Run) -> Run:
    """Add a batch to the run's survey, as if a chapter had ended before it."""
    Chapter.objects.create(survey=run.survey, ends_at=run.job.created_at, last_batch=run.last_batch)
    return overtaken(run)


def mark_of(run: Run) -> str:
    """Return what the names of a run's files must contain, "" for a final run."""
    if Chapter.objects.filter(survey=run.survey, last_batch=run.last_batch).exists():
        return "-chapter-1"
    return "-interim" if run.version.batches.filter(pk__gt=run.last_batch).exists() else ""


def addresses(run: Run) -> Iterator[tuple[str, str]]:
    """Yield the name and address of each page and file of a run."""
    rule = RuleRow.objects.filter(run=run).order_by("pk").first()
    assert rule is not None
    _shared, secret = page_share(
        run.survey, SharedPage.Kind.RESULTS, run=run, days=7, by="owner", now=timezone.now()
    )
    known = {"run_id": run.pk, "rule_id": rule.pk, "secret": secret}
    for name, pattern in everywhere().items():
        needed = set(pattern.pattern.converters)
        if not needed & {"run_id", "secret"} or name in SILENT or ADDRESSES.get(name, ("",))[0] == "405":
            continue
        for variant in VARIANTS.get(name, [{}]):
            arguments = {part: value for part, value in (known | variant).items() if part in needed}
            assert set(arguments) == needed, f"add the arguments of {name} to VARIANTS"
            yield name, reverse(name, kwargs=arguments) + QUERIES.get(name, "")
    for name in OF_SURVEYS:
        slug = {"slug": run.survey.slug} if "slug" in everywhere()[name].pattern.converters else {}
        yield name, reverse(name, kwargs=slug)


def found_in(name: str, content: bytes, file: str, where: Path) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a response, and whether each states an interim look or the chapter."""
    ending = file.rpartition(".")[2]
    if ending == "zip":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.namelist():
                if member in NOT_OF_THE_RUN:
                    continue
                for part, states in found_in(name, archive.read(member), member, where):
                    yield f"{file}/{part}", states
    elif ending == "csv":
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
        assert rows, f"{file} has no rows"
        kinds = {(row["look"], row["chapter"], row["rows_since"]) for row in rows}
        assert len(kinds) == 1
        yield file, kinds.pop() in (("interim", "", str(LATER)), ("final", "1", "0"))
    elif ending in ("json", "geojson"):
        document = json.loads(content)
        for part in ("about", "statement"):
            document = document.get(part, document)
        (look,) = [own["look"] for own in document["runs"]] if "runs" in document else [document["look"]]
        counts = (look["kind"], look["chapter"], look["rows_since"], look["rows_in_other_chapters"])
        yield file, counts in (("interim", None, LATER, 0), ("final", 1, 0, LATER))
    elif ending in ("sav", "dta"):
        rows_file = where / f"rows.{ending}"
        rows_file.write_bytes(content)
        _frame, about = getattr(pyreadstat, f"read_{ending}")(rows_file)
        yield file, about.file_label.startswith(("Interim.", "Chapter 1."))
    else:
        yield file, states_look(content.decode())


def states_look(text: str) -> bool:
    return any(word in text for word in WORDS)


def all_found(run: Run, where: Path, language: str = "en") -> dict[str, bool]:
    """Open everything about a run."""
    client, found = browser_of("reader", Role.ADMINISTRATOR, Role.REVIEWER, Role.RESEARCHER), {}
    for name, address in addresses(run):
        response = client.get(address.replace("/en/", f"/{language}/", 1))
        if response.status_code in (404, 422) and not standing_of(run).is_final:
            # Figures that combine open answers wait until the survey is settled.
            continue
        assert response.status_code == 200, (name, address, response.status_code)
        # A file response streams.
        parts = getattr(response, "streaming_content", None)
        content = response.content if parts is None else b"".join(parts)
        sent = re.search(r'filename="([^"]+)"', response.headers.get("Content-Disposition", ""))
        file = sent[1] if sent else "page.html"
        if sent and "run_id" in everywhere()[name].pattern.converters:
            marks = [mark for mark in ("-interim", "-chapter-1") if mark in file]
            assert "".join(marks) == mark_of(run), file
        for part, states in found_in(name, content, file, where):
            found[f"{name} {part}"] = states
        links = re.findall(r'(?:href|src)="([^"]*\?[^"]*figure=[^"]*)"', content.decode("utf-8", "replace"))
        for link in {urljoin(address, unescape(link)) for link in links}:
            drawn = client.get(link).content.decode()
            assert drawn.startswith("<svg "), link
            found[f"{name} picture {link}"] = states_look(drawn)
    return found


def test_every_page_and_file_of_an_interim_run_says_so_and_none_of_a_final_run(tmp_path: Path) -> None:
    run = analysed()
    final = all_found(run, tmp_path)
    assert [name for name, states in final.items() if states] == []
    interim = all_found(overtaken(run), tmp_path)
    assert [name for name, states in interim.items() if not states] == []
    assert len(interim) > 40
    assert {name.partition(" picture")[0] for name in interim if " picture" in name} >= {
        "report:results",
        "report:number",
    }


@pytest.mark.soak
def test_every_page_and_file_of_the_run_of_a_chapter_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{__name__}.WORDS", ("chapter 1",))
    run = of_first_chapter(analysed())
    found = all_found(run, tmp_path)
    assert [name for name, states in found.items() if not states] == []
    assert len(found) > 40


@pytest.mark.soak
def test_a_run_of_200_answers_of_a_survey_closed_with_1250_says_so_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first of two chapters had just begun when it was analysed."""
    version = everyday()
    rows = bodies(version.to_design(), 1250)
    for start, end in ((0, 200), (200, 250)):
        stored(version, rows[start:end])
    run = audited_run(mined_run(version, THRESHOLDS))
    assert run.n == 200
    now = timezone.now()
    for at, (start, end) in enumerate(((250, 650), (650, 1250)), 1):
        stored(version, rows[start:end])
        Chapter.objects.create(survey=version.survey, ends_at=now + timedelta(days=at))
        chapters_cut(now=now + timedelta(days=at))
    closed(version)
    run = find_run(run.pk)
    look = look_of(run)
    assert look is not None
    assert (look.kind, look.chapter, look.since) == ("interim", None, 1050)
    monkeypatch.setattr(f"{__name__}.LATER", 1050)
    found = all_found(run, tmp_path)
    assert [name for name, states in found.items() if not states] == []
    assert len(found) > 30
    page = browser_of("reader", Role.REVIEWER).get(reverse("report:results", args=[run.pk])).content.decode()
    assert "with 200 answers. 1,050 more have arrived since." in page
    # Later runs, each of its chapter, say that instead; a further run on the same rows counts as such.
    one, two = (mined_chapter(version, number) for number in (1, 2))
    assert [(run.n, look.chapter_words.split(",")[0]) for run, look in (one, two)] == [
        (650, "chapter 1"),
        (600, "chapter 2"),
    ]
    again, _look = mined_chapter(version, 1)
    looks = analyses_of(again)
    family = again.summary["inference"]["family"]["lift"]
    assert (looks.runs, looks.largest) == (2, family)
    page = browser_of("reader2", Role.REVIEWER).get(reverse("report:printed", args=[again.pk]))
    text = f"These answers were analysed 2 times, for up to {family:,} possible associations."
    assert text in page.content.decode()


def mined_chapter(version: Version, number: int) -> tuple[Run, Look]:
    """Mine a closed chapter."""
    run = done(requested_run(version_of(version.pk), THRESHOLDS, chapter=number))
    look = look_of(run)
    assert look is not None
    return run, look


@pytest.mark.parametrize(("changed", "word"), [(overtaken, "期中"), (of_first_chapter, "第 1 阶段")])
@pytest.mark.soak
def test_every_chinese_page_of_such_a_run_says_so(
    changed: Callable[[Run], Run], word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{__name__}.WORDS", (word,))
    run = changed(analysed())
    interim = all_found(run, tmp_path, "zh-hans")
    pages = {name: states for name, states in interim.items() if "page.html" in name or " picture " in name}
    assert len(pages) > 20
    assert [name for name, states in pages.items() if not states] == []


@pytest.mark.soak
def test_a_new_page_without_the_sentence_is_found(tmp_path: Path, settings: Settings) -> None:
    run = overtaken(analysed())
    root = import_module(settings.ROOT_URLCONF)
    planted = ModuleType("planted_urls")
    page = path("en/staff/runs/<int:run_id>/planted/", lambda _request, run_id: HttpResponse("200 answers"))
    page.name = "planted"
    planted.urlpatterns = [page, *root.urlpatterns]  # type: ignore[attr-defined]  # Django reads it
    settings.ROOT_URLCONF = planted
    interim = all_found(run, tmp_path)
    assert [name for name, states in interim.items() if not states] == ["planted page.html"]


def test_the_command_says_so_too(capsys: pytest.CaptureFixture[str]) -> None:
    run = analysed()
    call_command("mine", run.survey.slug, "--inline", "--max-size", "1")
    assert "interim" not in capsys.readouterr().out


def test_exempt_addresses_exist() -> None:
    assert {*SILENT, *VARIANTS, *QUERIES, *OF_SURVEYS} <= set(ADDRESSES)


def test_anonymous_readers_see_no_staff_links_in_the_note(client: Client) -> None:
    run = overtaken(analysed())
    _shared, secret = page_share(
        run.survey, SharedPage.Kind.RESULTS, run=run, days=7, by="owner", now=timezone.now()
    )
    page = client.get(reverse("shared:results", args=[secret])).content.decode()
    assert "60 more have arrived since." in page
    assert "/staff/" not in page
