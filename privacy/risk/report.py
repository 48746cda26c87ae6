"""The audit of a survey as one frozen object: risks of its rows, block by block and item by item.

It also audits the disguises of numbers and places. `Audit.to_json` returns plain data, from which
`audit_from_json` restores the audit.
"""

from __future__ import annotations

import math
import types
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Final, Literal, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import ArrayLike

from privacy.arrays import Array
from privacy.channels import conditional
from privacy.errors import PrivacyError
from privacy.risk.impossible_decoys import ImpossibleDecoys
from privacy.risk.open_answers import OpenAudit, UniqueCombinations
from privacy.risk.reidentification import CERTAINTY_LEVELS, Reidentification
from privacy.scales.scale_skips import answering
from privacy.scales.skips import Disguise, Skipping
from privacy.survey.group_policy import Policy

_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class ScaleRows:
    """How often the disguised rows of a number or a place reveal their likeliest answer.

    Parameters
    ----------
    n : int or None
        Number of disguised rows; None if they may not be counted.
    sent : tuple of float
        For each of the `CERTAINTY_LEVELS` (50, 90 and 95%), the share of disguised rows whose likeliest
        answer has a larger posterior.
    highest : float
        Largest posterior of an answer given any sent row.
    before : float
        Share of the most frequent answer: an attacker's certainty without seeing a row.
    """

    n: int | None
    sent: tuple[float, ...]
    highest: float
    before: float


def scale_rows(
    disguise: Disguise,
    shares: ArrayLike,
    counts: ArrayLike,
    *,
    skipping: Skipping | None = None,
) -> ScaleRows:
    """Measure how many rows reveal their answer, given the shares of the answers.

    Parameters
    ----------
    disguise : WindowChannel or PlanarWindowChannel
    shares : array_like, shape (inputs,) or (rows, columns)
        Share of each bin or cell among respondents who answer.
    counts : array_like of int, shape (outputs,), or one longer with `skipping`
        Number of disguised rows with each report; "skipped" last.
    skipping : Skipping, optional
        The question's skip; the share of skips is estimated from the counts.

    Raises
    ------
    PrivacyError
        ``counts``, ``no_rows``.

    Notes
    -----
    A row with report y is recognised at level t if max_x K(y, x) s(x) / sum_x K(y, x) s(x) > t, where x is a
    single bin or cell. A skip counts as an answer. A place outside all levels is always recognised.

    Examples
    --------
    A bit is kept with probability 3/4, and nine in ten have 0. A reported 0 is true with probability 27/28,
    and a reported 1 comes from 0 with probability 3/4.

    >>> from privacy.scales.window import NumberRange
    >>> from privacy.scales.numeric_mechanisms import generalised_rr
    >>> rows = scale_rows(generalised_rr(NumberRange(low=0, high=1), 7500), [.9, .1], [700, 300])
    >>> rows.n, rows.sent, round(rows.highest, 4)
    (1000, (1.0, 0.7, 0.7), 0.9643)
    >>> rows.before
    0.9
    """
    rows = np.asarray(counts, dtype=np.float64).ravel()
    if rows.size != disguise.outputs + (skipping is not None):
        raise PrivacyError("counts.values", rows.shape, name="counts", size=disguise.outputs)
    if not rows.sum():
        raise PrivacyError("no_rows", 0)
    table = np.asarray(shares, dtype=np.float64)
    best, probabilities = disguise.largest_joint(table)
    before = float(table.max())
    if skipping is not None:
        skips = float(np.clip(1 - answering(skipping, rows), 0, 1))
        best, probabilities = _with_skips(skipping, best, probabilities, skips)
        before = max((1 - skips) * before, skips)
    posterior = conditional(best, probabilities)
    return ScaleRows(
        n=int(rows.sum()),
        sent=tuple(
            float(rows[posterior > level + _ROUNDING].sum() / rows.sum()) for level in CERTAINTY_LEVELS
        ),
        highest=min(1.0, float(posterior[rows > 0].max())),
        before=before,
    )


def _with_skips(skipping: Skipping, best: Array, probabilities: Array, skips: float) -> tuple[Array, Array]:
    """Add "skipped" as the last output and as an additional answer."""
    skipped, truth = float(skipping.skip_probability), float(skipping.truth)
    decoys = skips * (1 - truth - skipped) * skipping.disguise.decoy_array()
    p_answer = (1 - skips) * (1 - skipped)
    skip_mass = np.array([skips * (truth + skipped)])
    return (
        np.concatenate([np.maximum(p_answer * best, decoys), skip_mass]),
        np.concatenate([p_answer * probabilities + decoys, skip_mass + (1 - skips) * skipped]),
    )


_EVEN: Final = 0.5

Prior: TypeAlias = Literal["stated", "marginals", "joint"]
"""Source of the prior: the researcher, estimated shares of items, or estimated shares of complete rows."""


