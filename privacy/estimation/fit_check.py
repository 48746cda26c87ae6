"""Check that a design can have produced the reports, before estimating anything."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import scipy

from privacy.arrays import Array, Flags, Whole
from privacy.errors import PrivacyError
from privacy.policy import FIT_CHECK_SIZE

_HALVINGS: Final = 30


@dataclass(frozen=True, kw_only=True, eq=False)
class RowGroups:
    """The reports to one question, in strata of rows with equal probabilities.

    Parameters
    ----------
    key : str
        Name of the question in error messages.
    counts : int array, shape (strata, reports)
        Number of rows with each report, among rows that were asked. With two reports, "yes" is the second.
    low, high : float array, shape (strata, reports)
        Smallest and largest probability of each report, over all true answers.
    coin : hashable
        Equal for questions that share a coin; None for a question without p.
    p : float
        Probability in the design that an answer is kept.
    answering : float
        Probability that a decoy is not skipped.
    """

    key: str
    counts: Whole
    low: Array
    high: Array
    coin: Hashable = None
    p: float = 0.0
    answering: float = 1.0

    @classmethod
    def of(cls, key: str, counts: Whole, channel: Array, *, p: float, coin: Hashable = None) -> RowGroups:
        """Return the reports to a question that all rows were asked through one channel.

        Parameters
        ----------
        key : str
        counts : int array, shape (reports,)
        channel : float array, shape (reports, true answers)
        p : float
        coin : hashable, optional
        """
        ends = channel.min(axis=1)[None], channel.max(axis=1)[None]
        return cls(key=key, counts=counts[None], low=ends[0], high=ends[1], coin=coin, p=p)

    def with_larger_p(self, more: float) -> RowGroups:
        """Return the same reports under a design with a larger p, moved this fraction of the way to 1."""
        return replace(self, low=(1 - more) * self.low, high=1 - (1 - more) * (1 - self.high))

    def reversed(self) -> RowGroups:
        """Return the same reports with "yes" and "no" swapped."""
        return replace(self, counts=self.counts[:, ::-1])


@dataclass(frozen=True, kw_only=True, eq=False)
class _Cells:
    """All counts to test, as `FailingCell` describes them."""

    counts: Whole
    sizes: Whole
    low: Array
    high: Array
    first: Whole
    second: Whole
    report: Whole

    @property
    def limit(self) -> float:
        """Level of each test: 1/10,000 over all of them."""
        tests = (self.low > 0).any(axis=1).sum() + (self.high < 1).any(axis=1).sum()
        return FIT_CHECK_SIZE / max(int(tests), 1)

    def failing(self) -> Flags:
        return least_p_values(self.counts, self.sizes, self.low, self.high) < self.limit


def least_p_values(counts: Whole, sizes: Whole, low: Array, high: Array) -> Array:
    """Return the smaller one-sided p-value (too few or too many) of each count, for any true answers.

    Parameters
    ----------
    counts : int array, shape (cells,)
    sizes : int array, shape (cells, strata)
        Number of rows that could be counted.
    low, high : float array, shape (cells, strata)
        Smallest and largest probability that such a row is counted.

    Notes
    -----
    Given the true answers and the drawn questions, a count is a sum of independent coins. Its distribution is
    between two extremes: all coins have the smallest probability, or all have the largest. With several
    strata, these are Poisson-binomial distributions, computed from their characteristic functions.

    Examples
    --------
    40 of 100 "yes" if each row says it with probability at least .5: P(40 or fewer) = .0284.

    >>> least_p_values(np.array([40]), np.array([[100]]), np.array([[.5]]), np.array([[.9]])).round(4)
    array([0.0284])
    """
    if sizes.shape[1] == 1:
        n = sizes[:, 0]
        few = scipy.special.bdtr(counts, n, low[:, 0])
        many = np.where(counts > 0, scipy.special.bdtrc(np.maximum(counts - 1, 0), n, high[:, 0]), 1.0)
        return np.asarray(np.minimum(few, many), dtype=np.float64)
    below = [
        _sum_shares(n, bound_shares)[: count + 1].sum()
        for count, n, bound_shares in zip(counts, sizes, low, strict=True)
    ]
    above = [
        _sum_shares(n, bound_shares)[count:].sum()
        for count, n, bound_shares in zip(counts, sizes, high, strict=True)
    ]
    return np.minimum(below, above)


def _sum_shares(sizes: Whole, probabilities: Array) -> Array:
    """Return the probability of each value of a sum of binomials."""
    total = int(sizes.sum())
    turn = np.exp(-2j * np.pi * np.arange(total + 1) / (total + 1))
    characteristic = np.prod((1 + probabilities[:, None] * (turn - 1)) ** sizes[:, None], axis=0)
    return np.maximum(np.fft.ifft(characteristic).real, 0.0)


def check_fit(
    questions: Sequence[RowGroups], pairs: Sequence[tuple[int, int]] = (), tables: Whole | None = None
) -> None:
    """Refuse reports that contradict their design.

    Parameters
    ----------
    questions : sequence of RowGroups
    pairs : sequence of (int, int)
        Positions of two questions, with two reports each and one stratum.
    tables : int array, shape (pairs, 2, 2)
        Rows that were asked both questions, by their two reports.

    Raises
    ------
    PrivacyError
        ``misfit``: names every mistake that would explain the reports.

    Notes
    -----
    Each count is tested by `least_p_values`, at the level 1/10,000 divided by the number of tests
    (Bonferroni). The check is valid for any true answers and any sampling. It is also valid with weights and
    clusters, because counts are unweighted. It cannot detect reports that the design could have produced:
    undisguised answers with 25% "yes" look like forced response.

    Examples
    --------
    A tenth of 1,000 say "yes", although a quarter are forced to:

    >>> channel = np.array([[.75, .25], [.25, .75]])
    >>> try:
    ...     check_fit([RowGroups.of("affair", np.array([900, 100]), channel, p=.5)])
    ... except PrivacyError as error:
    ...     print(error.code, error.fields["count"], error.fields["fits"])
    misfit 100 0.717
    """
    cells = _cells(questions, pairs, tables)
    fails = np.flatnonzero(cells.failing())
    if not len(fails):
        return
    single = fails[cells.second[fails] < 0]
    p_values = least_p_values(cells.counts, cells.sizes, cells.low, cells.high)
    of = single if len(single) else fails
    worst = of[np.argmin(p_values[of])]
    wrong = {
        int(question_number)
        for question_number in (*cells.first[of], *cells.second[of])
        if question_number >= 0
    }
    coins = {questions[question_number].coin for question_number in wrong} - {None}

    def fits(change: Callable[[RowGroups], RowGroups], changed: Callable[[int, RowGroups], bool]) -> bool:
        variants = [
            change(question) if changed(position, question) else question
            for position, question in enumerate(questions)
        ]
        new_tables = None if tables is None else tables.copy()
        for side in (0, 1):
            # If a question's "yes" and "no" are swapped, swap them in its pairs too.
            for position, pair in enumerate(pairs):
                if new_tables is not None and change is RowGroups.reversed and pair[side] in wrong:
                    new_tables[position] = np.flip(new_tables[position], axis=side)
        return not _cells(variants, pairs, new_tables).failing().any()

    least, most = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (least + most) / 2
        enough = fits(
            lambda own: own.with_larger_p(middle),  # noqa: B023
            lambda at, own: own.coin in coins if coins else at in wrong,
        )
        least, most = (least, middle) if enough else (middle, most)
    first = questions[cells.first[worst]]
    is_pair = cells.second[worst] >= 0
    is_number = not is_pair and first.p == 0
    swaps = not is_number and all(
        questions[question_number].counts.shape[1] == 2 for question_number in wrong
    )
    is_reversed = swaps and fits(RowGroups.reversed, lambda at, _: at in wrong)
    raise PrivacyError(
        "misfit.number"
        if is_number
        else ("misfit.pair_reversed" if is_reversed else "misfit.pair")
        if is_pair
        else ("misfit.share_reversed" if is_reversed else "misfit.share"),
        _name(questions, cells, int(worst)),
        count=int(cells.counts[worst]),
        n=int(cells.sizes[worst].sum()),
        least=f"{100 * cells.low[worst].min():.3g}",
        most=f"{100 * cells.high[worst].max():.3g}",
        p=f"{first.p:.3g}",
        fits=f"{first.p + (1 - first.p) * most:.3f}",
    )


@dataclass(frozen=True, kw_only=True)
class FailingCell:
    """A count that the design cannot have produced.

    Parameters
    ----------
    first, second : int
        Positions of its questions in the check; `second` is -1 if the count is of one question.
    report : int
        The counted report; for a pair, twice that of the first plus that of the second.
    too_many : bool
        Whether the count is too large; otherwise it is too small.
    rows : int
        Rows that would explain it: see `rows_to_explain`.
    n : int
        Rows that could be counted.
    """

    first: int
    second: int
    report: int
    too_many: bool
    rows: int
    n: int


def failing_cells(
    questions: Sequence[RowGroups], pairs: Sequence[tuple[int, int]] = (), tables: Whole | None = None
) -> list[FailingCell]:
    """Return every count that contradicts the design, by the tests of `check_fit`.

    Parameters
    ----------
    questions, pairs, tables
        As for `check_fit`. Each question has one stratum.

    Examples
    --------
    90 of 100 "yes", although at most 75% of rows say it:

    >>> channel = np.array([[.75, .25], [.25, .75]])
    >>> failing_cells([RowGroups.of("affair", np.array([0, 100]), channel, p=.5)])
    [FailingCell(first=0, second=-1, report=1, too_many=True, rows=66, n=100)]
    """
    if not questions:
        return []
    cells, found = _cells(questions, pairs, tables), []
    for cell in np.flatnonzero(cells.failing()).tolist():
        count, n = int(cells.counts[cell]), int(cells.sizes[cell].sum())
        low, high = float(cells.low[cell, 0]), float(cells.high[cell, 0])
        too_many = count > high * n
        found.append(
            FailingCell(
                first=int(cells.first[cell]),
                second=int(cells.second[cell]),
                report=int(cells.report[cell]),
                too_many=too_many,
                rows=rows_to_explain(count, n, high, cells.limit)
                if too_many
                else rows_to_explain(n - count, n, 1 - low, cells.limit),
                n=n,
            )
        )
    return found


def rows_to_explain(count: int, n: int, most: float, limit: float) -> int:
    """Return the least m for which count - m can come from n - m rows of the design.

    Parameters
    ----------
    count : int
        Rows that were counted, of `n`.
    n : int
    most : float
        Largest probability that a row of the design is counted.
    limit : float
        P(count - m or more) must be at least this.

    Notes
    -----
    P(Bin(n - m, most) >= count - m) increases in m, because removing a counted row removes one row and one
    count. So halving the interval finds the least m.

    Examples
    --------
    Of 10 rows, 10 were counted, each with probability at most .5. P(5 of 5) = .03 and P(4 of 4) = .06:

    >>> rows_to_explain(10, 10, .5, .05)
    6
    """
    low, high = -1, count
    while high - low > 1:
        middle = (low + high) // 2
        least = count - middle - 1
        chance = 1.0 if least < 0 else float(scipy.special.bdtrc(least, n - middle, most))
        low, high = (low, middle) if chance >= limit else (middle, high)
    return high


def _name(questions: Sequence[RowGroups], cells: _Cells, cell: int) -> str:
    first, second = int(cells.first[cell]), int(cells.second[cell])
    if second < 0:
        return str(questions[first].key)
    # Cells of pairs come last, four per pair.
    yes = (cell - np.flatnonzero(cells.second >= 0)[0]) % 4
    return f"{questions[first].key}={yes // 2} & {questions[second].key}={yes % 2}"


def _cells(questions: Sequence[RowGroups], pairs: Sequence[tuple[int, int]], tables: Whole | None) -> _Cells:
    rows = []
    for number, question in enumerate(questions):
        sizes = question.counts.sum(axis=1)
        n_reports = question.counts.shape[1]
        # For two reports, test only "yes", which determines "no".
        reports = (1,) if n_reports == 2 else range(n_reports)
        rows += [
            (
                question.counts[:, each].sum(),
                sizes,
                question.low[:, each],
                question.high[:, each],
                number,
                each,
            )
            for each in reports
        ]
    strata = max(len(sizes) for _, sizes, *_ in rows)

    def wide(values: Whole | Array) -> Whole | Array:
        return np.concatenate([values, np.zeros(strata - len(values), dtype=values.dtype)])

    single = _Cells(
        counts=np.array([count for count, *_ in rows], dtype=np.int64),
        sizes=np.array([wide(sizes) for _, sizes, *_ in rows], dtype=np.int64),
        low=np.array([wide(low) for *_, low, _, _, _ in rows]),
        high=np.array([wide(high) for *_, high, _, _ in rows]),
        first=np.array([number for *_, number, _ in rows], dtype=np.int64),
        second=np.full(len(rows), -1),
        report=np.array([each for *_, each in rows], dtype=np.int64),
    )
    if tables is None or not len(tables):
        return single
    first, second = np.array(pairs, dtype=np.int64).T
    low, high = _pair_ends(questions, first, second)
    counts = tables.reshape(-1).astype(np.int64)
    return _Cells(
        counts=np.concatenate([single.counts, counts]),
        sizes=np.concatenate([single.sizes, np.repeat(tables.sum(axis=(1, 2)), 4)[:, None]]),
        low=np.concatenate([single.low, low.reshape(-1, 1)]),
        high=np.concatenate([single.high, high.reshape(-1, 1)]),
        first=np.concatenate([single.first, np.repeat(first, 4)]),
        second=np.concatenate([single.second, np.repeat(second, 4)]),
        report=np.concatenate([single.report, np.tile(np.arange(4), len(pairs))]),
    )


def _pair_ends(questions: Sequence[RowGroups], first: Whole, second: Whole) -> tuple[Array, Array]:
    """Return the smallest and largest probability of each cell of each pair, shape (pairs, 2, 2).

    Cell [a, b] of a pair counts the rows that report a to the first question and b to the second, 0 or 1.
    """
    low = _report_ends([question.low for question in questions])
    high = _report_ends([question.high for question in questions])
    # Questions with separate coins are reported independently.
    low_apart = low[first][:, :, None] * low[second][:, None, :]
    high_apart = high[first][:, :, None] * high[second][:, None, :]
    # With a shared coin, decoys without a skip contribute (1 - p) q1 q2, and the truth contributes p.
    answering = np.array([question.answering for question in questions])[first]
    decoys = low[first].sum(axis=1)
    both_yes = np.divide(
        low[first, 1] * low[second, 1], decoys * answering, out=np.zeros_like(decoys), where=decoys > 0
    )
    only_first, only_second = low[first, 1] - both_yes, low[second, 1] - both_yes
    neither = decoys - both_yes - only_first - only_second
    low_together = np.stack([neither, only_second, only_first, both_yes], axis=1).reshape(-1, 2, 2)
    high_together = low_together + (1 - decoys)[:, None, None]
    coins = [question.coin for question in questions]
    shares_coin = np.array(
        [coins[one] == coins[other] for one, other in zip(first.tolist(), second.tolist(), strict=True)]
    )[:, None, None]
    return np.where(shares_coin, low_together, low_apart), np.where(shares_coin, high_together, high_apart)


def _report_ends(ends: Sequence[Array]) -> Array:
    """Return the ends for both reports of each yes/no question, shape (questions, 2); 0 for others."""
    return np.array([rows[0] if rows.shape[1] == 2 else (0.0, 0.0) for rows in ends])
