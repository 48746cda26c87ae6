"""Parameters of a run: thresholds, the longest itemset, and the allowed sides of a rule."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, TypeAlias

from privacy import validation
from privacy.errors import PrivacyError
from privacy.estimation.counts import Columns
from privacy.survey.design import Design

Policy: TypeAlias = Literal["inclusive", "estimate"]

LONGEST_ITEMSET: Final = 20
"""Longest itemset that a run may request: 20 items have a million subsets and rules."""


@dataclass(frozen=True, kw_only=True)
class Sides:
    """Allowed antecedents and consequents of rules.

    Parameters
    ----------
    antecedent, consequent : tuple of int, or None
        Items allowed in the antecedent and in the consequent; None allows all.
    longest_consequent : int or None
        Largest number of items in a consequent, at least 1; None sets no limit.

    Raises
    ------
    PrivacyError
        ``sides``: an empty side, a repeated item, or a value that is not an item number;
        ``longest_consequent``: below 1.

    Examples
    --------
    >>> sides = Sides(consequent=(4, 2), longest_consequent=1)
    >>> sides.allow((0, 4), (2,)), sides.allow((0,), (2, 4)), sides.allow((2,), (0,))
    (True, False, False)
    """

    antecedent: Columns | None = None
    consequent: Columns | None = None
    longest_consequent: int | None = None

    def __post_init__(self) -> None:
        for name in ("antecedent", "consequent"):
            object.__setattr__(self, name, _items(getattr(self, name), name))
        if self.longest_consequent is not None:
            longest = validation.whole_number(
                self.longest_consequent,
                "longest consequent",
                low=1,
                high=LONGEST_ITEMSET,
                code="longest_consequent",
            )
            object.__setattr__(self, "longest_consequent", longest)

    def allow(self, antecedent: Columns, consequent: Columns) -> bool:
        """Return whether a rule from `antecedent` to `consequent` is allowed."""
        return (
            (self.longest_consequent is None or len(consequent) <= self.longest_consequent)
            and (self.antecedent is None or set(antecedent) <= set(self.antecedent))
            and (self.consequent is None or set(consequent) <= set(self.consequent))
        )

    def check(self, design: Design) -> None:
        """Refuse items that the design does not have.

        Raises
        ------
        PrivacyError
            ``unknown_item``.
        """
        for name in ("antecedent", "consequent"):
            for item in getattr(self, name) or ():
                if item >= len(design.items):
                    raise PrivacyError("unknown_item.number", item, name=name, count=len(design.items) - 1)


def _items(sides: object, name: str) -> Columns | None:
    if sides is None:
        return None
    if not isinstance(sides, list | tuple) or not sides:
        raise PrivacyError("sides.empty", sides, name=name)
    items = tuple(
        validation.whole_number(item, f"item of the allowed {name}", low=0, high=1 << 31, code="sides")
        for item in sides
    )
    if len(set(items)) < len(items):
        raise PrivacyError("sides.twice", items, name=name)
    return tuple(sorted(items))


@dataclass(frozen=True, kw_only=True)
class Thresholds:
    """Thresholds of itemsets and rules.

    Parameters
    ----------
    support : float
        Smallest estimated support, 0 < support <= 1. Itemsets and rules with at least this much are
        listed.
    confidence : float
        Smallest estimated confidence, 0 to 1; 0 sets no threshold.
    lift : float or None
        Smallest estimated lift, at least 0; None sets no threshold.
    max_size : int
        Largest number of items in an itemset, 1 to 20.
    policy : {"inclusive", "estimate"}
        Itemsets to extend: those whose upper 95% limit reaches `support`, or those whose estimate does. With
        few rows "inclusive" loses fewer.
    sides : Sides
        Items allowed on each side of a rule.

    Raises
    ------
    PrivacyError
        ``support``, ``confidence``, ``lift``, ``max_size``, ``policy``, ``sides``, each with the value and
        the remedy.

    Examples
    --------
    >>> Thresholds(support=0)
    Traceback (most recent call last):
        ...
    privacy.errors.PrivacyError: support threshold = 0.0 is not above 0; use a number above 0 and at most 1
    """

    support: float
    confidence: float = 0.0
    lift: float | None = None
    max_size: int = 3
    policy: Policy = "inclusive"
    sides: Sides = field(default_factory=Sides)

    def __post_init__(self) -> None:
        support = _number(self.support, "support", 1.0, "share")
        if support == 0:
            raise PrivacyError("support.threshold", support)
        object.__setattr__(self, "support", support)
        object.__setattr__(self, "confidence", _number(self.confidence, "confidence", 1.0))
        if self.lift is not None:
            object.__setattr__(self, "lift", _number(self.lift, "lift", 1e6))
        size = validation.whole_number(
            self.max_size, "longest itemset", low=1, high=LONGEST_ITEMSET, code="max_size"
        )
        object.__setattr__(self, "max_size", size)
        validation.one_of(self.policy, "policy", allowed=("inclusive", "estimate"), code="policy")
        if not isinstance(self.sides, Sides):
            raise PrivacyError("sides.kind", self.sides)

    def to_json(self) -> dict[str, Any]:
        """Return the thresholds as nested dictionaries and lists, ready for ``json.dumps``."""
        document = asdict(self)
        for name in ("antecedent", "consequent"):
            side = getattr(self.sides, name)
            document["sides"][name] = None if side is None else list(side)
        return document

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Thresholds:
        """Read the output of `to_json`."""
        return cls(**(document | {"sides": Sides(**document["sides"])}))


def _number(value: object, name: str, high: float, advice: str | None = None) -> float:
    return validation.real_number(value, f"{name} threshold", low=0.0, high=high, code=name, advice=advice)
