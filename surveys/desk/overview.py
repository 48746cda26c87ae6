"""What the list of surveys and the page of one survey show."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, Max, QuerySet
from django.utils.translation import gettext as _

from privacy.risk.budget import budget
from surveys.analysis.safeguards import Safeguards, safeguards_of
from surveys.disclosure.disclosure import groups_of, shown_count
from surveys.formats.figures import number
from surveys.models import Job, Receipt, Run, Survey, Version
from surveys.questionnaire.design_summary import (
    BlockLine,
    _direct_share,
    block_lines,
    light_epsilon,
    policy_text,
)


@dataclass(frozen=True, kw_only=True)
class SurveyLine:
    """One survey in the list."""

    slug: str
    title: str
    state: str
    state_label: str
    practice: bool
    received: str
    runs: int
    last_run: int | None
    owner: str
    delete_on: date | None


@dataclass(frozen=True, kw_only=True)
class DesignPart:
    """One design of a survey, with the answers that can be mined.

    Attributes
    ----------
    version_id : int
        The newest version that has the design.
    versions : str
        Numbers of all versions that have it.
    received, n, n_direct, n_protected, direct_share : str
        Counts of answers that may be mined.
    """

    version_id: int
    design_id: str
    versions: str
    published_at: datetime
    blocks: tuple[BlockLine, ...]
    epsilon: str
    light_epsilon: str
    policy: str
    has_two_strengths: bool
    sends_undisguised: bool
    open_questions: int
    n: str
    n_direct: str
    n_protected: str
    direct_share: str
    has_answers: bool
    has_results: bool
    safeguards: Safeguards


@dataclass(frozen=True, kw_only=True)
class RunLine:
    """One run in a survey's list."""

    id: int
    state: str
    state_label: str
    asked_by: str
    asked_at: datetime
    what: str
    itemsets: int | None
    rules: int | None


@dataclass(frozen=True, kw_only=True)
class SurveyPage:
    """One survey, as staff see it."""

    slug: str
    title: str
    state: str
    state_label: str
    practice: bool
    rounded: bool
    received: str
    closed_at: datetime | None
    accepts_until: datetime | None
    waits_for_close: bool
    owner: str
    designs: tuple[DesignPart, ...]
    runs: tuple[RunLine, ...]

    @property
    def finished(self) -> int:
        """How many of the runs have ended with a result."""
        return sum(run.state == Job.State.FINISHED for run in self.runs)

    @property
    def can_mine(self) -> bool:
        """Whether some design has enough answers for a result."""
        return any(design.has_answers and design.has_results for design in self.designs)


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
            slug=survey.slug,
            title=survey.title_text,
            state=survey.state,
            state_label=survey.get_state_display(),
            practice=survey.practice,
            received=shown_count(received.get(survey.pk, 0), rounded=is_rounded(survey)),
            runs=counted.get(survey.pk, 0),
            last_run=newest.get(survey.pk),
            owner=survey.owner.get_username() if survey.owner else "",
            delete_on=survey.delete_on,
        )
        for survey in surveys
    )


def received_counts() -> dict[int, int]:
    """Return how many answers each survey received, by its number; none of those that received none."""
    return dict(_sent().values_list("survey").annotate(sent=Count("survey")).order_by())


def survey_page(survey: Survey) -> SurveyPage:
    """Return everything that the page of a survey shows."""
    return SurveyPage(
        slug=survey.slug,
        title=survey.title_text,
        state=survey.state,
        state_label=survey.get_state_display(),
        practice=survey.practice,
        rounded=is_rounded(survey),
        received=shown_count(_sent().filter(survey=survey).count(), rounded=is_rounded(survey)),
        closed_at=survey.closed_at,
        accepts_until=None if survey.settled else survey.accepts_until,
        waits_for_close=not survey.settled
        and any(versions[0].holds_undisguised for versions in _by_design(survey)),
        owner=survey.owner.get_username() if survey.owner else "",
        designs=tuple(_design_part(versions) for versions in _by_design(survey)),
        runs=tuple(_run_line(run) for run in survey.runs.select_related("job", "job__requested_by")),
    )


def newest_versions(survey: Survey) -> list[Version]:
    """Return the newest version of each design, the newest design first."""
    return [versions[0] for versions in _by_design(survey)]


def _design_part(versions: list[Version]) -> DesignPart:
    newest = versions[0]
    design = newest.to_design()
    groups = groups_of(newest)
    return DesignPart(
        version_id=newest.pk,
        design_id=newest.design_id,
        versions=", ".join(str(version.number) for version in reversed(versions)),
        published_at=newest.published_at,
        blocks=block_lines(newest, design),
        epsilon=number(budget(design).epsilon, 2),
        light_epsilon=light_epsilon(design),
        policy=policy_text(design),
        has_two_strengths=design.has_two_strengths,
        sends_undisguised=design.sends_undisguised,
        open_questions=sum(len(block.questions) for block in design.blocks if not block.protected),
        n=shown_count(groups.n),
        n_direct=shown_count(groups.n_direct),
        n_protected=shown_count(groups.n_protected),
        direct_share=_direct_share(groups),
        has_answers=groups.n > 0,
        has_results=groups.disclosure.results,
        safeguards=safeguards_of(newest),
    )


def _run_line(run: Run) -> RunLine:
    finished = run.job.state == run.job.State.FINISHED
    return RunLine(
        id=run.pk,
        state=run.job.state,
        state_label=run.job.get_state_display(),
        asked_by=run.job.requested_by.get_username() if run.job.requested_by else _("command line"),
        asked_at=run.job.created_at,
        what=_("support from %(support)s, up to %(size)s items")
        % {"support": number(run.parameters["support"]), "size": run.parameters["max_size"]},
        itemsets=run.summary.get("itemsets") if finished else None,
        rules=run.summary.get("rules") if finished else None,
    )


def _by_design(survey: Survey) -> list[list[Version]]:
    found: dict[str, list[Version]] = {}
    for version in survey.versions.select_related("survey").order_by("-number"):
        found.setdefault(version.design_id, []).append(version)
    return list(found.values())


def _sent() -> QuerySet[Receipt]:
    """Receipts of what was sent; one without a digest is an invitation that waits."""
    return Receipt.objects.filter(digest__isnull=False)


def is_rounded(survey: Survey) -> bool:
    """Whether the count of what came is told in tens: until nothing can be added any more."""
    return not survey.practice and not survey.settled
