"""The pages of a run: tables of its rules and itemsets with filters, its tests, its basis, its progress."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from mining.thresholds import Thresholds
from surveys.accounts.permissions import get_run_for_report, get_staff, staff_page
from surveys.formats.columns import Column, Text, column
from surveys.formats.figures import number
from surveys.formats.pagination import Pages, query_fields
from surveys.formats.pagination import pages as pages_of
from surveys.models import ItemsetRow, RuleInference, Run, Verdict
from surveys.questionnaire.labels import (
    LONGEST_TEXT,
    Labels,
    about_texts,
    find_items,
    labels_of,
    pack_items,
    unpack_items,
)
from surveys.report.opened_run import OpenedRun, place_among_runs, request_event, results_page
from surveys.report.rules.rule_rows import (
    ENDS,
    LIMITS,
    NONE,
    RULES_PER_PAGE,
    SHOWN,
    SIDES,
    SIZES,
    SORTS,
    Interval,
    RuleQuery,
    further_measures,
    itemset_intervals,
    planned_sides,
    rule_page,
    rules_by_key,
)
from surveys.report.sentences.absence import absence_of_links
from surveys.report.sentences.frequencies import itemset_selection_words, rule_selection_words
from surveys.runs.predictions import three_way_of
from surveys.runs.progress import progress_of
from surveys.runs.request import run_cancel
from surveys.runs.run_summary import has_results, shown_itemsets

ITEMSETS_PER_PAGE: Final = 50
_SORTED: Final = ("support", "size", "error", "n")
ITEMSET_SORTS: Final = tuple((sign + name, sign + name) for name in _SORTED for sign in ("", "-"))


@dataclass(frozen=True, kw_only=True)
class ItemsetQuery:
    """A selection of itemsets and their order; see `surveys.report.rules.rule_rows.RuleQuery`."""

    text: str = ""
    item: int | None = None
    size: int | None = None
    least: float | None = None
    sort: str = "-support"
    page: int = 1

    def address(self, **changes: object) -> str:
        """Return the query string of this query with some of it changed; defaults are left out."""
        changed = replace(self, **changes)  # type: ignore[arg-type]  # names of fields
        return "?" + urlencode(query_fields(changed))


@dataclass(frozen=True, kw_only=True)
class ItemsetPage:
    """One page of the table: itemsets, each with the interval that pages show."""

    lines: tuple[tuple[ItemsetRow, Interval], ...]
    columns: tuple[Column, ...]
    matching: int
    all: int
    pages: Pages
    shows_groups: bool


def itemsets_matching(run: Run, query: ItemsetQuery) -> QuerySet[ItemsetRow]:
    """Return the itemsets of a run that match a query, in its order."""
    rows = shown_itemsets(run)
    for word in query.text.split():
        rows = rows.filter(_matches_word(run, word))
    if query.item is not None:
        rows = rows.filter(items__contains=f",{query.item},")
    if query.size is not None:
        rows = rows.filter(size=query.size)
    if query.least is not None:
        rows = rows.filter(support__gte=query.least)
    sorted_by = F(query.sort.removeprefix("-"))
    return rows.order_by(sorted_by.desc() if query.sort.startswith("-") else sorted_by.asc(), "pk")


def all_itemsets(run: Run) -> Iterator[ItemsetRow]:
    """Yield every itemset of a run with its inference, the most frequent first."""
    rows = itemsets_matching(run, ItemsetQuery()).select_related("inference")
    return rows.iterator(chunk_size=2_000)


def _matches_word(run: Run, word: str) -> Q:
    condition = Q(pk__in=())
    for item in find_items(labels_of(run.version, run.version.to_design()), word):
        condition |= Q(items__contains=f",{item},")
    return condition


def itemset_page(run: Run, query: ItemsetQuery) -> ItemsetPage:
    """Return one page of the itemsets that match a query; the last page if the number is too large."""
    matching = itemsets_matching(run, query)
    count = matching.count()
    pages = pages_of(query, count=count, size=ITEMSETS_PER_PAGE)
    first = (pages.page - 1) * ITEMSETS_PER_PAGE
    return ItemsetPage(
        lines=tuple(_with_intervals(run, matching[first : first + ITEMSETS_PER_PAGE])),
        columns=_columns(query),
        matching=count,
        all=shown_itemsets(run).count(),
        pages=pages,
        shows_groups=shown_itemsets(run).filter(pooled__isnull=False).exists(),
    )


def _with_intervals(run: Run, rows: QuerySet[ItemsetRow]) -> Iterator[tuple[ItemsetRow, Interval]]:
    """Yield itemsets with the wider interval for picked ones, or a 95% interval for planned ones.

    Single items and the planned pair count as planned.
    """
    lines = list(rows.select_related("inference"))
    plan = pack_items(sorted(item for side in planned_sides(run) for item in unpack_items(side)))
    limits = itemset_intervals(run, [row.items for row in lines if row.size > 1 and row.items != plan])
    for row in lines:
        yield row, limits.get(row.items, (row.support_low, row.support_high))


def _columns(query: ItemsetQuery) -> tuple[Column, ...]:
    heads = (
        ("size", _("items"), ""),
        ("support", _("support"), _("share of the people asked who have every item")),
        ("error", _("error W"), _("distance of the support from the true value, or the expected distance")),
        ("n", "n", _("answers from people who were asked every item")),
    )
    return tuple(column(query, name, label, hint=hint) for name, label, hint in heads)


@results_page
def itemsets(request: HttpRequest, open_run: OpenedRun) -> HttpResponse:
    """Show the itemsets of a finished run, with both estimates if there are two groups."""
    opened_run, labels = open_run
    form = ItemsetFilterForm(request.GET, items=labels.choices(), longest=opened_run.thresholds.max_size)
    query = form.query()
    context = {
        "run": opened_run,
        "form": form,
        "query": query,
        "labels": labels,
        "itemsets": itemset_page(opened_run, query),
        "selection": itemset_selection_words(opened_run),
    }
    return render(request, "report/run_itemsets.html", context)


_LONGEST_NAME: Final = 80


class _FilterForm(forms.Form):
    """Filters of a table, stored in the page's address."""

    text = forms.CharField(
        label=gettext_lazy("Words in the questions"), required=False, max_length=LONGEST_TEXT
    )
    item = forms.TypedChoiceField(label=gettext_lazy("Item"), coerce=int, empty_value=None, required=False)
    page = forms.IntegerField(min_value=1, required=False, widget=forms.HiddenInput)

    def allow(self, **choices: Iterable[tuple[object, object]]) -> None:
        """Set the choices of fields, with "any" first."""
        for name, own in choices.items():
            self.fields[name].choices = [("", _("any")), *own]  # type: ignore[attr-defined]

    def values(self) -> dict[str, Any]:
        """Return the valid values that are not empty; a query has defaults for the other fields."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}

    def complaints(self) -> list[str]:
        """Name each invalid field with the reason, and each unknown parameter."""
        bad_fields = [name for name in self.errors if name in self.fields]
        unknown = [name for name in self.data if name not in self.fields]
        return [
            *(f"{self[name].label}: {error}" for name in bad_fields for error in self.errors[name]),
            *(_("Unknown setting: “%(name)s”.") % {"name": name[:_LONGEST_NAME]} for name in unknown),
        ]


class ItemsetFilterForm(_FilterForm):
    """Filters of the table of itemsets."""

    size = forms.TypedChoiceField(label=gettext_lazy("Items"), coerce=int, empty_value=None, required=False)
    least = forms.FloatField(label=gettext_lazy("Support at least"), required=False)
    sort = forms.ChoiceField(choices=ITEMSET_SORTS, required=False, widget=forms.HiddenInput)

    def __init__(self, values: Mapping[str, Any], *, items: list[tuple[int, str]], longest: int) -> None:
        super().__init__(values)
        self.allow(item=items, size=((size, str(size)) for size in range(1, longest + 1)))

    def query(self) -> ItemsetQuery:
        """Return the query; invalid fields get their defaults."""
        return ItemsetQuery(**self.values())


_END_LABELS: Final = {"from": gettext_lazy("%(measure)s from"), "to": gettext_lazy("%(measure)s to")}


def _yes_or_no(label: Text, yes: Text, no: Text) -> forms.ChoiceField:
    choices = (("", gettext_lazy("any")), ("yes", yes), ("no", no))
    return forms.ChoiceField(label=label, choices=choices, required=False)  # type: ignore[arg-type]  # lazy


class RuleFilterForm(_FilterForm):
    """Filters and order of the table of rules."""

    side = forms.ChoiceField(label=gettext_lazy("on"), choices=SIDES, required=False)
    length = forms.TypedChoiceField(label=gettext_lazy("Items"), coerce=int, empty_value=None, required=False)
    holds = _yes_or_no(gettext_lazy("Test"), gettext_lazy("holds"), gettext_lazy("not shown"))
    redundant = _yes_or_no(
        gettext_lazy("Explained by a shorter rule"), gettext_lazy("redundant"), gettext_lazy("not redundant")
    )
    maximal = _yes_or_no(
        gettext_lazy("Its itemset"), gettext_lazy("maximal"), gettext_lazy("in a longer one")
    )
    verdict = forms.ChoiceField(
        label=gettext_lazy("Verdict"),
        choices=(("", gettext_lazy("any")), (NONE, gettext_lazy("none")), *Verdict.Opinion.choices),
        required=False,
    )
    measures = forms.ChoiceField(label=gettext_lazy("Measures in the table"), required=False)
    predicted = forms.ChoiceField(
        label=gettext_lazy("Also show"),
        choices=(("", gettext_lazy("nothing else")), ("yes", gettext_lazy("predicted from pairs"))),
        required=False,
    )
    size = forms.TypedChoiceField(
        label=gettext_lazy("Rules on a page"),
        choices=((number, str(number)) for number in SIZES),
        coerce=int,
        empty_value=None,
        required=False,
    )
    sort = forms.ChoiceField(
        choices=((name, name) for name in SORTS), required=False, widget=forms.HiddenInput
    )

    @classmethod
    def of_run(cls, data: QueryDict, run: Run, labels: Labels) -> RuleFilterForm:
        """Return the form for a run's page, filled in from the address."""
        return cls(data, items=labels.choices(), longest=run.thresholds.max_size)

    def __init__(self, values: Mapping[str, Any], *, items: list[tuple[int, str]], longest: int) -> None:
        # A bound form ignores `initial`, so put the default page size into its data.
        data = {"size": RULES_PER_PAGE, **{name: values[name] for name in values}}
        super().__init__(data)
        self.allow(item=items, length=((size, str(size)) for size in range(2, longest + 1)))
        self.fields["measures"].choices = [  # type: ignore[attr-defined]
            ("", gettext_lazy("support, confidence, lift")),
            ("all", gettext_lazy("all five, with ± and true values")),
            *((name, measure.label) for name, measure in further_measures().items()),
        ]
        self.fields["sort"].error_messages["invalid_choice"] = _("Use one of these: %s.") % ", ".join(SORTS)
        for name, (of, end) in LIMITS.items():
            self.fields[name] = forms.FloatField(
                label=_END_LABELS[end] % {"measure": SHOWN[of].label},
                required=False,
                widget=forms.TextInput(attrs={"inputmode": "decimal", "size": "6"}),
            )

    def query(self) -> RuleQuery:
        """Return the query; invalid fields get their defaults, and `complaints` lists them."""
        others = self.values()
        limits = tuple((name, others.pop(name)) for name in LIMITS if name in others)
        return RuleQuery(limits=limits, **others)

    def limits(self) -> list[tuple[Text, list[forms.BoundField | None]]]:
        """Return the measures with the fields of their limits, for a table in the form."""
        rows: dict[str, list[forms.BoundField | None]] = {}
        for name, (of, end) in LIMITS.items():
            rows.setdefault(of, [None] * len(ENDS))[ENDS.index(end)] = self[name]
        return [(SHOWN[of].label, cells) for of, cells in rows.items()]


