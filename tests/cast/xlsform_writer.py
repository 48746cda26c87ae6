"""A definition as an XLSForm workbook that states all of it in Sottovoce's own columns, to be read back."""

from __future__ import annotations

import json
import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from privacy.coins import SCALE
from privacy.scales.number_range import calendar_tick
from privacy.survey.design import Block, Condition, Conditions, Question
from surveys.imports.own_columns import GROUP, QUESTION, SETTINGS, OwnColumn
from surveys.imports.scale_questions import COLUMN, DATE, MONTHS, RANGE
from surveys.imports.workbook import workbook_write
from surveys.questionnaire.block_definition import RATING
from surveys.questionnaire.definition import ABOUT, OPTIONAL, Definition
from surveys.questionnaire.languages import language_of
from surveys.questionnaire.scale_definition import SLIDER
from surveys.questionnaire.tables import MATRIX

_YES_NO: Final = "yes_no"
_APPEARANCES: Final = {RATING: "likert", MATRIX: "list-nolabel"}
_XML_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*", re.ASCII)


def xlsform_file(definition: Definition) -> bytes:
    """Return a definition as a workbook."""
    return workbook_write(
        {
            "survey": _Survey(definition=definition).rows(),
            "choices": list(_choices(definition)),
            "settings": [_settings(definition)],
        }
    )


def _yes_or_no(value: object) -> str:
    return "yes" if value else "no"


def _chance(ten_thousandths: int) -> str:
    return f"{Decimal(ten_thousandths) / SCALE:f}"


def _chances(chances: Iterable[int]) -> str:
    return " ".join(map(_chance, chances))


def _sets(sets: Iterable[Iterable[object]]) -> str:
    return " | ".join(" ".join(map(str, one)) for one in sets)


def _json(stated: object) -> str:
    return json.dumps(stated, ensure_ascii=False)


_WRITTEN: Final[dict[str, Callable[[Any], str]]] = {
    **dict.fromkeys(("sottovoce_protected", "sottovoce_known", "sottovoce_practice"), _yes_or_no),
    **dict.fromkeys(("sottovoce_truth_probability", "sottovoce_refusal", "sottovoce_direct_share"), _chance),
    **dict.fromkeys(("sottovoce_unrelated", "sottovoce_prevalence", "sottovoce_shares"), _chances),
    **dict.fromkeys(("sottovoce_wordings", "sottovoce_explanations"), _json),
    "sottovoce_light": lambda light: _yes_or_no(light) if isinstance(light, bool) else _chance(light),
    "sottovoce_light_epsilon": lambda light: json.dumps(light["epsilon"]),
    "sottovoce_exclusive": _sets,
    "sottovoce_booklets": lambda sets: _sets([position + 1 for position in one] for one in sets),
    "sottovoce_rotations": lambda rotations: _sets(
        [entry["parts_per_person"], "of", *entry["blocks"]] for entry in rotations
    ),
}


def _own_cells(columns: Iterable[OwnColumn], members: Mapping[str, Any]) -> dict[str, str]:
    cells = {}
    for column in columns:
        value = members.get(column.member)
        # A group's light strength is a chance, or of a number an epsilon; each has a column.
        other = "sottovoce_light" if isinstance(value, dict) else "sottovoce_light_epsilon"
        if value not in (None, [], {}) and column.name != (other if column.member == "light" else ""):
            cells[column.name] = _WRITTEN.get(column.name, str)(value)
    return cells


def _header(column: str, tag: str) -> str:
    return f"{column}::{language_of(tag).name} ({tag})"


def _last_day(month: str) -> str:
    """Return the last day of a month, as ISO 8601 writes it."""
    year, number = divmod(calendar_tick("month", month), 12)
    return f"{month}-{monthrange(year, number + 1)[1]}"


def _scale_cells(question: Question, stated: Mapping[str, Any]) -> dict[str, str]:
    """Return the cells of a number or a place: its type, its range, and what only Sottovoce knows."""
    kind = question.kind
    members = {kind: stated[kind]} | ({"options": stated["options"]} if stated.get("options") else {})
    cells = {COLUMN: json.dumps(members, ensure_ascii=False)}
    if kind == "place":
        return {"type": "geopoint", **cells}
    low, high = stated[kind]["low"], stated[kind]["high"]
    calendar = stated[kind].get("calendar")
    if calendar is not None:
        ends = (low, high) if calendar == "day" else (f"{low}-01", _last_day(high))
        cells["constraint"] = ". >= date('{}') and . <= date('{}')".format(*ends)
        return {"type": DATE, **({"appearance": MONTHS} if calendar == "month" else {}), **cells}
    decimals = stated[kind].get("decimals", 0)
    cells["constraint"] = f". >= {low} and . <= {high}"
    if stated.get("look") == SLIDER:
        step = f"{Decimal(1).scaleb(-decimals):f}"
        return {"type": RANGE, "parameters": f"start={low} end={high} step={step}", **cells}
    return {"type": "decimal" if decimals else "integer", **cells}


