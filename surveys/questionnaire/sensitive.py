"""Choose which questions of a draft are disguised, and add ready-made parts and tables of questions."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from privacy.coins import SCALE
from privacy.planning.layouts import MEDIUM, PROTECTIONS
from privacy.planning.plan import free_key
from privacy.scales.window import MOST_BINS
from privacy.survey.question import ANCHOR_TEXTS, ANCHOR_TITLE, Anchor, anchor_key

MEDIUM_EPSILON: Final = math.floor(100 * math.log(PROTECTIONS[MEDIUM].answer)) / 100
"""Epsilon of a number with medium protection, cut to hundredths so that it passes the ceiling of one
answer."""

_MOST_DECIMALS: Final = 4
"""Smaller numbers are written as a power of ten."""

_EITHER: Final = ("yes_no", "single", "multi", "number")
OF_A_COIN: Final = (
    "truth_probability",
    "light",
    "refusal",
    "no_skip",
    "exclusive",
    "questions_per_person",
    "booklets",
)
"""Members of a part whose answers share a coin."""
OF_DISGUISED: Final = ("unrelated", "prevalence", "known")
"""Members of a question that only a disguised one may have."""


def choosable_questions(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the questions that can be switched: all except places and those that a condition names.

    A question on which others depend is sent undisguised: respondents who are asked the others reveal it.
    """
    keys = set(_named_in_conditions(document))
    return [
        question
        for entry in document["blocks"]
        for question in entry["questions"]
        if question["kind"] in _EITHER and question["key"] not in keys
    ]