TESTS_PER_PAGE: Final = 100


@results_page
def rule_tests(request: HttpRequest, open_run: OpenedRun) -> HttpResponse:
    """Show the tests of a run's rules, smallest adjusted p-value first."""
    run, labels = open_run
    summary, tests = run.summary["inference"], RuleInference.objects.filter(rule__run=run)
    keys = tests.order_by("p_adjusted", "p_value", "pk").values_list("rule_id", flat=True)
    lines, all_tests = rules_by_key(run, list(keys[:TESTS_PER_PAGE])), tests.count()
    context = {
        "run": run,
        "inference": summary,
        "rule_level": number(100 * summary["rule_level"], 2),
        "planned": planned_sides(run),
        "lines": lines,
        "labels": labels,
        "shows_n": len({row.n for row in lines}) > 1,
        "advice": () if all_tests else advice_without_rules(run, run.thresholds),
        "more": max(0, all_tests - TESTS_PER_PAGE),
        "absence": absence_of_links(run),
        "place": place_among_runs(run),
    }
    return render(request, "report/run_tests.html", context)


def advice_without_rules(run: Run, thresholds: Thresholds) -> tuple[str, ...]:
    """Return what to change so that a run on the same rows lists rules, the surest change first.

    If the questionnaire, sides and longest itemset permit no rule at all (M = 0), no threshold would help, so
    the advice differs.
    """
    sides = thresholds.sides
    advice: list[str] = []
    if thresholds.max_size < 2:
        advice.append(_("Allow itemsets of at least 2 items. A rule needs at least one item on each side."))
    if sides.antecedent is not None or sides.consequent is not None:
        advice.append(_("Allow more questions before or after the arrow."))
    if run.summary["inference"]["family"]["lift"] == 0:
        return tuple(advice) or (_("Publish a questionnaire with at least two questions that can be asked."),)
    itemsets = run.summary.get("itemsets", 0)
    if itemsets and (thresholds.confidence > 0 or thresholds.lift is not None):
        threshold_names = (
            [_("confidence from %s") % f"{thresholds.confidence:g}"] if thresholds.confidence > 0 else []
        )
        threshold_names += [_("lift from %s") % f"{thresholds.lift:g}"] if thresholds.lift is not None else []
        advice.append(_("Lower or remove the threshold: %s.") % ", ".join(threshold_names))
    if thresholds.support > 0.001:
        advice.append(_("Lower the support, now from %s.") % f"{thresholds.support:g}")
    return tuple(advice) or (
        _("Wait for more answers. With these, no rule can be distinguished from random noise."),
    )


