"""The endpoint that devices send sealed bodies to.

It reads no cookie and needs no CSRF token: a page of another site cannot send our content type without a
preflight, and a logged-in user's submission has no additional rights.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from surveys.errors.error import SurveyError
from surveys.intake import request_checks
from surveys.intake.client_origins import is_client_origin, preflight, readable_by_client
from surveys.intake.limits import Limit, Limiter
from surveys.intake.networks import network_of
from surveys.intake.receive import SubmissionResult, receipts_count, submission_receive

PATH: Final = "api/submissions"


@lru_cache(maxsize=1)
def process_limiter() -> Limiter:
    """Return the limiter that the threads of this web process share."""
    limit = Limit(
        per_second=settings.SUBMISSIONS_PER_SECOND,
        burst=settings.SUBMISSION_BURST,
        cap=settings.SUBMISSION_CAP,
    )
    return Limiter(limit=limit, count_receipts=receipts_count)


class SubmissionsFirst:
    """Middleware that answers submissions before sessions, log-ins, languages and messages are processed.

    A submission needs none of them, so their code cannot affect it. Together they would take as long as
    reading, checking and storing the submission.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info != f"/{PATH}":
            return self.get_response(request)
        # Refuse unknown host names; for other requests, a later middleware does this.
        request.get_host()
        return submit(request)


@csrf_exempt
def submit(request: HttpRequest) -> HttpResponse:
    """Receive one sealed body."""
    return preflight(request, "POST") or readable_by_client(request, _receive_body(request))


def _receive_body(request: HttpRequest) -> HttpResponse:
    try:
        if request.method != "POST":
            raise SurveyError("method", method=request.method)
        request_checks.check_origin(
            request.headers.get("Sec-Fetch-Site"), is_listed=is_client_origin(request)
        )
        request_checks.check_content_type(request.headers.get("Content-Type", ""))
        raw = request_checks.read_at_most(request, request.headers.get("Content-Length"))
    except SurveyError as error:
        outcome = SubmissionResult.of(error)
    else:
        outcome = submission_receive(
            raw, now=timezone.now(), limiter=process_limiter(), network=network_of(request.META)
        )
    return _response(outcome)


def _response(outcome: SubmissionResult) -> HttpResponse:
    headers = {"Cache-Control": "no-store"}
    if outcome.retry_after is not None:
        headers["Retry-After"] = str(outcome.retry_after)
    if outcome.status == 405:
        headers["Allow"] = "POST"
    return JsonResponse(outcome.answer, status=outcome.status, headers=headers)
