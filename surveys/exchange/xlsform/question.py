"""One row of the sheet *survey* that asks something."""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.errors.error import shown
from surveys.imports.choices import Choices
from surveys.imports.columns import split_header, texts_of
from surveys.imports.own_columns import QUESTION, own_members
from surveys.imports.scale_questions import COLUMN, TYPES, look_members, reads, scale_members
from surveys.imports.workbook import Notes, Row, cell_name
from surveys.questionnaire.arms import ARM
from surveys.questionnaire.block_definition import RATING
from surveys.questionnaire.sensitive import OF_DISGUISED, even_chances
from surveys.questionnaire.tables import MATRIX

# By what XLSForm calls them.
_LOOKS: Final = {"likert": RATING, "list-nolabel": MATRIX}
_SELECT: Final = re.compile(
    r"(?P<how>select[ _]one|select[ _]multiple|select all that apply|select1)(?: from)? (?P<list>\S+)"
    r"(?P<other> or[ _](?:specify[ _])?other)?",
    re.IGNORECASE,
)
# What an app would write down by itself: who, when and where.
_TRACES: Final = frozenset(
    {"start", "end", "today", "deviceid", "phonenumber", "username", "email", "audit", "simserial"}
    | {"subscriberid", "start-geopoint", "background-geopoint", "background-audio"}
)
# Types that name a list, a file or tags behind them.
_LISTED: Final = re.compile(r"(select (one|multiple|all)|select1|osm|begin|end)\b")
_COLUMNS: Final = frozenset({"type", "name", "label", "hint", "sotto_key"}).union(
    column.name for column in QUESTION if column.name != "appearance"
)


@dataclass
class QuestionReader:
    """Reads questions, each key once.

    Parameters
    ----------
    choices : Choices
    default : str
        The language of columns that name none.
    notes : Notes
    keys : dict of str to str
        Keys of the questions so far, by their names in the form.
    """

    choices: Choices
    default: str
    notes: Notes
    keys: dict[str, str] = field(default_factory=dict)
    _rows: dict[str, int] = field(default_factory=dict)

    def question(self, row: Row, kind: str, *, protected: bool) -> dict[str, Any] | None:
        """Return the question of a row, or None after noting why there is none."""
        select = _SELECT.fullmatch(kind)
        if kind.split()[0].lower() in TYPES:
            return self._scale(row, kind.split()[0].lower())
        if select is None:
            self._leave_type(row, kind)
            return None
        options = self._options(row, select["list"])
        key = self._key(row)
        if options is None or key is None:
            return None
        if select["other"]:
            self._leave(row, "type", _("options are fixed: “other” is left out"))
        members = own_members(QUESTION, row, "survey", self.notes)
        look = _LOOKS.get(members.pop("appearance", ""))
        self._leave_columns(row, known=lambda column: column == "appearance" and look is not None)
        if "shares" in members:
            return _arms(key, options, members["shares"])
        how = select["how"].lower()
        multi = "multiple" in how or "all" in how
        is_yes_no = not multi and sorted(option["key"].lower() for option in options) == ["no", "yes"]
        shape = "multi" if multi else "yes_no" if is_yes_no else "single"
        question: dict[str, Any] = {
            "key": key,
            "kind": shape,
            "text": texts_of(row.cells, "label", default=self.default),
        }
        help_text = texts_of(row.cells, "hint", default=self.default)
        if help_text:
            question["help"] = help_text
        if shape != "yes_no":
            question["options"] = options
        if look is not None and (shape == "single" or (look == MATRIX and shape == "yes_no")):
            question["look"] = look
        if protected:
            even = even_chances(shape, len(options))
            return question | {"unrelated": even} | members
        for member in OF_DISGUISED:
            if members.pop(member, None) is not None:
                self._leave(row, f"sotto_{member}", _("the part is open: its answers are sent as they are"))
        return question | members

    def _scale(self, row: Row, kind: str) -> dict[str, Any] | None:
        """Return a number or a place; the reader gives it a block of its own."""
        key = self._key(row)
        if key is None:
            return None
        self._leave_columns(row, known=lambda column: column == COLUMN or reads(row, column))
        question = {
            "key": key,
            "text": texts_of(row.cells, "label", default=self.default),
            **scale_members(row, kind, self.notes),
            **look_members(row, kind),
        }
        help_text = texts_of(row.cells, "hint", default=self.default)
        return question | ({"help": help_text} if help_text else {})

    def _options(self, row: Row, name: str) -> list[dict[str, Any]] | None:
        if name not in self.choices:
            self.notes.problems.add(
                cell_name("survey", row.number, "type"),
                _("the sheet choices has no list %(name)s") % {"name": shown(name)},
                _("write the list, or name one that is there"),
            )
            return None
        return copy.deepcopy(self.choices[name])

    def _key(self, row: Row) -> str | None:
        name = row.cells.get("name")
        key = row.cells.get("sotto_key") or name
        where = cell_name("survey", row.number, "name")
        if key is None or name is None:
            self.notes.problems.add(where, _("the question has no name"), _("give it one"))
            return None
        if key in self._rows:
            self.notes.problems.add(
                where,
                _("%(key)s is the name of row %(row)s too") % {"key": shown(key), "row": self._rows[key]},
                _("give each question a name of its own"),
            )
            return None
        self._rows[key] = row.number
        self.keys[name] = key
        return key

    def _leave_type(self, row: Row, kind: str) -> None:
        if not _is_type(kind):
            # Left out, it would be missed only where a later row refers to it.
            self.notes.problems.add(
                cell_name("survey", row.number, "type"),
                _("%(kind)s is no type of XLSForm") % {"kind": shown(kind)},
                _("write select_one, select_multiple or another one; mind the spelling"),
            )
            return
        if kind.split()[0].lower() in _TRACES:
            why = _("%(kind)s: Sotto records no time, no place and no device")
        else:
            why = _(
                "%(kind)s: questions are yes or no, one or several of some, an order, a number or a place"
            )
        self._leave(row, "type", why % {"kind": kind})

    def _leave_columns(self, row: Row, *, known: Callable[[str], bool]) -> None:
        for header in row.cells:
            column = split_header(header)[0]
            if column in _COLUMNS or known(column):
                continue
            if column == "relevant":
                self._leave(row, header, _("whole parts can wait for an answer, single questions cannot"))
            elif column == "required":
                self._leave(row, header, _("open questions may be left empty, disguised ones need an answer"))
            else:
                self._leave(row, header, _("a question has nothing like it"))

    def _leave(self, row: Row, column: str, why: str) -> None:
        self.notes.left_out(cell_name("survey", row.number, column), why)


def _is_type(kind: str) -> bool:
    """Return whether XLSForm knows a type, whatever Sotto makes of it."""
    # Imported here: it takes half a second, and most forms name nothing that Sotto does not know.
    from pyxform.question_type_dictionary import QUESTION_TYPE_DICT

    words = kind.lower().replace("_", " ")
    return bool(_LISTED.match(words)) or words in {
        name.lower().replace("_", " ") for name in QUESTION_TYPE_DICT
    }


def _arms(key: str, options: list[dict[str, Any]], shares: list[int]) -> dict[str, Any]:
    """Return a question of arms; shares that are too few are found by the check of the definition."""
    padded = itertools.chain(shares, itertools.repeat(0))
    arms = [{"key": option["key"], "share": share} for option, share in zip(options, padded, strict=False)]
    return {"key": key, "kind": ARM, "options": arms}
