"""The next step of a survey, for the user who views it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.desk.overview import SurveyPage
from surveys.desk.survey_status import SurveyStatus
from surveys.figures.review_queue import waiting_rules
from surveys.figures.verdicts import opinions_of
from surveys.invite.codes import codes_made
from surveys.models import RuleRow, Run, Survey


@dataclass(frozen=True, kw_only=True)
class NextStep:
    """One action, or one thing to wait for.

    Attributes
    ----------
    text : str
        What, and why.
    label, address : str
        The way there; empty where there is only to wait.
    """

    text: str
    label: str = ""
    address: str = ""


def next_step(
    survey: Survey, page: SurveyPage, build: SurveyStatus | None, *, may_read: bool, may_judge: bool
) -> NextStep:
    """Return the next step by state and role: the builder's, else the reader's."""
    State = Survey.State
    if survey.state == State.DRAFT:
        return _of_a_draft(survey, build)
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
        return _of_few_answers(survey, build)
    if not may_read:
        return NextStep(text=_("There are enough answers. Reviewers can now compute and read the results."))
    return _of_runs(survey, page, may_judge=may_judge)


def _of_a_draft(survey: Survey, build: SurveyStatus | None) -> NextStep:
    if build is None:
        return NextStep(text=_("This survey is a draft. Its researcher will publish it when it is ready."))
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


def _of_few_answers(survey: Survey, build: SurveyStatus | None) -> NextStep:
    if survey.settled:
        return NextStep(
            text=_("The survey closed with too few answers. Results need at least 100 protected answers.")
            if not survey.practice
            else _("The practice survey closed without any answers.")
        )
    if survey.by_invitation:
        return _of_invitations(survey, build)
    return NextStep(
        text=_("Send people the link. Results need at least 100 protected answers.")
        if not survey.practice
        else _("Try it. A practice survey needs only one answer, which counts within seconds."),
        label=_("Respondent page"),
        address=reverse("respond:page", args=[survey.slug]),
    )


def _of_invitations(survey: Survey, build: SurveyStatus | None) -> NextStep:
    if build is None:
        return NextStep(text=_("People need an invitation to answer. The researcher gives out the codes."))
    if codes_made(survey):
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
        label=_("Make codes"),
        address=reverse("invite:invitations", args=[survey.slug]),
    )


def _of_runs(survey: Survey, page: SurveyPage, *, may_judge: bool) -> NextStep:
    newest = Run.objects.filter(survey=survey).select_related("job").first()
    if newest is None:
        return NextStep(
            text=_("There are enough answers for results.")
            if not survey.practice
            else _("You have answers. See what results look like. A real survey needs at least 100 answers."),
        )
    if not newest.job.is_over:
        return NextStep(
            text=_("Sottovoce is computing the results."),
            label=_("Show progress"),
            address=reverse("report:run", args=[newest.pk]),
        )
    done = Run.objects.filter(survey=survey, job__state="finished").first()
    if done is None:
        return NextStep(
            text=_("The last run has no result. See why, then run it again."),
            label=_("See why"),
            address=reverse("report:run", args=[newest.pk]),
        )
    with_rules = Exists(RuleRow.objects.filter(run=OuterRef("pk")))
    listing = Run.objects.filter(with_rules, survey=survey, job__state="finished").first()
    if listing is None:
        return NextStep(
            text=_("The results are ready. No rules were found."),
            label=_("Read the results"),
            address=reverse("report:results", args=[done.pk]),
        )
    return _of_results(listing, may_judge=may_judge)


def _of_results(run: Run, *, may_judge: bool) -> NextStep:
    survey = run.survey
    queue = waiting_rules(Survey.objects.filter(pk=survey.pk)) if may_judge else []
    waiting = sum(len(each.rules) for each in queue)
    if waiting:
        waits = ngettext(
            "%(count)s rule waits for your verdict.", "%(count)s rules wait for your verdict.", waiting
        )
        return NextStep(
            text=waits % {"count": waiting},
            label=_("Review the rules"),
            address=f"{reverse('report:review')}?survey={survey.slug}",
        )
    accepted = opinions_of(run)["accepted"]
    if accepted:
        printed = ngettext(
            "One rule is accepted. Print the report.",
            "%(count)s rules are accepted. Print the report.",
            accepted,
        )
        return NextStep(
            text=printed % {"count": accepted},
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
