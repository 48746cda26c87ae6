"""The lines of the list of surveys: numbers of answers and runs, and the newest results."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Max, QuerySet

from surveys.formats.shown_counts import shown_count
from surveys.models import Job, Run, Survey
from surveys.runs.look import Look, looks_of
from surveys.runs.received_answers import received_counts


@dataclass(frozen=True, kw_only=True)
class SurveyLine:
    """One survey in the list.

    Attributes
    ----------
    survey : Survey
    received : str
        Number of answers, rounded while answers can still arrive.
    runs : int
    last_run : int or None
        The newest finished run.
    look : Look or None
        The look of that run.
    """

    survey: Survey
    received: str
    runs: int
    last_run: int | None
    look: Look | None


def survey_lines(surveys: list[Survey]) -> tuple[SurveyLine, ...]:
    """Return the list of surveys."""
    run_counts = dict(Run.objects.values_list("survey").annotate(runs=Count("pk")).order_by())
    answer_counts = received_counts()
    newest = dict(
        Run.objects.filter(job__state=Job.State.FINISHED)
        .values_list("survey")
        .annotate(newest=Max("pk"))
        .order_by()
    )
    runs = {run.pk: run for run in with_survey(Run.objects.filter(pk__in=newest.values()))}
    looks = looks_of(runs.values())
    return tuple(
        SurveyLine(
            survey=survey,
            received=shown_count(answer_counts.get(survey.pk, 0), rounded=is_rounded(survey)),
            runs=run_counts.get(survey.pk, 0),
            last_run=newest.get(survey.pk),
            look=looks.get(newest.get(survey.pk, 0)),
        )
        for survey in surveys
    )


def with_survey(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Load runs with all that decides whether and how their results are shown."""
    return runs.select_related("job", "survey", "version", "version__survey")


def is_rounded(survey: Survey) -> bool:
    """Whether the count of answers is rounded to tens, because answers can still arrive."""
    return not survey.practice and not survey.settled
