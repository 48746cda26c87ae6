"""Write the published columns as Parquet, SPSS and Stata files that read back equal."""

from __future__ import annotations

import io
import math
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from anonymisation.microdata.background import Background
from anonymisation.microdata.build import Build
from anonymisation.microdata.config import ReleaseConfig
from anonymisation.microdata.survey_table import SKIPPED_CELL, UNANSWERED
from privacy.arrays import Array, Codes
from privacy.numeric_text import finite_number, number_text
from privacy.sdc.hierarchy import SUPPRESSED
from privacy.sdc.published_labels import Domain, Interval
from privacy.sdc.table import Column, Table
from surveys.formats.csv_cells import text_or_number
from surveys.report.export.variables import STATA_CODES, Variable, valid_names

LONGEST_LABEL: Final = 120
"""Most bytes of a value's label in SPSS."""


def parquet_bytes(table: Table, order: list[int]) -> bytes:
    """Write the same records as Parquet: numbers, and dictionary-encoded texts; needs pyarrow."""
    # Imported here because the web process reads deposits too, but must not load pyarrow.
    import pyarrow as pa
    from pyarrow.parquet import write_table

    arrays = []
    for column in table.columns:
        texts = [text_or_number(value) for value in column.values]
        empty = np.array([not text for text in texts])[column.codes[order]]
        numbers = _numbers_of(column) or {}
        if numbers and numbers.keys() >= set(_published(column)):
            whole = all(text.lstrip("-").isdecimal() for text in numbers)
            held = np.array([numbers.get(text, 0) for text in texts])[column.codes[order]]
            arrays.append(pa.array(held.astype(np.int64) if whole else held, mask=empty))
            continue
        codes = pa.array(column.codes[order], mask=empty)
        arrays.append(pa.DictionaryArray.from_arrays(codes, pa.array(texts, pa.string())))
    file = io.BytesIO()
    write_table(pa.table(arrays, [column.name for column in table.columns]), file)
    return file.getvalue()


