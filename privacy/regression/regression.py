"""Logistic regression with disguised answers, by a corrected score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.regression.corrected_logit import CorrectedLogit
from privacy.regression.fitted_logit import FittedLogit, Name, check_events, maximum
from privacy.regression.latent_answers import YES, LatentAnswers

__all__ = ["PREDICTOR", "Regression", "regress"]

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
        By equation the expected true events, the rarer side, after the loss by the disguise.
    skips : {"covariates", "constant", "none"}
        What skipping was regressed on; "none" where it is not reckoned with.
    """

    corrected: FittedLogit
    events: dict[str, float]
    skips: Literal["covariates", "constant", "none"]

    @property
    def n(self) -> float:
        """Sum of the weights; without weights the rows."""
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
    """Regress a response on covariates, and on a disguised predictor.

    Parameters
    ----------
    answers : LatentAnswers
    covariates : float array, shape (cells, covariates)
        The constant first.
    terms : sequence of str
        Names of the covariates.
    counts, squares : float array, shape (cells, reports)
        Sums of weights and of squared weights; without weights both are counts of rows.
    group : int array, shape (cells,), optional
        Which channel disguised the rows of a cell.

    Raises
    ------
    PrivacyError
        ``regression``: covariates that follow from each other, coefficients that grow without end, too few
        rows for a coefficient, by the design alone.

    Notes
    -----
    The corrected score estimates that of the undisguised answers without bias, whatever these follow (see
    `CorrectedLogit`): its root tends to their fit. Skips have an
    equation of their own, on the covariates; where they are too few for that, they are regressed on a
    constant, and where they are too few for that as well, all of them count as decoys.

    References
    ----------
    Nakamura 1990; White 1982; Peduzzi et al. 1996.

    Examples
    --------
    Forced response, 1/6 each; 40 of 100 men and 50 of 100 women say yes, which is .35 and .5 of them:

    >>> from fractions import Fraction
    >>> from privacy.channels.retention import Retention
    >>> die = Retention.forced_response(yes=Fraction(1, 6), no=Fraction(1, 6))
    >>> regression = regress(
    ...     LatentAnswers.of(response=[die]), np.array([[1.0, 0.0], [1.0, 1.0]]), ["constant", "woman"],
    ...     np.array([[600.0, 400.0], [500.0, 500.0]]))
    >>> np.exp(regression.corrected.coefficients).round(6).tolist()  # 35/65, and 1 over it
    [0.538462, 1.857143]
    >>> [(line.term, round(line.standard_error, 4)) for line in regression.corrected.table()]
    [('constant', 0.1021), ('woman', 0.1394)]
    """
    where = np.zeros(len(counts), dtype=np.intp) if group is None else group
    _check_covariates(covariates, counts, terms)
    weights = counts if squares is None else squares
    skips: Literal["covariates", "constant", "none"]
    for skips in ("covariates", "constant", "none") if answers.may_skip else ("none",):
        used = answers.without_skips() if skips == "none" and answers.may_skip else answers
        names, designs = _designs(used, covariates, terms, constant_skips=skips == "constant")
        model = CorrectedLogit(
            channels=used.channels,
            unbiased=used.unbiased,
            branches=used.branches,
            designs=designs,
            group=where,
            counts=counts,
            squares=weights,
        )
        try:
            return _fitted(model, used, names, skips)
        except PrivacyError as error:
            if skips == "none" or "skipped" not in str(error.fields.get("equation")):
                raise
    raise AssertionError("the last way raises or returns")


def _check_covariates(covariates: Array, counts: Array, terms: Sequence[str]) -> None:
    rows = covariates[counts.sum(axis=1) > 0]
    if not len(rows):
        raise PrivacyError("regression.no_rows", 0)
    for position in np.flatnonzero(~np.isfinite(rows).all(axis=0)).tolist():
        raise PrivacyError("regression.finite", terms[position])
    lengths = np.sqrt((rows**2).sum(axis=0))
    _, triangle = np.linalg.qr(rows / np.where(lengths > 0, lengths, 1.0))
    for term, rest in zip(terms, np.abs(np.diag(triangle)), strict=False):
        if rest < 1e-8:
            raise PrivacyError("regression.collinear", term)
    if len(rows) < covariates.shape[1]:
        raise PrivacyError("regression.collinear", terms[len(rows)])


def _designs(
    answers: LatentAnswers, covariates: Array, terms: Sequence[str], *, constant_skips: bool
) -> tuple[tuple[Name, ...], Array]:
    """Return the names of the coefficients, and the row of each logit of each cell."""
    names: list[Name] = []
    blocks: list[Array] = []
    for equation in dict.fromkeys(name for name, _ in answers.logits):
        constant = constant_skips and "skipped" in equation
        own = 1 if constant else len(terms)
        logits = [] if constant else [z for name, z in answers.logits if name == equation and z]
        names += [(equation, term) for term in terms[:own]]
        names += [(equation, PREDICTOR if z == YES else f"{PREDICTOR} skipped") for z in logits]
        block = np.zeros((len(covariates), len(answers.logits), own + len(logits)))
        for position, (name, z) in enumerate(answers.logits):
            if name == equation:
                block[:, position, :own] = covariates[:, :own]
                block[:, position, own:] = [z == level for level in logits]
        blocks.append(block)
    return tuple(names), np.concatenate(blocks, axis=2)


def _fitted(
    model: CorrectedLogit,
    answers: LatentAnswers,
    names: tuple[Name, ...],
    skips: Literal["covariates", "constant", "none"],
) -> Regression:
    equations = [equation for equation, _ in answers.logits]
    coefficients, at = maximum(model, equations, names)
    events = _events(model, coefficients, equations)
    for equation, expected in events.items():
        # Figures of the response are never chosen by its answers; skips are modelled as well as can be.
        if "skipped" in equation:
            check_events(expected, equation, sum(name[0] == equation for name in names))
    corrected = FittedLogit(
        names=names,
        answers=answers,
        model=model,
        coefficients=coefficients,
        at=at,
        events=events["response"],
    )
    return Regression(corrected=corrected, events=events, skips=skips)


def _events(model: CorrectedLogit, coefficients: Array, equations: Sequence[str]) -> dict[str, float]:
    """Return by equation the expected events, or failures where they are fewer, that the disguise leaves.

    Notes
    -----
    Rows of unequal weight count as Kish's effective number of rows.
    """
    g, tried, retained = model.information_retained(coefficients)
    rows = model.counts.sum(axis=1, keepdims=True) * model.counts.sum() / model.squares.sum()
    left = rows * tried * retained
    # Of each logit, events and failures.
    expected = np.stack([(left * g).sum(axis=0), (left * (1 - g)).sum(axis=0)])
    return {
        equation: float(expected[:, np.array(equations) == equation].sum(axis=1).min())
        for equation in dict.fromkeys(equations)
    }
