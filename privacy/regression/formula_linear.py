"""Linear regression of a disguised number, with a formula on columns of a DataFrame."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from privacy.arrays import Array, Flags
from privacy.counted_nouns import counted
from privacy.effective_rows import effective_text, few_effective_text
from privacy.estimation.sampling_units import SamplingUnits
from privacy.library.shares import Figure
from privacy.library.shown_tables import Shown, data_frame
from privacy.p_values import PValues
from privacy.policy import LEAST_EFFECTIVE_ROWS, MOST_ROW_INFORMATION
from privacy.printed import CHECKED, PrintedEstimates
from privacy.regression.contrasts import read_combinations
from privacy.regression.covariates import check_covariates
from privacy.regression.formula import Formula
from privacy.regression.formula_regression import predicted_values
from privacy.regression.linear import LinearFit, NumberScores, largest_pull, p_value
from privacy.regression.predictor_rows import design_arrays, predictor_rows
from privacy.tables.decisions import Decisions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from privacy.library.frames import DataFrame, Series


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LinearRegression(Shown):
    """A fitted linear regression, with the attribute names of statsmodels.

    Parameters
    ----------
    formula : Formula
        Formula with the levels and transform states of the fit.
    fitted : LinearFit
    latent : str, optional
        The disguised predictor.
    dropped : int
        Number of rows left out because an undisguised column is empty.
    decisions : Decisions
        What was decided about the texts of the table, also in the summary.
    """

    formula: Formula
    fitted: LinearFit
    latent: str | None
    dropped: int = 0
    decisions: Decisions = field(default_factory=Decisions)

    @property
    def nobs(self) -> int:
        """Number of rows that were asked everything."""
        return self.fitted.n

    @cached_property
    def _figures(self) -> list[Figure]:
        return self.fitted.figures()

    def _printed(self, figures: Sequence[Figure], level: float) -> PrintedEstimates:
        ends = np.reshape([figure.interval(level) for figure in figures], (-1, 2)).T
        return PrintedEstimates(
            value=np.array([figure.value for figure in figures]),
            standard_error=np.array([figure.standard_error for figure in figures]),
            low=ends[0],
            high=ends[1],
            n=self.nobs,
            effective_n=self.fitted.effective_n,
            level=level,
            possible=(-np.inf, np.inf),
            method="linear",
            shift=0.0,
            origin=CHECKED,
        )

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return one row per coefficient: value in the unit of the number, error, interval, p-value.

        ``largest_row`` is the largest weight of one row in the coefficient, see
        `privacy.regression.linear.largest_pull`.

        Parameters
        ----------
        level : float, in (0, 1)

        Raises
        ------
        PrivacyError
            ``level``.
        """
        rows = self._printed(self._figures, level)
        columns = rows.columns("coefficient") | {
            "p_value": self._tested(self._figures),
            "largest_row": [largest_pull(figure) for figure in self._figures],
        }
        return data_frame(columns, index=self._terms, name=self.formula.response, about=rows.about)

    def summary(self, level: float = 0.95) -> str:
        """Return the table with the number of rows, and what to mind."""
        left_out = f" ({counted(self.dropped, 'row')} with empty cells left out)" if self.dropped else ""
        weighted = effective_text(self.nobs, self.fitted.effective_n)
        head = f"{self.formula.response}, linear regression on scores, n = {self.nobs:,}{weighted}, "
        head += f"{100 * level:g}% intervals{left_out}"
        table = self.to_frame(level)
        names = ["coefficient", "standard_error", "low", "high", "p_value"]
        lines = [head, str(table[names].round(4))]
        lines += [label] if (label := few_effective_text(self.nobs, self.fitted.effective_n)) else []
        for term, share in table["largest_row"].items():
            if share > MOST_ROW_INFORMATION:
                lines.append(
                    f"one row: {share:.0%} of what is known about {term}; its interval may miss its level"
                )
        return "\n".join([*lines, *map(str, self.decisions)])

    @property
    def _terms(self) -> list[str]:
        return list(self.fitted.terms)

    def _column(self, values: object) -> Series:
        return data_frame({"value": values}, index=self._terms)["value"]

    @property
    def params(self) -> Series:
        """The coefficients, in the unit of the number per unit of the predictor."""
        return self._column(self.fitted.coefficients)

    @property
    def bse(self) -> Series:
        """Robust, or cluster-robust, standard errors of the coefficients."""
        return self._column([figure.standard_error for figure in self._figures])

    @property
    def pvalues(self) -> Series:
        """Two-sided p-values of the hypotheses that coefficients are 0."""
        return self._column([p_value(figure) for figure in self._figures])

    def _tested(self, figures: Sequence[Figure]) -> PValues:
        return PValues(
            value=np.array([p_value(figure) for figure in figures]),
            test="linear coefficient",
            n=self.nobs,
            estimable=self.fitted.effective_n >= LEAST_EFFECTIVE_ROWS,
            adjustment="none",
            family=1,
            origin=CHECKED,
        )

    def conf_int(self, alpha: float = 0.05) -> DataFrame:
        """Return intervals of the coefficients at the level 1 - alpha, as columns 0 and 1."""
        ends = np.reshape([figure.interval(1 - alpha) for figure in self._figures], (-1, 2))
        return data_frame({0: ends[:, 0], 1: ends[:, 1]}, index=self._terms)

    def t_test(self, combinations: Any, level: float = 0.95) -> DataFrame:
        """Estimate and test linear combinations of the coefficients.

        Parameters
        ----------
        combinations : mapping, Series, DataFrame or array
            As read by `privacy.regression.contrasts.read_combinations`; each is tested against 0.
        level : float, in (0, 1)

        Returns
        -------
        DataFrame
            One row per combination, with the columns of `privacy.printed.PrintedEstimates` and p_value.

        Raises
        ------
        PrivacyError
            ``regression``: an unknown term, the wrong number of factors, or factors that are not numbers.
        """
        factors = read_combinations(combinations, self._terms)
        figures = [self.fitted.combination(row, "combination") for row in factors]
        rows = self._printed(figures, level)
        return data_frame(rows.columns("value") | {"p_value": self._tested(figures)}, about=rows.about)

    def predict(self, frame: DataFrame) -> Series:
        """Return the expected number for each row.

        Parameters
        ----------
        frame : DataFrame, file that is open for reading, or result of `sottovoce.read_table`
            The predictors. For a disguised predictor, give true answers: "yes" and "no", or 1 and 0.

        Returns
        -------
        Series
            ``attrs["decisions"]`` says how texts were read.
        """
        return predicted_values(frame, self.formula, self.latent, self.fitted.coefficients)

    def __repr__(self) -> str:
        return f"<linear regression of {self.formula.response} on {self.formula.text}: n = {self.nobs:,}>"


