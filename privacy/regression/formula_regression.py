"""Logistic regression with a formula on columns of a DataFrame, with disguised response or predictor."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy

from privacy.arrays import Array, Flags, Whole
from privacy.counted_nouns import counted
from privacy.effective_rows import effective_text
from privacy.errors import PrivacyError
from privacy.estimation.fit_check import check_fit
from privacy.estimation.sampling_units import SamplingUnits
from privacy.library.answers import answer_codes, report_codes, report_index
from privacy.library.designs import (
    YES_NO,
    Designed,
    ResponseDesign,
    RowDesigns,
    checked_design,
    shared_row,
    truthful,
)
from privacy.library.frames import column_weights, level_groups, pick
from privacy.library.row_designs import report_groups, row_designs
from privacy.library.sampling_units import units_of
from privacy.library.shown_tables import Shown, data_frame
from privacy.p_values import PValues
from privacy.policy import LEAST_EFFECTIVE_ROWS
from privacy.printed import CHECKED, Basis, PrintedEstimates, printed_points
from privacy.regression.contrasts import read_combinations
from privacy.regression.covariates import check_covariates
from privacy.regression.formula import Formula
from privacy.regression.latent_parts import LatentPart, LatentReports
from privacy.regression.letter_regression import fit_letters
from privacy.regression.logistic import FittedLogit, exponential
from privacy.regression.predictor_rows import design_arrays, predictor_rows
from privacy.tables.decisions import Decisions
from privacy.tables.estimation import estimation_frame, weight_kinds

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame, Series


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FormulaRegression(Shown):
    """A fitted regression, with the attribute names of statsmodels.

    Parameters
    ----------
    formula : Formula
        Formula with the levels and transform states of the fit.
    fitted : FittedLogit
        Fit by the corrected score, with robust or cluster-robust errors.
    latent : str, optional
        The disguised predictor.
    nobs : int
        Number of rows that were asked everything.
    dropped : int
        Number of rows left out because an undisguised column is empty.
    decisions : Decisions
        What was decided about the texts of the table, also in the summary.
    """

    formula: Formula
    fitted: FittedLogit
    latent: str | None
    nobs: int
    dropped: int = 0
    decisions: Decisions = field(default_factory=Decisions)

    @property
    def _terms(self) -> list[str]:
        return [term for _, term in self.fitted.names]

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return one row per coefficient: odds ratio with its interval, coefficient, standard error, p-value.

        Odds ratio and coefficient are NaN if their interval lacks an end: see ``basis``, and `params` for the
        solution of the equations. ``shown_because_estimable`` marks those whose interval has both ends only
        because the answers came out well. Such intervals may miss their level.

        Parameters
        ----------
        level : float, in (0, 1)

        Raises
        ------
        PrivacyError
            ``level``.
        """
        values = self.params
        logs = self._printed(np.eye(len(values)), level)
        # If log odds lack an end, one of the two odds may be 0, so their ratio is NaN.
        points = printed_points(logs.value, logs.bases)
        rows = replace(
            logs,
            possible=(0.0, np.inf),
            value=exponential(points),
            low=exponential(logs.low),
            high=exponential(logs.high),
        )
        columns = rows.columns("odds_ratio")
        # The standard error is that of the coefficient.
        ends = {name: columns.pop(name) for name in ("odds_ratio", "low", "high")}
        named = {"coefficient": points, "standard_error": columns.pop("standard_error")}
        columns = (
            ends
            | named
            | {"p_value": self._tested(np.eye(len(values)), logs.bases)}
            | columns
            | {"largest_row": self.fitted.largest_row}
            | self._labels(np.eye(len(values)), logs.bases)
        )
        return data_frame(columns, index=values.index, name=self.formula.response, about=rows.about)

    def _labels(self, factors: Array, bases: Sequence[Basis]) -> dict[str, list[bool]]:
        """Return the column of points that are printed because the answers came out well."""
        near = [self.fitted.is_near_no_end(row) for row in factors]
        is_shown = [basis == "estimate" and own for basis, own in zip(bases, near, strict=True)]
        return {"shown_because_estimable": is_shown}

    def _printed(self, factors: Array, level: float) -> PrintedEstimates:
        error = np.sqrt(np.einsum("ij,jk,ik->i", factors, self.fitted.covariance(), factors))
        low, high = self._ends(factors, level)
        return PrintedEstimates(
            value=factors @ self.fitted.coefficients, standard_error=error, low=low, high=high, n=self.nobs,
            effective_n=self.fitted.effective_n, level=level, possible=(-np.inf, np.inf), method="regression",
            shift=0.0, origin=CHECKED,
        )  # fmt: skip

    def _ends(self, factors: Array, level: float) -> Array:
        """Return the ends of the intervals of linear combinations, shape (2, combinations)."""
        return np.reshape([self.fitted.interval(row, level) for row in factors], (-1, 2)).T

    def summary(self, level: float = 0.95) -> str:
        """Return the table with the number of rows."""
        left_out = f" ({counted(self.dropped, 'row')} with empty cells left out)" if self.dropped else ""
        head = f"{self.formula.response}, logistic regression by the corrected score, n = {self.nobs:,}"
        head += f"{effective_text(self.nobs, self.fitted.effective_n)}, {100 * level:g}% intervals"
        said = "".join(f"\n{each}" for each in self.decisions)
        names = ["odds_ratio", "low", "high", "coefficient", "standard_error", "p_value"]
        table = self.to_frame(level)
        labels = self.fitted.labels(self.nobs)
        if terms := ", ".join(table.index[table.shown_because_estimable]):
            labels += f"\nshown because estimable: {terms}; such intervals miss their level more often"
        if terms := ", ".join(table.index[table.basis == "too few"]):
            labels += f"\nnot determined: {terms}; any odds ratio is possible for one unit"
        return f"{head}{left_out}\n{table[names].round(4)}{labels}{said}"

    @property
    def params(self) -> Series:
        """The coefficients, differences in log odds."""
        return data_frame({"value": self.fitted.coefficients}, index=self._terms)["value"]

    def cov_params(self) -> DataFrame:
        """Return the robust or cluster-robust covariance of the coefficients."""
        covariance = self.fitted.covariance()
        return data_frame(dict(zip(self._terms, covariance.T, strict=True)), index=self._terms)

    @property
    def bse(self) -> Series:
        """Standard errors of the coefficients."""
        return data_frame({"value": np.sqrt(np.diag(self.cov_params()))}, index=self.params.index)["value"]

    @property
    def tvalues(self) -> Series:
        """Coefficients divided by their standard errors."""
        return self.params / self.bse

    @property
    def pvalues(self) -> Series:
        """Two-sided p-values of score tests that coefficients are 0; they agree with the intervals."""
        values = self._p_values(np.eye(len(self.params)))
        return data_frame({"value": values}, index=self.params.index)["value"]

    def _tested(self, factors: Array, bases: Sequence[Basis]) -> PValues:
        # A figure of too few answers has no p-value either.
        is_known = np.array([basis != "too few" for basis in bases])
        return PValues(
            value=np.where(is_known, self._p_values(factors), np.nan),
            test="coefficient",
            n=self.nobs,
            estimable=self.fitted.effective_n >= LEAST_EFFECTIVE_ROWS,
            adjustment="none",
            family=1,
            origin=CHECKED,
        )

    def _p_values(self, factors: Array) -> Array:
        return np.array([self.fitted.p_value(row) for row in factors])

    def conf_int(self, alpha: float = 0.05) -> DataFrame:
        """Return intervals of the coefficients at the level 1 - alpha, as columns 0 and 1."""
        low, high = self._ends(np.eye(len(self.params)), 1 - alpha)
        return data_frame({0: low, 1: high}, index=self.params.index)

    def t_test(self, combinations: Any, level: float = 0.95) -> DataFrame:
        """Estimate and test linear combinations of the coefficients.

        Parameters
        ----------
        combinations : mapping or Series of term to factor, or array, shape (coefficients,) or \
(tests, coefficients)
            ``{"age": 10}`` is ten times the coefficient of age. Each combination is tested against 0. A
            DataFrame has a column per term.
        level : float, in (0, 1)

        Returns
        -------
        DataFrame
            One row per combination: value, standard_error, low, high, n, level, t, p_value,
            shown_because_estimable.

        Raises
        ------
        PrivacyError
            ``regression``: an unknown term, the wrong number of factors, or factors that are not numbers.
        """
        factors = read_combinations(combinations, self._terms)
        rows = self._printed(factors, level)
        points = printed_points(rows.value, rows.bases)
        tests = {"t": points / rows.standard_error, "p_value": self._tested(factors, rows.bases)}
        return data_frame(rows.columns("value") | tests | self._labels(factors, rows.bases), about=rows.about)

    def predict(self, frame: DataFrame) -> Series:
        """Return the probability of "yes" for each row.

        Parameters
        ----------
        frame : DataFrame, file that is open for reading, or result of `sottovoce.read_table`
            The predictors. For a disguised predictor, give true answers: "yes" and "no", or 1 and 0.

        Returns
        -------
        Series
            ``attrs["decisions"]`` says how texts were read.
        """
        logits = predicted_values(frame, self.formula, self.latent, self.fitted.coefficients)
        probabilities: Series = scipy.special.expit(logits)
        probabilities.attrs = logits.attrs
        return probabilities

    def __repr__(self) -> str:
        return f"<logistic regression of {self.formula.response} on {self.formula.text}: n = {self.nobs:,}>"


