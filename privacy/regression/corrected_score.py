"""The corrected score of a regression: an unbiased estimate of the log-likelihood of latent answers.

`maximum` finds the coefficients that maximise it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
import scipy
from numpy.typing import NDArray

from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError
from privacy.policy import LARGEST_LOGIT
from privacy.posterior import conditional
from privacy.regression.few_rows import check_rows

Name: TypeAlias = tuple[str, str]
_CLOSE: Final = 1e-9
"""Largest change of a logit in the last step."""
_LONGEST: Final = 4.0
"""Largest change of a logit in any step: a longer step could pass the maximum and end on a plateau."""
_NEAR: Final = 0.5
"""Change of logits below which Newton steps replace Fisher scoring."""
_MOST_STEPS: Final = 500
_FASTER: Final = 100
"""How much faster than the others a logit without a maximum moves when the search for it ends."""
_DEPENDENT: Final = 1e-12

_SMALL: Final = 1e-5
"""Change of logits below which a step is not halved."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Derivatives:
    """The log-likelihood at some coefficients, and the derivatives for steps and standard errors.

    Parameters
    ----------
    log_likelihood : float
    score : float array, shape (coefficients,)
    hessian, information, outer : float array, shape (coefficients, coefficients)
        Second derivatives; Fisher information; sum of the outer products of the rows' scores.
    """

    log_likelihood: float
    score: Array
    hessian: Array
    information: Array
    outer: Array


