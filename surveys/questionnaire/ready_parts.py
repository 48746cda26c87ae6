"""Ready-made parts of a draft: statements about understanding and trust."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from privacy.coins import SCALE
from privacy.survey.anchors import ANCHOR_TEXTS, ANCHOR_TITLE, anchor_key
from privacy.survey.question import Anchor
from surveys.questionnaire.kinds import RIGHT

UNDERSTOOD: Final = "understood"
TRUST: Final = "trust"
TRUST_ITEM: Final = "trust-item"
"""Key of the ready-made trust question's arms, which no comparison offers."""

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
