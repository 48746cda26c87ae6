"""Pictures of a page as files: the page is requested again with ``figure=ID.svg``, under its own permission.

The page draws its pictures as usual. The requested one is sent alone, on white and in millimetres, as SVG;
the browser converts the SVG to PNG.
"""

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

from surveys.charts.svg import in_millimetres, size_of
from surveys.formats.attachments import picture_file

__all__ = ["PageFigures", "figure_id", "file_links", "files_of", "journal_width", "pictures_in"]

PARAMETER: Final = "figure"
_PICTURE: Final = re.compile(r'<svg xmlns="http://www\.w3\.org/2000/svg" viewBox.*?</svg>', re.DOTALL)
_TITLE: Final = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_NAMED: Final = re.compile(r"([0-9a-f]{12})\.svg")
_COLUMNS: Final = (84.0, 120.0, 174.0)
"""Widths of one column of a journal, one and a half, and two, in millimetres."""
_LETTERS: Final = 12 * 72 / 25.4
"""Size of a picture's text, 12 px high, in points times px of the picture's width per millimetre."""
_LEAST_POINTS: Final = 6.0
"""Journals refuse smaller letters."""


def journal_width(picture: str) -> float:
    """Return the narrowest journal width, in millimetres, at which the letters can be read.

    Examples
    --------
    >>> from surveys.charts import svg
    >>> [journal_width(svg.rendered(svg.drawing(wide, 100, title="t"))) for wide in (400, 640, 900)]
    [84.0, 120.0, 174.0]
    """
    wide, _high = size_of(picture)
    fits = [column for column in _COLUMNS if _LETTERS * column / wide >= _LEAST_POINTS]
    return fits[0] if fits else _COLUMNS[-1]


def pictures_in(page: str) -> Iterator[tuple[str, str]]:
    """Yield each picture of a page with its title."""
    for match in _PICTURE.finditer(page):
        title = _TITLE.search(match[0])
        yield unescape(title[1]) if title else "", match[0]


def figure_id(title: str) -> str:
    """Return a short identifier of a picture for addresses, where its title would be too long."""
    return hashlib.sha256(title.encode()).hexdigest()[:12]


def file_links(request: HttpRequest, picture: str) -> SafeString:
    """Return links to the files of a picture on the page."""
    ((title, _drawing),) = pictures_in(picture)
    given = request.GET.copy()

    given[PARAMETER] = f"{figure_id(title)}.svg"
    # The address of the page that shows it, wherever the fragment with the picture came from.
    address = f"?{given.urlencode()}"
    return format_html(
        '<span class="row downloads no-print"><a href="{}">SVG</a> '
        '<a href="{}" data-png="{}.png" hidden>PNG</a> <span class="soft">{} mm</span></span>',
        address,
        address,
        _file_name(title),
        f"{journal_width(picture):g}",
    )


def _file_name(title: str) -> str:
    return f"sottovoce-{slugify(title, allow_unicode=True)[:60].strip('-') or 'figure'}"


class PageFigures:
    """Send one picture instead of the page, if the address asks for it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        wanted = _NAMED.fullmatch(request.GET.get(PARAMETER, "")) if request.method == "GET" else None
        if wanted is None:
            return self.get_response(request)
        # Remove the field from the address: the page's forms do not know it.
        page = request.GET.copy()
        del page[PARAMETER]
        request.GET = page  # type: ignore[assignment]  # a copy may still be written to
        response = self.get_response(request)
        if not isinstance(response, HttpResponse) or response.status_code != 200:
            return response
        for title, picture in pictures_in(response.content.decode(response.charset)):
            if figure_id(title) == wanted[1]:
                return picture_file(_printed(picture), f"{_file_name(title)}.svg")
        raise Http404


def files_of(page: str) -> dict[str, bytes]:
    """Return every picture of a page as SVG, by file name, for pages that are handed over as files."""
    return {f"{_file_name(title)}.svg": _printed(picture).encode() for title, picture in pictures_in(page)}


def _printed(picture: str) -> str:
    """Return a picture on white, in the width that a journal prints."""
    return in_millimetres(picture, journal_width(picture))
