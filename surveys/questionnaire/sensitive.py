"""Choose which questions of a draft are disguised, and add ready-made parts and tables of questions."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.errors import PrivacyError
from privacy.planning.plan import free_key
from privacy.survey.anchors import ANCHOR_TEXTS, ANCHOR_TITLE, anchor_key
from privacy.survey.block import Block, default_refusal
from privacy.survey.question import Anchor, Question
from surveys.questionnaire.arms import TRUST_ITEM
from surveys.questionnaire.composites import COMPUTED, open_references
from surveys.questionnaire.document import Node
from surveys.questionnaire.kinds import MATRIX, RIGHT
from surveys.questionnaire.part_names import own_title, titled
from surveys.questionnaire.stated_kinds import kind_of
from surveys.questionnaire.stems import STEM

OF_A_COIN: Final = (
    "truth_probability",
    "light",
    "refusal",
    "no_skip",
    "exclusive",
    "questions_per_person",
    "booklets",
)
"""Members that a part has only if its questions share a coin."""

_STRENGTH: Final = ("truth_probability", "refusal", "no_skip")


def choosable_questions(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the questions that can be switched.

    All except places, arms of an experiment, composite questions, which cannot be open, and the open
    questions on which the rule of a composite question depends, which cannot be disguised.
    """
    questions = [question for entry in document["blocks"] for question in entry["questions"]]
    used = {key for question in questions for key in open_references(question)}
    return [
        question
        for question in questions
        if kind_of(question).can_be_switched and COMPUTED not in question and question["key"] not in used
    ]


