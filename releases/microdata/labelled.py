"""A deposit for SPSS and Stata: groups and categories as codes with labels, other numbers as numbers."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from privacy.arrays import Array, Codes
from privacy.sdc.table import Column
from releases.microdata.archive_codebook import Background, categories_of, missing_of, numbers_of
from releases.microdata.made import Made
from surveys.export.labelled_files import MOST_CELLS, labelled_file
from surveys.export.variables import Variable, valid_names
from surveys.formats.csv_cells import text_or_number

__all__ = ["labelled_bytes"]


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
    title = next(iter(background.study.title.values()))
    if background.description is not None:
        title = background.description.title
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("sav", "dta"):
            path = Path(folder) / f"data.{kind}"
            labelled_file(path, kind, columns, tuple(variables), notes, title)
            yield path.name, path.read_bytes()


def _coded(made: Made, background: Background, column: Column) -> tuple[Array, dict[int, str]]:
    """Return what the file has for each value of a column, not a number for a missing one; labels of codes.

    Numbers stay what they are, and keep the labels that the file had for them.
    """
    wording, missing = background.wording(column.name), missing_of(column, made.config)
    number_of = numbers_of(column, missing)
    if number_of is not None:
        labels = {
            int(number): next(iter(wording.answers[value].values()))
            for value, number in number_of.items()
            if value in wording.answers and float(number).is_integer()
        }
        return np.array([number_of.get(value, np.nan) for value in column.values]), labels
    domain = made.domains.get(column.name)
    ordered = [
        category
        for category in categories_of(column, domain, wording, missing, counted=False)
        if not category.missing
    ]
    code_of = {category.value: code for code, category in enumerate(ordered, start=1)}
    held = np.array([code_of.get(text_or_number(value), np.nan) for value in column.values], dtype=float)
    # An interval is named as the other files have it: what reads them reads this one.
    labels_of = {
        text_or_number(value): next(iter(texts.values())) for value, texts in wording.answers.items()
    }
    return held, {
        code: labels_of.get(category.value, category.value) for code, category in enumerate(ordered, start=1)
    }
