"""Refusals of rows, thresholds and studies; and runs that would cost more than they may."""

from __future__ import annotations

from typing import Final

from privacy.catalogue.marker import marked as _

WORDS: Final = {
    "cell": ("column %(column)r %(what)s (%(value)r)", "%(remedy)s"),
    "cell.row": ("%(what)s", "%(remedy)s"),
    "engine": ("engine %(value)r is unknown", "choose one of %(engines)s"),
    "engine_missing": (
        "engine 'numba' cannot be loaded: %(absent)s",
        "install requirements-fast.lock, or choose numpy",
    ),
    "counted_rows": (
        "%(value)s bytes of counts are not the %(wanted)s bytes that this design has",
        "count the rows again",
    ),
    "distinct_rows": (
        "%(rows)s rows hold more than %(value)s different answers to one part, for which there is no memory",
        "let an administrator raise SOTTO_RUN_MEGABYTES, or audit the design, which needs no rows",
    ),
    "lone.kind": ("%(value)s is a %(kind)s", "name a question of a number or a place"),
    "max_candidates": (
        _("more than %(value)s itemsets of %(shape)s items would have to be counted"),
        _("raise the support threshold or shorten the longest itemset; in the library, raise max_candidates"),
    ),
    "max_rules": (
        _("the itemsets split into %(value)s rules, more than %(max_rules)s"),
        _("raise the support threshold, shorten the longest itemset, or allow more rules"),
    ),
    "no_rows.mine": (_("there is no row to mine"), _("wait for answers")),
    "other_design": (
        "the rows were made with design %(own)s, not %(other)s",
        "mine rows with their own design",
    ),
    "other_design.joined": (
        "rows of design %(design_id)s stand beside rows of %(other)s",
        "join rows of one design",
    ),
    "row_length": (
        _("a buffer of %(value)s bytes does not hold whole rows of %(n_bytes)s bytes"),
        _("pass the rows of one design, unchanged"),
    ),
    "sides.empty": ("the allowed %(name)s %(value)r holds no item", "name items, or None for all"),
    "sides.kind": ("sides = %(value)r", "give a Sides object"),
    "sides.twice": ("the allowed %(name)s %(value)s holds an item twice", "name each item once"),
    "support.threshold": ("support threshold = %(value)s is not above 0", "choose one above 0 and at most 1"),
    "table_shape": ("the table %(name)s has shape %(value)s", "give one of shape %(wanted)s"),
    "threads": ("%(value)s threads cannot count", "give at least 1"),
    "too_large.joined": (
        _("rows score more than %(most)s different things"),
        _("join fewer parts, or parts of questions with wider bins or larger cells"),
    ),
    "truth": ("itemset %(value)r is named twice", "name each itemset once"),
    "unknown_column.number": ("column %(value)s is unknown", "give columns from 0 to %(n_columns)s"),
    "unknown_item.number": (
        _("item %(value)s of the allowed %(name)s is unknown"),
        _("use numbers from 0 to %(count)s"),
    ),
}
