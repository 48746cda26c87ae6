"""Notes that a file of rows carries for its readers: the disguise, missing values, the run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from privacy.survey.design import Design
from surveys.models import Run
from surveys.report.export.disguise_laws import laws_of
from surveys.report.export.row_columns import RowColumn, columns_of, lists_of
from surveys.report.export.variables import (
    NOT_ANSWERED,
    NOT_ASKED,
    NOT_DRAWN,
    SKIPPED_CODE,
    STATA_CODES,
    Variable,
)
from surveys.report.run_facts import english_rules
from surveys.respondent.survey_digests import survey_digest
from surveys.runs.look import look_of
from surveys.runs.look_words import look_text

WARNING: Final = (
    "The answers to protected questions in this file are randomly disguised. A share, mean or table computed "
    "directly from them does not describe the respondents. Sottovoce's report and its Python package correct "
    "for the disguise and give each figure with its error."
)

_REASONS: Final = {
    NOT_ASKED: "not asked",
    SKIPPED_CODE: "skipped",
    NOT_ANSWERED: "not answered",
    NOT_DRAWN: "not drawn by the device",
}


def file_notes(run: Run, design: Design, variables: tuple[Variable, ...]) -> tuple[str, ...]:
    """Return the paragraphs of a file's notes, in English like the whole export."""
    laws = [f"Part {name}: {text}" for name, text in laws_of(design)]
    notes = [
        f"Part {block.key}: not protected. Answers are stored as given."
        for block in design.blocks
        if not block.protected
    ]
    if design.sends_undisguised:
        notes.append("Rows of the group “direct” are stored as given, in protected parts too.")
    practice = ["Practice data: nothing was promised to anyone, and none of it may be published."]
    rules = english_rules(run.version, design)
    names = {variable.column: variable.name for variable in variables}
    return (
        *((WARNING,) if design.protects else ()),
        *(practice if run.survey.practice else ()),
        *filter(None, [look_text(look_of(run))]),
        *laws,
        *(f"Column {key}: {' '.join(rule.lines)}" for key, rule in rules.items()),
        *list_notes(columns_of(design, run.version.wording, with_group=False), names),
        *notes,
        _reasons(variables),
        f"Survey {run.survey.slug}, version {run.version.number}, run {run.pk}.",
        f"Code of the survey, as printed in letters: {survey_digest(run.version)}",
        f"Design {run.design_id}",
        f"Wording {run.version.wording_id}",
        f"Snapshot {run.snapshot_digest}",
        *(
            f"{variable.name} is the column {variable.column}."
            for variable in variables
            if variable.name != variable.column
        ),
    )


def list_notes(columns: Iterable[RowColumn], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return a paragraph for each list of yes/no questions: its columns, and the text above them.

    Parameters
    ----------
    columns : iterable of RowColumn
    names : mapping of str to str
        Names in the file by column. Columns without a name are not in the file.
    """
    notes = []
    for stem, listed in lists_of(columns):
        present = [names[column.name] for column in listed if column.name in names]
        if present:
            text = next(iter(stem["text"].values()), "")
            notes.append(
                f"List {stem['key']} (“{text}”), one yes/no column for each line: {', '.join(present)}."
            )
    return tuple(notes)


def _reasons(variables: tuple[Variable, ...]) -> str:
    codes = sorted({code for variable in variables for code in variable.missing})
    if not codes:
        return "No answer is missing in this file."
    reasons = ", ".join(f"{code} (in Stata .{STATA_CODES[code]}) {_REASONS[code]}" for code in codes)
    skip_note = " “Skipped” of a protected part is disguised too." if SKIPPED_CODE in codes else ""
    return f"Why an answer is missing: {reasons}.{skip_note}"
