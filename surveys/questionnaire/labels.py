"""Labels of items for staff, and summaries of designs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.risk.budget import binding_bounds, budget
from privacy.survey.design import STRENGTH, Block, Design
from surveys.formats.figures import number
from surveys.models import Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.arms import WORDINGS
from surveys.questionnaire.composites import COMPONENTS
from surveys.questionnaire.languages import list_text, text_in
from surveys.questionnaire.rule_words import rules_in_words

JOIN = " & "
LONGEST_TEXT: Final = 200
"""Maximum length of a search text."""

MADE_UP: Final = re.compile(r"question-\d+")
"""Keys that the builder generated, as in `isMadeUp` of authoring/keys.js."""

LONGEST_NAME: Final = 40
"""Number of characters of a question's text that tables show."""


@dataclass(frozen=True, kw_only=True)
class ItemLabel:
    """Names of one item for the report.

    Attributes
    ----------
    index : int
        Its column in the design.
    key : str
        Name in files and on the command line: ``"affair"``, ``"age=25-29"``.
    short : str
        ``"affair"``, ``"age: 25 to 29"``; uses the question's short name if its plan has one.
    name : str
        Name in sentences: the question's short name and the option; empty without a short name.
    question : str
        The question's key; `text` is its wording, and `option` that of the option.
    protected : bool
        Whether the answer is disguised.
    """

    index: int
    key: str
    short: str
    question: str
    text: str
    option: str
    protected: bool
    name: str = ""

    @property
    def answer(self) -> str:
        """The option, or yes."""
        return self.option or _("yes")


@dataclass(frozen=True, kw_only=True)
class Labels:
    """The labels of a design's items in one language."""

    items: tuple[ItemLabel, ...]

    def short(self, items: Iterable[int]) -> str:
        """Name an itemset as pages do."""
        return list_text(self.items[item].short for item in items)

    def choices(self) -> list[tuple[int, str]]:
        """Return index and name of each item, for a form field."""
        return [(item.index, item.short) for item in self.items]

    def keys(self, items: Iterable[int]) -> str:
        """Name an itemset as in files and known truths: its keys joined by " & "."""
        return JOIN.join(self.items[item].key for item in items)


def labels_of(version: Version, design: Design) -> Labels:
    """Return the labels of a version in the page's language."""
    wordings = [question for block in version.wording["blocks"] for question in block["questions"]]
    own_names = short_names(version)
    names = _short_names(design, [text_in(wording["text"]) for wording in wordings], own_names)
    labels = []
    for item in design.items:
        question, wording = design.questions[item.question], wordings[item.question]
        options = wording.get("options") or ()
        option = text_in(options[item.option]["text"]) if options else ""
        name = own_names.get(question.key, "")
        labels.append(
            ItemLabel(
                index=item.index,
                key=item.key,
                short=answer_name(names[item.question], option),
                question=question.key,
                text=text_in(wording["text"]),
                option=option,
                protected=design.blocks[item.block].protected,
                name=f"{name} – {option}" if name and option else name,
            )
        )
    return Labels(items=tuple(labels))


def answer_name(question: str, option: str) -> str:
    """Name an answer by its question and option.

    >>> answer_name("age", "25 to 29")
    'age: 25 to 29'
    """
    return _("%(question)s: %(option)s") % {"question": question, "option": option} if option else question


def short_names(version: Version) -> Mapping[str, str]:
    """Return the short names of questions in a version's plan, by key."""
    aim = Aim.from_json(version.aim)
    return aim.labels if aim else {}


def _start(text: str) -> str:
    text = text.rstrip("?？ ")
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1].rstrip()}…"


def _short_names(design: Design, texts: Sequence[str], own_names: Mapping[str, str]) -> list[str]:
    """Return the name of each question: its short name, else its key; its text if the key was generated.

    If several questions share a name, their keys are added.
    """
    names = [
        own_names.get(question.key) or (_start(text) if MADE_UP.fullmatch(question.key) else question.key)
        for question, text in zip(design.questions, texts, strict=True)
    ]
    return [
        name if names.count(name) == 1 else f"{name} ({question.key})"
        for question, name in zip(design.questions, names, strict=True)
    ]


@dataclass(frozen=True, kw_only=True)
class QuestionName:
    """A question's name in tables and pictures, with its meaning.

    Attributes
    ----------
    key : str
        The name.
    text : str
        The text of the question.
    answers : tuple of (str, str)
        The keys of the question's items, as in files and expressions, and their meaning: an option or "yes".
        Empty for numbers and places without items.
    """

    key: str
    text: str
    answers: tuple[tuple[str, str], ...]


