"""Names of items, questions and parts for staff."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.survey.composed_block import shared_filters
from privacy.survey.design import Design
from surveys.formats.joints import answer_text, cut_name, list_text
from surveys.models import Version
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.composites import COMPONENTS
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.part_names import part_names
from surveys.questionnaire.rule_words import computed_from

JOIN = " & "

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

    @property
    def title(self) -> str:
        """Its name in pictures: the short name, or else the question with its answer."""
        return self.name or f"{self.text} {self.answer}"


@dataclass(frozen=True, kw_only=True)
class Labels:
    """The labels of a design's items in one language.

    Attributes
    ----------
    items : tuple of ItemLabel
    shared : mapping of frozenset to tuple of str
        By the keys of two composite questions, the texts of the filters that they share.
    """

    items: tuple[ItemLabel, ...]
    shared: Mapping[frozenset[str], tuple[str, ...]] = field(default_factory=dict)

    def common_filters(self, items: Iterable[int], others: Iterable[int]) -> list[str]:
        """Return the texts of the filters that decide about questions of both sets of items, each once."""
        pairs = itertools.product(*({self.items[item].question for item in side} for side in (items, others)))
        return [*dict.fromkeys(text for pair in pairs for text in self.shared.get(frozenset(pair), ()))]

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
                name=answer_text(name, option) if name and option else name,
            )
        )
    return Labels(items=tuple(labels), shared=_filters_of_pairs(design, wordings))


def _filters_of_pairs(
    design: Design, wordings: Iterable[Mapping[str, Any]]
) -> dict[frozenset[str], tuple[str, ...]]:
    texts = {part["key"]: text_in(part["text"]) for own in wordings for part in own.get(COMPONENTS, ())}
    found: dict[frozenset[str], tuple[str, ...]] = {}
    for block in design.blocks:
        for key, positions in shared_filters(block).items():
            for pair in itertools.combinations(positions, 2):
                keys = frozenset(block.questions[position].key for position in pair)
                found[keys] = (*found.get(keys, ()), texts[key])
    return found


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
    return cut_name(text, LONGEST_NAME)


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
    computed : str
        From how many questions devices compute the answer; empty for other questions.
    """

    key: str
    text: str
    answers: tuple[tuple[str, str], ...]
    computed: str = ""


def question_names(version: Version, design: Design) -> tuple[QuestionName, ...]:
    """Return the names of a version's questions in the page's language, in the order of the design."""
    answers: dict[int, list[tuple[str, str]]] = {}
    for label, item in zip(labels_of(version, design).items, design.items, strict=True):
        answers.setdefault(item.question, []).append((item.key, label.answer))
    wordings = (question for block in version.wording["blocks"] for question in block["questions"])
    return tuple(
        QuestionName(
            key=question.key,
            text=text_in(wording["text"]),
            answers=tuple(answers.get(number, ())),
            computed=computed_from(question.computed),
        )
        for number, (question, wording) in enumerate(zip(design.questions, wordings, strict=True))
    )


def part_titles(version: Version, language: str | None = None) -> dict[str, str]:
    """Return what each part is called, by key; by default in the page's language."""
    return part_names(version.wording["blocks"], language)


def find_items(labels: Labels, word: str) -> tuple[int, ...]:
    """Return the items whose key, question or answer contains a word, ignoring case."""
    needle = word.casefold()
    return tuple(
        item.index
        for item in labels.items
        if any(needle in text.casefold() for text in (item.key, item.short, item.text, item.option))
    )
