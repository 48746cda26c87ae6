"""How many of n records are unique if each shows one of a number of combinations."""

from __future__ import annotations

import math

from privacy import validation


def expected_unique(n: int, combinations: int) -> float:
    """Return the expected number of unique rows out of n, if all combinations are equally frequent.

    Parameters
    ----------
    n : int
        Number of rows, 1 or more.
    combinations : int
        Number of distinct complete answers to the open questions, 1 or more.

    Notes
    -----
    The number is n (1 - 1/C)^(n - 1). Real combinations are uneven, which makes fewer or more rows unique:
    see `most_unique`.

    Examples
    --------
    >>> expected_unique(2, 4), expected_unique(1, 1)
    (1.5, 1.0)
    """
    rows = validation.number_of_rows(n)
    return rows * share_unique(combinations, rows)


def share_unique(combinations: int, n: int) -> float:
    """Return the expected share of unique rows out of n, if all combinations are equally frequent.

    Parameters
    ----------
    combinations : int
        Number of equally frequent combinations, 1 or more.
    n : int
        Number of rows, 1 or more.

    Examples
    --------
    A batch of fifty rows with all 210 sets of four out of ten questions, and with a list of fifteen sets:

    >>> round(share_unique(210, 50), 2), round(share_unique(15, 50), 2)
    (0.79, 0.03)
    """
    # log1p, because 1 - 1/C may round to 1.
    return math.exp((n - 1) * math.log1p(-1 / combinations)) if combinations > 1 else float(n == 1)


def most_unique(n: int, combinations: int, *, cells: int = 1) -> float:
    """Return an upper bound of the expected number of unique rows, however the answers are distributed.

    Parameters
    ----------
    n : int
        Number of rows, 1 or more.
    combinations : int
        Number of combinations of open answers, 1 or more, of unknown frequencies.
    cells : int, optional
        Number of equally likely question sets that a device draws independently of these answers.

    Notes
    -----
    A combination of probability x is unique with probability n f(x), f(x) = x (1 - x)^(n - 1). f increases up
    to 1/n, is concave up to 2/n, and decreases after 1/n. So its tangent at any x0 <= 1/n is nowhere below
    it, and the sum over C combinations is at most C f(1/C) if C >= n (reached if all are equally frequent),
    and at most C f(1/n) otherwise. With M question sets, C is M times the combinations of answers.

    Uneven answers make fewer rows unique than equal ones if there are more combinations than rows, and can
    make more rows unique if there are fewer.

    Examples
    --------
    More combinations than rows: the number if all are equally frequent. Fewer: up to 1/e of them, not one in
    23,000.

    >>> round(most_unique(250, 863), 1), round(expected_unique(250, 863), 1)
    (187.3, 187.3)
    >>> round(most_unique(1000, 100), 1), round(expected_unique(1000, 100), 2)
    (36.8, 0.04)
    """
    rows = validation.number_of_rows(n)
    if combinations == 1:
        return rows * share_unique(cells, rows)
    number = combinations * cells
    if number >= rows:
        return rows * share_unique(number, rows)
    # At the largest value of f: n C (1/n) (1 - 1/n)^(n - 1).
    return number * share_unique(rows, rows)
