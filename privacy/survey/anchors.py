"""Anchors: questions whose true answer is publicly known, recognised by their wording.

They show how people answer. Since their truth is public they are left out of what bounds a person's secrets;
so nothing but these words may be one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from privacy.survey.question import Anchor

__all__ = ["ANCHOR_TEXTS", "ANCHOR_TITLE", "anchor_chances", "anchor_key", "anchor_of"]

ANCHOR_TEXTS: Final[Mapping[Anchor, Mapping[str, str]]] = {
    "nobody": {"en": "I was born on 30 February.", "zh-hans": "我出生在2月30日。"},
    "everybody": {"en": "I was born before today.", "zh-hans": "我出生在今天之前。"},
}
ANCHOR_TITLE: Final[Mapping[str, str]] = {
    "en": "A question that everybody knows the answer to",
    "zh-hans": "一个人人都知道答案的问题",
}


def anchor_key(true_of: Anchor) -> str:
    """Return the key of an anchor's question, and of its part.

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
    """Return of whom a part of a definition is true where everyone knows it; "" for any other part.

    Parameters
    ----------
    block : mapping
        As a definition file has it.

    Notes
    -----
    The question must have the key and the wording of a predefined anchor, in every language it is written in,
    and be alone in its block. With any other wording, title, help text or other texts, it is an ordinary
    question, whatever its key.

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
                or not _said(title, ANCHOR_TITLE)
            ):
                return ""
            fixed = ANCHOR_TEXTS.items()
            return next((own for own, said in fixed if key == anchor_key(own) and _said(text, said)), "")
    return ""


def anchor_chances(blocks: Sequence[Mapping[str, Any]], number: int) -> dict[str, Any] | None:
    """Return the probabilities of the part that an anchor checks, which are to be its own.

    Parameters
    ----------
    blocks : sequence of mapping
        Blocks of a definition file.
    number : int
        Number of the anchor.

    Returns
    -------
    dict or None
        ``truth_probability``, ``light`` and ``refusal``, each None if not stated, and ``unrelated`` if the
        block asks a question of the anchor's kind. They come from the nearest block before the anchor that
        has a coin and is not an anchor itself; None if there is no such block.

    Examples
    --------
    >>> part = {"protected": True, "truth_probability": 6000,
    ...         "questions": [{"kind": "yes_no", "unrelated": [4000]}]}
    >>> anchor_chances([part, {}], 1)
    {'truth_probability': 6000, 'light': None, 'refusal': None, 'unrelated': [4000]}
    """
    for block in reversed(blocks[:number]):
        has_coin = block["protected"] and "truth_probability" in block and "radius" not in block
        if has_coin and not anchor_of(block):
            alike = [question for question in block["questions"] if question["kind"] == "yes_no"]
            chances = {name: block.get(name) for name in ("truth_probability", "light", "refusal")}
            return chances | ({"unrelated": alike[0]["unrelated"]} if alike else {})
    return None


def _said(stated: object, text: Mapping[str, str]) -> bool:
    """Return whether a text equals a predefined one in each of its languages."""
    return isinstance(stated, dict) and bool(stated) and stated.items() <= text.items()
