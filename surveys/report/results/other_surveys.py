"""Runs of other surveys with the same questions, which *Compare* offers for a change."""

from __future__ import annotations

from typing import Final

from django.db.models import Max

from surveys.accounts.permissions import Visitor, get_surveys_for_report
from surveys.models import Job, Run
from surveys.questionnaire.series_membership import series_of
from surveys.runs.changes import shared_questions
from surveys.runs.shown_of_run import has_results

MOST_OTHERS: Final = 30
"""Most surveys whose newest run is looked up; those analysed last come first."""


def runs_of_other_surveys(user: Visitor, run: Run) -> list[Run]:
    """Return the newest run of each other survey that asks a question of this one; its series comes first.

    Parameters
    ----------
    user : User
        Only surveys whose reports they may read are listed.
    run : Run
    """
    surveys = get_surveys_for_report(user).exclude(pk=run.survey_id).filter(practice=run.survey.practice)
    finished = Run.objects.filter(survey__in=surveys.order_by(), job__state=Job.State.FINISHED)
    newest = finished.order_by().values("survey").annotate(newest=Max("pk")).order_by("-newest")[:MOST_OTHERS]
    runs = Run.objects.filter(pk__in=[each["newest"] for each in newest]).order_by("-pk")
    found = [
        each
        for each in runs.select_related("survey__wave", "version", "job")
        if not each.unreadable and shared_questions(run.design, each.design) and has_results(each)
    ]
    series = series_of(run.survey)
    return sorted(found, key=lambda each: not series or series_of(each.survey) != series)
