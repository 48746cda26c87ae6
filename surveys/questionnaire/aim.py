"""Aim of a survey: how many people will answer, what it most needs to find out, and who must not learn it.

The aim is stored with draft and version, outside the design's JSON and its digest, since no respondent's
device needs it. It decides how a draft is laid out, and whether the draft can answer its question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from django.utils.translation import gettext_lazy

from privacy.planning.use import Goal
from privacy.survey.design import Design

__all__ = ["MOST_PEOPLE", "PEOPLE", "Aim"]

PEOPLE: Final = 400
"""Expected number of respondents until one is stated."""

PEOPLE_UNSTATED: Final = 1_000
"""Number of respondents for figures if none was stated."""

MOST_PEOPLE: Final = 10_000_000

LONGEST_LABEL: Final = 30
"""Characters of a question's short name."""

EXPECTATIONS: Final = {
    "deny": gettext_lazy("people would rather deny it"),
    "claim": gettext_lazy("people would rather claim it"),
    "neither": gettext_lazy("neither"),
}
"""How respondents may react to a question, by the stored name."""

EXPECTATIONS_OF_NUMBERS: Final = {
    **EXPECTATIONS,
    "deny": gettext_lazy("people would rather say less"),
    "claim": gettext_lazy("people would rather say more"),
}
"""The same for a question that asks for a number."""


@dataclass(frozen=True, kw_only=True)
class Aim(Goal):
    """What a survey is for, as stated before the first answer.

    Parameters
    ----------
    expected : mapping of str to str
        By question, what respondents who feel observed would rather do; see `EXPECTATIONS`. Written down
        before an experiment, and fixed from the first publishing on.
    labels : mapping of str to str
        Short names of questions by key, used in sentences about figures; the default is the question.

    Examples
    --------
    >>> aim = Aim(people=400, wanted=("made_up",), shares={"made_up": 2000})
    >>> Aim.from_json(aim.to_json()) == aim, aim.share("made_up", 2), aim.share("other", 2)
    (True, 0.2, 0.5)
    """

    expected: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def within(self, design: Design) -> Aim:
        """Return the aim without items that the design no longer has, since a draft's questions change."""
        known = {item.key for item in design.items}
        questions = {question.key for question in design.questions}
        numbers = {question.key for question in design.questions if question.kind == "number"}
        return replace(
            self,
            expected={key: each for key, each in self.expected.items() if key in questions},
            labels={key: label for key, label in self.labels.items() if key in questions},
            wanted=tuple(key for key in self.wanted if key in known | numbers),
            shares={key: share for key, share in self.shares.items() if key in known},
        )

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        plain = asdict(self) | {"wanted": list(self.wanted)}
        return {name: value for name, value in plain.items() if name not in ("expected", "labels") or value}

    @staticmethod
    def people_of(document: Mapping[str, Any] | None) -> int:
        """Return the expected number of respondents in a stored aim; a thousand if it is not stated."""
        return document["people"] if document else PEOPLE_UNSTATED

    @classmethod
    def from_json(cls, document: Mapping[str, Any] | None) -> Aim | None:
        """Return the aim stored with a draft or a version; None if no aim was stated."""
        if not document:
            return None
        return cls(**{**document, "wanted": tuple(document["wanted"])})
