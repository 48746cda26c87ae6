"""The nodes of pyxform's tree: walk them, collect their texts, and measure what they become."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from privacy.errors import PrivacyError
from privacy.validation import key as valid_key
from surveys.imports.drafts.fresh_keys import proposed_key
from surveys.imports.drafts.questionnaire import (
    Note,
    Option,
    Question,
    as_members,
)

_MANY: Final = 4_000


def key_of_name(name: str, otherwise: str) -> str:
    """Return the key that a name in a form becomes: itself if it is valid, else one that resembles it."""
    try:
        return valid_key(name, "key")
    except PrivacyError:
        return proposed_key(name) or otherwise


def json_size(entry: Question | Option | Note) -> int:
    """Return the bytes of an entry of a questionnaire as JSON, with the comma behind it."""
    text = json.dumps(as_members(entry), default=sorted, ensure_ascii=False)
    return len(text.encode("utf-8", "surrogatepass")) + len(", ")


def nodes_below(node: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield all nodes below a node, each before its own children."""
    for child in node.get("children", ()):
        yield child
        yield from nodes_below(child)


def texts_of_form(form: Mapping[str, Any]) -> Iterator[object]:
    """Yield all texts of a form, each as a string or by language."""
    for node in nodes_below(form):
        yield from (node.get(column) for column in ("label", "hint"))
    for options in form.get("choices", {}).values():
        yield from (option.get("label") for option in options[:_MANY])


def placeholders_in(form: Mapping[str, Any]) -> frozenset[str]:
    """Return the names for programs that several rows have as label, because a label is required there.

    Examples
    --------
    >>> rows = [{"label": "NO_LABEL"}, {"label": {"en": "NO_LABEL"}}, {"label": "hh_size"}, {"label": "Age"}]
    >>> sorted(placeholders_in({"children": [*rows, {"label": "Age"}]}))
    ['NO_LABEL']
    """
    rows = Counter[str]()
    for node in nodes_below(form):
        label = node.get("label")
        rows.update({str(text) for text in (label.values() if isinstance(label, dict) else [label])})
    return frozenset(text for text, count in rows.items() if count > 1 and _is_identifier(text))


def _is_identifier(text: str) -> bool:
    words = text.split("_")
    return len(words) > 1 and all(map(str.isalnum, words))
