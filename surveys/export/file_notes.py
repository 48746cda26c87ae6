"""Notes in a file: that answers are disguised, by which probabilities, and their origin."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from privacy.survey.design import Design
from surveys.export.laws import laws_of
from surveys.export.variables import NOT_ANSWERED, NOT_ASKED, NOT_DRAWN, SKIPPED, STATA_CODES, Variable
from surveys.models import Run
from surveys.respondent.client_documents import survey_digest

__all__ = ["WARNING", "FileKind", "file_notes"]

FileKind: TypeAlias = Literal["zip", "sav", "dta", "xml"]

WARNING: Final = (
    "The answers to protected questions in this file are disguised by chance. A plain share, mean or table "
    "of them is not that of the people. Sottovoce's report, and the script in the ZIP file of the same run, "
    "correct for the disguise and give each figure with its error."
)


_REASONS: Final = {
    NOT_ASKED: "not asked",
    SKIPPED: "skipped",
    NOT_ANSWERED: "not answered",
    NOT_DRAWN: "not drawn by the device",
}


def file_notes(run: Run, design: Design, variables: tuple[Variable, ...]) -> tuple[str, ...]:
    """Return the paragraphs of a file's notes, in English as all of the export."""
    laws = [f"Part {name}: {text}" for name, text in laws_of(design)]
    opened = [
        f"Part {block.key}: not protected. Answers are as they were given."
        for block in design.blocks
        if not block.protected
    ]
    if design.sends_undisguised:
        opened.append("Rows of the group “direct” are as they were given, in protected parts too.")
    practice = ["Practice data: nobody was promised anything, and nothing may be published."]
    return (
        WARNING,
        *(practice if run.survey.practice else ()),
        *laws,
        *opened,
        _reasons(variables),
        f"Survey {run.survey.slug}, version {run.version.number}, run {run.pk}.",
        f"Digest of the survey, as letters name it: {survey_digest(run.version)}",
        f"Design {run.design_id}",
        f"Wording {run.version.wording_id}",
        f"Snapshot {run.snapshot_digest}",
        *(
            f"{variable.name} is the column {variable.column}."
            for variable in variables
            if variable.name != variable.column
        ),
    )


def _reasons(variables: tuple[Variable, ...]) -> str:
    codes = sorted({code for variable in variables for code in variable.missing})
    if not codes:
        return "No answer is missing in this file."
    reasons = ", ".join(f"{code} (in Stata .{STATA_CODES[code]}) {_REASONS[code]}" for code in codes)
    disguised = " “Skipped” of a protected part is disguised too." if SKIPPED in codes else ""
    return f"Why an answer is missing: {reasons}.{disguised}"
