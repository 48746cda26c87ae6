"""Latent answers of one item or two: the channels of their reports, and the rows that show each report."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeAlias

from privacy.estimation import Columns
from privacy.estimation.margin_cells import Category
from privacy.regression.latent_answers import LatentAnswers, report_channels
from privacy.survey.design import Design

__all__ = ["Combination", "all_of", "category_rows", "latent_items"]

Combination: TypeAlias = dict[Columns, int]
"""Rows that show something, as a sum of counts of rows that have all of some columns."""


def latent_items(
    design: Design, response: int, before: int | None
) -> tuple[LatentAnswers, list[Combination]]:
    """Return the latent answers to a response and a disguised predictor, and the rows of each report.

    Parameters
    ----------
    design : Design
    response : int
        An item.
    before : int or None
        A protected item that predicts it.

    Returns
    -------
    (LatentAnswers, list of Combination)
        The channels of both groups, the direct one first; in the order of the reports.
    """
    if before is None:
        return LatentAnswers.of(response=report_channels(design, [response])), _reports(design, response)
    if design.items[before].block == design.items[response].block:
        block = design.items[response].block
        both: Columns = tuple(sorted((before, response)))
        answered = _answered(design, block)
        reports: list[Combination] = [
            {answered: 1, (before,): -1, (response,): -1, both: 1},
            {(response,): 1, both: -1},
            {(before,): 1, both: -1},
            {both: 1},
        ]
        if answered:
            reports.append({(): 1, answered: -1})
        return LatentAnswers.together(report_channels(design, [before, response])), reports
    laws = (
        report_channels(design, [response]) if design.blocks[design.items[response].block].protected else None
    )
    pairs = itertools.product(_reports(design, before), _reports(design, response))
    return LatentAnswers.of(response=laws, predictor=report_channels(design, [before])), [
        all_of(pair) for pair in pairs
    ]


def _reports(design: Design, item: int) -> list[Combination]:
    """Return the rows without an item, with it, and those that skip its part."""
    answered = _answered(design, design.items[item].block)
    reports: list[Combination] = [{answered: 1, (item,): -1}, {(item,): 1}]
    return [*reports, {(): 1, answered: -1}] if answered else reports


def _answered(design: Design, block: int) -> Columns:
    """Return the column of rows that do not skip a part; none where it cannot be skipped."""
    return () if design.blocks[block].refusal is None else (design.answered_column(block),)


def all_of(parts: Sequence[Combination]) -> Combination:
    """Return the rows that show all of some things.

    >>> all_of([{(): 1, (2,): -1}, {(5,): 1}])  # without 2, with 5
    {(5,): 1, (2, 5): -1}
    """
    rows: Combination = {(): 1}
    for part in parts:
        joined: Combination = {}
        for (here, times), (there, others) in itertools.product(rows.items(), part.items()):
            columns = tuple(sorted({*here, *there}))
            joined[columns] = joined.get(columns, 0) + times * others
        rows = joined
    return rows


def category_rows(category: Category) -> Combination:
    """Return the rows of a category of a margin."""
    rows: Combination = {}
    for sign, columns in category.parts:
        rows[columns] = rows.get(columns, 0) + sign
    return rows
