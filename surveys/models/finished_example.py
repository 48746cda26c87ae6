"""The finished example: results of simulated respondents that everyone may read."""

from __future__ import annotations

from typing import Final

from django.db import models

from surveys.models.job import Job
from surveys.models.run import Run
from surveys.models.shared_page import SharedPage
from surveys.models.survey import Survey

EXAMPLE: Final = "example"
"""Replaces the token in the address of the finished example; tokens are longer."""


def page_of_example() -> SharedPage | None:
    """Return an unsaved page of the finished example, which never ends; None if there is no example.

    The example is the first run with a known truth, which only simulated respondents have.
    """
    runs = Run.objects.filter(survey__known_truth__isnull=False, job__state=Job.State.FINISHED)
    run = runs.select_related("survey", "version", "job").order_by("pk").first()
    return None if run is None else SharedPage(kind=SharedPage.Kind.RESULTS, survey=run.survey, run=run)


def example_is_on_its_way() -> bool:
    """Return whether the example is being created: its devices answer, or its run is in progress."""
    with_truth = Survey.objects.filter(known_truth__isnull=False)
    at_work = models.Q(runs__isnull=True) | models.Q(
        runs__job__state__in=(Job.State.QUEUED, Job.State.RUNNING)
    )
    return page_of_example() is None and with_truth.filter(at_work).exists()
