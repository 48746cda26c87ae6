"""Conditions on earlier open answers under which a block is asked.

Policy of groups: direct and protected respondents.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from privacy import validation
from privacy.coins import SCALE
from privacy.errors import PrivacyError

__all__ = ["JOINS", "Condition", "Conditions", "GroupPolicy", "Joined", "Policy"]


Joined: TypeAlias = Literal["all", "any"]

JOINS: Final[tuple[Joined, ...]] = ("all", "any")
"""How many of several conditions have to hold."""


@dataclass(frozen=True, kw_only=True)
class Condition:
    """Ask a block only of those who gave one of these answers to an earlier open question.

    Parameters
    ----------
    question : str
        Key of a yes/no or single-choice question of an earlier open block.
    options : tuple of str
        Keys of the options that lead on; ``"yes"`` and ``"no"`` for a yes/no question.
    """

    question: str
    options: tuple[str, ...]

    def __post_init__(self) -> None:
        validation.key(self.question, "question of asked_if")
        options = tuple(
            validation.key(option, "option of asked_if")
            for option in validation.listed(self.options, "options of asked_if")
        )
        if not options:
            raise PrivacyError("asked_if", options, question=self.question)
        validation.distinct(options, f"option of asked_if on {self.question}")
        object.__setattr__(self, "options", options)

    @property
    def terms(self) -> tuple[Condition, ...]:
        """The conditions on one question each: this one."""
        return (self,)

    @property
    def joined(self) -> Joined:
        """How many of the terms have to hold; of one alone it is the same."""
        return "all"


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """Ask a block only of those whose answers fulfil all, or any, of several conditions.

    Parameters
    ----------
    joined : {"all", "any"}
    terms : tuple of Condition
        At least two, each on a question of its own: answers to one question stand in one condition.

    Raises
    ------
    PrivacyError
        With codes ``asked_if``, ``duplicate_key``, ``malformed``.

    Examples
    --------
    >>> both = Conditions(joined="all", terms=(
    ...     Condition(question="adult", options=("yes",)), Condition(question="leads", options=("yes",))))
    >>> [term.question for term in both.terms]
    ['adult', 'leads']
    """

    joined: Joined
    terms: tuple[Condition, ...]

    def __post_init__(self) -> None:
        validation.one_of(self.joined, "joint of asked_if", allowed=JOINS, code="asked_if")
        object.__setattr__(self, "terms", validation.listed(self.terms, "conditions of asked_if"))
        for term in self.terms:
            validation.instance(term, "condition of asked_if", Condition)
        if len(self.terms) < 2:
            raise PrivacyError("asked_if.few", len(self.terms), joined=self.joined)
        validation.distinct((term.question for term in self.terms), "question of asked_if")


Policy: TypeAlias = Literal["protected", "choice", "assigned"]
POLICIES: Final = ("protected", "choice", "assigned")


@dataclass(frozen=True, kw_only=True)
class GroupPolicy:
    """Assignment of respondents to the direct or the protected group.

    Parameters
    ----------
    policy : {"protected", "choice", "assigned"}
        Everyone is protected; each respondent chooses; the device draws.
    direct_share : int or None, ten-thousandths, 0 to 10,000
        Probability of the direct group under ``"assigned"``; None under the others.
    """

    policy: Policy = "protected"
    direct_share: int | None = None

    def __post_init__(self) -> None:
        validation.one_of(self.policy, "group policy", allowed=POLICIES, code="group_policy")
        if self.policy == "assigned":
            share = validation.whole_number(
                self.direct_share,
                "direct share",
                low=0,
                high=SCALE,
                code="direct_share",
            )
            object.__setattr__(self, "direct_share", share)
        elif self.direct_share is not None:
            raise PrivacyError("direct_share.policy", self.direct_share, policy=self.policy)

    def allows(self, *, direct: bool) -> bool:
        """Whether a device can end up in the direct group, or else in the protected one."""
        if self.policy == "protected":
            return not direct
        return self.direct_share is None or self.direct_share != (0 if direct else SCALE)
