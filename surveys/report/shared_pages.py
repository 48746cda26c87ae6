"""Pages shared by an address, without an account: results with their pictures, or the risk in words."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse

from privacy.errors import PrivacyError
from surveys.access.shared_addresses import Shown, shared_page
from surveys.authoring.phone_preview import shared_preview
from surveys.figures.scales.question import scale_of
from surveys.formats.attachments import picture_file
from surveys.models import SharedPage
from surveys.report.audit.risk_page import risk_context
from surveys.report.print_page import printed_context
from surveys.report.results_page import results_context
from surveys.report.run_page import OpenedRun, with_results
from surveys.report.scales.place_page import place_picture


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
def printed(request: HttpRequest, shown: Shown) -> HttpResponse:
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
    path("<str:secret>/report/", printed, name="printed"),
    path("<str:secret>/risk/", risk, name="risk"),
    path("<str:secret>/preview/", shared_preview, name="preview"),
    path("<str:secret>/pictures/<str:question>.svg", picture, name="picture"),
]
