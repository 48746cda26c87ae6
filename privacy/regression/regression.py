"""Logistic regression of a disguised answer on covariates and another disguised answer, skips included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.regression.corrected_score import CorrectedLogit, Name, maximum
from privacy.regression.covariates import check_covariates
from privacy.regression.few_rows import check_events
from privacy.regression.latent_answers import YES, LatentAnswers
from privacy.regression.logistic import FittedLogit

PREDICTOR: Final = "predictor"
"""Name of the disguised predictor's term, and of its own equation."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Regression:
    """A logistic regression of disguised answers, by the corrected score.

    Parameters
    ----------
    corrected : FittedLogit
        The coefficients that undisguised answers would have, within their errors.
    events : mapping of str to float
        For each equation, the expected number of events or failures, whichever is smaller, after the loss of
        information due to the disguise.
    skips : {"covariates", "constant", "none"}
        What skips were regressed on; "none" if they are not modelled.
    """

    corrected: FittedLogit
    events: dict[str, float]
    skips: Literal["covariates", "constant", "none"]

    @property
    def n(self) -> float:
        """Sum of the weights; without weights, the number of rows."""
        return self.corrected.n


def regress(
    answers: LatentAnswers,
    covariates: Array,
    terms: Sequence[str],
    counts: Array,
    *,
    group: NDArray[np.intp] | None = None,
    squares: Array | None = None,
) -> Regression:
    """Regress a response on covariates and, optionally, a disguised predictor.

    Parameters
    ----------
    answers : LatentAnswers
    covariates : float array, shape (cells, covariates)
        The constant comes first.
    terms : sequence of str
        Names of the covariates.
    counts, squares : float array, shape (cells, reports)
        Sums of weights and of squared weights; without weights, both are counts of rows.
    group : int array, shape (cells,), optional
        The channel that disguised the rows of each cell.

    Raises
    ------
    PrivacyError
        ``regression``: collinear covariates, coefficients that diverge, or too few rows for the coefficients
        (which depends only on the design).

    Notes
    -----
    The corrected score is unbiased for the score of the undisguised answers, whatever their distribution (see
    `CorrectedLogit`), so its root converges to their fit. Skips have their own equation on the covariates. If
    skips are too few for that, they are regressed on a constant. If they are too few even for a constant, all
    skips count as decoys.

    References
    ----------
    Nakamura 1990; White 1982; Peduzzi et al. 1996.

    Examples
    --------
    40% of men and 50% of women say yes under forced response, 1/6 each. The estimated shares are .35 and .5:

    >>> from fractions import Fraction
    >>> from privacy.channels import Retention
    >>> die = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
    >>> regression = regress(
    ...     LatentAnswers.of(response=[die]), np.array([[1.0, 0.0], [1.0, 1.0]]), ["constant", "woman"],
    ...     np.array([[600.0, 400.0], [500.0, 500.0]]))
    >>> np.exp(regression.corrected.coefficients).round(6).tolist()  # 35/65 and its inverse
    [0.538462, 1.857143]
    >>> [(line.term, round(line.standard_error, 4)) for line in regression.corrected.table()]
    [('constant', 0.1021), ('woman', 0.1394)]
    """
    where = np.zeros(len(counts), dtype=np.intp) if group is None else group
    check_covariates(covariates, counts, terms)
    weights = counts if squares is None else squares
    skips: Literal["covariates", "constant", "none"]
    for skips in ("covariates", "constant", "none") if answers.may_skip else ("none",):
        latent = answers.without_skips() if skips == "none" and answers.may_skip else answers
        names, designs = _designs(latent, covariates, terms, constant_skips=skips == "constant")
        model = CorrectedLogit(
            channels=latent.channels,
            unbiased=latent.unbiased,
            branches=latent.branches,
            designs=designs,
            group=where,
            counts=counts,
            squares=weights,
        )
        try:
            return _fit_model(model, latent, names, skips)
        except PrivacyError as error:
            if skips == "none" or "skipped" not in str(error.fields.get("equation")):
                raise
    raise AssertionError("the last iteration raises or returns")


def _designs(
    answers: LatentAnswers, covariates: Array, terms: Sequence[str], *, constant_skips: bool
) -> tuple[tuple[Name, ...], Array]:
    """Return the names of the coefficients, and the design row of each logit in each cell."""
    names: list[Name] = []
    blocks: list[Array] = []
    for equation in dict.fromkeys(name for name, _ in answers.logits):
        constant = constant_skips and "skipped" in equation
        n_terms = 1 if constant else len(terms)
        logits = [] if constant else [z for name, z in answers.logits if name == equation and z]
        names += [(equation, term) for term in terms[:n_terms]]
        names += [(equation, PREDICTOR if z == YES else f"{PREDICTOR} skipped") for z in logits]
        block = np.zeros((len(covariates), len(answers.logits), n_terms + len(logits)))
        for position, (name, z) in enumerate(answers.logits):
            if name == equation:
                block[:, position, :n_terms] = covariates[:, :n_terms]
                block[:, position, n_terms:] = [z == level for level in logits]
        blocks.append(block)
    return tuple(names), np.concatenate(blocks, axis=2)


def _fit_model(
    model: CorrectedLogit,
    answers: LatentAnswers,
    names: tuple[Name, ...],
    skips: Literal["covariates", "constant", "none"],
) -> Regression:
    equations = [equation for equation, _ in answers.logits]
    coefficients, derivatives = maximum(model, equations, names)
    events = _events(model, coefficients, equations)
    for equation, expected in events.items():
        # Answers must not decide whether the response is reported, but may simplify the model of skips.
        if "skipped" in equation:
            check_events(expected, equation, sum(name[0] == equation for name in names))
    fit = FittedLogit(
        names=names,
        answers=answers,
        model=model,
        coefficients=coefficients,
        at=derivatives,
        events=events["response"],
    )
    return Regression(corrected=fit, events=events, skips=skips)


def _events(model: CorrectedLogit, coefficients: Array, equations: Sequence[str]) -> dict[str, float]:
    """Return, for each equation, the smaller expected number of events or failures that the disguise leaves.

    Notes
    -----
    With unequal weights, rows count as Kish's effective number.
    """
    g, p_tried, information = model.information_retained(coefficients)
    rows = model.counts.sum(axis=1, keepdims=True) * model.counts.sum() / model.squares.sum()
    left = rows * p_tried * information
    # Expected events and failures of each logit.
    expected = np.stack([(left * g).sum(axis=0), (left * (1 - g)).sum(axis=0)])
    return {
        equation: float(expected[:, np.array(equations) == equation].sum(axis=1).min())
        for equation in dict.fromkeys(equations)
    }
