"""A draft on one's own phone: an address that works for a day, as a QR code, and the page that it opens."""

from __future__ import annotations

from typing import Any

from csp.constants import NONE
from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods

from surveys.access.permissions import get_survey_for_builder, signed, staff_page
from surveys.access.shared_addresses import Shown, page_share, shared_page
from surveys.authoring.preview import draft_preview, preview_of_version, preview_response
from surveys.charts.qr_code import qr_code
from surveys.models import SharedPage


@staff_page
@require_http_methods(["GET", "HEAD", "POST"])
def phone(request: HttpRequest, slug: str) -> HttpResponse:
    """Make an address by which a phone shows the draft: it is there in this one answer."""
    survey = get_survey_for_builder(request.user, slug)
    context: dict[str, Any] = {"survey": survey}
    if request.method == "POST":
        shared, token = page_share(survey, SharedPage.Kind.PREVIEW, days=1, **signed(request))
        address = request.build_absolute_uri(reverse("shared:preview", args=[token]))
        context |= {"made": {"address": address, "until": shared.until}, "picture": qr_code(address)}
    made = SharedPage.objects.filter(survey=survey, kind=SharedPage.Kind.PREVIEW, ended_at=None)
    context["working"] = made.filter(until__gt=timezone.now())
    return render(request, "authoring/phone.html", context)


@shared_page(SharedPage.Kind.PREVIEW, SharedPage.Kind.RISK)
def shared_preview(request: HttpRequest, shown: Shown) -> HttpResponse:
    """Show the draft as respondents would see it, on a page that can send nothing.

    An ethics board looks at what it reads about: of a published survey the newest version.
    """
    survey = shown.shared.survey
    language = get_language() or settings.LANGUAGE_CODE
    version = survey.versions.order_by("-number").first()
    if version is not None and shown.shared.kind == SharedPage.Kind.RISK:
        response = preview_response(preview_of_version(version, language=language))
    else:
        response = draft_preview(request, survey, language=language)
    csp_replace({"connect-src": [NONE]})(lambda _request: response)(request)
    return response
