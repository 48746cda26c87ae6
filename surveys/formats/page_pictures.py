"""Pictures of a page as files: links below each picture, and the middleware that sends one alone."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import slugify

from surveys.formats.card_picture import CARD_SIZE
from surveys.formats.file_responses import picture_file
from surveys.formats.journal_width import journal_width
from surveys.formats.svg import in_millimetres, size_of, with_note

PARAMETER: Final = "figure"
_PICTURE: Final = re.compile(r'<svg xmlns="http://www\.w3\.org/2000/svg" viewBox.*?</svg>', re.DOTALL)
_TITLE: Final = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_NOTE: Final = re.compile(r'<p class="note" data-look="([^"]*)"')
_NAMED: Final = re.compile(r"([0-9a-f]{12})\.svg")


def pictures_in(page: str) -> Iterator[tuple[str, str]]:
    """Yield each picture of a page with its title."""
    for match in _PICTURE.finditer(page):
        title = _TITLE.search(match[0])
        yield unescape(title[1]) if title else "", match[0]


def note_of(page: str) -> str:
    """Return the note of a page that every picture taken from it must carry; empty if there is none.

    >>> note_of('<p class="note" data-look="With 200 answers &amp; more">')
    'With 200 answers & more'
    """
    found = _NOTE.search(page)
    return unescape(found[1]) if found else ""


def figure_id(title: str) -> str:
    """Return a short identifier for a picture, used in addresses instead of its title."""
    return hashlib.sha256(title.encode()).hexdigest()[:12]


def file_links(request: HttpRequest, picture: str) -> SafeString:
    """Return download links for a picture on the page."""
    ((title, _drawing),) = pictures_in(picture)
    params = request.GET.copy()
    params[PARAMETER] = f"{figure_id(title)}.svg"
    # Relative to the page, even if the picture came in a separately loaded fragment.
    address = f"?{params.urlencode()}"
    return format_html(
        '<span class="row downloads no-print"><a href="{}">SVG</a> '
        '<a href="{}" data-png="{}.png" hidden>PNG</a> <span class="soft">{}</span></span>',
        address,
        address,
        _file_name(title),
        "1,200 × 630 px" if _is_card(picture) else f"{journal_width(picture):g} mm",
    )


def _is_card(picture: str) -> bool:
    """Whether a picture is a card, which has a size in pixels and states its look itself."""
    return size_of(picture) == CARD_SIZE


def _file_name(title: str) -> str:
    return f"sottovoce-{slugify(title, allow_unicode=True)[:60].strip('-') or 'figure'}"


class PageFigures:
    """Middleware: send one picture instead of the page if the address asks for it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        match = _NAMED.fullmatch(request.GET.get(PARAMETER, "")) if request.method == "GET" else None
        if match is None:
            return self.get_response(request)
        # Remove the parameter, which the page's forms do not know.
        page = request.GET.copy()
        del page[PARAMETER]
        request.GET = page  # type: ignore[assignment]  # a copy may still be written to
        response = self.get_response(request)
        is_html = response.headers.get("Content-Type", "").startswith("text/html")
        # The respondents' page is already compressed, and has no pictures.
        if not is_html or response.status_code != 200 or response.has_header("Content-Encoding"):
            return response
        if not isinstance(response, HttpResponse):
            return response
        content = response.content.decode(response.charset)
        note = note_of(content)
        for title, picture in pictures_in(content):
            if figure_id(title) == match[1]:
                noted = with_note(picture, note) if note and not _is_card(picture) else picture
                return picture_file(_for_print(noted), f"{_file_name(title)}.svg")
        raise Http404


def files_of(page: str) -> dict[str, bytes]:
    """Return every picture of a page as SVG, by file name, for pages that are passed on as files."""
    return {f"{_file_name(title)}.svg": _for_print(picture).encode() for title, picture in pictures_in(page)}


def _for_print(picture: str) -> str:
    """Return a picture on white, at a journal's width; a card at its size in pixels."""
    if _is_card(picture):
        wide, high = CARD_SIZE
        return f'<svg width="{wide:g}" height="{high:g}" {picture.removeprefix("<svg ")}'
    return in_millimetres(picture, journal_width(picture))
