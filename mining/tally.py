"""Counts taken so far of one matrix: each set of columns is counted once, whoever asks for it."""

from __future__ import annotations

from collections.abc import Iterable

from mining.bitmatrix import BitMatrix
from mining.counting import count
from mining.watch import Watch, unwatched
from privacy.reconstruct.counts import Columns, SupportCounts

__all__ = ["Tally"]


class Tally:
    """Counts on demand, and remembers.

    Parameters
    ----------
    matrix : BitMatrix
    engine, threads, watch
        As in `mining.counting.count`.

    Examples
    --------
    >>> import numpy as np
    >>> from privacy.disguise.design import Block, Design, GroupPolicy, Question
    >>> ask = Question(key="affair", kind="yes_no", options=(), unrelated=(5000,))
    >>> design = Design(blocks=(Block(key="marriage", protected=True, truth_probability=6000,
    ...     refusal=None, asked_if=None, questions=(ask,)),), group=GroupPolicy(), use="live")
    >>> rows = np.array([[True], [False], [True]])
    >>> tally = Tally(BitMatrix.from_booleans(design, rows, np.zeros(3, dtype=bool)))
    >>> tally.need([(), (0,)])[0,]
    (0, 2)
    """

    def __init__(
        self, matrix: BitMatrix, *, engine: str = "auto", threads: int = 1, watch: Watch = unwatched
    ) -> None:
        self.matrix = matrix
        self.counts = SupportCounts({})
        """All counts taken so far."""
        self._engine, self._threads, self._watch = engine, threads, watch

    def need(self, requests: Iterable[Columns]) -> SupportCounts:
        """Count what has not been counted yet, and return all counts taken so far."""
        missing = [columns for columns in dict.fromkeys(requests) if columns not in self.counts]
        if missing:
            found = count(self.matrix, missing, engine=self._engine, threads=self._threads, watch=self._watch)
            self.counts = self.counts.merge(SupportCounts.from_array(missing, found))
        return self.counts
