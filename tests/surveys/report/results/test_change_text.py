"""*Compare* states a change between two surveys on its page, in its files and in a text for a paper."""

import csv
import io
import json
import math
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from django.utils.html import escape

from privacy.printed import Measured
from surveys.accounts.roles import Role
from surveys.models import Run
from surveys.report.opened_run import with_results
from surveys.report.results.change_text import ChangeText
from surveys.report.results.compare_form import CompareForm
from tests.fixtures.runs import SINGLES, alice, answered_version, mined_run
from tests.fixtures.staff import browser_of, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def runs() -> tuple[Run, Run]:
    return (
        mined_run(answered_version(500, slug="one"), SINGLES),
        mined_run(answered_version(700, slug="two"), SINGLES),
    )


def text_of(runs: tuple[Run, Run]) -> ChangeText:
    first, second = runs
    form = CompareForm({"outcome": "cheat", "by": f"run/{first.pk}"}, with_results(second), [first])
    assert form.is_valid(), form.errors
    text = form.table()
    assert isinstance(text, ChangeText)
    return text


def with_change(text: ChangeText, **changes: Any) -> ChangeText:
    return replace(text, found=replace(text.found, change=replace(text.found.change, **changes)))


def test_the_page_lists_other_surveys_and_states_the_change(client: Client, runs: tuple[Run, Run]) -> None:
    client.force_login(alice())
    first, second = runs
    address = f"/en/staff/runs/{second.pk}/compare/"
    assert "Other waves and surveys" in client.get(address).content.decode()
    page = client.get(f"{address}?outcome=cheat&by=run/{first.pk}").content.decode()
    text = text_of(runs)
    for said in (text.title, text.verdict, *text.sentences, *text.notes, *text.paper_sentences):
        assert escape(said) in page, said
    for _name, _people, figure in text.rows:
        assert escape(figure) in page
    assert "两项调查" in page


def test_files_have_both_figures_the_change_and_its_error(client: Client, runs: tuple[Run, Run]) -> None:
    client.force_login(alice())
    first, second = runs
    address = f"/en/staff/runs/{second.pk}/compare/comparison"
    query = f"?outcome=cheat&by=run/{first.pk}"
    text = text_of(runs)
    body = b"".join(client.get(f"{address}.csv{query}")).decode("utf-8-sig")
    before, after = csv.DictReader(io.StringIO(body))
    assert (before["group"], before["compared_survey"], before["difference"]) == ("before", "one", "")
    assert (after["group"], after["compared_survey"]) == ("after", "two")
    change, opposed = text.found.change, text.found.opposed
    assert float(after["difference"]) == pytest.approx(change.value)
    assert float(after["difference_standard_error"]) == pytest.approx(change.standard_error)
    assert float(after["opposed_low"]) == pytest.approx(opposed.low)
    assert float(after["opposed_standard_error"]) == pytest.approx(opposed.standard_error)
    found = json.loads(b"".join(client.get(f"{address}.json{query}")))
    assert "Newcombe 1998" in found["method"]
    assert found["outcomes"][1]["difference_high"] == pytest.approx(change.high)


@pytest.mark.soak
def test_only_surveys_whose_reports_someone_may_read_are_offered(runs: tuple[Run, Run]) -> None:
    first, second = runs
    client = browser_of("rosa", Role.RESEARCHER)
    second.survey.owner = member("rosa", Role.RESEARCHER)
    second.survey.save(update_fields=["owner"])
    page = client.get(f"/en/staff/runs/{second.pk}/compare/")
    assert page.status_code == 200
    assert f"run/{first.pk}" not in page.content.decode()
    asked = client.get(
        f"/en/staff/runs/{second.pk}/compare/?outcome=cheat&by=run/{first.pk}"
    ).content.decode()
    assert "cannot be chosen here" in asked


def test_weights_are_refused(runs: tuple[Run, Run]) -> None:
    first, second = runs
    given = {"outcome": "cheat", "by": f"run/{first.pk}", "margins": "age:young=.5,old=.5"}
    form = CompareForm(given, with_results(second), [first])
    assert not form.is_valid()
    assert "no weights" in str(form.errors["margins"])


def test_a_refusal_names_the_survey_and_the_remedy(client: Client, runs: tuple[Run, Run]) -> None:
    client.force_login(alice())
    first, second = runs
    other = first.version.definition
    assert other
    page = client.get(f"/en/staff/runs/{second.pk}/compare/?outcome=&by=run/{first.pk}").content.decode()
    assert "Choose one of these." in page


def test_forged_rows_and_differences_of_the_surveys_are_said(runs: tuple[Run, Run]) -> None:
    text = text_of(runs)
    assert text.shift_text == ""
    assert (
        with_change(text, shift=0.03).shift_text
        == "Forged answers could have moved the change by up to 3.0 points."
    )
    for shift in (None, math.inf):
        assert "all of the change" in with_change(text, shift=shift).shift_text
    assert len(text.notes) == 2
    other = replace(text.found, has_other_strength=True, has_other_skip=True, has_other_help=True)
    assert len(replace(text, found=other).notes) == 5


def test_surveys_of_one_title_are_named_with_their_runs(runs: tuple[Run, Run]) -> None:
    text = text_of(runs)
    assert [str(run.pk) in name for run, name in zip(runs, text.names, strict=True)] == [True, True]
    runs[0].survey.title = {"en": "The first wave"}
    text.found.earlier.survey.title = {"en": "The first wave"}
    assert text.names[0] == "The first wave"


def test_too_few_answers_have_no_point(runs: tuple[Run, Run]) -> None:
    text = text_of(runs)
    few: Measured = replace(text.found.before, estimable=False, low=0.0, high=1.0)
    found = replace(text, found=replace(text.found, before=few))
    assert "too few to say" in found.sentences[0]
    assert "too few to say" in found.rows[0][2]


@pytest.mark.soak
def test_chinese_pages_state_it_too(runs: tuple[Run, Run]) -> None:
    with translation.override("zh-hans"):
        assert "变化" in text_of(runs).verdict
