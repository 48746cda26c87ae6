"""Change of the same people, who are asked one thing for two times under one coin."""

from __future__ import annotations

from dataclasses import dataclass

from privacy.arrays import Array
from privacy.estimation.joined_rows import JoinedRows
from privacy.estimation.joined_scores import with_base
from privacy.estimation.share_of_all import measured_mean
from privacy.policy import FEW_ROWS
from privacy.printed import Measured


@dataclass(frozen=True, kw_only=True)
class TwoTimes:
    """Shares of people at two times, and how many changed.

    Parameters
    ----------
    earlier, later : Measured
        Shares of people who say yes for then, and for now.
    started, stopped : Measured
        Shares of people who say yes only for now, and only for then.
    net : Measured
        Share of now minus share of then, which is started minus stopped.
    few_rows : bool
        Whether a cell has fewer than 5 rows.
    """

    earlier: Measured
    later: Measured
    started: Measured
    stopped: Measured
    net: Measured
    few_rows: bool


def two_times(rows: JoinedRows, *, level: float = 0.95, forged: int = 0) -> TwoTimes:
    """Estimate the change of the same people from rows that answer for both times.

    Parameters
    ----------
    rows : JoinedRows
        Rows scored by `privacy.estimation.comparison.comparison_factors`: then is the antecedent, now the
        consequent.
    level : float, in (0, 1)
    forged : int
        Number of rows among them that no device sent.

    Raises
    ------
    PrivacyError
        ``no_rows``, ``level``.

    Notes
    -----
    With the scores x of both, a of then and y of now, started is the mean of y - x, stopped that of a - x,
    and the net change that of h = y - a. Its squared error is (mean h^2 - (mean h)^2) / n, from the cells
    of the pair, and not the sum of both variances: under one coin, random answers to both are drawn
    together, and people who stay the same add nothing. Without a disguise this is McNemar's comparison.

    References
    ----------
    McNemar 1947; Owen 2001, chapter 2.

    Examples
    --------
    Of 100 people, 30 say yes for both times, 10 only for then, 20 only for now, so mean h^2 = .3:

    >>> import numpy as np
    >>> rows = JoinedRows(counts=np.array([30, 10, 20, 40]), n_direct=0, n_protected=100, smallest_cell=10,
    ...                   scores=np.array([[1., 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]]))
    >>> found = two_times(rows)
    >>> found.earlier.value, found.later.value, found.started.value, found.stopped.value
    (0.4, 0.5, 0.2, 0.1)
    >>> round(found.net.value, 9), round(found.net.standard_error, 4)  # sqrt((.3 - .01) / 100)
    (0.1, 0.0539)
    """
    both, _then, now, then, _base = with_base(rows.scores)
    share, difference = (0.0, 1.0), (-1.0, 1.0)

    def figure(score: Array, possible: tuple[float, float]) -> Measured:
        return measured_mean(rows, score, possible=possible, level=level, forged=forged)

    return TwoTimes(
        earlier=figure(then, share),
        later=figure(now, share),
        started=figure(now - both, share),
        stopped=figure(then - both, share),
        net=figure(now - then, difference),
        few_rows=rows.smallest_cell < FEW_ROWS,
    )