@dataclass(frozen=True, kw_only=True, eq=False)
class CorrectedLogit:
    """Reports, through a channel, of true letters whose probabilities are products of logistic functions.

    Parameters
    ----------
    channels : float array, shape (groups, reports, letters)
        ``channels[group, report, letter]`` is P(report | true letter).
    unbiased : float array, shape (groups, letters, reports)
        W with W K = I: unbiased counts of true letters for each report.
    branches : int array, shape (letters, logits)
        1 if the letter requires the logit's event, 0 if it requires its failure, -1 if it does not involve
        the logit.
    designs : float array, shape (cells, logits, coefficients)
        Each logit of each cell is this row times the coefficients.
    group : int array, shape (cells,)
    counts : float array, shape (cells, reports)
        Sum of the weights of a cell's rows with each report; without weights, their number.
    squares : float array, shape (cells, reports)
        Sum of the squared weights.

    Notes
    -----
    N_z = sum over reports r of counts[r] W[z, r] is unbiased for the number of rows of a cell with true
    letter z. So sum N_z log pi_z estimates the log-likelihood of the undisguised answers, where pi_z is the
    product of g_k or 1 - g_k over the logits k that z involves. The score of logit k is
    sum over z of N_z (event - involved g_k); for a response alone, sum of x (y* - g) with y* = (y - d) / c.
    Its expectation over the disguise is the undisguised score, whatever the truth is. So its root converges
    to the fit of the undisguised answers, even if the model is wrong. Some N_z may be negative.

    References
    ----------
    Nakamura 1990; Stefanski 1989.

    Examples
    --------
    Forced response with 1/6 and 1/6, and 40 of 100 say yes: the unbiased count of "yes" is 35, where the
    score is 0.

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
    def _involved(self) -> Array:
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
        """Return the probabilities of the true letters, shape (cells, letters)."""
        fails = self._involved - self._event
        likelihoods: Array = np.exp(
            scipy.special.log_expit(logits) @ self._event.T + scipy.special.log_expit(-logits) @ fails.T
        )
        return likelihoods

    @cached_property
    def _report_weights(self) -> Array:
        return np.swapaxes(self.unbiased, 1, 2)[self.group]

    @cached_property
    def letter_counts(self) -> Array:
        """Unbiased number of rows with each true letter, shape (cells, letters)."""
        counts: Array = (self.counts[:, None, :] @ self._report_weights)[:, 0]
        return counts

    def log_likelihood(self, coefficients: Array) -> float:
        """Return the unbiased estimate of the log-likelihood of the true letters."""
        logits = self.logits(coefficients)
        successes = self.letter_counts @ self._event
        failed = self.letter_counts @ (self._involved - self._event)
        terms = successes * scipy.special.log_expit(logits) + failed * scipy.special.log_expit(-logits)
        return float(terms.sum())

    def report_scores(self, coefficients: Array) -> Array:
        """Return the score of each logit for each report in each cell, shape (cells, reports, logits)."""
        scores: Array = self._report_weights @ self._slopes(scipy.special.expit(self.logits(coefficients)))
        return scores

    @cached_property
    def involved_scores(self) -> Array:
        """Unbiased score of "the logit is involved" for each report, shape (cells, reports, logits)."""
        scores: Array = self._report_weights @ self._involved
        return scores

    def equations(self, coefficients: Array) -> tuple[Array, Array]:
        """Return the score, shape (coefficients,), and the negative second derivatives."""
        g = scipy.special.expit(self.logits(coefficients))
        trials = self.letter_counts @ self._involved
        first = self.letter_counts @ self._event - trials * g
        information = self._by_coefficients((trials * g * (1 - g))[..., None] * np.eye(g.shape[1]))
        return first.ravel() @ self.designs.reshape(-1, self.designs.shape[2]), information

    def derivatives(self, coefficients: Array) -> Derivatives:
        """Return the estimated log-likelihood with its first and second derivatives."""
        score, information = self.equations(coefficients)
        scores = self.report_scores(coefficients)
        return Derivatives(
            log_likelihood=self.log_likelihood(coefficients),
            score=score,
            hessian=-information,
            information=information,
            outer=self.outer_product(scores, scores, self.squares),
        )

    def _slopes(self, g: Array) -> Array:
        """Return the derivatives of the letters' log-probabilities, shape (cells, letters, logits)."""
        slopes: Array = self._event - self._involved * g[:, None, :]
        return slopes

    def outer_product(self, first: Array, second: Array, rows: Array) -> Array:
        """Return the sum over rows of the outer products of two scores, in terms of coefficients.

        Parameters
        ----------
        first, second : float array, shape (cells, reports, logits)
            Scores as `report_scores` returns them.
        rows : float array, shape (cells, reports)
            Number of rows, or sum of their squared weights.

        Returns
        -------
        float array, shape (coefficients, coefficients)
        """
        return self._by_coefficients(np.swapaxes(first, 1, 2) @ (rows[..., None] * second))

    def _by_coefficients(self, by_logit: Array) -> Array:
        """Convert quadratic forms in logits, shape (cells, logits, logits), to one in the coefficients."""
        size = self.designs.shape[2]
        return np.asarray(self.designs.reshape(-1, size).T @ (by_logit @ self.designs).reshape(-1, size))

    def climb(
        self, derivatives: Derivatives, coefficients: Array, step: Array, longest: float = np.inf
    ) -> tuple[Array, float]:
        """Take a step, halving it until the likelihood does not decrease.

        Parameters
        ----------
        derivatives : Derivatives
            Derivatives at the coefficients.
        longest : float
            Largest change of a logit.

        Returns
        -------
        (float array, float)
            The coefficients after the step, and the largest change of a logit.
        """
        distance = float(np.abs(self.logits(step)).max())
        if distance > longest:
            step, distance = step * (longest / distance), longest
        # Accept small steps, whose gain is below the rounding error of the likelihood.
        while distance > _SMALL and self.log_likelihood(coefficients + step) < derivatives.log_likelihood:
            step, distance = step / 2, distance / 2
        return coefficients + step, distance

    def information_retained(self, coefficients: Array) -> tuple[Array, Array, Array]:
        """Return each logit's probabilities of its event and of being involved, and the information retained.

        Returns
        -------
        (float array, float array, float array), each of shape (cells, logits)
            g; the probability that the letter involves the logit; and the information of a report about the
            logit, divided by that of the true letter: c^2 g (1 - g) / (l (1 - l)) for P(yes) = l = c g + d.
        """
        logits = self.logits(coefficients)
        g, letters = scipy.special.expit(logits), self.letters(logits)
        joint = self._channel * letters[:, None, :]
        probabilities = joint.sum(axis=2)
        u = joint @ self._slopes(g)
        by_report = conditional(u**2, probabilities[..., None])
        p_tried = letters @ self._involved
        whole = p_tried * g * (1 - g)
        information = np.zeros_like(whole)
        np.divide(by_report.sum(axis=1), whole, out=information, where=whole > 0)
        return g, p_tried, information


def maximum(
    model: CorrectedLogit, equations: Sequence[str], names: Sequence[Name]
) -> tuple[Array, Derivatives]:
    """Return the coefficients that maximise the likelihood, and the derivatives there.

    Parameters
    ----------
    model : CorrectedLogit
    equations : sequence of str
        Equation of each logit, for error messages.
    names : sequence of (str, str)
        Names of the coefficients, for error messages.

    Raises
    ------
    PrivacyError
        ``regression``: too few rows for the coefficients of a response (which depends only on the design), a
        logit diverges, or there is no unique maximum.
    """
    # Reported skips are left out if no one is assumed to skip; then channels are square.
    square = model.channels[:, (model.unbiased != 0).any(axis=(0, 1))]
    n_response = sum(name[0] == "response" for name in names)
    check_rows(square, model.group, model.counts, model.squares, number=n_response)
    coefficients = np.zeros(model.designs.shape[2])
    derivatives, distance = model.derivatives(coefficients), np.inf
    endless = _endless_skips(model, equations, names)
    for _ in range(_MOST_STEPS):
        step = _step(derivatives, newton=distance < _NEAR)
        if step is None or (endless.any() and _is_lost(model, coefficients, step, endless)):
            break
        coefficients, distance = model.climb(derivatives, coefficients, step, _LONGEST)
        derivatives = model.derivatives(coefficients)
        if distance < _CLOSE:
            break
    is_settled = distance < _CLOSE and solve_definite(-derivatives.hessian, derivatives.score) is not None
    _check_logits(model, coefficients, equations, names, is_settled=is_settled)
    if not is_settled:
        case = "regression.no_information" if step is None else "regression.no_maximum"
        raise PrivacyError(case, _MOST_STEPS)
    return coefficients, derivatives


