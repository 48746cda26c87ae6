"""Logistic regression by a formula, on columns that stand open and on items that were disguised."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import scipy
from numpy.typing import NDArray

from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.estimation.clusters import ClusterCount
from privacy.library.designs import YES_NO
from privacy.library.frames import data_frame, pick, read_column, report_codes
from privacy.regression.corrected_logit import CorrectedLogit
from privacy.regression.fitted_logit import Coefficients, FittedLogit, inverse, maximum
from privacy.regression.formula import Formula, Variable
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.logistic import Predictor

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame, Series

__all__ = ["FormulaRegression", "LatentPart", "LatentReports", "fit_formula", "fit_letters"]


@dataclass(frozen=True, kw_only=True, eq=False)
class LatentPart:
    """The items of one part that a regression is of, and how each group's devices report them.

    Parameters
    ----------
    items : tuple of int
    channels : float array, shape (groups, letters, letters)
        Of the patterns of having them, the first item's answer changing last; then of a skip, if any.
    """

    items: tuple[int, ...]
    channels: Array

    @property
    def letters(self) -> Iterator[dict[int, int] | None]:
        """What a person has of the items, by letter; None for a skip."""
        for pattern in itertools.product((0, 1), repeat=len(self.items)):
            yield dict(zip(self.items, pattern, strict=True))
        if self.channels.shape[1] > 1 << len(self.items):
            yield None


def fit_letters(
    parts: Sequence[LatentPart],
    response: int,
    designs: Array,
    terms: Sequence[str],
    counts: Array,
    *,
    group: NDArray[np.intp],
    squares: Array | None = None,
) -> FittedLogit:
    """Regress an item on any terms, which may be products of covariates and the disguised items.

    Parameters
    ----------
    parts : sequence of LatentPart
        Their coins are independent; one of them holds the response.
    response : int
    designs : float array, shape (cells, settings, terms)
        By cell and setting of the items that are no response, the last changing fastest; the constant first.
    terms : sequence of str
    counts, squares : float array, shape (cells, reports)
        Sums of weights and of squared weights; the reports are the product of those of the parts, in order.
    group : int array, shape (cells,)

    Raises
    ------
    PrivacyError
        ``regression``: a part that says nothing, coefficients that grow without end, too few rows for a
        coefficient.

    Notes
    -----
    With W the product of the inverses of the channels, sum over reports of counts W is unbiased for the
    rows of each true letter, and the score sum x (y - g(x b)) of these for that of the undisguised
    answers, whatever they follow (`CorrectedLogit`). Rows of a letter that skips a part are left out, without
    bias. Errors are robust. Events are those of undisguised rows times the least share that the
    disguise leaves of any coefficient's information.

    References
    ----------
    Nakamura 1990; Stefanski 1989; White 1982; Peduzzi et al. 1996.
    """
    channels = zip(*(part.channels for part in parts), strict=True)
    answers = LatentAnswers(letters=(), channels=np.stack([reduce(np.kron, own) for own in channels]))
    predictors = [item for part in parts for item in part.items if item != response]
    settings = list(itertools.product((0, 1), repeat=len(predictors)))
    letters = list(itertools.product(*(part.letters for part in parts)))
    branches = np.full((len(letters), len(settings)), -1)
    for row, letter in enumerate(letters):
        if None in letter:
            continue
        has = {item: on for own in letter if own is not None for item, on in own.items()}
        branches[row, settings.index(tuple(has[item] for item in predictors))] = has[response]
    model = CorrectedLogit(
        channels=answers.channels,
        branches=branches,
        designs=designs,
        group=group,
        counts=counts,
        squares=counts if squares is None else squares,
        unbiased=answers.unbiased,
    )
    names = tuple(("response", term) for term in terms)
    coefficients, at = maximum(model, ["response"] * len(settings), names)
    fitted = FittedLogit(
        names=names,
        answers=answers,
        model=model,
        coefficients=coefficients,
        at=at,
    )
    return replace(fitted, events=_events(model, fitted))


def _events(model: CorrectedLogit, fitted: FittedLogit) -> float:
    """Return the expected events or failures, the fewer of them, that the disguise leaves."""
    branches = model.branches
    happened, failed = (
        float(model.letter_counts.sum(axis=0) @ (branches == own).any(axis=1)) for own in (1, 0)
    )
    undisguised = np.diag(inverse(-fitted.at.hessian))
    left = min(1.0, float((undisguised / np.diag(fitted.covariance())).min()))
    weighting = model.counts.sum() / model.squares.sum()
    return float(min(happened, failed) * left * weighting)


Predictors: TypeAlias = Mapping[Variable, Predictor]


@dataclass(frozen=True, kw_only=True, eq=False)
class LatentReports:
    """Items of one block, and what each row reports of them.

    Parameters
    ----------
    names : tuple of str
    channels : float array, shape (groups, letters, letters)
        As of `privacy.regression.formula_regression.LatentPart`.
    reports : int array, shape (rows,)
        Position of each row's report among the letters.
    """

    names: tuple[str, ...]
    channels: Array
    reports: Whole


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FormulaRegression(Coefficients):
    """A fitted regression, in statsmodels' names.

    Parameters
    ----------
    formula : Formula
    fitted : FittedLogit
        By the corrected score, with robust errors, or errors of clusters.
    latent : tuple of str
        Predictors that were disguised.
    predictors : mapping of Variable to Predictor
        The open ones.
    nobs : int
        Rows that were asked everything.
    """

    formula: Formula
    fitted: FittedLogit
    latent: tuple[str, ...]
    predictors: Predictors
    nobs: int

    @property
    def _degrees(self) -> float:
        return self.fitted.degrees

    def _of_response(self) -> tuple[list[str], Array, Array]:
        terms = [term for _, term in self.fitted.names]
        return terms, self.fitted.coefficients, self.fitted.standard_errors()

    def to_frame(self, level: float = 0.95) -> DataFrame:
        """Return a row per coefficient: its error, p-value, odds ratio and that one's interval."""
        lines = self.fitted.table(level)
        columns = {
            "odds_ratio": [line.odds_ratio for line in lines],
            "low": [line.low for line in lines],
            "high": [line.high for line in lines],
            "coefficient": [line.value for line in lines],
            "standard_error": [line.standard_error for line in lines],
            "p_value": self.pvalues.tolist(),
        }
        return data_frame(columns, index=[line.term for line in lines], name=self.formula.response)

    def predict(self, frame: DataFrame) -> Series:
        """Return the chance of "yes" of each row.

        Parameters
        ----------
        frame : DataFrame
            The predictors; of those that were disguised the true answers to ask about, 0 and 1.
        """
        settings = np.zeros((1, len(self.latent)))
        own = {name: report_codes(pick(frame, [name])[0], YES_NO).astype(np.float64) for name in self.latent}
        designs, _ = _designs(frame, self.formula, self.latent, settings, self.predictors, own)
        chances = scipy.special.expit(designs[:, 0] @ self.fitted.coefficients)
        return data_frame({"predicted": chances}, index=frame.index)["predicted"]

    def summary(self, level: float = 0.95) -> str:
        """Return the table with the number of rows."""
        head = f"{self.formula.response}, logistic regression by the corrected score, n = {self.nobs:,}"
        return f"{head}\n{self.to_frame(level).round(4)}{self.labels(self.fitted)}"

    def __repr__(self) -> str:
        names = ", ".join(self.formula.names)
        return f"<logistic regression of {self.formula.response} on {names}: n = {self.nobs:,}>"


