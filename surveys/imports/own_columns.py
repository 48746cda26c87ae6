"""Sottovoce's own columns of an XLSForm: the member of a definition that each holds, and how it is read
there.

Other programs leave these columns alone. They are described in docs/definition.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from privacy.coins import SCALE
from surveys.errors.error import shown
from surveys.imports.workbook import Notes, Row, cell_name
from surveys.questionnaire.arms import EXPLANATIONS, WORDINGS
from surveys.questionnaire.panel import PANEL
from surveys.questionnaire.ready_parts import RIGHT

__all__ = ["GROUP", "QUESTION", "SETTINGS", "own_members"]

_CHANCE: Final = re.compile(r"[0-9]{0,6}\.?[0-9]{1,12}", re.ASCII)
_COUNT: Final = re.compile(r"[0-9]{1,4}", re.ASCII)
_EPSILON: Final = re.compile(r"[0-9]{1,2}(\.[0-9]{1,12})?", re.ASCII)
_ROTATION: Final = re.compile(r"([0-9]{1,4}) of (.+)", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Notation:
    """How a cell states the value of a member.

    Parameters
    ----------
    read : callable
        Raises `ValueError` for a text that is none.
    wrong, remedy : str
        What is said of such a text, translated where it is said.
    """

    read: Callable[[str], Any]
    wrong: Any = ""
    remedy: Any = ""


class OwnColumn(NamedTuple):
    """A column, the member that it holds, and how."""

    name: str
    member: str
    notation: Notation


def _matched(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    match = pattern.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return match


def _parts(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split("|")]


def _yes_or_no(text: str) -> bool:
    if text.lower() not in ("yes", "no", "true", "false"):
        raise ValueError(text)
    return text.lower() in ("yes", "true")


def _chance(text: str) -> int:
    number = Decimal(_matched(_CHANCE, text)[0]) * SCALE
    if number != int(number) or number > SCALE:
        raise ValueError(text)
    return int(number)


def _count(text: str) -> int:
    return int(_matched(_COUNT, text)[0])


def _rotations(text: str) -> list[dict[str, Any]]:
    matches = [_matched(_ROTATION, part) for part in _parts(text)]
    return [{"blocks": match[2].split(), "parts_per_person": int(match[1])} for match in matches]


_TEXT: Final = Notation(read=str)
_YES_NO: Final = Notation(
    read=_yes_or_no,
    wrong=_("%(text)s is no answer"),
    remedy=_("say yes or no"),
)
_ONE_CHANCE: Final = Notation(
    read=_chance,
    wrong=_("%(text)s is no chance"),
    remedy=_("write one from 0 to 1 with at most four decimals, such as 0.5"),
)
_CHANCES: Final = Notation(
    read=lambda text: [_chance(part) for part in text.replace(";", " ").split()],
    wrong=_("%(text)s is no chance"),
    remedy=_("write chances from 0 to 1, one for each option, with blanks between them"),
)
_LIGHT_EPSILON: Final = Notation(
    read=lambda text: {"epsilon": float(_matched(_EPSILON, text)[0])},
    wrong=_("%(text)s is no epsilon"),
    remedy=_("write a number, such as 4.5"),
)
_ITEMS: Final = Notation(
    read=lambda text: [part.split() for part in _parts(text)],
)
_PER_PERSON: Final = Notation(
    read=_count,
    wrong=_("%(text)s is no number of questions"),
    remedy=_("write how many each person is asked, such as 4"),
)
_BOOKLETS: Final = Notation(
    read=lambda text: [[_count(number) - 1 for number in part.split()] for part in _parts(text)],
    wrong=_("%(text)s lists no sets of questions"),
    remedy=_("write places of questions in the group, from 1 on: 1 2 3 4 | 1 2 5 6"),
)
_ROTATIONS: Final = Notation(
    read=_rotations,
    wrong=_("%(text)s is no rotation of parts"),
    remedy=_("write how many of which parts each person gets: 2 of money health work"),
)
_BY_ARM: Final = Notation(
    read=json.loads,
    wrong=_("%(value)s gives no texts by arm"),
    remedy=_('write {"question": …, "texts": {"arm": {"en": "…"}, …}}'),
)

GROUP: Final = (
    OwnColumn("sottovoce_protected", "protected", _YES_NO),
    OwnColumn("sottovoce_truth_probability", "truth_probability", _ONE_CHANCE),
    OwnColumn("sottovoce_refusal", "refusal", _ONE_CHANCE),
    OwnColumn("sottovoce_exclusive", "exclusive", _ITEMS),
    OwnColumn("sottovoce_light", "light", _ONE_CHANCE),
    OwnColumn("sottovoce_light_epsilon", "light", _LIGHT_EPSILON),
    OwnColumn("sottovoce_questions_per_person", "questions_per_person", _PER_PERSON),
    OwnColumn("sottovoce_booklets", "booklets", _BOOKLETS),
)
QUESTION: Final = (
    OwnColumn("sottovoce_unrelated", "unrelated", _CHANCES),
    OwnColumn("sottovoce_prevalence", "prevalence", _CHANCES),
    OwnColumn("sottovoce_shares", "shares", _CHANCES),
    OwnColumn("sottovoce_wordings", WORDINGS, _BY_ARM),
    OwnColumn("sottovoce_right", RIGHT, _TEXT),
    OwnColumn("appearance", "appearance", _TEXT),
    OwnColumn("sottovoce_known", "known", _YES_NO),
)
SETTINGS: Final = (
    OwnColumn("sottovoce_practice", "practice", _YES_NO),
    OwnColumn("sottovoce_group_policy", "group.policy", _TEXT),
    OwnColumn("sottovoce_time_zone", "time_zone", _TEXT),
    OwnColumn("sottovoce_light", "group.light", _YES_NO),
    OwnColumn("sottovoce_invited", "invited", _TEXT),
    OwnColumn("sottovoce_direct_share", "group.direct_share", _ONE_CHANCE),
    OwnColumn("sottovoce_rotations", "rotations", _ROTATIONS),
    OwnColumn("sottovoce_explanations", EXPLANATIONS, _BY_ARM),
    OwnColumn("sottovoce_series", "series", _TEXT),
    OwnColumn("sottovoce_panel", PANEL, _TEXT),
    OwnColumn("sottovoce_opens_at", "opens_at", _TEXT),
    OwnColumn("sottovoce_closes_at", "closes_at", _TEXT),
    OwnColumn("sottovoce_delete_on", "delete_on", _TEXT),
)


def own_members(columns: Iterable[OwnColumn], row: Row, sheet: str, notes: Notes) -> dict[str, Any]:
    """Return the members that a row states; note cells that cannot be read, by sheet, row and column."""
    members = {}
    for column in columns:
        if column.name not in row.cells:
            continue
        text, notation = row.cells[column.name], column.notation
        try:
            members[column.member] = notation.read(text)
        except ValueError:
            where = cell_name(sheet, row.number, column.name)
            # A sentence of the definition's own reader names a value.
            said = dict.fromkeys(("text", "value"), shown(text))
            notes.problems.add(where, notation.wrong % said, str(notation.remedy))
    return members
