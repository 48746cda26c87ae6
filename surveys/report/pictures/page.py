"""The page of pictures of a run's rules, and the pictures to be saved; all follow the filter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from surveys.access.permissions import staff_page
from surveys.analysis.rule_query import RuleQuery, rule_keys, rules_matching
from surveys.formats.attachments import picture_file
from surveys.formats.figures import number
from surveys.models import RuleRow, Run
from surveys.questionnaire.labels import Labels, unpack_items
from surveys.report.active_filters import emptying_filters
from surveys.report.downloads import finished_run, query_of
from surveys.report.forms import RuleFilterForm
from surveys.report.opened import OpenedRun, results_page
from surveys.report.pictures.grouped_matrix import (
    Items,
    MatrixCell,
    MatrixRule,
    group_label,
    grouped_matrix,
    matrix_svg,
)
from surveys.report.pictures.network import NetworkRule, network_svg
from surveys.report.pictures.rule_pictures import rule_pictures
from surveys.report.rules import lift_is_clear, rules_by_key

MOST_IN_MATRIX: Final = 1_000
MOST_IN_NETWORK: Final = 20


@dataclass(frozen=True, kw_only=True)
class MatrixPicture:
    """The grouped matrix, with its contents as tables: number, name and consequent of each cell."""

    drawing: SafeString
    cells: tuple[tuple[int, str, Items, MatrixCell], ...]
    groups: tuple[tuple[int, str, tuple[Items, ...]], ...]
    rules: int
    left_out: int


@dataclass(frozen=True, kw_only=True)
class NetworkPicture:
    """The network, with its rules as a table."""

    drawing: SafeString
    rows: tuple[RuleRow, ...]


@staff_page
@require_safe
@results_page
def pictures(request: HttpRequest, opened: OpenedRun) -> HttpResponse:
    """Show scatter, grouped matrix and network of the rules that the address asks for."""
    run, labels = opened
    form = RuleFilterForm.of_run(request.GET, run, labels)
    query = form.query()
    matching = rules_matching(run, query).count()
    context = {
        "run": run,
        "form": form,
        "query": query,
        "labels": labels,
        "matching": matching,
        "emptied": () if matching else emptying_filters(run, query),
        "rules": {"matching": matching},
        "pictures": rule_pictures(run, query, labels),
        "matrix": matrix_picture(run, query, labels),
        "network": network_picture(run, query, labels),
    }
    return render(request, "report/run_pictures.html", context)


@staff_page
@require_safe
def matrix_file(request: HttpRequest, run_id: int) -> HttpResponse:
    """Send the grouped matrix of the rules that the address asks for."""
    run, labels = finished_run(request, run_id)
    rules = matrix_rules(run, query_of(request, labels, run))
    if not rules:
        raise Http404
    drawing = matrix_svg(grouped_matrix(rules), labels, title=run.survey.title_text, paper=True)
    return picture_file(drawing, f"sotto-run-{run_id}-matrix.svg")


@staff_page
@require_safe
def network_file(request: HttpRequest, run_id: int) -> HttpResponse:
    """Send the network of the rules that the address asks for."""
    run, labels = finished_run(request, run_id)
    rows = network_rows(run, query_of(request, labels, run))
    if not rows:
        raise Http404
    drawing = network_svg(_network(rows, labels, None), labels, title=run.survey.title_text, paper=True)
    return picture_file(drawing, f"sotto-run-{run_id}-network.svg")


def matrix_picture(run: Run, query: RuleQuery, labels: Labels) -> MatrixPicture | None:
    """Draw the grouped matrix of the first rules of a query; None where none can be drawn."""
    rules = matrix_rules(run, query)
    if not rules:
        return None
    matrix = grouped_matrix(rules)
    names = [group_label(group, labels) for group in matrix.groups]
    return MatrixPicture(
        drawing=matrix_svg(matrix, labels, title=_("Grouped matrix of rules")),
        cells=tuple(
            (row + 1, names[row], matrix.consequents[column], cell)
            for (row, column), cell in sorted(matrix.cells.items())
        ),
        groups=tuple(zip(range(1, len(names) + 1), names, matrix.groups, strict=True)),
        rules=len(rules),
        left_out=matrix.left_out,
    )


def network_picture(run: Run, query: RuleQuery, labels: Labels) -> NetworkPicture | None:
    """Draw the network of the first rules of a query."""
    rows = network_rows(run, query)
    if not rows:
        return None
    rules = _network(rows, labels, query)
    drawing = network_svg(rules, labels, title=_("Network of rules"))
    return NetworkPicture(drawing=drawing, rows=tuple(rows))


def matrix_rules(run: Run, query: RuleQuery) -> list[MatrixRule]:
    """Return the first rules of a query whose lift is estimable."""
    rows = rules_matching(run, query).filter(
        lift__isnull=False, lift_low__isnull=False, lift_high__isnull=False, support__isnull=False
    )
    return [
        MatrixRule(
            antecedent=unpack_items(row.antecedent),
            consequent=unpack_items(row.consequent),
            support=row.support,
            lift=row.lift,
            lift_low=row.lift_low,
            lift_high=row.lift_high,
            clear=lift_is_clear(row),
        )
        for row in rows.only(
            "antecedent", "consequent", "support", "lift", "leverage", "lift_low", "lift_high"
        )[:MOST_IN_MATRIX]
        # The query leaves the others out; the type does not know.
        if row.support is not None
        and row.lift is not None
        and row.lift_low is not None
        and row.lift_high is not None
    ]


def network_rows(run: Run, query: RuleQuery) -> list[RuleRow]:
    """Return the first rules of a query."""
    return rules_by_key(rule_keys(run, query, 0, MOST_IN_NETWORK))


def _network(rows: list[RuleRow], labels: Labels, query: RuleQuery | None) -> list[NetworkRule]:
    rules = []
    for rank, row in enumerate(rows, start=1):
        before, after = unpack_items(row.antecedent), unpack_items(row.consequent)
        low, high = row.lift_low, row.lift_high
        text = _("%(rank)s. %(rule)s: lift %(lift)s") % {
            "rank": rank,
            "rule": f"{labels.short(before)} → {labels.short(after)}",
            "lift": number(row.lift, 2) or "–",
        }
        if low is not None and high is not None:
            text += f" [{number(low, 2)}, {number(high, 2)}]"
        address = "" if query is None else reverse("report:rule", args=[row.run_id, row.pk]) + query.address()
        rules.append(
            NetworkRule(
                rank=rank,
                antecedent=before,
                consequent=after,
                support=row.support or 0.0,
                raises=(row.lift or 0.0) >= 1,
                clear=lift_is_clear(row),
                text=text,
                address=address,
            )
        )
    return rules
