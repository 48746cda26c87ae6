"""Downloads: responses that a browser saves as a file."""

from __future__ import annotations

import csv
import hashlib
import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from html import unescape
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    JsonResponse,
    StreamingHttpResponse,
)
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.http import content_disposition_header
from django.utils.safestring import SafeString
from django.utils.text import slugify

from privacy.tables.header import safe_text
from surveys.formats.svg import in_millimetres, size_of, with_note

BYTE_ORDER_MARK: Final = "\ufeff"

Response = TypeVar("Response", bound=HttpResponseBase)


def attachment(response: Response, name: str) -> Response:
    """Make a browser save the response under this name, which may contain any characters."""
    response.headers["Content-Disposition"] = content_disposition_header(True, name)
    return response


def whole_file(content: bytes | str, content_type: str, name: str) -> HttpResponse:
    """Return a file from memory."""
    return attachment(HttpResponse(content, content_type=content_type), name)


def streamed_file(
    parts: Iterator[str] | Iterator[bytes], content_type: str, name: str
) -> StreamingHttpResponse:
    """Return a file that is sent while it is being generated."""
    return attachment(StreamingHttpResponse(parts, content_type=content_type), name)


def csv_file(lines: Iterator[str], name: str) -> StreamingHttpResponse:
    """Return a table line by line. Its byte-order mark shows Excel that it is UTF-8."""
    return streamed_file(itertools.chain([BYTE_ORDER_MARK], lines), "text/csv; charset=utf-8", name)


def json_file(document: dict[str, Any], name: str) -> JsonResponse:
    """Return a document as JSON, with non-ASCII letters unescaped."""
    return attachment(JsonResponse(document, json_dumps_params={"ensure_ascii": False}), name)


def finite(value: float) -> float | None:
    """Return a finite number for JSON, which has no infinity, or None."""
    return value if math.isfinite(value) else None


def picture_file(drawing: str, name: str) -> HttpResponse:
    """Return a picture as SVG."""
    return whole_file(drawing, "image/svg+xml", name)


_NEGATIVE: Final = re.compile(r"-[0-9]+(\.[0-9]+)?")
"""Negative numbers, which are safe although they begin with a sign."""


def text_or_number(text: str) -> str:
    """Like `safe_text`, but leave numbers as written.

    >>> text_or_number("-0.5"), text_or_number("-x"), text_or_number("35-44")
    ('-0.5', "'-x", '35-44')
    """
    try:
        float(text)
    except ValueError:
        return safe_text(text)
    return text


def cell_of(value: object) -> object:
    """Convert a value to a CSV cell.

    >>> cell_of("=1+1"), cell_of("-2"), cell_of(-0.1), cell_of(None), cell_of(True)
    ("'=1+1", '-2', -0.1, '', 1)
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and not _NEGATIVE.fullmatch(value):
        return safe_text(value)
    return value


class Echo:
    """A file-like object that returns each line written to it, to stream CSV rows."""

    def write(self, line: str) -> str:
        return line


def records_as_csv(columns: tuple[str, ...], records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of a CSV file, header first; each record must have all columns."""
    writer = csv.writer(Echo())
    yield writer.writerow(columns)
    for record in records:
        yield writer.writerow([cell_of(record[column]) for column in columns])


Text: TypeAlias = str | Promise
"""A text, or a lazily translated one."""


class Query(Protocol):
    """Parameters of a table's page."""

    @property
    def sort(self) -> str: ...

    @property
    def page(self) -> int: ...

    def address(self, **changes: object) -> str: ...


def query_fields(query: Any) -> dict[str, object]:
    """Return the fields of a query (a dataclass) that differ from their defaults, for its address."""
    return {
        field.name: value
        for field in fields(query)
        if (value := getattr(query, field.name)) is not None and value != field.default
    }


@dataclass(frozen=True, kw_only=True)
class Column:
    """Header of a table's column.

    Attributes
    ----------
    address : str
        Link that sorts by this column; empty if the column is not sortable.
    direction : {"ascending", "descending", "none"}
        How the table is currently sorted by it.
    """

    label: Text
    numeric: bool
    address: str = ""
    direction: str = "none"
    hint: Text = ""


@dataclass(frozen=True, kw_only=True)
class Pages:
    """Links between the pages of a table; an empty address means no link."""

    page: int
    pages: int
    previous: str
    next: str

    @classmethod
    def around(cls, page: int, pages: int, address: Callable[[int], str]) -> Pages:
        """Return the links to the previous and next page.

        >>> Pages.around(2, 2, "?page={}".format)
        Pages(page=2, pages=2, previous='?page=1', next='')
        """
        return cls(
            page=page,
            pages=pages,
            previous=address(page - 1) if page > 1 else "",
            next=address(page + 1) if page < pages else "",
        )


def column(
    query: Query, name: str, label: Text, *, numeric: bool = True, hint: Text = "", rising_first: bool = False
) -> Column:
    """Return the header of a sortable column; its link sorts largest first, then smallest first."""
    falling, rising = f"-{name}", name
    first, second = (falling, rising) if numeric and not rising_first else (rising, falling)
    return Column(
        label=label,
        numeric=numeric,
        address=query.address(sort=second if query.sort == first else first, page=1),
        direction={falling: "descending", rising: "ascending"}.get(query.sort, "none"),
        hint=hint,
    )


def pages(query: Query, *, count: int, size: int) -> Pages:
    """Return the links to the adjacent pages; a page number beyond the last page means the last."""
    last = max(1, -(-count // size))
    return Pages.around(min(query.page, last), last, lambda number: query.address(page=number))


PARAMETER: Final = "figure"
_PICTURE: Final = re.compile(r'<svg xmlns="http://www\.w3\.org/2000/svg" viewBox.*?</svg>', re.DOTALL)
_TITLE: Final = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_NOTE: Final = re.compile(r'<p class="note" data-look="([^"]*)"')
_NAMED: Final = re.compile(r"([0-9a-f]{12})\.svg")
_COLUMNS: Final = (84.0, 120.0, 174.0)
"""Widths of one, one and a half, and two columns of a journal, in millimetres."""
_LETTERS: Final = 12 * 72 / 25.4
"""Point size of a picture's 12 px text, times the picture's width in px and per millimetre."""
_LEAST_POINTS: Final = 6.0
"""Smallest type that journals accept."""


def journal_width(picture: str) -> float:
    """Return the narrowest journal width, in millimetres, at which the text is large enough.

    Examples
    --------
    >>> from surveys.formats import svg
    >>> [journal_width(svg.render_svg(svg.drawing(wide, 100, title="t"))) for wide in (400, 640, 900)]
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
        '<a href="{}" data-png="{}.png" hidden>PNG</a> <span class="soft">{} mm</span></span>',
        address,
        address,
        _file_name(title),
        f"{journal_width(picture):g}",
    )


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
                noted = with_note(picture, note) if note else picture
                return picture_file(_for_print(noted), f"{_file_name(title)}.svg")
        raise Http404


def files_of(page: str) -> dict[str, bytes]:
    """Return every picture of a page as SVG, by file name, for pages that are passed on as files."""
    return {f"{_file_name(title)}.svg": _for_print(picture).encode() for title, picture in pictures_in(page)}


def _for_print(picture: str) -> str:
    """Return a picture on white, at a journal's width."""
    return in_millimetres(picture, journal_width(picture))
