"""The column *relevant* of a group, as far as a block can follow it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.errors.error import shown
from surveys.imports.joined_conditions import asked_if_of, clauses_of
from surveys.imports.workbook import Notes, Row, cell_name

_COLUMN: Final = "relevant"
_REFERENCE: Final = re.compile(r"\$\{\s*([^{}\s]+)\s*\}")
_EQUALS: Final = re.compile(r"""\$\{\s*([^{}\s]+)\s*\}\s*=\s*(?:'([^']*)'|"([^"]*)")""")
_SELECTED: Final = re.compile(
    r"""selected\s*\(\s*\$\{\s*([^{}\s]+)\s*\}\s*,\s*(?:'([^']*)'|"([^"]*)")\s*\)""", re.IGNORECASE
)


def condition_of(
    text: str, before: list[dict[str, Any]], keys: Mapping[str, str], *, row: Row, notes: Notes
) -> dict[str, Any] | None:
    """Return when a block is asked, or None after noting why the condition is not kept.

    Parameters
    ----------
    text : str
        ``${q} = 'a'`` or ``selected(${q}, 'a')``, several of them joined by ``or`` alone, or by ``and``
        with what is about one question in brackets.
    before : list of dict
        The blocks before: the question has to be one of theirs, in an open block, with one answer.
    keys : mapping of str to str
        Keys of questions by their names in the form.
    row : Row
    notes : Notes
        A reference to a question that does not come before (a later one, or one of the group itself, which
        would decide on itself) is a problem; what a block cannot follow is left out.
    """
    where = cell_name("survey", row.number, _COLUMN)
    questions = {question["key"]: (question, block) for block in before for question in block["questions"]}
    named = _REFERENCE.findall(text)
    for name in named:
        if keys.get(name) not in questions:
            notes.problems.add(
                where,
                _("%(name)s is no question before this group") % {"name": shown(name)},
                _("refer to a question that is asked earlier: a group cannot wait for itself"),
            )
            return None
    clauses = [_options(clause, keys) for clause in clauses_of(_SELECTED.sub(_as_equal, text)) or ()]
    condition = asked_if_of(clauses)
    if condition is None or not all(clauses):
        notes.left_out(
            where,
            _("a part can wait for answers joined by “and” alone, or by “or” alone"),
        )
        return None
    for key in {key for clause in clauses for key in clause}:
        question, block = questions[key]
        if block["protected"] or question["kind"] == "multi":
            notes.left_out(where, _("a part can wait for an open question with one answer only"))
            return None
    return condition


def _as_equal(match: re.Match[str]) -> str:
    quote, value = ("'", match[2]) if match[2] is not None else ('"', match[3])
    return f"${{{match[1]}}} = {quote}{value}{quote}"


def _options(clause: list[str], keys: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the options of a clause by questions; nothing where a term compares in another way."""
    options: dict[str, list[str]] = {}
    for term in clause:
        match = _EQUALS.fullmatch(term)
        if match is None:
            return {}
        options.setdefault(keys[match[1]], []).append(match[2] if match[2] is not None else match[3])
    return options