def labelled_bytes(
    result: Build, background: Background, order: list[int], notes: tuple[str, ...]
) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each labelled file; nothing if the table has too many cells.

    Parameters
    ----------
    result : Build
    background : Background
    order : list of int
        Order of the records, as in the other files.
    notes : tuple of str
        Paragraphs to include in the file.
    """
    # Imported here because the web process must not load pandas.
    from surveys.report.export.labelled_files import MOST_FILE_CELLS, labelled_file

    table = result.table
    if len(table) * len(table.columns) > MOST_FILE_CELLS:
        return
    columns: dict[str, Codes | Array] = {}
    variables = []
    for name, column in zip(
        valid_names([column.name for column in table.columns]), table.columns, strict=True
    ):
        held, labels, missing = _stored(result, background, column)
        columns[column.name] = np.array(held)[column.codes[order]]
        wording = background.wording(column.name)
        text = next(iter((wording.question or wording.label).values()), "") or column.name
        if "values" in wording.disguise:
            text = f"Code, not the answer: {text}"
        stored = "disguised" if column.role == "disguised" else "as answered"
        variables.append(
            Variable(
                name=name,
                column=column.name,
                label=text,
                line=next(iter(wording.line.values()), ""),
                values=labels,
                missing=missing,
                stored_as=stored,
            )
        )
    description = background.description
    title = background.title if description is None else description.title
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("sav", "dta"):
            path = Path(folder) / f"data.{kind}"
            labelled_file(path, kind, columns, tuple(variables), notes, title)
            yield path.name, path.read_bytes()


def _stored(
    result: Build, background: Background, column: Column
) -> tuple[Array | list[str], dict[int, str], dict[int, str]]:
    """Return what SPSS and Stata store for each value of a column, and the labels of codes and missing codes.

    What is printed from the stored values, or from their labels, equals the other files. Numbers keep their
    labels from the file. Texts are codes, or texts if a label would be too long.
    """
    wording, missing = background.wording(column.name), _missing_of(column, result.config)
    texts = [text_or_number(value) for value in column.values]
    numbers = _numbers_of(column) or {}
    texts_without_number = [text for text in _published(column) if text not in numbers]
    negative = any(number < 0 for text, number in numbers.items() if text not in missing)
    declared = {
        int(number): text
        for text, number in numbers.items()
        if text in missing and number in STATA_CODES and not negative
    }
    free = [code for code in STATA_CODES if code not in declared]
    if (
        numbers
        and not set(texts_without_number) - missing
        and len(texts_without_number) + len(declared) <= _MOST_MISSING
    ):
        labels = {
            int(numbers[value]): next(iter(texts_of.values()))
            for value, texts_of in wording.answers.items()
            if value in numbers and numbers[value].is_integer()
        }
        codes = dict(zip(texts_without_number, free, strict=False))
        if not (texts_without_number and negative):
            held = np.array([numbers.get(text, codes.get(text, np.nan)) for text in texts], dtype=float)
            lacking = {code: labels.pop(code, text) for code, text in declared.items()}
            return held, labels, lacking | {code: text for text, code in codes.items()}
    categories = _categories(column, result.domains.get(column.name))
    labels_of = {
        text_or_number(value): next(iter(texts_of.values())) for value, texts_of in wording.answers.items()
    }
    shown = {category: labels_of.get(category, category) for category in categories}
    if max((len(text.encode()) for text in shown.values()), default=0) > LONGEST_LABEL:
        return texts, {}, {}
    code_of = {category: code for code, category in enumerate(categories, start=1)}
    # Intervals have the same names as in the other files, so the same programs can read all of them.
    return (
        np.array([code_of.get(text, np.nan) for text in texts], dtype=float),
        {code: shown[category] for category, code in code_of.items()},
        {},
    )


_MOST_MISSING: Final = 3
"""Most texts for missing values among numbers; SPSS declares at most three."""


def _published(column: Column) -> list[str]:
    """Return the published texts of a column that are not empty."""
    counts = np.bincount(column.codes, minlength=len(column.values)).tolist()
    values = (value for value, count in zip(column.values, counts, strict=True) if count)
    return [text for text in map(text_or_number, values) if text]


def _missing_of(column: Column, config: ReleaseConfig) -> set[str]:
    """Return the published texts of a column that mean "missing"."""
    rule = next(rule for rule in config.rules if rule.name == column.name)
    return set(map(text_or_number, {*rule.missing_texts, SKIPPED_CELL, UNANSWERED}))


def _numbers_of(column: Column) -> dict[str, float] | None:
    """Return the published texts that are numbers; None if there are none.

    A text is a number only if printing the number gives it back: 0110, 1E2, 1.10 and codes of 17 digits are
    texts. Whole numbers are printed without a point, or all with ".0", as programs print decimals. A
    generalised column has no numbers, because its intervals could be mistaken for them.
    """
    if column.role == "quasi_identifier":
        return None
    parsed = {text: finite_number(text) for text in _published(column)}
    numbers = {text: number for text, number in parsed.items() if number is not None}
    for printed in (number_text, repr):
        if all(printed(number) == text for text, number in numbers.items()):
            return numbers or None
    return None


def _categories(column: Column, domain: Domain | None) -> list[str]:
    """Return the published texts that are not empty: intervals by their numbers, then the others."""
    counts = np.bincount(column.codes, minlength=len(column.values)).tolist()
    published = [value for value, count in zip(column.values, counts, strict=True) if count and value]
    return [text_or_number(value) for value in sorted(published, key=lambda value: _position(value, domain))]


def _position(label: str, domain: Domain | None) -> tuple[float, float]:
    meaning = None if domain is None or label == SUPPRESSED else domain.meaning(label)
    return (meaning.low, meaning.high) if isinstance(meaning, Interval) else (math.inf, 0.0)
