"""Logistic regression of a column, where it or a predictor is disguised."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from privacy import validation
from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.library.designs import YES_NO, ResponseDesign, checked_design, shared_row, truthful
from privacy.library.frames import (
    answer_codes,
    column_weights,
    data_frame,
    pick,
    read_column,
    read_frame,
)
from privacy.library.rows import RowDesigns, cluster_members, row_designs
from privacy.regression.fitted_logit import Coefficients, FittedLogit
from privacy.regression.formula_regression import Formula, FormulaRegression, LatentReports, fit_formula
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.regression import PREDICTOR, Regression, Setting, regress, standardised_shares

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame, Series


@dataclass(frozen=True, kw_only=True)
class Predictor:
    """An undisguised column, and its covariates.

    Parameters
    ----------
    name : hashable
        Of the column.
    values : tuple
        The values that it is compared at, the first with all others; empty where there are many numbers.
    is_numeric : bool
        Whether its numbers stand as they are.

    Examples
    --------
    >>> import pandas
    >>> town = Predictor.of(pandas.DataFrame({"town": ["b", "a", "c", "b"]}), "town")
    >>> town.terms, town.covariates(["b", "a"]).tolist()
    (['town=b', 'town=c'], [[1.0, 0.0], [0.0, 0.0]])
    """

    name: Hashable
    values: tuple[Any, ...]
    is_numeric: bool

    @classmethod
    def of(cls, frame: DataFrame, name: Hashable) -> Predictor:
        """Read a predictor of these rows.

        Raises
        ------
        PrivacyError
            ``frame``; ``regression``: nothing but one value.
        """
        numeric, column = read_column(frame, name)
        values = tuple(sorted(set(column), key=lambda value: (str(type(value)), value)))
        if len(values) < 2:
            raise PrivacyError("regression.one_value", values[0], column=name)
        return cls(name=name, values=() if numeric and len(values) > 2 else values, is_numeric=numeric)

    @property
    def terms(self) -> list[str]:
        """Names of the covariates."""
        if self.is_numeric:
            return [str(self.name)]
        return [f"{self.name}={value}" for value in self.values[1:]]

    def covariates(self, column: Sequence[Any]) -> Array:
        """Return the covariates of some values, shape (values, terms).

        Raises
        ------
        PrivacyError
            ``regression``: a value that no row had, where each counts by itself.
        """
        if self.is_numeric:
            return np.array(column, dtype=np.float64)[:, None]
        for value in column:
            if value not in self.values:
                allowed = ", ".join(map(str, self.values))
                raise PrivacyError("regression.value", value, column=self.name, allowed=allowed)
        answers = np.array(column, dtype=object)
        return np.stack([answers == value for value in self.values[1:]], axis=1).astype(np.float64)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LogisticRegression(Coefficients):
    """A fitted regression, by the names of its columns.

    Parameters
    ----------
    response : hashable
    disguised : hashable, optional
        The disguised predictor.
    predictors : tuple of Predictor
        The other ones.
    covariates : float array, shape (rows, covariates)
        The constant first.
    fitted : Regression
    """

    response: Hashable
    disguised: Hashable | None
    predictors: tuple[Predictor, ...]
    covariates: Array
    fitted: Regression

    @property
    def _own(self) -> tuple[FittedLogit, list[str], Any]:
        fitted = self.fitted.corrected
        at = fitted.of("response")
        terms = [str(self.disguised) if term == PREDICTOR else term for _, term in fitted.names]
        return fitted, [terms[own] for own in at], at

    @property
    def _heading(self) -> tuple[Hashable, str]:
        return self.response, f"n = {self.fitted.n:,.0f}"

    def standardised(
        self, predictor: Hashable, at: Sequence[Any] | None = None, level: float = 0.95
    ) -> DataFrame:
        """Return the standardised share of "yes" with a predictor fixed at each of its values.

        Parameters
        ----------
        predictor : hashable
        at : sequence, optional
            Values to compare; the first is what the others are compared with. If not given, all values of a
            column of texts or of two numbers, and "no" and "yes" of a disguised one.
        level : float, in (0, 1)

        Raises
        ------
        PrivacyError
            ``regression``: no predictor of this name, or no such value. ``level``.
        """
        values, settings = self._settings(predictor, at)
        shares = standardised_shares(self.fitted.corrected, settings, level=level)
        names = ("standard_error", "low", "high", "difference", "difference_low", "difference_high")
        columns = {name: [getattr(share, name) for share in shares] for name in names}
        return data_frame(
            {"share": [share.value for share in shares], **columns}, index=values, name=predictor
        )

    def _settings(self, name: Hashable, at: Sequence[Any] | None) -> tuple[list[Any], list[Setting]]:
        if name == self.disguised:
            values = list(YES_NO if at is None else at)
            for value in values:
                if value not in YES_NO:
                    raise PrivacyError("regression.value", value, column=name, allowed=", ".join(YES_NO))
            return values, [Setting(predictor=YES_NO.index(value)) for value in values]
        first = 1
        for predictor in self.predictors:
            last = first + len(predictor.terms)
            if predictor.name == name:
                break
            first = last
        else:
            known = [predictor.name for predictor in self.predictors] + (
                [] if self.disguised is None else [self.disguised]
            )
            raise PrivacyError("regression.predictor", name, names=", ".join(map(str, known)))
        values = list(predictor.values if at is None else at)
        if not values:
            raise PrivacyError("regression.at", name)
        settings = []
        for value in values:
            if predictor.is_numeric:
                validation.real_number(value, str(name), low=-math.inf, high=math.inf, code="regression")
            covariates = self.covariates.copy()
            covariates[:, first:last] = predictor.covariates([value])
            settings.append(Setting(covariates=covariates))
        return values, settings

    def __repr__(self) -> str:
        terms = [str(predictor.name) for predictor in self.predictors] + (
            [] if self.disguised is None else [str(self.disguised)]
        )
        return f"<logistic regression of {self.response} on {', '.join(terms)}: n = {self.fitted.n:,.0f}>"


def logistic_regression(
    frame: DataFrame,
    response: Hashable,
    predictors: Sequence[Hashable] | None = None,
    *,
    designs: RowDesigns | Mapping[Hashable, RowDesigns],
    weights: Hashable | None = None,
    clusters: Hashable | None = None,
) -> LogisticRegression | FormulaRegression:
    """Regress a yes/no column on others, where it or one of them is disguised, or both are.

    Parameters
    ----------
    frame : DataFrame
        A row for each respondent.
    response : hashable
        Or, without predictors, a formula such as "affair ~ sex * np.log(age) + C(year)".
    predictors : sequence of hashable, optional
        Columns of numbers stand as they are; others are compared with the first of their values.
    designs : ResponseDesign, Series of ResponseDesign, or mapping of column to one of these
        A design alone is that of the response. A Series has the design of each row; it needs a formula.
    weights : hashable, optional
        A column of weights.
    clusters : hashable, optional
        A column that says who was drawn together; it needs a formula.

    Returns
    -------
    LogisticRegression or FormulaRegression
        The first has ``standardised()``; the second, of a formula, has ``predict()``.

    Raises
    ------
    PrivacyError
        ``regression``, ``frame``, ``answers``, ``designs``, ``formula``.

    Notes
    -----
    See `privacy.regression.regression.regress`. A design of one coin for several questions, given for the
    response and for a predictor, is taken as one coin for both.

    Examples
    --------
    40 of 100 men and 50 of 100 women say yes under forced response, 1/6 each: .35 and .5 of them.

    >>> import pandas
    >>> from privacy.library.designs import forced_response
    >>> people = pandas.DataFrame({
    ...     "affair": [1] * 400 + [0] * 600 + [1] * 500 + [0] * 500,
    ...     "sex": ["man"] * 1000 + ["woman"] * 1000})
    >>> regression = logistic_regression(people, "affair", ["sex"], designs=forced_response(yes=1/6, no=1/6))
    >>> regression.standardised("sex")[["share", "difference"]].round(3)
           share  difference
    sex
    man     0.35        0.00
    woman   0.50        0.15
    """
    frame = read_frame(frame)
    if predictors is None:
        return _by_formula(frame, str(response), designs, weights, clusters)
    stated = dict(designs) if isinstance(designs, Mapping) else {response: designs}
    if clusters is not None or not all(isinstance(own, ResponseDesign) for own in stated.values()):
        raise PrivacyError("formula.needed", "designs" if clusters is None else "clusters")
    by_name: dict[Hashable, Any] = stated
    names = list(predictors)
    for name in by_name:
        if name != response and name not in names:
            raise PrivacyError("regression.predictor", name, names=", ".join(map(str, [response, *names])))
    for position, name in enumerate(names):
        if name == response or name in names[:position]:
            raise PrivacyError("regression.twice", name)
    disguised = [name for name in names if name in by_name]
    if len(disguised) > 1:
        raise PrivacyError("regression.disguised", len(disguised))
    predictor = disguised[0] if disguised else None
    answers, reports = _reports(frame, response, predictor, by_name)
    others, columns = [], [np.ones((len(frame), 1))]
    for name in names:
        if name != predictor:
            others.append(Predictor.of(frame, name))
            columns.append(others[-1].covariates(read_column(frame, name)[1]))
    covariates = np.concatenate(columns, axis=1)
    mass = np.ones(len(frame)) if weights is None else column_weights(frame, weights)
    counts = np.zeros((len(frame), answers.channels.shape[1]))
    counts[np.arange(len(frame)), reports] = mass
    terms = ["constant", *(term for predictor in others for term in predictor.terms)]
    return LogisticRegression(
        response=response,
        disguised=predictor,
        predictors=tuple(others),
        covariates=covariates,
        fitted=regress(answers, covariates, terms, counts, squares=counts**2),
    )


def _by_formula(
    frame: DataFrame,
    text: str,
    designs: RowDesigns | Mapping[Hashable, RowDesigns],
    weights: Hashable | None,
    clusters: Hashable | None,
) -> FormulaRegression:
    formula = Formula.of(text, map(str, frame.columns))
    stated = dict(designs) if isinstance(designs, Mapping) else {formula.response: designs}
    names = (formula.response, *formula.names)
    for name in stated:
        if name not in names:
            raise PrivacyError("regression.predictor", name, names=", ".join(names))
    disguised = [name for name in formula.names if name in stated]
    if len(disguised) > 1:
        raise PrivacyError("regression.disguised_terms", len(disguised), names=", ".join(disguised))
    used = (*disguised, formula.response)
    laws, which = zip(*(row_designs(stated.get(name, truthful()), len(frame)) for name in used), strict=True)
    for name, own in zip(used, laws, strict=True):
        for law in own:
            _retentions({name: law}, name)
    # Rows whose columns have the same designs are a group.
    kinds, group = np.unique(np.stack(which), axis=1, return_inverse=True)
    by_group = [[own[at] for own, at in zip(laws, kind, strict=True)] for kind in kinds.T.tolist()]
    reports = [
        _codes(pick(frame, [name])[0], own[0] if name in stated else None)
        for name, own in zip(used, laws, strict=True)
    ]
    rows = [shared_row(*own) for own in by_group] if len(stated) == len(used) == 2 else []
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
    return fit_formula(
        frame,
        formula,
        blocks,
        group=group.ravel(),
        is_complete=np.ones(len(frame), dtype=bool),
        mass=None if weights is None else column_weights(frame, weights),
        clusters=None if clusters is None else cluster_members(pick(frame, [clusters])[0], clusters),
    )


def _reports(
    frame: DataFrame,
    response: Hashable,
    predictor: Hashable | None,
    designs: Mapping[Hashable, ResponseDesign],
) -> tuple[LatentAnswers, Any]:
    """Return the channel of the reports, and each row's report."""
    (column,) = pick(frame, [response])
    responses = _codes(column, designs.get(response))
    own = _retentions(designs, response)
    if predictor is None:
        return LatentAnswers.of(response=own), responses
    (predicting,) = pick(frame, [predictor])
    reports = 2 * _codes(predicting, designs[predictor]) + responses
    if own is not None and (row := shared_row(designs[predictor], designs[response])) is not None:
        return LatentAnswers.together([row]), reports
    return LatentAnswers.of(response=own, predictor=_retentions(designs, predictor)), reports


def _retentions(designs: Mapping[Hashable, ResponseDesign], name: Hashable) -> list[Any] | None:
    if name not in designs:
        return None
    design = checked_design(designs[name])
    if design.values != YES_NO:
        raise PrivacyError("regression.levels", repr(design), column=name)
    return [design.retention]


def _codes(column: Series, design: ResponseDesign | None) -> Any:
    return answer_codes(column, YES_NO if design is None else design.reports)[1]
