"""How many answers of each group a design has, in the batches that a run may see."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Sum

from surveys.disclosure.disclosure import Disclosure, disclosure
from surveys.models import Version
from surveys.snapshots.snapshot import batches_open_to_mining


@dataclass(frozen=True, kw_only=True)
class Groups:
    """Answers of one design that may be mined, by group."""

    n_direct: int
    n_protected: int
    disclosure: Disclosure

    @property
    def n(self) -> int:
        """Answers of both groups."""
        return self.n_direct + self.n_protected


def groups_of(version: Version) -> Groups:
    """Count the answers of a version's design that a run may see."""
    counted = batches_open_to_mining(version).order_by().aggregate(rows=Sum("n"), direct=Sum("n_direct"))
    n, n_direct = counted["rows"] or 0, counted["direct"] or 0
    return Groups(
        n_direct=n_direct,
        n_protected=n - n_direct,
        disclosure=disclosure(
            sends_undisguised=version.to_design().sends_undisguised,
            n_direct=n_direct,
            n_protected=n - n_direct,
            practice=version.survey.practice,
            settled=version.survey.settled,
        ),
    )
