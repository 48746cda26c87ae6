"""Markdown files: texts of people appear as they were written, never as HTML.

Readers of Markdown pass HTML through, so a tag in a question's text would run in the reader of a board. The
templates escape what they print, as those of pages do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe


def markdown_file(template: str, context: Mapping[str, Any]) -> str:
    """Return a Markdown file from its template.

    Quotation marks have no meaning in Markdown outside a tag, so they stay legible.
    """
    text = render_to_string(template, dict(context))
    return str(text).replace("&#x27;", "'").replace("&quot;", '"')


def markdown_cell(text: str | None) -> SafeString:
    """Return a text for a cell of a Markdown table: on one line, without HTML, and with escaped pipes.

    >>> markdown_cell("<b>Ann</b> | Lab\\nRoom 4")
    '&lt;b&gt;Ann&lt;/b&gt; \\\\| Lab<br>Room 4'
    """
    lines = (escape(line).replace("|", "\\|") for line in (text or "").splitlines())
    return mark_safe("<br>".join(lines))  # noqa: S308  # each line is escaped
