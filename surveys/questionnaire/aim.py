"""Aim of a survey: the expected number of answers, and the results it needs.

The aim is stored with the draft and each version, outside the design's JSON and its digest, because no
respondent's device needs it. It determines how a draft is laid out and whether it can answer its question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from django.utils.translation import gettext_lazy

from privacy.planning.use import Goal
from privacy.survey.design import Design
from surveys.questionnaire.languages import text_in

DEFAULT_PEOPLE: Final = 400
"""Default for the expected number of respondents in a new plan."""

LEAST_PEOPLE: Final = 10
"""Smallest number of respondents that a plan accepts."""

LONGEST_LABEL: Final = 30
"""Maximum length of a question's short name."""

# The tag of a name from a plan that did not store its language: the survey's first one.
_FIRST: Final = ""

EXPECTATIONS: Final = {
    "deny": gettext_lazy("people would rather deny it"),
    "claim": gettext_lazy("people would rather claim it"),
    "neither": gettext_lazy("neither"),
}
"""How respondents may react to a question, by stored name."""

EXPECTATIONS_OF_NUMBERS: Final = {
    **EXPECTATIONS,
    "deny": gettext_lazy("people would rather say less"),
    "claim": gettext_lazy("people would rather say more"),
}
"""How respondents may react to a question that asks for a number."""


@dataclass(frozen=True, kw_only=True)
class Aim(Goal):
    """What a survey is for, stated before the first answer.

    Parameters
    ----------
    expected : mapping of str to str
        By question, how respondents who feel observed are expected to answer; see `EXPECTATIONS`. It is
        written down before an experiment and fixed when the survey is first published.
    names : mapping of str to mapping of str to str
        Short names of questions, by key and language, for sentences about figures. The survey's first
        language comes first; it is "" in plans saved with one name for all languages. Without a name, the
        question's text is used.
    held : str
        `Layout.key` of the saved layout, which `privacy.planning.layout_search.best_layout` keeps; empty
        without one.

    Examples
    --------
    >>> aim = Aim(people=400, wanted=("made_up",), shares={"made_up": 2000})
    >>> Aim.from_json(aim.to_json()) == aim
    True
    """

    expected: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    held: str = ""

    @property
    def labels(self) -> dict[str, str]:
        """The short names by question, in the page's language or else in the first one that has a name."""
        return {key: text_in(texts) for key, texts in self.names.items()}

    def within(self, design: Design) -> Aim:
        """Drop items that the design no longer has, because a draft's questions change."""
        item_keys = {item.key for item in design.items}
        questions = {question.key for question in design.questions}
        numbers = {question.key for question in design.questions if question.has_mean}
        return replace(
            self,
            expected={key: each for key, each in self.expected.items() if key in questions},
            names={key: texts for key, texts in self.names.items() if key in questions},
            wanted=tuple(key for key in self.wanted if key in item_keys | numbers),
            shares={key: share for key, share in self.shares.items() if key in item_keys},
        )

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        plain = asdict(self) | {"wanted": list(self.wanted)}
        plain["labels"] = plain.pop("names")
        # The number of waves is a part of the definition.
        del plain["waves"]
        return {
            name: value
            for name, value in plain.items()
            if name not in ("expected", "labels", "held") or value
        }

    @staticmethod
    def people_of(document: Mapping[str, Any] | None) -> int | None:
        """Return the expected number of respondents in a stored aim; None if it is not stated."""
        return (document or {}).get("people") or None

    @classmethod
    def from_json(cls, document: Mapping[str, Any] | None) -> Aim | None:
        """Return the aim of a draft or a version from its stored JSON; None if it states no number of people.

        A short name that is stored as a plain string is in the first language of the survey.
        """
        if document is None or cls.people_of(document) is None:
            return None
        members = dict(document)
        names = {
            key: {_FIRST: name} if isinstance(name, str) else dict(name)
            for key, name in members.pop("labels", {}).items()
        }
        return cls(**{**members, "wanted": tuple(members["wanted"]), "names": names})


def aim_or_default(document: Mapping[str, Any] | None) -> Aim:
    """Return the aim from its stored JSON, or one for the default number of people."""
    return Aim.from_json(document) or Aim(people=DEFAULT_PEOPLE)
