"""The attack: a program learns of respondents, and of runs, what the pages and files tell, and no more."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from surveys.access.roles import Role
from surveys.api.door import process_limiter
from surveys.models import Receipt, Run
from tests.cast.programs import asked, moments_in, program_of
from tests.cast.runs import answered, audited, counts_said, mined, published, still_open
from tests.cast.scale_runs import scale_answered
from tests.cast.staff import member

pytestmark = pytest.mark.django_db


def pages_of(name: str = "ana") -> Client:
    browser = Client()
    browser.force_login(member(name, Role.REVIEWER))
    return browser


def read(browser: Client, *addresses: str) -> str:
    found = []
    for address in addresses:
        answer = browser.get(f"/en/staff/{address}")
        assert answer.status_code == 200, address
        found.append(answer.getvalue().decode())
    return "\n".join(found)


@pytest.mark.soak
def test_while_answers_come_a_program_sees_nothing_change_where_the_page_does_not() -> None:
    """The planted target is the exact count: it changes with each answer, and this test would see it."""
    version = published("open", policy="protected")
    program, browser = program_of(member("ana", Role.REVIEWER)), pages_of()
    addresses = ("surveys", "surveys/open", "surveys/open/versions", "surveys/open/runs")
    seen, exact = [], []
    for number in range(27):
        # A quick machine asks more often than a token may.
        process_limiter.cache_clear()
        told = json.dumps([asked(program, address) for address in addresses])
        page = read(browser, "surveys/open/")
        seen.append((told, "≈ " + page.split("≈ ")[1].split("<")[0].strip()))
        exact.append(Receipt.objects.filter(survey=version.survey).count())
        Receipt.objects.create(survey=version.survey, key=number.to_bytes(16, "big"), digest=b"\1" * 32)
    assert exact == list(range(27))
    changes = [place for place in range(1, 27) if seen[place] != seen[place - 1]]
    # Tens, halves upwards: at five, fifteen and twenty-five answers, for the page and the program together.
    assert changes == [5, 15, 25]
    assert [seen[place][0] != seen[place - 1][0] for place in changes] == [True] * 3
    assert [seen[place][1] != seen[place - 1][1] for place in changes] == [True] * 3


def test_no_time_of_day_is_of_an_answer() -> None:
    """Every moment that a program reads is one of the staff's acts."""
    run = audited(mined(answered()))
    survey = run.survey
    version = run.version
    # The request for the run lies years apart from everything else.
    asked_at = timezone.now().replace(year=2031, month=1, day=1, hour=12, minute=34, second=56)
    type(run.job).objects.filter(pk=run.job_id).update(created_at=asked_at)
    survey.refresh_from_db()
    program = program_of(member("ana", Role.REVIEWER))
    everything = [
        asked(program, address)
        for address in (
            "me",
            "surveys",
            f"surveys/{survey.slug}",
            f"surveys/{survey.slug}/versions",
            f"surveys/{survey.slug}/versions/1",
            f"surveys/{survey.slug}/runs",
            *(
                f"runs/{run.pk}{name}"
                for name in ("", "/prevalences", "/itemsets", "/rules", "/audit", "/label")
            ),
        )
    ]
    acts = (
        version.published_at,
        survey.closed_at,
        None if survey.settled else survey.accepts_until,
        asked_at,
    )
    allowed = {act.replace(second=0, microsecond=0).isoformat() for act in acts if act is not None}
    assert moments_in(everything) == allowed


@pytest.mark.soak
def test_every_count_is_one_that_a_page_or_a_file_says() -> None:
    run = audited(mined(answered(807, n_direct=163)))
    program, browser = program_of(member("ana", Role.REVIEWER)), pages_of()
    here, slug = f"runs/{run.pk}", run.survey.slug
    told = read(
        browser,
        "",
        f"surveys/{slug}/",
        *(f"{here}/{page}" for page in ("", "results/", "itemsets/", "about/", "audit/")),
        *(f"{here}/{file}" for file in ("rules.json", "itemsets.csv", "audit.json")),
    )
    known = counts_said(told)
    said = [
        asked(program, address)
        for address in (
            "surveys",
            f"surveys/{slug}",
            *(f"{here}/{name}?page_size=200" for name in ("itemsets", "rules")),
            *(f"{here}/{name}" for name in ("prevalences", "audit")),
        )
    ]
    # How a list is cut into pages, the numbers of the language of the file and of things in the database.
    structure = {"page", "page_size", "pages", "total", "sotto", "id", "run"}
    assert {"807", "163", "644"} <= known
    assert wholes_in(said, structure) - known - {"0", "1"} == set()
    # The planted target: a count that no page says is noticed.
    assert wholes_in([{"came_before_noon": 411}], structure) - known == {"411"}


