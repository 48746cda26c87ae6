"""A run's rows as labelled files for SPSS and Stata."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from privacy.arrays import Array, Codes
from surveys.errors.error import SurveyError
from surveys.report.export.variables import STATA_CODES, Variable

FileKind: TypeAlias = Literal["zip", "sav", "dta", "xml"]

FILE_LABEL: Final = "Disguised answers: plain shares are not shares of people"
STORED_LABEL: Final = "Answers stored as given"
"""SPSS allows 64 bytes, Stata 80 characters."""

MOST_FILE_CELLS: Final = 20_000_000
"""Most cells (rows times columns) of one file, which is built in memory; writing it takes about 20 s."""

_SPSS_TITLE, _SPSS_LABEL, _SPSS_VALUE, _SPSS_NOTE = 64, 256, 120, 80
"""Most bytes of the file's label, a variable's label, a value's label, and a line of the notes."""

_DASH: Final = " – "

_STATA_LABEL, _STATA_VALUE = 80, 1_000
"""Most characters of a variable's label, and of a value's label that still fits into a table."""


def labelled_file(
    path: Path,
    kind: FileKind,
    columns: Mapping[str, Codes | Array],
    variables: tuple[Variable, ...],
    notes: tuple[str, ...],
    title: str = FILE_LABEL,
) -> None:
    """Write the rows as a file for SPSS or Stata.

    Parameters
    ----------
    path : Path
        A new file.
    kind : {"sav", "dta"}
    columns : dict of arrays
        Codes of answers from `surveys.report.export.rows.coded_rows`, or numbers.
    variables : tuple of Variable
        Names and meanings of the columns.
    notes : tuple of str
        Paragraphs of the file's notes; only SPSS stores them.
    title : str
        The file's label.

    Raises
    ------
    SurveyError
        ``too_large``: the file has too many cells.
    """
    cells = sum(map(len, columns.values()))
    if cells > MOST_FILE_CELLS:
        raise SurveyError("too_large.cells", cells, most=MOST_FILE_CELLS)
    if kind == "sav":
        _write_spss(path, columns, variables, notes, title)
    else:
        _write_stata(path, columns, variables, title)


def _write_spss(
    path: Path,
    columns: Mapping[str, Codes | Array],
    variables: tuple[Variable, ...],
    notes: tuple[str, ...],
    title: str,
) -> None:
    # Imported here because a web process must not load these libraries at its start.
    import pandas as pd
    import pyreadstat

    # SPSS allows three missing values per variable. None has more, because everyone is asked open questions.
    missing: dict[str, Any] = {
        variable.name: sorted(variable.missing) for variable in variables if variable.missing
    }
    pyreadstat.write_sav(
        pd.DataFrame({variable.name: columns[variable.column] for variable in variables}),
        path,
        file_label=_bytes(title, _SPSS_TITLE),
        row_compress=True,
        note=[line for note in notes for line in _lines(note)],
        column_labels={variable.name: _label(variable, _SPSS_LABEL, _bytes) for variable in variables},
        variable_value_labels={
            variable.name: {
                code: _bytes(text, _SPSS_VALUE) for code, text in (variable.values | variable.missing).items()
            }
            for variable in variables
            if variable.values or variable.missing
        },
        missing_ranges=missing,
        variable_measure={variable.name: _measure(variable, columns) for variable in variables},
        variable_format={
            variable.name: "F8.0" for variable in variables if _is_whole(columns[variable.column])
        },
    )


def _write_stata(
    path: Path, columns: Mapping[str, Codes | Array], variables: tuple[Variable, ...], title: str
) -> None:
    import pandas as pd
    import pyreadstat

    # The library's types allow only numbers as codes, but it also accepts the letters of missing values.
    labels: dict[str, Any] = {
        variable.name: _labels_in_stata(variable)
        for variable in variables
        if variable.values or variable.missing
    }
    pyreadstat.write_dta(
        pd.DataFrame(
            {variable.name: _with_letters(columns[variable.column], variable) for variable in variables}
        ),
        path,
        file_label=_characters(title, _STATA_LABEL),
        version=14,
        column_labels={variable.name: _label(variable, _STATA_LABEL, _characters) for variable in variables},
        variable_value_labels=labels,
        missing_user_values={
            variable.name: [STATA_CODES[code] for code in sorted(variable.missing)]
            for variable in variables
            if variable.missing
        },
    )


def _measure(variable: Variable, columns: Mapping[str, Codes | Array]) -> Literal["nominal", "scale"]:
    is_text = columns[variable.column].dtype.kind == "U"
    return "nominal" if variable.values or is_text else "scale"


def _is_whole(numbers: Codes | Array) -> bool:
    if numbers.dtype.kind == "U":
        return False
    present = numbers[~np.isnan(numbers)]
    return bool((present == present.round()).all())


def _with_letters(codes: Codes | Array, variable: Variable) -> Any:
    import pandas as pd

    if codes.dtype.kind == "U":
        return codes.astype(object)
    if not variable.missing or not np.isin(codes, list(variable.missing)).any():
        return codes
    letters = codes.astype(object)
    for code, letter in STATA_CODES.items():
        letters[codes == code] = letter
    # In a plain column, the library inspects the first hundred values and would take letters for texts.
    return pd.Categorical(letters, categories=[*np.unique(codes[codes >= 0]).tolist(), *STATA_CODES.values()])


def _labels_in_stata(variable: Variable) -> dict[int | str, str]:
    answers: dict[int | str, str] = {
        code: _characters(text, _STATA_VALUE) for code, text in variable.values.items()
    }
    return answers | {STATA_CODES[code]: text for code, text in variable.missing.items()}


def _label(variable: Variable, most: int, shorten: Callable[[str, int], str]) -> str:
    """Return the label of a variable, shortened; for a line of a list, its stem is shortened first.

    All lines of a list begin with its stem, so they differ only at their ends.

    Examples
    --------
    >>> line = Variable(name="a", column="a", label="Which of these have you used? – Heroin", line="Heroin")
    >>> _label(line, 30, _characters), _label(line, 12, _characters)
    ('Which of these have… – Heroin', 'Which… – He…')
    """
    whole = variable.marked_label
    if not variable.line or shorten(whole, most) == whole:
        return shorten(whole, most)
    size = (lambda text: len(text.encode())) if shorten is _bytes else len
    start = whole.removesuffix(variable.line).rstrip(" –")
    end = shorten(variable.line, most // 2 - size(_DASH))
    return f"{shorten(start, most - size(_DASH) - size(end))}{_DASH}{end}"


def _characters(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _bytes(text: str, most: int) -> str:
    """Shorten a text to at most this many bytes.

    Examples
    --------
    >>> _bytes("是否", 6), _bytes("是否是", 6)
    ('是否', '是…')
    """
    if len(text.encode()) <= most:
        return text
    return text.encode()[: most - 3].decode(errors="ignore").rstrip() + "…"


def _lines(note: str) -> Iterator[str]:
    """Yield a note in lines of at most 80 bytes, the most that SPSS stores."""
    for line in textwrap.wrap(note, _SPSS_NOTE, break_on_hyphens=False):
        rest = line
        while rest:
            start = rest.encode()[:_SPSS_NOTE].decode(errors="ignore")
            yield start
            rest = rest[len(start) :]
