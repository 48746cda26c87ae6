"""Check what respondents were promised: the risk that they read, and the day of deletion."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from privacy.counted_nouns import counted
from surveys.models import Survey
from surveys.questionnaire.understatements import understatements_of
from surveys.server.clock import clock_doubt
from surveys.server.doctor.diagnosis import CheckContext, Diagnosis, failure, ok, warning

LONGEST_DELAY = timedelta(hours=1)


def pages_state_the_whole_risk(_context: CheckContext) -> Iterator[Diagnosis]:
    """Check that respondents of open surveys read what a skip and the other waves reveal."""
    promise = "respondents read the whole risk"
    surveys = Survey.objects.filter(state__in=(Survey.State.OPEN, Survey.State.PLANNED)).order_by("slug")
    said = {survey.slug: sentences for survey in surveys if (sentences := understatements_of(survey))}
    if said:
        seen = "; ".join(f"{slug}: {sentences[0]}" for slug, sentences in said.items())
        yield warning(promise, seen, "Ask their researchers to publish a new version.")
    else:
        yield ok(promise, f"stated by {counted(len(surveys), 'open survey')}")


def surveys_are_deleted_on_their_day(context: CheckContext) -> Iterator[Diagnosis]:
    """Check that surveys are deleted on the day announced to respondents."""
    promise = "surveys are deleted on the announced day"
    surveys = Survey.objects.filter(delete_at__isnull=False).order_by("delete_at")
    late = surveys.filter(delete_at__lte=context.now - LONGEST_DELAY)
    if late and (doubt := clock_doubt(now=context.now)):
        yield warning(
            promise, doubt, ("Check the clocks (timedatectl). The sweeper then continues by itself.")
        )
    elif late:
        yield failure(
            promise,
            ", ".join(f"{survey.slug} should have been deleted on {survey.delete_on}" for survey in late),
            "Start sottovoce sweep, check its log for the reason, then delete the survey: "
            "sottovoce delete_survey SLUG --really.",
        )
    elif survey := surveys.first():
        yield ok(promise, f"{surveys.count()} have one; the next is {survey.slug} on {survey.delete_on}")
    else:
        yield ok(promise, "no survey has such a day")


PROMISE_CHECKS = (pages_state_the_whole_risk, surveys_are_deleted_on_their_day)
