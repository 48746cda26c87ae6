"""Workbooks made for tests."""

from __future__ import annotations

import copy
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import openpyxl

from surveys.imports.form_parsing import form_plain
from surveys.imports.pasted import Reading
from surveys.imports.xlsform import form_read
from surveys.questionnaire.problems import DefinitionError, Problem

Lines = list[list[Any]]

SURVEY: Lines = [
    ["type", "name", "label::English (en)", "label::简体中文 (zh-hans)", "relevant", "sottovoce_protected",
     "sottovoce_truth_probability", "sottovoce_refusal", "sottovoce_unrelated", "sottovoce_prevalence",
     "hint::English (en)", "hint::简体中文 (zh-hans)"],
    ["begin_group", "work", "Your work", "您的工作"],
    ["select_one length", "years", "How long?", "多久？"],
    ["select_one yes_no", "leads", "Do you lead?", "您是否领导？"],
    ["select_multiple place", "place", "Where?", "哪里？", *[None] * 6, "Tick.", "勾选。"],
    ["end_group"],
    ["begin_group", "silence", "Unsaid", "没说", "${leads} = 'yes'", "yes", 0.6, 0.05],
    ["select_one yes_no", "unreported", "Kept?", "隐瞒？", None, None, None, None, 0.4, 0.3],
    ["select_multiple place", "seen", "Seen?", "看到？", None, None, None, None, "0.5 0.4", ".2 .1"],
    ["end_group"],
]  # fmt: skip
CHOICES: Lines = [
    ["list_name", "name", "label::English (en)", "label::简体中文 (zh-hans)"],
    ["yes_no", "yes", "Yes", "是"],
    ["yes_no", "no", "No", "否"],
    ["length", "to-1", "A year", "一年"],
    ["length", "2-on", "Longer", "更久"],
    ["place", "office", "Office", "办公室"],
    ["place", "home", "Home", "家里"],
]
SETTINGS: Lines = [
    ["form_title", "form_id", "default_language", "sottovoce_group_policy"],
    ["Work", "work", "English (en)", "choice"],
]


def workbook(**sheets: Lines) -> bytes:
    """Return a workbook of these sheets."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, lines in sheets.items():
        sheet = book.create_sheet(name)
        for line in lines:
            sheet.append(line)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def form(**changes: Lines) -> bytes:
    """Return the example form, with some sheets replaced; an empty sheet is left out."""
    sheets = {"survey": SURVEY, "choices": CHOICES, "settings": SETTINGS, **changes}
    return workbook(**{name: lines for name, lines in sheets.items() if lines})


def repacked(raw: bytes, change: Callable[[dict[str, bytes]], object]) -> bytes:
    """Return a workbook whose parts were changed as a zip, by name."""
    with zipfile.ZipFile(io.BytesIO(raw)) as before:
        parts = {info.filename: before.read(info) for info in before.infolist()}
    change(parts)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as after:
        for name, part in parts.items():
            after.writestr(name, part)
    return content.getvalue()


def xlsform_read(raw: bytes) -> Reading:
    """Read a form in this process: to start another for each takes longer than to read it."""
    plain, payload = form_plain(raw)
    if "problems" in plain:
        raise DefinitionError([Problem(**problem) for problem in plain["problems"]])
    return form_read(json.loads(payload))


def with_cell(row: int, column: str, value: Any) -> Lines:
    """The example with one cell changed; rows as the workbook counts them."""
    lines = copy.deepcopy(SURVEY)
    if column not in lines[0]:
        lines[0].append(column)
    line = lines[row - 1]
    line += [None] * (len(lines[0]) - len(line))
    line[lines[0].index(column)] = value
    return lines


def short(where: str) -> str:
    """Say "survey 3 type" for "survey, row 3, column type"."""
    return where.replace(", row", "").replace(", column", "")
