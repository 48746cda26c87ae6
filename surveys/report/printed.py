"""The report to print, and the pages of a run that an address shares."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from privacy.errors import PrivacyError
from surveys.accounts.permissions import get_run_for_report, is_expert, staff_page
from surveys.accounts.tokens import Shown, shared_page
from surveys.authoring.preview import shared_preview
from surveys.formats.files import picture_file
from surveys.models import RuleRow, Run, SharedPage, Verdict
from surveys.questionnaire.labels import about_names, about_texts
from surveys.report.audit import risk_context
from surveys.report.numbers import place_picture
from surveys.report.opened_run import OpenedRun, place_among_runs, with_results
from surveys.report.results import results_context
from surveys.report.rule_rows import history_of, opinions_of, rules_by_key, with_verdict
from surveys.report.rule_words import others_of, rule_text
from surveys.runs.numbers import scale_of

MOST_RULES: Final = 500
"""Rules on paper; the files have them all."""


@staff_page
@require_safe
def printed(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show the results of a run as a report."""
    opened = with_results(get_run_for_report(request.user, run_id))
    context = printed_context(
        opened,
        address=request.build_absolute_uri(request.path),
        for_experts=is_expert(request.user),
    )
    return render(request, "report/printed.html", context)


def printed_context(opened: OpenedRun, *, address: str, for_experts: bool = True) -> dict[str, object]:
    """Return the context of the report; `address` is where it can be looked up.

    For experts it has each block's probabilities and adjusted p-values.
    """
    run, labels = opened
    accepted = with_verdict(run.rules.all(), Verdict.Opinion.ACCEPTED)
    keys = list(accepted.order_by("-lift", "pk").values_list("pk", flat=True))
    opinions = opinions_of(run)
    context = results_context(opened)
    together = [*context["together"], *context["further"]]
    return context | {
        "about": about_lines(run),
        "rules": [
            (rule_text(row, labels, others_of(run, row)), voices_on(row))
            for row in rules_by_key(run, keys[:MOST_RULES])
        ],
        "together": [(text, voices_on(text.rule)) for text in together],
        "is_reviewed": any(opinions.values()),
        "left_out": max(0, len(keys) - MOST_RULES),
        "place": place_among_runs(run),
        "address": address,
        "for_experts": for_experts,
        "now": timezone.now(),
    }


def about_lines(run: Run) -> list[tuple[str, str]]:
    """Return the researcher's statements about the survey, by name."""
    order = ("researcher", "purpose", "ethics", "population", "frame", "contact", "retention")
    texts = about_texts(run.version)
    return [(about_names()[key], texts[key]) for key in order if texts.get(key)]


def voices_on(rule: RuleRow) -> tuple[Verdict, ...]:
    """Return each person's newest verdict on a rule, the newest first."""
    voices: dict[str, Verdict] = {}
    for verdict in history_of(rule):
        voices.setdefault(verdict.by, verdict)
    return tuple(voices.values())


def _opened(shown: Shown) -> OpenedRun:
    """Return the run of which results are shown; 404 where they may not be."""
    if shown.shared.run is None:
        raise Http404
    return with_results(shown.shared.run)


@shared_page(SharedPage.Kind.RESULTS)
def results(request: HttpRequest, shown: Shown) -> HttpResponse:
    """Show the results of a run."""
    return render(request, "report/shared_results.html", results_context(_opened(shown)) | shown.context)


@shared_page(SharedPage.Kind.RESULTS)
def shared_results(request: HttpRequest, shown: Shown) -> HttpResponse:
    """Show the report to print; it names the address for staff, which needs a log-in."""
    opened = _opened(shown)
    address = request.build_absolute_uri(reverse("report:printed", args=[opened.run.pk]))
    return render(request, "report/printed.html", printed_context(opened, address=address) | shown.context)


@shared_page(SharedPage.Kind.RISK)
def risk(request: HttpRequest, shown: Shown) -> HttpResponse:
    """Show the risk of a survey in words, for an ethics board."""
    return render(request, "audit/shared_risk.html", risk_context(shown.shared.survey) | shown.context)


@shared_page(SharedPage.Kind.RESULTS)
def picture(_request: HttpRequest, shown: Shown, question: str) -> HttpResponse:
    """Send the map of a place."""
    run = _opened(shown).run
    try:
        drawing = place_picture(scale_of(run, question, "place"))
    except PrivacyError as error:
        raise Http404 from error
    return picture_file(drawing, f"sottovoce-run-{run.pk}-{question}.svg")


urlpatterns = [
    path("<str:secret>/", results, name="results"),
    path("<str:secret>/report/", shared_results, name="printed"),
    path("<str:secret>/risk/", risk, name="risk"),
    path("<str:secret>/preview/", shared_preview, name="preview"),
    path("<str:secret>/pictures/<str:question>.svg", picture, name="picture"),
]
