"""Regression of one item on others, over the rows behind a run's figures.

Each figure is computed from counts of rows by the named open answers and by the reports of the disguised
items. It reveals no more about a disguised block than the rows do. Open answers need the same minimum count
as in every itemset that names them together.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NoReturn

import numpy as np

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.estimation.design_index import index_of
from privacy.forged import farthest
from privacy.regression.forged_rows import coefficient_flips, influential_kinds
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.logistic import Coefficient, FittedLogit
from privacy.regression.regression import PREDICTOR, Regression, regress
from privacy.regression.report_channels import report_channels
from privacy.regression.standardised import Setting, StandardisedShare, standardised_shares
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.policy import LEAST_PROTECTED
from surveys.runs.margin_weights import Combination, all_of
from surveys.runs.releasable_rows import ReleasableRows

MOST_OPEN_COMBINATIONS: Final = 200
"""Most combinations of open answers; more would leave few people in each and take seconds to count."""

CONSTANT: Final = "constant"


@dataclass(frozen=True, kw_only=True)
class Model:
    """A regression: its response and its predictors.

    Parameters
    ----------
    response : int
        An item.
    disguised : int, optional
        A protected predictor, as an item.
    questions : tuple of int
        Open predictors, by question number.
    """

    response: int
    disguised: int | None
    questions: tuple[int, ...]

    @property
    def items(self) -> tuple[int, ...]:
        """The response and its protected predictors."""
        first = () if self.disguised is None else (self.disguised,)
        return (self.response, *first)


@dataclass(frozen=True, kw_only=True)
class OpenPredictor:
    """An open question and its answers, which the model compares.

    Parameters
    ----------
    question : int
    answers : tuple of (int or None)
        Items; None is the "no" of a yes/no question. The first is the reference.
    """

    question: int
    answers: tuple[int | None, ...]


@dataclass(frozen=True, kw_only=True)
class ItemRegression:
    """A fitted model.

    Parameters
    ----------
    n : int
        Rows that were asked every question of the model.
    constant : Coefficient
    predictors : tuple of OpenPredictor
        Only with answers that respondents gave.
    coefficients : mapping of (int or None) to Coefficient
        By the item that is compared with its question's reference answer, or by the disguised item.
    events : float
        Expected events of the response, after the loss to the disguise.
    few_events : bool
        Whether there are fewer than ten events for each coefficient; intervals may then miss their level.
    skipped : Coefficient or None
        For people who skip the disguised item, if its block can be skipped.
    shares : mapping of int or None to sequence of StandardisedShare
        By open question, one share for each answer. Under None, the shares without and with the disguised
        item.
    flips : mapping of str to (int or None)
        By term: how many forged rows overturn the coefficient's sign, or that it has none.
    """

    n: int
    constant: Coefficient
    predictors: tuple[OpenPredictor, ...]
    coefficients: Mapping[int, Coefficient]
    events: float
    few_events: bool
    skipped: Coefficient | None = None
    shares: Mapping[int | None, Sequence[StandardisedShare]] = field(default_factory=dict)
    flips: Mapping[str, int | None] = field(default_factory=dict)


def open_predictors(design: Design) -> list[OpenPredictor]:
    """Return the open questions that allow one answer."""
    predictors = []
    for number, question in enumerate(design.questions):
        if design.blocks[design.block_of(number)].protected or not question.is_categorical:
            continue
        items = tuple(item.index for item in design.items if item.question == number)
        predictors.append(
            OpenPredictor(question=number, answers=items if question.is_exhaustive else (None, *items))
        )
    return predictors


def item_regression(rows: ReleasableRows, model: Model) -> ItemRegression:
    """Regress an item on others.

    Parameters
    ----------
    rows : ReleasableRows
    model : Model

    Raises
    ------
    SurveyError
        ``regression``: the model is not allowed, or has no estimate; ``too_few``, ``few_alike``: too few
        people were asked all its questions, or share its open answers.
    """
    design = rows.design
    predictors = _check_model(design, model)
    cells, in_cell = _cells(predictors)
    items = model_items(design, model)
    _check_enough(rows, items)
    within = index_of(design).asked_of(items)
    by_group = _counts(rows, in_cell, within)
    sizes = by_group.sum(axis=1)
    if ((sizes > 0) & (sizes < rows.disclosure.least_cross)).any():
        raise SurveyError("few_alike.patterns", len(items), least=rows.disclosure.least_cross)
    nonempty = np.flatnonzero(sizes).tolist()
    answers, reports = latent_items(design, model.response, model.disguised)
    events = [all_of([in_cell[cell], report]) for cell in nonempty for report in reports]
    counts = _counts(rows, events, within).reshape(len(nonempty), len(reports), 2)
    cases = [
        tuple(predictor.answers[index] for predictor, index in zip(predictors, cells[cell], strict=True))
        for cell in nonempty
    ]
    values = tuple(
        replace(predictor, answers=tuple(a for a in predictor.answers if a in {row[axis] for row in cases}))
        for axis, predictor in enumerate(predictors)
    )
    return _fit_regression(model, values, cases, answers, counts, forged=rows.withheld.rows)


def _cells(predictors: Sequence[OpenPredictor]) -> tuple[list[tuple[int, ...]], list[Combination]]:
    """Return the cells of answers to open questions, by position on each axis, and the rows of each.

    Raises
    ------
    SurveyError
        ``regression``: too many cells.
    """
    axes = [
        [_answer(predictor, position) for position in range(len(predictor.answers))]
        for predictor in predictors
    ]
    if (count := math.prod(map(len, axes))) > MOST_OPEN_COMBINATIONS:
        raise SurveyError("regression.cells", count, cells=count, most=MOST_OPEN_COMBINATIONS)
    cells = list(itertools.product(*(range(len(axis)) for axis in axes)))
    rows = [all_of([axis[index] for axis, index in zip(axes, cell, strict=True)]) for cell in cells]
    return cells, rows


def model_items(design: Design, model: Model) -> Columns:
    """Return the model's items and all items of its open questions.

    Parameters
    ----------
    design : Design
    model : Model
    """
    items = set(model.items)
    questions = {*model.questions, *(design.items[item].question for item in items)}
    beside = {
        item.index
        for item in design.items
        if item.question in questions and not design.blocks[item.block].protected
    }
    return tuple(sorted(items | beside))


def _check_enough(rows: ReleasableRows, items: Columns) -> None:
    """Refuse a regression if too few people were asked all its questions, or share its open answers."""
    (base,) = _counts(rows, [{(): 1}], index_of(rows.design).asked_of(items))
    if not rows.is_enough(*base.tolist()):
        raise SurveyError("too_few.patterns", len(items), least=LEAST_PROTECTED)
    if not rows.has_large_crosses(items):
        raise rows.small_cross("few_alike.patterns")


def _check_model(design: Design, model: Model) -> list[OpenPredictor]:
    """Return the open predictors of a model; refuse a model that is not allowed."""
    response = design.items[model.response]
    by_number = {predictor.question: predictor for predictor in open_predictors(design)}
    items = model.items
    if not any(design.blocks[design.items[item].block].protected for item in items):
        raise SurveyError("regression.open", response.key)
    for before in [design.items[item] for item in items[1:]]:
        if [design.items[item].question for item in items].count(before.question) > 1:
            raise SurveyError("regression.same", before.key)
        if not design.blocks[before.block].protected:
            raise SurveyError("regression.open", before.key)
    if response.question in model.questions:
        raise SurveyError("regression.same", response.key)
    if not model.questions and model.disguised is None:
        raise SurveyError("regression.nothing", response.key)
    if not set(model.questions) <= set(by_number):
        raise SurveyError("regression.same", response.key)
    return [by_number[number] for number in model.questions]


def _covariates(
    predictors: Sequence[OpenPredictor], cells: Sequence[tuple[int | None, ...]]
) -> tuple[list[int | None], Array]:
    """Return all answers but the reference ones, and their indicators in each cell of each group."""
    items = [answer for predictor in predictors for answer in predictor.answers[1:]]
    covariates = [[1.0, *(float(item in cell) for item in items)] for cell in cells]
    return items, np.array(covariates * 2)


def _fit_regression(
    model: Model,
    predictors: tuple[OpenPredictor, ...],
    cells: Sequence[tuple[int | None, ...]],
    answers: LatentAnswers,
    counts: Array,
    *,
    forged: int,
) -> ItemRegression:
    items, twice = _covariates(predictors, cells)
    rows = np.concatenate([counts[..., 0], counts[..., 1]])

    def fit_to(changed: Array) -> Regression:
        return regress(
            answers, twice, [CONSTANT, *map(str, items)], changed, group=np.repeat([0, 1], len(cells))
        )

    def shares_of(fit: FittedLogit) -> dict[int | None, list[StandardisedShare]]:
        found: dict[int | None, list[StandardisedShare]] = {
            predictor.question: _shares(fit, predictor, items, twice) for predictor in predictors
        }
        if model.disguised is not None:
            found[None] = standardised_shares(fit, [Setting(predictor=has) for has in (0, 1)])
        return found

    try:
        fit = fit_to(rows)
        estimates = fit.corrected
        table = estimates.table()
        lines = {line.term: line for line in table if line.equation == "response"}
        shares = shares_of(estimates)
        changes = coefficient_flips(lambda changed: fit_to(changed).corrected, estimates)
        shifts = _shifts(lambda changed: fit_to(changed).corrected, estimates, shares_of, forged)
        moved, shares = _with_shifts(lines, shares, shifts)
    except PrivacyError as error:
        _raise_for_page(error)
    terms_by_item = {item: str(item) for item in items if item is not None}
    if model.disguised is not None:
        terms_by_item[model.disguised] = PREDICTOR
    return ItemRegression(
        n=round(counts.sum()),
        constant=moved[CONSTANT],
        predictors=predictors,
        coefficients={item: moved[term] for item, term in terms_by_item.items()},
        skipped=moved.get(f"{PREDICTOR} skipped"),
        shares=shares,
        events=fit.events["response"],
        few_events=estimates.few_events,
        flips=dict(zip(lines, changes, strict=True)),
    )


def _shifts(
    refit: Callable[[Array], FittedLogit],
    fit: FittedLogit,
    shares_of: Callable[[FittedLogit], Mapping[int | None, Sequence[StandardisedShare]]],
    forged: int,
) -> list[float]:
    """Return how far forged rows can have moved coefficients of the response, shares and their differences.

    Each share is followed by its difference from the first one.
    """
    names, shape = [fit.names[index] for index in fit.of("response")], fit.model.counts.shape

    def read(changed: Array) -> Array:
        again = refit(changed.reshape(shape))
        by_name = dict(zip(again.names, again.coefficients.tolist(), strict=True))
        shares = [
            each.value
            for some in shares_of(again).values()
            for one in some
            for each in (one.share, one.difference)
        ]
        return np.array([*(by_name.get(name, math.nan) for name in names), *shares])

    kinds = sorted({kind for some in influential_kinds(fit) for kind in some})
    found: list[float] = farthest(read, fit.model.counts.ravel(), forged, kinds).tolist()
    return found


def _with_shifts(
    lines: Mapping[str, Coefficient],
    shares: Mapping[int | None, Sequence[StandardisedShare]],
    shifts: Sequence[float],
) -> tuple[dict[str, Coefficient], dict[int | None, list[StandardisedShare]]]:
    """Return coefficients and shares with the shifts that `_shifts` lists for them."""
    rest = iter(shifts)
    return {term: replace(line, shift=next(rest)) for term, line in lines.items()}, {
        question: [
            StandardisedShare(
                share=replace(one.share, shift=next(rest)),
                difference=replace(one.difference, shift=next(rest)),
            )
            for one in some
        ]
        for question, some in shares.items()
    }


def _shares(
    fit: FittedLogit, predictor: OpenPredictor, items: Sequence[int | None], covariates: Array
) -> list[StandardisedShare]:
    settings = []
    for answer in predictor.answers:
        everybody = covariates.copy()
        for column, item in enumerate(items, start=1):
            if item in predictor.answers[1:]:
                everybody[:, column] = item == answer
        settings.append(Setting(covariates=everybody))
    return standardised_shares(fit, settings)


def _raise_for_page(error: PrivacyError) -> NoReturn:
    """Raise the error that the page shows for a refusal of the core."""
    case = error.case.partition(".")[2]
    if case == "few_rows":
        raise SurveyError("regression.few_rows", error.value) from error
    if case == "separation":
        raise SurveyError("regression.separation", error.value) from error
    raise SurveyError("regression.no_estimate", error.value) from error


def _answer(predictor: OpenPredictor, position: int) -> Combination:
    answer = predictor.answers[position]
    if answer is not None:
        return {(answer,): 1}
    return {(): 1, **{(item,): -1 for item in predictor.answers if item is not None}}


def _counts(rows: ReleasableRows, sums: Sequence[Combination], within: Columns) -> Array:
    """Count the rows of each sum among those asked everything, by group: shape (sums, 2)."""
    requests = [
        {tuple(sorted({*columns, *within})): times for columns, times in terms.items()} for terms in sums
    ]
    counts = rows.count_cache.need({columns for terms in requests for columns in terms})
    return np.array(
        [
            np.sum([times * np.array(counts[columns]) for columns, times in terms.items()], axis=0)
            for terms in requests
        ],
        dtype=np.float64,
    ).reshape(-1, 2)


def latent_items(
    design: Design, response: int, before: int | None
) -> tuple[LatentAnswers, list[Combination]]:
    """Return the latent answers of a response and a disguised predictor, and the rows of each report.

    Parameters
    ----------
    design : Design
    response : int
        An item.
    before : int or None
        A protected predictor, as an item.

    Returns
    -------
    (LatentAnswers, list of Combination)
        The channels of both groups, direct first, and the rows in the order of the reports.
    """
    if before is None:
        return LatentAnswers.of(response=report_channels(design, [response])), _reports(design, response)
    if design.items[before].block == design.items[response].block:
        block = design.items[response].block
        both: Columns = tuple(sorted((before, response)))
        base = _answer_column(design, block)
        reports: list[Combination] = [
            {base: 1, (before,): -1, (response,): -1, both: 1},
            {(response,): 1, both: -1},
            {(before,): 1, both: -1},
            {both: 1},
        ]
        if base:
            reports.append({(): 1, base: -1})
        return LatentAnswers.together(report_channels(design, [before, response])), reports
    channels = (
        report_channels(design, [response]) if design.blocks[design.items[response].block].protected else None
    )
    pairs = itertools.product(_reports(design, before), _reports(design, response))
    return LatentAnswers.of(response=channels, predictor=report_channels(design, [before])), [
        all_of(pair) for pair in pairs
    ]


def _reports(design: Design, item: int) -> list[Combination]:
    """Return the rows without an item, the rows with it, and the rows that skip its block."""
    base = _answer_column(design, design.items[item].block)
    reports: list[Combination] = [{base: 1, (item,): -1}, {(item,): 1}]
    return [*reports, {(): 1, base: -1}] if base else reports


def _answer_column(design: Design, block: int) -> Columns:
    """Return the column of rows that answered a block; no column if the block cannot be skipped."""
    return () if design.blocks[block].refusal is None else (design.answered_column(block),)
