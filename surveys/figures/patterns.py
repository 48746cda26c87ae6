"""The pattern table of an itemset: all patterns of having and not having its items, raw and consistent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from django.utils.translation import gettext as _

from privacy.arrays import Array
from privacy.estimation import (
    Columns,
    asked_columns,
    pattern_terms,
    required_counts,
    support_intervals,
)
from privacy.estimation.expressions import pattern_intervals
from privacy.estimation.isotonic import consistent_patterns
from privacy.estimation.patterns import MOST_ITEMS, possible_patterns
from surveys.errors.error import SurveyError
from surveys.formats.figures import Figure, ends_of, number, share_figure
from surveys.policy import LEAST_PROTECTED
from surveys.questionnaire.labels import Labels
from surveys.rows.releasable_rows import ReleasableRows

MOST_LINES: Final = 64


@dataclass(frozen=True, kw_only=True)
class PatternTableLine:
    """A pattern, or a part of the itemset: its raw estimate and the consistent one, ready to print."""

    text: str
    raw: Figure
    consistent: str


@dataclass(frozen=True, kw_only=True)
class PatternTable:
    """Patterns and parts of an itemset; at most 64 lines of each kind, the largest shares first."""

    items: str
    patterns: tuple[PatternTableLine, ...]
    parts: tuple[PatternTableLine, ...]
    left_out: int


def consistent_supports(rows: ReleasableRows, itemsets: Sequence[Columns]) -> list[float]:
    """Return the most likely support of each itemset, on the simplex of its own patterns."""
    supports = []
    for items in itemsets:
        counts = rows.count_cache.need(pattern_terms(items, rows.design))
        supports.append(float(consistent_patterns(counts, items, rows.design)[(1,) * len(items)]))
    return supports


def pattern_table(rows: ReleasableRows, items: Columns, labels: Labels) -> PatternTable:
    """Estimate every pattern and every part of an itemset.

    Raises
    ------
    PrivacyError
        No such item, one twice, two options of one question, or more than 12.
    SurveyError
        ``few_alike``, ``too_few``: too few people share its open answers, or were asked all of it.
    """
    design = rows.design
    whole = asked_columns(items, design)
    if len(items) > MOST_ITEMS:
        raise SurveyError("too_many_items", len(items), count=len(items), most=MOST_ITEMS)
    if not rows.is_enough(*rows.count_cache.need([whole])[whole]):
        raise SurveyError("too_few.patterns", len(items), least=LEAST_PROTECTED)
    if not rows.has_large_crosses(items):
        raise SurveyError("few_alike.patterns", len(items), least=rows.shown.least_cross)
    counts = rows.count_cache.need(pattern_terms(items, design))
    likely, possible = consistent_patterns(counts, items, design), possible_patterns(items, design)
    wholes = [pattern for pattern in product((1, 0), repeat=len(items)) if possible[pattern]]
    chosen = _largest(wholes, likely)
    lines = [
        PatternTableLine(
            text=_pattern_text(items, pattern, labels),
            raw=share_figure(*ends_of(interval)),
            consistent=number(float(likely[pattern])),
        )
        for pattern, interval in zip(chosen, pattern_intervals(counts, items, design, chosen), strict=True)
    ]
    return PatternTable(
        items=labels.short(items),
        patterns=tuple(lines),
        parts=_parts(rows, items, labels, likely),
        left_out=len(wholes) - len(lines),
    )


def _parts(
    rows: ReleasableRows, items: Columns, labels: Labels, likely: Array
) -> tuple[PatternTableLine, ...]:
    chosen = [
        places for size in range(1, len(items) + 1) for places in combinations(range(len(items)), size)
    ][:MOST_LINES]
    some = [tuple(items[position] for position in places) for places in chosen]
    within = asked_columns(items, rows.design)
    counts = rows.count_cache.need(required_counts(some, rows.design, within=within))
    raw = support_intervals(counts, some, rows.design, within=within)
    return tuple(
        PatternTableLine(
            text=labels.short(part),
            raw=share_figure(*ends_of(raw[position])),
            consistent=number(
                float(likely[tuple(1 if axis in places else slice(None) for axis in range(len(items)))].sum())
            ),
        )
        for position, (part, places) in enumerate(zip(some, chosen, strict=True))
    )


def _largest(wanted: list[tuple[int, ...]], likely: Array) -> list[tuple[int, ...]]:
    if len(wanted) <= MOST_LINES:
        return wanted
    return sorted(wanted, key=lambda pattern: -float(likely[pattern]))[:MOST_LINES]


def _pattern_text(items: Columns, pattern: tuple[int, ...], labels: Labels) -> str:
    return ", ".join(
        labels.short([item]) if has else _("%(item)s: no") % {"item": labels.short([item])}
        for item, has in zip(items, pattern, strict=True)
    )
