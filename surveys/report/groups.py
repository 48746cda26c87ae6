"""How many answers of each group a design has, in the batches that a run may see."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from privacy.disguise.layout import Layout
from surveys.models import Batch, Version
from surveys.report.disclosure import Disclosure, disclosure
from surveys.respond.mix import batches_open_to_mining

# The group bit is the first bit of a row.
_DIRECT = 0x80


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
    n_bytes = Layout(version.to_design()).n_bytes
    batches = list(batches_open_to_mining(version).values_list("pk", "digest", "n"))
    n_direct = sum(_direct_rows(pk, digest, n_bytes) for pk, digest, _ in batches)
    n = sum(size for _, _, size in batches)
    return Groups(
        n_direct=n_direct,
        n_protected=n - n_direct,
        disclosure=disclosure(
            n_direct=n_direct,
            n_protected=n - n_direct,
            practice=version.survey.practice,
            settled=version.survey.settled,
        ),
    )


@lru_cache(maxsize=65_536)
def _direct_rows(batch_id: int, digest: str, n_bytes: int) -> int:
    """Count the direct rows of a batch; what a digest names never changes, so it is read once a process."""
    packed = Batch.objects.values_list("packed", flat=True).get(pk=batch_id)
    flags = np.frombuffer(bytes(packed), dtype=np.uint8)[::n_bytes]
    return int(np.count_nonzero(flags & _DIRECT))
