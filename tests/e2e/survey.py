"""The survey that simulated respondents answer, and its disguise with injected words."""

from collections.abc import Iterable, Mapping
from itertools import count, cycle
from typing import Any

from django.utils import translation

from privacy.coins import Coins
from privacy.survey.design import Design
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout
from tests.fixtures.devices import shipped_definition

# Words that decide every coin in the same way. A draw is the word modulo 10,000. Below p, the device sends
# the truth.
TRUTH = (0,)
# Never below p, so a decoy. Never below a share either, so the decoy is "no" or the last option.
DECOY = (9999,)

# Answers to all questions, each different from the decoy.
ANSWERS: Mapping[str, Any] = {
    "work": {"years": 1, "leads": 1, "place_office": 1, "place_floor": 0, "place_home": 1},
    "silence": {"unreported": 1, "seen_bullying": 1, "seen_theft": 1, "seen_danger": 1},
    "pressure": {"silenced": 1},
}


def workplace(**changes: Any) -> dict[str, Any]:
    """Return the shipped survey, with several kinds of questions and blocks, a skip and a condition."""
    return shipped_definition("workplace", **changes)


TOLD = "Did you tell a friend of it?"


def with_table() -> list[dict[str, Any]]:
    """Return the parts of `workplace`, where the second begins with two questions in a table."""
    blocks: list[dict[str, Any]] = workplace()["blocks"]
    first, *others = blocks[1]["questions"]
    row = {**first, "look": "matrix"}
    told = {**row, "key": "told", "text": {"en": TOLD, "zh-hans": "您把这件事告诉过朋友吗？"}}
    blocks[1]["questions"] = [row, told, *others]
    return blocks


# ANSWERS, with an answer to the second row of the table.
TABLE_ANSWERS: Mapping[str, Any] = {**ANSWERS, "silence": {**ANSWERS["silence"], "told": 0}}


def in_arabic(definition: Mapping[str, Any]) -> dict[str, Any]:
    """Return a definition with Arabic as its first language; each text is "text" and a number in Arabic."""
    numbers = count(1)

    def turn(part: Any) -> Any:
        if isinstance(part, list):
            return [turn(each) for each in part]
        if isinstance(part, dict) and "en" in part:
            return {"ar": f"نص {next(numbers)}", **part}
        if isinstance(part, dict):
            return {name: turn(each) for name, each in part.items()}
        return part

    return {**turn(definition), "languages": ["ar", "en", "zh-hans"]}


def said(english: str, tag: str) -> str:
    """Return a sentence of Sottovoce's own in a language that respondents read.

    Raises
    ------
    AssertionError
        The language's catalogue does not have it.
    """
    with translation.override(tag):
        words = translation.gettext(english)
    assert tag == "en" or words != english, f"{english!r} is not translated into {tag}"
    return words


def body_of(
    design: Design, answers: Mapping[str, Any], words: Iterable[int], *, direct: bool = False
) -> bytes:
    """Return the row of a device with these words, computed in Python."""
    record = disguise(design, answers, direct=direct, coins=Coins(cycle(words)))
    return Layout(design).pack(record)
