"""Releasable rows: the rows that figures may be computed from, and their disclosure policy."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from django.db.models import QuerySet, Sum

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.counted_rows import CountedRows
from mining.columns.lazy_columns import uncounted_columns
from mining.columns.precomputed_counts import PrecomputedCounts
from mining.itemsets import disguised_rows, releasable_itemsets
from mining.open_floor import OpenFloor, large_crosses
from privacy.estimation.counts import Columns
from privacy.estimation.withheld import NOTHING, Withheld
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.formats.shown_counts import rounded_count
from surveys.models import Batch, Run, Version
from surveys.policy import LEAST_PROTECTED
from surveys.runs.batch_rows import batches_read, rows_of
from surveys.runs.column_cache import cached_columns
from surveys.runs.disclosure import Disclosure, disclosure
from surveys.runs.ledger import floor_of
from surveys.runs.redisguise import disguise_batches, disguised_design
from surveys.runs.snapshot import batches_of, batches_open_to_mining, snapshot_of
from surveys.runs.withheld import withheld_of


@dataclass(frozen=True, kw_only=True, eq=False)
class ReleasableRows:
    """Rows of one version, and the disclosure policy for them.

    Attributes
    ----------
    version : Version
    matrix : BitMatrix
        The rows in the design of `releasable_design`.
    precomputed : PrecomputedCounts or None
        Counts that are already known.
    disclosure : Disclosure
    reports : BitMatrix
        The same rows as they arrived; only groups and open answers may be reported from them.
    withheld : Withheld
        What no figure may read, because forged rows contradict it. `count_cache` refuses to count it.
    """

    version: Version
    matrix: BitMatrix
    precomputed: PrecomputedCounts | None
    disclosure: Disclosure
    reports: BitMatrix
    withheld: Withheld

    @property
    def design(self) -> Design:
        """The design that the rows follow."""
        return self.matrix.design

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.matrix.n

    @cached_property
    def count_cache(self) -> CountCache:
        """The cache of the rows' counts."""
        return CountCache(self.matrix, precomputed=self.precomputed, withheld=self.withheld)

    def is_enough(self, n_direct: Any, n_protected: Any) -> Any:
        """Return whether this many rows of each group, numbers or arrays, may have a figure of their own."""
        return disguised_rows(self.design, n_direct, n_protected) >= self.disclosure.least_protected

    def asked_enough(self, columns: Columns) -> bool:
        """Return whether enough rows have some columns; in a practice survey one row is enough."""
        counts = self.count_cache.need([columns])[columns]
        return bool(sum(counts) and self.is_enough(*counts))

    def has_large_crosses(
        self, *itemsets: Columns, beside: Collection[int] = (), numbers: Collection[int] = ()
    ) -> bool:
        """Return whether figures may name the open answers of some itemsets.

        `beside` are protected questions that the figures also involve, and `numbers` are open numbers whose
        means are reported: see `mining.open_floor.large_crosses`.
        """
        floor = self.disclosure.open_floor
        return not floor.hides or all(
            large_crosses(self.count_cache, self.design, itemsets, floor, beside=beside, numbers=numbers)
        )

    def small_cross(self, case: str = "profile") -> SurveyError:
        """Return the refusal of a figure that `has_large_crosses` does not allow."""
        if not self.disclosure.open_floor.crosses:
            return SurveyError("waits", least=self.disclosure.least_cross)
        return SurveyError(case, least=self.disclosure.least_cross)

    def releasable(self, itemsets: Iterable[Columns]) -> list[Columns]:
        """Return the itemsets whose figures may be reported, each once."""
        return releasable_itemsets(
            self.count_cache,
            itemsets,
            least_protected=self.disclosure.least_protected,
            floor=self.disclosure.open_floor,
        )

    def under(self, open_floor: OpenFloor) -> ReleasableRows:
        """Return these rows with what their run may show of open answers."""
        policy = disclosure(n=self.n, practice=self.version.survey.practice, open_floor=open_floor)
        return replace(self, disclosure=policy)

    def with_results(self) -> ReleasableRows:
        """Return these rows; refuse them if no figure of them may be reported.

        Raises
        ------
        SurveyError
            ``too_few``
        """
        if not self.disclosure.results:
            raise SurveyError("too_few", rounded_count(self.n), least=LEAST_PROTECTED)
        return self


