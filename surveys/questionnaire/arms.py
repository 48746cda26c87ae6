"""Experiments inside a survey: questions of arms in a definition, and the texts that depend on an arm."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.policy import MOST_ARMS
from privacy.risk.promise import promise
from privacy.survey.design import Design, Question
from surveys.questionnaire.node import Node, questions_of

__all__ = [
    "ARM",
    "EXPLANATIONS",
    "INVITED",
    "ODDS",
    "WORDINGS",
    "check_arm_texts",
    "is_arm",
    "read_arm",
    "read_arm_texts",
    "with_invited",
]

ARM: Final = "arm"
"""The kind of a question that a device answers at random. Its design is a single choice with shares."""

EXPLANATIONS: Final = "explanations"
INVITED: Final = "invited"
"""Member of a definition: what the invitation decides instead of the device."""

WORDINGS: Final = "wordings"

ODDS: Final = "{odds}"
"""Placeholder in each explanation for the sentence about the odds, which is the same in all."""

_MEMBERS: Final = {
    "bad_key": "key",
    "too_few_options": "options",
    "duplicate_key": "options",
    "arms": "options",
}


def is_arm(document: object) -> bool:
    """Return whether the device draws the answer to a question of a definition."""
    return isinstance(document, dict) and document.get("kind") == ARM


def read_arm(stated: Node, *, protected: bool) -> tuple[Question, dict[str, Any]] | None:
    """Return a question of arms with its wording, or None after noting the problem.

    It has no text for respondents; staff pages show the keys of it and its options.
    """
    if protected:
        stated.wrong(
            _("the arm of an experiment is drawn, and stands in a protected part"),
            _("put it alone into a part that is sent as it is"),
        )
        return None
    if not stated.has_members(("key", "kind", "options")):
        return None
    arms = stated.at("options")
    options = [entry.value for entry in arms.entries(most=MOST_ARMS) if entry.has_members(("key", "share"))]
    if stated.has_problems():
        return None
    try:
        design = Question(
            key=stated.value["key"],
            kind="single",
            options=tuple(option["key"] for option in options),
            unrelated=(),
            shares=tuple(option["share"] for option in options),
        )
    except PrivacyError as error:
        stated.note_refusal(error, _MEMBERS)
        return None
    if not design.is_arm:
        arms.wrong(_("there is no arm"), _("give two or more, each with its key and its share"))
        return None
    names = {key: dict.fromkeys(stated.languages, key) for key in (design.key, *design.options)}
    return design, {
        "key": design.key,
        "text": names[design.key],
        "help": None,
        "options": [{"key": option, "text": names[option]} for option in design.options],
        "prevalence": [],
    }


def with_invited(design: Design, stated: Node) -> Design | None:
    """Return the design in which the invitation decides one question of arms, or the strength; else None."""
    try:
        return replace(design, invited=stated.value, mechanism=0)
    except PrivacyError as error:
        stated.note_refusal(error)
        return None


def read_arm_texts(stated: Node) -> dict[str, Any] | None:
    """Return the texts by arm that a definition states; whether the arms exist is checked later."""
    if stated.value is None or not stated.has_members(("question", "texts")):
        return None
    question, texts = stated.value["question"], stated.at("texts")
    if not isinstance(texts.value, dict) or not isinstance(question, str):
        stated.wrong(
            _("%(value)s gives no texts by arm"),
            _('write {"question": …, "texts": {"arm": {"en": "…"}, …}}'),
        )
        return None
    return {"question": question, "texts": {option: texts.at(option).text() for option in texts.value}}


def check_arm_texts(survey: Node, design: Design) -> None:
    """Note texts of arms that do not exist, and explanations that leave out the odds."""
    explanations = survey.at(EXPLANATIONS)
    for stated in (explanations, *(question.at(WORDINGS) for _block, question in questions_of(survey))):
        if stated.value is not None:
            _check_arms(stated, design)
    if explanations.value is None:
        return
    if promise(design.in_group(direct=False) or design) is None:
        explanations.wrong(
            _("no part is disguised within a limit, so there are no odds to explain"),
            _("leave them out, or protect a part"),
        )
    for option, text in explanations.value["texts"].items():
        for language, said in text.items():
            if not isinstance(said, str) or said.count(ODDS) != 1:
                explanations.at("texts").at(option).at(language).wrong(
                    _("this explanation leaves out the odds, or says them twice"),
                    _(
                        "write %(odds)s once, where the sentence about the odds has to stand: it is the same "
                        "in all"
                    ),
                    odds=ODDS,
                )


def _check_arms(stated: Node, design: Design) -> None:
    arms = {design.questions[number].key: design.questions[number].options for number in design.arms}
    question, texts = stated.at("question"), stated.at("texts")
    options = arms.get(question.value)
    if options is None:
        question.wrong(
            _("%(value)s is no question of arms"),
            _("name one of: %(names)s"),
            names=", ".join(arms) or "–",
        )
    elif set(texts.value) != set(options):
        texts.wrong(
            _("the texts are not those of the arms: %(value)s"),
            _("write one for each of: %(names)s"),
            value=", ".join(texts.value) or "–",
            names=", ".join(options),
        )
