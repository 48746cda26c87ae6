"""What a question says of its answers in parentheses at its end: a range, a number, or a rating."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from surveys.exchange.plain_text.outline import PastedOption, PastedQuestion, Texts

__all__ = ["with_answers_in_parentheses"]

_LAST: Final = re.compile(r"\s?[(（]\s?(?P<within>[^()（）]{1,120}?)\s?[)）]\s?(?P<mark>[?？。.]?)\s?$")
_RANGE: Final = re.compile(
    r"(?:(?P<named>number|a number|数字|数)\s?[,，:：]?\s?)?"
    r"(?P<low>-?\d{1,9}(?:\.\d{1,6})?)\s?(?:-|–|—|~|～|to|bis|至|到)\s?(?P<high>-?\d{1,9}(?:\.\d{1,6})?)",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(
    r"(?P<low>\d{1,2})\s?[=＝:：]\s?(?P<first>[^=＝,，;；]+?)\s?[,，;；]\s?"
    r"(?P<high>\d{1,2})\s?[=＝:：]\s?(?P<last>[^=＝,，;；]+)"
)
_ASKS_HOW_MUCH: Final = re.compile(r"^\W*(how|what|which)\b|多少|几|多大|多久|多长", re.IGNORECASE)
_MOST_STEPS: Final = 11


@dataclass(frozen=True, kw_only=True)
class _Said:
    """The text of a question in one language without its parentheses, and what stood in them."""

    text: str
    options: tuple[str, ...]
    is_rating: bool


def with_answers_in_parentheses(question: PastedQuestion) -> None:
    """Take what a question without options says of its answers in parentheses as its options.

    A range becomes one option as in a line of its own; ends with names become a rating. In every language the
    same has to be said, else all stays as it is.

    Examples
    --------
    >>> question = PastedQuestion(line=1, texts={"en": "How strong? (1 = none, 3 = very strong)"},
    ...                           flags=frozenset())
    >>> with_answers_in_parentheses(question)
    >>> question.texts["en"], [option.texts["en"] for option in question.options]
    ('How strong?', ['1 – none', '2', '3 – very strong'])
    """
    if question.options or not question.texts:
        return
    said = dict(_in_each_language(question.texts))
    if (
        set(said) != set(question.texts)
        or len({(len(answers.options), answers.is_rating) for answers in said.values()}) > 1
    ):
        return
    question.texts = {language: answers.text for language, answers in said.items()}
    count = max(len(answers.options) for answers in said.values())
    question.options = [
        PastedOption(
            line=question.line,
            texts={language: answers.options[position] for language, answers in said.items()},
        )
        for position in range(count)
    ]
    if any(answers.is_rating for answers in said.values()):
        question.flags |= {"rating"}


def _in_each_language(texts: Texts) -> Iterator[tuple[str, _Said]]:
    for language, text in texts.items():
        last = _LAST.search(text)
        read = None if last is None else _read(text[: last.start()], last["within"])
        if last is not None and read is not None:
            options, is_rating = read
            mark = last["mark"] if last["mark"] in "?？" else ""
            yield language, _Said(text=text[: last.start()] + mark, options=options, is_rating=is_rating)


def _read(before: str, within: str) -> tuple[tuple[str, ...], bool] | None:
    """Return the options that parentheses state, and whether they are a rating."""
    ends = _ENDS.fullmatch(within)
    if ends is not None:
        low, high = int(ends["low"]), int(ends["high"])
        if low < high <= low + _MOST_STEPS - 1:
            middle = (str(number) for number in range(low + 1, high))
            return (f"{low} – {ends['first']}", *middle, f"{high} – {ends['last'].strip()}"), True
    scale = _RANGE.fullmatch(within)
    # Years in parentheses are no range unless it is asked how much.
    if scale is not None and (scale["named"] or _ASKS_HOW_MUCH.search(before)):
        return (f"{scale['low']}-{scale['high']}",), False
    return None
