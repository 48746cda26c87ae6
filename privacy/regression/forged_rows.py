"""How many forged rows overturn the signs of a logistic regression, and which rows move it most."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

import numpy as np

from privacy.arrays import Array, Whole
from privacy.errors import PrivacyError
from privacy.forged import flips
from privacy.regression.logistic import FittedLogit

MOST_TRIED: Final = 2
"""Kinds of rows to try for each coefficient and direction: those with the most influence on it."""


def influential_kinds(fit: FittedLogit) -> list[list[int]]:
    """Return the kinds of rows with the most influence on each coefficient of the response.

    Parameters
    ----------
    fit : FittedLogit

    Returns
    -------
    list of list of int
        For each coefficient, positions in the flat array of the model's counts, of cells that have rows.

    Notes
    -----
    The influence of a row on the coefficients is the inverse of the negative Hessian times the row's score.

    References
    ----------
    Hampel 1974.
    """
    scores = fit.model.report_scores(fit.coefficients)
    by_kind = np.einsum("crl,clk->crk", scores, fit.model.designs) @ fit.bread
    has_rows = np.repeat(fit.model.counts.sum(axis=1) > 0, scores.shape[1])
    present = np.flatnonzero(has_rows)
    order = np.argsort(by_kind.reshape(-1, by_kind.shape[-1])[present], axis=0, kind="stable")
    ends = np.concatenate([order[:MOST_TRIED], order[-MOST_TRIED:]])
    return [np.unique(present[ends[:, index]]).tolist() for index in fit.of("response").tolist()]


def coefficient_flips(
    refit: Callable[[Array], FittedLogit], fit: FittedLogit, *, level: float = 0.95
) -> list[int | None]:
    """Return how many forged rows overturn the sign of each coefficient of the response.

    Parameters
    ----------
    refit : callable
        Fits the same model to other numbers of rows, shape (cells, reports). It raises `PrivacyError` if
        there is no estimate.
    fit : FittedLogit
        Without weights and clusters.
    level : float, in (0, 1)
        Level of the interval. A coefficient has a sign if its interval excludes 0.

    Returns
    -------
    list of (int or None)
        In the order of `FittedLogit.of("response")`: the least number of rows with equal reports that gives
        the coefficient a sign, or without which it has none; see `privacy.forged.flips`. Only the kinds of
        rows with the most influence on it are tried.
    """
    names = [fit.names[index] for index in fit.of("response")]
    shape, counts = fit.model.counts.shape, fit.model.counts.ravel()

    @cache
    def signs(packed: bytes) -> Whole:
        try:
            again = refit(np.frombuffer(packed).reshape(shape))
        except PrivacyError:
            return np.zeros(len(names), dtype=np.int64)
        factors = np.eye(len(again.names))
        by_name = {
            name: np.sign(again.coefficients[index]) * (again.p_value(factors[index]) < 1 - level)
            for index, name in enumerate(again.names)
            if name in names
        }
        return np.array([by_name.get(name, 0) for name in names], dtype=np.int64)

    def of(position: int) -> Callable[[Array], Whole]:
        return lambda cases: np.array([signs(case.tobytes())[position] for case in cases])

    most = int(counts.sum())
    return [
        flips(of(position), counts, kinds, most=most) for position, kinds in enumerate(influential_kinds(fit))
    ]
