"""What a shared address shows to people without an account: results, the report, or the risk page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse

from surveys.accounts.shared_pages import SharedContext, shared_page
from surveys.authoring.preview import shared_preview
from surveys.models import SharedPage
from surveys.report.results.printed import report_context
from surveys.report.results.results import results_context
from surveys.report.risk_page.risk_view import risk_context
from surveys.report.shared.map_picture import map_picture
from surveys.report.shared.shared_run import open_run
from surveys.runs.withheld import is_withheld_whole


def _withheld_whole(request: HttpRequest, page: SharedContext) -> HttpResponse | None:
    """Return the page that asks for a new analysis if an earlier version withheld all figures of a run."""
    run = page.link.run
    if run is None or not is_withheld_whole(run):
        return None
    return render(request, "report/shared/shared_withheld.html", {"run": run} | page.context)


@shared_page(SharedPage.Kind.RESULTS)
def results(request: HttpRequest, page: SharedContext) -> HttpResponse:
    """Show the results of a run."""
    if (withheld := _withheld_whole(request, page)) is not None:
        return withheld
    return render(
        request, "report/shared/shared_results.html", results_context(open_run(page)) | page.context
    )


@shared_page(SharedPage.Kind.RESULTS)
def shared_results(request: HttpRequest, page: SharedContext) -> HttpResponse:
    """Show the printable report; it contains the address for staff, which requires a log-in."""
    if (withheld := _withheld_whole(request, page)) is not None:
        return withheld
    shared_run = open_run(page)
    address = request.build_absolute_uri(reverse("report:printed", args=[shared_run.run.pk]))
    return render(
        request, "report/results/printed.html", report_context(shared_run, address=address) | page.context
    )


@shared_page(SharedPage.Kind.RISK)
def risk(request: HttpRequest, page: SharedContext) -> HttpResponse:
    """Show the risk of a survey in words, for an ethics board."""
    return render(request, "audit/shared_risk.html", risk_context(page.link.survey) | page.context)


urlpatterns = [
    path("<str:secret>/", results, name="results"),
    path("<str:secret>/report/", shared_results, name="printed"),
    path("<str:secret>/risk/", risk, name="risk"),
    path("<str:secret>/preview/", shared_preview, name="preview"),
    path("<str:secret>/pictures/<str:question>.svg", map_picture, name="picture"),
]