def predicted_values(frame: Any, formula: Formula, latent: str | None, coefficients: Array) -> Series:
    """Return x'b for each row of new predictors.

    Parameters
    ----------
    frame : DataFrame, file that is open for reading, or result of `sottovoce.read_table`
    formula : Formula
        That of a fit.
    latent : str or None
        The disguised predictor, of which `frame` has true answers.
    coefficients : float array, shape (coefficients,)

    Returns
    -------
    Series
        ``attrs["decisions"]`` says how texts were read.

    Raises
    ------
    PrivacyError
        ``frame``, ``formula``.
    """
    reports = {} if latent is None else {latent: is_yes_or_no}
    frame, decisions = estimation_frame(frame, reports=reports, kinds=formula.kinds)
    rows, _ = predictor_rows(frame, [name for name in formula.names if name != latent])
    if latent is not None:
        rows = rows.assign(**{latent: report_codes(pick(frame, [latent])[0], YES_NO)})
    values = np.asarray(formula.matrix(rows), dtype=np.float64) @ coefficients
    predicted: Series = data_frame({"predicted": values}, index=frame.index)["predicted"]
    predicted.attrs["decisions"] = [*map(str, decisions)]
    return predicted


def fit_formula(
    frame: DataFrame,
    formula: Formula,
    blocks: Sequence[LatentReports],
    *,
    group: Whole,
    is_complete: Flags,
    mass: Array | None = None,
    units: SamplingUnits | None = None,
    drop: bool = False,
) -> FormulaRegression:
    """Fit a formula with a disguised response, a disguised predictor, or both.

    Parameters
    ----------
    frame : DataFrame
    formula : Formula
    blocks : sequence of LatentReports
        The blocks with disguised columns, with independent coins; one of them has the response.
    group : int array, shape (rows,)
        The channel that disguised each row.
    is_complete : bool array, shape (rows,)
        Whether each row was asked everything; other rows are left out.
    mass : float array, shape (rows,), optional
        Weights.
    units : SamplingUnits, optional
        None if rows are independent. Otherwise errors are H^-1 (sum over clusters of s s') H^-1.
    drop : bool
        Whether to leave out rows with an empty undisguised cell instead of refusing them.

    Raises
    ------
    PrivacyError
        ``regression`` (for example, several disguised predictors), ``frame``, ``formula``.

    Notes
    -----
    Each row has one design row for each answer to the disguised predictor. Levels and transforms do not
    depend on the reports of that predictor.

    References
    ----------
    Nakamura 1990; White 1982; Liang and Zeger 1986.
    """
    items = [name for block in blocks for name in block.names]
    number_of = {name: position for position, name in enumerate(items)}
    predictors = [name for name in items if name != formula.response]
    if len(predictors) > 1:
        raise PrivacyError("regression.disguised_terms", len(predictors), names=", ".join(predictors))
    latent = predictors[0] if predictors else None
    rows, is_empty = predictor_rows(
        frame[is_complete], [name for name in formula.names if name != latent], drop=drop
    )
    indices = np.flatnonzero(is_complete)[~is_empty]
    designs, of_fit = design_arrays(rows, formula, latent)
    terms = [str(name) for name in of_fit.terms.column_names]
    weights = np.ones(len(rows)) if mass is None else mass[indices]
    check_covariates(designs.reshape(-1, len(terms)), np.ones((designs.size // len(terms), 1)), terms)
    shape = tuple(block.channels.shape[1] for block in blocks)
    reports = np.ravel_multi_index(tuple(block.reports[indices] for block in blocks), shape)
    member = np.zeros(len(rows), dtype=np.int64) if units is None else units.members[indices]
    # Rows that differ only in their report form one cell.
    alike = np.column_stack([designs.reshape(len(rows), -1), group[indices], member, weights])
    _, first, which = np.unique(alike, axis=0, return_index=True, return_inverse=True)
    sums = np.zeros((2, len(first), int(np.prod(shape))))
    for power, power_sums in enumerate(sums, start=1):
        np.add.at(power_sums, (which.ravel(), reports), weights**power)
    fit = fit_letters(
        [
            LatentPart(items=tuple(number_of[name] for name in block.names), channels=block.channels)
            for block in blocks
        ],
        number_of[formula.response],
        designs[first],
        terms,
        sums[0],
        group=group[indices][first],
        squares=sums[1],
    )
    if units is not None:
        fit = _cluster_errors(fit, units.part(indices[first]))
    return FormulaRegression(
        formula=of_fit,
        fitted=fit,
        latent=latent,
        nobs=len(rows),
        dropped=int(is_empty.sum()),
    )


def _cluster_errors(fit: FittedLogit, units: SamplingUnits) -> FittedLogit:
    """Replace the outer products of scores by those of sums over sampling units."""
    scores = fit.model.report_scores(fit.coefficients)
    by_logit = (fit.model.counts[:, None, :] @ scores)[:, 0]
    by_cell = np.einsum("ck,ckt->ct", by_logit, fit.model.designs)
    sums, clusters = units.sums(by_cell.T, fit.model.counts.sum(axis=1))
    return replace(fit, at=replace(fit.at, outer=clusters.outer(sums.T)), clusters=clusters, units=units)


def logistic_regression(
    frame: DataFrame,
    formula: str,
    *,
    designs: RowDesigns | Mapping[Hashable, RowDesigns] | Designed,
    weights: Hashable | None = None,
    clusters: Hashable | None = None,
    strata: Hashable | None = None,
    **options: object,
) -> FormulaRegression:
    """Regress a yes/no column on others, if it or one predictor is disguised, or both.

    Parameters
    ----------
    frame : DataFrame
        One row for each respondent.
    formula : str
        Such as "affair ~ sex * np.log(age) + C(year)", in the syntax of R and patsy.
    designs : ResponseDesign, Series of them, mapping of column to one of these, or `sottovoce.Survey`
        A single design applies to the response. A Series has the design of each row. With a survey, the call
        equals ``survey.on(frame).regression(formula)``, which handles skips, drawn questions and two groups.
    weights : hashable, optional
        Column of weights.
    clusters : hashable, optional
        Column of sampling units, such as schools.
    strata : hashable, optional
        Column of the strata in which clusters, or rows, were drawn.
    **options
        Not supported: any other option is refused by name.

    Returns
    -------
    FormulaRegression
        ``summary()``, ``params``, ``t_test()``, ``predict()``.

    Raises
    ------
    PrivacyError
        ``regression``, ``frame``, ``answers``, ``designs``, ``formula``; ``misfit``: no true answers would
        produce these reports, or those of the rows with one value of a predictor, under the design.

    Notes
    -----
    See `privacy.regression.formula_regression.fit_formula`. If response and predictor have a design in which
    questions share a coin, they share one.

    Examples
    --------
    40% of men and 50% of women say yes under forced response, 1/6 each. The estimated shares are .35 and .5:

    >>> import pandas
    >>> from privacy.library.designs import forced_response
    >>> people = pandas.DataFrame({
    ...     "affair": [1] * 400 + [0] * 600 + [1] * 500 + [0] * 500,
    ...     "sex": ["man"] * 1000 + ["woman"] * 1000})
    >>> regression = logistic_regression(people, "affair ~ sex", designs=forced_response(yes=1/6, no=1/6))
    >>> regression.predict(pandas.DataFrame({"sex": ["man", "woman"]})).round(3).tolist()
    [0.35, 0.5]
    """
    check_options(options)
    if isinstance(designs, Designed):
        of_survey: FormulaRegression = designs.on(
            frame, weights=weights, clusters=clusters, strata=strata
        ).regression(formula)
        return of_survey
    left = str(formula).partition("~")[0].strip().strip("`")
    disguised = dict.fromkeys(designs if isinstance(designs, Mapping) else [left], is_yes_or_no)
    frame, decisions = estimation_frame(frame, reports=disguised, kinds=weight_kinds(weights))
    read = Formula.of(formula, map(str, frame.columns))
    by = dict(designs) if isinstance(designs, Mapping) else {read.response: designs}
    names = (read.response, *read.names)
    for name in by:
        if name not in names:
            raise PrivacyError("regression.predictor", name, names=", ".join(names))
    used = (*(name for name in read.names if name in by), read.response)
    applied, which = zip(*(row_designs(by.get(name, truthful()), frame) for name in used), strict=True)
    for name, own in zip(used, applied, strict=True):
        for design in own:
            _check_answers(design, name)
    # Rows with the same designs form a group.
    kinds, group = np.unique(np.stack(which), axis=1, return_inverse=True)
    by_group = [[own[at] for own, at in zip(applied, kind, strict=True)] for kind in kinds.T.tolist()]
    reports = [
        answer_codes(pick(frame, [name])[0], own[0].reports)[1]
        for name, own in zip(used, applied, strict=True)
    ]
    known = level_groups(pick(frame, [name for name in read.names if name not in by]))
    groups = {"": np.ones(len(frame), dtype=bool), **{f" ({name})": rows for name, rows in known.items()}}
    checked = [at for at, name in enumerate(used) if name in by]
    check_fit(
        [
            report_groups(f"{used[at]}{name}", applied[at], which[at][own], reports[at][own], (name, at))
            for name, own in groups.items()
            for at in checked
        ]
    )
    rows = [shared_row(*own) for own in by_group] if len(by) == len(used) == 2 else []
    if any(row is not None for row in rows):
        matrices = np.stack([row.matrix.as_array() for row in rows if row is not None])
        blocks = [LatentReports(names=used, channels=matrices, reports=2 * reports[0] + reports[1])]
    else:
        blocks = [
            LatentReports(
                names=(name,),
                channels=np.stack([own[at].channel.as_array() for own in by_group]),
                reports=reports[at],
            )
            for at, name in enumerate(used)
        ]
    fit = fit_formula(
        frame,
        read,
        blocks,
        group=group.ravel(),
        is_complete=np.ones(len(frame), dtype=bool),
        mass=None if weights is None else column_weights(frame, weights),
        units=units_of(frame, clusters, strata),
    )
    return replace(fit, decisions=decisions)


def check_options(options: Mapping[str, object]) -> None:
    """Refuse options that a regression does not have, such as ``errors="HC3"``.

    Parameters
    ----------
    options : mapping of str to object

    Raises
    ------
    PrivacyError
        ``regression``.
    """
    for name, value in options.items():
        raise PrivacyError("regression.option", value, name=name)


def is_yes_or_no(value: Any) -> bool:
    """Return whether a value is an answer to a yes/no question.

    Parameters
    ----------
    value : object
    """
    return report_index(value, YES_NO) is not None


def _check_answers(value: Any, name: str) -> None:
    design: ResponseDesign = checked_design(value)
    if design.values != YES_NO:
        raise PrivacyError("regression.levels", repr(design), column=name)
