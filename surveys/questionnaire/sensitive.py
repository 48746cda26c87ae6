"""Sensitive questions of a draft: switch questions between disguised and stored as answered."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from privacy.coins import SCALE
from privacy.planning.layouts import MEDIUM, PROTECTIONS
from privacy.planning.plan import free_key
from privacy.scales.number_range import MOST_BINS

__all__ = [
    "MEDIUM_EPSILON",
    "OF_A_COIN",
    "OF_DISGUISED",
    "choosable_questions",
    "default_title",
    "even_chances",
    "stored_number",
    "with_sensitive",
]

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
