"""The reviewer's queue: one rule after another that holds and waits for a verdict, and a way back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.db.models import F, Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
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
from surveys.errors.error import SurveyError, sentences
from surveys.models import Job, RuleRow, Run, Survey, Verdict
from surveys.questionnaire.labels import Labels, labels_of, unpack_items
from surveys.report.opened_run import misfit_page, with_results
from surveys.report.rule import rule_of
from surveys.report.rule_rows import (
    LONGEST_NOTE,
    history_of,
    planned_sides,
    rules_by_key,
    verdict_give,
    verdicts_of,
)
from surveys.report.rule_words import others_of, rule_text, selection_words
from surveys.runs.run_summary import has_results, misfit_of

MOST_WAITING: Final = 2_000
"""Rules of a run that are searched for those that wait."""


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """The newest result of a survey.

    Attributes
    ----------
    run : Run
    rules : tuple of int
        Keys of the rules that wait for a verdict, the clearest first.
    """

    run: Run
    rules: tuple[int, ...]


def waiting_rules(surveys: QuerySet[Survey]) -> list[Waiting]:
    """Return which rules of some surveys wait for a verdict, in the newest result of each.

    A rule waits if it holds, no shorter rule explains it, and no rule of the same items has a verdict. Of
    several rules of the same items one waits: that of the planned direction, else the clearest. Practice
    surveys have none, nor has a result whose reports contradict the design.
    """
    newest = (
        Run.objects.filter(survey__in=surveys, survey__practice=False, job__state=Job.State.FINISHED)
        .order_by()
        .values("survey")
        .annotate(newest=Max("pk"))
        .values("newest")
    )
    runs = Run.objects.select_related("survey", "version", "job").filter(pk__in=newest)
    return [
        Waiting(run=run, rules=() if misfit_of(run) else tuple(_waiting(run)))
        for run in runs.order_by("survey__slug")
        if has_results(run)
    ]


def _waiting(run: Run) -> Iterator[int]:
    rules, planned = RuleRow.objects.filter(run=run), planned_sides(run)
    judged = rules.filter(verdicts__isnull=False).values_list("antecedent", "consequent")
    done = {_itemset_of(sides) for sides in judged}
    holding = rules.filter(inference__passes=True, inference__redundant_by="", confidence__isnull=False)
    ordered = holding.order_by("inference__p_adjusted", F("lift").desc(nulls_last=True), "pk")
    lines = list(ordered.values_list("pk", "antecedent", "consequent")[:MOST_WAITING])
    for pk, *sides in sorted(lines, key=lambda line: line[1:] != planned):
        items = _itemset_of(sides)
        if items not in done:
            done.add(items)
            yield pk


def _itemset_of(sides: Sequence[str]) -> frozenset[int]:
    return frozenset(item for side in sides for item in unpack_items(side))


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
    # The newest verdict that was on the page, so that no one overlooks a later one.
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
        "text": rule_text(rule, labels, others_of(run, rule)),
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
