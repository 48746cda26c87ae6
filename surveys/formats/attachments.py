"""Downloads: responses that a browser saves under a name."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, Final, TypeVar

from django.http import HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header

__all__ = [
    "BYTE_ORDER_MARK",
    "attachment",
    "csv_file",
    "json_file",
    "picture_file",
    "streamed_file",
    "whole_file",
]

BYTE_ORDER_MARK: Final = "\ufeff"

Response = TypeVar("Response", bound=HttpResponseBase)


def attachment(response: Response, name: str) -> Response:
    """Return a response that a browser saves under this name, which may contain any characters."""
    response.headers["Content-Disposition"] = content_disposition_header(True, name)
    return response


def whole_file(content: bytes | str, content_type: str, name: str) -> HttpResponse:
    """Return a file that is held in memory."""
    return attachment(HttpResponse(content, content_type=content_type), name)


def streamed_file(
    parts: Iterator[str] | Iterator[bytes], content_type: str, name: str
) -> StreamingHttpResponse:
    """Return a file that is sent while its parts are made."""
    return attachment(StreamingHttpResponse(parts, content_type=content_type), name)


def csv_file(lines: Iterator[str], name: str) -> StreamingHttpResponse:
    """Return a table, sent line by line; a byte-order mark tells Excel that it is UTF-8."""
    return streamed_file(itertools.chain([BYTE_ORDER_MARK], lines), "text/csv; charset=utf-8", name)


def json_file(document: dict[str, Any], name: str) -> JsonResponse:
    """Return a document as JSON, without escaping its letters."""
    return attachment(JsonResponse(document, json_dumps_params={"ensure_ascii": False}), name)


def picture_file(drawing: str, name: str) -> HttpResponse:
    """Return a picture as SVG."""
    return whole_file(drawing, "image/svg+xml", name)
