"""Titles and wordings of a release: from its survey, or from the name of an uploaded file."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from django.utils.translation import override

from anonymisation.microdata.description import description_read
from anonymisation.microdata.labelled import Background, Wording
from anonymisation.models import Deposit
from privacy.survey.design import Design
from surveys.export.codebook import Entry, entries_of
from surveys.models import Survey

__all__ = ["deposit_background", "survey_background"]

# A file of rows has digits where a table of answers has words.
_WORDS: Final = {"1": "yes", "0": "no"}


def deposit_background(deposit: Deposit) -> Background:
    """Return what is known about the table of a release."""
    known = (
        Background(title=PurePath(deposit.name).stem)
        if deposit.survey is None
        else survey_background(deposit.survey)
    )
    return replace(known, description=description_read(deposit.description))


def survey_background(survey: Survey) -> Background:
    """Return the title of a survey and the question and answers of each column."""
    version = survey.versions.latest("number")
    # Files are in English: their reader need not be the person who asked. Questions come in every language.
    with override("en"):
        entries = entries_of(version, Design.from_json(version.design), with_group=False)
    return Background(
        title=next(iter(survey.title.values())),
        columns={
            column: _wording(list(lines))
            for column, lines in itertools.groupby(entries, key=lambda entry: entry.column)
        },
    )


def _wording(lines: list[Entry]) -> Wording:
    first = lines[0]
    options = first.kind in ("yes_no", "multi")
    answers = {_WORDS[line.value] if options else line.value: line.meaning for line in lines}
    if first.kind == "multi":
        answers["no"] = {"": "not chosen"}
    return Wording(question=first.question, answers=answers)
