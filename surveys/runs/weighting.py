"""Survey quality: weights to known margins, non-response, careless responses.

Nothing here is stored. Each cell of the margins must hold as many protected answers as a result of its own
would need: estimates are linear in the margins, so a reader of two weightings can compute the result of each
cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from privacy.estimation.counts import Columns
from privacy.estimation.estimates import Measured, asked_columns, estimate
from privacy.estimation.events import skipped_interval, skipped_terms
from privacy.estimation.fit_check import CarelessResponse, careless_response, careless_response_terms
from privacy.estimation.margin_cells import (
    JOIN,
    Margin,
    Weighted,
    non_response_bounds,
    reweight,
    weighting_terms,
)
from privacy.estimation.required_counts import required_counts
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.questionnaire.labels import Labels
from surveys.runs.releasable_rows import ReleasableRows

NEVER, ALWAYS = 0, 10_000
"""Stated prevalences 0 and 1, in ten-thousandths: questions said to be true of no one, or of everyone.

The researcher's word is enough to correct a share, but exempts a question from no check and from no promise:
that takes a ready-made check question, `privacy.survey.question.Question.anchor`.
"""


@dataclass(frozen=True, kw_only=True)
class WeightedItemset:
    """An itemset's weighted support; None if too few rows are in a cell or share some open answers.

    `lifting` is the number of forged rows that show its cross with the margins, if anyone can send them.
    """

    items: Columns
    estimate: Weighted | None
    lifting: int | None = None


def weighted_itemsets(
    rows: ReleasableRows, itemsets: Iterable[Columns], margins: Sequence[Margin]
) -> tuple[WeightedItemset, ...]:
    """Weight supports to margins.

    Raises
    ------
    PrivacyError
        As `privacy.estimation.margin_cells.reweight`.
    SurveyError
        ``small_cell``: a cell of the margins has too few rows for a result of its own.
    """
    _check_cells(rows, margins)
    lines = []
    for items in itemsets:
        if not rows.withheld.permits(rows.design.items[item].question for item in items):
            continue
        if not _enough(rows, asked_columns(items, rows.design)):
            continue
        counts = rows.count_cache.need(weighting_terms(items, margins, rows.design))
        estimate = reweight(counts, items, margins, rows.design, forged=rows.withheld.rows)
        is_large = estimate.least_protected >= rows.disclosure.least_protected and _has_large_crosses(
            rows, items, margins
        )
        lines.append(WeightedItemset(items=items, estimate=estimate if is_large else None))
    return tuple(lines)


def weight_records(itemsets: Iterable[WeightedItemset], labels: Labels) -> list[dict[str, Any]]:
    """Return records of plain numbers for exported files, without itemsets in cells that are too small."""
    return [
        {
            "items": labels.keys(itemset.items),
            "raw": itemset.estimate.unweighted.value,
            "raw_standard_error": itemset.estimate.unweighted.standard_error,
            "weighted": itemset.estimate.value,
            "weighted_standard_error": itemset.estimate.standard_error,
            "weighted_shift": itemset.estimate.shift,
            "design_effect": itemset.estimate.design_effect,
            "effective_n": itemset.estimate.effective_n,
            "n": itemset.estimate.n,
            "n_used": itemset.estimate.n_used,
        }
        for itemset in itemsets
        if itemset.estimate is not None
    ]


def _has_large_crosses(rows: ReleasableRows, items: Columns, margins: Sequence[Margin]) -> bool:
    """Whether enough people give each combination of answers to the questions of an itemset and of margins.

    Weighted supports are linear in the margins, so they reveal each cell.
    """
    questions = {margin.question for margin in margins}
    beside = (item.index for item in rows.design.items if item.question in questions)
    return rows.has_large_crosses(tuple(sorted({*items, *beside})))


def _check_cells(rows: ReleasableRows, margins: Sequence[Margin]) -> None:
    """Refuse margins before all rows have arrived, or with a cell that is too small if all are counted."""
    if not rows.disclosure.open_floor.crosses:
        raise rows.small_cross()
    # The empty itemset has support 1 in each cell, so this gives only the number of rows.
    whole = reweight(
        rows.count_cache.need(weighting_terms((), margins, rows.design)), (), margins, rows.design
    )
    if whole.least_protected < rows.disclosure.least_protected:
        raise SurveyError(
            "small_cell", rows.disclosure.least_protected, least=rows.disclosure.least_protected, join=JOIN
        )


@dataclass(frozen=True, kw_only=True)
class Response:
    """How many of the people asked answered a question, or a block that is skipped as a whole.

    Attributes
    ----------
    block : int
    questions : tuple of int
    n_asked : int
        Rows that were asked: any question of a rotating block; for an open question all rows, because an
        empty answer looks like one that was not asked.
    missing : float
        Share of these without an answer: counted for an open question, estimated for a block with a skip.
    skips : Measured or None
        The estimated share of skips with its interval.
    """

    block: int
    questions: tuple[int, ...]
    n_asked: int
    missing: float
    skips: Measured | None


def responses(rows: ReleasableRows) -> tuple[Response, ...]:
    """Return non-response, question by question in open blocks and block by block in protected ones.

    Blocks that too few protected rows were asked are left out.
    """
    lines = []
    for number, block in enumerate(rows.design.blocks):
        first = rows.design.first_questions[number]
        questions = tuple(range(first, first + len(block.questions)))
        if not block.protected:
            for question in questions:
                # How many left it empty is an answer to it.
                if not _may_name(rows, question):
                    continue
                (n_answered,) = _sizes(rows, [(rows.design.asked_column(question),)])
                missing = 1 - n_answered / rows.n
                lines.append(
                    Response(block=number, questions=(question,), n_asked=rows.n, missing=missing, skips=None)
                )
            continue
        columns = [
            (rows.design.asked_column(question),) if rows.design.can_be_missing(question) else ()
            for question in questions
        ]
        counts = rows.count_cache.need(columns)
        # Each row that was asked the block was asked `most_asked` of its questions.
        n_direct, n_protected = (
            sum(counts[column][group] for column in columns) // block.most_asked for group in (0, 1)
        )
        n = n_direct + n_protected
        if not n or not rows.is_enough(n_direct, n_protected):
            continue
        if not rows.has_large_crosses((), beside=questions[:1]):
            continue
        skips: Measured | None = None
        if number in rows.withheld.blocks:
            continue
        if block.refusal is not None:
            skips = skipped_interval(
                rows.count_cache.need(skipped_terms(number, rows.design)), number, rows.design
            )
        lines.append(
            Response(
                block=number,
                questions=questions,
                n_asked=n,
                missing=skips.value if skips else 0.0,
                skips=skips,
            )
        )
    return tuple(lines)


def _may_name(rows: ReleasableRows, question: int) -> bool:
    """Whether figures may name an open question; numbers that are stored as answered may have no items."""
    questions = rows.disclosure.open_floor.questions
    return questions is None or question in questions


@dataclass(frozen=True, kw_only=True)
class Effect:
    """How much non-response could change the share of an item.

    Attributes
    ----------
    item : int
    answering : float
        Share among people who answered.
    low, high : float
        Least and greatest possible share among people who were asked, whatever non-respondents would answer.
    invited_low, invited_high : float or None
        The same bounds among all invited people.
    """

    item: int
    answering: float
    low: float
    high: float
    invited_low: float | None
    invited_high: float | None


def effects(
    rows: ReleasableRows, response_lines: Iterable[Response], *, n_invited: int | None = None
) -> tuple[Effect, ...]:
    """Return the effect of non-response on every single item.

    Parameters
    ----------
    rows : ReleasableRows
    response_lines : iterable of Response
    n_invited : int, optional
        Number of invited people.

    Raises
    ------
    SurveyError
        ``invited``: fewer people were invited than answered.
    """
    if n_invited is not None and n_invited < rows.n:
        raise SurveyError("invited", n_invited, invited=n_invited)
    lines = []
    for response in response_lines:
        rate = min(max(1 - response.missing, 0.0), 1.0)
        for item in rows.design.items:
            if item.question not in response.questions or not rate:
                continue
            if not rows.withheld.permits([item.question]):
                continue
            if not _enough(rows, asked_columns((item.index,), rows.design)):
                continue
            if not rows.has_large_crosses((item.index,)):
                continue
            support = _support(rows, item.index)
            # A skip matches no item, so a protected share refers to all asked, an open one to the answers.
            answering = support / rate if rows.design.blocks[item.block].protected else support
            low, high = non_response_bounds(answering, rate)
            everybody: tuple[float | None, float | None] = (None, None)
            if n_invited:
                # People who did not draw the block are not non-respondents, so leave them out.
                share = response.n_asked / (n_invited * _probability_of_block(rows.design, response.block))
                everybody = non_response_bounds(answering, rate * min(share, 1.0))
            lines.append(
                Effect(
                    item=item.index,
                    answering=answering,
                    low=low,
                    high=high,
                    invited_low=everybody[0],
                    invited_high=everybody[1],
                )
            )
    return tuple(lines)


@dataclass(frozen=True, kw_only=True)
class AttentiveSupport:
    """An item's support, corrected for careless responses by two questions of stated prevalences 0 and 1."""

    item: int
    never: int
    always: int
    estimate: CarelessResponse


