"""Snapshots of answers for runs: ranges of batches under one digest, fixed when a run is requested.

Batches never change, so a second attempt or a reproduction of the run reads the same rows; the digest proves
it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto

from django.db.models import QuerySet

from surveys.errors.error import SurveyError
from surveys.models import Batch, Run, Survey, Version
from surveys.runs.chapters import chapter_batches


def batches_open_to_mining(version: Version) -> QuerySet[Batch]:
    """Return the batches of a version's design that a run may read, oldest first.

    While a survey can still grow, its newest batch is left out: two snapshots from different times then
    differ by a whole batch or not at all, never by one respondent. Once its last batch is written, and in
    practice surveys always, a run may read all batches. If sensitive answers were sent undisguised, a run may
    not read any batch before the survey has closed.
    """
    survey = Survey.objects.get(pk=version.survey_id)
    batches = Batch.objects.filter(version__survey=survey, version__design_id=version.design_id).order_by(
        "pk"
    )
    reads = batches_read_of(survey, version)
    if reads is Reads.ALL:
        return batches
    if reads is Reads.NONE:
        return batches.none()
    # Fix the newest batch first, because newer ones may be written before the returned query runs.
    newest = batches.values_list("pk", flat=True).last()
    return batches.filter(pk__lt=newest or 0)


class Reads(Enum):
    """Which batches of a design a run may read."""

    ALL = auto()
    ALL_BUT_THE_NEWEST = auto()
    NONE = auto()


def batches_read_of(survey: Survey, version: Version) -> Reads:
    """Return which batches of a version's design a run may read, in the state that `survey` has."""
    if survey.practice or survey.settled:
        return Reads.ALL
    return Reads.NONE if version.holds_undisguised else Reads.ALL_BUT_THE_NEWEST


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """Batches `first` to `last` of one design.

    Attributes
    ----------
    first, last : int
        Numbers of the first and of the last batch.
    batches, n : int
        Number of batches, and of rows in them.
    digest : str
        SHA-256 over the batches' own digests, in the order of their numbers.
    """

    first: int
    last: int
    batches: int
    n: int
    digest: str


def snapshot_of(version: Version, *, chapter: int | None = None) -> Snapshot:
    """Return the snapshot that a run of this version's design would read now.

    Parameters
    ----------
    version : Version
    chapter : int, optional
        Number of a closed chapter; by default all answers.

    Raises
    ------
    SurveyError
        ``no_answers``: there is no batch that a run may read; a closed survey will never have one, and a
        survey with undisguised sensitive answers has none before it closes. ``chapters.unknown``
    """
    batches = batches_open_to_mining(version)
    if chapter is not None:
        of_chapter = chapter_batches(version, chapter)
        # If sensitive answers were sent undisguised, no batch may be read before the survey has settled.
        batches = of_chapter if not version.holds_undisguised or version.survey.settled else batches.none()
    rows = list(batches.values_list("pk", "n", "digest"))
    if not rows and version.survey.settled:
        raise SurveyError("no_answers.closed", 0)
    if not rows:
        has_direct = version.holds_undisguised
        raise SurveyError("no_answers.undisguised" if has_direct else "no_answers.waiting", 0)
    return Snapshot(
        first=rows[0][0],
        last=rows[-1][0],
        batches=len(rows),
        n=sum(n for _, n, _ in rows),
        digest=_digest(digest for _, _, digest in rows),
    )


def batches_of(run: Run) -> QuerySet[Batch]:
    """Return the batches of a run, after checking that they match its snapshot.

    Raises
    ------
    SurveyError
        ``snapshot``: the database holds other batches in the run's range.
    """
    batches = batches_between(run, run.first_batch, run.last_batch)
    digest = _digest(batches.values_list("digest", flat=True))
    if digest != run.snapshot_digest:
        raise SurveyError("snapshot", digest, found=digest)
    return batches


def batches_between(run: Run, first: int | None, last: int | None) -> QuerySet[Batch]:
    """Return the batches of a run from number `first` to number `last`, without checking its digest."""
    return Batch.objects.filter(
        version__survey=run.survey_id, version__design_id=run.design_id, pk__gte=first, pk__lte=last
    ).order_by("pk")


def _digest(digests: Iterable[str]) -> str:
    total = hashlib.sha256()
    for digest in digests:
        total.update(bytes.fromhex(digest))
    return total.hexdigest()
