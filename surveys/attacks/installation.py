"""Attack this installation's own database, reading only: what stands there, beside what should."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from django.db import connection

from privacy.policy import LEAST_BATCH_ROWS
from privacy.survey.layout import Layout
from surveys.attacks.learnt import Learnt
from surveys.attacks.subtraction import direct_answers, open_answers
from surveys.models import Inbox, Job, Run, Survey, Version

__all__ = ["attack_installation"]

MOST_PEOPLE: Final = 20_000
"""Runs on more rows are left out: their people are counted one by one."""


def attack_installation() -> Iterator[Learnt]:
    """Yield what storage and reports reveal about the people of live surveys."""
    yield _waiting_rows()
    if connection.vendor == "postgresql":
        # Under SQLite both tables lie by their keys and have no hidden numbers: `manage.py doctor` looks.
        yield _order_of_receipts()
        yield _transactions_of_receipts()
    for survey in Survey.objects.filter(practice=False).order_by("slug"):
        yield from _newest_run(survey)


def _waiting_rows() -> Learnt:
    """Find waiting rows no longer than a packed one: they are in no box, and legible."""
    versions = Version.objects.filter(pk__in=Inbox.objects.values("version"))
    sizes = {version.pk: Layout(version.to_design()).n_bytes for version in versions}
    boxes = list(Inbox.objects.values_list("version_id", "box"))
    legible = sum(len(box) == sizes[version] for version, box in boxes)
    return Learnt(
        attack="rows that wait, read in the database",
        tried=f"{len(boxes):,} rows",
        learnt=f"{legible:,} rows legible",
        chance="none",
        beyond_chance=legible > 0,
    )


def _order_of_receipts() -> Learnt:
    """Check that mixed receipts lie by their random keys, so that their order reveals no arrival."""
    with connection.cursor() as cursor:
        cursor.execute(
            'SELECT survey_id, xmin::text, "key" FROM surveys_receipt'
            " WHERE digest IS NOT NULL AND NOT fresh ORDER BY survey_id, xmin::text::bigint, ctid"
        )
        receipts = [((survey, transaction), bytes(key)) for survey, transaction, key in cursor.fetchall()]
    unsorted = sum(first[0] == other[0] and first[1] > other[1] for first, other in pairwise(receipts))
    return Learnt(
        attack="the order in which receipts lie (ctid)",
        tried=f"{len(receipts):,} receipts of rows that were mixed",
        learnt=f"{unsorted:,} out of the order of their keys",
        chance="none: in any other order places can tell of arrival",
        beyond_chance=unsorted > 0,
    )


def _transactions_of_receipts() -> Learnt:
    """Check that each transaction wrote as many receipts as a batch holds, or more."""
    sizes: dict[int, list[int]] = {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT survey_id, count(*) FROM surveys_receipt WHERE digest IS NOT NULL AND NOT fresh"
            " GROUP BY survey_id, xmin::text"
        )
        for survey, count in cursor.fetchall():
            sizes.setdefault(survey, []).append(int(count))
    # Of a survey of fewer rows all of them are one set.
    large = [counts for counts in sizes.values() if sum(counts) >= LEAST_BATCH_ROWS]
    few = sum(count < LEAST_BATCH_ROWS for counts in large for count in counts)
    return Learnt(
        attack="the transactions that wrote receipts (xmin)",
        tried=f"{sum(map(sum, large)):,} receipts of rows that were mixed",
        learnt=f"{few:,} sets of fewer than {LEAST_BATCH_ROWS} that one transaction tells apart",
        chance="none",
        beyond_chance=few > 0,
    )


def _newest_run(survey: Survey) -> Iterator[Learnt]:
    """Subtract the figures of a survey's newest run from each other."""
    runs = Run.objects.filter(survey=survey, job__state=Job.State.FINISHED).select_related(
        "survey", "version"
    )
    run = runs.order_by("-pk").first()
    if run is None or run.n is None:
        return
    if run.n > MOST_PEOPLE or run.thresholds.halves:
        yield _left_out(survey, run)
        return
    for name, subtracted in (("direct answers", direct_answers(run)), ("open answers", open_answers(run))):
        yield subtracted.learnt(name, of=f"{survey.slug}, run {run.pk}", promised=True)


def _left_out(survey: Survey, run: Run) -> Learnt:
    return Learnt(
        attack="subtraction of figures",
        tried=f"{survey.slug}, run {run.pk}",
        learnt=f"not tried: above {MOST_PEOPLE:,} rows, or a sample that was split",
        chance="nobody for certain",
        beyond_chance=None,
    )
