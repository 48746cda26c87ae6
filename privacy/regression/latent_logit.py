"""Likelihoods of disguised answers whose true letters follow logistic regressions, and their derivatives."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.channels.amplification import conditional

__all__ = ["CorrectedLogit", "Derivatives", "LatentLogit"]

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
class LatentLogit:
    """Reports through a channel, of true letters whose chances are products of logistic ones.

    Parameters
    ----------
    channels : float array, shape (groups, reports, letters)
        ``channels[group, report, letter]``, P(report | true letter).
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
    P(report r) = L_r = sum over letters z of K[r, z] pi_z, where pi_z is the product of g_k or 1 - g_k over
    the logits k that z tries. With posterior v_z = K[r, z] pi_z / L_r and t_zk = d log pi_z / d eta_k, one of
    1 - g_k, -g_k and 0, the score of logit k is u_k = sum v_z t_zk, and the second derivative is

    sum v_z t_zj t_zk - u_j u_k - [j = k] g_k (1 - g_k) sum of v_z over the z that try k.

    One letter "yes" with K = c I + d gives P(yes) = c g + d, the regression of randomised response; what the
    posterior leaves open is the information that the disguise takes.

    References
    ----------
    Louis 1982; Maddala 1983; Blair, Imai and Zhou 2015.

    Examples
    --------
    Forced response with 1/6 and 1/6, 40 of 100 say yes; at g = .35, the share, the score is 0:

    >>> model = LatentLogit(
    ...     channels=np.array([[[5 / 6, 1 / 6], [1 / 6, 5 / 6]]]), branches=np.array([[0], [1]]),
    ...     designs=np.ones((1, 1, 1)), group=np.array([0]), counts=np.array([[60.0, 40.0]]),
    ...     squares=np.array([[60.0, 40.0]]))
    >>> at = model.derivatives(np.array([np.log(0.35 / 0.65)]))
    >>> abs(round(float(at.score[0]), 9))
    0.0
    >>> round(float(at.information[0, 0]), 6)  # 100 (2/3 * .35 * .65)^2 / (.4 * .6)
    9.584491
    """

    channels: Array
    branches: NDArray[np.int_]
    designs: Array
    group: NDArray[np.intp]
    counts: Array
    squares: Array

    def corrected(self, unbiased: Array) -> CorrectedLogit:
        """Return the corrected score of the same rows, by W of shape (groups, letters, reports), W K = I."""
        own = {field.name: getattr(self, field.name) for field in fields(LatentLogit)}
        return CorrectedLogit(**own, unbiased=unbiased)

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

    def log_likelihood(self, coefficients: Array) -> float:
        """Return the sum of the logarithms of the chances of the reports."""
        return self._sum(self._channel @ self.letters(self.logits(coefficients))[..., None])

    def report_chances(self, coefficients: Array) -> Array:
        """Return the chance of each report in each cell, shape (cells, reports)."""
        chances: Array = self._joint(coefficients).sum(axis=2)
        return chances

    def _joint(self, coefficients: Array) -> Array:
        joint: Array = self._channel * self.letters(self.logits(coefficients))[:, None, :]
        return joint

    def report_scores(self, coefficients: Array) -> Array:
        """Return the score of each logit that a report gives in each cell, shape (cells, reports, logits)."""
        joint = self._joint(coefficients)
        slopes = self._slopes(scipy.special.expit(self.logits(coefficients)))
        scores: Array = conditional(joint, joint.sum(axis=2)[..., None]) @ slopes
        return scores

    def undisguised_information(self, coefficients: Array) -> Array:
        """Return Fisher's information of the true letters of these rows, by the coefficients."""
        logits = self.logits(coefficients)
        g = scipy.special.expit(logits)
        tried = self.counts.sum(axis=1, keepdims=True) * (self.letters(logits) @ self._tried)
        return self._by_coefficients((tried * g * (1 - g))[..., None] * np.eye(g.shape[1]))

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

    def _sum(self, chances: Array) -> float:
        """Sum their logarithms; a report that was never sent may have probability 0."""
        likely = np.zeros(self.counts.shape)
        with np.errstate(divide="ignore"):
            np.log(chances.reshape(self.counts.shape), out=likely, where=self.counts > 0)
        return float((self.counts * likely).sum())

    def derivatives(self, coefficients: Array) -> Derivatives:
        """Return the log-likelihood with its first and second derivatives."""
        logits = self.logits(coefficients)
        g = scipy.special.expit(logits)
        joint = self._channel * self.letters(logits)[:, None, :]
        chances = joint.sum(axis=2)
        posterior = conditional(joint, chances[..., None])
        slopes = self._slopes(g)
        u = posterior @ slopes
        own = (self.counts[:, None, :] @ posterior)[:, 0]
        second = np.swapaxes(slopes, 1, 2) @ (own[..., None] * slopes)
        second -= _squared(u, self.counts)
        diagonal = np.arange(g.shape[1])
        second[:, diagonal, diagonal] -= (own @ self._tried) * g * (1 - g)
        rows = self.counts.sum(axis=1, keepdims=True)
        first = (self.counts[:, None, :] @ u)[:, 0]
        return Derivatives(
            log_likelihood=self._sum(chances),
            score=first.ravel() @ self.designs.reshape(-1, self.designs.shape[2]),
            hessian=self._by_coefficients(second),
            information=self._by_coefficients(_squared(u, rows * chances)),
            outer=self.outer_product(u, u, self.squares),
        )

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


@dataclass(frozen=True, kw_only=True, eq=False)
class CorrectedLogit(LatentLogit):
    """The log-likelihood of the true letters, estimated without bias from their reports: its corrected score.

    Parameters
    ----------
    unbiased : float array, shape (groups, letters, reports)
        W with W K = I: of a report, an unbiased number of true letters of each kind.

    Notes
    -----
    With N_z = sum over reports r of counts[r] W[z, r], unbiased for the rows of a cell with true letter z,
    the log-likelihood of the undisguised answers is estimated by sum N_z log pi_z. Its score of logit k is
    sum over z of N_z (event - tried g_k), for a response alone sum of x (y* - g) with y* = (y - d) / c. Its
    mean over the disguise is the undisguised score, whatever the truth is: its root tends to the fit that
    undisguised answers would have, also where no logit is linear. That of `LatentLogit` does so only where
    the model is right. Some N_z may be negative.

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

    unbiased: Array

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


def _squared(u: Array, weights: Array) -> Array:
    """Return for each cell the weighted sum over reports of u u'."""
    squares: Array = np.swapaxes(u, 1, 2) @ (weights[..., None] * u)
    return squares
