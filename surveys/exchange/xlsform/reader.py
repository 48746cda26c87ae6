"""An XLSForm, read into a draft.

Groups become blocks; ``select_one``, ``select_multiple``, numbers and places become questions. Whatever has
no counterpart is left out and listed by sheet, row and column: a form is taken over in the open or not at
all. What is wrong is listed in the same way, and then nothing is imported. pyxform has the last word on
whether a workbook is an XLSForm.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from surveys.imports.choices import Choices, read_choices
from surveys.imports.columns import split_header, texts_of
from surveys.imports.own_columns import GROUP, own_members
from surveys.imports.question import QuestionReader
from surveys.imports.relevance import condition_of
from surveys.imports.scale_questions import split_scale_blocks
from surveys.imports.settings import SHEETS, head_of, read_languages, read_settings
from surveys.imports.workbook import ImportedForm, Notes, Row, Sheet, cell_name, workbook_unpack
from surveys.questionnaire.sensitive import free_key

_GROUP: Final = re.compile(r"(begin|end)[ _](group|repeat)", re.IGNORECASE)
_GROUP_COLUMNS: Final = frozenset({"type", "name", "label", "relevant", "sotto_key", "sotto_help"}).union(
    column.name for column in GROUP
)
# What a protected group is taken to state of itself; of an open one nothing of this is kept.
_OF_PROTECTED: Final = {"truth_probability": SCALE // 2, "refusal": None}
_NOT_OPEN: Final = (*_OF_PROTECTED, "light", "exclusive")


def xlsform_read(raw: bytes) -> ImportedForm:
    """Return the draft that an XLSX workbook holds as an XLSForm.

    Raises
    ------
    DefinitionError
        As `workbook_unpack` and `xlsform_of`.
    """
    return xlsform_of(workbook_unpack(raw))


def xlsform_of(sheets: dict[str, Sheet]) -> ImportedForm:
    """Return the draft that the sheets of an XLSForm make.

    Raises
    ------
    DefinitionError
        With every problem found; a path says sheet, row and column.
    """
    notes = Notes()
    if "survey" not in sheets:
        notes.problems.add(
            "survey",
            _("the workbook has no sheet of this name, only %(names)s") % {"names": ", ".join(sheets)},
            _("name the sheet with the questions survey"),
        )
        notes.problems.raise_if_any()
    for name in sheets:
        if name not in SHEETS:
            notes.left_out(name, _("this sheet has no counterpart"))
    settings = read_settings(sheets.get("settings"), notes)
    languages = read_languages(sheets, settings, notes)
    choices = read_choices(sheets.get("choices"), default=languages[0], notes=notes)
    document = head_of(settings, languages, notes)
    document["blocks"] = _Walk(choices=choices, default=languages[0], notes=notes).blocks(sheets["survey"])
    if not notes.problems.listed:
        _judge(sheets, notes)
    notes.problems.raise_if_any()
    return ImportedForm(document=document, not_kept=tuple(notes.not_kept))


@dataclass
class _Walk:
    """Goes down the rows of the sheet *survey*."""

    choices: Choices
    default: str
    notes: Notes

    def blocks(self, sheet: Sheet) -> list[dict[str, Any]]:
        """Return the blocks of the sheet; questions outside of groups make blocks of their own."""
        questions = QuestionReader(choices=self.choices, default=self.default, notes=self.notes)
        blocks: list[dict[str, Any]] = []
        current: dict[str, Any] | None = None
        open_groups: list[Row] = []
        for row in sheet.rows:
            kind = " ".join(row.cells.get("type", "").split())
            group = _GROUP.fullmatch(kind)
            if group and group[1].lower() == "begin":
                open_groups.append(row)
                if len(open_groups) > 1:
                    where = cell_name("survey", row.number, "type")
                    self.notes.left_out(where, _("a group inside a group: its questions join the outer part"))
                else:
                    current = self._block(row, blocks, questions.keys, repeat=group[2].lower() == "repeat")
                    blocks.append(current)
            elif group:
                if not open_groups:
                    self._problem(row, "type", _("no group is open here"), _("take the row away"))
                else:
                    open_groups.pop()
                current = current if open_groups else None
            elif kind:
                question = questions.question(row, kind, protected=bool(current and current["protected"]))
                if question is not None:
                    if current is None:
                        key = free_key("questions", {block["key"] for block in blocks})
                        current = {"key": key, "protected": False, "title": {}, "questions": []}
                        blocks.append(current)
                    current["questions"].append(question)
            elif row.cells:
                self._problem(row, "type", _("the row has no type"), _("state one"))
        for row in open_groups:
            self._problem(row, "type", _("the group is never closed"), _("end it with end_group"))
        parts = list(split_scale_blocks(blocks))
        for key in (part["key"] for part in parts if not part["questions"]):
            self.notes.left_out("survey", _("the group %(key)s keeps no question") % {"key": key})
        return [part for part in parts if part["questions"]]

    def _block(
        self, row: Row, before: list[dict[str, Any]], keys: Mapping[str, str], *, repeat: bool
    ) -> dict[str, Any]:
        cells = row.cells
        for header in cells:
            if split_header(header)[0] not in _GROUP_COLUMNS:
                self.notes.left_out(cell_name("survey", row.number, header), _("a part has nothing like it"))
        if repeat:
            self.notes.left_out(
                cell_name("survey", row.number, "type"), _("a part is asked once, and never repeated")
            )
        if "name" not in cells:
            self._problem(row, "name", _("the group has no name"), _("give it one"))
        block: dict[str, Any] = {
            "key": cells.get("sotto_key") or cells.get("name", ""),
            "protected": False,
            "title": texts_of(cells, "label", default=self.default),
            "questions": [],
        }
        help_text = texts_of(cells, "sotto_help", default=self.default)
        if help_text:
            block["help"] = help_text
        members = own_members(GROUP, row, "survey", self.notes)
        if members.get("protected"):
            block |= _OF_PROTECTED
        else:
            members = {name: value for name, value in members.items() if name not in _NOT_OPEN}
        block |= members
        if "relevant" in cells:
            condition = condition_of(cells["relevant"], before, keys, row=row, notes=self.notes)
            if condition is not None:
                block["asked_if"] = condition
        return block

    def _problem(self, row: Row, column: str, message: str, remedy: str) -> None:
        self.notes.problems.add(cell_name("survey", row.number, column), message, remedy)


def _judge(sheets: dict[str, Sheet], notes: Notes) -> None:
    """Let pyxform say whether the workbook is an XLSForm."""
    # Imported here: it takes half a second, and most processes never read a form.
    from pyxform.errors import PyXFormError
    from pyxform.xls2xform import convert

    form = {name: [dict(row.cells) for row in sheets[name].rows] for name in SHEETS if name in sheets}
    try:
        convert(xlsform=form, form_name="form")
    except PyXFormError as error:
        notes.problems.add("survey", str(error), _("mend the form there"))
    except Exception as error:
        # It fails in ways of its own on forms that it does not foresee.
        notes.problems.add(
            "survey",
            _("pyxform stopped with %(error)s") % {"error": type(error).__name__},
            _("try the form in another XLSForm program, and mend what that reports"),
        )
