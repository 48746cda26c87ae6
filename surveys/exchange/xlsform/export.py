"""A definition as a file: Sotto's own JSON, which keeps everything, and XLSForm, which does not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import override

from privacy.survey.design import Block, Condition, Conditions, Question
from surveys.exchange.xlsform.columns import XML_NAME, language_header
from surveys.exchange.xlsform.own_columns import BOOKLETS, GROUP, QUESTION, SETTINGS, own_cells
from surveys.exchange.xlsform.question import APPEARANCES
from surveys.exchange.xlsform.scale_questions import MOST_SIGNS, is_kept_whole, scale_cells
from surveys.exchange.xlsform.workbook import workbook_write
from surveys.questionnaire.definition import ABOUT, OPTIONAL, Definition

_YES_NO: Final = "yes_no"


def definition_file(document: object) -> bytes:
    """Return a draft as a JSON file: exactly the document, to be imported again."""
    return json.dumps(document, ensure_ascii=False, indent=2).encode() + b"\n"


def xlsform_file(definition: Definition) -> bytes:
    """Return a definition as an XLSForm workbook, with a sheet *not_kept* of what `losses_of` yields.

    Sotto reads it back as it was; other programs ask the same questions and disguise nothing.
    """
    return workbook_write(
        {
            "survey": _Survey(definition=definition).rows(),
            "choices": list(_choices(definition)),
            "settings": [_settings(definition)],
            "not_kept": [{"not_kept": line} for line in losses_of(definition)],
        }
    )


def _are_booklets_kept(entry: Mapping[str, Any]) -> bool:
    """Return whether a cell can hold the sets that a part lists; else they are left out."""
    return len(BOOKLETS.write(entry.get("booklets") or ())) <= MOST_SIGNS


def losses_of(definition: Definition) -> Iterator[str]:
    """Yield what other programs would not do with an exported definition."""
    blocks = definition.design.blocks
    for block in blocks:
        if block.protected:
            yield _("%(block)s is disguised by Sotto only: other programs send its answers as they are") % {
                "block": block.key
            }
            if block.refusal is not None:
                yield _(
                    "%(block)s can be skipped as a whole, and the skip is disguised: not in other programs"
                ) % {"block": block.key}
            if block.is_rotating:
                yield _(
                    "%(block)s asks each person some of its questions: other programs ask all of them"
                ) % {"block": block.key}
    for block in definition.document["blocks"]:
        if not _are_booklets_kept(block):
            yield _(
                "%(block)s: its sets of questions are longer than a cell can be; all sets take their place"
            ) % {"block": block["key"]}
        for question in block["questions"]:
            if question["kind"] == "place" and not is_kept_whole(question):
                yield _("%(question)s: weights and outline of its map are longer than a cell can be") % {
                    "question": question["key"]
                }
    if any("help" in block for block in definition.wording["blocks"]):
        yield _("help texts of parts: other programs do not show them")
    if definition.design.group.policy != "protected":
        yield _("two groups, one less disguised than the other: other programs have none")
    if definition.design.arms:
        yield _("the arms of an experiment: other programs ask for them, and show everybody one text")
    if definition.design.rotations:
        yield _("of some parts each person gets a few: other programs ask all of them")
    yield _("who asks, why and how long answers are kept: other programs do not show it")
    if definition.schedule.opens_at or definition.schedule.closes_at:
        yield _("opening and closing times: other programs do not know them")
    if definition.schedule.delete_at:
        yield _("the day on which all answers are deleted: other programs do not delete them")


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
        row |= _in_languages("label", wording["title"]) | _in_languages("sotto_help", wording.get("help"))
        if block.asked_if is not None:
            row["relevant"] = self._relevant(block.asked_if)
        members = {**entry, "protected": block.protected or None, "refusal": block.refusal}
        if not block.protected:
            del members["refusal"]
            members.pop("truth_probability", None)
        if not _are_booklets_kept(entry):
            del members["booklets"]
        return row | own_cells(GROUP, members)

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
            scale_cells(question, stated) if question.is_scale else {"type": f"{how} {_list_name(question)}"}
        )
        row = {**kind, **self._named("question", question.key)}
        row |= _in_languages("label", wording["text"]) | _in_languages("hint", wording["help"])
        appearance = APPEARANCES.get(wording.get("look", ""))
        members = {**stated, "shares": list(question.shares), "appearance": appearance}
        return row | own_cells(QUESTION, members)

    def _named(self, kind: str, key: str) -> dict[str, str]:
        # Names are those of XML elements, and a group and a question cannot share one.
        plain = key if XML_NAME.fullmatch(key) else f"{kind}_{re.sub('[^A-Za-z0-9_.-]', '_', key)}"
        name, number = plain, 1
        while name in self._names.values():
            number += 1
            name = f"{plain}_{number}"
        self._names[kind, key] = name
        return {"name": name} if name == key else {"name": name, "sotto_key": key}


def _list_name(question: Question) -> str:
    return _YES_NO if question.kind == "yes_no" else f"{question.key}_options"


def _choices(definition: Definition) -> Any:
    questions = definition.design.questions
    wordings = [words for block in definition.wording["blocks"] for words in block["questions"]]
    if any(question.kind == "yes_no" for question in questions):
        for key in ("yes", "no"):
            label = {tag: _yes_no(key, tag) for tag in definition.languages}
            yield {"list_name": _YES_NO, "name": key, **_in_languages("label", label)}
    for question, words in zip(questions, wordings, strict=True):
        for option in () if question.is_scale else words["options"]:
            yield {
                "list_name": _list_name(question),
                "name": option["key"],
                **_in_languages("label", option["text"]),
            }


def _yes_no(key: str, tag: str) -> str:
    with override(tag):
        return _("Yes") if key == "yes" else _("No")


def _settings(definition: Definition) -> dict[str, str]:
    document, first = definition.document, definition.languages[0]
    row = {
        # The title of an XLSForm has one language.
        "form_title": definition.title[first],
        **_in_languages("sotto_title", definition.title),
        "form_id": definition.slug,
        "default_language": language_header("", first).removeprefix("::"),
    }
    group = {f"group.{name}": value for name, value in document["group"].items()}
    row |= own_cells(SETTINGS, {"time_zone": definition.schedule.time_zone, **document, **group})
    for name in (*ABOUT, *OPTIONAL):
        row |= _in_languages(f"sotto_about_{name}", definition.wording["about"].get(name))
    return row


def _in_languages(column: str, texts: Mapping[str, str] | None) -> dict[str, str]:
    return {language_header(column, tag): text for tag, text in (texts or {}).items()}
