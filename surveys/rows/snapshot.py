"""Which answers a run reads: a range of immutable batches under one digest.

The range is fixed when the run is asked for. Batches are never changed, so every later reading
of the range, a second attempt or one that reproduces the run, finds the same rows; the digest proves it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.db.models import QuerySet

from surveys.errors.error import SurveyError
from surveys.models import Batch, Run, Survey, Version
from surveys.policy import LEAST_BATCH_ROWS

P = ParamSpec("P")
Computed = TypeVar("Computed")


def batches_open_to_mining(version: Version) -> QuerySet[Batch]:
    """Return the batches of a version's design that a run may see, oldest first.

    While a survey can still grow its newest batch is left out: two snapshots taken at different times then
    differ by a whole batch or not at all, never by one respondent. When its last batch is made all are shown.
    Practice surveys show all, always. Where sensitive answers came as they are nothing is shown before.
    """
    survey = Survey.objects.get(pk=version.survey_id)
    batches = Batch.objects.filter(version__survey=survey, version__design_id=version.design_id).order_by(
        "pk"
    )
    if survey.practice or survey.settled:
        return batches
    if version.holds_undisguised:
        return batches.none()
    # All before the newest of this moment: the query may run after still newer ones were written.
    newest = batches.values_list("pk", flat=True).last()
    return batches.filter(pk__lt=newest or 0)


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """Batches `first` to `last` of one design.

    Attributes
    ----------
    first, last : int
        Numbers of the first and of the last batch.
    batches, n : int
        How many batches, and how many rows in them.
    digest : str
        SHA-256 over the batches' own digests, in the order of their numbers.
    """

    first: int
    last: int
    batches: int
    n: int
    digest: str


def snapshot_of(version: Version, *, last_batch: int | None = None) -> Snapshot:
    """Return what a run on this version's design would read now, or up to an earlier batch.

    Raises
    ------
    SurveyError
        ``no_answers``: there is no batch that a run may see, of a closed survey there never will be, and of
        one whose sensitive answers came as they are there is none before it has closed.
        ``no_batch``: all that it may see came after the batch that was named.
        ``too_near``: all but a few rows would be read, and anyone who compares the result with that of all
        rows learns of those few.
    """
    batches = batches_open_to_mining(version)
    if last_batch is not None:
        left_out = sum(batches.filter(pk__gt=last_batch).values_list("n", flat=True))
        if 0 < left_out < LEAST_BATCH_ROWS and not version.survey.practice:
            raise SurveyError("too_near", last_batch, last=last_batch, least=LEAST_BATCH_ROWS)
        if left_out and not batches.filter(pk__lte=last_batch).exists():
            raise SurveyError("no_batch", last_batch, last=last_batch)
        batches = batches.filter(pk__lte=last_batch)
    rows = list(batches.values_list("pk", "n", "digest"))
    if not rows and version.survey.settled:
        raise SurveyError("no_answers.closed", 0)
    if not rows:
        undisguised = version.holds_undisguised
        raise SurveyError("no_answers.undisguised" if undisguised else "no_answers.waiting", 0)
    return Snapshot(
        first=rows[0][0],
        last=rows[-1][0],
        batches=len(rows),
        n=sum(n for _, n, _ in rows),
        digest=_digest(digest for _, _, digest in rows),
    )


def batches_of(run: Run) -> QuerySet[Batch]:
    """Return the batches of a run, after checking that they are the ones it was asked for.

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


def once_per_snapshot(
    most: int,
) -> Callable[[Callable[Concatenate[Run, P], Computed]], Callable[Concatenate[Run, P], Computed]]:
    """Compute what follows from a run's rows once; so many results stay in memory.

    The digests name the rows and how they are read, and no row of them ever changes.
    """

    def once(
        compute: Callable[Concatenate[Run, P], Computed],
    ) -> Callable[Concatenate[Run, P], Computed]:
        @lru_cache(maxsize=most)
        def cached(run_id: int, design_id: str, digest: str, /, *args: Any) -> Computed:
            runs = Run.objects.select_related("survey", "version")
            return compute(runs.get(pk=run_id, design_id=design_id, snapshot_digest=digest), *args)  # type: ignore[call-arg]  # those of the caller

        @wraps(compute)
        def computed(run: Run, /, *args: P.args, **kwargs: P.kwargs) -> Computed:
            return cached(run.pk, run.design_id, run.snapshot_digest, *args, **kwargs)  # type: ignore[arg-type]  # all of them can be hashed

        return computed

    return once


def batches_between(run: Run, first: int | None, last: int | None) -> QuerySet[Batch]:
    """Return the batches of a run from number `first` to number `last`, not compared with its digest."""
    return Batch.objects.filter(
        version__survey=run.survey_id,
        version__design_id=run.design_id,
        pk__gte=first,
        pk__lte=last,
    ).order_by("pk")


def _digest(digests: Iterable[str]) -> str:
    total = hashlib.sha256()
    for digest in digests:
        total.update(bytes.fromhex(digest))
    return total.hexdigest()