@dataclass(frozen=True, kw_only=True)
class BlockAudit:
    """Audit of one protected block.

    Parameters
    ----------
    key : str
    questions : tuple of str
        Keys of its questions.
    amplification, epsilon : float
        gamma at the least likely decoy, and its logarithm; ``inf`` if unbounded.
    known : float
        Truthful posterior p/(p + (1 - p) q) for an attacker who knew the respondent's answers, if these are
        the least likely decoy.
    prior : {"stated", "marginals", "joint"}
    unmixing : Reidentification
        Shares of rows identified under that prior.
    n : int or None
        Number of protected rows after launch.
    question_odds : float
        Largest likelihood ratio of one reported answer, between respondents for whom it is true and others;
        ``inf`` if unbounded.
    booklet : tuple of str
        The questions of a rotating block that reveal most together; `known` then refers to respondents asked
        these. Empty if everyone is asked all questions.
    """

    key: str
    questions: tuple[str, ...]
    amplification: float
    epsilon: float
    known: float
    prior: Prior
    unmixing: Reidentification
    n: int | None = None
    question_odds: float
    booklet: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ScaleAudit:
    """Audit of a number or a place: a separate block with its own disguise.

    Parameters
    ----------
    key, question : str
    amplification, epsilon : float
    apart : bool
        Whether the bound covers only a part of the map and is therefore excluded from the survey's sum.
    rho2 : tuple of (float, float)
        As in `Audit`, within the area that the bound covers.
    lost : float or None
        If the block may be skipped, the share of answers sent as "skipped".
    rows : ScaleRows or None
        After launch, how often disguised rows reveal their answer; None if too few were sent.
    """

    key: str
    question: str
    amplification: float
    epsilon: float
    apart: bool
    rho2: tuple[tuple[float, float], ...]
    lost: float | None = None
    rows: ScaleRows | None = None

    @property
    def even(self) -> float:
        """Largest posterior at an even prior."""
        return next(after for before, after in self.rho2 if before == _EVEN)


@dataclass(frozen=True, kw_only=True)
class ItemAudit:
    """Audit of one protected item.

    Parameters
    ----------
    key, block : str
    prevalence : float
        Stated or estimated share: the prior of a respondent.
    alone : float
        Largest probability, whatever share skips, that a respondent whose row shows the item has it, ignoring
        the rest of the row.
    worst : float
        The same, given the most revealing complete row.
    """

    key: str
    block: str
    prevalence: float
    alone: float
    worst: float


@dataclass(frozen=True, kw_only=True)
class GroupAudit:
    """The direct and the protected group.

    Parameters
    ----------
    policy : {"protected", "choice", "assigned"}
    has_direct : bool
        Whether some rows may be undisguised answers.
    has_light : bool
        Whether the direct group's answers are lightly disguised.
    direct_share : float or None
        Probability of the direct group, or after launch its counted share; None if unknown.
    n_direct, n_protected : int or None
        Number of rows after launch.
    """

    policy: Policy
    has_direct: bool
    direct_share: float | None
    n_direct: int | None = None
    n_protected: int | None = None
    has_light: bool = False


@dataclass(frozen=True, kw_only=True)
class StrengthAudit:
    """Audit of the rows of one strength; the parts are as in `Audit`.

    Parameters
    ----------
    n : int or None
        Number of rows of this strength after launch.
    epsilon : float
        As in `Audit`.
    rho2 : tuple of (float, float)
    blocks : tuple of BlockAudit
    lone : tuple of ScaleAudit
    items : tuple of ItemAudit
    impossible : tuple of ImpossibleDecoys
    """

    n: int | None
    epsilon: float
    rho2: tuple[tuple[float, float], ...]
    blocks: tuple[BlockAudit, ...]
    lone: tuple[ScaleAudit, ...]
    items: tuple[ItemAudit, ...]
    impossible: tuple[ImpossibleDecoys, ...]


@dataclass(frozen=True, kw_only=True)
class Audit:
    """Audit of a survey.

    Parameters
    ----------
    design_id : str
    when : {"before", "after"}
        Whether the audit is based on a design and stated prevalences, or on answers.
    n : int or None
        Expected number of respondents, or counted rows.
    epsilon : float
        Largest sum over the protected blocks that one device can be asked. It bounds all protected answers of
        one respondent together, given the open answers.
    waves : int
        Number of waves of the series, including this one.
    epsilon_of_waves : float
        Sum of epsilon over all waves of the series.
    rho2 : tuple of (float, float)
        Pairs of a prior rho1 and the largest posterior that any property of all protected answers together
        can have with this prior: gamma rho1/(1 + (gamma - 1) rho1).
    blocks : tuple of BlockAudit
        Protected blocks in design order, except numbers and places.
    lone : tuple of ScaleAudit
        Numbers and places.
    items : tuple of ItemAudit
        Protected items in design order.
    open : OpenAudit
    group : GroupAudit
    impossible : tuple of ImpossibleDecoys
        For each block with mutually exclusive answers, how much is revealed by decoys that contain two of
        them.
    light : StrengthAudit or None
        Audit of the direct group's rows if they are disguised too; all other fields describe the protected
        group.
    own : UniqueCombinations or None
        For a design with rotation, the rows whose combination of asked questions and open answers is unique.
    anchors : tuple of str
        Keys of blocks that were excluded because their true answers are publicly known.
    """

    design_id: str
    when: Literal["before", "after"]
    n: int | None
    epsilon: float
    waves: int
    epsilon_of_waves: float
    rho2: tuple[tuple[float, float], ...]
    blocks: tuple[BlockAudit, ...]
    lone: tuple[ScaleAudit, ...]
    items: tuple[ItemAudit, ...]
    open: OpenAudit
    group: GroupAudit
    impossible: tuple[ImpossibleDecoys, ...]
    light: StrengthAudit | None = None
    own: UniqueCombinations | None = None
    anchors: tuple[str, ...] = ()

    def block(self, key: str) -> BlockAudit:
        """Return the protected block with this key."""
        return next(block for block in self.blocks if block.key == key)

    def to_json(self) -> dict[str, Any]:
        """Return plain numbers, strings and lists; unbounded values become None."""
        return cast(dict[str, Any], as_json(self))


