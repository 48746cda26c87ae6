"""The ladder of models that the source climbs, each with its estimate and its standard error.

Warner's related questions, the unrelated question, the grouping model before its improvement, the improved
one, and blocks. For studies: live surveys use `privacy.estimation.estimates` on their own design.
"""

from __future__ import annotations

import math
from collections.abc import Sized
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from privacy import validation
from privacy.policy import WARNER_LEAST_TILT
from surveys.errors.error import SurveyError

__all__ = ["MODELS", "Model", "StudyEstimate", "estimate_study"]

Model: TypeAlias = Literal["warner", "unrelated", "grouping", "improved", "blocks"]
MODELS: Final = ("warner", "unrelated", "grouping", "improved", "blocks")

"""Warner's theta nearer to .5 than this is refused: at .55 the error is ten times that of asking directly."""


@dataclass(frozen=True, kw_only=True)
class StudyEstimate:
    """A share that a study model estimates.

    Parameters
    ----------
    model : str
    value, standard_error : float
        Raw, and about the population.
    standard_error_eq6 : float or None
        The source's equation 6, where it speaks of the model: k taken as known.
    n, n_direct : int
    observed_share : float
    """

    model: Model
    value: float
    standard_error: float
    standard_error_eq6: float | None
    n: int
    n_direct: int
    observed_share: float


def estimate_study(
    model: Model,
    *,
    protected: tuple[int, int],
    direct: tuple[int, int] = (0, 0),
    n_attributes: int = 1,
    theta: float,
    p: float | None = None,
) -> StudyEstimate:
    """Estimate the share of an attribute, or of several together, under a study model.

    Parameters
    ----------
    model : {"warner", "unrelated", "grouping", "improved", "blocks"}
    protected, direct : tuple of (int, int)
        Rows that show the attribute, or all of them, and rows, of each group; answers by themselves, in an
        array or a list, are refused. Only "grouping", "improved" and
        "blocks" have a direct group.
    n_attributes : int
        Attributes asked for together; 1 under "warner" and "unrelated". Under "blocks" each has its own coin,
        so their joint share needs a design: give 1, or use `estimate`.
    theta : float
        Warner's chance of the first statement; else the chance of "yes" on an unrelated question.
    p : float or None
        Truth probability; none under "warner".

    Raises
    ------
    PrivacyError
        ``model``, ``theta`` (Warner's near .5), ``truth_probability`` (missing, or 0 without direct rows),
        ``direct``, ``attributes``, ``no_rows``, ``count``.

    Notes
    -----
    Warner: (l - (1 - theta)) / (2 theta - 1), variance l (1-l) / (n (2 theta - 1)^2), equation 1. Unrelated
    question: (l - (1-p) theta) / p, equation 2. With direct rows, k = n0/n and a = k + (1-k) p, equations 4,
    8 and 14: (l - (1-k)(1-p) q) / a, where q is the chance that a decoy shows it: theta^m in the improved
    model, theta itself in the older one, whose decoys are all yes or all no. Variance
    (k l0 (1-l0) + (1-k) l1 (1-l1)) / (n a^2); equation 6 has l (1-l) / (n a^2).

    References
    ----------
    Warner 1965; Greenberg et al. 1969; Kan and Cao, equations 1, 2, 4, 6, 8 and 14.

    Examples
    --------
    >>> estimate = estimate_study("warner", protected=(340, 1000), theta=.7)
    >>> round(estimate.value, 3), round(estimate.standard_error, 4)  # (.34 - .3)/.4
    (0.1, 0.0374)
    >>> estimate = estimate_study("improved", protected=(360, 800), direct=(20, 200), theta=.6, p=.3)
    >>> round(estimate.value, 3), round(estimate.standard_error, 4), round(estimate.standard_error_eq6, 4)
    (0.1, 0.0334, 0.0349)
    """
    validation.one_of(model, "model", allowed=MODELS, code="model")
    theta = validation.real_number(theta, "theta", low=0, high=1, code="theta")
    shown, n = _share(protected, "protected")
    shown_direct, n_direct = _share(direct, "direct")
    if n + n_direct == 0:
        raise SurveyError("no_rows.given", 0)
    if n_direct and model in ("warner", "unrelated"):
        raise SurveyError("direct", n_direct, model=model)  # fmt: skip
    attributes = validation.whole_number(
        n_attributes, "number of attributes", low=1, high=20, code="attributes"
    )
    if attributes > 1 and model in ("warner", "unrelated", "blocks"):
        raise SurveyError("attributes", attributes, model=model)  # fmt: skip
    if model == "warner":
        if abs(theta - 0.5) < WARNER_LEAST_TILT:
            raise SurveyError("theta", theta, least_tilt=WARNER_LEAST_TILT)  # fmt: skip
        scale, decoys, p = 2 * theta - 1, 1 - theta, 1.0
    else:
        if p is None:
            raise SurveyError("truth_probability.missing", model=model)
        p = validation.real_number(p, "p", low=0, high=1, code="truth_probability")
        k = n_direct / (n + n_direct)
        scale = k + (1 - k) * p
        decoys = (1 - k) * (1 - p) * (theta if model == "grouping" else theta**attributes)
        if scale == 0:
            raise SurveyError("truth_probability.no_direct", 0)  # fmt: skip
    total = n + n_direct
    observed = (shown * n + shown_direct * n_direct) / total
    spread = (n * shown * (1 - shown) + n_direct * shown_direct * (1 - shown_direct)) / total
    return StudyEstimate(
        model=model,
        value=(observed - decoys) / scale,
        standard_error=math.sqrt(spread / total) / abs(scale),
        standard_error_eq6=None
        if model in ("warner", "unrelated")
        else math.sqrt(observed * (1 - observed) / total) / scale,
        n=total,
        n_direct=n_direct,
        observed_share=observed,
    )


def _share(counts: object, name: str) -> tuple[float, int]:
    if not isinstance(counts, tuple) or len(counts) != 2:
        what = f"a {type(counts).__name__} of {len(counts)}" if isinstance(counts, Sized) else repr(counts)
        raise SurveyError("count.pair", counts, name=name, what=what)  # fmt: skip
    rows = validation.whole_number(counts[1], f"number of {name} rows", low=0, high=2**52, code="count")
    shown = validation.whole_number(counts[0], f"{name} rows that show it", low=0, high=rows, code="count")
    return (shown / rows if rows else 0.0), rows