def wholes_in(value: Any, leave_out: set[str]) -> set[str]:
    if isinstance(value, dict):
        return set().union(
            *(wholes_in(entry, leave_out) for name, entry in value.items() if name not in leave_out)
        )
    if isinstance(value, list):
        return set().union(*(wholes_in(entry, leave_out) for entry in value))
    whole = isinstance(value, int | float) and not isinstance(value, bool) and value == int(value)
    return {str(int(value))} if whole else set()


def test_figures_are_those_of_the_files_to_the_last_digit() -> None:
    run = audited(mined(answered()))
    program, browser = program_of(member("ana", Role.REVIEWER)), pages_of()
    here = f"runs/{run.pk}"
    file = json.loads(read(browser, f"{here}/rules.json"))
    assert asked(program, f"{here}/rules?page_size=200")["data"] == file["rules"][:200]
    rows = list(csv.DictReader(io.StringIO(read(browser, f"{here}/itemsets.csv"))))
    for row, told in zip(rows, asked(program, f"{here}/itemsets?page_size=200")["data"], strict=True):
        assert " & ".join(told["items"]) == row["items"]
        for name in ("support", "support_low", "support_high", "support_se", "pooled", "direct"):
            assert told[name] == (float(row[name]) if row[name] else None)
    assert (
        asked(program, f"{here}/audit")["audit"] == json.loads(read(browser, f"{here}/audit.json"))["audit"]
    )


@pytest.mark.soak
def test_numbers_and_places_are_those_of_the_files() -> None:
    run = audited(mined(scale_answered(skips=0.1)))
    program, browser = program_of(member("ana", Role.REVIEWER)), pages_of()
    here = f"runs/{run.pk}"
    number = json.loads(read(browser, f"{here}/numbers/hours/figures.json"))
    assert asked(program, f"{here}/numbers/hours")["number"] == number
    place = json.loads(read(browser, f"{here}/places/care/map.geojson"))
    assert asked(program, f"{here}/places/care")["place"] == place


@pytest.mark.parametrize("name", ["prevalences", "itemsets", "rules", "audit", "numbers/age", "places/age"])
def test_what_the_page_withholds_the_program_does_not_read(name: str) -> None:
    few = mined(answered())
    # As a release stored it that asked for fewer.
    Run.objects.filter(pk=few.pk).update(n=96)
    program = program_of(member("ana", Role.REVIEWER))
    refused = program.get(f"/api/v1/runs/{few.pk}/{name}")
    assert (refused.status_code, refused.json()["code"]) == (409, "withheld")
    assert "96" not in refused.content.decode()
    head = asked(program, f"runs/{few.pk}")
    assert (head["has_results"], head["withheld"]) == (False, "few")


@pytest.mark.parametrize("name", ["prevalences", "itemsets", "rules", "audit"])
def test_an_outdated_result_is_read_by_no_program(name: str) -> None:
    run = mined(answered())
    assert run.version.holds_undisguised
    program = program_of(member("ana", Role.REVIEWER))
    assert program.get(f"/api/v1/runs/{run.pk}/itemsets").status_code == 200
    # As a release stored it that drew otherwise.
    Run.objects.filter(pk=run.pk).update(summary=run.summary | {"drawing": "another"})
    refused = program.get(f"/api/v1/runs/{run.pk}/{name}")
    assert (refused.status_code, refused.json()["code"]) == (409, "withheld")
    assert asked(program, f"runs/{run.pk}")["withheld"] == "outdated"


def test_an_open_surveys_newest_batch_is_not_told_of() -> None:
    """Six hundred answers may be mined; fifty of the newest batch stay behind, on page and interface."""
    version = still_open(policy="protected")
    program = program_of(member("ana", Role.REVIEWER))
    (design,) = asked(program, f"surveys/{version.survey.slug}")["designs"]
    assert design["n"] == 600
    assert "600" in read(pages_of(), f"surveys/{version.survey.slug}/")
