"""The texts of a draft side by side, one column for each language: a file for translators."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.errors.error import shown
from surveys.imports.workbook import cell_name, workbook_unpack, workbook_write
from surveys.questionnaire.document import Problems, joined
from surveys.questionnaire.languages import tags_of

__all__ = ["texts_of", "translations_file", "translations_read"]

SHEET: Final = "texts"
WHERE: Final = "where"
_WIDTH: Final = 48.0
_MEMBERS: Final = ("title", "text", "help", "unit")


def texts_of(document: object, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield path and texts of whatever a document says in several languages: own texts, then what is in it.

    PostgreSQL does not keep the order in which members were written, so they are put in one.

    Examples
    --------
    >>> texts = texts_of({"blocks": [{"key": "a", "title": {}, "questions": []}], "title": {"en": "Work"}})
    >>> [where for where, _own in texts]
    ['title', 'blocks[0].title']
    """
    if isinstance(document, list):
        for number, entry in enumerate(document):
            yield from texts_of(entry, f"{path}[{number}]")
    elif isinstance(document, dict):
        own = [name for name in _MEMBERS if name in document]
        for name in own + sorted(document.keys() - set(own)):
            value, here = document[name], joined(path, name)
            if isinstance(value, dict) and (name in _MEMBERS or path == "about"):
                yield here, value
            else:
                yield from texts_of(value, here)


def translations_file(document: dict[str, Any]) -> bytes:
    """Return the texts of a draft as a workbook: where each stands, and a column for each language."""
    languages = tags_of(document)
    rows = [
        {WHERE: where} | {tag: text if isinstance(text := texts.get(tag), str) else "" for tag in languages}
        for where, texts in texts_of(document)
    ]
    return workbook_write({SHEET: rows}, width=_WIDTH)


def translations_read(raw: bytes, document: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Return a draft with the texts of a workbook, and how many of them it had not.

    An empty cell leaves the text that is there.

    Parameters
    ----------
    raw : bytes
    document : dict
        The draft; it stays as it is.

    Raises
    ------
    DefinitionError
        No workbook, no such sheet, a language that the draft is not in, or texts for places that it has not:
        all of them at once, and nothing is taken.
    """
    problems = Problems()
    sheet = workbook_unpack(raw).get(SHEET)
    if sheet is None or WHERE not in sheet.headers:
        problems.add(
            "",
            _("there is no sheet “%(sheet)s” with a column “%(column)s”") % {"sheet": SHEET, "column": WHERE},
            _("fill in the file that you downloaded here"),
        )
        problems.raise_if_any()
        raise AssertionError
    languages = tags_of(document)
    for header in sheet.headers:
        if header != WHERE and header not in languages:
            problems.add(
                cell_name(SHEET, 1),
                _("%(value)s is no language of this survey") % {"value": shown(header)},
                _("add it in the builder, then download the file again"),
            )
    written = copy.deepcopy(document)
    places, changed = dict(texts_of(written)), 0
    for row in sheet.rows:
        cells = {tag: text for tag, text in row.cells.items() if tag in languages}
        where = row.cells.get(WHERE, "")
        if not cells:
            continue
        if where not in places:
            problems.add(
                cell_name(SHEET, row.number),
                _("the draft has no text %(where)s") % {"where": shown(where)},
                _("download the file again: the draft was changed meanwhile"),
            )
            continue
        for tag, text in cells.items():
            before = places[where].get(tag)
            if not isinstance(before, str) or before.strip() != text:
                places[where][tag] = text
                changed += 1
    problems.raise_if_any()
    return written, changed
