"""The audit of a survey as one frozen object: risks of its rows, block by block and item by item.

It also audits the disguises of numbers and places. `Audit.to_json` returns plain data, from which
`audit_from_json` restores the audit.
"""

from __future__ import annotations

import math
import types
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Final, Literal, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

from privacy.errors import PrivacyError
from privacy.risk.impossible_decoys import ImpossibleDecoys
from privacy.risk.open_answers import OpenAudit
from privacy.risk.reidentification import Reidentification
from privacy.risk.scale_rows import ScaleRows
from privacy.risk.unique_combinations import UniqueCombinations
from privacy.survey.group_policy import Policy

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
