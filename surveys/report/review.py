"""The reviewer's queue: one rule after another that holds and waits for a verdict, and a way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from surveys.access.permissions import (
    get_run_for_report,
    get_run_for_reviewer,
    get_staff,
    get_surveys_for_reviewer,
    may_judge,
    staff_page,
)
from surveys.errors.core_refusals import sentences
from surveys.errors.error import SurveyError
from surveys.figures.review_queue import Waiting, waiting_rules
from surveys.figures.rules import rules_by_key
from surveys.figures.run_summary import misfit_of
from surveys.figures.verdicts import LONGEST_NOTE, history_of, verdict_give, verdicts_of
from surveys.models import RuleRow, Run, Verdict
from surveys.questionnaire.labels import Labels, labels_of, unpack_items
from surveys.report.rule_page import rule_of
from surveys.report.rule_words import rule_text, selection_words
from surveys.report.run_page import misfit_page, with_results

_LAST_SHOWN: Final = 5
"""Verdicts of one's own that the queue offers to change."""


class VerdictForm(forms.Form):
    """One person's verdict on a rule; each opinion is a button."""

    opinion = forms.ChoiceField(
        choices=Verdict.Opinion.choices, error_messages={"required": gettext_lazy("Choose a verdict.")}
    )
    note = forms.CharField(
        label=gettext_lazy("Reason"),
        required=False,
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Printed with your name. You need one to reject a rule."),
    )
    # The newest verdict that was on the page, so that nobody overlooks a later one.
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)
    # The page to show after the verdict.
    next = forms.CharField(required=False, widget=forms.HiddenInput)


@staff_page
@require_safe
def review(request: HttpRequest) -> HttpResponse:
    """Show the next rule that waits for a verdict, of all surveys or of the one in the address."""
    surveys = get_surveys_for_reviewer(request.user)
    slug = request.GET.get("survey", "")
    if slug:
        surveys = surveys.filter(slug=slug)
    queue = waiting_rules(surveys)
    first = next((waiting for waiting in queue if waiting.rules), None)
    context: dict[str, Any] = {
        "waiting": sum(len(waiting.rules) for waiting in queue),
        "last": _last_verdicts(request, queue),
        "slug": slug,
    }
    if first is None:
        misfits = [(waiting.run, misfit_of(waiting.run)) for waiting in queue]
        context["misfits"] = [(run, misfit) for run, misfit in misfits if misfit is not None]
        return render(request, "report/review_done.html", context)
    run = first.run
    (rule,) = rules_by_key(run, first.rules[:1])
    labels = labels_of(run.version, run.design)
    onward = reverse("report:review") + (f"?survey={slug}" if slug else "")
    form = VerdictForm(initial={"seen": 0, "next": onward})
    return render(request, "report/review.html", context | _rule_context(run, rule, labels) | {"form": form})


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def rule_verdicts(request: HttpRequest, run_id: int, rule_id: int) -> HttpResponse:
    """Show one rule with its verdicts; save one more."""
    giving = request.method == "POST"
    opened = get_run_for_reviewer if giving else get_run_for_report
    run, labels = with_results(opened(request.user, run_id))
    misfit = misfit_page(request, run, "rules")
    if misfit is not None:
        return misfit
    rule = rule_of(run, rule_id)
    history = history_of(rule)
    form: VerdictForm | None = None
    if giving:
        form = VerdictForm(request.POST)
        answer = _give(request, rule, form) if form.is_valid() else None
        if answer is not None:
            return answer
    elif may_judge(request.user):
        form = VerdictForm(initial={"seen": history[0].id if history else 0})
    context = _rule_context(run, rule, labels) | {"form": form, "history": history}
    return render(request, "report/review.html", context, status=422 if giving else 200)


def _rule_context(run: Run, rule: RuleRow, labels: Labels) -> dict[str, Any]:
    return {
        "run": run,
        "rule": rule,
        "labels": labels,
        "text": rule_text(run, rule, labels),
        "selection": selection_words(run),
        "questions": [labels.items[item] for item in unpack_items(rule.antecedent + rule.consequent[1:])],
    }


def _last_verdicts(request: HttpRequest, queue: Sequence[Waiting]) -> list[tuple[Verdict, str]]:
    """Return the newest verdicts that a reviewer gave in these runs, each with its rule's name."""
    runs = {waiting.run.pk: waiting.run for waiting in queue}
    given = verdicts_of(get_staff(request.user), runs, most=_LAST_SHOWN)
    names: list[tuple[Verdict, str]] = []
    for verdict in given:
        run = runs[verdict.rule.run_id]
        labels = labels_of(run.version, run.design)
        sides = (unpack_items(verdict.rule.antecedent), unpack_items(verdict.rule.consequent))
        names.append((verdict, " → ".join(labels.short(side) for side in sides)))
    return names


def _give(request: HttpRequest, rule: RuleRow, form: VerdictForm) -> HttpResponse | None:
    values = form.cleaned_data
    try:
        meanwhile = verdict_give(
            rule=rule,
            opinion=values["opinion"],
            note=values["note"],
            by=get_staff(request.user),
            now=timezone.now(),
            seen=values["seen"],
        )
    except SurveyError as error:
        form.add_error("note" if error.code != "opinion" else "opinion", sentences(error))
        return None
    messages.success(
        request,
        _("Saved: %(opinion)s.") % {"opinion": dict(Verdict.Opinion.choices)[values["opinion"]]},
    )
    for line in meanwhile:
        messages.warning(
            request,
            _("%(who)s gave a verdict at the same time: %(opinion)s. Both are kept, and yours counts.")
            % {"who": line.by, "opinion": line.get_opinion_display()},
        )
    if url_has_allowed_host_and_scheme(values["next"], allowed_hosts=None):
        return redirect(values["next"])
    return redirect("report:rule_verdicts", rule.run_id, rule.pk)