def with_sensitive(document: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """Return a document in which these questions are disguised, and the other switchable ones are not.

    Parts of which only some questions change are split, keeping the order of questions. The layout sets how
    strongly a new part is disguised; until then it reveals little. A question that could be skipped still
    can, and a newly disguised one can be skipped unless the draft says why its disguised questions cannot.
    """
    choosable = {question["key"] for question in choosable_questions(document)}
    disguised = [entry for entry in document["blocks"] if entry["protected"]]
    skips = not any(entry.get("no_skip") and not entry.get("refusal") for entry in disguised)
    blocks: list[dict[str, Any]] = []
    for entry in document["blocks"]:

        def is_protected(question: Mapping[str, Any], entry: Mapping[str, Any] = entry) -> bool:
            return question["key"] in keys if question["key"] in choosable else bool(entry["protected"])

        wanted = {is_protected(question) for question in entry["questions"]}
        if wanted <= {entry["protected"]}:
            blocks.append(entry)
            continue
        taken = {block["key"] for block in [*document["blocks"], *blocks]} - {entry["key"]}
        for protected, run in itertools.groupby(entry["questions"], key=is_protected):
            part = _part(entry, list(run), protected=protected, taken=taken)
            if protected and (entry.get("refusal") if entry["protected"] else skips):
                # For a number, the smallest probability that hides a skip.
                least = True if part["questions"][0]["kind"] == "number" else 1
                part["refusal"] = entry.get("refusal", least)
            elif protected and (reason := entry.get("no_skip")):
                part["no_skip"] = reason
            taken.add(part["key"])
            blocks.append(part)
    made = {**document, "blocks": blocks}
    protected_keys = {block["key"] for block in blocks if block["protected"]}
    rotations = [each for each in document.get("rotations") or [] if set(each["blocks"]) <= protected_keys]
    without = {name: value for name, value in made.items() if name != "rotations"}
    return without | ({"rotations": rotations} if rotations else {})


def _part(
    entry: Mapping[str, Any], questions: list[dict[str, Any]], *, protected: bool, taken: set[str]
) -> dict[str, Any]:
    part = {name: value for name, value in entry.items() if name not in OF_A_COIN}
    part |= {"key": free_key(entry["key"], taken), "protected": protected}
    if entry["title"] == default_title(entry["questions"]):
        part["title"] = default_title(questions)
    if questions[0]["kind"] == "number":
        number_of = _disguised_number if protected else _as_answered
        part["questions"] = [question | {"number": number_of(question)} for question in questions]
    elif protected:
        part |= {
            # A hundredth leaves space for a lighter strength; a ten-thousandth would not.
            "truth_probability": entry.get("truth_probability", SCALE // 100),
            "questions": [_with_decoys(question) for question in questions],
        }
    else:
        part["questions"] = [
            {name: value for name, value in question.items() if name not in OF_DISGUISED}
            for question in questions
        ]
    return part


def default_title(questions: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the title of a part without its own: its first question, and how many follow.

    Examples
    --------
    >>> default_title([{"text": {"en": "Did you copy?"}}, {"text": {"en": "Did you invent data?"}}])
    {'en': 'Did you copy? (+1)'}
    """
    more = f" (+{len(questions) - 1})" if len(questions) > 1 else ""
    return {tag: f"{text}{more}" for tag, text in questions[0].get("text", {}).items() if text}


def stored_number(number: Mapping[str, Any]) -> dict[str, Any]:
    """Return the definition of a number that is stored as answered: no disguise, and one bin per answer.

    Dates keep their bins, because a complete date can identify people.

    Parameters
    ----------
    number : mapping
        Its definition as a disguised number.

    Examples
    --------
    >>> stored_number({"mechanism": "keep", "epsilon": 2, "low": 0, "high": 24.9, "bin": 5, "decimals": 1})
    {'low': 0, 'high': 24.9, 'bin': 0.1, 'decimals': 1}
    """
    own = {name: value for name, value in number.items() if name not in ("mechanism", "epsilon")}
    if own.get("calendar") is None and "low" in own and "high" in own:
        decimals = own.get("decimals", 0)
        values = _ticks(own, own["high"]) - _ticks(own, own["low"]) + 1
        if 2 <= values <= MOST_BINS and decimals <= _MOST_DECIMALS:
            own["bin"] = 10**-decimals if decimals else 1
    return own


def _as_answered(question: Mapping[str, Any]) -> dict[str, Any]:
    return stored_number(question["number"])


def _disguised_number(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the definition of a number with medium protection, its ranges in the widest bins they allow."""
    number = question["number"]
    options = question.get("options") or ()
    own = {"mechanism": "keep" if options else "square_wave", "epsilon": MEDIUM_EPSILON, **number}
    if options and number.get("calendar") is None:
        low = _ticks(number, number["low"])
        ends = (_ticks(number, number["high"]) + 1, *(_ticks(number, each["to"]) + 1 for each in options))
        widest = math.gcd(
            *(end - low for end in (*ends, *(_ticks(number, each["from"]) for each in options)))
        )
        decimals = number.get("decimals", 0)
        own["bin"] = widest / 10**decimals if decimals else widest
    return own


def _ticks(number: Mapping[str, Any], value: object) -> int:
    """Return an end in the smallest steps of a number."""
    return int(Decimal(str(value)).scaleb(int(number.get("decimals", 0))))


def _with_decoys(question: dict[str, Any]) -> dict[str, Any]:
    """Return a question whose answers are drawn, and expected, equally often until there is a guess."""
    even = even_chances(question["kind"], len(question.get("options") or ()))
    return {
        **question,
        "unrelated": question.get("unrelated") or even,
        "prevalence": question.get("prevalence") or even,
    }


def even_chances(shape: str, count: int) -> list[int]:
    """Return default probabilities of drawn answers: a fair coin, or shares as even as possible."""
    if shape == "yes_no":
        return [SCALE // 2]
    if shape == "multi":
        return [SCALE // 2] * count
    share, rest = divmod(SCALE, count)
    return [share + (number < rest) for number in range(count)]


def _named_in_conditions(document: Mapping[str, Any]) -> Iterator[str]:
    for entry in document["blocks"]:
        condition = entry.get("asked_if")
        for each in condition if isinstance(condition, list) else [condition]:
            yield from _names(each)


def _names(condition: object) -> Iterator[str]:
    """Yield the questions that a condition names at any depth."""
    if isinstance(condition, Mapping):
        for name, value in condition.items():
            if name == "question" and isinstance(value, str):
                yield value
            else:
                yield from _names(value)
    elif isinstance(condition, list):
        for each in condition:
            yield from _names(each)


UNDERSTOOD: Final = "understood"
TRUST_ITEM: Final = "trust-item"
TRUST: Final = "trust"
RIGHT: Final = "right"
"""Names the right answer of an open choice: after a wrong one the explanation is shown again."""

_QUARTER: Final = 2_500

_ITEMS: Final = {
    "understood": {
        "en": "I understood how my answers are protected.",
        "zh-hans": "我明白我的回答是怎样受到保护的。",
    },
    "untraced": {
        "en": "My answers cannot be traced to me.",
        "zh-hans": "我的回答无法追溯到我。",
    },
    "others": {
        "en": "Others will answer such questions truthfully.",
        "zh-hans": "别人会如实回答这样的问题。",
    },
    "again": {
        "en": "I would answer such a survey again.",
        "zh-hans": "我愿意再回答这样的调查。",
    },
}


def ready_parts() -> dict[str, list[dict[str, Any]]]:
    """Return the parts of a definition by name: ``before`` the first protected part, and ``after`` the last.

    ``anchors`` need the probabilities of the part that they check, so those here must be replaced.

    Examples
    --------
    >>> [[part["key"] for part in parts] for parts in ready_parts().values()]
    [['understood'], ['trust-item', 'trust'], ['anchor-nobody', 'anchor-everybody']]
    """
    return {
        "before": [_understood()],
        "after": _trust(),
        "anchors": [*map(_anchor, ANCHOR_TEXTS)],
    }


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
    """Return one of four statements, drawn: asking all of them would make nearly every row unique."""
    arm = {
        "key": TRUST_ITEM,
        "kind": "arm",
        "options": [{"key": key, "share": _QUARTER} for key in _ITEMS],
    }
    steps = {
        "no": {"en": "No", "zh-hans": "不同意"},
        "partly": {"en": "Partly", "zh-hans": "部分同意"},
        "yes": {"en": "Yes", "zh-hans": "同意"},
    }
    text = {"en": "Do you agree?", "zh-hans": "你同意吗？"}
    question = _choice(TRUST, text, steps) | {
        "wordings": {"question": TRUST_ITEM, "texts": {key: dict(said) for key, said in _ITEMS.items()}}
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
        "options": [{"key": option, "text": dict(said)} for option, said in options.items()],
    }


MATRIX: Final = "matrix"
"""The look of a question that is a row of a table."""


def tables_of(questions: Sequence[Mapping[str, Any]]) -> list[int | None]:
    """Return for each question of a part the number of its table, counted from 0; None outside tables.

    Parameters
    ----------
    questions : sequence of dict
        Wordings of the questions, in order. Options are the same if their texts are, in every language.

    Returns
    -------
    list of int or None

    Examples
    --------
    >>> row = {"look": "matrix", "options": []}
    >>> tables_of([row, row, {"options": []}, row])
    [0, 0, None, 1]
    """
    numbers: list[int | None] = []
    number, before = -1, None
    for question in questions:
        is_row = question.get("look") == MATRIX
        texts = [option["text"] for option in question["options"]] if is_row else None
        if is_row and texts != before:
            number += 1
        numbers.append(number if is_row else None)
        before = texts
    return numbers


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
    return [position for position, table in enumerate(tables) if table is not None and rows[table] == 1]
