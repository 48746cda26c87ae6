"""Decide which results of a run may be shown: any at all, and which itemsets and rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.db.models import QuerySet

from surveys.models import ItemsetRow, Job, RuleRow, Run
from surveys.questionnaire.packed_items import unpack_items
from surveys.runs.disclosure import Disclosure, disclosure
from surveys.runs.ledger import floor_of, is_of_the_ledger
from surveys.runs.redisguise import drawing_of
from surveys.runs.withheld import is_withheld_whole


def has_results(run: Run) -> bool:
    """Whether any result may be shown."""
    return run.job.state == Job.State.FINISHED and shown_of(run).results


def is_disguised_here(run: Run) -> bool:
    """Whether answers were sent undisguised and the server disguised them before computing figures."""
    return run.version.holds_undisguised and not is_outdated(run)


def shown_of(run: Run) -> Disclosure:
    """Return what may be shown of a run's snapshot."""
    policy = disclosure(n=run.n or 0, practice=run.survey.practice)
    return replace(policy, results=False) if is_outdated(run) or is_withheld_whole(run) else policy


def is_outdated(run: Run) -> bool:
    """Whether a result was computed from undisguised answers, or from an older disguise of them.

    Figures from two disguises of the same answers would reveal more about a person than one disguised row.
    """
    drawing = drawing_of(run.version)
    is_other = bool(drawing) and run.summary.get("drawing") != drawing
    return is_other and run.job.state == Job.State.FINISHED


def shown_itemsets(run: Run) -> QuerySet[ItemsetRow]:
    """Return the itemsets of a run that may be shown.

    A run stores only what it may show, but runs that ended before there was a ledger stored more: see
    `surveys.runs.ledger.floor_of`.
    """
    # Rows of a related manager keep this run, so that `row.run` needs no query.
    rows = run.itemsets.all()
    return rows if is_of_the_ledger(run) else rows.exclude(pk__in=_withheld(run, rows, ("items",)))


def shown_rules(run: Run) -> QuerySet[RuleRow]:
    """Return the rules of a run that may be shown."""
    rows = run.rules.all()
    if is_of_the_ledger(run):
        return rows
    return rows.exclude(pk__in=_withheld(run, rows, ("antecedent", "consequent")))


def _withheld(run: Run, rows: QuerySet[ItemsetRow] | QuerySet[RuleRow], sides: tuple[str, ...]) -> list[int]:
    # A finished run never changes, so the rows of a long list are named once for all pages.
    key = run.pk, run.snapshot_digest, sides, floor_of(run)
    if key not in _WITHHELD:
        if len(_WITHHELD) >= _MOST_WITHHELD:
            _WITHHELD.clear()
        _WITHHELD[key] = _named(run, rows, sides)
    return _WITHHELD[key]


_MOST_WITHHELD: Final = 16
_WITHHELD: Final[dict[tuple[object, ...], list[int]]] = {}
"""Rows of runs from before the ledger that are not shown, by run, columns and floor."""


def _named(run: Run, rows: QuerySet[ItemsetRow] | QuerySet[RuleRow], sides: tuple[str, ...]) -> list[int]:
    floor, design = floor_of(run), run.design
    return [
        pk
        for pk, *packed in rows.values_list("pk", *sides)
        if not floor.may_name(design, [item for side in packed for item in unpack_items(side)])
    ]
