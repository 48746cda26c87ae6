"""Aim of a survey: the expected number of answers, the results it needs, and what an attacker may learn.

The aim is stored with the draft and each version, outside the design's JSON and its digest, because no
respondent's device needs it. It determines how a draft is laid out and whether it can answer its question.
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
from surveys.formats.figures import count_text
from surveys.questionnaire.languages import text_in

PEOPLE: Final = 400
"""Default for the expected number of respondents in a new plan."""

LEAST_PEOPLE: Final = 10
"""Smallest number of respondents that a plan accepts."""

MOST_PEOPLE: Final = 10_000_000

LONGEST_LABEL: Final = 30
"""Maximum length of a question's short name."""

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
    labels : mapping of str to str
        Short names of questions, by key, for sentences about figures. Without one, the question's text is
        used.
    held : str
        `Layout.key` of the saved layout, which `privacy.planning.plan.best_layout` keeps; empty if there is
        none.

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
        """Drop items that the design no longer has, because a draft's questions change."""
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
    def people_of(document: Mapping[str, Any] | None) -> int | None:
        """Return the expected number of respondents in a stored aim; None if it is not stated."""
        return (document or {}).get("people") or None

    @classmethod
    def from_json(cls, document: Mapping[str, Any] | None) -> Aim | None:
        """Return the aim of a draft or a version from its stored JSON; None if it states no number of people.

        A short name may be stored in several languages; the page's language is used.
        """
        if document is None or cls.people_of(document) is None:
            return None
        labels = {
            key: label if isinstance(label, str) else text_in(label)
            for key, label in document.get("labels", {}).items()
        }
        return cls(**{**document, "wanted": tuple(document["wanted"]), "labels": labels})


_NEAR_CERTAIN: Final = 0.99
"""Above this, a percentage would read as certainty."""


def _at_most(share: float) -> str:
    """Format the largest certainty without calling it certain.

    Examples
    --------
    >>> _at_most(0.8012), _at_most(0.5), _at_most(0.9951), _at_most(1)
    ('at most 81%', 'at most 50%', 'more than 99%', 'more than 99%')
    """
    if share > _NEAR_CERTAIN:
        return _("more than 99%")
    # Subtract the rounding error, so that 50% does not become 51%.
    return _("at most %(share)s%%") % {"share": math.ceil(100 * share - 1e-9)}


def promise_texts() -> dict[str, str]:
    """Return the translated forms of the promise, by key: M at most 99%, M larger, or both M and K larger.

    Devices and printed pages use these sentences. The first screen shows the short form, with the full one
    below it.
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
    """Write the promise of a design as respondents read it, with its limits."""
    key = "promise" if promise.of_100 else "promise_rare" if promise.one_of_100 else "promise_rare_one"
    rare = {"n": promise.once_in, "l": once_in(promise.answer)}
    numbers = {name: count_text(number) for name, number in rare.items() if number is not None}
    texts = promise_texts()
    sentence = texts[key].format(m=promise.of_100, k=promise.one_of_100, **numbers)
    return f"{sentence} {texts['odds_whole_anchors']}" if promise.anchors else sentence


def promises_in_words(design: Design) -> list[str]:
    """Write the promise to respondents for each strength; empty if no protected part has a bound."""
    found = [(direct, promise_to(design, direct=direct)) for direct in (False, True)]
    pairs = [(direct, promise_sentence(bound)) for direct, bound in found if bound is not None]
    if len(pairs) < 2:
        return [sentence for _direct, sentence in pairs]
    names = {False: _("Strongly disguised:"), True: _("Lightly disguised:")}
    return [f"{names[direct]} {sentence}" for direct, sentence in pairs]


def usual_promise() -> str:
    """Write the promise of a draft with the default protection."""
    usual = PROTECTIONS[MEDIUM]
    return promise_sentence(
        Promise(everything=usual.everything, answer=usual.answer, skip=None, parts=1, not_composed=False)
    )


def certainty_at(epsilon: float) -> str:
    """Format the largest certainty that an attacker who starts at 50:50 can reach: 1 / (1 + exp(-epsilon)).

    Examples
    --------
    >>> certainty_at(0), certainty_at(math.log(4))
    ('at most 50%', 'at most 80%')
    """
    return _at_most(posterior_at(epsilon))


def promise_to(design: Design, *, direct: bool) -> Promise | None:
    """Return the promise to one group's respondents; None if the group is empty or has no bound."""
    own = design.in_group(direct=direct)
    return None if own is None else promise(own)


def sure_at(odds: Fraction) -> str:
    """Format the certainty that odds give an attacker who starts at 50:50, computed exactly as a fraction."""
    share = percent(odds)
    return _at_most(1.0 if share is None else share / 100)
