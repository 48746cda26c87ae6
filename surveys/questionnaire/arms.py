"""Experiments: questions that assign an arm, and texts that depend on the arm."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.policy import MOST_ARMS
from privacy.risk.amplification import promise
from privacy.survey.design import MOST_QUESTIONS, Design, Question
from surveys.formats.joints import list_text
from surveys.questionnaire.document import Node, questions_of

ARM: Final = "arm"
"""Kind of a question that a device answers at random. In the design it is a single choice with shares."""

EXPLANATIONS: Final = "explanations"
INVITED: Final = "invited"
"""Member of a definition that names what invitations decide instead of devices."""

WORDINGS: Final = "wordings"

ODDS: Final = "{odds}"
"""Placeholder for the sentence about the odds, which is the same in every explanation."""

_MEMBERS: Final = {
    "bad_key": "key",
    "too_few_options": "options",
    "duplicate_key": "options",
    "arms": "options",
}


def is_arm(document: object) -> bool:
    """Return whether devices draw the answer to this question."""
    return isinstance(document, dict) and document.get("kind") == ARM


def read_arm(node: Node, *, protected: bool) -> tuple[Question, dict[str, Any]] | None:
    """Return a question that assigns arms, with its wording; None after noting the problem.

    It has no text for respondents; staff pages show its key and those of its options.
    """
    if protected:
        node.wrong(
            _("the question that assigns people to groups is in a protected part"),
            _("put it alone into a part that is not protected"),
        )
        return None
    if not node.has_members(("key", "kind", "options")):
        return None
    arms = node.at("options")
    options = [entry.value for entry in arms.entries(most=MOST_ARMS) if entry.has_members(("key", "share"))]
    if node.has_problems():
        return None
    try:
        design = Question(
            key=node.value["key"],
            kind="single",
            options=tuple(option["key"] for option in options),
            unrelated=(),
            shares=tuple(option["share"] for option in options),
        )
    except PrivacyError as error:
        node.note_refusal(error, _MEMBERS)
        return None
    if not design.is_arm:
        arms.wrong(_("the question has no arms"), _("give two or more, each with its key and its share"))
        return None
    names = {key: dict.fromkeys(node.languages, key) for key in (design.key, *design.options)}
    return design, {
        "key": design.key,
        "text": names[design.key],
        "help": None,
        "options": [{"key": option, "text": names[option]} for option in design.options],
        "prevalence": [],
    }


def with_invited(design: Design, node: Node) -> Design | None:
    """Return the design with invitations that decide an arm or the strength; None after noting a problem."""
    try:
        return replace(design, invited=node.value, mechanism=0)
    except PrivacyError as error:
        node.note_refusal(error)
        return None


def read_arm_texts(node: Node) -> dict[str, Any] | None:
    """Return a definition's texts by arm; `check_arm_texts` checks later whether the arms exist."""
    if node.value is None or not node.has_members(("question", "texts")):
        return None
    question, texts = node.value["question"], node.at("texts")
    if not isinstance(texts.value, dict) or not isinstance(question, str):
        node.wrong(
            _("%(value)s gives no texts by arm"), _('write {"question": …, "texts": {"arm": {"en": "…"}, …}}')
        )
        return None
    return {"question": question, "texts": {option: texts.at(option).text() for option in texts.value}}


def check_arm_texts(survey: Node, design: Design) -> None:
    """Note texts for unknown arms, and explanations without the odds."""
    explanations = survey.at(EXPLANATIONS)
    stems = survey.at("stems").entries(most=MOST_QUESTIONS) if survey.value.get("stems") else ()
    worded = (*stems, *(question for _block, question in questions_of(survey)))
    for node in (explanations, *(each.at(WORDINGS) for each in worded)):
        if node.value is not None:
            _check_arms(node, design)
    if explanations.value is None:
        return
    if promise(design.in_group(direct=False) or design) is None:
        explanations.wrong(
            _("no part has a disguise with a limit, so there are no odds to explain"),
            _("leave them out, or protect a part"),
        )
    for option, text in explanations.value["texts"].items():
        for language, wording in text.items():
            if not isinstance(wording, str) or wording.count(ODDS) != 1:
                explanations.at("texts").at(option).at(language).wrong(
                    _("this explanation must contain the odds exactly once"),
                    _(
                        "write %(odds)s exactly once, where the sentence about the odds belongs. "
                        "It is the same in all languages"
                    ),
                    odds=ODDS,
                )


def _check_arms(node: Node, design: Design) -> None:
    arms = {design.questions[number].key: design.questions[number].options for number in design.arms}
    question, texts = node.at("question"), node.at("texts")
    options = arms.get(question.value)
    if options is None:
        question.wrong(
            _("not a question that defines arms: %(value)s"),
            _("name one of: %(names)s"),
            names=list_text(arms) or "–",
        )
    elif set(texts.value) != set(options):
        texts.wrong(
            _("the texts do not match the arms: %(value)s"),
            _("write one for each of: %(names)s"),
            value=list_text(texts.value) or "–",
            names=list_text(options),
        )