def fit_number(
    frame: DataFrame,
    formula: Formula,
    number: NumberScores,
    *,
    latent: str | None,
    has_latent: Array | None,
    is_complete: Flags,
    mass: Array | None = None,
    units: SamplingUnits | None = None,
    drop: bool = False,
) -> LinearRegression:
    """Fit a formula whose response is a disguised number.

    Parameters
    ----------
    frame : DataFrame
    formula : Formula
    number : NumberScores
        Of all rows.
    latent : str, optional
        The disguised predictor.
    has_latent : float array, shape (rows,), optional
        Unbiased score of "yes" to it.
    is_complete : bool array, shape (rows,)
        Whether each row was asked everything; other rows are left out.
    mass : float array, shape (rows,), optional
        Weights.
    units : SamplingUnits, optional
        None if rows are independent.
    drop : bool
        Whether to leave out rows with an empty undisguised cell instead of refusing them.

    Raises
    ------
    PrivacyError
        ``regression``, ``frame``, ``formula``.
    """
    names = [name for name in formula.names if name != latent]
    rows, is_empty = predictor_rows(frame[is_complete], names, drop=drop)
    indices = np.flatnonzero(is_complete)[~is_empty]
    designs, of_fit = design_arrays(rows, formula, latent)
    terms = [str(name) for name in of_fit.terms.column_names]
    if len(rows) >= len(terms):
        check_covariates(designs.reshape(-1, len(terms)), np.ones((designs.size // len(terms), 1)), terms)
    chances = np.ones((len(rows), 1))
    if has_latent is not None:
        chances = np.stack([1 - has_latent[indices], has_latent[indices]], axis=1)
    fitted = LinearFit(
        terms=terms,
        designs=designs,
        chances=chances,
        number=replace(number, total=number.total[indices], answered=number.answered[indices]),
        mass=np.ones(len(rows)) if mass is None else mass[indices],
        units=None if units is None else units.part(indices),
    )
    return LinearRegression(formula=of_fit, fitted=fitted, latent=latent, dropped=int(is_empty.sum()))
