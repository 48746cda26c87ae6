"""Anchors: check questions whose true answer is publicly known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from privacy.survey.question import Anchor

ANCHOR_TEXTS: Final[Mapping[Anchor, Mapping[str, str]]] = {
    "nobody": {"en": "I was born on 30 February.", "zh-hans": "我出生在2月30日。"},
    "everybody": {"en": "I was born before today.", "zh-hans": "我出生在今天之前。"},
}
ANCHOR_TITLE: Final[Mapping[str, str]] = {
    "en": "A question that everybody knows the answer to",
    "zh-hans": "一个人人都知道答案的问题",
}


def anchor_key(true_of: Anchor) -> str:
    """Return the key of an anchor, both of its question and of its block.

    Parameters
    ----------
    true_of : {"nobody", "everybody"}

    Examples
    --------
    >>> anchor_key("nobody")
    'anchor-nobody'
    """
    return f"anchor-{true_of}"


def anchor_of(block: Mapping[str, Any]) -> Anchor:
    """Return the kind of anchor that a block of a definition is; "" for other blocks.

    Parameters
    ----------
    block : mapping
        A block as in a definition file.

    Notes
    -----
    The question must be alone in its block and have the key and, in every language it has, the wording of a
    predefined anchor. With any other wording or title, or with help texts, it is an ordinary question,
    whatever its key.

    Examples
    --------
    >>> question = {"key": "anchor-nobody", "kind": "yes_no", "text": {"en": "I was born on 30 February."}}
    >>> part = {"protected": True, "title": {"en": "A question that everybody knows the answer to"}}
    >>> anchor_of(part | {"questions": [question]})
    'nobody'
    >>> anchor_of(part | {"questions": [question | {"text": {"en": "Have you copied?"}}]})
    ''
    """
    match block:
        case {
            "protected": True,
            "title": title,
            "questions": [{"kind": "yes_no", "key": key, "text": text} as asked],
        }:
            if (
                block.get("help")
                or asked.get("help")
                or asked.get("wordings")
                or not _is_preset(title, ANCHOR_TITLE)
            ):
                return ""
            fixed = ANCHOR_TEXTS.items()
            return next(
                (anchor for anchor, said in fixed if key == anchor_key(anchor) and _is_preset(text, said)), ""
            )
    return ""


def anchor_members(blocks: Sequence[Mapping[str, Any]], number: int) -> dict[str, Any] | None:
    """Return the probabilities of the block that an anchor checks; the anchor must use the same ones.

    Parameters
    ----------
    blocks : sequence of mapping
        Blocks of a definition file.
    number : int
        Number of the anchor.

    Returns
    -------
    dict or None
        ``truth_probability``, ``light`` and ``refusal``, each None if not set, and ``unrelated`` if the
        block asks a yes/no question. They come from the nearest block before the anchor that has a coin and
        is not an anchor itself; None if there is no such block.

    Examples
    --------
    >>> part = {"protected": True, "truth_probability": 6000,
    ...         "questions": [{"kind": "yes_no", "unrelated": [4000]}]}
    >>> anchor_members([part, {}], 1)
    {'truth_probability': 6000, 'light': None, 'refusal': None, 'unrelated': [4000]}
    """
    for block in reversed(blocks[:number]):
        has_coin = block["protected"] and "truth_probability" in block and "radius" not in block
        if has_coin and not anchor_of(block):
            alike = [question for question in block["questions"] if question["kind"] == "yes_no"]
            probabilities = {name: block.get(name) for name in ("truth_probability", "light", "refusal")}
            return probabilities | ({"unrelated": alike[0]["unrelated"]} if alike else {})
    return None


def _is_preset(value: object, text: Mapping[str, str]) -> bool:
    """Return whether a text equals the predefined one in each language that it has."""
    return isinstance(value, dict) and bool(value) and value.items() <= text.items()
