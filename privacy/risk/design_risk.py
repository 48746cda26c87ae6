"""The risk of a named design."""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from privacy import validation
from privacy.channels import effective_epsilon
from privacy.counted_nouns import counted
from privacy.errors import PrivacyError
from privacy.library.designs import ResponseDesign, checked_design
from privacy.library.probabilities import Probability, exact
from privacy.library.shown_tables import Tabled, data_frame
from privacy.posterior import bayes
from privacy.risk.audit_texts import bounds_text, number, percent
from privacy.risk.design_audit import RHO1, rho2_of

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


_LARGEST: Final = Fraction(sys.float_info.max)


@dataclass(frozen=True, kw_only=True)
class Posterior:
    """Posterior of a true answer given one report.

    Parameters
    ----------
    report, value : str
        The report, and the true answer.
    prior, alone, most : Fraction
        Share of the answer; its posterior after this report; and its largest posterior over all reports to
        the other questions that share the coin, assuming independent answers. `most` equals `alone` if no
        questions share the coin.
    """

    report: str
    value: str
    prior: Fraction
    alone: Fraction
    most: Fraction


@dataclass(frozen=True, kw_only=True, repr=False)
class DesignRisk(Tabled):
    """Bounds on what an adversary learns from the reports of one person.

    Parameters
    ----------
    design : str
    questions : int
    amplification : Fraction or None
        gamma; None if it is unbounded.
    epsilon : float
        ln gamma, the epsilon of local differential privacy.
    rho2 : tuple of (float, float)
        Pairs of a prior rho1 and the largest posterior of any property with that prior,
        gamma rho1/(1 + (gamma - 1) rho1).
    posteriors : tuple of Posterior
        One per report, if a prevalence was given.
    """

    design: str
    questions: int
    amplification: Fraction | None
    epsilon: float
    rho2: tuple[tuple[float, float], ...]
    posteriors: tuple[Posterior, ...] = ()

    def to_frame(self) -> DataFrame:
        """Return the largest posterior for each prior."""
        return data_frame(
            {"rho2": [rho2 for _, rho2 in self.rho2]}, index=[rho1 for rho1, _ in self.rho2], name="rho1"
        )

    def summary(self) -> str:
        """Return the bounds, and the posterior after each report."""
        questions = f"{self.questions} question{'s' if self.questions > 1 else ''}"
        gamma = math.inf if self.amplification is None else float(min(self.amplification, _LARGEST))
        lines = [
            f"{self.design}, {questions}: reports multiply odds by at most {number(gamma)}.",
            *bounds_text(self.epsilon, self.rho2),
        ]
        lines += [
            f"Report {posterior.report!r}: {posterior.value!r} "
            f"goes from {percent(float(posterior.prior))} to {percent(float(posterior.alone))} by itself, "
            f"to {percent(float(posterior.most))} at most with the others."
            for posterior in self.posteriors
        ]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return (
            f"<risk of {self.design}, {counted(self.questions, 'question')}: epsilon {number(self.epsilon)}>"
        )


def risk(
    design: ResponseDesign,
    *,
    questions: int = 1,
    prevalence: Probability | None = None,
    rho1: float | Iterable[float] = RHO1,
) -> DesignRisk:
    """Bound what an adversary learns from the reports of one person.

    Parameters
    ----------
    design : ResponseDesign
    questions : int, 1 to 1,000
        Number of questions that one person is asked. Each has its own coin, except that questions share a
        coin under `privacy.library.designs.grouping`.
    prevalence : float or Fraction, optional
        Share of the last true answer ("yes"), the same for each question, for a design with two answers. If
        given, the result includes posteriors after up to 64 joint reports.
    rho1 : float or sequence of float, each in (0, 1)
        Priors.

    Returns
    -------
    DesignRisk
        ``summary()``, ``to_frame()``.

    Raises
    ------
    PrivacyError
        ``designs``, ``questions``, ``rho1``, ``chance``, ``too_large``.

    Notes
    -----
    gamma = max K[y, x]/K[y, x'], multiplied over coins. A prior of rho1 becomes a posterior of at most
    gamma rho1/(1 + (gamma - 1) rho1), for every distribution and every property.

    References
    ----------
    Evfimievski, Gehrke and Srikant 2003.

    Examples
    --------
    >>> from privacy.library.designs import unrelated_question
    >>> print(risk(unrelated_question(p=.5, theta=.5), questions=3, rho1=[.1]).summary())
    unrelated_question(p=0.5, theta=0.5), 3 questions: reports multiply odds by at most 27.
    All disguised answers of one person together: epsilon at most 3.3.
    Largest posterior from a prior of 10%: 75%.
    """
    own_design = checked_design(design)
    several: Any = rho1
    given = [several] if isinstance(several, str) or not isinstance(several, Iterable) else several
    priors = [
        validation.real_number(share, "rho1", low=0, high=1, open_ends=True, code="rho1") for share in given
    ]
    gamma = own_design.amplification(questions)
    epsilon = effective_epsilon(gamma)
    return DesignRisk(
        design=repr(own_design),
        questions=questions,
        amplification=gamma,
        epsilon=epsilon,
        rho2=rho2_of(epsilon, priors),
        posteriors=()
        if prevalence is None
        else _posteriors(own_design, questions, exact(prevalence, "prevalence")),
    )


def _posteriors(mechanism: ResponseDesign, questions: int, share: Fraction) -> tuple[Posterior, ...]:
    """Return the posterior after each report to the first question, alone and with reports to the others."""
    if len(mechanism.values) != 2:
        allowed = ", ".join(map(repr, mechanism.values))
        raise PrivacyError("designs.value", "yes", design=repr(mechanism), allowed=allowed)
    prior = (1 - share, share)
    # With separate coins, reports to other questions say nothing about this answer.
    joint = mechanism.row_of(questions).matrix if mechanism.shared_coin else mechanism.channel
    count = questions if mechanism.shared_coin else 1
    whole = [
        math.prod((prior[(true >> position) & 1] for position in range(count)), start=Fraction(1))
        for true in range(2**count)
    ]
    half = 2 ** (count - 1)
    posteriors = []
    for position, report in enumerate(mechanism.reports):
        after = []
        for row_index in range(position * half, (position + 1) * half):
            with contextlib.suppress(ZeroDivisionError):
                after.append(sum(bayes(whole, joint.row(row_index))[half:], Fraction(0)))
        if after:
            posteriors.append(
                Posterior(
                    report=str(report),
                    value=str(mechanism.values[1]),
                    prior=share,
                    alone=bayes(prior, mechanism.channel.row(position))[1],
                    most=max(after),
                )
            )
    return tuple(posteriors)
