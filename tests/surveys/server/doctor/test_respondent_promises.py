"""The risk that respondents read, and surveys past their day."""

import pytest

from surveys.models import Survey
from surveys.server.doctor import respondent_promises
from surveys.server.doctor.diagnosis import Check, Severity
from tests.fixtures.devices import published, wide_definition
from tests.surveys.server.doctor.conftest import Doctor

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("check", respondent_promises.PROMISE_CHECKS, ids=lambda check: check.__name__)
def test_a_migrated_database_passes(check: Check, doctor: Doctor) -> None:
    assert doctor.level(check) is Severity.OK


def test_a_survey_past_its_deletion_day_is_detected(doctor: Doctor) -> None:
    slug = published(wide_definition()).survey.slug
    check, now = respondent_promises.surveys_are_deleted_on_their_day, doctor.context.now
    for delay, level in (
        (-respondent_promises.LONGEST_DELAY, Severity.OK),
        (respondent_promises.LONGEST_DELAY, Severity.ERROR),
    ):
        Survey.objects.update(delete_at=now - delay)
        assert doctor.level(check) is level
    assert doctor.seen(check).startswith(f"{slug} should have been deleted on ")
