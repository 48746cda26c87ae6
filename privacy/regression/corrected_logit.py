"""The corrected score: the likelihood of undisguised answers, estimated without bias from their reports."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.channels.amplification import conditional

_SMALL: Final = 1e-5
"""Of logits."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Derivatives:
    """The log-likelihood of coefficients, with what errors and steps are made of.

    Parameters
    ----------
    log_likelihood : float
    score : float array, shape (coefficients,)
    hessian, information, outer : float array, shape (coefficients, coefficients)
        Second derivatives; their negative expectation (Fisher's); the sum of the outer products of scores.
    """

    log_likelihood: float
    score: Array
    hessian: Array
    information: Array
    outer: Array


@dataclass(frozen=True, kw_only=True, eq=False)
class CorrectedLogit:
    """Reports through a channel, of true letters whose probabilities are products of logistic ones.

    Parameters
    ----------
    channels : float array, shape (groups, reports, letters)
        ``channels[group, report, letter]``, P(report | true letter).
    unbiased : float array, shape (groups, letters, reports)
        W with W K = I: of a report, an unbiased number of true letters of each kind.
    branches : int array, shape (letters, logits)
        1 where the letter needs this logit's event, 0 where it needs that it fails, -1 where it is not tried.
    designs : float array, shape (cells, logits, coefficients)
        Each logit of each cell is this row times the coefficients.
    group : int array, shape (cells,)
    counts : float array, shape (cells, reports)
        Sum of the weights of the rows of a cell by report; without weights their number.
    squares : float array, shape (cells, reports)
        Sum of the squared weights.

    Notes
    -----
    With N_z = sum over reports r of counts[r] W[z, r], unbiased for the rows of a cell with true letter z,
    the log-likelihood of the undisguised answers is estimated by sum N_z log pi_z, where pi_z is the product
    of g_k or 1 - g_k over the logits k that z tries. Its score of logit k is
    sum over z of N_z (event - tried g_k), for a response alone sum of x (y* - g) with y* = (y - d) / c. Its
    mean over the disguise is the undisguised score, whatever the truth is: its root tends to the fit that
    undisguised answers would have, also where no logit is linear. Some N_z may be negative.

    References
    ----------
    Nakamura 1990; Stefanski 1989.

    Examples
    --------
    Forced response with 1/6 and 1/6, 40 of 100 say yes: 35 "yes" without bias, and a score of 0 there.

    >>> model = CorrectedLogit(
    ...     channels=np.array([[[5 / 6, 1 / 6], [1 / 6, 5 / 6]]]), branches=np.array([[0], [1]]),
    ...     designs=np.ones((1, 1, 1)), group=np.array([0]), counts=np.array([[60.0, 40.0]]),
    ...     squares=np.array([[60.0, 40.0]]), unbiased=np.array([[[1.25, -0.25], [-0.25, 1.25]]]))
    >>> model.letter_counts.round(9).tolist()
    [[65.0, 35.0]]
    >>> abs(round(float(model.derivatives(np.array([np.log(0.35 / 0.65)])).score[0]), 9))
    0.0
    """

    channels: Array
    unbiased: Array
    branches: NDArray[np.int_]
    designs: Array
    group: NDArray[np.intp]
    counts: Array
    squares: Array

    @cached_property
    def _tried(self) -> Array:
        return (self.branches >= 0).astype(np.float64)

    @cached_property
    def _event(self) -> Array:
        return (self.branches > 0).astype(np.float64)

    @cached_property
    def _channel(self) -> Array:
        return self.channels[self.group]

    def logits(self, coefficients: Array) -> Array:
        """Return the logits, shape (cells, logits)."""
        logits: Array = self.designs @ coefficients
        return logits

    def letters(self, logits: Array) -> Array:
        """Return the chances of the true letters, shape (cells, letters)."""
        fails = self._tried - self._event
        likelihoods: Array = np.exp(
            scipy.special.log_expit(logits) @ self._event.T + scipy.special.log_expit(-logits) @ fails.T
        )
        return likelihoods

    @cached_property
    def _of_report(self) -> Array:
        return np.swapaxes(self.unbiased, 1, 2)[self.group]

    @cached_property
    def letter_counts(self) -> Array:
        """Unbiased numbers of rows by cell and true letter, shape (cells, letters)."""
        counts: Array = (self.counts[:, None, :] @ self._of_report)[:, 0]
        return counts

    def log_likelihood(self, coefficients: Array) -> float:
        """Return the unbiased estimate of the log-likelihood of the true letters."""
        logits = self.logits(coefficients)
        happened = self.letter_counts @ self._event
        failed = self.letter_counts @ (self._tried - self._event)
        terms = happened * scipy.special.log_expit(logits) + failed * scipy.special.log_expit(-logits)
        return float(terms.sum())

    def report_scores(self, coefficients: Array) -> Array:
        """Return the score of each logit that a report gives in each cell, shape (cells, reports, logits)."""
        scores: Array = self._of_report @ self._slopes(scipy.special.expit(self.logits(coefficients)))
        return scores

    def derivatives(self, coefficients: Array) -> Derivatives:
        """Return the estimated log-likelihood with its first and second derivatives."""
        g = scipy.special.expit(self.logits(coefficients))
        tried = self.letter_counts @ self._tried
        first = self.letter_counts @ self._event - tried * g
        hessian = -self._by_coefficients((tried * g * (1 - g))[..., None] * np.eye(g.shape[1]))
        scores = self.report_scores(coefficients)
        return Derivatives(
            log_likelihood=self.log_likelihood(coefficients),
            score=first.ravel() @ self.designs.reshape(-1, self.designs.shape[2]),
            hessian=hessian,
            information=-hessian,
            outer=self.outer_product(scores, scores, self.squares),
        )

    def _slopes(self, g: Array) -> Array:
        """Return the derivatives of the letters' log chances, shape (cells, letters, logits)."""
        slopes: Array = self._event - self._tried * g[:, None, :]
        return slopes

    def outer_product(self, first: Array, second: Array, rows: Array) -> Array:
        """Return the sum over rows of the outer products of two scores by the coefficients.

        Parameters
        ----------
        first, second : float array, shape (cells, reports, logits)
            As `report_scores` gives them.
        rows : float array, shape (cells, reports)
            Numbers of rows, or sums of their squared weights.

        Returns
        -------
        float array, shape (coefficients, coefficients)
        """
        return self._by_coefficients(np.swapaxes(first, 1, 2) @ (rows[..., None] * second))

    def _by_coefficients(self, by_logit: Array) -> Array:
        """Sum forms in the logits of a cell, shape (cells, logits, logits), as forms in coefficients."""
        size = self.designs.shape[2]
        return np.asarray(self.designs.reshape(-1, size).T @ (by_logit @ self.designs).reshape(-1, size))

    def climb(
        self, at: Derivatives, coefficients: Array, step: Array, longest: float = np.inf
    ) -> tuple[Array, float]:
        """Take a step, halved until the likelihood does not fall.

        Parameters
        ----------
        at : Derivatives
            At the coefficients.
        longest : float
            No logit moves farther than this.

        Returns
        -------
        (float array, float)
            The coefficients after the step, and how far the logit that moves most has moved.
        """
        moved = float(np.abs(self.logits(step)).max())
        if moved > longest:
            step, moved = step * (longest / moved), longest
        # The gain of a small step is lost in the rounding of the likelihood.
        while moved > _SMALL and self.log_likelihood(coefficients + step) < at.log_likelihood:
            step, moved = step / 2, moved / 2
        return coefficients + step, moved

    def information_retained(self, coefficients: Array) -> tuple[Array, Array, Array]:
        """Return the chances of the logits' events, how often each is tried, and the information retained.

        Returns
        -------
        (float array, float array, float array), each of shape (cells, logits)
            g; the chance that the logit is tried at all; the information of a report about the logit over
            that of the true letter: c^2 g (1 - g) / (l (1 - l)) where P(yes) = l = c g + d.
        """
        logits = self.logits(coefficients)
        g, letters = scipy.special.expit(logits), self.letters(logits)
        joint = self._channel * letters[:, None, :]
        chances = joint.sum(axis=2)
        u = joint @ self._slopes(g)
        by_report = conditional(u**2, chances[..., None])
        tried = letters @ self._tried
        whole = tried * g * (1 - g)
        information = np.zeros_like(whole)
        np.divide(by_report.sum(axis=1), whole, out=information, where=whole > 0)
        return g, tried, information
