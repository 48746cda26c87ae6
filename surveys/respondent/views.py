"""The page of a survey, for those who answer it. It sets no cookie, and answers never come here."""

from csp.decorators import csp_exempt, csp_replace
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from surveys.models import SharedPage, Survey
from surveys.questionnaire.certainty import usual_promise
from surveys.respondent.client_program import WORKER, ClientFile, client


@require_safe
@cache_control(no_store=True)
def page(request: HttpRequest, slug: str, language: str | None = None) -> HttpResponse:
    """Give the client's page, the same at every address: it asks itself how its survey stands."""
    answer = _file(client().index)
    # Its icon stands in it.
    csp_replace({"img-src": ["data:"]})(lambda _request: answer)(request)
    return answer


@require_safe
@cache_control(no_cache=True)
def manifest(request: HttpRequest) -> HttpResponse:
    """Give the list of the client's files with their digests."""
    return _file(client().manifest)


@require_safe
def program(request: HttpRequest, digest: str, name: str) -> HttpResponse:
    """Give one file of the client's program.

    It is there under the digest of the whole program only, and may be kept for ever. Every origin may load
    it: the preview of a draft runs in a frame without one.
    """
    whole = client()
    file = whole.file(name)
    if file is None or digest != whole.digest:
        return HttpResponse(status=404)
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Access-Control-Allow-Origin": "*"}
    answer = _file(file, **headers)
    # The page has the policy of all that it loads; a worker has that of its own script.
    if name != WORKER:
        csp_exempt()(lambda _request: answer)(request)
    return answer


def _file(file: ClientFile, **headers: str) -> HttpResponse:
    return HttpResponse(file.content, content_type=file.content_type, headers=headers)


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
