"""Aim of a survey: how many people will answer, what it needs to find out, and what an attacker may learn.

The aim is stored with draft and version, outside the design's JSON and its digest, since no respondent's
device needs it. It decides how a draft is laid out, and whether the draft can answer its question.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.channels import posterior_at
from privacy.planning.layouts import MEDIUM, PROTECTIONS
from privacy.planning.use import Goal
from privacy.risk.budget import Promise, once_in, percent, promise
from privacy.survey.design import Design
from surveys.questionnaire.languages import text_in

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
    held : str
        `Layout.key` of the saved layout, which `privacy.planning.plan.best_layout` keeps; empty before.

    Examples
    --------
    >>> aim = Aim(people=400, wanted=("made_up",), shares={"made_up": 2000})
    >>> Aim.from_json(aim.to_json()) == aim
    True
    """

    expected: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    held: str = ""

    def within(self, design: Design) -> Aim:
        """Return the aim without items that the design no longer has, since a draft's questions change."""
        item_keys = {item.key for item in design.items}
        questions = {question.key for question in design.questions}
        numbers = {question.key for question in design.questions if question.has_mean}
        return replace(
            self,
            expected={key: each for key, each in self.expected.items() if key in questions},
            labels={key: label for key, label in self.labels.items() if key in questions},
            wanted=tuple(key for key in self.wanted if key in item_keys | numbers),
            shares={key: share for key, share in self.shares.items() if key in item_keys},
        )

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        plain = asdict(self) | {"wanted": list(self.wanted)}
        return {
            name: value
            for name, value in plain.items()
            if name not in ("expected", "labels", "held") or value
        }

    @staticmethod
    def people_of(document: Mapping[str, Any] | None) -> int:
        """Return the expected number of respondents in a stored aim; a thousand if it is not stated."""
        return document["people"] if document else PEOPLE_UNSTATED

    @classmethod
    def from_json(cls, document: Mapping[str, Any] | None) -> Aim | None:
        """Return the aim stored with a draft or a version; None if no aim was stated.

        A short name can be stored in several languages; this returns that of the page.
        """
        if not document:
            return None
        labels = {
            key: label if isinstance(label, str) else text_in(label)
            for key, label in document.get("labels", {}).items()
        }
        return cls(**{**document, "wanted": tuple(document["wanted"]), "labels": labels})


_NEAR_CERTAIN: Final = 0.99
"""A larger percentage would read as certainty."""


def _at_most(share: float) -> str:
    """Format a limit of certainty, without calling it certain.

    Examples
    --------
    >>> _at_most(0.8012), _at_most(0.5), _at_most(0.9951), _at_most(1)
    ('at most 81%', 'at most 50%', 'more than 99%', 'more than 99%')
    """
    if share > _NEAR_CERTAIN:
        return _("more than 99%")
    # A value that is 50% except for rounding errors is 50%.
    return _("at most %(share)s%%") % {"share": math.ceil(100 * share - 1e-9)}


def promise_texts() -> dict[str, str]:
    """Return the sentence of the promise by key, translated: M up to 99%, M above it, and M and K above it.

    Every promise is written in this sentence, on the device and on paper. The first screen shows a shorter
    one, and this one below it.
    """
    return {
        "promise_short": _(
            "Someone who suspects you, 50:50, could become at most {k}% sure from one disguised answer "
            "alone and {m}% from all you send."
        ),
        "promise": _(
            "Suppose someone knows your answers that are not disguised, and suspects you, 50:50. "
            "One of your disguised answers alone could make them at most {k}% sure. Everything your "
            "device sends, taken together: at most {m}%."
        ),
        "promise_rare": _(
            "Suppose someone knows your answers that are not disguised, and suspects you, 50:50. "
            "One of your disguised answers alone could make them at most {k}% sure. Everything your "
            "device sends, taken together, could make them nearly sure: wrong 1 time in {n}."
        ),
        "promise_rare_one": _(
            "Suppose someone knows your answers that are not disguised, and suspects you, 50:50. "
            "One of your disguised answers alone could make them nearly sure: wrong 1 time in {l}. "
            "Everything your device sends, taken together: wrong 1 time in {n}."
        ),
        "odds_whole_anchors": _(
            "The check questions are not counted, because everyone knows the true answer to them."
            " The limits hold if you answer them truthfully."
        ),
    }


def promise_sentence(promise: Promise) -> str:
    """Write the promise of a design as its respondents read it, and what it does not cover."""
    key = "promise" if promise.of_100 else "promise_rare" if promise.one_of_100 else "promise_rare_one"
    rare = {"n": promise.once_in, "l": once_in(promise.answer)}
    numbers = {name: f"{number:,}" for name, number in rare.items() if number is not None}
    texts = promise_texts()
    sentence = texts[key].format(m=promise.of_100, k=promise.one_of_100, **numbers)
    return f"{sentence} {texts['odds_whole_anchors']}" if promise.anchors else sentence


def promises_in_words(design: Design) -> list[str]:
    """Write the promise to respondents of each strength; empty if no protected part has a bound."""
    found = [(direct, promise_to(design, direct=direct)) for direct in (False, True)]
    pairs = [(direct, promise_sentence(bound)) for direct, bound in found if bound is not None]
    if len(pairs) < 2:
        return [sentence for _direct, sentence in pairs]
    names = {False: _("Strongly disguised:"), True: _("Lightly disguised:")}
    return [f"{names[direct]} {sentence}" for direct, sentence in pairs]


def usual_promise() -> str:
    """Write the promise of a draft that is laid out with the proposed protection."""
    usual = PROTECTIONS[MEDIUM]
    return promise_sentence(
        Promise(everything=usual.everything, answer=usual.answer, skip=None, parts=1, not_composed=False)
    )


def certainty_at(epsilon: float) -> str:
    """Write the largest certainty that an attacker who starts at 50:50 can reach, 1 / (1 + exp(-epsilon)).

    Examples
    --------
    >>> certainty_at(0), certainty_at(math.log(4))
    ('at most 50%', 'at most 80%')
    """
    return _at_most(posterior_at(epsilon))


def promise_to(design: Design, *, direct: bool) -> Promise | None:
    """Return the promise to the respondents of a group; None without such respondents or a bound."""
    own = design.in_group(direct=direct)
    return None if own is None else promise(own)


def sure_at(odds: Fraction) -> str:
    """Write the certainty that odds give an attacker who starts at 50:50; computed exactly, as a fraction."""
    share = percent(odds)
    return _at_most(1.0 if share is None else share / 100)
