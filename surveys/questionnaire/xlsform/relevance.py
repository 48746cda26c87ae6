"""The column *relevant* of a group, as far as a block can follow it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.errors.error import shown
from surveys.questionnaire.xlsform.workbook import Notes, Row, place

_COLUMN: Final = "relevant"
_REFERENCE: Final = re.compile(r"\$\{\s*([^}\s]+)\s*\}")
_EQUALS: Final = re.compile(r"""\$\{\s*([^}\s]+)\s*\}\s*=\s*(?:'([^']*)'|"([^"]*)")""")
_SELECTED: Final = re.compile(
    r"""selected\s*\(\s*\$\{\s*([^}\s]+)\s*\}\s*,\s*(?:'([^']*)'|"([^"]*)")\s*\)""", re.IGNORECASE
)


def condition_of(
    text: str, before: list[dict[str, Any]], keys: Mapping[str, str], *, row: Row, notes: Notes
) -> dict[str, Any] | None:
    """Return when a block is asked, or None after noting why the condition is not kept.

    Parameters
    ----------
    text : str
        ``${q} = 'a'`` or ``selected(${q}, 'a')``, several of them joined by ``or``, all about one question.
    before : list of dict
        The blocks before: the question has to be one of theirs, in an open block, with one answer.
    keys : mapping of str to str
        Keys of questions by their names in the form.
    row : Row
    notes : Notes
        A reference to a question that does not come before (a later one, or one of the group itself, which
        would decide on itself) is a problem; what a block cannot follow is left out.
    """
    where = place("survey", row.number, _COLUMN)
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
    terms = [_term(part) for part in re.split(r"\s+or\s+", text.strip(), flags=re.IGNORECASE)]
    whole = [term for term in terms if term is not None]
    if len(whole) != len(terms) or len({name for name, _option in whole}) != 1:
        notes.left_out(where, _("a part can wait for answers to one question only: ${q} = 'a' or ..."))
        return None
    question, block = questions[keys[whole[0][0]]]
    if block["protected"] or question["kind"] == "multi":
        notes.left_out(where, _("a part can wait for an open question with one answer only"))
        return None
    return {"question": question["key"], "options": [option for _name, option in whole]}


def _term(text: str) -> tuple[str, str] | None:
    stripped = text.strip()
    match = _EQUALS.fullmatch(stripped) or _SELECTED.fullmatch(stripped)
    return (match[1], match[2] if match[2] is not None else match[3]) if match else None
