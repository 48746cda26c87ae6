"""The lines of the list of surveys."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from surveys.intake.receive import submission_receive
from surveys.models import Job, Survey
from surveys.report.survey_list.survey_lines import survey_lines
from tests.fixtures.devices import request_of
from tests.fixtures.runs import (
    answered_version,
    mined_run,
    published,
    requested_run,
)

pytestmark = pytest.mark.django_db


def test_answers_of_an_open_survey_are_rounded_to_tens() -> None:
    version = published()
    for _ in range(7):
        submission_receive(request_of(version), now=timezone.now())
    (line,) = survey_lines(list(Survey.objects.all()))
    assert (line.received, line.survey.state, line.runs, line.last_run) == ("≈ 10", "open", 0, None)


@pytest.mark.soak
def test_a_closed_survey_shows_its_exact_count_and_its_latest_run() -> None:
    run = mined_run(answered_version())
    requested_run(answered_version(slug="other"))
    lines = {line.survey.slug: line for line in survey_lines(list(Survey.objects.all()))}
    assert (lines["habits"].runs, lines["habits"].last_run) == (1, run.pk)
    assert (lines["other"].runs, lines["other"].last_run) == (1, None)


@pytest.mark.soak
def test_listing_surveys_uses_a_constant_number_of_queries() -> None:
    requested_run(answered_version(200))
    Job.objects.update(state=Job.State.FINISHED)
    with CaptureQueriesContext(connection) as of_one:
        survey_lines(list(Survey.objects.select_related("owner")))
    for slug in ("second", "third"):
        requested_run(answered_version(200, slug=slug))
        Job.objects.update(state=Job.State.FINISHED)
    with CaptureQueriesContext(connection) as of_three:
        assert len(survey_lines(list(Survey.objects.select_related("owner")))) == 3
    assert len(of_three) == len(of_one)
