"""Read the inputs of a release: hierarchies of columns, and the open answers of a survey."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from anonymisation.microdata.config import ReleaseConfig
from anonymisation.microdata.hierarchies import (
    CLASSIFICATIONS,
    groups_known,
    hierarchy_of_file,
    paths_hierarchy,
)
from privacy.scales.window import NumberRange, WindowChannel
from privacy.sdc.hierarchy import (
    Hierarchy,
    ends_hierarchy,
    flat_hierarchy,
    interval_hierarchy,
    prefix_hierarchy,
)
from privacy.sdc.table import Table
from privacy.survey.design import Design, Question
from privacy.survey.layout import Layout, Record
from surveys.errors.error import SurveyError
from surveys.imports.table import ReadColumn, ReadTable
from surveys.models import Survey
from surveys.runs.snapshot import batches_open_to_mining

_LONGEST_NAME: Final = 100
_NUMBERS_ROWS: Final = re.compile(
    r"column \d+|unnamed: \d+|\.\.\.\d+|x|index|__index_level_0__|row(_?names?|_?numbers?|_?id)?"
)
"""Names of the first column of tables that R and pandas write."""


def columns_named(table: ReadTable) -> ReadTable:
    """Return the table with a name of its own for every column.

    A column without a name is called by its place, a name that is used again gets a number, and a name that
    is too long is cut and kept as the label.

    Examples
    --------
    >>> columns_named(ReadTable.of_rows(["", "age", "age"], [["1", "20", "21"]])).header
    ['column 1', 'age', 'age (2)']
    """
    taken, given, columns = set(), set(table.header), []
    for place, column in enumerate(table.columns, 1):
        base = column.name[:_LONGEST_NAME] or f"column {place}"
        name, again = base, 1
        while name in taken or (name != column.name and name in given):
            again += 1
            name = f"{base} ({again})"
        taken.add(name)
        label = column.label or ("" if len(column.name) <= _LONGEST_NAME else column.name)
        columns.append(replace(column, name=name, label=label))
    return replace(table, columns=tuple(columns))


def numbers_rows(column: ReadColumn) -> bool:
    """Return whether a column only numbers the rows, from 0 or 1.

    Examples
    --------
    >>> [numbers_rows(ReadTable.of_rows([name], ["1", "2", "3"]).columns[0]) for name in ("column 1", "age")]
    [True, False]
    """
    if not _NUMBERS_ROWS.fullmatch(column.name.lower()) or len(column.values) < len(column.codes):
        return False
    return any(column.values == tuple(map(str, range(first, first + len(column.values)))) for first in (0, 1))


def hierarchy_read(name: str, path: Path) -> Hierarchy:
    """Read a hierarchy from a file, as rows or as indented text."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SurveyError("file.hierarchy", str(path), path=path, name=name) from error
    return hierarchy_of_file(name, path.name, raw)


def hierarchies_read(table: Table, config: ReleaseConfig) -> dict[str, Hierarchy]:
    """Read or build the hierarchies that a configuration asks for, and check that each covers all values.

    Raises
    ------
    PrivacyError
        Naming column and values, before any work has started.
    """
    missing_texts = {rule.name: rule.missing_texts for rule in config.rules}
    hierarchies = {}
    for column in (*table.quasi_identifiers, *table.sensitive):
        rule = config.hierarchies.get(column.name)
        if rule is None:
            continue
        missing = missing_texts[column.name]
        if rule.tree is not None:
            tree = rule.tree.for_values(column.values)
        elif rule.file is not None:
            tree = hierarchy_read(column.name, rule.file)
        elif rule.builder == "flat":
            tree = flat_hierarchy(column.name, column.values)
        elif rule.builder in CLASSIFICATIONS:
            groups = groups_known(column.name, column.values, rule.builder)
            if groups is None:
                raise SurveyError("hierarchy.unknown", rule.builder, name=column.name)
            tree = paths_hierarchy(column.name, groups)
        elif rule.builder == "prefix":
            tree = prefix_hierarchy(column.name, column.values)
        elif rule.ends:
            tree = ends_hierarchy(column.name, column.values, rule.ends, missing=missing)
        else:
            tree = interval_hierarchy(
                column.name, column.values, rule.widths, origin=rule.origin, missing=missing
            )
        tree.for_values(column.values)
        hierarchies[column.name] = tree
    return hierarchies


