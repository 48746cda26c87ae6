"""Estimates of all patterns of an itemset, and events from Python expressions."""

import re
from dataclasses import dataclass
from itertools import product

import numpy as np

from privacy.arrays import Array
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.events import Event, event_share
from privacy.survey.design import Design


def event_of(text: str, design: Design) -> Event:
    """Return the event for an expression such as ``affair and not (unhappy or age=22)``."""
    words = set(re.findall(r"[\w][\w.+=-]*", text)) - {"and", "or", "not"}
    number = {word: design.item(word).index for word in words}
    code = re.sub(r"[\w][\w.+=-]*", lambda word: f"x{number[word[0]]}" if word[0] in words else word[0], text)
    items = tuple(sorted(number.values()))
    holds = [
        eval(code, {}, {f"x{item}": bool(bit) for item, bit in zip(items, bits, strict=True)})
        for bits in product((0, 1), repeat=len(items))
    ]
    return Event(items=items, holds=np.array(holds, dtype=np.bool_).reshape((2,) * len(items)))


@dataclass(frozen=True, kw_only=True, eq=False)
class Patterns:
    """Estimates of all patterns, one axis for each item."""

    items: Columns
    value: Array
    standard_error: Array


def patterns(counts: SupportCounts, items: Columns, design: Design) -> Patterns:
    """Estimate every pattern of ascending items."""
    shape = (2,) * len(items)
    found = [
        event_share(counts, one_pattern(items, bits), design) for bits in product((0, 1), repeat=len(items))
    ]
    return Patterns(
        items=items,
        value=np.array([share.value for share in found]).reshape(shape),
        standard_error=np.array([share.standard_error for share in found]).reshape(shape),
    )


def one_pattern(items: Columns, bits: tuple[int, ...]) -> Event:
    """Return the event of a single pattern of ascending items."""
    holds = np.zeros((2,) * len(items), dtype=np.bool_)
    holds[bits] = True
    return Event(items=items, holds=holds)
