"""An expert's matrix on the page: proposed from the table, written as numbers or as a file, and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from anonymisation.deposits.drafts import table_open
from anonymisation.deposits.plan import release_plan, with_role
from anonymisation.microdata.expert_matrix import (
    MOST_LINES,
    ExpertMatrix,
    matrix_of,
    matrix_read,
    matrix_text,
)
from anonymisation.models import Deposit
from privacy.errors import PrivacyError
from privacy.sdc import Space, utility_matrix
from surveys.errors.error import SurveyError

__all__ = ["MOST_CELLS", "MatrixDraft", "matrix_check", "matrix_draft", "matrix_from_file"]

MOST_CELLS: Final = 400
"""Numbers that the page asks for; a larger matrix is given as a file."""
_MOST_BYTES: Final = 1_000_000
# Nothing of it bears on the matrix but how numbers are grouped.
_UNSAID: Final = {"k": 2, "algorithm": "tight", "max_suppressed": 0, "columns": {}}


@dataclass(frozen=True, kw_only=True)
class MatrixDraft:
    """A matrix to be written.

    Parameters
    ----------
    sensitive : str
        The protected column; "" where there is none, and then nothing else is there.
    names : tuple of str
        The generalised columns.
    rows : mapping of str to tuple of str
        By value the numbers as they stand: an expert's, or two digits of what the table says.
    is_saved : bool
        Whether an expert's matrix is kept.
    misfit : PrivacyError or None
        Why the kept matrix does not fit the table any more.
    """

    sensitive: str = ""
    names: tuple[str, ...] = ()
    rows: Mapping[str, tuple[str, ...]]
    is_saved: bool = False
    misfit: PrivacyError | None = None

    @property
    def by_file_only(self) -> bool:
        """Whether there are too many numbers for a page."""
        return len(self.rows) * len(self.names) > MOST_CELLS

    def text(self, rows: Mapping[str, Sequence[str]] | None = None) -> str:
        """Return the matrix as a file has it, with other numbers where they are given."""
        return matrix_text(self.sensitive, self.names, self.rows if rows is None else rows)


def matrix_draft(deposit: Deposit) -> MatrixDraft:
    """Return the matrix of a deposit: the expert's where one is kept and fits, else what the table says.

    Raises
    ------
    SurveyError
        ``deposit.gone``, ``deposit.sealed``; and what is refused of roles and groups of values.
    """
    if not with_role(deposit.columns, "sensitive"):
        return MatrixDraft(rows={})
    opened = table_open(deposit)
    _config, table, hierarchies = release_plan(
        deposit.columns,
        _UNSAID | deposit.bounds,
        opened.table,
        replace(opened.written, matrix=""),
    )
    column, space = table.sensitive[0], Space.of(table, hierarchies)
    names = [axis.name for axis in space.axes]
    utilities, misfit = utility_matrix(space, column).round(2), None
    if opened.written.matrix:
        try:
            utilities = matrix_of(matrix_read(opened.written.matrix), column, names)
        except PrivacyError as error:
            misfit = error
    rows = {
        value: tuple(f"{utility:g}" for utility in row)
        for value, row in zip(column.values, utilities.tolist(), strict=True)
    }
    return MatrixDraft(
        sensitive=column.name,
        names=tuple(names),
        rows=rows,
        is_saved=bool(opened.written.matrix),
        misfit=misfit,
    )


def matrix_from_file(raw: bytes) -> str:
    """Return the text of an uploaded matrix.

    Raises
    ------
    SurveyError
        ``matrix.bytes``: it is no text; and as `matrix_read`.
    """
    try:
        text = raw[: _MOST_BYTES + 1].decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SurveyError("matrix.bytes") from error
    if len(raw) > _MOST_BYTES:
        raise SurveyError("matrix.lines", text.count("\n"), most=MOST_LINES)
    matrix_read(text)
    return text


def matrix_check(deposit: Deposit, text: str, bounds: Mapping[str, Any] | None = None) -> ExpertMatrix:
    """Refuse a matrix that does not fit the table, or that would not count.

    Raises
    ------
    SurveyError
        As `matrix_read`, `matrix_of` and `config_read` (``config.matrix``).
    """
    opened = table_open(deposit)
    written = replace(opened.written, matrix=text)
    wanted = {**_UNSAID, **(deposit.bounds | {"weights": {}} if bounds is None else bounds)}
    config, table, hierarchies = release_plan(deposit.columns, wanted, opened.table, written)
    if config.matrix is None or not table.sensitive:
        raise SurveyError("matrix.unprotected")
    space = Space.of(table, hierarchies)
    matrix_of(config.matrix, table.sensitive[0], [axis.name for axis in space.axes])
    return config.matrix
