"""Background of a deposit's codebook: of a survey its questions, of an upload its name."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from django.utils.translation import override

from privacy.survey.design import Design
from releases.microdata.archive_codebook import Background, Wording
from releases.microdata.description import Description, description_read
from releases.models import Deposit
from surveys.export.codebook import Entry, entries_of
from surveys.export.ddi import marks_of, study_of, universes
from surveys.models import Survey

__all__ = ["deposit_background", "survey_background"]

# A file of rows has digits where a table of answers has words.
_WORDS: Final = {"1": "yes", "0": "no"}


def deposit_background(deposit: Deposit) -> Background:
    """Return what is known of a deposit's table."""
    known = (
        Background.titled(PurePath(deposit.name).stem)
        if deposit.survey is None
        else survey_background(deposit.survey)
    )
    return replace(known, description=_description(deposit))


def _description(deposit: Deposit) -> Description | None:
    version, before = 1, deposit.earlier
    while before is not None:
        version, before = version + 1, before.earlier
    replaces = "" if deposit.earlier is None else deposit.earlier.description.get("doi", "")
    return description_read(deposit.description, version=version, replaces=replaces)


def survey_background(survey: Survey) -> Background:
    """Return what is known of the answers of a survey: its study, and of each column question and law."""
    version = survey.versions.latest("number")
    design = Design.from_json(version.design)
    # Files are in English: their reader need not be who asked for them. Questions come in every language.
    with override("en"):
        entries = entries_of(version, design, with_group=False)
        # Rows of those who are lightly disguised, or not at all, stay out: the first law is that of the rest.
        marks = {part: own[:1] for part, own in marks_of(design).items()}
        universe_of = {block.key: tuple(universes(design, block)) for block in design.blocks}
        study = study_of(
            survey,
            version,
            design,
            versions=(
                ("design", f"SHA-256 of the design: {version.design_id}"),
                ("wording", f"SHA-256 of the wording: {version.wording_id}"),
            ),
        )
    return Background(
        study=study,
        columns={
            column: _wording(list(lines), marks, universe_of)
            for column, lines in itertools.groupby(entries, key=lambda entry: entry.column)
        },
    )


def _wording(
    lines: list[Entry], marks: dict[str, tuple[str, ...]], universe_of: dict[str, tuple[str, ...]]
) -> Wording:
    first = lines[0]
    options = first.kind in ("yes_no", "multi")
    answers = {_WORDS[line.value] if options else line.value: line.meaning for line in lines}
    if first.kind == "multi":
        answers["no"] = {"": "not chosen"}
    return Wording(
        question=first.question,
        answers=answers,
        universes=universe_of.get(first.block, ()),
        processing=marks.get(first.block, ()),
    )
