"""How many rows have a 1 in every one of some columns: the only question ever put to the rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mining import counting_boolean, counting_numpy
from mining.bitmatrix import FULL, BitMatrix
from mining.errors import MiningError
from mining.watch import Progress, Watch, unwatched
from privacy.reconstruct.counts import Columns

__all__ = ["ENGINES", "Engine", "Kernel", "Requests", "count", "engine_named"]

Requests: TypeAlias = Sequence[Columns] | NDArray[np.int64]
Kernel: TypeAlias = Callable[[NDArray[np.uint64], NDArray[np.int64]], NDArray[np.int64]]

ENGINES: Final = ("auto", "numpy", "mlxtend")
EngineName: TypeAlias = Literal["auto", "numpy", "mlxtend"]

_WORDS_BETWEEN_WATCHES: Final = 1 << 28
"""Candidates times words of one step: about a third of a second."""


@dataclass(frozen=True, kw_only=True)
class Engine:
    """A way of counting.

    Attributes
    ----------
    name : str
        What a report calls it.
    kernel : callable
        Takes packed columns (columns, words) and places of columns (m, size), returns the m counts.
    """

    name: str
    kernel: Kernel


def engine_named(name: str) -> Engine:
    """Find an engine.

    Parameters
    ----------
    name : {"auto", "numpy", "mlxtend"}
        "auto" is the fastest one there is.

    Raises
    ------
    MiningError
        ``engine``: there is none of this name.
    """
    if name in ("auto", "numpy"):
        return Engine(name="numpy", kernel=counting_numpy.count_rows)
    if name == "mlxtend":
        return Engine(name="mlxtend", kernel=counting_boolean.count_rows)
    raise MiningError("engine", f"engine {name!r} is unknown", name, f"choose one of {', '.join(ENGINES)}")


def count(
    matrix: BitMatrix,
    requests: Requests,
    *,
    engine: str = "auto",
    threads: int = 1,
    watch: Watch = unwatched,
) -> NDArray[np.int64]:
    """Count the rows that have a 1 in all columns of a request, for many requests at once.

    Parameters
    ----------
    matrix : BitMatrix
    requests : sequence of tuple of int, or ndarray of int64, shape (m, size)
        Column numbers of the design. The empty request means all rows.
    engine : str
        One of `ENGINES`; all of them return the same.
    threads : int
        How many threads share the records, at least 1.
    watch : callable
        Called after each step; it may raise to stop the counting.

    Returns
    -------
    ndarray of int64, shape (m, 2)
        Matching rows of the direct group and of the protected group.

    Raises
    ------
    MiningError
        ``unknown_column``: a column that the design does not have. ``threads``, ``engine``.

    Notes
    -----
    Full columns are dropped, equal requests are counted once, and requests are sorted so that neighbours
    share their prefix.

    Examples
    --------
    >>> from privacy.disguise.design import Block, Design, GroupPolicy, Question
    >>> ask = [Question(key=key, kind="yes_no", options=(), unrelated=(5000,)) for key in "ab"]
    >>> design = Design(blocks=(Block(key="block", protected=True, truth_probability=5000, refusal=None,
    ...     asked_if=None, questions=tuple(ask)),), group=GroupPolicy(policy="choice"), use="live")
    >>> rows = np.array([[True, True], [True, False], [True, True], [False, True]])
    >>> matrix = BitMatrix.from_booleans(design, rows, direct=np.array([True, False, False, False]))
    >>> count(matrix, [(), (0,), (0, 1)]).tolist()
    [[1, 3], [1, 2], [1, 1]]
    """
    if threads < 1:
        raise MiningError("threads", f"{threads} threads cannot count", threads, "give at least 1")
    kernel = engine_named(engine).kernel
    places, sizes = _places(matrix, requests)
    counts = np.empty((len(places), 2), dtype=np.int64)
    counts[sizes == 0] = matrix.n_direct, matrix.n_protected
    batches = [
        (which, *_distinct(places[which][:, -size:]))
        for size in np.unique(sizes[sizes > 0]).tolist()
        for which in [np.flatnonzero(sizes == size)]
    ]
    groups = (matrix.direct.words, matrix.protected.words)
    step = max(1, _WORDS_BETWEEN_WATCHES // max(1, sum(words.shape[1] for words in groups)))
    total, done = sum(len(candidates) for _, candidates, _ in batches), 0
    for which, candidates, back in batches:
        found = np.empty((len(candidates), 2), dtype=np.int64)
        for start in range(0, len(candidates), step):
            part = candidates[start : start + step]
            for group, words in enumerate(groups):
                found[start : start + step, group] = _spread(kernel, words, part, threads)
            done += len(part)
            watch(Progress(stage="counting", done=done, total=total))
        counts[which] = found[back]
    return counts


def _places(matrix: BitMatrix, requests: Requests) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the columns of each request are stored, ascending, each once, right-aligned; and how many."""
    if isinstance(requests, np.ndarray):
        columns = requests
    else:
        lengths = np.fromiter(map(len, requests), dtype=np.int64, count=len(requests))
        columns = np.zeros((len(requests), int(lengths.max(initial=0))), dtype=np.int64)
        given = np.arange(columns.shape[1]) < lengths[:, None]
        columns[given] = np.fromiter(chain.from_iterable(requests), dtype=np.int64, count=int(lengths.sum()))
    wrong = (columns < 0) | (columns >= matrix.design.n_columns)
    if wrong.any():
        column = int(columns[wrong][0])
        raise MiningError(
            "unknown_column",
            f"column {column} is unknown",
            column,
            f"give columns from 0 to {matrix.design.n_columns - 1}",
        )
    places = matrix.stored_at[columns]
    if not isinstance(requests, np.ndarray):
        places[~given] = FULL
    places.sort(axis=1)
    repeated = places[:, 1:] == places[:, :-1]
    if repeated.any():
        places[:, 1:][repeated] = FULL
        places.sort(axis=1)
    return places, np.count_nonzero(places != FULL, axis=1)


def _distinct(candidates: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different candidates in lexicographic order, and which of them each given one is."""
    order = np.lexsort(candidates.T[::-1])
    ordered = candidates[order]
    new = np.ones(len(ordered), dtype=bool)
    np.any(ordered[1:] != ordered[:-1], axis=1, out=new[1:])
    back = np.empty(len(ordered), dtype=np.int64)
    back[order] = np.cumsum(new) - 1
    return ordered[new], back


def _spread(
    kernel: Kernel, words: NDArray[np.uint64], candidates: NDArray[np.int64], threads: int
) -> NDArray[np.int64]:
    """Let each thread count its share of the records; the shares add up."""
    if threads == 1:
        return kernel(words, candidates)
    edges = np.linspace(0, words.shape[1], threads + 1).astype(np.int64).tolist()
    with ThreadPoolExecutor(threads) as pool:
        shares = pool.map(lambda edge: kernel(words[:, edge[0] : edge[1]], candidates), pairwise(edges))
        counts: NDArray[np.int64] = np.sum(list(shares), axis=0, dtype=np.int64)
    return counts
