"""Surveys whose answers were read from another tool's file."""

from datetime import UTC, datetime, timedelta

import pytest

from surveys.models import AuditEvent, Survey
from surveys.models.audit_event import ANSWERS_READ
from surveys.runs.file_event import file_event

pytestmark = pytest.mark.django_db


def test_a_survey_from_a_file_has_the_event_that_made_it() -> None:
    made = datetime(2090, 1, 1, tzinfo=UTC)
    for number, (days, action, target) in enumerate(
        [
            (-1, ANSWERS_READ, "tool"),
            (0, "publish", "tool"),
            (0, ANSWERS_READ, "other"),
            (1, ANSWERS_READ, "tool"),
        ]
    ):
        AuditEvent(
            at=made + timedelta(days=days),
            actor="ana",
            action=action,
            target=target,
            detail={"left_out": number},
        ).save()
    survey = Survey(slug="tool", opened_at=made, closed_at=made)
    event = file_event(survey)
    assert event is not None
    assert event.detail == {"left_out": 3}
    survey.closed_at = made + timedelta(days=1)
    assert file_event(survey) is None
    survey.opened_at = survey.closed_at = None
    assert file_event(survey) is None
