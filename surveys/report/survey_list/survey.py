"""The list of surveys, and one survey's page: status, next step, designs, runs and the form for a run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from privacy.errors import PrivacyError
from surveys.accounts.permissions import (
    get_staff,
    get_survey_for_report,
    get_survey_for_staff,
    get_surveys_for_reviewer,
    get_surveys_for_staff,
    may_build,
    may_judge,
    may_read_report,
    may_read_reports,
    staff_page,
)
from surveys.authoring.changes import Change, changes_of, version_changes
from surveys.errors.error import in_sentences, sentences
from surveys.formats.figures import count_text
from surveys.models import Job, Receipt, RuleRow, Run, SharedPage, Survey, Version
from surveys.models.stored_json import unreadable
from surveys.questionnaire.draft_reading import draft_read
from surveys.questionnaire.schedule import wall_time
from surveys.questionnaire.series import understatements_of
from surveys.report.rules.rule import waiting_rules
from surveys.report.rules.rule_rows import opinions_of
from surveys.report.sentences.absence import absence_of_links
from surveys.report.survey_list.mine_form import MineForm
from surveys.report.survey_list.overview import (
    SurveyPage,
    Unanalysed,
    has_shown_results,
    newest_versions,
    survey_lines,
    survey_page,
)
from surveys.respondent.client_documents import survey_digest
from surveys.respondent.invitations import count_codes, invitation_status
from surveys.runs.chapters import stated_chapters
from surveys.runs.disclosure import shown_count
from surveys.runs.look import chapter_text, newest_results_text
from surveys.runs.request import run_request


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


@dataclass(frozen=True, kw_only=True)
class VersionLine:
    """A published version.

    Parameters
    ----------
    number : int
    published_at : datetime
        In the survey's time zone, but as a naive datetime, so that templates do not convert it.
    digest : str
        The code that letters and the page for an ethics board print.
    changes : tuple of Change
        Changes from the version before; none for the first.
    counts_anew : bool
        Whether its answers are counted separately from those to the version before.
    """

    number: int
    published_at: datetime
    digest: str
    changes: tuple[Change, ...]
    counts_anew: bool


@dataclass(frozen=True, kw_only=True)
class SurveyStatus:
    """One survey, as its builders see it.

    Parameters
    ----------
    survey : Survey
    opens_at, closes_at, opened_at, closed_at : datetime or None
        In the survey's time zone, but as naive datetimes, so that templates do not convert them.
    chapters : list of tuple
        When each chapter ends, in the survey's time zone, and whether it is closed.
    versions : tuple of VersionLine
        The newest first.
    many_from : int or None
        A tenth of the site's limit of answers, if the survey is open and has received that many.
    draft_problems : int
        Number of problems that prevent the draft from being published.
    draft_changes : tuple of Change
        What publishing the draft would change; empty if it has problems or no version was published yet.
    unreadable : str
        Why the draft or its plan cannot be read; then nothing is known of its problems and changes.
    can_publish, can_close, can_close_now, can_delete : bool
        What the state allows. `can_publish`: there is no version yet, or the draft differs from the newest.
    """

    survey: Survey
    opens_at: datetime | None
    closes_at: datetime | None
    opened_at: datetime | None
    closed_at: datetime | None
    chapters: list[tuple[datetime, bool]]
    versions: tuple[VersionLine, ...]
    many_from: int | None
    draft_problems: int
    draft_changes: tuple[Change, ...]
    unreadable: str
    can_publish: bool
    can_close: bool
    can_close_now: bool
    can_delete: bool


def survey_status(survey: Survey, *, now: datetime) -> SurveyStatus:
    """Return the status of a survey at `now`."""
    versions = list(survey.versions.select_related("survey").order_by("-number"))
    newest = versions[0] if versions else None
    why_unreadable = unreadable(survey.definition, survey.aim)
    reading = None if why_unreadable else draft_read(survey)
    definition = reading and reading.definition
    changes = changes_of(survey, newest, definition) if definition else ()
    is_over = survey.state == Survey.State.CLOSED
    is_published = survey.state in (Survey.State.PLANNED, Survey.State.OPEN)

    def local(instant: datetime | None) -> datetime | None:
        return instant and wall_time(instant, survey.time_zone)

    return SurveyStatus(
        survey=survey,
        opens_at=local(survey.opens_at),
        closes_at=local(survey.closes_at),
        opened_at=local(survey.opened_at),
        closed_at=local(survey.closed_at),
        chapters=[
            (wall_time(ends_at, survey.time_zone), last is not None)
            for ends_at, last in stated_chapters(survey)
        ],
        versions=tuple(_version_lines(versions, survey.time_zone)),
        many_from=_many_from(survey),
        draft_problems=len(reading.problems) if reading else 0,
        draft_changes=changes,
        unreadable=why_unreadable,
        can_publish=not is_over and definition is not None and (newest is None or bool(changes)),
        can_close=is_published,
        can_close_now=is_published or (is_over and not survey.closed_to_bodies(now)),
        can_delete=survey.state == Survey.State.DRAFT,
    )


def _many_from(survey: Survey) -> int | None:
    """Return a tenth of the cap once that many answers have arrived, to warn before the cap is reached."""
    if survey.state != Survey.State.OPEN:
        return None
    tenth = max(1, settings.SUBMISSION_CAP // 10)
    receipts = Receipt.objects.filter(survey=survey, digest__isnull=False).order_by()
    # Counting all receipts would take seconds.
    return tenth if receipts[tenth - 1 : tenth].exists() else None


def _version_lines(versions: list[Version], time_zone: str) -> list[VersionLine]:
    return [
        VersionLine(
            number=version.number,
            published_at=wall_time(version.published_at, time_zone),
            digest=survey_digest(version),
            changes=version_changes(before.design, before.wording, version) if before else (),
            counts_anew=before is not None and before.design_id != version.design_id,
        )
        for version, before in pairwise([*versions, None])
        if version is not None
    ]


@dataclass(frozen=True, kw_only=True)
class NextStep:
    """One action, or one thing to wait for.

    Attributes
    ----------
    text : str
        What to do, and why.
    label, address : str
        The link to follow; empty if there is nothing to do but wait.
    """

    text: str
    label: str = ""
    address: str = ""


def next_step(
    survey: Survey, page: SurveyPage, build: SurveyStatus | None, *, may_read: bool, may_judge: bool
) -> NextStep:
    """Return the next step for the survey's state and the user's role."""
    State = Survey.State
    if survey.state == State.DRAFT:
        return _draft_step(survey, build)
    if survey.state == State.PLANNED:
        opens = date_format(survey.opens_at, "Y-m-d H:i") if survey.opens_at else ""
        return NextStep(text=_("The survey opens automatically at %(time)s (UTC).") % {"time": opens})
    if survey.state == State.CLOSED and not survey.settled:
        until = date_format(survey.accepts_until, "Y-m-d H:i") if survey.accepts_until else ""
        if build is None or not build.can_close_now:
            return NextStep(
                text=_("Closed. Answers submitted before closing can still arrive until %(time)s (UTC).")
                % {"time": until}
            )
        return NextStep(
            text=_(
                "Closed. Answers submitted before closing can still arrive until %(time)s (UTC). "
                "Wait, or stop accepting them."
            )
            % {"time": until},
            label=_("Stop accepting answers …"),
            address=reverse("authoring:close", args=[survey.slug]),
        )
    if not page.can_mine:
        return _few_answers_step(survey, build)
    if not may_read:
        return NextStep(text=_("There are enough answers. Reviewers can now compute and read the results."))
    return _runs_step(survey, page, may_judge=may_judge)


def _draft_step(survey: Survey, build: SurveyStatus | None) -> NextStep:
    if build is None:
        return NextStep(text=_("This survey is a draft. Its researcher will publish it when it is ready."))
    if build.unreadable:
        return NextStep(text=build.unreadable)
    if build.draft_problems:
        return NextStep(
            text=_("Finish the draft. The builder shows what is missing."),
            label=_("Build"),
            address=reverse("authoring:builder", args=[survey.slug]),
        )
    return NextStep(
        text=_("The draft is complete. Check it again, then publish it."),
        label=_("Publish …"),
        address=reverse("authoring:publish", args=[survey.slug]),
    )


def _few_answers_step(survey: Survey, build: SurveyStatus | None) -> NextStep:
    if survey.settled:
        return NextStep(
            text=_("The survey closed with too few answers. Results need at least 100 protected answers.")
            if not survey.practice
            else _("The practice survey closed without any answers.")
        )
    if survey.by_invitation:
        return _invitations_step(survey, build)
    return NextStep(
        text=_("Send people the link. Results need at least 100 protected answers.")
        if not survey.practice
        else _("Try it. A practice survey needs only one answer, which counts within seconds."),
        label=_("Respondent page"),
        address=reverse("respond:page", args=[survey.slug]),
    )


def _invitations_step(survey: Survey, build: SurveyStatus | None) -> NextStep:
    if build is None:
        return NextStep(text=_("People need an invitation to answer. The researcher gives out the codes."))
    if count_codes(survey):
        return NextStep(
            text=_("Give out the codes. You can also find a reminder to send to everyone."),
            label=_("Invitations"),
            address=reverse("invite:invitations", args=[survey.slug]),
        )
    return NextStep(
        text=_("Create codes and give them out. Results need at least 100 protected answers.")
        if not survey.practice
        else _(
            "Create a code and try it. A practice survey needs only one answer, which counts within seconds."
        ),
        label=_("Create codes"),
        address=reverse("invite:invitations", args=[survey.slug]),
    )


def _runs_step(survey: Survey, page: SurveyPage, *, may_judge: bool) -> NextStep:
    if not page.runs:
        return NextStep(
            text=_("There are enough answers for results.")
            if not survey.practice
            else _("You have answers. See what results look like. A real survey needs at least 100 answers.")
        )
    newest = page.runs[0]
    if not newest.job.is_over:
        return NextStep(
            text=_("Sottovoce is computing the results."),
            label=_("Show progress"),
            address=reverse("report:run", args=[newest.pk]),
        )
    if page.unanalysed is not None:
        return _final_step(page, page.unanalysed)
    finished = [run for run in page.runs if run.job.state == Job.State.FINISHED]
    # The results of all answers replace those of interim looks, even if they have no rules.
    done = [run for run in finished if page.is_final(run)] or finished
    if not done:
        return NextStep(
            text=_("The last run has no result. See why, then run it again."),
            label=_("See why"),
            address=reverse("report:run", args=[newest.pk]),
        )
    with_rules = Exists(RuleRow.objects.filter(run=OuterRef("pk")))
    listing = Run.objects.filter(with_rules, pk__in=[run.pk for run in done]).first()
    if listing is None:
        step = NextStep(
            text=in_sentences(_("The results are ready."), absence_of_links(done[0]).detail),
            label=_("Read the results"),
            address=reverse("report:results", args=[done[0].pk]),
        )
    else:
        step = _results_step(listing, may_judge=may_judge)
    look = page.looks[done[0].pk if listing is None else listing.pk]
    return step if not look.tag else replace(step, text=in_sentences(newest_results_text(look), step.text))


def _final_step(page: SurveyPage, due: Unanalysed) -> NextStep:
    """Lead to the analysis of a closed chapter, or of all answers that only interim runs have read."""
    part = due.part
    if due.chapter is not None:
        words = ngettext(
            "%(chapter)s is closed: %(count)s answer is ready.",
            "%(chapter)s is closed: %(count)s answers are ready.",
            due.n,
        )
        name = capfirst(chapter_text(due.chapter, page.survey.time_zone))
        return NextStep(
            text=words % {"chapter": name, "count": shown_count(due.n)}, label=page.analyse, address="#mine"
        )
    shown = [run for run in page.runs if run.design_id == part.newest.design_id and has_shown_results(run)]
    counts = {"all": shown_count(part.groups.n), "n": shown_count(page.looks[shown[0].pk].n) if shown else ""}
    text = (
        _("All %(all)s answers are ready. The newest results are from an interim look, with %(n)s of them.")
        if shown
        else _("All %(all)s answers are ready, and no results of all of them are shown.")
    )
    return NextStep(text=text % counts, label=page.analyse, address="#mine")


def _results_step(run: Run, *, may_judge: bool) -> NextStep:
    survey = run.survey
    queue = waiting_rules(Survey.objects.filter(pk=survey.pk)) if may_judge else []
    waiting = sum(len(each.rules) for each in queue)
    if waiting:
        waits = ngettext(
            "%(count)s rule waits for your verdict.", "%(count)s rules wait for your verdict.", waiting
        )
        return NextStep(
            text=waits % {"count": count_text(waiting)},
            label=_("Review the rules"),
            address=f"{reverse('report:review')}?survey={survey.slug}",
        )
    n_accepted = opinions_of(run)["accepted"]
    if n_accepted:
        template = ngettext(
            "One rule is accepted. Print the report.",
            "%(count)s rules are accepted. Print the report.",
            n_accepted,
        )
        return NextStep(
            text=template % {"count": count_text(n_accepted)},
            label=_("Print the report"),
            address=reverse("report:printed", args=[run.pk]),
        )
    return NextStep(
        text=_("The results are ready.")
        if may_judge
        else _("The results are ready. Reviewers can now judge the rules."),
        label=_("Read the results"),
        address=reverse("report:results", args=[run.pk]),
    )


@staff_page
@require_safe
def survey(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a survey: its designs, numbers of answers, runs, and the form to request a run."""
    selected = get_survey_for_staff(request.user, slug)
    versions, page = newest_versions(selected), survey_page(selected)
    form = MineForm(versions, initial=_last_settings(page, versions))
    return _survey_page(request, page, form)