@dataclass
class _Survey:
    """Writes the sheet *survey*; keeps the names that an XLSForm knows each thing by."""

    definition: Definition
    _names: dict[tuple[str, str], str] = field(default_factory=dict)

    def rows(self) -> list[dict[str, str]]:
        rows = []
        stated = self.definition.document["blocks"]
        pairs = zip(self.definition.design.blocks, self.definition.wording["blocks"], stated, strict=True)
        for block, wording, entry in pairs:
            rows.append(self._group(block, wording, entry))
            questions = zip(block.questions, wording["questions"], entry["questions"], strict=True)
            rows += [self._question(*question) for question in questions]
            rows.append({"type": "end_group"})
        return rows

    def _group(self, block: Block, wording: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, str]:
        row = {"type": "begin_group", **self._named("block", block.key)}
        row |= _in_languages("label", wording["title"]) | _in_languages("sottovoce_help", wording.get("help"))
        if block.asked_if is not None:
            row["relevant"] = self._relevant(block.asked_if)
        members = {**entry, "protected": block.protected or None, "refusal": block.refusal}
        if not block.protected:
            del members["refusal"]
            members.pop("truth_probability", None)
        return row | _own_cells(GROUP, members)

    def _relevant(self, condition: Condition | Conditions) -> str:
        clauses = []
        for term in condition.terms:
            name = self._names["question", term.question]
            clauses.append(" or ".join(f"${{{name}}} = '{option}'" for option in term.options))
        if len(clauses) == 1 or condition.joined == "any":
            return " or ".join(clauses)
        return " and ".join(f"({clause})" if " or " in clause else clause for clause in clauses)

    def _question(
        self, question: Question, wording: Mapping[str, Any], stated: Mapping[str, Any]
    ) -> dict[str, str]:
        how = "select_multiple" if question.kind == "multi" else "select_one"
        kind = (
            _scale_cells(question, stated) if question.is_scale else {"type": f"{how} {_list_name(question)}"}
        )
        row = {**kind, **self._named("question", question.key)}
        row |= _in_languages("label", wording["text"]) | _in_languages("hint", wording["help"])
        appearance = _APPEARANCES.get(wording.get("look", ""))
        members = {**stated, "shares": list(question.shares), "appearance": appearance}
        return row | _own_cells(QUESTION, members)

    def _named(self, kind: str, key: str) -> dict[str, str]:
        # Names are those of XML elements, and a group and a question cannot share one.
        plain = key if _XML_NAME.fullmatch(key) else f"{kind}_{re.sub('[^A-Za-z0-9_.-]', '_', key)}"
        name, number = plain, 1
        while name in self._names.values():
            number += 1
            name = f"{plain}_{number}"
        self._names[kind, key] = name
        return {"name": name} if name == key else {"name": name, "sottovoce_key": key}


def _list_name(question: Question) -> str:
    return _YES_NO if question.kind == "yes_no" else f"{question.key}_options"


def _choices(definition: Definition) -> Iterator[dict[str, str]]:
    questions = definition.design.questions
    wordings = [words for block in definition.wording["blocks"] for words in block["questions"]]
    if any(question.kind == "yes_no" for question in questions):
        for key in ("yes", "no"):
            label = dict.fromkeys(definition.languages, key)
            yield {"list_name": _YES_NO, "name": key, **_in_languages("label", label)}
    for question, words in zip(questions, wordings, strict=True):
        for option in () if question.is_scale else words["options"]:
            yield {
                "list_name": _list_name(question),
                "name": option["key"],
                **_in_languages("label", option["text"]),
            }


def _settings(definition: Definition) -> dict[str, str]:
    document, first = definition.document, definition.languages[0]
    row = {
        # The title of an XLSForm has one language.
        "form_title": definition.title[first],
        **_in_languages("sottovoce_title", definition.title),
        "form_id": definition.slug,
        "default_language": _header("", first).removeprefix("::"),
    }
    group = {f"group.{name}": value for name, value in document["group"].items()}
    row |= _own_cells(SETTINGS, {"time_zone": definition.schedule.time_zone, **document, **group})
    for name in (*ABOUT, *OPTIONAL):
        row |= _in_languages(f"sottovoce_about_{name}", definition.wording["about"].get(name))
    return row


def _in_languages(column: str, texts: Mapping[str, str] | None) -> dict[str, str]:
    return {_header(column, tag): text for tag, text in (texts or {}).items()}
