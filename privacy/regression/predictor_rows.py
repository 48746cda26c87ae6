"""Predictors of each row, and the design rows that a formula makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Final

import numpy as np

from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError
from privacy.library.frames import pick, refuse_missing
from privacy.regression.formula import Formula, code_names
from privacy.tables.date_spans import SPANS
from privacy.tables.values import kinds_of

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame

_PLAIN: Final = {"i": np.int64, "u": np.int64, "f": np.float64, "b": np.bool_}
"""NumPy types that replace nullable pandas types."""


def predictor_rows(frame: DataFrame, names: Sequence[str], *, drop: bool = False) -> tuple[DataFrame, Flags]:
    """Return the undisguised predictors without rows that have empty cells, and flags of these rows.

    Parameters
    ----------
    frame : DataFrame
    names : sequence of str
        Columns of undisguised predictors.
    drop : bool
        Whether to leave out rows with an empty cell instead of refusing them.

    Raises
    ------
    PrivacyError
        ``frame``: an unknown column, or an empty cell.
    """
    columns = pick(frame, names)
    is_empty = np.zeros(len(frame), dtype=bool)
    for name, column in zip(names, columns, strict=True):
        if not drop:
            refuse_missing(column, name)
        is_empty |= column.isna().to_numpy(dtype=bool)
    rows = frame.loc[~is_empty, list(names)]
    for name in names:
        values = rows[name]
        if values.dtype.name == "category":
            # Options that no one chose get no coefficient; the others keep their order.
            rows[name] = values.cat.remove_unused_categories()
        elif getattr(values.dtype, "na_value", None) is not None and values.dtype.kind in _PLAIN:
            rows[name] = values.to_numpy(dtype=_PLAIN[values.dtype.kind])
        elif isinstance(first := values.iloc[0] if len(values) else None, str):
            # Text of any dtype has levels, in the order of the alphabet.
            rows[name] = values.astype(object)
        elif isinstance(first, Decimal):
            rows[name] = values.astype(object).astype(np.float64)
    return rows, is_empty


def design_arrays(rows: DataFrame, formula: Formula, latent: str | None) -> tuple[Array, Formula]:
    """Return a design row for each row and answer to the disguised predictor, and the formula of the fit.

    Parameters
    ----------
    rows : DataFrame
        As returned by `predictor_rows`.
    formula : Formula
    latent : str or None
        The disguised predictor.

    Returns
    -------
    (float array, shape (rows, answers, coefficients), Formula)
        One answer without a disguised predictor, otherwise "no" and "yes". The formula's terms keep levels
        and the state of transforms, and it knows the kinds of its columns.

    Raises
    ------
    PrivacyError
        ``regression``: a column of one value. ``formula``: a term that depends on the other rows' answers.
    """
    for name in formula.names:
        if name != latent and rows[name].nunique() < 2:
            raise PrivacyError("regression.one_value", rows[name].iloc[0] if len(rows) else None, column=name)
    formula = replace(formula, kinds=_kinds(rows[[name for name in formula.names if name != latent]]))
    if latent is None:
        matrix = formula.matrix(rows)
        return np.asarray(matrix, dtype=np.float64)[:, None], replace(formula, terms=matrix.model_spec)
    # Determine levels and transform states from alternating answers, so that they depend on no report.
    turn = np.arange(len(rows)) % 2
    turn_matrix = formula.matrix(rows.assign(**{latent: turn}))
    spec = turn_matrix.model_spec
    for text in spec.transform_state:
        if latent in code_names(text, [latent]):
            raise PrivacyError("formula.learns", text, column=latent)
    of_fit = replace(formula, terms=spec)
    by_answer = [of_fit.matrix(rows.assign(**{latent: answer})) for answer in (0, 1)]
    designs = np.stack([np.asarray(answer_design, dtype=np.float64) for answer_design in by_answer], axis=1)
    # A term that uses other rows (such as a mean) changes if these rows have different answers: refuse it.
    alike = np.isclose(designs[np.arange(len(rows)), turn], turn_matrix.to_numpy(dtype=float), equal_nan=True)
    if not alike.all():
        wrong = str(spec.column_names[int(np.argmin(alike.all(axis=0)))])
        raise PrivacyError("formula.learns", wrong, column=latent)
    return designs, of_fit


def _kinds(rows: DataFrame) -> dict[str, str]:
    """Return the kind of each column as it was read, as in `privacy.tables.values.VALUE_KINDS`."""
    kinds = {}
    for name, column in rows.items():
        if getattr(column.dtype, "categories", column).dtype.kind in "biuf":
            kinds[str(name)] = "numeric"
        else:
            levels = [] if column.dtype.name == "category" else column.unique().tolist()
            is_text = all(isinstance(level, str) for level in levels)
            kind = kinds_of(levels)[0] if levels and is_text else ""
            # Dates are read into one writing; other texts, such as the codes "1" and "2", stay.
            kinds[str(name)] = kind if kind in SPANS else "categorical"
    return kinds
