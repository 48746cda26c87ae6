"""Give verdicts: the queue of rules for reviewers, and the verdicts on one rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from surveys.accounts.permissions import (
    get_run_for_report,
    get_run_for_reviewer,
    get_staff,
    get_surveys_for_reviewer,
    may_judge,
    staff_page,
)
from surveys.accounts.return_path import path_here
from surveys.errors.error import SurveyError, sentences
from surveys.models import RuleRow, Verdict
from surveys.questionnaire.labels import labels_of
from surveys.questionnaire.packed_items import unpack_items
from surveys.report.opened_run import with_results
from surveys.report.rules.rows_or_counts import listing_of
from surveys.report.rules.rule import rule_context, rule_of
from surveys.report.rules.rule_rows import rules_by_key
from surveys.report.rules.verdicts import LONGEST_NOTE, history_of, verdict_give, verdicts_of
from surveys.report.rules.waiting_rules import Waiting, waiting_rules
from surveys.runs.withheld import is_withheld_whole

_LAST_SHOWN: Final = 5
"""Number of the reviewer's own verdicts that the queue offers to change."""


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
    # The newest verdict on the page, so that the reviewer is told about later ones.
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)
    # The page to show after the verdict.
    next = forms.CharField(required=False, widget=forms.HiddenInput)


@staff_page
@require_safe
def review(request: HttpRequest) -> HttpResponse:
    """Show the next rule that waits for a verdict, in all surveys or in the one in the address."""
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
        context["unreadable"] = [one.run for one in queue if one.run.unreadable]
        readable = [one.run for one in queue if not one.run.unreadable]
        context["earlier"] = [run for run in readable if is_withheld_whole(run)]
        return render(request, "report/rules/review_done.html", context)
    run = first.run
    (rule,) = rules_by_key(run, first.rules[:1])
    labels = labels_of(run.version, run.design)
    onward = reverse("report:review") + (f"?survey={slug}" if slug else "")
    form = VerdictForm(initial={"seen": 0, "next": onward})
    return render(
        request, "report/rules/review.html", context | rule_context(run, rule, labels) | {"form": form}
    )


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def rule_verdicts(request: HttpRequest, run_id: int, rule_id: int) -> HttpResponse:
    """Show one rule with its verdicts, or save a new verdict."""
    giving = request.method == "POST"
    get_run = get_run_for_reviewer if giving else get_run_for_report
    run, labels = with_results(get_run(request.user, run_id))
    rule = rule_of(run, rule_id)
    history = history_of(rule)
    form: VerdictForm | None = None
    if giving:
        form = VerdictForm(request.POST)
        answer = _save_verdict(request, rule, form) if form.is_valid() else None
        if answer is not None:
            return answer
    elif may_judge(request.user):
        form = VerdictForm(initial={"seen": history[0].id if history else 0})
    context = rule_context(run, rule, labels) | {"form": form, "history": history}
    return render(request, "report/rules/review.html", context, status=422 if giving else 200)


def _last_verdicts(request: HttpRequest, queue: Sequence[Waiting]) -> list[tuple[Verdict, str]]:
    """Return the reviewer's newest verdicts in these runs, each with the name of its rule."""
    runs = {waiting.run.pk: waiting.run for waiting in queue}
    verdicts = verdicts_of(get_staff(request.user), runs, most=_LAST_SHOWN)
    names: list[tuple[Verdict, str]] = []
    for verdict in verdicts:
        run = runs[verdict.rule.run_id]
        verdict.rule.number = listing_of(run).key_of(verdict.rule)
        labels = labels_of(run.version, run.design)
        sides = (unpack_items(verdict.rule.antecedent), unpack_items(verdict.rule.consequent))
        names.append((verdict, " → ".join(labels.short(side) for side in sides)))
    return names


def _save_verdict(request: HttpRequest, rule: RuleRow, form: VerdictForm) -> HttpResponse | None:
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
        request, _("Saved: %(opinion)s.") % {"opinion": dict(Verdict.Opinion.choices)[values["opinion"]]}
    )
    for line in meanwhile:
        messages.warning(
            request,
            _("%(who)s gave a verdict at the same time: %(opinion)s. Both are kept, and yours counts.")
            % {"who": line.by, "opinion": line.get_opinion_display()},
        )
    following = path_here(values["next"]) or reverse("report:rule_verdicts", args=(rule.run_id, rule.key))
    return redirect(following)
