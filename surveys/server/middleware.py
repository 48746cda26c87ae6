"""Middleware for every response: forms of staff pages, blanks in Chinese, documents that cannot be read."""

import re
from collections.abc import Callable

from csp.constants import SELF
from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template import loader
from django.utils.translation import get_language

from surveys.errors.error import SurveyError, sentences
from surveys.extension import extensions
from surveys.models.stored_json import UNREADABLE

# URL namespaces and names of pages that may send forms to this server. Respondents' pages are not included,
# because their answers leave only as a sealed body. Enabled applications add their own.
STAFF_NAMESPACES = frozenset(
    {"admin", "accounts", "audit", "report", "authoring", "invite", "export", "embed"}
)
STAFF_NAMES = frozenset({"login", "logout", "second_step"})
# Staff pages that show what respondents see, under the policy of respondents' pages.
QUIET_NAMES = frozenset({"authoring:preview"})


class StaffFormsMiddleware:
    """Let staff pages send forms to this server; other responses do not change.

    `form-action` changes from 'none' to 'self', and the referrer policy from "no-referrer" to "same-origin".
    Under "no-referrer", browsers send `Origin: null` with a form, which Django's CSRF check refuses.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.namespaces = STAFF_NAMESPACES.union(*(app.pages for app in extensions()))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        match = request.resolver_match
        if match is None or match.view_name in QUIET_NAMES:
            return response
        if self.namespaces.intersection(match.namespaces) or match.view_name in STAFF_NAMES:
            response.headers["Referrer-Policy"] = "same-origin"
            return csp_replace({"form-action": [SELF]})(lambda _request: response)(request)
        return response


_TAG = re.compile(r"(<[^<>]*>)")
_AS_WRITTEN = re.compile(r"<(/?)(?:textarea|pre|script|style)\b")
_FULL_WIDTH = "。！？；：，、）】」』"
_BLANK = re.compile(
    rf"(?<=[{_FULL_WIDTH}])\s+|(?<=”)\s+(?=[一-鿿])|(?<=[一-鿿])\s+(?=“)|(?<!\s)\s++(?=[。；：，、（）])"
)


def without_blanks(page: str) -> str:
    """Remove the blanks next to full-width signs, which templates insert as between English sentences.

    >>> without_blanks("<p>先看。 再发：\\n <b>好！ 走</b></p><textarea>好。 走</textarea>")
    '<p>先看。再发：<b>好！走</b></p><textarea>好。 走</textarea>'
    >>> without_blanks("<b>下一步：</b> <a>规划</a>，“甲” 每 100 人")
    '<b>下一步：</b><a>规划</a>，“甲”每 100 人'
    """
    pieces, keep, last = _TAG.split(page), False, ""
    for place, piece in enumerate(pieces):
        if place % 2 == 0 and not keep:
            text = _BLANK.sub("", piece)
            # The sign may be inside another element.
            pieces[place] = text.lstrip() if last and last in _FULL_WIDTH else text
            last = text.rstrip()[-1:] or last
        elif place % 2 and (found := _AS_WRITTEN.match(piece)):
            keep, last = not found[1], ""
    return "".join(pieces)


_FRAMES = frozenset({"frame", "frame_file"})


class ChineseSentences:
    """Remove the blanks between the sentences of Chinese pages, and after their other full-width signs.

    The respondents' pages and frames are sent unchanged, byte for byte.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not isinstance(response, HttpResponse) or not (get_language() or "").startswith("zh"):
            return response
        match = request.resolver_match
        if match is not None and (match.namespace == "respond" or match.view_name in _FRAMES):
            return response
        if "Content-Encoding" in response.headers:
            return response
        if response.headers["Content-Type"].startswith("text/html"):
            page = response.content.decode(response.charset)
            response.content = without_blanks(page).encode(response.charset)
        return response


class UnreadableDocuments:
    """Say on a staff page that a stored document has an unknown format, instead of failing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return a page with the refusal, if a view used such a document."""
        if not isinstance(error, SurveyError) or error.code != UNREADABLE:
            return None
        page = loader.get_template("unreadable.html").render({"error": sentences(error)}, request)
        return HttpResponse(page, status=error.status, headers={"Cache-Control": "no-store"})