def question_names(version: Version, design: Design) -> tuple[QuestionName, ...]:
    """Return the names of a version's questions in the page's language, in the order of the design."""
    answers: dict[int, list[tuple[str, str]]] = {}
    for label, item in zip(labels_of(version, design).items, design.items, strict=True):
        answers.setdefault(item.question, []).append((item.key, label.answer))
    wordings = (question for block in version.wording["blocks"] for question in block["questions"])
    return tuple(
        QuestionName(key=question.key, text=text_in(wording["text"]), answers=tuple(answers.get(number, ())))
        for number, (question, wording) in enumerate(zip(design.questions, wordings, strict=True))
    )


def part_titles(version: Version, language: str | None = None) -> dict[str, str]:
    """Return the title, else the key, of each part by key; by default in the page's language."""
    blocks = version.wording["blocks"]
    return {block["key"]: text_in(block.get("title"), language) or block["key"] for block in blocks}


def asked_parts(version: Version, design: Design, language: str | None = None) -> list[dict[str, Any]]:
    """Return the parts with their questions, as respondents read them in a language."""
    titles = part_titles(version, language)
    asked = {each["key"]: each for part in version.wording["blocks"] for each in part["questions"]}
    rules = rules_in_words(design, version.wording, language)
    answers = {
        (key, option["key"]): text_in(option["text"], language)
        for key, each in asked.items()
        for option in each.get("options") or ()
    }
    return [
        {
            "block": block,
            "title": titles[block.key],
            "condition": block.asked_if,
            "terms": [
                (
                    text_in(asked[term.question]["text"], language),
                    # The answers yes and no have no texts of their own.
                    [answers.get((term.question, key)) or _(key) for key in term.options],
                )
                for term in (block.asked_if.terms if block.asked_if else ())
            ],
            "questions": [
                {
                    "key": question.key,
                    "kind": question.kind,
                    "text": text_in(wording["text"], language),
                    "help": text_in(wording.get("help"), language),
                    # Items of a number or a place are set by the researcher and never shown to respondents.
                    "options": [
                        text_in(option["text"], language)
                        for option in wording.get("options") or ()
                        if question.disguise is None
                    ],
                    "rule": rules.get(question.key),
                }
                for question, wording in zip(block.questions, texts["questions"], strict=True)
            ],
        }
        for block, texts in zip(design.blocks, version.wording["blocks"], strict=True)
    ]


def about_names() -> dict[str, str]:
    """Return the heading of each text about the survey."""
    return {
        "researcher": _("Researcher"),
        "purpose": _("Purpose"),
        "ethics": _("Ethics reference"),
        "contact": _("Contact"),
        "retention": _("How long answers are kept"),
        "age_limit": _("Who may answer"),
        "help": _("If these questions weigh on you"),
        "population": _("Target population"),
        "frame": _("Frame"),
        "undisguised": _("Why some answers are sent undisguised"),
    }


def about_texts(version: Version, language: str | None = None) -> dict[str, str]:
    """Return the texts about a survey, such as its purpose, in a language; by default the page's."""
    return {name: text_in(texts, language) for name, texts in version.wording.get("about", {}).items()}


def find_items(labels: Labels, word: str) -> tuple[int, ...]:
    """Return the items whose key, question or answer contains a word, ignoring case."""
    needle = word.casefold()
    return tuple(
        item.index
        for item in labels.items
        if any(needle in text.casefold() for text in (item.key, item.short, item.text, item.option))
    )


def pack_items(items: Iterable[int]) -> str:
    """Encode an itemset for the database; commas on both sides let ``LIKE`` find an item.

    >>> pack_items((3, 17))
    ',3,17,'
    """
    return "," + "".join(f"{item}," for item in items)


def unpack_items(text: str) -> tuple[int, ...]:
    """Parse the output of `pack_items`.

    >>> unpack_items(",3,17,"), unpack_items(",")
    ((3, 17), ())
    """
    return tuple(int(item) for item in text.strip(",").split(",") if item)