def with_sensitive(document: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """Return a document in which exactly these of the switchable questions are disguised.

    A part that depends on a newly disguised question is asked of everyone, because asking it reveals the
    answer. Parts in which only some questions change are split; the order of questions is kept. A new part is
    disguised so strongly that it reveals little, until the layout sets its strength. Skippable questions stay
    skippable. A newly disguised question is skippable unless the draft says why its disguised questions are
    not.
    """
    choosable = {question["key"] for question in choosable_questions(document)}
    newly = {
        question["key"]
        for entry in document["blocks"]
        for question in entry["questions"]
        if not entry["protected"] and question["key"] in choosable & set(keys)
    }
    document = relaxed_document(document, newly)
    protected_ones = [entry for entry in document["blocks"] if entry["protected"]]
    skips = not any(entry.get("no_skip") and not entry.get("refusal") for entry in protected_ones)
    blocks: list[dict[str, Any]] = []
    for entry in document["blocks"]:

        def is_protected(question: Mapping[str, Any], entry: Mapping[str, Any] = entry) -> bool:
            return question["key"] in keys if question["key"] in choosable else bool(entry["protected"])

        states = {is_protected(question) for question in entry["questions"]}
        if states <= {entry["protected"]}:
            blocks.append(entry)
            continue
        used_keys = {block["key"] for block in [*document["blocks"], *blocks]} - {entry["key"]}
        for is_disguised, run in itertools.groupby(entry["questions"], key=is_protected):
            part = _part(entry, list(run), document, protected=is_disguised, keys=used_keys)
            if is_disguised:
                may_skip = bool(entry.get("refusal")) if entry["protected"] else skips
                kept = {name: entry[name] for name in _STRENGTH if entry.get(name)}
                part |= starting_disguise(part, skips=may_skip) | kept
            used_keys.add(part["key"])
            blocks.append(part)
    result = {**document, "blocks": blocks}
    protected_keys = {block["key"] for block in blocks if block["protected"]}
    rotations = [each for each in document.get("rotations") or [] if set(each["blocks"]) <= protected_keys]
    without = {name: value for name, value in result.items() if name != "rotations"}
    return without | ({"rotations": rotations} if rotations else {})


def relaxed_document(document: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """Return a document in which no part depends on these questions: everyone is asked instead."""
    blocks = []
    for entry in document["blocks"]:
        condition = without_questions(entry.get("asked_if"), keys)
        without = {name: value for name, value in entry.items() if name != "asked_if"}
        blocks.append(
            entry
            if condition == entry.get("asked_if")
            else without | ({"asked_if": condition} if condition else {})
        )
    return {**document, "blocks": blocks}


def dependents(document: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """Return the questions of the parts that depend on a question."""
    return [
        question
        for entry in document["blocks"]
        if key in names_in(entry.get("asked_if"))
        for question in entry["questions"]
    ]


def _part(
    entry: Mapping[str, Any],
    questions: list[dict[str, Any]],
    document: Mapping[str, Any],
    *,
    protected: bool,
    keys: set[str],
) -> dict[str, Any]:
    part = {name: value for name, value in entry.items() if name not in OF_A_COIN}
    part |= {"key": free_key(entry["key"], keys), "protected": protected}
    part["questions"] = [kind_of(each).switch(each, protected=protected) for each in questions]
    return titled(part, own_title(entry, document))


def starting_disguise(part: Mapping[str, Any], *, skips: bool) -> dict[str, Any]:
    """Return the skip and truth probability of a newly disguised part; the plan sets the latter."""
    kind = kind_of(part["questions"][0])
    if kind.is_scale:
        return {"refusal": kind.least_refusal} if skips else {}
    block = _complete_block(part)
    refusal = 1 if block is None else default_refusal(block)
    return ({"refusal": refusal} if skips else {}) | {"truth_probability": SCALE // 100}


def _complete_block(part: Mapping[str, Any]) -> Block | None:
    """Return the part as a block without probabilities; None if a question is incomplete."""
    try:
        questions = tuple(
            Question(
                key=entry["key"],
                kind=entry["kind"],
                options=tuple(option["key"] for option in entry.get("options", ())),
                unrelated=entry["unrelated"],
            )
            for entry in part["questions"]
        )
        return Block(key=part["key"], protected=True, truth_probability=1, questions=questions)
    except PrivacyError:
        return None


def names_in(condition: object) -> Iterator[str]:
    """Yield the questions that a condition, or a list of conditions, names at any depth."""
    if isinstance(condition, Mapping):
        for name, value in condition.items():
            if name == "question" and isinstance(value, str):
                yield value
            else:
                yield from names_in(value)
    elif isinstance(condition, list):
        for each in condition:
            yield from names_in(each)


def without_questions(condition: Any, keys: Collection[str]) -> Any:
    """Return a condition without these questions, so that no one whom it asks is left out; None for everyone.

    Examples
    --------
    >>> hit, hurt = ({"question": key, "options": ["yes"]} for key in ("hit", "hurt"))
    >>> without_questions({"all": [hit, hurt]}, ["hit"]) == hurt
    True
    >>> without_questions({"any": [hit, hurt]}, ["hit"]) is None
    True
    """
    if set(names_in(condition)).isdisjoint(keys):
        return condition
    for joined in ("all", "any"):
        terms = condition.get(joined)
        if isinstance(terms, list):
            rest = [each for each in (without_questions(term, keys) for term in terms) if each is not None]
            if not rest or (joined == "any" and len(rest) < len(terms)):
                return None
            return rest[0] if len(rest) == 1 else {**condition, joined: rest}
    return None


UNDERSTOOD: Final = "understood"
TRUST: Final = "trust"


_QUARTER: Final = 2_500

_ITEMS: Final = {
    "understood": {
        "en": "I understood how my answers are protected.",
        "zh-hans": "我明白我的回答是怎样受到保护的。",
    },
    "untraced": {"en": "My answers cannot be traced to me.", "zh-hans": "我的回答无法追溯到我。"},
    "others": {
        "en": "Others will answer such questions truthfully.",
        "zh-hans": "别人会如实回答这样的问题。",
    },
    "again": {"en": "I would answer such a survey again.", "zh-hans": "我愿意再回答这样的调查。"},
}


def ready_parts() -> dict[str, list[dict[str, Any]]]:
    """Return ready-made parts: ``before`` the first protected part, ``after`` the last, and ``anchors``.

    An anchor needs the probabilities of the part that it checks, so callers must replace those given here.

    Examples
    --------
    >>> [[part["key"] for part in parts] for parts in ready_parts().values()]
    [['understood'], ['trust-item', 'trust'], ['anchor-nobody', 'anchor-everybody']]
    """
    return {"before": [_understood()], "after": _trust(), "anchors": [*map(_anchor, ANCHOR_TEXTS)]}


def is_ready_made(question: Mapping[str, Any]) -> bool:
    """Return whether a question is a ready-made one about the survey itself, with its own words.

    Examples
    --------
    >>> (understood,) = ready_parts()["before"][0]["questions"]
    >>> is_ready_made(understood), is_ready_made(understood | {"text": {"en": "Are you well?"}})
    (True, False)
    """
    parts = ready_parts()
    ready = (each for part in (*parts["before"], *parts["after"]) for each in part["questions"])
    return any(
        question["key"] == each["key"]
        and bool(question.get("text"))
        and all(text == each["text"].get(tag, text) for tag, text in question["text"].items())
        and not each["text"].keys().isdisjoint(question["text"])
        for each in ready
        if "text" in each
    )


def _anchor(true_of: Anchor) -> dict[str, Any]:
    key = anchor_key(true_of)
    question = {
        "key": key,
        "kind": "yes_no",
        "text": dict(ANCHOR_TEXTS[true_of]),
        "unrelated": [SCALE // 2],
        "prevalence": [SCALE if true_of == "everybody" else 0],
    }
    return {
        "key": key,
        "protected": True,
        "truth_probability": SCALE // 2,
        "title": dict(ANCHOR_TITLE),
        "questions": [question],
    }


def _understood() -> dict[str, Any]:
    text = {
        "en": "Suppose your device sends “yes” for one of these questions. What can the researchers know "
        "about you then?",
        "zh-hans": "假设你的设备对其中一个问题发送了“是”。研究者由此能知道你的什么？",
    }
    options = {
        "true": {"en": "That it is true of me.", "zh-hans": "知道我确实是这样。"},
        "nothing": {
            "en": "Nothing for certain: my device may have drawn it.",
            "zh-hans": "什么也无法确定：可能是我的设备自己抽的。",
        },
        "unsure": {"en": "I am not sure.", "zh-hans": "我不确定。"},
    }
    question = _choice(UNDERSTOOD, text, options) | {RIGHT: "nothing"}
    title = {"en": "Before you begin", "zh-hans": "开始之前"}
    return {"key": UNDERSTOOD, "protected": False, "title": title, "questions": [question]}


def _trust() -> list[dict[str, Any]]:
    """Ask about one random statement of four; asking about all four would make nearly every row unique."""
    arm = {"key": TRUST_ITEM, "kind": "arm", "options": [{"key": key, "share": _QUARTER} for key in _ITEMS]}
    steps = {
        "no": {"en": "No", "zh-hans": "不同意"},
        "partly": {"en": "Partly", "zh-hans": "部分同意"},
        "yes": {"en": "Yes", "zh-hans": "同意"},
    }
    text = {"en": "Do you agree?", "zh-hans": "你同意吗？"}
    question = _choice(TRUST, text, steps) | {
        "wordings": {"question": TRUST_ITEM, "texts": {key: dict(wording) for key, wording in _ITEMS.items()}}
    }
    return [
        {
            "key": TRUST_ITEM,
            "protected": False,
            "title": {"en": "Which statement you read", "zh-hans": "你读到的陈述"},
            "questions": [arm],
        },
        {
            "key": TRUST,
            "protected": False,
            "title": {"en": "One last question", "zh-hans": "最后一个问题"},
            "questions": [question],
        },
    ]


def _choice(key: str, text: Mapping[str, str], options: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    return {
        "key": key,
        "kind": "single",
        "text": dict(text),
        "options": [{"key": option, "text": dict(label)} for option, label in options.items()],
    }


def tables_of(questions: Sequence[Mapping[str, Any]]) -> list[int | None]:
    """Return the index of each question's table; None outside tables.

    Parameters
    ----------
    questions : sequence of dict
        Wordings of a part's questions, in order. Rows share a table if they are lines of one list, or if the
        texts of their options are equal in every language.

    Returns
    -------
    list of int or None

    Examples
    --------
    >>> row = {"look": "matrix", "options": []}
    >>> tables_of([row, row, {"options": []}, row])
    [0, 0, None, 1]
    >>> tables_of([{"stem": "used"}, {"stem": "used"}, {"stem": "taken"}])
    [0, 0, 1]
    """
    numbers: list[int | None] = []
    number, before = -1, None
    for question in questions:
        same: Any = question.get(STEM)
        if same is None and question.get("look") == MATRIX:
            same = [option["text"] for option in question["options"]]
        if same is not None and same != before:
            number += 1
        numbers.append(None if same is None else number)
        before = same
    return numbers


def check_rows(node: Node, questions: Sequence[Mapping[str, Any]]) -> None:
    """Note questions that are the only row of their table; `node` is the list of questions."""
    for number in single_rows(questions):
        node.at(number).at("look").wrong(
            _("no question next to it has the same options, so it cannot be a table"),
            _("give the next question the same options and the same look, or choose another look"),
        )


def single_rows(questions: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the indexes of questions that are the only row of their table.

    Examples
    --------
    >>> row = {"look": "matrix", "options": []}
    >>> single_rows([row, row, {"options": []}, row])
    [3]
    """
    tables = tables_of(questions)
    rows = Counter(tables)
    return [
        position
        for position, table in enumerate(tables)
        if table is not None and rows[table] == 1 and STEM not in questions[position]
    ]
