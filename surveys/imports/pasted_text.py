"""Read a pasted text as a questionnaire: its lines, their outline, and the kind of each answer.

A question asks for yes or no, one or several options, a number, a date, or free text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.imports.form_columns import dates_between, number_between
from surveys.imports.lines import (
    ASKED,
    MOST_CHARACTERS,
    PastedLine,
    asks,
    languages_of,
    lines_of,
    shape_lines,
    streams_of,
)
from surveys.imports.questionnaire import (
    LOST,
    WRONG,
    Option,
    Part,
    Question,
    Questionnaire,
    Texts,
    decide_protection,
)
from surveys.imports.shapes import is_yes_no
from surveys.questionnaire.checks.content import as_read
from surveys.questionnaire.languages import language_of

_SEVERAL: Final = re.compile(
    r"(all|any) (that|which) appl(y|ies)|(tick|check|select|choose|mark) (all|any|several)"
    r"|more than one answer|多选|可选多项|可以选多|选择所有|所有适用",
    re.IGNORECASE,
)
_WHICH: Final = re.compile(
    r"^\W*((if so|and|in|at|from|on|to|for|with|of|by)\W{1,2})?(how|which|what|when|where|who|whom|why)\b"
    r"|多少|几[次个天年岁小]|哪[些个种里儿一]|什么|为何|怎么|怎样|多久|何时|谁",
    re.IGNORECASE,
)
_ASKS_YES_NO: Final = re.compile(
    r"^\W*(do|does|did|have|has|had|are|is|was|were|am|can|could|will|would|should|may|might|must|ever)\b"
    r"|吗\W{0,3}$|是否|有没有|会不会|能不能|是不是|没有\W{0,3}$",
    re.IGNORECASE,
)
_ASKS_YOU: Final = re.compile(
    r"^\W*(do|did|have|had|are|were|can|will|would) you\b|吗\W{0,3}$", re.IGNORECASE
)
_FREE_TEXT: Final = re.compile(
    r"^\W*((can|could|would|will) you )?(please )?(describe|explain|specify|tell us|comment|list|write)\b"
    r"|^\W*(please )?give (details|reasons|examples)\b|\bplease (describe|explain|specify|comment)\b"
    r"|\b(open-ended|in your own words|anything else (that )?(you|we)|any (other|further|more) comments)\b"
    r"|^\W*(your )?(full |first |last )?(comments?|remarks|name|address|e-?mail)( address)?\W*$|^\W*why\b"
    r"|请(描述|说明|简述|写下|填写|列举|详述)|简述|谈谈|为什么|(意见|建议|姓名)\W{0,3}$",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"\b(how many|number of|how old|(your|current) age|age (in years|at)|what percentage)\b|^\W*age\W*$"
    r"|多少[次个天岁年杯支人元]|几[次个天岁年杯支]|次数|人数|年龄|周岁|天数|[_＿]{2,20}\s?(岁|次|个|天|人|元|支|杯|小时|分钟|years?|days?|times|hours?)",
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
"""Ranges to propose if the text states none, by words in the question."""
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
"""A number separated from the text by a blank at most: a code only if the numbers count up."""
_LAST: Final = re.compile(r"\s?[(（]\s?(?P<within>[^()（）]{1,120}?)\s?[)）]\s?(?P<mark>[?？。.]?)\s?$")
_BEHIND: Final = re.compile(
    r"(?<=[?？])\s?(?P<range>-?\d[-\d.]{0,9}[^\d.]{1,6}\d[-\d.]{0,9}[^\d?？]{0,30}?)[.。]?$"
)
"""A possible range on the same line as its question."""
_RANGE: Final = re.compile(r"(?:(?P<named>number|a number|数字|数)\s?[,，:：]?\s?)?" + _SPAN, re.IGNORECASE)
_BETWEEN: Final = tuple(
    re.compile(rf"\s?{sign}\s?", re.IGNORECASE)
    for sign in ("[/／]", "[;；]", r"[,，、](?:\s?or\s)?", r"(?:(?<=\s)or(?=\s)|还是)")
)
"""Separators of answers on one line; the first that occurs is used."""
_ENDS: Final = re.compile(
    r"(?P<low>\d{1,2})\s?[=＝:：]\s?(?P<first>[^=＝,，;；]+?)\s?[,，;；]\s?"
    r"(?P<high>\d{1,2})\s?[=＝:：]\s?(?P<last>[^=＝,，;；]+)"
)
_ASKS_HOW_MUCH: Final = re.compile(r"^\W*(how|what|which)\b|多少|几|多大|多久|多长", re.IGNORECASE)
_MOST_STEPS: Final = 11


def with_answers_in_parentheses(question: Question) -> None:
    """Turn answers in parentheses into options, if a question has no options.

    A range becomes a single option, as it would on its own line. Named ends become a rating. All languages
    must agree; otherwise the question does not change.
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
    by_tag = {tag: _in_parentheses(text) for tag, text in question.texts.items()}
    options = _options_of(question.line, {tag: options for tag, (_text, options) in by_tag.items()})
    if not options:
        return
    question.texts = {tag: text for tag, (text, _options) in by_tag.items()}
    question.options = options
    if len(options) > 1 and not says_yes_or_no([option.texts for option in options]):
        question.flags |= {"rating"}