def fit_formula(
    frame: DataFrame,
    formula: Formula,
    blocks: Sequence[LatentReports],
    *,
    group: Whole,
    is_complete: Flags,
    mass: Array | None = None,
    clusters: Whole | None = None,
) -> FormulaRegression:
    """Fit a formula whose response, or one predictor, or both were disguised.

    Parameters
    ----------
    frame : DataFrame
    formula : Formula
    blocks : sequence of LatentReports
        Of which one holds the response; their coins are independent.
    group : int array, shape (rows,)
        Which channel disguised a row.
    is_complete : bool array, shape (rows,)
        Rows that were asked everything; the others are left out.
    mass : float array, shape (rows,), optional
        Weights.
    clusters : int array, shape (rows,), optional
        Who was drawn together: errors then are by H^-1 (sum over clusters of s s') H^-1.

    Raises
    ------
    PrivacyError
        ``regression`` (also of several disguised predictors), ``frame``, ``formula``.

    References
    ----------
    Nakamura 1990; White 1982; Liang and Zeger 1986.
    """
    items = [name for block in blocks for name in block.names]
    number_of = {name: position for position, name in enumerate(items)}
    latent = tuple(name for name in items if name != formula.response)
    if len(latent) > 1:
        raise PrivacyError("regression.disguised_terms", len(latent), names=", ".join(latent))
    settings = np.array(list(itertools.product((0.0, 1.0), repeat=len(latent))))
    rows = frame[is_complete]
    predictors = {
        variable: Predictor.of(rows, variable.name, is_categorical=variable.is_categorical)
        for term in formula.terms
        for variable in term
        if variable.name not in latent
    }
    designs, terms = _designs(rows, formula, latent, settings, predictors, {})
    shape = tuple(block.channels.shape[1] for block in blocks)
    reports = np.ravel_multi_index(tuple(block.reports[is_complete] for block in blocks), shape)
    weights = np.ones(len(rows)) if mass is None else mass[is_complete]
    member = np.zeros(len(rows), dtype=np.int64) if clusters is None else clusters[is_complete]
    # Rows that are alike in all but their report are one cell.
    alike = np.column_stack([designs.reshape(len(rows), -1), group[is_complete], member])
    _, first, which = np.unique(alike, axis=0, return_index=True, return_inverse=True)
    sums = np.zeros((2, len(first), int(np.prod(shape))))
    for power, own in enumerate(sums, start=1):
        np.add.at(own, (which.ravel(), reports), weights**power)
    fit = fit_letters(
        [
            LatentPart(items=tuple(number_of[name] for name in block.names), channels=block.channels)
            for block in blocks
        ],
        number_of[formula.response],
        designs[first],
        terms,
        sums[0],
        group=group[is_complete][first],
        squares=sums[1],
    )
    if clusters is not None:
        fit = _clustered(fit, member[first])
    return FormulaRegression(
        formula=formula,
        fitted=fit,
        latent=latent,
        predictors=predictors,
        nobs=len(rows),
    )