@staff_page
@require_safe
def run(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show a run: its progress, why it has no result, or its rules."""
    selected = get_run_for_report(request.user, run_id)
    context: dict[str, object] = {"run": selected}
    if not selected.job.is_over:
        context["progress"] = progress_of(selected, now=timezone.now())
        return render(request, "report/run_waiting.html", context)
    if not has_results(selected):
        return render(request, "report/run_without_result.html", context)
    labels = labels_of(selected.version, selected.design)
    form = RuleFilterForm.of_run(request.GET, selected, labels)
    query = form.query()
    rules = rule_page(selected, query)
    context |= {
        "form": form,
        "query": query,
        "rules": rules,
        "labels": labels,
        "three_way": three_way_of(selected) if query.predicted else None,
        "selection": rule_selection_words(selected),
        "advice": () if rules.all else advice_without_rules(selected, selected.thresholds),
    }
    return render(request, "report/run_rules.html", context)


@staff_page
@require_safe
def about(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show the basis of a run's figures: parameters, snapshot, design, method."""
    selected = get_run_for_report(request.user, run_id)
    context = {
        "run": selected,
        "labels": labels_of(selected.version, selected.design),
        "has_results": has_results(selected),
        "event": request_event(selected),
        "place": place_among_runs(selected),
        "about": about_texts(selected.version),
    }
    return render(request, "report/run_about.html", context)


@staff_page
@require_safe
def progress(request: HttpRequest, run_id: int) -> JsonResponse:
    """Return the progress of a run as JSON, for the waiting page."""
    selected = get_run_for_report(request.user, run_id)
    if selected.job.is_over:
        return JsonResponse({"over": True})
    return JsonResponse({"over": False} | asdict(progress_of(selected, now=timezone.now())))


@staff_page
@require_POST
def cancel(request: HttpRequest, run_id: int) -> HttpResponse:
    """Cancel a run that is not over."""
    selected = get_run_for_report(request.user, run_id)
    if not run_cancel(run=selected, by=get_staff(request.user), now=timezone.now()):
        messages.info(request, _("The run finished before it could be cancelled."))
    return redirect("report:run", selected.pk)
