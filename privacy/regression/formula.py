"""A regression formula, and the predictors of each row that it describes."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError
from privacy.library.frames import pick, refuse_missing

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


_PLAIN: Final = {"i": np.int64, "u": np.int64, "f": np.float64, "b": np.bool_}
"""NumPy types that replace nullable pandas types."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Formula:
    """A response, and terms as `formulaic` reads them.

    Parameters
    ----------
    response : str
        Name of the column.
    terms : formulaic.SimpleFormula, or formulaic.ModelSpec of a fit
        A fit keeps levels and the state of transforms.
    names : tuple of str
        Columns that the terms use, each once.
    text : str
        The right side of the formula as written.
    """

    response: str
    terms: Any
    names: tuple[str, ...]
    text: str

    @property
    def kinds(self) -> dict[str, str]:
        """Kinds of the predictors of a fit, by column: numbers or categories."""
        states = getattr(self.terms, "encoder_state", {})
        return {
            name: "numeric" if states[name][0].value == "numerical" else "categorical"
            for name in self.names
            if name in states
        }

    @classmethod
    def of(cls, text: str, columns: Iterable[str]) -> Formula:
        """Read a formula such as ``cheat ~ age * C(year) + np.log(pay) + drugs``.

        Parameters
        ----------
        text : str
            In the syntax of R, patsy and formulaic. It is run as Python: never pass untrusted text.
        columns : iterable of str
            Names that the formula may use. Put a name that is not an identifier in backticks.

        Raises
        ------
        PrivacyError
            ``formula``: not a formula, or a response that is not a plain column or is also a predictor.

        Examples
        --------
        >>> formula = Formula.of("cheat ~ np.log(age) * C(year) + age:`a b`", ["cheat", "age", "year", "a b"])
        >>> formula.response, formula.names
        ('cheat', ('age', 'year', 'a b'))
        """
        import formulaic
        from formulaic.errors import FormulaicError

        try:
            both = formulaic.Formula(text)
        except (FormulaicError, SyntaxError, TypeError, ValueError) as error:
            raise PrivacyError("formula.syntax", text, what=str(error).partition("\n")[0]) from error
        left, right = getattr(both, "lhs", None), getattr(both, "rhs", None) or None
        if not (isinstance(left, formulaic.SimpleFormula) and isinstance(right, formulaic.SimpleFormula)):
            raise PrivacyError("formula.sides", text)
        known = set(columns)
        response = str(left[0]).strip("`") if len(left) == 1 else ""
        if response not in known and not response.isidentifier():
            raise PrivacyError("formula.response", text.partition("~")[0].strip())
        factors = [factor for term in right for factor in term.factors]
        used: dict[str, None] = {}
        for factor in factors:
            if factor.eval_method.value == "lookup":
                used[factor.expr] = None
            elif factor.eval_method.value == "python":
                used |= dict.fromkeys(_names(factor.expr, known))
        if response in used:
            raise PrivacyError("formula.twice", response)
        return cls(response=response, terms=right, names=tuple(used), text=text.partition("~")[2].strip())

    def matrix(self, frame: DataFrame) -> Any:
        """Return the covariates of each row, with one column per term.

        Raises
        ------
        PrivacyError
            ``formula``: terms that cannot be computed, for example because of a value not seen in the fit.
        """
        from formulaic.errors import DataMismatchWarning, FormulaicError

        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("error", DataMismatchWarning)
                return self.terms.get_model_matrix(frame, context={"np": np}, na_action="ignore")
        except (FormulaicError, DataMismatchWarning, ArithmeticError, TypeError, ValueError) as error:
            what = str(error).partition("\n")[0].split(". ")[0]
            raise PrivacyError("formula.terms", self.text, what=what) from error


def quote_names(formula: str, names: Collection[str]) -> str:
    """Put backticks around names such as "job=office", which a formula would read as an equation.

    Parameters
    ----------
    formula : str
    names : collection of str
        Names of columns; identifiers need no backticks.

    Examples
    --------
    >>> quote_names("cheat ~ job=office + age", ["cheat", "job=office"])
    'cheat ~ `job=office` + age'
    """
    for name in sorted(names, key=len, reverse=True):
        if not name.isidentifier():
            formula = re.sub(rf"(?<![`\w.=]){re.escape(name)}(?![`\w.=])", f"`{name}`", str(formula))
    return formula


def _names(code: str, columns: Collection[str]) -> Iterator[str]:
    """Yield the known columns that a piece of Python uses."""
    yield from (name for name in re.findall("`([^`]+)`", code) if name in columns)
    for node in ast.walk(ast.parse(re.sub("`[^`]+`", "None", code), mode="eval")):
        if isinstance(node, ast.Name) and node.id in columns:
            yield node.id


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


def design_arrays(rows: DataFrame, formula: Formula, latent: str | None) -> tuple[Array, Any]:
    """Return a design row for each row and answer to the disguised predictor, and the terms with state.

    Parameters
    ----------
    rows : DataFrame
        As returned by `predictor_rows`.
    formula : Formula
    latent : str or None
        The disguised predictor.

    Returns
    -------
    (float array, shape (rows, answers, coefficients), formulaic.ModelSpec)
        One answer without a disguised predictor, otherwise "no" and "yes".

    Raises
    ------
    PrivacyError
        ``regression``: a column of one value. ``formula``: a term that depends on the other rows' answers.
    """
    for name in formula.names:
        if name != latent and rows[name].nunique() < 2:
            raise PrivacyError("regression.one_value", rows[name].iloc[0] if len(rows) else None, column=name)
    if latent is None:
        matrix = formula.matrix(rows)
        return np.asarray(matrix, dtype=np.float64)[:, None], matrix.model_spec
    # Determine levels and transform states from alternating answers, so that they depend on no report.
    turn = np.arange(len(rows)) % 2
    turn_matrix = formula.matrix(rows.assign(**{latent: turn}))
    spec = turn_matrix.model_spec
    for text in spec.transform_state:
        if latent in _names(text, [latent]):
            raise PrivacyError("formula.learns", text, column=latent)
    of_fit = replace(formula, terms=spec)
    by_answer = [of_fit.matrix(rows.assign(**{latent: answer})) for answer in (0, 1)]
    designs = np.stack([np.asarray(answer_design, dtype=np.float64) for answer_design in by_answer], axis=1)
    # A term that uses other rows (such as a mean) changes if these rows have different answers: refuse it.
    alike = np.isclose(designs[np.arange(len(rows)), turn], turn_matrix.to_numpy(dtype=float), equal_nan=True)
    if not alike.all():
        wrong = str(spec.column_names[int(np.argmin(alike.all(axis=0)))])
        raise PrivacyError("formula.learns", wrong, column=latent)
    return designs, spec