def _options_of(line: int, texts_of: Mapping[str, Sequence[str]]) -> list[Option]:
    """Return options from their texts in each language; empty if the languages differ in number."""
    if len({len(texts) for texts in texts_of.values()}) != 1:
        return []
    return [
        Option(line=line, texts=dict(zip(texts_of, texts, strict=True)))
        for texts in zip(*texts_of.values(), strict=True)
    ]


def _split_line(text: str) -> list[str]:
    """Return the answers listed on one line; empty if there is only one.

    Examples
    --------
    >>> _split_line("Yes / No"), _split_line("(Never, sometimes, or often)"), _split_line("Yes, often / No")
    (['Yes', 'No'], ['Never', 'sometimes', 'often'], ['Yes, often', 'No'])
    """
    found = (pattern.split(text.strip(" ()（）")) for pattern in _BETWEEN)
    return next((texts for texts in found if len(texts) > 1 and all(texts)), [])


def _in_parentheses(text: str) -> tuple[str, list[str]]:
    """Split off the answers at the end of a text: a range after "?", or the content of parentheses."""
    behind = _BEHIND.search(text)
    if behind and (_NUMBERS.fullmatch(behind["range"]) or _DATES.fullmatch(behind["range"])):
        return text[: behind.start()], [behind["range"]]
    last = _LAST.search(text)
    if last is None:
        return text, []
    before, within = text[: last.start()], last["within"]
    plain = before + (last["mark"] if last["mark"] in "?？" else "")
    if is_yes_no(_split_line(within)):
        return plain, _split_line(within)
    ends = _ENDS.fullmatch(within)
    if ends is not None:
        low, high = int(ends["low"]), int(ends["high"])
        if low < high < low + _MOST_STEPS:
            middle = [str(number) for number in range(low + 1, high)]
            return plain, [f"{low} – {ends['first']}", *middle, f"{high} – {ends['last'].strip()}"]
    scale = _RANGE.fullmatch(within)
    is_label = not last["mark"] and not _ASKS_YES_NO.search(text)
    # Numbers in parentheses may be years: they are a range only if the question asks how much.
    if scale is not None and (
        scale["named"] or _ASKS_HOW_MUCH.search(before) or _NUMBER.search(before) or is_label
    ):
        return plain, [f"{scale['low']}-{scale['high']}"]
    return text, []


