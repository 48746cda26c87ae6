"""*Compare* offers the newest run of each other survey with a common question; its series comes first."""

import pytest

from surveys.accounts.roles import Role
from surveys.models import Run, Wave
from surveys.report.results import other_surveys
from surveys.report.results.other_surveys import runs_of_other_surveys
from tests.fixtures.runs import SINGLES, alice, answered_version, mined_run, requested_run
from tests.fixtures.staff import member

pytestmark = pytest.mark.django_db


def run_of(slug: str) -> Run:
    return mined_run(answered_version(400, slug=slug), SINGLES)


@pytest.mark.soak
def test_waves_of_the_series_come_first_then_the_survey_analysed_last() -> None:
    own, wave, newer = (run_of(slug) for slug in ("own", "wave", "newer"))
    assert runs_of_other_surveys(alice(), own) == [newer, wave]
    for run in (own, wave):
        Wave.objects.create(survey=run.survey, series="habits")
    own.survey.refresh_from_db()
    assert runs_of_other_surveys(alice(), own) == [wave, newer]


@pytest.mark.soak
def test_only_the_newest_run_with_results_is_offered() -> None:
    own, other = run_of("own"), run_of("other")
    again = mined_run(other.version, SINGLES)
    requested_run(other.version)
    assert runs_of_other_surveys(alice(), own) == [again]


@pytest.mark.soak
def test_surveys_without_a_common_question_are_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    own, _other = run_of("own"), run_of("other")
    monkeypatch.setattr(other_surveys, "shared_questions", lambda _own, _other: [])
    assert runs_of_other_surveys(alice(), own) == []


@pytest.mark.soak
def test_practice_surveys_and_those_of_others_are_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    own, other, further = run_of("own"), run_of("other"), run_of("further")
    rosa = member("rosa", Role.RESEARCHER)
    own.survey.owner = other.survey.owner = rosa
    own.survey.save(update_fields=["owner"])
    other.survey.save(update_fields=["owner"])
    assert runs_of_other_surveys(rosa, own) == [other]
    assert runs_of_other_surveys(alice(), own) == [further, other]
    monkeypatch.setattr(other_surveys, "MOST_OTHERS", 1)
    assert runs_of_other_surveys(alice(), own) == [further]
    own.survey.practice = True
    assert runs_of_other_surveys(alice(), own) == []
