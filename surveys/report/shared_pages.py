"""What whoever has an address reads without an account: results with their pictures, or the risk in words.

No session is looked at and no cookie is set. An address that is unknown, that has ended, whose time is over,
or that shows another page has one and the same answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, NamedTuple, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from privacy.errors import PrivacyError
from surveys.analysis.scales.question import asked_of
from surveys.models import SharedPage
from surveys.report.audit.risk_page import risk_context
from surveys.report.downloads import picture_file
from surveys.report.opened import OpenedRun, with_results
from surveys.report.printed import printed_context
from surveys.report.results import results_context
from surveys.report.scales.number_page import number_picture
from surveys.report.scales.place_page import place_picture
from surveys.report.sharing import shared_by

P = ParamSpec("P")


class Shown(NamedTuple):
    """What an address shows, and what templates of shared pages need."""

    shared: SharedPage
    context: dict[str, object]

    def opened(self) -> OpenedRun:
        """Return the run of which results are shown; 404 where they are not."""
        if self.shared.run is None:
            raise Http404
        return with_results(self.shared.run)


Page = Callable[Concatenate[HttpRequest, Shown, P], HttpResponse]


def shared_page(view: Page[P]) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """Give a view what its address shows; whatever comes of it is kept and listed by nobody."""

    @require_safe
    @wraps(view)
    def led(request: HttpRequest, secret: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        shared = shared_by(secret, now=timezone.now())
        try:
            if shared is None:
                raise Http404
            shown = Shown(shared, {"shared": secret, "until": shared.until})
            response = view(request, shown, *args, **kwargs)
        except Http404:
            response = render(request, "report/shared_nothing.html", status=404)
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        response.headers["Referrer-Policy"] = "no-referrer"
        return response

    return led


@shared_page
def results(request: HttpRequest, shown: Shown) -> HttpResponse:
    """Show what a run found."""
    return render(request, "report/shared_results.html", results_context(shown.opened()) | shown.context)


@shared_page
def printed(request: HttpRequest, shown: Shown) -> HttpResponse:
    """Show the report to print; on paper stands the address for staff, which shows nobody else anything."""
    opened = shown.opened()
    address = request.build_absolute_uri(reverse("report:printed", args=[opened.run.pk]))
    return render(request, "report/printed.html", printed_context(opened, address=address) | shown.context)


@shared_page
def risk(request: HttpRequest, shown: Shown) -> HttpResponse:
    """Show what a survey could tell about people, for an ethics board."""
    if shown.shared.run_id is not None:
        raise Http404
    return render(request, "audit/shared_risk.html", risk_context(shown.shared.survey) | shown.context)


@shared_page
def picture(_request: HttpRequest, shown: Shown, question: str) -> HttpResponse:
    """Send the picture of a number or a place."""
    opened = shown.opened()
    kinds = {one.key: "place" if one.is_place else "number" for one in opened.page.scales}
    if question not in kinds:
        raise Http404
    try:
        drawing = (
            place_picture(asked_of(opened.run, opened.page, question, "place"), smooth=False, paper=True)
            if kinds[question] == "place"
            else number_picture(asked_of(opened.run, opened.page, question, "number"))
        )
    except PrivacyError as refusal:
        raise Http404 from refusal
    if drawing is None:
        raise Http404
    return picture_file(drawing, f"sotto-run-{opened.run.pk}-{question}.svg")