def decide_kind(question: Question, survey: Questionnaire) -> None:
    """Decide the kind of a question's answer; note unclear points and changes.

    Yes/no is chosen only for questions that can be answered by yes or no.
    """
    words = " ".join(text for option in question.options for text in option.texts.values())
    lasts = map(_LAST.search, question.texts.values())
    scales = [_ENDS.fullmatch(last["within"]) for last in lasts if last]
    if any(map(str.isalpha, words)) and any(ends and ends["first"].strip() not in words for ends in scales):
        survey.note(
            question.line,
            _("the lines below seem to be items of the scale in this question, but are read as its options"),
            _("number each item as a question, and write the scale below it"),
            effect=WRONG,
        )
    with_answers_in_parentheses(question)
    _join_ends(question)
    _without_codes(question, survey)
    text = " ".join(question.texts.values())
    options = [option.texts for option in question.options]
    if len(options) == 1:
        if _decide_range(question, options[0], survey):
            return
        new_options = _options_of(
            question.options[0].line, {tag: _split_line(wording) for tag, wording in options[0].items()}
        )
        question.options = new_options or question.options
        options = [option.texts for option in question.options]
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
        wording = frozenset(option.texts.items())
        if wording in seen:
            survey.note(option.line, twice, remedy, effect=WRONG)
        seen.add(wording)


def _join_ends(question: Question) -> None:
    """Join the words above and below a scale of bare numbers with its ends, and call it a rating."""
    if len(question.options) < 5:
        return
    first, *middle, last = question.options
    for tag in question.texts:
        numbers = [option.texts.get(tag, "") for option in middle]
        if numbers not in ([str(n + start) for n in range(len(middle))] for start in (0, 1)):
            return
        if any(end.texts.get(tag, "").isdecimal() for end in (first, last)):
            return
    for end, number in ((first, middle[0]), (last, middle[-1])):
        number.texts = {tag: f"{number.texts[tag]} – {end.texts.get(tag, '')}" for tag in question.texts}
    question.options = middle
    question.flags |= {"rating"}


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
        parts = {tag: _FILL_IN.split(wording, maxsplit=1) for tag, wording in texts.items()}
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
    elif any(_can_be_yes_no(tag, wording) for tag, wording in texts.items()) and not any(
        map(_WHICH.search, texts.values())
    ):
        question.kind = "yes_no"
        question.why = _("it has no options, so it is asked as yes or no")
    else:
        _ask_for_answers(question, survey)


def proposed_range(
    text: str, decimals: int = 0, ends_given: Mapping[str, str] | None = None
) -> tuple[tuple[Decimal, Decimal], dict[str, Any]]:
    """Return the ends and the definition of a number without a stated range, from words in its question.

    Parameters
    ----------
    text : str
    decimals : int
    ends_given : mapping, optional
        The end that the source states, with key ">" (lower) or "<" (upper). If the proposed other end is
        on the wrong side, it moves.

    Examples
    --------
    >>> [list(map(int, proposed_range("On how many days of a week?", 0, end)[0])) for end in ({}, {">": "1"})]
    [[0, 7], [1, 7]]
    """
    ends = next(ends for pattern, ends in _PROPOSED if pattern.search(text))
    low, high = (Decimal((ends_given or {}).get(side, end)) for side, end in zip("><", ends, strict=True))
    if low >= high:
        low, high = (low, low + 99) if ends_given and ">" in ends_given else (high - 99, high)
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
    """Return whether a yes or a no could answer a text; always false for unknown languages."""
    is_read = tag.partition("-")[0] in ("en", "zh")
    return is_read and (text.rstrip(" )）*").endswith(("?", "？")) or _ASKS_YES_NO.search(text) is not None)


def says_yes_or_no(options: Sequence[Texts]) -> bool:
    """Return whether the options are yes and no in each language."""
    return len(options) == 2 and all(
        is_yes_no([as_read(option.get(tag, "")) for option in options]) for tag in options[0]
    )


def _without_codes(question: Question, survey: Questionnaire) -> None:
    """Remove codes that all options have: after the text, before it, or a hyphen before a digit."""
    texts = [option.texts for option in question.options]
    if len(texts) > 1:
        for tag in texts[0]:
            answers = [each.get(tag, "") for each in texts]
            plain = _plain_options(answers)
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