def asked_words(wording: Mapping[str, Any]) -> dict[tuple[str, ...], str]:
    """Return the texts of questions and answers that respondents read, by keys and language."""
    texts: dict[tuple[str, ...], str] = {}
    for question in (question for block in wording["blocks"] for question in block["questions"]):
        parts = {"": question["text"], "unit": question.get("unit")}
        parts |= {option["key"]: option["text"] for option in question["options"]}
        for component in question.get(COMPONENTS, ()):
            name = f"component {component['key']}"
            parts |= {name: component["text"], f"{name} unit": component.get("unit")}
            parts |= {f"{name} {option['key']}": option["text"] for option in component["options"]}
        parts |= {f"arm {arm}": each for arm, each in question.get(WORDINGS, {}).get("texts", {}).items()}
        for part, by_language in parts.items():
            texts |= {(question["key"], part, tag): text for tag, text in (by_language or {}).items()}
    return texts


@dataclass(frozen=True, kw_only=True)
class StrengthLine:
    """Cost of a block at one strength: p, γ, ε."""

    truth_probability: str
    amplification: str
    epsilon: str


@dataclass(frozen=True, kw_only=True)
class BlockLine:
    """Questions of one block, and its cost to respondents.

    Attributes
    ----------
    light : StrengthLine or None
        Cost at the light strength; None if there is no second strength.
    per_person : int or None
        Number of its questions that each person is asked; None for all of them.
    is_counted : bool
        Whether the sum includes its epsilon. The sum excludes a place that is sent exactly outside sensitive
        areas, an anchor, and all but the largest epsilons of rotating parts (as many as a person is asked).
    """

    key: str
    title: str
    protected: bool
    truth_probability: str
    exact_outside: bool
    epsilon: str
    amplification: str
    skip: str
    light: StrengthLine | None
    questions: tuple[QuestionName, ...]
    per_person: int | None = None
    is_counted: bool = False
    is_anchor: bool = False


def block_lines(version: Version, design: Design) -> tuple[BlockLine, ...]:
    """Return the questions and the cost of each block, in the page's language."""
    titles = part_titles(version)
    names = iter(question_names(version, design))
    bounds = {block.key: block for block in budget(design).blocks}
    sum_keys = {bound.key for bound in binding_bounds(bounds.values(), design.rotations)}
    lights = _light_lines(design)
    return tuple(
        BlockLine(
            key=block.key,
            title=titles[block.key],
            protected=block.protected,
            truth_probability=_truth(block),
            exact_outside=block.protected and bounds[block.key].exact_outside,
            epsilon=number(bounds[block.key].epsilon, 2) if block.protected else "",
            amplification=number(_float(bounds[block.key].amplification), 1) if block.protected else "",
            skip=number(block.refusal / SCALE, 2) if block.refusal else "",
            light=lights.get(block.key),
            questions=tuple(islice(names, len(block.questions))),
            per_person=block.questions_per_person,
            is_counted=block.key in sum_keys,
            is_anchor=block.is_anchor,
        )
        for block in design.blocks
    )


def _light_lines(design: Design) -> dict[str, StrengthLine]:
    light = design.in_group(direct=True) if design.has_two_strengths else None
    if light is None:
        return {}
    blocks = {block.key: block for block in light.blocks}
    return {
        bound.key: StrengthLine(
            truth_probability=_truth(blocks[bound.key]),
            amplification=number(_float(bound.amplification), 1),
            epsilon=number(bound.epsilon, 2),
        )
        for bound in budget(light).blocks
    }


def light_epsilon(design: Design) -> str:
    """Return the epsilon of the light strength; empty if there is only one strength."""
    light = design.in_group(direct=True) if design.has_two_strengths else None
    return "" if light is None else number(budget(light).epsilon, 2)


def _truth(block: Block) -> str:
    return number(block.truth_probability / SCALE, 2) if block.has_coin else ""


def policy_text(design: Design) -> str:
    """Describe whose answers are disguised, and how strongly."""
    if design.group.policy == "protected":
        return _("everyone protected")
    share = number((design.group.direct_share or 0) / SCALE, 2)
    if design.has_two_strengths:
        if design.group.policy == "choice":
            return _(
                "each respondent chooses a strong or a light disguise, and the choice is sent undisguised"
            )
        if design.invited == STRENGTH:
            return _("the invitation decides: lightly disguised with probability %(share)s") % {
                "share": share
            }
        return _(
            "the device draws: lightly disguised with probability %(share)s; reloading the page "
            "draws again, so the groups can differ in who reloaded"
        ) % {"share": share}
    if design.group.policy == "choice":
        return _("each respondent chooses the direct or the protected group")
    return _(
        "the device draws: direct with probability %(share)s; reloading the page draws again, so "
        "the groups can differ in who reloaded"
    ) % {"share": share}


def _float(value: object) -> float | None:
    return None if value is None else float(value)  # type: ignore[arg-type]  # a Fraction
