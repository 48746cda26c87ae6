"""The page of a survey, for those who answer it. It sets no cookie, and answers never come here."""

import re
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from surveys.models import SharedPage, Survey
from surveys.questionnaire.certainty import usual_promise
from surveys.questionnaire.schedule import wall_time
from surveys.respondent.client_program import CLOSED, client
from surveys.respondent.outcome_texts import delivery_texts
from surveys.respondent.page import respondent_page, survey_by_slug
from surveys.rows.quota_status import quotas_now

_INDENT: Final = re.compile(rb"\n\s+")


@require_safe
@cache_control(no_store=True)
def page(request: HttpRequest, slug: str, language: str | None = None) -> HttpResponse:
    """Show the survey, or why it cannot be answered and what to do.

    A draft is as if it was not there. Of a survey that opens later its address tells when, and not what it
    is about: addresses can be guessed.
    """
    survey = survey_by_slug(slug)
    if survey is None or survey.state == Survey.State.DRAFT:
        return _missing(request)
    if survey.state == Survey.State.PLANNED:
        opens = survey.opens_at and wall_time(survey.opens_at, survey.time_zone)
        return render(
            request, "respond/planned.html", {"opens": opens, "time_zone": survey.time_zone}, status=404
        )
    if survey.state == Survey.State.CLOSED:
        takes_late = not survey.closed_to_bodies(timezone.now())
        return render(
            request, "respond/closed.html", {**_delivering(survey), "takes_late": takes_late}, status=410
        )
    version = survey.versions.select_related("survey").order_by("-number")[0]
    quotas = quotas_now(version)
    if quotas is not None and quotas.is_over:
        # The same for all: no group is chosen yet.
        return render(
            request, "respond/full.html", {**_delivering(survey), "by_invitation": survey.by_invitation}
        )
    shown = respondent_page(version, quotas=quotas, language=language)
    if shown is None:
        return _missing(request)
    answer = render(request, "respond/page.html", {"page": shown})
    # Blanks at the beginnings of lines are seen by nobody, and a slow network waits for them.
    answer.content = _INDENT.sub(b"\n", answer.content)
    return answer


def _delivering(survey: Survey) -> dict[str, object]:
    """What a page needs that asks nothing: a body that was sealed before may still wait on this device."""
    return {
        "title": survey.title_text,
        "data": {
            "survey": survey.slug,
            "submit": reverse("submit"),
            "clear": reverse("clear_device"),
            "texts": delivery_texts(by_invitation=survey.by_invitation),
        },
        "scripts": client().urls(CLOSED),
    }


@require_safe
def program(request: HttpRequest, digest: str, name: str) -> HttpResponse:
    """Give one script of the respondent's page.

    It is there under the digest of the whole program only, and may be kept for ever. Every origin may load
    it: the preview of a draft runs in a frame without one.
    """
    scripts = client()
    file = scripts.file(name)
    if file is None or digest != scripts.digest:
        return HttpResponse(status=404)
    return HttpResponse(
        file.content,
        content_type="text/javascript; charset=utf-8",
        headers={
            "Cache-Control": "public, max-age=31536000, immutable",
            "Access-Control-Allow-Origin": "*",
        },
    )


@csrf_exempt
@require_POST
@cache_control(no_store=True)
def clear_device(request: HttpRequest) -> HttpResponse:
    """Tell the browser to clear all that pages of this site stored in it; cookies stay.

    Only a page of this site may ask: another one could erase what waits to be sent. A browser that does not
    say who asks is told nothing: the key of what waited has been overwritten by then.
    """
    if request.headers.get("Sec-Fetch-Site") != "same-origin":
        return HttpResponse(status=403)
    return HttpResponse(status=204, headers={"Clear-Site-Data": '"storage"'})


def _missing(request: HttpRequest) -> HttpResponse:
    return render(request, "respond/missing.html", status=404)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the product's home page, with the finished example and its practice copy where they are.

    No survey of a researcher is named here, a practice survey neither.
    """
    example, to_try = SharedPage.of_example(), None
    if example is not None:
        copies = Survey.objects.filter(practice=True, owner=None, state=Survey.State.OPEN)
        to_try = copies.filter(slug=f"{example.survey.slug}-practice").values_list("slug", flat=True).first()
    context = {"example": example, "to_try": to_try, "promise": usual_promise()}
    return render(request, "home.html", context)


urlpatterns = [
    path("s/<slug:slug>/", page, name="page"),
    # In a language that the survey has and Sotto's own sentences have not.
    path("s/<slug:slug>/<slug:language>/", page, name="page_in"),
]
