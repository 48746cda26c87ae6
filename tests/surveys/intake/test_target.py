"""Surveys and versions of submissions are cached, and outdated entries are never used."""

import datetime
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from surveys.errors.error import SurveyError
from surveys.intake import target
from surveys.intake.receive import submission_receive
from surveys.intake.target import SubmissionTarget
from surveys.models import Inbox, Survey, Version
from tests.fixtures.devices import published, request_of, shipped_definition

pytestmark = pytest.mark.django_db

NOW = datetime.datetime(2026, 11, 20, 12, tzinfo=datetime.UTC)


@pytest.fixture
def version() -> Version:
    made = published(shipped_definition(slug="work"))
    assert send(made) == 200
    return made


def send(version: Version) -> int | str:
    outcome = submission_receive(request_of(version), now=NOW)
    return outcome.answer.get("error", outcome.status)


def test_the_survey_is_queried_only_once(version: Version) -> None:
    statements: list[str] = []

    def noted(execute: Callable[..., Any], statement: object, *rest: object) -> Any:
        statements.append(str(statement))
        return execute(statement, *rest)

    with connection.execute_wrapper(noted):
        assert send(version) == 200
    assert any("receipt" in statement or "EXECUTE" in statement for statement in statements), statements
    assert not any("LEFT JOIN" in statement for statement in statements)
    assert Inbox.objects.filter(version=version).count() == 2


def test_cached_routes_still_refuse_closed_surveys(version: Version) -> None:
    later = NOW + datetime.timedelta(hours=1)
    Survey.objects.update(state="closed", closed_at=timezone.now(), accepts_until=later)
    assert send(version) == 200
    Survey.objects.update(accepts_until=NOW)
    assert send(version) == "closed"


def test_wrong_cached_routes_are_queried_again(version: Version) -> None:
    other = published(shipped_definition(slug="other"))
    name = (version.survey.slug, version.design_id)
    right = SubmissionTarget(version.survey_id, version.pk, False)
    for wrong in (
        SubmissionTarget(other.survey_id, other.pk, False),
        SubmissionTarget(version.survey_id, other.pk, False),
        SubmissionTarget(10**9, 10**9, False),
        SubmissionTarget(version.survey_id, version.pk, True),
    ):
        target._known[name] = wrong
        assert send(version) == 200
        assert target._known[name] == right
    assert Inbox.objects.filter(version=version).count() == 5
    assert Inbox.objects.filter(version=other).count() == 0


def test_deleted_surveys_leave_the_route_cache(version: Version) -> None:
    name = ("gone", version.design_id)
    target._known[name] = SubmissionTarget(version.survey_id, version.pk, False)
    outcome = submission_receive(request_of(version, survey="gone"), now=NOW)
    assert outcome.answer["error"] == "unknown_survey"
    assert name not in target._known
    # The cache entry may outlive the cached layout of its design.
    target._known["gone", "0" * 64] = SubmissionTarget(version.survey_id, version.pk, False)
    outcome = submission_receive(request_of(version, survey="gone", design_id="0" * 64), now=NOW)
    assert outcome.answer["error"] == "unknown_design"


def test_the_version_cache_is_bounded(version: Version, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target, "MOST_REMEMBERED", 1)
    target._known.clear()
    assert send(version) == 200
    other = published(shipped_definition(slug="other"))
    assert send(other) == 200
    assert list(target._known) == [("other", other.design_id)]


@pytest.mark.parametrize(
    ("by_invitation", "invited", "case"),
    [(0, True, "open_link.submission"), (1, False, "invitation_needed"), (1, True, None), (0, False, None)],
)
def test_a_submission_has_an_invitation_exactly_if_the_survey_needs_one(
    by_invitation: int, invited: bool, case: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(target, "_fetch_route", lambda *_names: (7, 8, by_invitation))
    monkeypatch.setattr(target, "_known", {})
    submission: Any = SimpleNamespace(survey="work", design_id="a" * 64, invited=invited)
    if case is None:
        found = target.fetch_target(submission)
        assert found == (7, 8, bool(by_invitation))
        assert target.target_of(submission) == (found, True)
        return
    with pytest.raises(SurveyError) as refused:
        target.fetch_target(submission)
    assert refused.value.case == case
    assert target._known == {}
