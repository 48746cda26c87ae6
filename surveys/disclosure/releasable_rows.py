"""The rows that figures are computed from, and what of them may be shown."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.precomputed_counts import PrecomputedCounts
from mining.thresholds import Thresholds
from surveys.disclosure.disclosure import Disclosure, disclosure
from surveys.disclosure.redisguise import disguised_here, without_direct
from surveys.models import Batch, Run, Version
from surveys.snapshots.column_cache import cached_columns
from surveys.snapshots.columns import halves_of
from surveys.snapshots.snapshot import batches_of

__all__ = ["ReleasableRows", "releasable_rows", "rows_behind"]


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleasableRows:
    """Rows of one version's design.

    Attributes
    ----------
    matrix : BitMatrix
        Without a direct group where it is too small to be told apart: see `few_direct`.
    kept : Kept or None
        Counts of them that are known already.
    shown : Disclosure
        What may be shown of the snapshot as it was sent.
    few_direct : int
        How many of the protected rows were direct ones.
    """

    matrix: BitMatrix
    kept: PrecomputedCounts | None
    shown: Disclosure
    few_direct: int

    def tally(self) -> CountCache:
        """Return what counts in them."""
        return CountCache(self.matrix, kept=self.kept)


def releasable_rows(version: Version, batches: QuerySet[Batch]) -> ReleasableRows:
    """Return the rows of some batches of a version's design as figures may be computed from them.

    Raises
    ------
    SurveyError, PrivacyError
        As `surveys.snapshots.columns.matrix_of`.
    """
    design = version.to_design()
    columns = cached_columns(design, version.survey_id, batches)
    matrix, kept = columns.matrix, columns.kept
    shown = _shown(version, matrix)
    few = 0 if shown.groups else matrix.n_direct
    if few:
        matrix, kept = without_direct(matrix, kept, disguised_here(design, batches))
    return ReleasableRows(matrix=matrix, kept=kept, shown=shown, few_direct=few)


def rows_behind(run: Run) -> ReleasableRows:
    """Return the rows that a run's figures are of: its snapshot, or the half of it that tested the rules.

    Whatever else is estimated beside these figures is estimated from the same rows.

    Raises
    ------
    SurveyError
        ``snapshot``: the database holds other batches than the run read.
    """
    rows = releasable_rows(run.version, batches_of(run))
    if not Thresholds.from_json(run.parameters).halves:
        return rows
    half = halves_of(rows.matrix, run.snapshot_digest)[1]
    shown = rows.shown if rows.few_direct else _shown(run.version, half)
    return ReleasableRows(matrix=half, kept=None, shown=shown, few_direct=rows.few_direct)


def _shown(version: Version, matrix: BitMatrix) -> Disclosure:
    return disclosure(
        sends_undisguised=matrix.design.sends_undisguised,
        n_direct=matrix.n_direct,
        n_protected=matrix.n_protected,
        practice=version.survey.practice,
        settled=version.survey.settled,
    )
