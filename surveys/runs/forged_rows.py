"""How many forged rows would show a cross of open answers, whatever the true answers are."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

from mining.open_floor import combinations_of
from privacy.estimation.counts import Columns
from privacy.survey.design import Design
from surveys.models import Run
from surveys.policy import LEAST_PROFILE
from surveys.runs.interim_or_final import is_exempt


@lru_cache(maxsize=16)
def crossed_questions(design: Design) -> Columns:
    """Return the items whose cross needs the fewest forged rows; empty if the design has no cross."""
    first_items: dict[int, int] = {}
    for item in design.items:
        if not design.blocks[item.block].protected:
            first_items.setdefault(item.question, item.index)
    pairs = combinations(first_items.values(), 2)
    return min(pairs, key=lambda pair: forged_rows(design, pair), default=())


def lifting_rows(run: Run, items: Iterable[int]) -> int | None:
    """Return how many forged rows show the cross of a figure; None without a cross, or without an open link.

    Parameters
    ----------
    run : Run
    items : iterable of int
        Items of all questions that the figure reads.
    """
    design, item_numbers = run.design, tuple(sorted(set(items)))
    is_open = {item for item in item_numbers if not design.blocks[design.items[item].block].protected}
    if len({design.items[item].question for item in is_open}) < 2:
        return None
    if run.survey.by_invitation or is_exempt(run.survey):
        return None
    return forged_rows(design, item_numbers)


def forged_rows(design: Design, items: Columns) -> int:
    """Return how many forged rows show a cross, whatever the true answers are: ten for each combination."""
    return math.prod(combinations_of(design, items)) * LEAST_PROFILE