def as_json(value: Any) -> Any:
    """Return nested frozen objects as dictionaries, fractions as numbers, infinities as None.

    Parameters
    ----------
    value : object
        A frozen dataclass of numbers, strings, sequences and other such dataclasses.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, list | tuple):
        return [as_json(entry) for entry in value]
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def audit_from_json(document: object) -> Audit:
    """Read an audit; the inverse of `Audit.to_json`, except that fractions have the precision of floats.

    Parameters
    ----------
    document : object
        Nested dictionaries and lists.

    Returns
    -------
    Audit

    Raises
    ------
    PrivacyError
        ``stored_audit``: a part is missing or malformed.
    """
    try:
        return cast(Audit, _read(Audit, document))
    except (KeyError, TypeError, ValueError) as error:
        raise PrivacyError("stored_audit", type(document).__name__, error=error) from error


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, value: Any) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if is_dataclass(kind) and isinstance(kind, type):
        hints = _hints(kind)
        return kind(**{field.name: _read(hints[field.name], value[field.name]) for field in fields(kind)})
    if origin in (Union, types.UnionType):
        return _one_of(arguments, value)
    if origin is Literal:
        if value not in arguments:
            raise ValueError(f"{value!r} is none of {arguments}")
        return value
    if origin is tuple:
        return _tuple(arguments, value)
    if kind is float:
        return math.inf if value is None else float(value)
    if kind is Fraction:
        return Fraction(value)
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


def _one_of(arguments: tuple[Any, ...], value: Any) -> Any:
    if value is None and type(None) in arguments:
        return None
    for kind in arguments:
        if kind is type(None):
            continue
        try:
            return _read(kind, value)
        except (KeyError, TypeError, ValueError):
            continue
    raise ValueError(f"{value!r} is none of what is expected")


def _tuple(arguments: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_read(arguments[0], entry) for entry in value)
    return tuple(_read(kind, entry) for kind, entry in zip(arguments, value, strict=True))


def percent(share: float) -> str:
    """Format a share in percent with three digits, and as 0% or 100% only if it is exact.

    Parameters
    ----------
    share : float
        In [0, 1].

    Examples
    --------
    >>> [percent(share) for share in (0, 1e-9, .02914, .376, .99999, 1)]
    ['0%', '<0.1%', '2.91%', '37.6%', '>99.9%', '100%']
    """
    if 0 < share < 0.001:
        return "<0.1%"
    if 0.999 < share < 1:
        return ">99.9%"
    return f"{100 * share:.3g}%"


def number(value: float) -> str:
    """Format a number with three or four digits.

    Parameters
    ----------
    value : float
        0 or more; may be infinite.

    Examples
    --------
    >>> [number(value) for value in (9, 2.8904, 1025, 41.59, math.inf)]
    ['9', '2.89', '1,025', '41.6', '∞']
    """
    if math.isinf(value):
        return "∞"
    if value >= 1e6:
        return f"{value:.3g}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def bounds_text(epsilon: float, rho2: Sequence[tuple[float, float]]) -> list[str]:
    """Describe the bounds on all disguised answers of one person together, one line each.

    Parameters
    ----------
    epsilon : float
        0 or more; may be infinite.
    rho2 : sequence of (float, float)
        Pairs of a prior and its largest posterior; may be empty.

    Examples
    --------
    >>> for line in bounds_text(2.8904, [(.1, .667), (.5, .947)]):
    ...     print(line)
    All disguised answers of one person together: epsilon at most 2.89.
    Largest posterior from a prior of 10%, 50%: 66.7%, 94.7%.
    """
    lines = [f"All disguised answers of one person together: epsilon at most {number(epsilon)}."]
    if rho2:
        before, after = (", ".join(map(percent, bounds)) for bounds in zip(*rho2, strict=True))
        lines.append(f"Largest posterior from a prior of {before}: {after}.")
    return lines
