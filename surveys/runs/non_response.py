"""Non-response: how many answered each question, by weights and by groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from privacy.estimation.counts import Columns
from privacy.estimation.design_index import asked_columns
from privacy.estimation.forged_shift import share_shift
from privacy.estimation.intervals import support_intervals
from privacy.estimation.non_response import non_response_bounds
from privacy.estimation.required_counts import required_counts
from privacy.estimation.skipped_share import skipped_interval, skipped_terms
from privacy.printed import Measured, cut_ends
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.runs.releasable_rows import ReleasableRows


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
                rows.count_cache.need(skipped_terms(number, rows.design)),
                number,
                rows.design,
                forged=rows.withheld.rows,
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
    share : Measured
        Share among the people who were asked or, for an open question, among those who answered.
    low, high : float
        Least and greatest possible share among people who were asked, whatever non-respondents would answer.
        Each bound is that of an end of the 95% interval.
    invited_low, invited_high : float or None
        The same bounds among all invited people.
    """

    item: int
    share: Measured
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
        for item in rows.design.items:
            if item.question not in response.questions or response.missing >= 1:
                continue
            if not rows.withheld.permits([item.question]):
                continue
            if not rows.asked_enough(asked_columns((item.index,), rows.design)):
                continue
            if not rows.has_large_crosses((item.index,)):
                continue
            share = _share(rows, item.index)
            low, high = bounds_among_asked(share, response)
            invited: tuple[float | None, float | None] = (None, None)
            if n_invited:
                # People who did not draw the block are not non-respondents, so leave them out.
                rate = response.n_asked / (n_invited * _probability_of_block(rows.design, response.block))
                invited = non_response_bounds((low, high), min(rate, 1.0))
            lines.append(
                Effect(
                    item=item.index,
                    share=share,
                    low=low,
                    high=high,
                    invited_low=invited[0],
                    invited_high=invited[1],
                )
            )
    return tuple(lines)


def bounds_among_asked(share: Measured, response: Response) -> tuple[float, float]:
    """Return the least and the greatest possible share among people who were asked.

    Parameters
    ----------
    share : Measured
        Share of an item among people who were asked, or among answers to an open question.
    response : Response
        How many of the people asked answered.

    Notes
    -----
    Where a block was skipped, the upper bound is the sum of two upper ends: no item matches a skip, and a sum
    of ends lies above its estimate by no less than the error of the sum requires.
    """
    ends = cut_ends((share.low, share.high), (0.0, 1.0))
    if response.skips is None:
        return non_response_bounds(ends, 1 - response.missing)
    skipped = max(response.skips.high, 0.0)
    return cut_ends((ends[0], ends[1] + skipped), (0.0, 1.0))


def _probability_of_block(design: Design, block: int) -> float:
    """Return the probability that a device asks a block at all."""
    together = design.drawn_together([design.first_questions[block]])
    return float(together / design.blocks[block].share_asked([0]))


def _share(rows: ReleasableRows, item: int) -> Measured:
    """Return the share of an item, and how far forged rows could have moved it."""
    counts = rows.count_cache.need(required_counts([(item,)], rows.design))
    share = support_intervals(counts, [(item,)], rows.design)[0]
    forged = rows.withheld.rows
    shift = share_shift(rows.design, (item,), value=share.value, n=share.n, rows=forged) if forged else 0.0
    return replace(share, shift=shift)


def _sizes(rows: ReleasableRows, requests: Sequence[Columns]) -> list[int]:
    counts = rows.count_cache.need(requests)
    return [sum(counts[columns]) for columns in requests]
