"""Experiments inside a survey: questions of arms in a definition, and the texts that hang on an arm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.policy import MOST_ARMS
from privacy.risk.promise import promise
from privacy.survey.design import Design, Question
from surveys.errors.core_refusals import in_words
from surveys.errors.error import shown
from surveys.questionnaire.problems import Problems, joined
from surveys.questionnaire.texts import TextReader

__all__ = [
    "ARM",
    "EXPLANATIONS",
    "INVITED",
    "ODDS",
    "WORDINGS",
    "check_arm_texts",
    "is_arm",
    "is_arm_block",
    "read_arm",
    "read_arm_texts",
    "with_invited",
]

ARM: Final = "arm"
"""The kind of a question that a device answers by chance. Its design is a single choice with shares."""

EXPLANATIONS: Final = "explanations"
INVITED: Final = "invited"
"""Member of a definition: what the invitation decides in place of the device."""

WORDINGS: Final = "wordings"

ODDS: Final = "{odds}"
"""Stands in each explanation for what is said of the odds: that sentence is Sotto's, and the same in all."""

_MEMBERS: Final = {
    "bad_key": "key",
    "too_few_options": "options",
    "duplicate_key": "options",
    "arms": "options",
}


def is_arm(document: object) -> bool:
    """Return whether a question of a definition is drawn by the device."""
    return isinstance(document, dict) and document.get("kind") == ARM


def is_arm_block(block: Mapping[str, Any]) -> bool:
    """Return whether devices draw the answer of a block of a stored design: the arm of an experiment."""
    return "shares" in block["questions"][0]


def read_arm(
    document: object, path: str, texts: TextReader, problems: Problems, *, protected: bool
) -> tuple[Question, dict[str, Any]] | None:
    """Return a question of arms with its wording, or None after noting why there is none.

    It has no text for respondents: pages for staff call it and its options by their keys.
    """
    if protected:
        problems.add(
            path,
            _("the arm of an experiment is drawn, and stands in a protected part"),
            _("put it alone into a part that is sent as it is"),
        )
        return None
    question = problems.members(document, path, needed=("key", "kind", "options"))
    if question is None:
        return None
    here = joined(path, "options")
    options = [
        option
        for number, entry in enumerate(problems.entries(question["options"], here, most=MOST_ARMS))
        if (option := problems.members(entry, f"{here}[{number}]", needed=("key", "share"))) is not None
    ]
    if problems.below(path):
        return None
    try:
        design = Question(
            key=question["key"],
            kind="single",
            options=tuple(option["key"] for option in options),
            unrelated=(),
            shares=tuple(option["share"] for option in options),
        )
    except PrivacyError as error:
        member = _MEMBERS.get(error.code)
        problems.add(joined(path, member) if member else path, *in_words(error))
        return None
    if not design.is_arm:
        problems.add(here, _("there is no arm"), _("give two or more, each with its key and its share"))
        return None
    return design, {
        "key": design.key,
        "text": _named(design.key, texts),
        "help": None,
        "options": [{"key": option, "text": _named(option, texts)} for option in design.options],
        "prevalence": [],
    }


def with_invited(design: Design, stated: object, problems: Problems) -> Design | None:
    """Return the design of which the invitation decides one question of arms, or the strength; else None."""
    try:
        return replace(design, invited=stated, mechanism=0)  # type: ignore[arg-type]  # refused if no text
    except PrivacyError as error:
        problems.add(INVITED, *in_words(error))
        return None


def _named(key: str, texts: TextReader) -> dict[str, str]:
    return dict.fromkeys(texts.languages, key)


def read_arm_texts(
    document: object, path: str, texts: TextReader, problems: Problems
) -> dict[str, Any] | None:
    """Return the texts by arm that a definition states at `path`; whether the arms exist is checked later."""
    stated = problems.members(document, path, needed=("question", "texts"))
    if stated is None:
        return None
    if not isinstance(stated["texts"], dict) or not isinstance(stated["question"], str):
        problems.add(
            path,
            _("%(value)s gives no texts by arm") % {"value": shown(document)},
            _('write {"question": …, "texts": {"arm": {"en": "…"}, …}}'),
        )
        return None
    read = {option: texts.text(text, f"{path}.texts.{option}") for option, text in stated["texts"].items()}
    return {"question": stated["question"], "texts": read}


def check_arm_texts(wording: Mapping[str, Any], design: Design, problems: Problems) -> None:
    """Note texts of arms that do not exist, and explanations that leave out the odds."""
    for path, stated in _placed(wording):
        _check_arms(stated, path, design, problems)
    explanations = wording.get(EXPLANATIONS)
    if explanations is None:
        return
    if promise(design.in_group(direct=False) or design) is None:
        problems.add(
            EXPLANATIONS,
            _("no part is disguised within a limit, so there are no odds to explain"),
            _("leave them out, or protect a part"),
        )
    for option, text in explanations["texts"].items():
        for language, said in text.items():
            if not isinstance(said, str) or said.count(ODDS) != 1:
                problems.add(
                    f"{EXPLANATIONS}.texts.{option}.{language}",
                    _("this explanation leaves out the odds, or says them twice"),
                    _(
                        "write %(odds)s once, where the sentence about the odds has to stand: it is the same "
                        "in all"
                    )
                    % {"odds": ODDS},
                )


def _check_arms(stated: Mapping[str, Any], path: str, design: Design, problems: Problems) -> None:
    arms = {design.questions[number].key: design.questions[number].options for number in design.arms}
    options = arms.get(stated["question"])
    if options is None:
        problems.add(
            joined(path, "question"),
            _("%(value)s is no question of arms") % {"value": shown(stated["question"])},
            _("name one of: %(names)s") % {"names": ", ".join(arms) or "–"},
        )
    elif set(stated["texts"]) != set(options):
        problems.add(
            joined(path, "texts"),
            _("the texts are not those of the arms: %(value)s")
            % {"value": ", ".join(stated["texts"]) or "–"},
            _("write one for each of: %(names)s") % {"names": ", ".join(options)},
        )


def _placed(wording: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    if EXPLANATIONS in wording:
        yield EXPLANATIONS, wording[EXPLANATIONS]
    for block, part in enumerate(wording["blocks"]):
        for number, question in enumerate(part["questions"]):
            if WORDINGS in question:
                yield f"blocks[{block}].questions[{number}].{WORDINGS}", question[WORDINGS]