def _endless_skips(model: CorrectedLogit, equations: Sequence[str], names: Sequence[Name]) -> Flags:
    """Return which logits belong to an equation of skips that certainly has no maximum, shape (logits,).

    Notes
    -----
    With S and T the unbiased numbers of skips and of rows that could skip, and x >= 0 a term, the score of
    its coefficient is sum x S - sum x T g. If T >= 0 and sum x S < 0, it is negative at all coefficients.
    """
    skips: Flags = np.array(["skipped" in equation for equation in equations])
    if not skips.any():
        return skips
    events = model.letter_counts @ (model.branches > 0)
    tried = model.letter_counts @ (model.branches >= 0)
    endless = np.zeros(len(equations), dtype=bool)
    for index, (equation, _term) in enumerate(names):
        column = model.designs[..., index]
        if (
            "skipped" in equation
            and (column >= 0).all()
            and (tried[column > 0] >= 0).all()
            and (column * events).sum() < 0
        ):
            endless |= (column > 0).any(axis=0)
    return endless


def _is_lost(model: CorrectedLogit, coefficients: Array, step: Array, endless: Flags) -> bool:
    """Return whether endless logits are already refused, and their steps leave the others where they are.

    A step is shortened until no logit moves far. So the others hardly move once an endless one is a hundred
    times as fast, and then ever faster.
    """
    sizes = np.abs(model.logits(coefficients)[model.counts.sum(axis=1) > 0]).max(axis=0, initial=0.0)
    if not (sizes[endless] > LARGEST_LOGIT).any() or (sizes[~endless] > LARGEST_LOGIT / 2).any():
        return False
    speeds = np.abs(model.logits(step)).max(axis=0)
    return bool(speeds[endless].max() > _FASTER * max(_LONGEST, speeds[~endless].max(initial=0.0)))


def _step(derivatives: Derivatives, *, newton: bool) -> Array | None:
    step = solve_definite(-derivatives.hessian, derivatives.score) if newton else None
    return solve_definite(derivatives.information, derivatives.score) if step is None else step


def _check_logits(
    model: CorrectedLogit,
    coefficients: Array,
    equations: Sequence[str],
    names: Sequence[Name],
    *,
    is_settled: bool,
) -> None:
    """Refuse logits that are too large in most rows, or in any cell if the coefficients do not settle.

    With a skewed predictor, a few rows have large logits although no coefficient diverges.
    """
    logits, rows = model.logits(coefficients), model.counts.sum(axis=1)
    for position, row_logits in enumerate(np.abs(logits).T):
        if rows @ (row_logits > LARGEST_LOGIT) > (rows.sum() / 2 if is_settled else 0):
            cell = int(np.argmax(np.abs(logits[:, position])))
            shares = model.designs[cell, position] * coefficients * np.sign(logits[cell, position])
            raise PrivacyError(
                "regression.separation",
                float(row_logits.max()),
                equation=equations[position],
                term=names[int(np.argmax(shares))][1],
                most=LARGEST_LOGIT,
            )


def solve_definite(matrix: Array, vector: Array) -> Array | None:
    """Solve a positive definite system after scaling its columns; None if it has no finite solution.

    Parameters
    ----------
    matrix : float array, shape (k, k)
        Symmetric.
    vector : float array, shape (k,) or (k, columns)
    """
    scale = np.sqrt(np.maximum(matrix.diagonal(), 0.0))
    if not (scale > 0).all():
        return None
    scaled_form = matrix / scale / scale[:, None]
    try:
        factor = np.linalg.cholesky(scaled_form)
    except np.linalg.LinAlgError:
        return None
    if factor.diagonal().min(initial=1.0) ** 2 < _DEPENDENT:
        return None
    with np.errstate(over="ignore", invalid="ignore"):  # scales of a coefficient that grows without end
        solution: Array = (np.linalg.solve(scaled_form, (vector.T / scale).T).T / scale).T
    return solution if np.isfinite(solution).all() else None


def inverse(matrix: Array) -> Array:
    """Return the inverse of an information matrix.

    Parameters
    ----------
    matrix : ndarray of shape (k, k)
        Symmetric.

    Raises
    ------
    PrivacyError
        ``regression``: the matrix is not positive definite.
    """
    solution = solve_definite(matrix, np.eye(len(matrix)))
    if solution is None:
        raise PrivacyError("regression.no_maximum", 0)
    return (solution + solution.T) / 2
