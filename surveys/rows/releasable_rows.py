"""Releasable rows: the rows that figures are computed from, and their disclosure policy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from django.db.models import QuerySet, Sum

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.counted_rows import CountedRows, uncounted_columns
from mining.columns.precomputed_counts import PrecomputedCounts
from privacy.survey.design import Design
from surveys.models import Batch, Run, Version
from surveys.rows.column_cache import cached_columns
from surveys.rows.columns import batches_read, rows_of, split_sample
from surveys.rows.disclosure import Disclosure, disclosure
from surveys.rows.redisguise import disguised_design, drawing_name, rows_disguised
from surveys.rows.snapshot import batches_of

__all__ = [
    "ReleasableRows",
    "drawing_of",
    "packed_rows",
    "releasable_design",
    "releasable_rows",
    "rows_behind",
]


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleasableRows:
    """Rows of one version.

    Attributes
    ----------
    matrix : BitMatrix
        Its design is what the rows follow: see `releasable_design`.
    precomputed : PrecomputedCounts or None
        Counts of them that are known already.
    shown : Disclosure
        What may be shown of them.
    sent : BitMatrix
        The same rows as they came, of which groups and open answers alone may be told.
    """

    matrix: BitMatrix
    precomputed: PrecomputedCounts | None
    shown: Disclosure
    sent: BitMatrix

    def count_cache(self) -> CountCache:
        """Return the cache of their counts."""
        return CountCache(self.matrix, precomputed=self.precomputed)


def releasable_design(version: Version) -> Design:
    """Return the design of the rows that figures are computed from: the version's, or what is made of it."""
    design = version.to_design()
    return disguised_design(design) if version.holds_undisguised else design


def drawing_of(version: Version) -> str:
    """Return the name of how rows of a version are disguised here; empty where they are left as they came."""
    return drawing_name() if version.holds_undisguised else ""


def releasable_rows(
    version: Version, batches: QuerySet[Batch], counted: CountedRows | None = None
) -> ReleasableRows:
    """Return the rows of some batches of a version's design as figures may be computed from them.

    Where the counts of these figures' rows are known already, columns are made only if others are asked for.

    Raises
    ------
    SurveyError, PrivacyError
        As `surveys.rows.column_cache.cached_columns`.
    """
    design = version.to_design()
    if counted is not None:
        return _counted_rows(version, batches, counted)
    columns = cached_columns(design, version.survey_id, batches)
    sent = columns.matrix
    if version.holds_undisguised:
        reader = partial(rows_disguised, design)
        columns = cached_columns(disguised_design(design), version.survey_id, batches, reader)
    matrix = columns.matrix
    return ReleasableRows(
        matrix=matrix, precomputed=columns.precomputed, shown=_shown(version, matrix), sent=sent
    )


def _counted_rows(version: Version, batches: QuerySet[Batch], counted: CountedRows) -> ReleasableRows:
    design = releasable_design(version)
    matrix = uncounted_columns(
        design,
        (counted.n_direct, counted.n_protected),
        counted.stored_at,
        lambda: releasable_rows(version, batches).matrix,
    )
    sent = matrix
    if version.holds_undisguised:
        n_direct = batches.order_by().aggregate(direct=Sum("n_direct"))["direct"] or 0
        design = version.to_design()
        sent = uncounted_columns(
            design,
            (n_direct, counted.n - n_direct),
            np.arange(design.n_columns),
            lambda: releasable_rows(version, batches).sent,
        )
    return ReleasableRows(
        matrix=matrix, precomputed=counted.precomputed, shown=_shown(version, matrix), sent=sent
    )


def packed_rows(version: Version, batches: QuerySet[Batch]) -> Iterator[bytes]:
    """Yield the same rows packed, in the layout of `releasable_design`.

    Raises
    ------
    SurveyError
        ``damaged_batch``: the rows of a batch do not have its digest.
    """
    read = batches_read(list(batches.values_list("pk", flat=True)))
    return rows_disguised(version.to_design(), read) if version.holds_undisguised else rows_of(read)


def rows_behind(run: Run) -> ReleasableRows:
    """Return the rows that a run's figures are of: its snapshot, or the half of it that tested the rules.

    Whatever else is estimated beside these figures is estimated from the same rows.

    Raises
    ------
    SurveyError
        ``snapshot``: the database holds other batches than the run read.
    """
    rows = releasable_rows(run.version, batches_of(run))
    if not run.thresholds.halves:
        return rows
    half = split_sample(rows.matrix, run.snapshot_digest)[1]
    sent = split_sample(rows.sent, run.snapshot_digest)[1]
    return ReleasableRows(matrix=half, precomputed=None, shown=_shown(run.version, half), sent=sent)


def _shown(version: Version, matrix: BitMatrix) -> Disclosure:
    return disclosure(n=matrix.n, practice=version.survey.practice)
