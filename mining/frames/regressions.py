"""Regressions of disguised reports: of an item or a column of yes and no, and of a number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from mining.frames.column_checks import check_rows_of_groups, refuse_disguised
from mining.frames.report_columns import with_levels
from mining.frames.rows import DisguisedRows
from privacy.channels import Channel
from privacy.errors import PrivacyError
from privacy.estimation.design_index import index_of
from privacy.library.frames import level_groups, pick
from privacy.regression.formula import Formula, quote_names
from privacy.regression.formula_linear import LinearRegression, fit_number
from privacy.regression.formula_regression import FormulaRegression, fit_formula
from privacy.regression.latent_parts import LatentReports
from privacy.regression.report_channels import report_channels
from privacy.survey.design import Item


def fit_regression(rows: DisguisedRows, formula: str) -> FormulaRegression | LinearRegression:
    """Fit a formula, by the kind of its response; see `mining.frames.reports.Reports.regression`.

    Parameters
    ----------
    rows : DisguisedRows
    formula : str
        The right side may have one disguised item and any undisguised columns.

    Raises
    ------
    PrivacyError
        ``formula``, ``frame``, ``regression``, ``reports``, ``misfit``.
    """
    design = rows.design
    items = {
        rows.names.get(item.key, item.key): item
        for item in design.items
        if design.blocks[item.block].protected
    }
    numbers = [
        rows.names.get(question.key, question.key) for question in design.questions if question.has_mean
    ]
    names = [*items, *numbers]
    model = Formula.of(quote_names(formula, names), [*map(str, rows.frame.columns), *names])
    refuse_disguised([name for name in model.names if name not in items], design, rows.names)
    known = pick(rows.frame, [name for name in model.names if name not in items])
    check_rows_of_groups(design, rows.packed, level_groups(known))
    fit = _number_fit(rows, model, items) if model.response in numbers else _item_fit(rows, model, items)
    return replace(fit, decisions=rows.decisions)


def _number_fit(rows: DisguisedRows, model: Formula, items: Mapping[str, Item]) -> LinearRegression:
    disguised = [name for name in model.names if name in items]
    if len(disguised) > 1:
        raise PrivacyError("regression.disguised_terms", len(disguised), names=", ".join(disguised))
    number, is_complete = rows.number_scores(model.response)
    latent, has_latent = None, None
    for latent in disguised:
        has_latent, is_asked = rows.item_scores(latent)
        is_complete = is_complete & is_asked
    return fit_number(
        with_levels(rows.frame, model.names, rows.design, rows.names),
        model,
        number,
        latent=latent,
        has_latent=has_latent,
        is_complete=is_complete,
        mass=rows.mass,
        units=rows.units,
        drop=rows.dropped is not None,
    )


def _item_fit(rows: DisguisedRows, model: Formula, items: Mapping[str, Item]) -> FormulaRegression:
    latent = [name for name in (model.response, *model.names) if name in items]
    blocks, is_complete = [], np.ones(rows.n, dtype=bool)
    if latent:
        for column in index_of(rows.design).asked_of([items[name].index for name in latent]):
            is_complete &= rows.bits[column]
    for number in dict.fromkeys(items[name].block for name in latent):
        names = tuple(name for name in latent if items[name].block == number)
        blocks.append(_block_reports(rows, names, [items[name].index for name in names], number))
    if model.response not in items:
        truth = np.stack([np.eye(2)] * 2)
        scores, present = rows.yes_no_column(model.response, None)
        is_complete &= present
        reports = scores.astype(np.int64)
        blocks.append(LatentReports(names=(model.response,), channels=truth, reports=reports))
    return fit_formula(
        with_levels(rows.frame, model.names, rows.design, rows.names),
        model,
        blocks,
        group=(~rows.direct).astype(np.int64),
        is_complete=is_complete,
        mass=rows.mass,
        units=rows.units,
        drop=rows.dropped is not None,
    )


def _block_reports(
    rows: DisguisedRows, names: tuple[str, ...], items: list[int], block: int
) -> LatentReports:
    reports = np.zeros(rows.n, dtype=np.int64)
    for item in items:
        reports = 2 * reports + rows.bits[item]
    if rows.design.blocks[block].refusal is not None:
        has_answer = rows.bits[rows.design.answered_column(block)]
        reports = np.where(has_answer, reports, 1 << len(items))
    channels = report_channels(rows.design, items)
    matrices = [own if isinstance(own, Channel) else own.matrix for own in channels]
    return LatentReports(
        names=names, channels=np.stack([matrix.as_array() for matrix in matrices]), reports=reports
    )
