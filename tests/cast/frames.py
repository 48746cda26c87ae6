"""Definitions of one protected part, for frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tests.cast.devices import shipped_definition


def both(text: str) -> dict[str, str]:
    return {"en": text, "zh-hans": f"{text}（中文）"}


def yes_no(key: str) -> dict[str, Any]:
    text = both(f"Have you ever done {key}?")
    return {"key": key, "kind": "yes_no", "text": text, "unrelated": [5000], "prevalence": [3000]}


def framed(
    *questions: Mapping[str, Any], slug: str = "framed", key: str = "part", **block: Any
) -> dict[str, Any]:
    """Return a definition of one protected part."""
    part = {
        "key": key,
        "protected": True,
        "title": both("What happened"),
        "truth_probability": 6000,
        "refusal": None,
        "questions": list(questions),
        **block,
    }
    return shipped_definition("workplace", slug=slug, blocks=[part])


def three(**changes: Any) -> dict[str, Any]:
    """Return three yes/no questions on one coin: strings of 35 characters."""
    return framed(*map(yes_no, ("a", "b", "c")), **changes)


def worded(text: str, **changes: Any) -> dict[str, Any]:
    """Return three questions, the first in other words: the design is that of `three`."""
    document = three(**changes)
    document["blocks"][0]["questions"][0]["text"] = both(text)
    return document


def with_choices() -> dict[str, Any]:
    """Return a choice and several, with a skip."""
    options = [{"key": f"o{number}", "text": both(f"Option {number}")} for number in range(3)]
    one = {"key": "one", "kind": "single", "text": both("Which one?"), "options": options}
    many = {"key": "many", "kind": "multi", "text": both("Which of these?"), "options": options}
    return framed(
        {**one, "unrelated": [3334, 3333, 3333], "prevalence": [4000, 3500, 2500]},
        {**many, "unrelated": [5000, 5000, 5000], "prevalence": [3000, 3000, 3000]},
        truth_probability=4000,
        refusal=600,
    )


def rotating() -> dict[str, Any]:
    """Return four yes/no questions of which a device asks two."""
    return framed(*map(yes_no, "abcd"), questions_per_person=2)


def of_everyday(kind: str) -> dict[str, Any]:
    """Return the first part of the shipped survey that has a question of a kind, alone."""
    whole = shipped_definition("everyday")
    block = next(
        block
        for block in whole["blocks"]
        if block["protected"] and any(question["kind"] == kind for question in block["questions"])
    )
    whole.pop("rotations", None)
    whole.pop("languages", None)
    return {**whole, "slug": "framed", "blocks": [{**block, "asked_if": None}]}


FRAMED: Final[Mapping[str, Callable[[], dict[str, Any]]]] = {
    "three": three,
    "choices": with_choices,
    "rotating": rotating,
    "number": lambda: of_everyday("number"),
}
