"""The list of surveys, and the designs and runs of one survey's page."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from privacy.risk.budget import budget
from privacy.survey.design import Design
from surveys.accounts.permissions import (
    get_surveys_for_reviewer,
    get_surveys_for_staff,
    may_judge,
    may_read_reports,
    staff_page,
)
from surveys.models import Job, Receipt, Run, SharedPage, Survey, Version
from surveys.report.review import waiting_rules
from surveys.runs.disclosure import Groups, groups_of, shown_count


@dataclass(frozen=True, kw_only=True)
class SurveyLine:
    """One survey in the list."""

    survey: Survey
    received: str
    runs: int
    last_run: int | None


@dataclass(frozen=True, kw_only=True)
class DesignPart:
    """One design of a survey, with the answers that can be mined.

    Attributes
    ----------
    newest : Version
        The newest version that has the design.
    numbers : tuple of int
        Of all versions that have it.
    """

    newest: Version
    numbers: tuple[int, ...]
    design: Design
    groups: Groups

    @property
    def epsilon(self) -> float:
        """Epsilon of all protected answers of one respondent together."""
        return budget(self.design).epsilon


@dataclass(frozen=True, kw_only=True)
class SurveyPage:
    """One survey, as staff see it."""

    survey: Survey
    rounded: bool
    received: str
    waits_for_close: bool
    designs: tuple[DesignPart, ...]
    runs: tuple[Run, ...]

    @property
    def finished(self) -> int:
        """How many of the runs have ended with a result."""
        return sum(run.job.state == Job.State.FINISHED for run in self.runs)

    @property
    def can_mine(self) -> bool:
        """Whether some design has enough answers for a result."""
        return any(part.groups.n > 0 and part.groups.disclosure.results for part in self.designs)


def survey_lines(surveys: list[Survey]) -> tuple[SurveyLine, ...]:
    """Return the list of surveys."""
    counted = dict(Run.objects.values_list("survey").annotate(runs=Count("pk")).order_by())
    received = received_counts()
    newest = dict(
        Run.objects.filter(job__state=Job.State.FINISHED)
        .values_list("survey")
        .annotate(newest=Max("pk"))
        .order_by()
    )
    return tuple(
        SurveyLine(
            survey=survey,
            received=shown_count(received.get(survey.pk, 0), rounded=is_rounded(survey)),
            runs=counted.get(survey.pk, 0),
            last_run=newest.get(survey.pk),
        )
        for survey in surveys
    )


def received_counts() -> dict[int, int]:
    """Return how many answers each survey received, by its number; none of those that received none."""
    return dict(_sent().values_list("survey").annotate(sent=Count("survey")).order_by())


def survey_page(survey: Survey) -> SurveyPage:
    """Return everything that the page of a survey shows."""
    return SurveyPage(
        survey=survey,
        rounded=is_rounded(survey),
        received=shown_count(_sent().filter(survey=survey).count(), rounded=is_rounded(survey)),
        waits_for_close=not survey.settled
        and any(versions[0].holds_undisguised for versions in _by_design(survey)),
        designs=tuple(_design_part(versions) for versions in _by_design(survey)),
        runs=tuple(survey.runs.select_related("job", "job__requested_by")),
    )


def newest_versions(survey: Survey) -> list[Version]:
    """Return the newest version of each design, the newest design first."""
    return [versions[0] for versions in _by_design(survey)]


def _design_part(versions: list[Version]) -> DesignPart:
    newest = versions[0]
    return DesignPart(
        newest=newest,
        numbers=tuple(version.number for version in reversed(versions)),
        design=newest.to_design(),
        groups=groups_of(newest),
    )


def _by_design(survey: Survey) -> list[list[Version]]:
    versions_of: dict[str, list[Version]] = {}
    for version in survey.versions.select_related("survey").order_by("-number"):
        versions_of.setdefault(version.design_id, []).append(version)
    return list(versions_of.values())


def _sent() -> QuerySet[Receipt]:
    """Count receipts of sent answers; one without a digest is an unused invitation."""
    return Receipt.objects.filter(digest__isnull=False)


def is_rounded(survey: Survey) -> bool:
    """Whether the count of answers is rounded to tens: until nothing can be added any more."""
    return not survey.practice and not survey.settled


@staff_page
@require_safe
def surveys(request: HttpRequest) -> HttpResponse:
    """List the surveys."""
    lines = survey_lines(list(get_surveys_for_staff(request.user)))
    queue = waiting_rules(get_surveys_for_reviewer(request.user)) if may_judge(request.user) else []
    context = {
        "surveys": lines,
        "waiting": [waiting for waiting in queue if waiting.rules],
        "waiting_rules": sum(len(waiting.rules) for waiting in queue),
        "may_read": may_read_reports(request.user),
        "example": SharedPage.of_example(),
    }
    return render(request, "report/surveys.html", context)
