"""Write the answers of a survey as the records of a table."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import cast

from privacy.scales.number_range import NumberRange
from privacy.scales.window import WindowChannel
from privacy.survey.design import Design
from privacy.survey.layout import Layout, Record
from surveys.errors.error import SurveyError
from surveys.models import Survey
from surveys.policy import LEAST_PROTECTED
from surveys.runs.snapshot import batches_open_to_mining

SKIPPED_CELL = "(skipped)"
UNANSWERED = "(not answered)"


def survey_answers(slug: str) -> tuple[Design, list[str], list[list[str]], list[str]]:
    """Return design, header, rows and respondents of a survey that accepts no more answers.

    A respondent is identified by the position of a row in its batch. Batches never change, so releases of one
    survey can be compared although no one knows whose row it is. Rows of the direct group are left out,
    because they contain true answers to protected questions.

    Raises
    ------
    PrivacyError
        The survey is unknown, a practice survey or unfinished, it has fewer than 100 rows, or rows do not
        match their digest.
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
        body = bytes(batch.packed)
        if hashlib.sha256(body).hexdigest() != batch.digest:
            raise SurveyError("survey.damaged", batch.pk, slug=slug)
        for row in range(len(body) // layout.n_bytes):
            record = layout.unpack(body[row * layout.n_bytes : (row + 1) * layout.n_bytes])
            if not record.direct:
                records.append(record)
                respondents.append(f"{batch.pk}:{row}")
    if len(records) < LEAST_PROTECTED:
        raise SurveyError("release.survey", slug, least=LEAST_PROTECTED)
    header, rows = table_of(design, records)
    return design, header, rows, respondents


def columns_of(design: Design) -> list[tuple[str, bool]]:
    """Return the name of each column of a survey's answers, and whether the device disguised it."""
    return [
        (name, block.protected)
        for block in design.blocks
        for question in block.questions
        for name in question.columns
    ]


def partly_exact_columns(design: Design) -> set[str]:
    """Return the columns of places that devices send exactly outside the sensitive areas."""
    return {
        name
        for question in design.questions
        if question.disguise is not None and question.disguise.exact_outside
        for name in question.columns
    }


def table_of(design: Design, records: list[Record]) -> tuple[list[str], list[list[str]]]:
    """Write records as texts: option keys, yes and no, or the index of the value sent for a number or place.

    A number that is stored as answered is written as the number, or as both ends of its bin. A multi-select
    question has a column for each option.
    """
    header = [name for question in design.questions for name in question.columns]
    return header, [list(_cells(design, record)) for record in records]


def _cells(design: Design, record: Record) -> Iterator[str]:
    """Yield the texts of a record, in the order of the header."""
    for block, answers, is_refused in zip(design.blocks, record.answers, record.refused, strict=True):
        for question, value in zip(block.questions, answers, strict=True):
            if value is None:
                yield from [SKIPPED_CELL if is_refused else UNANSWERED] * len(question.columns)
            elif isinstance(value, tuple):
                yield from ("yes" if is_chosen else "no" for is_chosen in value)
            elif question.disguise is not None and question.disguise.is_as_answered:
                yield _bin_text(cast(WindowChannel, question.disguise).range, value)
            elif question.disguise is not None:
                # Written as the output's index, as in the export: outputs are not answers and have no names.
                yield str(value)
            elif question.is_binary:
                yield "yes" if value else "no"
            else:
                yield question.options[value]


def _bin_text(ticks: NumberRange, value: int) -> str:
    """Write a bin as its only number, or as both ends."""
    low = ticks.low + value * ticks.bin
    high = low + ticks.bin - 1
    return ticks.text(low) if low == high else f"{ticks.text(low)}..{ticks.text(high)}"
