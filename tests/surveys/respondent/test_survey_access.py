"""Whether answers need an invitation is chosen before publication."""

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from surveys.authoring.drafts import survey_import
from surveys.authoring.publish import survey_publish
from surveys.models import AuditEvent, Survey
from surveys.respondent.survey_access import survey_access
from tests.fixtures.devices import shipped_definition
from tests.fixtures.refusals import refused

pytestmark = pytest.mark.django_db


def test_publication_fixes_who_can_answer() -> None:
    survey = survey_import(shipped_definition(slug="work"), by="alice")
    assert survey.by_invitation is False
    assert survey_access(survey, by_invitation=True, by="alice").by_invitation is True
    survey_access(survey, by_invitation=True, by="alice")
    assert list(
        AuditEvent.objects.filter(action="survey_access").values_list("actor", "target", "detail")
    ) == [("alice", "work", {"by_invitation": True})]
    survey_publish(survey, by="alice", now=timezone.now(), is_readable_seen=True)
    events = AuditEvent.objects.count()
    with refused("published"):
        survey_access(survey, by_invitation=False, by="alice")
    assert AuditEvent.objects.count() == events
    with pytest.raises(DatabaseError, match="cannot go back"), transaction.atomic():
        Survey.objects.filter(slug="work").update(by_invitation=False)
