"""Print and paper state how protected figures changed since the wave before."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils.html import escape

from surveys.accounts.roles import Role
from surveys.errors.error import SurveyError
from surveys.models import Run
from surveys.questionnaire.series_membership import survey_join_series
from surveys.report.opened_run import with_results
from surveys.report.results.series_changes import MOST_CHANGES, changes_since_the_wave_before
from tests.fixtures.runs import SINGLES, alice, answered_version, mined_run
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


@pytest.fixture
def waves() -> tuple[Run, Run]:
    first = mined_run(answered_version(500, slug="one"), SINGLES)
    second = mined_run(answered_version(700, slug="two"), SINGLES)
    for run in (first, second):
        survey_join_series(run.survey, "panel")
        run.refresh_from_db()
    return first, second


@pytest.mark.soak
def test_print_and_paper_state_each_change(client: Client, waves: tuple[Run, Run]) -> None:
    client.force_login(alice())
    _first, second = waves
    changes = changes_since_the_wave_before(with_results(second), alice())
    assert changes is not None
    assert 0 < len(changes.found) <= MOST_CHANGES
    assert all("“" in line and "to" in line for line in changes.lines)
    for page in ("report", "paper"):
        said = client.get(f"/en/staff/runs/{second.pk}/{page}/").content.decode()
        for line in (*changes.lines, *changes.notes):
            assert escape(line) in said, page
    paper = client.get(f"/en/staff/runs/{second.pk}/paper/").content.decode()
    assert escape(changes.method) in paper
    assert "与前一次调查相比的变化" in paper


@pytest.mark.soak
def test_a_first_wave_and_a_survey_without_a_series_have_no_change(waves: tuple[Run, Run]) -> None:
    first, second = waves
    assert changes_since_the_wave_before(with_results(first), alice()) is None
    survey_join_series(second.survey, "")
    second = Run.objects.get(pk=second.pk)
    assert changes_since_the_wave_before(with_results(second), alice()) is None


def test_an_earlier_wave_that_someone_may_not_read_is_not_shown(waves: tuple[Run, Run]) -> None:
    first, second = waves
    reader = member("eve", Role.RESEARCHER)
    second.survey.owner = reader
    second.survey.save()
    for user in (reader, AnonymousUser()):
        assert changes_since_the_wave_before(with_results(second), user) is None
    assert first.pk != second.pk


def test_a_change_that_cannot_be_stated_is_said(
    client: Client, waves: tuple[Run, Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_given: object) -> None:
        raise SurveyError("change.wording", survey="One", question="late")

    monkeypatch.setattr("surveys.report.results.series_changes.change_of", refuse)
    changes = changes_since_the_wave_before(with_results(waves[1]), alice())
    assert changes is not None
    assert (changes.found, changes.method, len(changes.refused)) == ((), "", 1)
    client.force_login(alice())
    page = client.get(f"/en/staff/runs/{waves[1].pk}/report/").content.decode()
    assert escape(changes.refused[0]) in page