def _last_settings(page: SurveyPage, versions: list[Version]) -> dict[str, Any]:
    """Return the form's values for the settings of the newest run; empty without a run.

    If answers to one design still wait for their final analysis, this is the newest run on that design.
    """
    due = page.unanalysed
    chapter = {} if due is None or due.chapter is None else {"chapter": due.chapter.number}
    runs = [run for run in page.runs if due is None or run.design_id == due.part.newest.design_id]
    run = runs[0] if runs else None
    if run is None or run.unreadable:
        return chapter if due is None else {"version": due.part.newest.pk} | chapter
    thresholds, design = run.thresholds, run.design
    sides = {
        side: [design.questions[design.items[item].question].key for item in items]
        for side in ("antecedent", "consequent")
        if (items := getattr(thresholds.sides, side)) is not None
    }
    version = next(version.pk for version in versions if version.design_id == run.design_id)
    return vars(thresholds) | sides | {"version": version} | chapter


def _survey_page(
    request: HttpRequest, page: SurveyPage, form: MineForm, *, status: int = 200
) -> HttpResponse:
    selected = page.survey
    builds = may_build(request.user, selected)
    build = survey_status(selected, now=timezone.now()) if builds else None
    may_read = may_read_report(request.user, selected)
    context = {
        "survey": selected,
        "page": page,
        "form": form,
        "build": build,
        "understated": understatements_of(selected),
        "invitations": invitation_status(selected) if builds else None,
        "may_read": may_read,
        "next": next_step(selected, page, build, may_read=may_read, may_judge=may_judge(request.user)),
    }
    return render(request, "report/survey.html", context, status=status)


@staff_page
@require_POST
def mine(request: HttpRequest, slug: str) -> HttpResponse:
    """Request a run and redirect to it; show errors next to the form."""
    selected = get_survey_for_report(request.user, slug)
    form = MineForm(newest_versions(selected), request.POST)
    if form.is_valid():
        try:
            run = run_request(
                version=form.chosen_version(),
                thresholds=form.thresholds(),
                by=get_staff(request.user),
                now=timezone.now(),
                chapter=form.cleaned_data["chapter"],
            )
        except PrivacyError as error:
            form.add_error(None, sentences(error))
        else:
            return redirect("report:run", run.pk)
    return _survey_page(request, survey_page(selected), form, status=422)
