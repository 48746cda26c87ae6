"""Conditions under which a block is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from privacy import validation
from privacy.errors import PrivacyError

Joined: TypeAlias = Literal["all", "any"]

JOINS: Final[tuple[Joined, ...]] = ("all", "any")
"""Whether all of several conditions must hold, or any."""


@dataclass(frozen=True, kw_only=True)
class Condition:
    """Ask a block only if the respondent gave one of these answers to an earlier open question.

    Parameters
    ----------
    question : str
        Key of a yes/no or single-choice question of an earlier open block.
    options : tuple of str
        Keys of the options that meet the condition; ``"yes"`` and ``"no"`` for a yes/no question.
    """

    question: str
    options: tuple[str, ...]

    def __post_init__(self) -> None:
        validation.key(self.question, "question of asked_if")
        options = tuple(
            validation.key(option, "option of asked_if")
            for option in validation.as_tuple(self.options, "options of asked_if")
        )
        if not options:
            raise PrivacyError("asked_if", options, question=self.question)
        validation.distinct(options, f"option of asked_if on {self.question}")
        object.__setattr__(self, "options", options)

    @property
    def terms(self) -> tuple[Condition, ...]:
        """The single-question conditions: only this one."""
        return (self,)

    @property
    def joined(self) -> Joined:
        """Whether all or any terms must hold; for a single term both mean the same."""
        return "all"


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """Ask a block only if the respondent meets all, or any, of several conditions.

    Parameters
    ----------
    joined : {"all", "any"}
    terms : tuple of Condition
        At least two, each on a different question.

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
        object.__setattr__(self, "terms", validation.as_tuple(self.terms, "conditions of asked_if"))
        for term in self.terms:
            validation.instance(term, "condition of asked_if", Condition)
        if len(self.terms) < 2:
            raise PrivacyError("asked_if.few", len(self.terms), joined=self.joined)
        validation.distinct((term.question for term in self.terms), "question of asked_if")
