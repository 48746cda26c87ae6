"""Audit events about a release name its survey, if it has one."""

import pytest

from anonymisation.models import Release
from anonymisation.releases.release_events import release_log
from surveys.models import AuditEvent
from tests.fixtures.runs import alice, published


@pytest.mark.soak
@pytest.mark.django_db
def test_an_event_names_the_release_and_its_survey() -> None:
    by, survey = alice(), published().survey
    for release in (Release(pk=7), Release(pk=8, survey=survey)):
        release_log(release, by=by, action="release_test", detail={"k": 5})
    events = AuditEvent.objects.filter(action="release_test").order_by("pk")
    assert [event.target for event in events] == ["release 7", f"{survey.slug} release 8"]
    assert {event.actor for event in events} == {by.username}
    assert [event.detail for event in events] == [{"k": 5}, {"k": 5}]
