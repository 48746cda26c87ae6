"""Parts of latent answers with a channel of their own."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from privacy.arrays import Array, Whole


@dataclass(frozen=True, kw_only=True, eq=False)
class LatentPart:
    """The items of one block in a regression, and how each group's devices report them.

    Parameters
    ----------
    items : tuple of int
    channels : float array, shape (groups, letters, letters)
        Letters are the patterns of the items, with the last item varying fastest, then a skip if there is
        one.
    """

    items: tuple[int, ...]
    channels: Array

    @property
    def letters(self) -> Iterator[dict[int, int] | None]:
        """The true answers (1 or 0 by item) that each letter stands for; None for a skip."""
        for pattern in itertools.product((0, 1), repeat=len(self.items)):
            yield dict(zip(self.items, pattern, strict=True))
        if self.channels.shape[1] > 1 << len(self.items):
            yield None


@dataclass(frozen=True, kw_only=True, eq=False)
class LatentReports:
    """Items of one block, and each row's report of them.

    Parameters
    ----------
    names : tuple of str
    channels : float array, shape (groups, letters, letters)
        As for `LatentPart`.
    reports : int array, shape (rows,)
        Position of each row's report among the letters.
    """

    names: tuple[str, ...]
    channels: Array
    reports: Whole