def releasable_design(version: Version) -> Design:
    """Return the design of the rows that figures are computed from: the version's, or its disguised form."""
    design = version.to_design()
    return disguised_design(design) if version.holds_undisguised else design


def releasable_rows(
    version: Version, batches: QuerySet[Batch], row_counts: CountedRows | None = None, *, withheld: Withheld
) -> ReleasableRows:
    """Return the rows of some batches of a version's design that figures may be computed from.

    If the counts of these rows are known, columns are built only when they are needed.

    Raises
    ------
    SurveyError, PrivacyError
        As `surveys.runs.column_cache.cached_columns`.
    """
    design = version.to_design()
    if row_counts is not None:
        return _counted_rows(version, batches, row_counts, withheld)
    columns = cached_columns(design, version.survey_id, batches)
    sent_rows = columns.matrix
    if version.holds_undisguised:
        reader = partial(disguise_batches, design)
        columns = cached_columns(disguised_design(design), version.survey_id, batches, reader)
    matrix = columns.matrix
    return ReleasableRows(
        version=version,
        matrix=matrix,
        precomputed=columns.precomputed,
        disclosure=_disclosure(version, matrix),
        reports=sent_rows,
        withheld=withheld,
    )


def _counted_rows(
    version: Version, batches: QuerySet[Batch], row_counts: CountedRows, withheld: Withheld
) -> ReleasableRows:
    design = releasable_design(version)
    matrix = uncounted_columns(
        design,
        (row_counts.n_direct, row_counts.n_protected),
        row_counts.stored_at,
        lambda: releasable_rows(version, batches, withheld=withheld).matrix,
    )
    sent_rows = matrix
    if version.holds_undisguised:
        n_direct = batches.order_by().aggregate(direct=Sum("n_direct"))["direct"] or 0
        design = version.to_design()
        sent_rows = uncounted_columns(
            design,
            (n_direct, row_counts.n - n_direct),
            np.arange(design.n_columns),
            lambda: releasable_rows(version, batches, withheld=withheld).reports,
        )
    return ReleasableRows(
        version=version,
        matrix=matrix,
        precomputed=row_counts.precomputed,
        disclosure=_disclosure(version, matrix),
        reports=sent_rows,
        withheld=withheld,
    )


def permitted_rows(run: Run, reads: Iterable[Iterable[int]]) -> Iterator[bytes]:
    """Return the packed rows of a run for figures, each of which reads some questions together.

    Raises
    ------
    PrivacyError
        ``forged``: forged rows contradict one of the questions, or two of them together.
    SurveyError
        ``snapshot``; ``damaged_batch``, while reading.
    """
    withheld = withheld_of(run)
    for questions in reads:
        withheld.check(questions)
    return packed_rows(run.version, batches_of(run))


def packed_rows(version: Version, batches: QuerySet[Batch]) -> Iterator[bytes]:
    """Yield the packed rows, in the layout of `releasable_design`; figures use `permitted_rows`.

    Raises
    ------
    SurveyError
        ``damaged_batch``: the rows of a batch do not have its digest.
    """
    read = batches_read(list(batches.values_list("pk", flat=True)))
    return disguise_batches(version.to_design(), read) if version.holds_undisguised else rows_of(read)


def rows_of_run(run: Run) -> ReleasableRows:
    """Return the rows behind a run's figures: those of its snapshot.

    Every other estimate shown next to these figures uses the same rows.

    Raises
    ------
    SurveyError
        ``snapshot``: the database holds other batches than the run read.
    """
    return releasable_rows(run.version, batches_of(run), withheld=withheld_of(run)).under(floor_of(run))


def rows_of_version(version: Version) -> ReleasableRows:
    """Return the rows that may be mined now, for their audit: no figure about respondents may use them.

    Raises
    ------
    SurveyError
        ``no_answers``, ``too_few``.
    """
    snapshot_of(version)
    return releasable_rows(version, batches_open_to_mining(version), withheld=NOTHING).with_results()


def _disclosure(version: Version, matrix: BitMatrix) -> Disclosure:
    return disclosure(n=matrix.n, practice=version.survey.practice)