def _plain_options(texts: Sequence[str]) -> list[str] | None:
    """Return options without their codes; None unless all of them have codes."""
    if all(text[:1] == "-" and text[1:2].isdecimal() for text in texts):
        return [text[1:] for text in texts]
    before = [(match["text"], match["code"]) for text in texts if (match := _CODE_BEFORE.fullmatch(text))]
    for pairs in (before, [each for text in texts if (each := _behind(text)) is not None]):
        codes = [int(code) for _text, code in pairs]
        if len(pairs) < len(texts) or len(set(codes)) < len(codes):
            continue
        counts_up = codes == list(range(codes[0], codes[0] + len(codes)))
        if counts_up or not any(map(_WEAK.fullmatch, texts)):
            return [text for text, _code in pairs]
    return None


def _behind(text: str) -> tuple[str, str] | None:
    """Split an option from the code after it, as in ``Yes ..... 1`` and ``Yes (1)``."""
    found = _DOTS.search(text)
    match = _CODE_BEHIND.fullmatch(text, found.start()) if found else None
    if found is None or match is None:
        return None
    plain = text[: found.start()].rstrip()
    return (plain, match["code"]) if any(map(str.isalpha, plain)) else None


def _decide_range(question: Question, texts: Texts, survey: Questionnaire) -> bool:
    """Make a question whose only option is a range ask for a number or a date; return whether it was one."""
    dates = [match for text in texts.values() if (match := _DATES.fullmatch(text))]
    numbers = {tag: match for tag, text in texts.items() if (match := _NUMBERS.fullmatch(text))}
    first = next(iter([*dates, *numbers.values()]), None)
    if first is None:
        return False
    if dates:
        number = dates_between("day" if first["day"] else "month", [first["low"], first["high"]])
        remedy = _("Write two existing dates, the earlier one first.")
    else:
        number = number_between([Decimal(first["low"]), Decimal(first["high"])], decimals=0)
        unit = {tag: (match["unit"] or "").strip() for tag, match in numbers.items()}
        number |= {"unit": unit} if len(unit) == len(texts) and all(unit.values()) else {}
        remedy = _("Write the smaller number first.")
    question.kind, question.options, question.range = "number", [], first[0].strip()
    question.own["number"] = number
    if "low" not in number:
        message = _("%(range)s is not a range") % {"range": question.range}
        survey.note(question.line, message, remedy, effect=WRONG)
    return True


_LAYOUT: Final = {
    "skip": (
        gettext_lazy("this instruction to skip is not followed: everyone is asked the questions after it"),
        gettext_lazy("in the builder, make a part depend on an answer"),
    ),
    "bare": (
        gettext_lazy("the words of this scale are missing: people choose between bare numbers"),
        gettext_lazy("write them above the items, such as 0 = never, 1 = once, 2 = often"),
    ),
    "other": (
        gettext_lazy("the line to write on is left out; the answer before it stays"),
        gettext_lazy("add the answers that you expect most often"),
    ),
    "left": (gettext_lazy("this line is left out"), gettext_lazy("write it after > if respondents need it")),
    "grid": (gettext_lazy("this grid cannot be read"), gettext_lazy("write each row as one question")),
}
"""Message and remedy for instructions and layouts that are not imported."""