SKIPPED = "(skipped)"
UNANSWERED = "(not answered)"


def open_answers(slug: str, config: ReleaseConfig) -> tuple[list[str], list[list[str]], list[str]]:
    """Return header, rows and respondents of a survey that can no longer grow.

    A respondent is the place of a row in its batch: batches never change, so releases of one survey can be
    compared although no one knows whose row it is. Rows of the direct group hold true answers to protected
    questions; they are left out.

    Raises
    ------
    PrivacyError
        For an unknown, practice or unfinished survey, rows that do not have their digest, and roles that
        contradict the design.
    """
    design, header, rows, respondents = survey_answers(slug)
    _check_roles(design, config)
    return header, rows, respondents


def survey_answers(slug: str) -> tuple[Design, list[str], list[list[str]], list[str]]:
    """Return design, header, rows and respondents of a survey that can no longer grow, for any roles.

    Raises
    ------
    PrivacyError
        As `open_answers`.
    """
    survey = Survey.objects.filter(slug=slug).first()
    if survey is None:
        raise SurveyError("survey.unknown", slug)
    if survey.practice:
        raise SurveyError("survey.practice", slug)
    if not survey.settled:
        raise SurveyError("survey.growing", slug)
    version = survey.versions.order_by("-number").first()
    if version is None:
        raise SurveyError("survey.unpublished", slug)
    design = Design.from_json(version.design)
    layout = Layout(design)
    records, respondents = [], []
    for batch in batches_open_to_mining(version):
        packed = bytes(batch.packed)
        if hashlib.sha256(packed).hexdigest() != batch.digest:
            raise SurveyError("survey.damaged", batch.pk, slug=slug)
        for row in range(len(packed) // layout.n_bytes):
            record = layout.unpack(packed[row * layout.n_bytes : (row + 1) * layout.n_bytes])
            if not record.direct:
                records.append(record)
                respondents.append(f"{batch.pk}:{row}")
    header, rows = table_of(design, records)
    return design, header, rows, respondents


def columns_of(design: Design) -> list[tuple[str, bool]]:
    """Return the columns of a survey's answers, each with whether the device disguised it."""
    return [
        (name, block.protected)
        for block in design.blocks
        for question in block.questions
        for name in _names(question)
    ]


def _check_roles(design: Design, config: ReleaseConfig) -> None:
    roles = {rule.name: rule.role for rule in config.rules}
    for name, protected in columns_of(design):
        role = roles.get(name, "identifier")
        if protected and role not in ("disguised", "identifier"):
            raise SurveyError("role.disguised", name, role=role)
        if not protected and role == "disguised":
            raise SurveyError("role.open", name)


def _names(question: Question) -> list[str]:
    if question.kind == "multi":
        return [f"{question.key}={option}" for option in question.options]
    return [question.key]


def table_of(design: Design, records: list[Record]) -> tuple[list[str], list[list[str]]]:
    """Write records as texts: option keys, yes and no, or the index drawn for a number or place.

    A number that is stored as answered is written as the number, or as the ends of its bin. A multi-select
    question has a column for each option.
    """
    header = [name for question in design.questions for name in _names(question)]
    return header, [list(_cells(design, record)) for record in records]


def _cells(design: Design, record: Record) -> Iterator[str]:
    """Yield the texts of a record, in the order of the header."""
    for block, answers, refused in zip(design.blocks, record.answers, record.refused, strict=True):
        for question, value in zip(block.questions, answers, strict=True):
            if value is None:
                yield from [SKIPPED if refused else UNANSWERED] * len(_names(question))
            elif isinstance(value, tuple):
                yield from ("yes" if chosen else "no" for chosen in value)
            elif isinstance(question.disguise, WindowChannel) and question.disguise.is_as_answered:
                yield _bin_text(question.disguise.range, value)
            elif question.disguise is not None:
                # The output of its law, by number, as in the export: no answer has it for a name.
                yield str(value)
            elif question.kind == "yes_no":
                yield "yes" if value else "no"
            else:
                yield question.options[value]


def _bin_text(ticks: NumberRange, value: int) -> str:
    """Write a bin as the number it holds, or as both ends."""
    low = ticks.low + value * ticks.bin
    high = low + ticks.bin - 1
    return ticks.text(low) if low == high else f"{ticks.text(low)}..{ticks.text(high)}"
