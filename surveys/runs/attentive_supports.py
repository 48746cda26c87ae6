"""Careless responses: supports corrected with two anchor questions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from privacy.estimation.careless_response import CarelessResponse, careless_response, careless_response_terms
from privacy.estimation.design_index import asked_columns
from surveys.runs.releasable_rows import ReleasableRows

NEVER, ALWAYS = 0, 10_000
"""Stated prevalences 0 and 1, in ten-thousandths: questions said to be true of no one, or of everyone.

The researcher's word is enough to correct a share, but exempts a question from no check and from no promise:
that takes a ready-made check question, `privacy.survey.question.Question.anchor`.
"""


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
                asked = asked_columns(together, rows.design)
                if rows.asked_enough(asked) and rows.has_large_crosses(together):
                    counts = rows.count_cache.need(careless_response_terms(*places, rows.design))
                    result = careless_response(counts, *places, rows.design)
                    lines.append(
                        AttentiveSupport(item=itemset, never=places[1], always=places[2], estimate=result)
                    )
                break
    return tuple(lines)