def outline_of(lines: Sequence[PastedLine], language: str) -> Questionnaire:
    """Return the outline of the lines of one language.

    The first line is the title. Numbered lines and lines that end with a question mark are questions. If
    nothing is numbered, so is the first line after a gap. The lines below a question are its options. A
    heading begins a part.
    """
    survey = Questionnaire()
    has_numbers = any(line.role == "question" and line.style != ASKED for line in lines)
    after_gap = True
    condition: PastedLine | None = None
    nonblank, position = [*(line for line in lines if line.role != "blank"), None], 0
    for line in lines:
        wording = {language: line.text}
        if line.role == "blank":
            after_gap = True
            continue
        position += 1
        if line.role in ("condition", "codes", *_LAYOUT):
            condition = line if line.role == "condition" else condition
            _note_layout(survey, line)
            continue
        role = _role_of(line, nonblank[position], survey, has_numbers=has_numbers, after_gap=after_gap)
        after_gap = False
        is_other = role == "option" or (role == "heading" and line.role == "plain")
        if is_other and (asks(line.text) or _ASKS_YOU.search(line.text)):
            remedy = _("if it is a question, number it like the others")
            survey.note(line.number, _("this may be a question, but is not read as one"), remedy)
        # Lines before the first question are the purpose, unless a separate line states it.
        introduces = "purpose" not in survey.about or bool(survey.introduction)
        if role == "title":
            survey.title = wording
        elif role == "about":
            survey.about[line.style] = wording
            if line.style == "purpose" and survey.introduction:
                survey.introduction = [line.text]
        elif role == "heading":
            survey.parts.append(Part(line=line.number, texts=wording, flags=line.flags))
        elif role == "question":
            if not survey.parts:
                survey.parts.append(Part(line=0, texts={}))
            question = Question(line=line.number, texts=wording, flags=line.flags)
            survey.parts[-1].questions.append(question)
            if condition is not None:
                message = _("the question below this line is asked only after certain answers")
                remedy = _(
                    "ask everyone, or leave the question out; you can add the condition in the builder later"
                )
                survey.note(condition.number, message, remedy, asks="keep", target=question.line)
                condition = None
        elif line.role == "plain" and not survey.parts and introduces:
            survey.introduction.append(line.text)
        elif not survey.parts or not survey.parts[-1].questions:
            remedy = _("write a question above it, or # in front of a heading")
            survey.note(line.number, _("this line does not belong to a question"), remedy, effect=LOST)
        elif role == "help":
            survey.parts[-1].questions[-1].help = wording
        else:
            question = survey.parts[-1].questions[-1]
            text = line.text.rstrip(" :：_＿") or line.text
            question.options.append(Option(line=line.number, texts={language: text}))
            question.flags |= {"coded"} if line.style.startswith(("(", "（")) else set()
    if survey.introduction:
        between = "" if language.startswith("zh") else " "
        survey.about["purpose"] = {language: between.join(survey.introduction)}
    return survey


def _note_layout(survey: Questionnaire, line: PastedLine) -> None:
    """Note instructions and layouts that are not imported."""
    questions = survey.parts[-1].questions if survey.parts else []
    if line.role == "codes" and questions:
        questions[-1].flags |= {"coded"}
    elif line.role in _LAYOUT:
        survey.note(line.number, *map(str, _LAYOUT[line.role]))


def _role_of(
    line: PastedLine, ahead: PastedLine | None, survey: Questionnaire, *, has_numbers: bool, after_gap: bool
) -> str:
    is_first = not survey.title and not survey.parts
    if is_first and (line.role == "heading" or (line.role == "plain" and not asks(line.text))):
        return "title"
    if line.role != "plain":
        return line.role
    between = survey.questions if has_numbers else []
    is_asked = asks(line.text) and (not between or bool(between[-1].options))
    # Between numbered questions, a single line just before the next question is a heading.
    if has_numbers and after_gap and ahead and ahead.role == "question" and (between or not is_asked):
        return "heading"
    return "question" if is_asked or (after_gap and not has_numbers) else "option"


def join_languages(first: Questionnaire, second: Questionnaire) -> Questionnaire:
    """Merge the outlines of two languages, paired by position; note lines without a counterpart."""
    survey = Questionnaire(
        title=first.title | second.title,
        about={
            name: first.about.get(name, {}) | second.about.get(name, {})
            for name in dict.fromkeys([*first.about, *second.about])
        },
        notes=[*first.notes, *(note for note in second.notes if note not in first.notes)],
    )
    earlier, other = first.questions, second.questions
    if len(earlier) != len(other):
        shorter, longer = sorted((earlier, other), key=len)
        survey.note(
            longer[len(shorter)].line,
            _("one language has %(one)s questions, the other %(other)s")
            % {"one": len(earlier), "other": len(other)},
            _("write each question in both languages, in the same order"),
            effect=LOST,
        )
    for mine, theirs in zip(earlier, other, strict=False):
        mine.texts |= theirs.texts
        mine.help |= theirs.help
        mine.flags |= theirs.flags
        _join_options(mine, theirs, survey)
    for part, theirs_part in zip(first.parts, second.parts, strict=False):
        part.texts |= theirs_part.texts
        part.flags |= theirs_part.flags
    survey.parts = first.parts
    return survey


