"""Answer kinds of a text's questions: yes or no, one or several options, a number, a date, or a free text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.imports.form_columns import dates_between, number_between
from surveys.imports.questionnaire import WRONG, Option, Question, Questionnaire, Texts
from surveys.imports.shapes import is_yes_no
from surveys.questionnaire.checks.looks import as_read

_SEVERAL: Final = re.compile(
    r"(all|any) (that|which) appl(y|ies)|(tick|check|select|choose|mark) (all|any|several)"
    r"|more than one answer|多选|可选多项|可以选多|选择所有|所有适用",
    re.IGNORECASE,
)
_WHICH: Final = re.compile(
    r"^\W*(how|which|what|when|where|who|whom|why)\b|多少|几[次个天年岁小]|哪[些个种里儿一]|什么|为何|怎么|怎样|多久|何时|谁",
    re.IGNORECASE,
)
_ASKS_YES_NO: Final = re.compile(
    r"^\W*(do|does|did|have|has|had|are|is|was|were|am|can|could|will|would|should|may|might|must|ever)\b"
    r"|吗\W{0,3}$|是否|有没有|会不会|能不能|是不是|没有\W{0,3}$",
    re.IGNORECASE,
)
_FREE_TEXT: Final = re.compile(
    r"^\W*(please )?(describe|explain|specify|tell us|comment|list|write|give (details|reasons|examples))\b"
    r"|\b(in your own words|any (other|further|more) comments|please (describe|explain|specify|comment))\b"
    r"|^\W*(your )?(full |first |last )?(comments?|remarks|name|address|e-?mail)( address)?\W*$|^\W*why\b"
    r"|请(描述|说明|简述|写下|填写|列举|详述)|简述|谈谈|为什么|(意见|建议|姓名)\W{0,3}$",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"\b(how many|number of|how old|(your|current) age|age (in years|at)|what percentage)\b|^\W*age\W*$"
    r"|多少[次个天岁年杯支人元]|几[次个天岁年杯支]|次数|人数|年龄|周岁|天数|[_＿]{2,20}\s?(岁|次|个|天|years?|days?|times|hours?)",
    re.IGNORECASE,
)
_FILL_IN: Final = re.compile(r"[_＿]{2,}|…{3,}|\.{6,}")
_PROPOSED: Final = (
    (re.compile(r"days?\b.{0,40}\bweek|每周.{0,8}天|一周.{0,8}天", re.IGNORECASE), (0, 7)),
    (re.compile(r"days?\b.{0,40}\b(month|30 days)|每月.{0,8}天|30天", re.IGNORECASE), (0, 31)),
    (re.compile(r"hours?\b.{0,40}\b(day|night)|每[天日].{0,8}小时", re.IGNORECASE), (0, 24)),
    (re.compile(r"percentage|per cent|百分", re.IGNORECASE), (0, 100)),
    (re.compile(r"child(ren)?\b|kids|孩子|子女", re.IGNORECASE), (0, 20)),
    (re.compile("", re.IGNORECASE), (0, 99)),
)
"""Ranges of numbers that a text does not state, by what the question mentions."""
_SPAN: Final = (
    r"(?P<low>-?\d{1,9}(?:\.\d{1,6})?)\s?(?:-|–|—|~|～|to|bis|至|到)\s?(?P<high>-?\d{1,9}(?:\.\d{1,6})?)"
)
_NUMBERS: Final = re.compile(_SPAN + r"\s?(?P<unit>[^\d].{0,40})?", re.IGNORECASE)
_DATES: Final = re.compile(
    r"(?P<low>\d{4}-\d{2}(?P<day>-\d{2})?)\s?(?: - |–|—|~|～|to|bis|至|到)\s?"
    r"(?P<high>\d{4}-\d{2}(?(day)-\d{2}))",
    re.IGNORECASE,
)
_CODE_BEHIND: Final = re.compile(r"(?:[.…_·]{2,60}\s?|\s[-–—]\s|\s)?[\[(（]?(?P<code>\d{1,3})[\])）]?")
_DOTS: Final = re.compile(r"[.…_·]{2,}|[(（]\s?\d{1,3}\s?[)）]|(?<=\S)\s\d{1,3}$")
_CODE_BEFORE: Final = re.compile(
    r"(?P<code>\d{1,2})(?:\s?[=＝:：.)、．]\s?|\s[-–—]\s|\s)(?=[^\W\d])(?P<text>.+)"
)
_WEAK: Final = re.compile(r"\d{1,2}\s[^\W\d].*|.*[^\W\d]\s\d{1,3}")
"""A number beside a text with no more than a blank between: a code only where the numbers count up."""
_LAST: Final = re.compile(r"\s?[(（]\s?(?P<within>[^()（）]{1,120}?)\s?[)）]\s?(?P<mark>[?？。.]?)\s?$")
_RANGE: Final = re.compile(r"(?:(?P<named>number|a number|数字|数)\s?[,，:：]?\s?)?" + _SPAN, re.IGNORECASE)
_ENDS: Final = re.compile(
    r"(?P<low>\d{1,2})\s?[=＝:：]\s?(?P<first>[^=＝,，;；]+?)\s?[,，;；]\s?"
    r"(?P<high>\d{1,2})\s?[=＝:：]\s?(?P<last>[^=＝,，;；]+)"
)
_ASKS_HOW_MUCH: Final = re.compile(r"^\W*(how|what|which)\b|多少|几|多大|多久|多长", re.IGNORECASE)
_MOST_STEPS: Final = 11


def with_answers_in_parentheses(question: Question) -> None:
    """Turn answers in parentheses into options, if a question has no options.

    A range becomes one option, as on a line of its own; named ends become a rating. All languages must
    agree; otherwise the question stays unchanged.

    Examples
    --------
    >>> question = Question(line=1, texts={"en": "How strong? (1 = none, 3 = very strong)"},
    ...                           flags=frozenset())
    >>> with_answers_in_parentheses(question)
    >>> question.texts["en"], [option.texts["en"] for option in question.options]
    ('How strong?', ['1 – none', '2', '3 – very strong'])
    """
    if question.options or not question.texts:
        return
    said = {tag: _in_parentheses(text) for tag, text in question.texts.items()}
    counts = {len(options) for _text, options in said.values()}
    if len(counts) > 1 or 0 in counts:
        return
    question.texts = {tag: text for tag, (text, _options) in said.items()}
    question.options = [
        Option(line=question.line, texts=dict(zip(said, texts, strict=True)))
        for texts in zip(*(options for _text, options in said.values()), strict=True)
    ]
    if counts != {1}:
        question.flags |= {"rating"}


def _in_parentheses(text: str) -> tuple[str, list[str]]:
    """Return a text without parentheses at its end, and the answers in them: a range, a rating or none."""
    last = _LAST.search(text)
    if last is None:
        return text, []
    before, within = text[: last.start()], last["within"]
    plain = before + (last["mark"] if last["mark"] in "?？" else "")
    ends = _ENDS.fullmatch(within)
    if ends is not None:
        low, high = int(ends["low"]), int(ends["high"])
        if low < high < low + _MOST_STEPS:
            middle = [str(number) for number in range(low + 1, high)]
            return plain, [f"{low} – {ends['first']}", *middle, f"{high} – {ends['last'].strip()}"]
    scale = _RANGE.fullmatch(within)
    is_label = not last["mark"] and not _ASKS_YES_NO.search(text)
    # Years in parentheses are not a range unless the question asks how much.
    if scale is not None and (
        scale["named"] or _ASKS_HOW_MUCH.search(before) or _NUMBER.search(before) or is_label
    ):
        return plain, [f"{scale['low']}-{scale['high']}"]
    return text, []


def decide_kind(question: Question, survey: Questionnaire) -> None:
    """Decide the answer kind of a text's question; note unclear points and changes.

    Yes or no is chosen only for something that a yes or a no can answer.
    """
    with_answers_in_parentheses(question)
    _without_codes(question, survey)
    text = " ".join(question.texts.values())
    options = [option.texts for option in question.options]
    if len(options) == 1 and _decide_range(question, options[0], survey):
        return
    if "several" in question.flags or ("one" not in question.flags and _SEVERAL.search(text)):
        question.kind = "multi"
    elif "rating" in question.flags:
        question.kind = "single"
    elif says_yes_or_no(options):
        question.kind, question.options = "yes_no", []
        return
    elif not options:
        _decide_without_options(question, survey)
        return
    else:
        question.kind = "single"
    if len(options) < 2:
        _ask_for_answers(question, survey)
        return
    seen, twice, remedy = set(), _("this option occurs twice"), _("keep one of the two")
    for option in question.options:
        said = frozenset(option.texts.items())
        if said in seen:
            survey.note(option.line, twice, remedy, effect=WRONG)
        seen.add(said)


def _decide_without_options(question: Question, survey: Questionnaire) -> None:
    texts = question.texts
    text = " ".join(texts.values())
    is_number = "number" in question.flags or _NUMBER.search(text) is not None
    if not is_number and ("text" in question.flags or _FREE_TEXT.search(text)):
        question.kind = "text"
        survey.note(
            question.line,
            _("this asks for free text, which can show who wrote it and cannot be disguised"),
            _("write options below it, or leave the question out"),
            asks="answers",
        )
    elif is_number:
        (low, high), number = proposed_range(text)
        question.kind, question.range = "number", f"{low}–{high}"
        question.own["number"] = number
        parts = {tag: _FILL_IN.split(said, maxsplit=1) for tag, said in texts.items()}
        question.texts = {tag: part[0].strip() or texts[tag] for tag, part in parts.items()}
        unit = {tag: part[-1].strip(" .。_") for tag, part in parts.items() if len(part) == 2}
        if len(unit) == len(texts) and all(unit.values()):
            question.own["number"]["unit"] = unit
        survey.note(
            question.line,
            _("the text gives no range, so %(low)s to %(high)s can be answered") % {"low": low, "high": high},
            _("write another range below the question, such as 0-60"),
            cause="range",
        )
    elif any(_can_be_yes_no(tag, said) for tag, said in texts.items()) and not any(
        map(_WHICH.search, texts.values())
    ):
        question.kind = "yes_no"
        question.why = _("it has no options, so it is asked as yes or no")
    else:
        _ask_for_answers(question, survey)


def proposed_range(
    text: str, decimals: int = 0, stated: Mapping[str, str] | None = None
) -> tuple[tuple[Decimal, Decimal], dict[str, Any]]:
    """Return ends and statement of a number whose range nothing states, by what its question mentions.

    Parameters
    ----------
    text : str
    decimals : int
    stated : mapping, optional
        One end, below ">" or "<", that the source states; the proposed one moves if it is on the wrong side.

    Examples
    --------
    >>> [list(map(int, proposed_range("On how many days of a week?", 0, end)[0])) for end in ({}, {">": "1"})]
    [[0, 7], [1, 7]]
    """
    ends = next(ends for pattern, ends in _PROPOSED if pattern.search(text))
    low, high = (Decimal((stated or {}).get(side, end)) for side, end in zip("><", ends, strict=True))
    if low >= high:
        low, high = (low, low + 99) if stated and ">" in stated else (high - 99, high)
    return (low, high), number_between([low, high], decimals=decimals)


def _ask_for_answers(question: Question, survey: Questionnaire) -> None:
    question.kind = ""
    survey.note(
        question.line,
        _("this question needs options"),
        _("write each option on a line of its own below the question, or a range such as 0-60 for a number"),
        asks="answers",
    )


def _can_be_yes_no(tag: str, text: str) -> bool:
    """Return whether a yes or a no could answer a text; of other languages that is not known."""
    is_read = tag.partition("-")[0] in ("en", "zh")
    return is_read and (text.rstrip(" )）*").endswith(("?", "？")) or _ASKS_YES_NO.search(text) is not None)


def says_yes_or_no(options: Sequence[Texts]) -> bool:
    """Return whether options are yes and no in each of their languages."""
    return len(options) == 2 and all(
        is_yes_no([as_read(option.get(tag, "")) for option in options]) for tag in options[0]
    )


def _without_codes(question: Question, survey: Questionnaire) -> None:
    """Take codes away that all options have, behind, before or as hyphens before digits."""
    texts = [option.texts for option in question.options]
    if len(texts) > 1:
        for tag in texts[0]:
            said = [each.get(tag, "") for each in texts]
            plain = _plain_options(said)
            if plain is None:
                continue
            question.flags |= {"coded"}
            for option, text in zip(question.options, plain, strict=True):
                option.texts[tag] = text
    if "coded" in question.flags:
        survey.note(
            question.line,
            _("the codes of the answers are left out"),
            _("results name the answers themselves; compute scores from the shares"),
        )


def _plain_options(said: Sequence[str]) -> list[str] | None:
    """Return options without the codes that all of them have; None where they have none."""
    if all(text[:1] == "-" and text[1:2].isdecimal() for text in said):
        return [text[1:] for text in said]
    before = [(match["text"], match["code"]) for text in said if (match := _CODE_BEFORE.fullmatch(text))]
    for known in (before, [each for text in said if (each := _behind(text)) is not None]):
        codes = [int(code) for _text, code in known]
        if len(known) < len(said) or len(set(codes)) < len(codes):
            continue
        counts_up = codes == list(range(codes[0], codes[0] + len(codes)))
        if counts_up or not any(map(_WEAK.fullmatch, said)):
            return [text for text, _code in known]
    return None


def _behind(text: str) -> tuple[str, str] | None:
    """Return an option and the code behind it, as in ``Yes ..... 1`` and ``Yes (1)``."""
    found = _DOTS.search(text)
    match = _CODE_BEHIND.fullmatch(text, found.start()) if found else None
    if found is None or match is None:
        return None
    plain = text[: found.start()].rstrip()
    return (plain, match["code"]) if any(map(str.isalpha, plain)) else None


def _decide_range(question: Question, said: Texts, survey: Questionnaire) -> bool:
    """Make a number or a date of a question whose only option is a range; return whether it is one."""
    dates = [match for text in said.values() if (match := _DATES.fullmatch(text))]
    numbers = {tag: match for tag, text in said.items() if (match := _NUMBERS.fullmatch(text))}
    first = next(iter([*dates, *numbers.values()]), None)
    if first is None:
        return False
    if dates:
        number = dates_between("day" if first["day"] else "month", [first["low"], first["high"]])
        remedy = _("Write two existing dates, the earlier one first.")
    else:
        number = number_between([Decimal(first["low"]), Decimal(first["high"])], decimals=0)
        unit = {tag: (match["unit"] or "").strip() for tag, match in numbers.items()}
        number |= {"unit": unit} if len(unit) == len(said) and all(unit.values()) else {}
        remedy = _("Write the smaller number first.")
    question.kind, question.options, question.range = "number", [], first[0].strip()
    question.own["number"] = number
    if "low" not in number:
        message = _("%(range)s is not a range") % {"range": question.range}
        survey.note(question.line, message, remedy, effect=WRONG)
    return True