def attentive_supports(rows: ReleasableRows) -> tuple[AttentiveSupport, ...]:
    """Correct every item that is asked together with two questions of stated prevalences 0 and 1.

    The item and these two questions are each in a block of their own. Their blocks must have the same p, the
    same unrelated probability and the same probability of a drawn skip.
    """
    prevalences = [
        question["prevalence"] for block in rows.version.wording["blocks"] for question in block["questions"]
    ]
    alone: dict[tuple[int | None, ...], list[int]] = {}
    for item in rows.design.items:
        block = rows.design.blocks[item.block]
        if block.protected and len(block.questions) == 1 and block.questions[0].can_be_anchor:
            kind = (block.truth_probability, block.refusal, *block.questions[0].unrelated)
            alone.setdefault(kind, []).append(item.index)
    lines = []
    for items in alone.values():
        marks = {item: prevalences[rows.design.items[item].question] for item in items}
        never = [item for item in items if marks[item] == [NEVER]]
        always = [item for item in items if marks[item] == [ALWAYS]]
        for itemset in items:
            if itemset in (*never, *always):
                continue
            # For rotating blocks, use the first two that one device can be asked together with the item.
            for places in product((itemset,), never, always):
                questions = [rows.design.items[item].question for item in places]
                if not rows.design.drawn_together(questions) or not rows.withheld.permits(questions):
                    continue
                together = tuple(sorted(places))
                if _enough(rows, asked_columns(together, rows.design)) and rows.has_large_crosses(together):
                    counts = rows.count_cache.need(careless_response_terms(*places, rows.design))
                    result = careless_response(counts, *places, rows.design)
                    lines.append(
                        AttentiveSupport(item=itemset, never=places[1], always=places[2], estimate=result)
                    )
                break
    return tuple(lines)


def _probability_of_block(design: Design, block: int) -> float:
    """Return the probability that a device asks a block at all."""
    together = design.drawn_together([design.first_questions[block]])
    return float(together / design.blocks[block].share_asked([0]))


def _support(rows: ReleasableRows, item: int) -> float:
    return estimate(
        rows.count_cache.need(required_counts([(item,)], rows.design)), (item,), rows.design
    ).value


def _sizes(rows: ReleasableRows, requests: Sequence[Columns]) -> list[int]:
    counts = rows.count_cache.need(requests)
    return [sum(counts[columns]) for columns in requests]


def _enough(rows: ReleasableRows, columns: Columns) -> bool:
    """Whether enough rows were asked for a result; in a practice survey one row is enough."""
    counts = rows.count_cache.need([columns])[columns]
    return bool(sum(counts) and rows.is_enough(*counts))