def _join_options(mine: Question, theirs: Question, survey: Questionnaire) -> None:
    if len(mine.options) != len(theirs.options):
        survey.note(
            mine.line,
            _("it has %(count)s options here and %(other)s in line %(line)s")
            % {"count": len(mine.options), "line": theirs.line, "other": len(theirs.options)},
            _("write each option in both languages, in the same order"),
            effect=LOST,
        )
    for option, other in zip(mine.options, theirs.options, strict=False):
        option.texts |= other.texts


def note_missing(survey: Questionnaire, languages: Sequence[str]) -> None:
    """Note what a complete survey needs but the outline lacks, in each of its languages."""
    if not survey.title:
        survey.note(1, _("the survey has no title"), _("write it in the first line"), effect=WRONG)
    if not survey.questions:
        remedy = _("number the questions, or end them with a question mark")
        survey.note(0, _("no questions were found"), remedy, effect=WRONG)
    texts = [(1, survey.title)] if survey.title else []
    for part in survey.parts:
        texts += [(part.line, part.texts)] if part.line else []
        for question in part.questions:
            texts.append((question.line, question.texts))
            texts += [(option.line, option.texts) for option in question.options]
    for line, wording in texts:
        for tag in languages:
            if not wording.get(tag):
                message = _("it is not written in %(language)s") % {"language": language_of(tag).name}
                remedy = _("write it after a | on the same line, or on the line below")
                survey.note(line, message, remedy, effect=WRONG)


UNKNOWN: Final = "und"
"""Stands for the language of a text until the user states it."""


def read_paste(text: str, languages: Sequence[str] = ()) -> Questionnaire:
    """Return the questionnaire in a typed or pasted text.

    Parameters
    ----------
    text : str
        Title, numbered questions, options on the lines below; see `surveys.imports.lines`.
    languages : sequence of str
        One or two; empty to detect English and Chinese from the text.

    Examples
    --------
    >>> survey = read_paste("Sleep\\n1. Do you sleep badly?\\n2. How old are you?\\n- under 30\\n- older")
    >>> [(question.kind, question.is_protected) for question in survey.questions]
    [('yes_no', True), ('single', False)]
    """
    read = text[:MOST_CHARACTERS]
    lines = lines_of(read)
    own_tags = tuple(languages) or languages_of(lines)
    languages = own_tags or (UNKNOWN,)
    is_shaped = len(languages) == 1 or not any("\t" in line for line in lines)
    line_pairs = shape_lines(read) if is_shaped else list(enumerate(lines, start=1))
    streams = streams_of(line_pairs, languages)
    is_ambiguous = streams is None
    if streams is None:
        languages, streams = languages[:1], streams_of(shape_lines(read), languages[:1]) or []
    survey = outline_of(streams[0], languages[0])
    if len(streams) == 2:
        survey = join_languages(survey, outline_of(streams[1], languages[1]))
    survey.languages = tuple(languages)
    if len(text) > MOST_CHARACTERS:
        survey.note(
            len(lines),
            _("the text has %(count)s characters; the rest was not read") % {"count": len(text)},
            _("keep to at most %(most)s") % {"most": MOST_CHARACTERS},
            effect=LOST,
        )
    if is_ambiguous:
        survey.note(
            0,
            _("the two languages cannot be distinguished"),
            _("write them side by side with | between, or one after the other below a line of ==="),
            effect=WRONG,
        )
    for number, line in enumerate(lines, start=1):
        if "\ufffd" in line:
            remedy = _("open the file in its own encoding and paste it again")
            survey.note(number, _("it was saved in another encoding"), remedy, effect=WRONG)
    if not own_tags:
        survey.ask_language()
    for part in survey.parts:
        for question in part.questions:
            decide_kind(question, survey)
            decide_protection(question, part)
    note_missing(survey, languages)
    survey.notes.sort(key=lambda note: note.line)
    return survey
