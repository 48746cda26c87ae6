"""The share of those asked who skip a block."""

from __future__ import annotations

from privacy import validation
from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.estimation.contingency_table import pattern_cells
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.estimates import Estimate, summarise
from privacy.estimation.scores import Estimator, Scores
from privacy.survey.design import Design

__all__ = ["skipped", "skipped_terms"]


def skipped_terms(block: int, design: Design) -> tuple[Columns, ...]:
    """Return the sets of columns whose counts `skipped` needs: asked the block, and answered it."""
    chosen = _skippable(block, design)
    first = design.first_questions[chosen]
    asked = (design.asked_column(first),) if design.can_be_missing(first) else ()
    return asked, (design.answered_column(chosen),)


def skipped(
    counts: SupportCounts, block: int, design: Design, *, estimator: Estimator = "stratified"
) -> Estimate:
    """Estimate the share of those asked who skip a block.

    Parameters
    ----------
    counts : SupportCounts
        Holds at least `skipped_terms(block, design)`.
    block : int
        Position of a block that offers a skip.
    design, estimator
        As for `estimate`.

    Returns
    -------
    Estimate

    Raises
    ------
    PrivacyError
        ``skip_not_offered``, and what `estimate` raises.

    Notes
    -----
    "Skipped" is one more answer of the block, with decoy chance q = r; also of a number or a place, where p
    is the chance that what is sent depends on the answer (`privacy.channels.refusal.Skipping.truth`).

    Examples
    --------
    p = .5, r = .2; 30 of 100 rows are skipped: (.3 - .1)/.5.

    >>> from privacy.survey import Block, GroupPolicy, Question
    >>> design = Design(group=GroupPolicy(), use="live", blocks=(
    ...     Block(key="marriage", protected=True, truth_probability=5000, refusal=2000, asked_if=None,
    ...           questions=(Question(key="affair", kind="yes_no", options=(), unrelated=(5000,)),)),))
    >>> found = skipped(SupportCounts({(): (0, 100), (2,): (0, 70)}), 0, design)
    >>> round(found.value, 3)
    0.4
    """
    chosen = _skippable(block, design)
    rows, answered = (counts[columns] for columns in skipped_terms(block, design))
    law = design.blocks[chosen]
    p = float(law.truth)
    part = pattern_cells(
        rows,
        (rows[0] - answered[0], rows[1] - answered[1]),
        decoy=(1 - p) * (law.refusal or 0) / SCALE,
        truth=p,
    )
    return summarise(Scores(cells=part, estimator=estimator))[0]


def _skippable(block: int, design: Design) -> int:
    number = validation.whole_number(block, "block", low=0, high=len(design.blocks) - 1, code="block")
    if design.blocks[number].refusal is None:
        raise PrivacyError("skip_not_offered", number, blocks=design.blocks[number].key)
    return number
