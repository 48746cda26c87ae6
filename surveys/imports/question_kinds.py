"""Decide what a question asks for: yes or no, one or several options, a number, a date, or free text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from string import ascii_uppercase
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.imports.form_columns import dates_between, number_between
from surveys.imports.printed_layouts import counts_up, is_step, is_yes_no, pattern_of, steps_in
from surveys.imports.questionnaire import LOST, SEVERAL, WRONG, Option, Question, Questionnaire, Texts
from surveys.imports.yes_no_questions import asks_yes_or_no, has_rule
from surveys.questionnaire.checks.content import looks_exclusive
from surveys.questionnaire.displayed import as_read
from surveys.questionnaire.languages import list_text, text_in

_SEVERAL: Final = pattern_of("asks-several")
_FREE_TEXT: Final = pattern_of("asks-text")
_NUMBER: Final = pattern_of("asks-number")
_FIELD: Final = re.compile(r"\W{0,3}(?:_ ?){2,}|\|_")
"""The beginning of an answer that is a line for a number."""
_FILL_IN: Final = re.compile(r"[_＿]{2,}|…{3,}|\.{6,}")
_PROPOSED: Final = {(0, most): pattern_of(f"range-0-{most}") for most in (7, 31, 24, 250, 100, 20)}
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
_POINTS: Final = r"(?:\s?(?:points?|punkte?|puntos?|pontos?|分))?"
_CODE_BEHIND: Final = re.compile(
    rf"(?:[.…_·]{{2,60}}\s?|\s[-–—]\s|\s)?[\[(（]?(?P<code>\d{{1,3}}){_POINTS}[\])）]?"
)
_DOTS: Final = re.compile(rf"[.…_·]{{2,}}|[(（]\s?\d{{1,3}}{_POINTS}\s?[)）]|(?<=\S)\s\d{{1,3}}$")
_CODE_BEFORE: Final = re.compile(
    r"(?P<code>\d{1,2})(?:\s?[=＝:：.)、．]\s?|,\s|\s[-–—]\s|\s)(?=[^\W\d])(?P<text>.+)"
)
_WEAK: Final = re.compile(r"\d{1,2}\s[^\W\d].*|.*[^\W\d]\s\d{1,3}")
"""A number separated from the text by a blank at most: a code only if the numbers count up."""
_LAST: Final = re.compile(r"\s?[(（]\s?(?P<within>[^()（）]{1,120}?)\s?[)）]\s?(?P<mark>[?？。.]?)\s?$")
_BEHIND: Final = re.compile(
    r"(?<=[?？])\s?(?P<range>-?\d[-\d.]{0,9}[^\d.]{1,6}\d[-\d.]{0,9}[^\d?？]{0,30}?)[.。]?$"
)
"""A possible range on the same line as its question."""
_UNIT: Final = 3
"""Letters that a unit has in singular and plural."""
_RANGE: Final = re.compile(r"(?:(?P<named>number|a number|数字|数)\s?[,，:：]?\s?)?" + _SPAN, re.IGNORECASE)
_BETWEEN: Final = tuple(
    re.compile(rf"\s?{sign}\s?", re.IGNORECASE)
    for sign in ("[/／]", r"[|｜]", "[;；]", r"[,，、](?:\s?or\s)?", r"(?:(?<=\s)or(?=\s)|还是)")
)
"""Separators of answers on one line; the first that occurs is used."""
_CAPITAL: Final = re.compile(r"\s(?=[A-ZÀ-ÖØ-Þ][a-zß-ÿ])")
"""The place before a word with a capital letter."""
_ENDS: Final = re.compile(
    r"(?P<low>\d{1,2})\s?[=＝:：]\s?(?P<first>[^=＝,，;；]+?)\s?[,，;；]\s?"
    r"(?P<high>\d{1,2})\s?[=＝:：]\s?(?P<last>[^=＝,，;；]+)"
)
_LABEL_CODE: Final = re.compile(r"(?P<label>[^\W\d][^=＝:：]{0,59}?)\s?[=＝:：]\s?(?P<code>\d{1,2})")
"""An answer with its code behind it."""
_SLASH: Final = re.compile(r"\s[/／]\s|(?<=[㐀-鿿])[/／](?=[㐀-鿿])")
_SLASH_OR_DASH: Final = re.compile(rf"\s[–—-]\s|\s?[;；]\s?|{_SLASH.pattern}")
_ASKS_HOW_MUCH: Final = re.compile(r"^\W*(how|what|which)\b|多少|几|多大|多久|多长", re.IGNORECASE)
_ASKS_WITHIN: Final = re.compile(r"[?？]\W{0,9}\w")
"""A question mark before further words."""
_MOST_STEPS: Final = 11
_SCALE: Final = re.compile(
    r"\b(?:scale|skala|échelle|escala)\b\D{0,30}(?P<low>\d)\D{1,12}(?P<high>\d{1,2})\b",
    re.IGNORECASE,
)
"""A scale that a question states."""


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
    for split in (_in_parentheses, _split_at_colon):
        by_tag = {tag: split(text) for tag, text in question.texts.items()}
        options = _options_of(question.line, {tag: options for tag, (_text, options) in by_tag.items()})
        if not options:
            continue
        question.texts = {tag: text for tag, (text, _options) in by_tag.items()}
        question.options = options
        is_scale = split is _in_parentheses and len(options) > 1 and not all(map(_is_coded, options))
        if is_scale and not says_yes_or_no([option.texts for option in options]):
            question.flags |= {"rating"}
        return


def _is_coded(option: Option) -> bool:
    """Return whether an option came with its code, which `_without_codes` removes."""
    return all(" = " in text for text in option.texts.values())


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
    found = (each.split(text.strip(" ()（）")) for each in _BETWEEN if not _ASKS_WITHIN.search(text))
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
    coded = [_LABEL_CODE.fullmatch(part) for part in _split_line(within)]
    if len(coded) > 1 and all(coded):
        return plain, [f"{match['code']} = {match['label']}" for match in coded if match]
    ends = _ENDS.fullmatch(within)
    if ends is not None:
        low, high = int(ends["low"]), int(ends["high"])
        if low < high < low + _MOST_STEPS:
            middle = [str(number) for number in range(low + 1, high)]
            return plain, [f"{low} – {ends['first']}", *middle, f"{high} – {ends['last'].strip()}"]
    scale = _RANGE.fullmatch(within)
    is_label = not last["mark"] and not any(asks_yes_or_no(tag, text) for tag in ("en", "zh"))
    # Numbers in parentheses may be years: they are a range only if the question asks how much.
    if scale is not None and (
        scale["named"] or _ASKS_HOW_MUCH.search(before) or _NUMBER.search(before) or is_label
    ):
        return plain, [f"{scale['low']}-{scale['high']}"]
    return text, []


def _split_at_colon(text: str) -> tuple[str, list[str]]:
    """Split off the answers after the last colon or question mark, if signs separate them.

    Examples
    --------
    >>> _split_at_colon("Gender: Male / Female"), _split_at_colon("He/she did: a/b")
    (('Gender', ['Male', 'Female']), ('He/she did: a/b', []))
    """
    place = max(text.rfind(sign) for sign in ":：?？")
    is_asked = text[: place + 1].endswith(("?", "？"))
    signs = _SLASH_OR_DASH if is_asked else _SLASH
    answers = signs.split(text[place + 1 :].strip(" ()（）-–—"))
    if place < 1 or len(answers) < 2 or not all(any(map(str.isalpha, answer)) for answer in answers):
        return text, []
    return text[: place + is_asked], answers


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
    _with_number(question, survey)
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
        question.kind = SEVERAL
    elif "rating" in question.flags:
        question.kind = "single"
    elif says_yes_or_no(options):
        question.points = _yes_no_points(question.options)
        question.kind, question.options = "yes_no", []
        return
    elif not options:
        _decide_without_options(question, survey)
        return
    elif "boxes" in question.flags and "one" not in question.flags:
        question.kind = SEVERAL
        question.why = _(
            "its boxes are square and those of other questions round: several answers are allowed"
        )
    else:
        question.kind = "single"
    if question.kind == SEVERAL:
        for option in question.options:
            option.points = None
    if len(options) < 2:
        _ask_for_answers(question, survey)
        return
    seen, twice, remedy = set(), _("this option occurs twice"), _("keep one of the two")
    for option in question.options:
        wording = frozenset(option.texts.items())
        if wording in seen:
            survey.note(option.line, twice, remedy, effect=WRONG)
        seen.add(wording)
    _note_rows(question, survey)


def _with_number(question: Question, survey: Questionnaire) -> None:
    """Ask for a number if one answer is a line for it; note the answers beside it, such as codes for none."""
    fields = [option for option in question.options if all(map(_FIELD.match, option.texts.values()))]
    if len(fields) != 1:
        return
    left = [option for option in question.options if option is not fields[0]]
    question.options = []
    question.flags |= {"number"}
    if left:
        survey.note(
            left[0].line,
            _("the answers beside the number are left out: %(options)s")
            % {"options": list_text(f"“{text_in(option.texts)}”" for option in left)},
            _("people without a number can skip the question"),
            effect=LOST,
        )


def _note_rows(question: Question, survey: Questionnaire) -> None:
    """Note options that seem to be rows of a grid: they follow the labels of a scale."""
    texts = [next(iter(option.texts.values())) for option in question.options]
    n_steps = next((number for number, text in enumerate(texts) if not is_step(text)), len(texts))
    n_within = len(steps_in(texts[0]))
    rows = question.options[1 if n_within > 2 else n_steps :]
    if max(n_steps, n_within) < 3 or len(rows) < 2 or any(map(is_step, texts[-len(rows) :])):
        return
    if not any(looks_exclusive(option.texts) for option in rows):
        message = _("from here on, the options seem to be rows of a grid")
        survey.note(rows[0].line, message, _("write each row as one question"), effect=WRONG)


def _join_ends(question: Question) -> None:
    """Join the words around or below a scale of bare numbers with its ends, and call it a rating."""
    if len(question.options) < 5:
        return
    _split_ends(question)
    first, *middle, last = question.options
    if all(map(str.isdecimal, first.texts.values())):
        first, middle = middle[-1], [first, *middle[:-1]]
        if looks_exclusive(last.texts):
            return
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


def _split_ends(question: Question) -> None:
    """Split the words of both ends of a scale, on one line below its numbers, where a capital begins."""
    *steps, last = question.options
    is_scale = all(text.isdecimal() for option in steps for text in option.texts.values())
    ends = {tag: _CAPITAL.split(text) for tag, text in last.texts.items()}
    if (
        is_scale
        and ends
        and all(len(parts) == 2 for parts in ends.values())
        and not looks_exclusive(last.texts)
    ):
        question.options = [
            *steps,
            *(
                Option(line=last.line, texts={tag: parts[place] for tag, parts in ends.items()})
                for place in (0, 1)
            ),
        ]


def _decide_without_options(question: Question, survey: Questionnaire) -> None:
    texts = question.texts
    if _read_scale(question):
        return
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
    elif any(asks_yes_or_no(tag, wording) for tag, wording in texts.items()) and not _asks_more(texts):
        question.kind = "yes_no"
        question.why = _("it has no options, so it is asked as yes or no")
    else:
        _ask_for_answers(question, survey)


def _read_scale(question: Question) -> bool:
    """Make a question that states a scale (*on a scale from 1 to 10*) a rating; return whether it does."""
    stated = [_SCALE.search(text) for text in question.texts.values()]
    ends = {(int(match["low"]), int(match["high"])) for match in stated if match}
    if len(ends) != 1 or None in stated:
        return False
    ((low, high),) = ends
    if not low < high < low + _MOST_STEPS:
        return False
    question.kind = "single"
    question.flags |= {"rating"}
    question.options = [
        Option(line=question.line, texts=dict.fromkeys(question.texts, str(step)))
        for step in range(low, high + 1)
    ]
    return True


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
    ends = next((ends for ends, pattern in _PROPOSED.items() if pattern.search(text)), (0, 99))
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


def _asks_more(texts: Texts) -> bool:
    """Return whether one of the languages with a rule asks for something other than yes or no."""
    return not all(asks_yes_or_no(tag, text) for tag, text in texts.items() if has_rule(tag) and text.strip())


def says_yes_or_no(options: Sequence[Texts]) -> bool:
    """Return whether the options are yes and no in each language."""
    return len(options) == 2 and all(
        is_yes_no([as_read(option.get(tag, "")) for option in options]) for tag in options[0]
    )


def _without_codes(question: Question, survey: Questionnaire) -> None:
    """Remove codes that all options have: after the text, before it, or a hyphen before a digit.

    Codes on lines of their own alternate with the options.
    """
    answers = [next(iter(option.texts.values())) for option in question.options]
    codes = [answer for answer in answers if answer.isdecimal()]
    if len(codes) > 1 and counts_up(codes) and codes in (answers[: 2 * len(codes) : 2], answers[1::2]):
        question.options = [
            each for each, answer in zip(question.options, answers, strict=True) if answer not in codes
        ]
        question.flags |= {"coded"}
    texts = [option.texts for option in question.options]
    if len(texts) > 1:
        for tag in texts[0]:
            answers = [each.get(tag, "") for each in texts]
            plain = _plain_options(answers)
            if plain is None:
                continue
            question.flags |= {"coded"}
            for option, (text, code) in zip(question.options, plain, strict=True):
                option.texts[tag] = text
                option.points = option.points if code is None else code
    if "coded" in question.flags:
        survey.note(
            question.line,
            _("the codes of the answers are left out"),
            _("results name the answers themselves; for a score, send one answer in the builder"),
        )


def _plain_options(texts: Sequence[str]) -> list[tuple[str, int | None]] | None:
    """Return options without their codes, and codes that are numbers; None unless all options have codes."""
    if all(text[:1] == "-" and text[1:2].isdecimal() for text in texts):
        return [(text[1:], None) for text in texts]
    if all(text[:2] == f"{letter} " for text, letter in zip(texts, ascii_uppercase, strict=False)):
        return [(text[2:], None) for text in texts]
    before = [(match["text"], match["code"]) for text in texts if (match := _CODE_BEFORE.fullmatch(text))]
    for pairs in (before, [each for text in texts if (each := _split_code(text)) is not None]):
        codes = [int(code) for _text, code in pairs]
        if len(pairs) < len(texts) or len(set(codes)) < len(codes):
            continue
        counts_up = codes == list(range(codes[0], codes[0] + len(codes)))
        if _are_amounts([text for text, _code in pairs]) and any(map(_WEAK.fullmatch, texts)):
            continue
        ascends = pairs is before and codes == sorted(codes) and codes[0] < 2 and len(codes) > 2
        if counts_up or ascends or not any(map(_WEAK.fullmatch, texts)):
            return list(zip((text for text, _code in pairs), codes, strict=True))
    return None


def _are_amounts(texts: Sequence[str]) -> bool:
    """Return whether the words after numbers are units: all of them begin alike (*1 time*, *2 times*)."""
    return len({text.lower()[:_UNIT] for text in texts}) == 1


def _yes_no_points(options: Sequence[Option]) -> list[int]:
    """Return the points of no and of yes; empty unless both have points."""
    starts_with_yes = any(is_yes_no([as_read(text), "no"]) for text in options[0].texts.values())
    stated = [option.points for option in (reversed(options) if starts_with_yes else options)]
    return [points for points in stated if points is not None] if None not in stated else []


def _split_code(text: str) -> tuple[str, str] | None:
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
        remedy = _("write two existing dates, the earlier one first")
    else:
        number = number_between([Decimal(first["low"]), Decimal(first["high"])], decimals=0)
        unit = {tag: (match["unit"] or "").strip() for tag, match in numbers.items()}
        number |= {"unit": unit} if len(unit) == len(texts) and all(unit.values()) else {}
        remedy = _("write the smaller number first")
    question.kind, question.options, question.range = "number", [], first[0].strip()
    question.own["number"] = number
    if "low" not in number:
        message = _("%(range)s is not a range") % {"range": question.range}
        survey.note(question.line, message, remedy, effect=WRONG)
    return True
