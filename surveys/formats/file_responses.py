"""Downloads: responses that a browser saves as a file."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final, TypeVar

from django.http import HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.utils.http import content_disposition_header

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


def picture_file(drawing: str, name: str) -> HttpResponse:
    """Return a picture as SVG."""
    return whole_file(drawing, "image/svg+xml", name)
