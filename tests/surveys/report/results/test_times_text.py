"""*Compare* states how the same people changed between two times, if one part asks about both."""

import csv
import io
import json
import math
from dataclasses import replace

import pytest
from django.test import Client
from django.utils import translation
from django.utils.html import escape

from surveys.models import Run
from surveys.report.opened_run import with_results
from surveys.report.results.compare_form import CompareForm
from surveys.report.results.times_text import TimesText
from tests.fixtures.runs import SINGLES, alice, answered_version, mined_run, true_rows

pytestmark = pytest.mark.django_db
QUERY = {"outcome": "cheat", "by": "then/late"}


@pytest.fixture
def run() -> Run:
    return mined_run(answered_version(900), SINGLES)


def text_of(run: Run) -> TimesText:
    form = CompareForm(QUERY, with_results(run))
    assert form.is_valid(), form.errors
    text = form.table()
    assert isinstance(text, TimesText)
    return text


def test_the_figures_are_near_the_true_ones(run: Run) -> None:
    people = [row["work"] for row in true_rows(900)]
    found = text_of(run).found
    truths = (
        (found.started, sum(row["cheat"] and not row["late"] for row in people)),
        (found.stopped, sum(row["late"] and not row["cheat"] for row in people)),
        (found.net, sum(row["cheat"] - row["late"] for row in people)),
    )
    for figure, truth in truths:
        assert figure.standard_error is not None
        assert abs(figure.value - truth / 900) < 5 * figure.standard_error
    assert found.net.value == pytest.approx(found.started.value - found.stopped.value)


def test_page_and_files_state_the_change(client: Client, run: Run) -> None:
    client.force_login(alice())
    address = f"/en/staff/runs/{run.pk}/compare/"
    text = text_of(run)
    page = client.get(address, QUERY).content.decode()
    for said in (
        text.title,
        text.verdict,
        *(each for row in text.rows for each in row),
        *text.paper_sentences,
    ):
        assert escape(said) in page, said
    assert "The price is recall" in page
    body = b"".join(client.get(f"{address}comparison.csv", QUERY)).decode("utf-8-sig")
    records = {row["group"]: row for row in csv.DictReader(io.StringIO(body))}
    assert list(records) == ["then", "now", "started", "stopped"]
    net = text.found.net
    assert float(records["now"]["difference"]) == pytest.approx(net.value)
    assert float(records["now"]["difference_low"]) == pytest.approx(net.low)
    assert float(records["started"]["share"]) == pytest.approx(text.found.started.value)
    found = json.loads(b"".join(client.get(f"{address}comparison.json", QUERY)))
    assert "two times" in found["method"]


@pytest.mark.parametrize("given", [
    {"outcome": "drink", "by": "then/late"},
    {"any_of": ["late", "cheat"], "by": "then/late"},
])  # fmt: skip
def test_answers_of_several_parts_are_refused_with_a_remedy(run: Run, given: dict[str, str]) -> None:
    form = CompareForm(given, with_results(run))
    assert not form.is_valid()
    assert form.errors["by"]


def test_an_answer_is_not_compared_with_itself_or_weighted(run: Run) -> None:
    same = CompareForm({"outcome": "late", "by": "then/late"}, with_results(run))
    assert "Choose a different answer" in str(same.errors["by"])
    weighted = CompareForm({**QUERY, "margins": "age:young=.5,old=.5"}, with_results(run))
    assert "no weights" in str(weighted.errors["margins"])
    offered = str(same["by"])
    assert "then/late" in offered
    assert "then/drink" not in offered


def test_questions_on_different_things_are_not_offered_as_then_and_now(run: Run) -> None:
    assert "then/" not in str(CompareForm(None, with_results(run))["by"])
    work = next(part for part in run.version.wording["blocks"] if part["key"] == "work")
    texts = dict(zip(("late", "cheat"), ("Were you late a year ago?", "Are you late now?"), strict=True))
    for question in work["questions"]:
        if question["key"] in texts:
            question["text"] = {"en": texts[question["key"]]}
    offered = str(CompareForm(None, with_results(run))["by"])
    assert ["then/late" in offered, "then/cheat" in offered] == [True, True]
    # An address may name any other question of the part.
    assert CompareForm(QUERY, with_results(run)).is_valid()


def test_forged_rows_are_said(run: Run) -> None:
    text = text_of(run)
    assert text.shift_text == ""
    for shift, said in (
        (0.03, "up to 3.0 points"),
        (math.inf, "all of the change"),
        (None, "all of the change"),
    ):
        found = replace(text.found, net=replace(text.found.net, shift=shift))
        assert said in replace(text, found=found).shift_text


def test_too_few_people_are_said_without_counting_surveys(run: Run) -> None:
    text = text_of(run)
    wide = replace(text, found=replace(text.found, net=replace(text.found.net, low=-0.3, high=0.3)))
    assert "more people would be enough" in wide.verdict


def test_chinese_pages_state_it_too(run: Run) -> None:
    with translation.override("zh-hans"):
        text = text_of(run)
        assert "变化" in text.verdict
        assert "净变化" in text.rows[-1][0]
