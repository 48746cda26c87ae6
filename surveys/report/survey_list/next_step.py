"""The next step for a survey: what to do now, depending on its state and the reader's role."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from surveys.errors.error import in_sentences
from surveys.formats.numbers import count_text
from surveys.formats.shown_counts import shown_count
from surveys.models import Job, RuleRow, Run, RunCounts, Survey
from surveys.report.rules.verdicts import opinions_of
from surveys.report.rules.waiting_rules import waiting_rules
from surveys.report.sentences.absence import absence_of_links
from surveys.report.survey_list.overview import SurveyPage, Unanalysed, has_shown_results
from surveys.report.survey_list.survey_status import SurveyStatus
from surveys.respondent.invitations import count_codes
from surveys.respondent.survey_addresses import shown_path
from surveys.runs.chapter_names import chapter_text
from surveys.runs.look_words import newest_results_text


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
        text=build.live_gaps or _("The draft is complete. Check it again, then publish it."),
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
        else _(
            "Try it. A practice survey makes a report from one answer, within seconds. Figures for its "
            "protected questions need at least 100 answers."
        ),
        label=_("Respondent page"),
        address=shown_path(survey),
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
            "Create a code and try it. A practice survey makes a report from one answer, within seconds. "
            "Figures for its protected questions need at least 100 answers."
        ),
        label=_("Create codes"),
        address=reverse("invite:invitations", args=[survey.slug]),
    )


def _runs_step(survey: Survey, page: SurveyPage, *, may_judge: bool) -> NextStep:
    if not page.runs:
        return NextStep(
            text=_("There are enough answers for results.")
            if not survey.practice
            else _(
                "You have answers. See what the report looks like. Figures for protected questions need at "
                "least 100 answers, and so does any report of a real survey."
            )
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
    with_rules = Exists(RuleRow.objects.filter(run=OuterRef("pk"))) | Exists(
        RunCounts.objects.filter(run=OuterRef("pk"), rules__gt=0)
    )
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
        else _("All %(all)s answers are ready, but no results from all of them are shown yet.")
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
