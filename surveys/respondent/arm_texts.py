"""Texts that hang on the arm of an experiment: all of them, for every device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from privacy.risk.promise import Promise
from privacy.survey.design import Design
from surveys.questionnaire.arms import ODDS, WORDINGS
from surveys.questionnaire.certainty import promise_sentence
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.ready_parts import RIGHT

__all__ = ["again_texts", "arm_of", "explained_by_arm", "has_right", "right_answer", "wordings_by_arm"]


def arm_of(design: Design, stated: Mapping[str, Any]) -> int:
    """Return which of the questions of arms decides a text."""
    return [design.questions[number].key for number in design.arms].index(stated["question"])


def explained_by_arm(
    design: Design, explanations: Mapping[str, Any] | None, language: str, odds: list[Promise]
) -> dict[str, str]:
    """Return the explanation of each arm, the sentence about the odds in its place in all of them."""
    if explanations is None:
        return {}
    options = design.questions[design.arms[arm_of(design, explanations)]].options
    sentence = _odds_sentence(odds)
    return {
        f"explained_{arm}": text_in(explanations["texts"][option], language).replace(ODDS, sentence)
        for arm, option in enumerate(options)
    }


def _odds_sentence(odds: list[Promise]) -> str:
    """Return the promise, of each strength where there are two."""
    names = [_("Strongly disguised"), _("Lightly disguised")] if len(odds) > 1 else []
    said = [promise_sentence(each) for each in odds]
    return " ".join(f"{name}: {each}" for name, each in zip(names, said, strict=True)) if names else said[0]


def has_right(wording: Mapping[str, Any]) -> bool:
    """Return whether a question of a version has a right answer."""
    return any(RIGHT in question for block in wording["blocks"] for question in block["questions"])


def again_texts(odds: list[Promise] | None = None) -> dict[str, str]:
    """Return what is shown after another answer than the right one, with the odds of a survey."""
    once_more = _("Your device sends your answer, or one that it makes up. A “yes” proves nothing about you.")
    return {
        "again_title": _("Once more, in short"),
        "again": "\n".join([once_more, *([_odds_sentence(odds)] if odds else [])]),
    }


def right_answer(question: Mapping[str, Any]) -> dict[str, int]:
    """Return the position of the right option of a question; nothing where no answer is right."""
    if RIGHT not in question:
        return {}
    return {RIGHT: [option["key"] for option in question["options"]].index(question[RIGHT])}


def wordings_by_arm(question: Mapping[str, Any], language: str, design: Design) -> dict[str, Any]:
    """Return the texts by arm of a question, and which question of arms decides; nothing without."""
    stated = question.get(WORDINGS)
    if stated is None:
        return {}
    arm = arm_of(design, stated)
    options = design.questions[design.arms[arm]].options
    texts = [text_in(stated["texts"][option], language) for option in options]
    return {WORDINGS: {"arm": arm, "texts": texts}}
