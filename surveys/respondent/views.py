"""The page on which respondents answer. It sets no cookie, and no answers are sent to it."""

from collections.abc import Callable, Mapping

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from surveys.models import SharedPage, Survey
from surveys.questionnaire.aim import usual_promise
from surveys.respondent.client_program import WORKER, ClientFile, client


@require_safe
@cache_control(no_store=True)
def page(request: HttpRequest, slug: str, language: str | None = None) -> HttpResponse:
    """Return the client's page, the same at every address; it requests the state of its survey itself."""
    answer = _file(request, client().index)
    # It contains its icon.
    csp_replace({"img-src": ["data:"]})(lambda _request: answer)(request)
    return answer


@require_safe
@cache_control(no_cache=True)
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the list of the client's files with their digests."""
    return _file(request, client().manifest)


@require_safe
def program(request: HttpRequest, digest: str, name: str) -> HttpResponse:
    """Return one file of the client's program.

    Its address contains the digest of the whole program, so it may be cached forever. Every origin may load
    it, because the preview of a draft runs in a frame without an origin.
    """
    whole = client()
    file = whole.file(name)
    if file is None or digest != whole.digest:
        return HttpResponse(status=404)
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable",
        "Access-Control-Allow-Origin": "*",
        "X-Content-Type-Options": "nosniff",
    }
    if name == WORKER:
        # A worker has the policy of its own script. This one reads and writes a file, and loads nothing.
        headers["Content-Security-Policy"] = "default-src 'none'"
    return _file(request, file, headers=headers)


class ProgramFirst:
    """Middleware that returns the program before sessions, languages and headers of pages are added.

    A script and a style have no frame, no referrer and no opener; each of those headers would be a thirtieth
    of a small file.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        folder, _, name = request.path_info.removeprefix("/program/").partition("/")
        if not request.path_info.startswith("/program/"):
            return self.get_response(request)
        # Refuses a host that this server is not; elsewhere one of the middlewares that follow does.
        request.get_host()
        return program(request, folder, name)


def _file(request: HttpRequest, file: ClientFile, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Return a file of the client, compressed if the browser accepts that."""
    is_packed = "gzip" in request.headers.get("Accept-Encoding", "")
    answer = HttpResponse(
        file.packed if is_packed else file.content, content_type=file.content_type, headers=headers
    )
    if is_packed:
        answer["Content-Encoding"] = "gzip"
    patch_vary_headers(answer, ["Accept-Encoding"])
    return answer


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the home page, with the finished example and its practice copy if they exist.

    It names no survey of a researcher, not even a practice survey.
    """
    example, to_try = SharedPage.of_example(), None
    if example is not None:
        copies = Survey.objects.filter(practice=True, owner=None, state=Survey.State.OPEN)
        to_try = copies.filter(slug=f"{example.survey.slug}-practice").values_list("slug", flat=True).first()
    context = {
        "example": example,
        "on_its_way": SharedPage.example_is_on_its_way(),
        "to_try": to_try,
        "promise": usual_promise(),
    }
    return render(request, "home.html", context)


urlpatterns = [
    path("s/<slug:slug>/", page, name="page"),
    # In a language that the survey has and Sottovoce's own sentences have not.
    path("s/<slug:slug>/<slug:language>/", page, name="page_in"),
]
