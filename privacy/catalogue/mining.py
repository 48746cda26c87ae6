"""Refusals of rows, thresholds and studies; and runs that would cost more than they may."""

from __future__ import annotations

from typing import Final

from privacy.catalogue.marker import marked as _

WORDS: Final = {
    "cell": ("column %(column)r %(what)s (%(value)r)", "%(remedy)s"),
    "cell.row": ("%(what)s", "%(remedy)s"),
    "engine": ("unknown engine: %(value)r", "choose one of %(engines)s"),
    "engine_missing": (
        "engine 'numba' cannot be loaded: %(absent)s",
        "install requirements-fast.lock, or choose numpy",
    ),
    "counted_rows": (
        "the counts have %(value)s bytes, but this design needs %(wanted)s",
        "count the rows again",
    ),
    "distinct_rows": (
        "%(rows)s rows contain more than %(value)s different answers to one question, which "
        "exceeds the memory limit",
        "ask an administrator to raise SOTTOVOCE_RUN_MEGABYTES, or audit the design, which needs no rows",
    ),
    "lone.kind": ("%(value)s is a %(kind)s", "name a question about a number or a place"),
    "max_candidates": (
        _("more than %(value)s itemsets of %(shape)s items would have to be counted"),
        _("raise the support threshold or shorten the longest itemset; in the library, raise max_candidates"),
    ),
    "max_rules": (
        _("the itemsets yield %(value)s rules, more than %(max_rules)s"),
        _("raise the support threshold, shorten the longest itemset, or allow more rules"),
    ),
    "no_rows.mine": (_("no rows to mine"), _("wait for answers")),
    "other_design": (
        "the rows have design %(own)s, not %(other)s",
        "mine rows with their own design",
    ),
    "other_design.joined": (
        "rows of design %(design_id)s are mixed with rows of %(other)s",
        "combine rows of one design only",
    ),
    "row_length": (
        _("a buffer of %(value)s bytes is not a whole number of rows of %(n_bytes)s bytes"),
        _("pass the rows of one design, unchanged"),
    ),
    "sides.empty": (
        "no item is allowed for the %(name)s: %(value)r",
        "name items, or pass None to allow all",
    ),
    "sides.kind": ("sides = %(value)r", "pass a Sides object"),
    "sides.twice": ("%(value)s allows an item twice for the %(name)s", "name each item once"),
    "support.threshold": (
        "support threshold = %(value)s is not above 0",
        "use a number above 0 and at most 1",
    ),
    "table_shape": ("the table %(name)s has shape %(value)s", "pass a table of shape %(wanted)s"),
    "threads": ("cannot count with %(value)s threads", "use at least 1"),
    "too_large.joined": (
        _("the rows have more than %(most)s different scores"),
        _("combine fewer ranges or regions, or use questions with wider bins or larger cells"),
    ),
    "truth": ("itemset %(value)r is named twice", "name each itemset once"),
    "unknown_column.number": ("column %(value)s is unknown", "use columns from 0 to %(n_columns)s"),
    "unknown_item.number": (
        _("unknown item among those allowed for the %(name)s: %(value)s"),
        _("use numbers from 0 to %(count)s"),
    ),
}
