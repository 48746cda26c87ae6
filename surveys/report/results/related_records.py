"""Figures of composite questions in files: shares above a base, placebo differences and reliability."""

from __future__ import annotations

from typing import Any, Final

from privacy.errors import PrivacyError
from surveys.formats.figures import SHARES, file_columns
from surveys.models import Run
from surveys.runs.opening_figures import stored_bases, stored_placebo, stored_reliability

BASE_COLUMNS: Final = (
    "question", "base", "answer", "share", "standard_error", "low", "high", "estimable", "share_basis",
    "share_unclipped", "n", "level",
)  # fmt: skip
"""Columns of `run/bases.csv`; the last ones are those of the look."""


def base_records(run: Run) -> list[dict[str, Any]]:
    """Return the shares among the people at or above the base of each composite question that has one.

    Without figures if the run stored a refusal; runs of earlier versions have no records.
    """
    records = []
    for question in run.design.questions:
        try:
            shares = stored_bases(run, question.key)
        except PrivacyError:
            # The page gives the reason.
            continue
        base = question.computed.base if question.computed else ""
        for option, share in shares.items():
            ends = (share.low, share.high) if share.estimable else (None, None)
            printed = file_columns("share", share.value, ends, SHARES)
            figures = (printed["share"], share.standard_error, share.low, share.high)
            values = ["" if figure is None or not share.estimable else figure for figure in figures]
            row = (question.key, base, option, *values, share.estimable)
            records.append(
                dict(zip(BASE_COLUMNS, (*row, *[*printed.values()][1:], share.n, share.level), strict=True))
            )
    return records


RELATED_COLUMNS: Final = (
    "question",
    "other",
    "figure",
    "answer",
    "value",
    "standard_error",
    "low",
    "high",
    "estimable",
    "value_basis",
    "value_unclipped",
    "n",
    "level",
)
"""Columns of `run/related.csv`; the last ones are those of the look."""


def related_records(run: Run) -> list[dict[str, Any]]:
    """Return the differences from placebo indices and the reliability of halves, one row per figure.

    Without figures if the run stored a refusal; the page gives the reason.
    """
    records = []
    for question in run.design.questions:
        rule = question.computed
        if rule is None:
            continue
        try:
            differences, reliability = (
                stored_placebo(run, question.key),
                stored_reliability(run, question.key),
            )
        except PrivacyError:
            continue
        figures = [(rule.placebo_of, "difference", answer, found) for answer, found in differences.items()]
        if reliability is not None:
            figures.append((rule.other_half, "reliability", "", reliability))
        for other, name, answer, found in figures:
            ends = (found.low, found.high) if found.estimable else (None, None)
            printed = file_columns("value", found.value, ends, found.possible)
            values = (printed.pop("value"), found.standard_error, found.low, found.high)
            cells = ["" if value is None or not found.estimable else value for value in values]
            row = (question.key, other, name, answer, *cells, found.estimable)
            row = (*row, *printed.values(), found.n, found.level)
            records.append(dict(zip(RELATED_COLUMNS, row, strict=True)))
    return records


def composite_members(run: Run) -> dict[str, list[dict[str, Any]]]:
    """Return the records of both files as members of a JSON file; a figure that there is not is null.

    Parameters
    ----------
    run : Run
    """
    return {
        name: [
            {column: None if value == "" else value for column, value in record.items()} for record in records
        ]
        for name, records in (("of_base", base_records(run)), ("related", related_records(run)))
    }
