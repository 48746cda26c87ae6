"""Remove the blanks that templates leave between Chinese sentences."""

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import get_language

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
