"""What a shared address shows to people without an account: results, the report, or the risk page."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse

from privacy.errors import PrivacyError
from surveys.accounts.shared_pages import SharedContext, shared_page
from surveys.authoring.preview import shared_preview
from surveys.formats.file_responses import picture_file
from surveys.formats.svg import with_note
from surveys.models import SharedPage
from surveys.report.opened_run import OpenedRun, with_results
from surveys.report.results.places import place_picture
from surveys.report.results.printed import report_context
from surveys.report.results.results import results_context
from surveys.report.risk_page.risk_view import risk_context
from surveys.runs.look import file_mark, look_note, look_of
from surveys.runs.numbers import scale_of
from surveys.runs.withheld import is_withheld_whole


def _open_run(page: SharedContext) -> OpenedRun:
    """Return the run whose results are shared; 404 if they may not be shown."""
    if page.link.run is None:
        raise Http404
    return with_results(page.link.run)


def _withheld_whole(request: HttpRequest, page: SharedContext) -> HttpResponse | None:
    """Return the page that asks for a new analysis if an earlier version withheld all figures of a run."""
    run = page.link.run
    if run is None or not is_withheld_whole(run):
        return None
    return render(request, "report/shared_withheld.html", {"run": run} | page.context)


@shared_page(SharedPage.Kind.RESULTS)
def results(request: HttpRequest, page: SharedContext) -> HttpResponse:
    """Show the results of a run."""
    if (withheld := _withheld_whole(request, page)) is not None:
        return withheld
    return render(request, "report/shared_results.html", results_context(_open_run(page)) | page.context)


@shared_page(SharedPage.Kind.RESULTS)
def shared_results(request: HttpRequest, page: SharedContext) -> HttpResponse:
    """Show the printable report; it contains the address for staff, which requires a log-in."""
    if (withheld := _withheld_whole(request, page)) is not None:
        return withheld
    open_run = _open_run(page)
    address = request.build_absolute_uri(reverse("report:printed", args=[open_run.run.pk]))
    return render(request, "report/printed.html", report_context(open_run, address=address) | page.context)


@shared_page(SharedPage.Kind.RISK)
def risk(request: HttpRequest, page: SharedContext) -> HttpResponse:
    """Show the risk of a survey in words, for an ethics board."""
    return render(request, "audit/shared_risk.html", risk_context(page.link.survey) | page.context)


@shared_page(SharedPage.Kind.RESULTS)
def picture(_request: HttpRequest, page: SharedContext, question: str) -> HttpResponse:
    """Send the map of a place."""
    run = _open_run(page).run
    try:
        drawing = place_picture(scale_of(run, question, "place"))
    except PrivacyError as error:
        raise Http404 from error
    note = look_note(look_of(run))
    return picture_file(
        with_note(drawing, note) if note else drawing,
        f"sottovoce-run-{run.pk}{file_mark(run)}-{question}.svg",
    )


urlpatterns = [
    path("<str:secret>/", results, name="results"),
    path("<str:secret>/report/", shared_results, name="printed"),
    path("<str:secret>/risk/", risk, name="risk"),
    path("<str:secret>/preview/", shared_preview, name="preview"),
    path("<str:secret>/pictures/<str:question>.svg", picture, name="picture"),
]