def _clustered(fit: FittedLogit, member: Whole) -> FittedLogit:
    """Return the fit with the outer products of sums of scores over clusters."""
    scores = fit.model.report_scores(fit.coefficients)
    by_logit = (fit.model.counts[:, None, :] @ scores)[:, 0]
    by_cell = np.einsum("ck,ckt->ct", by_logit, fit.model.designs)
    _, which = np.unique(member, return_inverse=True)
    sums = np.zeros((int(which.max()) + 1, by_cell.shape[1]))
    np.add.at(sums, which.ravel(), by_cell)
    clusters = ClusterCount.of(np.bincount(which.ravel(), weights=fit.model.counts.sum(axis=1)))
    outer = clusters.factor * sums.T @ sums
    return replace(fit, at=replace(fit.at, outer=outer), clusters=clusters)


def _designs(
    frame: DataFrame,
    formula: Formula,
    latent: Sequence[str],
    settings: Array,
    predictors: Predictors,
    known: Mapping[str, Array],
) -> tuple[Array, list[str]]:
    """Return the design rows by row and setting of the disguised predictors, and the names of the terms.

    Where the true answers are known, they stand in place of the setting.
    """
    shape = len(frame), len(settings)

    def covariates(variable: Variable) -> list[tuple[str, Array]]:
        if variable.name in latent:
            setting = settings[None, :, latent.index(variable.name)]
            own = known[variable.name][:, None] if variable.name in known else setting
            return [(variable.name, np.broadcast_to(own, shape))]
        predictor = predictors[variable]
        columns = predictor.covariates(read_column(frame, variable.name)[1]).T[:, :, None]
        return list(zip(predictor.terms, np.broadcast_to(columns, (len(columns), *shape)), strict=True))

    names, columns = ["constant"], [np.ones(shape)]
    for term in formula.terms:
        for product in itertools.product(*(covariates(variable) for variable in term)):
            names.append(":".join(name for name, _ in product))
            columns.append(np.prod([column for _, column in product], axis=0))
    return np.stack(columns, axis=2), names
