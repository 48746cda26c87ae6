"""Deposits for SPSS and Stata: groups and categories as codes with labels, other numbers as numbers."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from anonymisation.microdata.config import ReleaseConfig
from anonymisation.microdata.description import Description
from anonymisation.microdata.made import Made
from anonymisation.microdata.open_answers import SKIPPED, UNANSWERED
from privacy.arrays import Array, Codes
from privacy.sdc.hierarchy import SUPPRESSED
from privacy.sdc.labels import Domain, Interval
from privacy.sdc.table import Column
from surveys.export.labelled_files import MOST_CELLS, labelled_file
from surveys.export.variables import Variable, valid_names
from surveys.formats.csv_cells import text_or_number
from surveys.imports.table import ReadTable

__all__ = ["Background", "Wording", "labelled_bytes"]


@dataclass(frozen=True, kw_only=True)
class Wording:
    """What a survey or a file says about one column.

    Parameters
    ----------
    question, label : dict of str to str
        By language. A question is also the label of its column.
    answers : dict of str to dict of str to str
        The texts of each value.
    """

    question: Mapping[str, str] = field(default_factory=dict)
    label: Mapping[str, str] = field(default_factory=dict)
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Background:
    """What is known about a table beside its records: its title, its columns and its description."""

    title: str
    columns: Mapping[str, Wording] = field(default_factory=dict)
    description: Description | None = None

    def labelled(self, table: ReadTable) -> Background:
        """Return it with the labels of the file that was read; the wording of a survey takes precedence."""
        said = {
            column.name: Wording(
                label={"": column.label} if column.label else {},
                answers={value: {"": label} for value, label in column.value_labels.items()},
            )
            for column in table.columns
        }
        return replace(self, columns={**said, **self.columns})

    def wording(self, column: str) -> Wording:
        """Return what is known about a column."""
        return self.columns.get(column, Wording())


def labelled_bytes(
    made: Made, background: Background, order: list[int], notes: tuple[str, ...]
) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file; none where the table has too many cells for them.

    Parameters
    ----------
    made : Made
    background : Background
    order : list of int
        Of the records, as in the other files.
    notes : tuple of str
        Paragraphs that belong to the file.
    """
    released = made.released
    if len(released) * len(released.columns) > MOST_CELLS:
        return
    columns: dict[str, Codes | Array] = {}
    variables = []
    for name, column in zip(
        valid_names([column.name for column in released.columns]), released.columns, strict=True
    ):
        held, labels = _coded(made, background, column)
        columns[column.name] = held[column.codes[order]]
        wording = background.wording(column.name)
        said = next(iter((wording.question or wording.label).values()), "") or column.name
        stored = "disguised" if column.role == "disguised" else "as answered"
        variables.append(Variable(name=name, column=column.name, label=said, values=labels, stored_as=stored))
    description = background.description
    title = background.title if description is None else description.title
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("sav", "dta"):
            path = Path(folder) / f"data.{kind}"
            labelled_file(path, kind, columns, tuple(variables), notes, title)
            yield path.name, path.read_bytes()


def _coded(made: Made, background: Background, column: Column) -> tuple[Array, dict[int, str]]:
    """Return what the file has for each value of a column, not a number for a missing one; labels of codes.

    Numbers stay what they are, and keep the labels that the file had for them.
    """
    wording, missing = background.wording(column.name), _missing_of(column, made.config)
    number_of = _numbers_of(column, missing)
    if number_of is not None:
        labels = {
            int(number): next(iter(wording.answers[value].values()))
            for value, number in number_of.items()
            if value in wording.answers and float(number).is_integer()
        }
        return np.array([number_of.get(value, np.nan) for value in column.values]), labels
    ordered = _categories(column, made.domains.get(column.name), missing)
    code_of = {category: code for code, category in enumerate(ordered, start=1)}
    held = np.array([code_of.get(text_or_number(value), np.nan) for value in column.values], dtype=float)
    # An interval is named as the other files have it: what reads them reads this one.
    labels_of = {
        text_or_number(value): next(iter(texts.values())) for value, texts in wording.answers.items()
    }
    return held, {code: labels_of.get(category, category) for code, category in enumerate(ordered, start=1)}


def _missing_of(column: Column, config: ReleaseConfig) -> set[str]:
    """Return the published texts of a column that say that a value is missing."""
    rule = next(rule for rule in config.rules if rule.name == column.name)
    return {*rule.missing_texts, "", SKIPPED, UNANSWERED}


def _numbers_of(column: Column, missing: Collection[str]) -> dict[str, float] | None:
    """Return the number of each value that is not missing; None where one of them is no number.

    Of a generalised column an interval could stand for a number: it has none.
    """
    if column.role == "quasi_identifier":
        return None
    try:
        numbers = {value: float(value) for value in column.values if value not in missing}
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers.values())) else None


def _categories(column: Column, domain: Domain | None, missing: Collection[str]) -> list[str]:
    """Return the published values that are not missing: intervals by their numbers, then the other values."""
    counts = np.bincount(column.codes, minlength=len(column.values)).tolist()
    published = [
        value for value, count in zip(column.values, counts, strict=True) if count and value not in missing
    ]
    return [text_or_number(value) for value in sorted(published, key=lambda value: _position(value, domain))]


def _position(label: str, domain: Domain | None) -> tuple[float, float]:
    meaning = None if domain is None or label == SUPPRESSED else domain.meaning(label)
    return (meaning.low, meaning.high) if isinstance(meaning, Interval) else (math.inf, 0.0)
