"""One rule: its page with table, measures and test, its verdicts, and the reviewers' queue of rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from django import forms
from django.contrib import messages
from django.db.models import F, Max, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from privacy.arrays import Flags
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import index_of
from privacy.estimation.estimates import Measured, asked_columns
from privacy.estimation.events import Event, event_share, pattern_terms
from surveys.accounts.log_in import path_here
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
from surveys.report.opened_run import OpenedRun, results_page, with_results
from surveys.report.rules.rule_rows import (
    LONGEST_NOTE,
    further_measures,
    history_of,
    levels_of,
    planned_sides,
    rules_by_key,
    verdict_give,
    verdicts_of,
)
from surveys.report.rules.rules import RuleFilterForm
from surveys.report.sentences.frequencies import others_of, rule_selection_words, rule_text
from surveys.runs.releasable_rows import rows_of_run
from surveys.runs.run_summary import has_results, shown_rules
from surveys.runs.withheld import is_withheld_whole


@dataclass(frozen=True, kw_only=True)
class TwoByTwo:
    """Shares among people who were asked everything in a rule.

    Attributes
    ----------
    cells : dict of str to Measured
        "both", "before" (the left side only), "after" (the right side only), "neither"; and the margins
        "all_before", "not_before", "all_after", "not_after".
    complete : int or None
        Number of rows behind the table, if the rule's own figures also count rows that were asked only part
        of it.
    """

    cells: dict[str, Measured]
    complete: int | None

    @property
    def total(self) -> float:
        """Sum of the four cells: 1, or the share of people who skipped no block of the rule."""
        return sum(self.cells[name].value for name in ("both", "before", "after", "neither"))


def two_by_two(run: Run, row: RuleRow, *, level: float = 0.95) -> TwoByTwo:
    """Reconstruct the table from the rows behind the run's figures, with intervals at a confidence level.

    Raises
    ------
    SurveyError
        ``snapshot``: the database holds other batches than the run read.
    """
    before, after = unpack_items(row.antecedent), unpack_items(row.consequent)
    rows = rows_of_run(run)
    design, count_cache = rows.design, rows.count_cache
    within = asked_columns(tuple(sorted(before + after)), design)
    # A cell that excludes an item is not an itemset, so only complete rows can be assigned to it.
    all_rows = count_cache.all_rows and bool(index_of(design).is_drawn[[*before, *after]].any())
    events = _events(before, after)
    counts = count_cache.need(
        [
            within,
            *(
                terms
                for event in events.values()
                for terms in pattern_terms(event.items, design, within=within)
            ),
        ]
    )
    cells = {
        name: event_share(counts, event, design, within=within, level=level) for name, event in events.items()
    }
    # Use the rule's own support with the interval that other pages show.
    low, high = row.intervals["support"]
    if not all_rows and row.support is not None and low is not None and high is not None:
        cells["both"] = Measured(
            value=row.support, low=low, high=high, standard_error=row.support_se, estimable=True
        )
    return TwoByTwo(cells=cells, complete=sum(counts[within]) if all_rows else None)


def _events(before: Columns, after: Columns) -> dict[str, Event]:
    items = tuple(sorted(before + after))
    has = dict(zip(items, np.indices((2,) * len(items)).astype(bool), strict=True))
    first, other = (np.logical_and.reduce([has[item] for item in side]) for side in (before, after))
    return {
        "both": Event(items=items, holds=first & other),
        "before": Event(items=items, holds=first & ~other),
        "after": Event(items=items, holds=~first & other),
        "neither": Event(items=items, holds=~first & ~other),
        "all_before": Event(items=before, holds=_all_of(before)),
        "not_before": Event(items=before, holds=~_all_of(before)),
        "all_after": Event(items=after, holds=_all_of(after)),
        "not_after": Event(items=after, holds=~_all_of(after)),
    }


def _all_of(items: Columns) -> Flags:
    holds = np.zeros((2,) * len(items), dtype=np.bool_)
    holds[(1,) * len(items)] = True
    return holds


@results_page
def rule(request: HttpRequest, open_run: OpenedRun, rule_id: int) -> HttpResponse:
    """Show one rule; its link back to the list keeps the filter in the address."""
    run, labels = open_run
    row = rule_of(run, rule_id)
    table, problem = None, ""
    try:
        table = two_by_two(run, row, level=levels_of(run, row)[0])
    except PrivacyError as error:
        problem = sentences(error)
    context = _rule_context(run, row, labels) | {
        "query": RuleFilterForm.of_run(request.GET, run, labels).query(),
        "table": table,
        "problem": problem,
        "family": run.summary["inference"]["family"]["lift"],
        "further": [
            (measure, row.inference.interest.get(measure.name)) for measure in further_measures().values()
        ],
        "permalink": request.build_absolute_uri(reverse("report:rule", args=[run.pk, row.pk])),
        "history": history_of(row),
        "may_judge": may_judge(request.user),
    }
    return render(request, "report/run_rule.html", context)


def rule_of(run: Run, rule_id: int) -> RuleRow:
    """Return a rule of a run, with the intervals that pages show; 404 if the run does not have it."""
    rule = get_object_or_404(shown_rules(run), pk=rule_id)
    return rules_by_key(run, [rule.pk])[0]


MOST_WAITING: Final = 2_000
"""Most rules of a run that are searched for rules without a verdict."""


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """The newest finished run of a survey and its rules without a verdict.

    Attributes
    ----------
    run : Run
    rules : tuple of int
        Keys of the rules that wait for a verdict, smallest p-value first; none if the run is unreadable.
    """

    run: Run
    rules: tuple[int, ...]


def waiting_rules(surveys: QuerySet[Survey]) -> list[Waiting]:
    """Return the rules that wait for a verdict, in the newest finished run of each survey.

    A rule waits if its test passed, no shorter rule explains it, and no rule with the same items has a
    verdict. Of several rules with the same items only one waits: the one in the planned direction, or else
    the one with the smallest p-value. In practice surveys, and if an earlier version of the program
    withheld all figures, none do.
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
        Waiting(run=run, rules=() if run.unreadable or is_withheld_whole(run) else tuple(_waiting(run)))
        for run in runs.order_by("survey__slug")
        if run.unreadable or has_results(run) or is_withheld_whole(run)
    ]


