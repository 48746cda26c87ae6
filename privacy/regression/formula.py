"""A regression formula: its response, and its terms with their columns."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from privacy.errors import PrivacyError

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


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
    kinds : mapping of str to str
        Kinds of the undisguised columns of a fit, as in `privacy.tables.values.VALUE_KINDS`, also of those
        that only functions use, such as `pay` in ``np.log(pay)``. Empty before a fit.
    """

    response: str
    terms: Any
    names: tuple[str, ...]
    text: str
    kinds: Mapping[str, str] = field(default_factory=dict)

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
                used |= dict.fromkeys(code_names(factor.expr, known))
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


def code_names(code: str, columns: Collection[str]) -> Iterator[str]:
    """Yield the known columns that a piece of Python uses.

    Parameters
    ----------
    code : str
        A Python expression; names that are no identifiers have backticks.
    columns : collection of str
        The known columns.
    """
    yield from (name for name in re.findall("`([^`]+)`", code) if name in columns)
    for node in ast.walk(ast.parse(re.sub("`[^`]+`", "None", code), mode="eval")):
        if isinstance(node, ast.Name) and node.id in columns:
            yield node.id
