"""An audit's sentences in the language of the page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext

from privacy.risk import Audit, Line, RowAudit, lines
from privacy.risk.lines import row_value
from privacy.risk.sentences import WORDS

__all__ = ["Part", "parts_of", "row_text", "sentence"]


@dataclass(frozen=True, kw_only=True)
class Part:
    """Sentences about one thing.

    Attributes
    ----------
    kind : {"survey", "group", "open", "block", "items"}
    key : str
        Of the block; empty for the others.
    sentences : tuple of str
    """

    kind: str
    key: str
    sentences: tuple[str, ...]


def sentence(line: Line) -> str:
    """Return a line in the language of the page."""
    return gettext(line.template) % {name: _said(value) for name, value in line.values.items()}


def row_text(row: RowAudit) -> str:
    """Return a row in the language of the page."""
    return _said(row_value(row))


def _said(value: str) -> str:
    return gettext(WORDS[value[1:-1]]) if value.startswith("|") else value


def parts_of(audit: Audit) -> tuple[Part, ...]:
    """Return an audit's sentences, gathered by what they are about, in the order of the audit."""
    gathered: dict[tuple[str, str], list[Line]] = {}
    for line in lines(audit):
        kind = line.code.partition(".")[0]
        key = (kind, line.subject) if kind == "block" else ("items" if kind == "item" else kind, "")
        gathered.setdefault(key, []).append(line)
    return tuple(_part(kind, key, of_part) for (kind, key), of_part in gathered.items())


def _part(kind: str, key: str, of_part: Iterable[Line]) -> Part:
    return Part(kind=kind, key=key, sentences=tuple(sentence(line) for line in of_part))