def _waiting(run: Run) -> Iterator[int]:
    rules, plan_sides = shown_rules(run), planned_sides(run)
    done_sides = rules.filter(verdicts__isnull=False).values_list("antecedent", "consequent")
    done = {_itemset_of(sides) for sides in done_sides}
    holding = rules.filter(inference__passes=True, inference__redundant_by="", confidence__isnull=False)
    queue = holding.order_by("inference__p_adjusted", F("lift").desc(nulls_last=True), "pk")
    lines = list(queue.values_list("pk", "antecedent", "consequent")[:MOST_WAITING])
    for pk, *sides in sorted(lines, key=lambda line: line[1:] != plan_sides):
        items = _itemset_of(sides)
        if items not in done:
            done.add(items)
            yield pk


def _itemset_of(sides: Sequence[str]) -> frozenset[int]:
    return frozenset(item for side in sides for item in unpack_items(side))


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
    context = _rule_context(run, rule, labels) | {"form": form, "history": history}
    return render(request, "report/review.html", context, status=422 if giving else 200)


def _rule_context(run: Run, rule: RuleRow, labels: Labels) -> dict[str, Any]:
    return {
        "run": run,
        "rule": rule,
        "labels": labels,
        "text": rule_text(rule, labels, others_of(run, rule)),
        "selection": rule_selection_words(run, rule),
        "questions": [labels.items[item] for item in unpack_items(rule.antecedent + rule.consequent[1:])],
    }


def _last_verdicts(request: HttpRequest, queue: Sequence[Waiting]) -> list[tuple[Verdict, str]]:
    """Return the reviewer's newest verdicts in these runs, each with the name of its rule."""
    runs = {waiting.run.pk: waiting.run for waiting in queue}
    verdicts = verdicts_of(get_staff(request.user), runs, most=_LAST_SHOWN)
    names: list[tuple[Verdict, str]] = []
    for verdict in verdicts:
        run = runs[verdict.rule.run_id]
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
    following = path_here(values["next"]) or reverse("report:rule_verdicts", args=(rule.run_id, rule.pk))
    return redirect(following)
