"""Decide what a question asks for: yes or no, one or several options, a number, a date, or free text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.imports.drafts.answer_codes import without_codes
from surveys.imports.drafts.form_columns import dates_between, number_between
from surveys.imports.drafts.questionnaire import SEVERAL, WRONG, Option, Question, Questionnaire, Texts
from surveys.imports.words.amounts import have_one_unit, runs_of_ranges
from surveys.imports.words.answers_on_line import Listed, answers_on
from surveys.imports.words.counted_periods import most_in_period
from surveys.imports.words.cues import (
    ASKS_SCALE,
    ASKS_SEVERAL,
    SAYS_NUMBER,
    SAYS_SOME,
    TRUE_FALSE,
    is_yes_no,
    pattern_of,
    says_yes,
)
from surveys.imports.words.number_ranges import STATED_RANGE, limit_in, range_in
from surveys.imports.words.numerals import ranges_in_digits
from surveys.imports.words.patterns import HAN, POINTS, TO, WHOLE_NUMBER
from surveys.imports.words.question_marks import asks
from surveys.imports.words.runs import counts_up, repeats
from surveys.imports.words.stated_scale import stated_scale, two_ends
from surveys.imports.words.yes_no_questions import asks_yes_or_no, begins_with_yes_or_no, has_rule
from surveys.questionnaire.displayed import as_read

_FREE_TEXT: Final = pattern_of("asks-text")
_NUMBER: Final = pattern_of("asks-number")
_ORDER: Final = pattern_of("asks-order")
_DATE_PARTS: Final = re.compile(r"(?<!\w)([^\W\d_])\1{1,3}\s?[./-]\s?([^\W\d_])\2{1,3}(?!\w)")
"""What a space for a date looks like: *dd/mm/yyyy*, *TT.MM.*"""
_PROPOSED: Final = {
    (low, high): pattern_of(f"range-{low}-{high}")
    for low, high in ((1900, 2100), *((0, most) for most in (250, 100, 20)))
}
"""Ranges to propose if the text states none, by words in the question."""
_STEP: Final = re.compile(r"(\d{1,3})(?: – .*)?")
_COUNTED: Final = re.compile(
    r"(?P<number>[0-9]{1,2})(?:\.|(?:st|nd|rd|th|er|e|º|ª)(?!\w))?(?P<words>(?:\s.*)?)"
)
_MOST_STEPS: Final = 10
"""Largest number of steps of a scale from which people choose one; a longer scale asks for a number."""
_SPAN: Final = rf"(?P<low>-?\d{{1,9}}(?:\.\d{{1,6}})?)\s?{TO}\s?(?P<high>-?\d{{1,9}}(?:\.\d{{1,6}})?)"
_REMARK: Final = re.compile(r"[?？؟]\s?[(（][^()（）]{4,60}[)）]\W{0,2}$")
"""A remark in brackets behind a question."""
_FEW: Final = 2
"""Options that are rather alternatives than a list to tick, whatever their boxes are."""
_RANGE_IN: Final = re.compile(
    rf"(?<![\d.])(?P<low>\d{{1,5}})\s?(?:{TO}|tot|do|al)\s?(?P<high>\d{{1,5}})(?![.,]?\d)", re.IGNORECASE
)
_OPENING_RANGE: Final = re.compile(
    r"\W{0,3}(?:[^\W\d_]{1,8}\s?)?(?P<low>[01])\s?(?:[-–—~～]|[^\W\d_]{1,3})\s?(?P<high>[3-9]|10|100)"
    r"\s?(?:分|points?|punkten?|puntos|pontos)?\s?[,，、:：]\s?(?=[^\W\d_]|¿)",
    re.IGNORECASE,
)
"""Two numbers in front of a question, without a unit: those between which its answer lies."""
_USUAL_RANGE: Final = re.compile(
    r"(?<![\d.,])(?P<low>[01])\s?(?:[-–—~～]|to|and|bis|und|à|au|et|a|al|y|e|до|至|到)\s?(?P<high>5|7|10|100)(?![.,]?\d)"
)
"""The ends of a usual scale in the words for a space to write: *Note de 0 à 10 : ____*."""
_NAMED_RANGE: Final = re.compile(
    r"(?:\b(?:from|da|de|del|von|от)\s|从\s?)(?P<low>[01])\s?(?:to|a|à|al|bis|до|到|至)\s?(?P<high>5|7|10)"
    r"(?=\s?(?:分|[)）,，.:：;?？]|$))",
    re.IGNORECASE,
)
"""The ends of a usual scale, without a unit, anywhere in a question: *How sure are you, from 0 to 10?*"""
_NUMBERS: Final = re.compile(_SPAN + r"\s?(?P<unit>(?!.{0,40}\d\s?[-–—]\s?\d)[^\d|].{0,40})?", re.IGNORECASE)
_DATES: Final = re.compile(
    r"(?P<low>\d{4}-\d{2}(?P<day>-\d{2})?)\s?(?: - |–|—|~|～|to|bis|至|到)\s?"
    r"(?P<high>\d{4}-\d{2}(?(day)-\d{2}))",
    re.IGNORECASE,
)
_LAST: Final = re.compile(
    r"\s?[(（\[【〔{<]\s?(?P<within>[^()（）\[\]【】〔〕{}<>]{1,120}?)\s?[)）\]】〕}>]\s?(?P<mark>[?？。.:：]?)\s?$"
)
_BEHIND_MARK: Final = re.compile(r"(?<=[?？؟])[^?？؟]{2,80}$")
"""Words behind the question mark."""
_SPACE_LAST: Final = re.compile(r"[\s:：….]{1,12}$")
_ONLY_RANGE: Final = re.compile(r"(?:[^\W\d]{1,8}\s)?\d{1,6}(?:\s?[-–—~～]\s?|\s[^\W\d]{1,3}\s)\d{1,6}")
_LABEL_WORDS: Final = 4
"""Most words of a label in front of a range."""
_YEARS: Final = range(1900, 2101)
_BEHIND: Final = re.compile(
    r"(?<=[?？])\s?(?P<range>-?\d[-\d.]{0,9}[^\d.]{1,6}\d[-\d.]{0,9}[^\d?？]{0,30}?)[.。]?$"
)
"""A possible range on the same line as its question."""
_RANGE: Final = re.compile(
    r"(?:(?P<named>number|a number|数字|数)\s?[,，:：]?\s?)?" + _SPAN + rf"(?:\s?{POINTS})?",
    re.IGNORECASE,
)
_BRIEF: Final = 2
_LEAST_WORDS: Final = 3
"""Words of a statement that can be true."""
STATED_YES_NO: Final = "yes or no"
"""The flag of a question in a survey that says that its items are answered with yes or no."""
ODD_UNIT: Final = "odd unit"
"""The flag of a number behind whose space are words that may be no unit: unknown ones, or with a limit."""
_ASKS_HOW_MUCH: Final = re.compile(r"^\W*(how|what|which)\b|多少|几|多大|多久|多长", re.IGNORECASE)


def with_range_behind(question: Question) -> None:
    """Turn a range behind a question, or in brackets at its end, into its only option.

    All languages must agree; otherwise the question does not change.

    Examples
    --------
    >>> question = Question(line=1, texts={"en": "How many hours? (0-79)"})
    >>> with_range_behind(question)
    >>> question.texts["en"], [option.texts["en"] for option in question.options]
    ('How many hours?', ['0-79'])
    """
    if question.options:
        return
    by_tag = {tag: _split_range(text) for tag, text in question.texts.items()}
    if by_tag and all(found for _text, found in by_tag.values()):
        question.texts = {tag: text for tag, (text, _range) in by_tag.items()}
        ranges = {tag: found for tag, (_text, found) in by_tag.items()}
        question.options = [Option(line=question.line, texts=ranges)]


def _split_range(text: str) -> tuple[str, str]:
    """Split off the range at the end of a text; it is empty if there is none."""
    behind = _BEHIND.search(text)
    if (
        behind
        and behind.start() > 1
        and (_NUMBERS.fullmatch(behind["range"]) or _DATES.fullmatch(behind["range"]))
    ):
        return text[: behind.start()], behind["range"]
    last = _LAST.search(text)
    scale = _RANGE.fullmatch(last["within"]) if last else None
    if last is None or scale is None:
        return text, ""
    before = text[: last.start()]
    is_label = not (last["mark"] or _are_years(range_in(last["within"]))) and not any(
        asks_yes_or_no(tag, text) for tag in ("en", "zh")
    )
    # Numbers in parentheses may be years: they are a range only if the question asks how much.
    if not before.strip():
        return text, ""
    if not (scale["named"] or _ASKS_HOW_MUCH.search(before) or _NUMBER.search(before) or is_label):
        return text, ""
    return before + (last["mark"] if last["mark"] in "?？" else ""), f"{scale['low']}-{scale['high']}"


def _are_true_or_false(options: Sequence[Mapping[str, str]]) -> bool:
    """Return whether answers are *true* and *false*; they then remain the answers to a statement."""
    return any(TRUE_FALSE.fullmatch(text) for texts in options for text in texts.values())


def decide_kind(question: Question, survey: Questionnaire) -> None:
    """Decide the kind of a question's answer; note unclear points and changes.

    Yes/no is chosen only for questions that can be answered by yes or no.
    """
    with_range_behind(question)
    without_codes(question, survey)
    if len(question.options) == 1 and _states_scale(question, survey):
        return
    options = [option.texts for option in question.options]
    is_statement = _are_true_or_false(options) and not asks(" ".join(question.texts.values()))
    says_yes = says_yes_or_no(options) and not is_statement
    if says_yes and "rating" not in question.flags:
        _ask_yes_or_no(question, survey)
        return
    if not says_yes and _allows_several(question):
        question.kind = SEVERAL
    elif "rating" in question.flags:
        question.kind = "single"
        _count_steps(question)
    elif not options:
        _decide_without_options(question, survey)
        return
    elif _has_square_boxes(question):
        question.kind = SEVERAL
        question.why = _(
            "its boxes are square and those of other questions round: several answers are allowed"
        )
    else:
        question.kind = "single"
        _note_doubtful_choice(question, survey)
    _settle_options(question, survey)


def _states_scale(question: Question, survey: Questionnaire) -> bool:
    """Read the only answer of a question, and return whether it is a range or a scale, not a list."""
    texts = question.options[0].texts
    if _decide_range(question, texts, survey):
        return True
    list_answers(question)
    if len(question.options) > 1 or not _read_scale(question, texts, two_ends):
        return False
    _count_steps(question)
    return True


def _allows_several(question: Question) -> bool:
    """Return whether the lines around a question or its words allow several answers."""
    text = " ".join(question.texts.values())
    if not question.options and _NUMBER.search(text):
        # A number in brackets is the largest: *How many? (at most 5)*.
        return False
    if question.flags & {"several", "one"}:
        return "several" in question.flags
    return ASKS_SEVERAL.search(text) is not None


def _settle_options(question: Question, survey: Questionnaire) -> None:
    """Ask for answers if a question lacks them, and drop codes, which are no points of several answers."""
    options = question.options
    if question.kind == SEVERAL and not repeats([option.points for option in options]):
        # Codes are unique; points are not.
        for option in options:
            option.points = None
    if len(options) < 2 and question.kind != "number":
        _ask_for_answers(question, survey)
    else:
        _note_repeated(question, survey)


def _ask_yes_or_no(question: Question, survey: Questionnaire) -> None:
    """Make a question whose answers mean yes and no a yes/no question, with their points."""
    question.points = _yes_no_points(question.options)
    if _are_true_or_false([option.texts for option in question.options]):
        survey.note(
            question.line,
            _("its answers are asked as yes and no"),
            _("choose “one of these answers” in its row if it is not a yes/no question"),
            effect=WRONG,
        )
    question.kind, question.options = "yes_no", []


def _has_square_boxes(question: Question) -> bool:
    """Return whether square boxes alone allow several answers, which are no steps or ranges."""
    options = [option.texts for option in question.options]
    is_list = len(options) > _FEW and not says_yes_or_no(options[:_FEW])
    is_free = "boxes" in question.flags and "one" not in question.flags
    return is_free and is_list and not (_are_steps(options) or _are_ranges(options))


def _note_repeated(question: Question, survey: Questionnaire) -> None:
    """Note each option that occurs a second time."""
    seen, twice, remedy = set(), _("this option occurs twice"), _("keep one of the two")
    for option in question.options:
        wording = frozenset(option.texts.items())
        if wording in seen:
            survey.note(option.line, twice, remedy, effect=WRONG)
        seen.add(wording)


def list_answers(question: Question) -> None:
    """Separate the answers of a question if all of them are on one line."""
    if len(question.options) != 1:
        return
    listed = {tag: answers_on(wording) for tag, wording in question.options[0].texts.items()}
    labels = {tag: each.labels for tag, each in listed.items() if each and not each.before}
    own = _options_of(question.options[0].line, labels) if len(labels) == len(listed) else []
    question.options = own or question.options


def _count_steps(question: Question, most: int = _MOST_STEPS) -> None:
    """Ask for a number if the answers are the steps of a long scale, such as 0 to 10; its ends explain it."""
    steps = [[*map(_STEP.fullmatch, option.texts.values())] for option in question.options]
    found = [int(match[1]) for first, *_others in steps if (match := first)]
    if not most < len(found) == len(steps) or not counts_up(found):
        return
    for tag in question.options[0].texts:
        ends = [question.options[at].texts[tag] for at in (0, -1)]
        ends = [end for end in ends if not end.isdecimal()]
        question.help |= {tag: ", ".join(filter(None, [question.help.get(tag, ""), *ends]))} if ends else {}
    question.kind, question.range, question.options = "number", f"{found[0]}–{found[-1]}", []
    _state_number(question, number_between([Decimal(found[0]), Decimal(found[-1])], decimals=0))


def _are_ranges(options: Sequence[Texts]) -> bool:
    """Return whether answers contain adjoining ranges, of which only one can be true."""
    return any(map(len, runs_of_ranges([next(iter(texts.values()), "") for texts in options])))


def _are_steps(options: Sequence[Texts]) -> bool:
    """Return whether options are numbers that count up, of which people choose one.

    Words may explain the ends of a scale, or each number has the same unit: *1st year*, *2nd year*.

    >>> _are_steps([{"en": "1 Poor"}, {"en": "2"}, {"en": "3 Good"}])
    True
    >>> _are_steps([{"en": "1st year"}, {"en": "2nd year"}, {"en": "3rd year or later"}])
    True
    >>> _are_steps([{"en": "1 Tea"}, {"en": "2 Wine"}, {"en": "3 Beer"}])
    False
    """
    labels = [next(iter(texts.values()), "") for texts in options]
    steps = [step for label in labels if (step := _COUNTED.fullmatch(label))]
    numbers = [int(step["number"]) for step in steps]
    if len(steps) < len(labels) or not counts_up(numbers):
        return False
    words = [step["words"] for step in steps]
    return not any(words[1:-1]) or (all(words) and have_one_unit(words))


def _note_doubtful_choice(question: Question, survey: Questionnaire) -> None:
    """Note a single choice that may be an order, or several answers: by its words, boxes or a remark."""
    if len(question.options) > _FEW and _ORDER.search(" ".join(question.texts.values())):
        message = _("it may ask to put its answers in order, which surveys cannot ask")
        remedy = _("ask which comes first, or ask about each answer on its own")
        survey.note(question.line, message, remedy, effect=WRONG)
        return
    if question.flags & {"one", "table"} or len(question.options) < 2:
        return
    remedy = _("choose “several of these answers” in its row if people may choose several")
    labels = [option.texts for option in question.options]
    is_list = (
        len(labels) > _FEW
        and not (_are_ranges(labels) or _are_steps(labels))
        and not says_yes_or_no(labels[:_FEW])
    )
    if "square" in question.flags and is_list:
        survey.note(question.line, _("its boxes are square, as for several answers"), remedy, effect=WRONG)
    elif is_list and ("told" in question.flags or any(map(SAYS_SOME.search, question.texts.values()))):
        message = _("its instruction does not say how many answers are allowed")
        survey.note(question.line, message, remedy, effect=WRONG)
    elif any(tag.startswith("und") and _REMARK.search(text) for tag, text in question.texts.items()):
        survey.note(question.line, _("the remark in brackets was not understood"), remedy, effect=WRONG)


def _options_of(line: int, texts_of: Mapping[str, Sequence[str]]) -> list[Option]:
    """Return options from their texts in each language; empty if the languages differ in number."""
    if len({len(texts) for texts in texts_of.values()}) != 1:
        return []
    return [
        Option(line=line, texts=dict(zip(texts_of, texts, strict=True)))
        for texts in zip(*texts_of.values(), strict=True)
    ]


def _decide_without_options(question: Question, survey: Questionnaire) -> None:
    texts = question.texts
    if _read_scale(question, texts, stated_scale):
        if "space" in question.flags:
            # The number is written, not chosen.
            _count_steps(question, most=0)
        return
    text = " ".join(texts.values())
    if "explained" in question.flags and question.unit and not (question.ends or _counts(question)):
        # Words in brackets say what to write: the name of a street, a month and a year.
        question.texts = {tag: f"{own} ({question.unit.get(tag, '')})" for tag, own in texts.items()}
        question.unit = {}
        _ask_for_answers(question, survey)
        return
    if _DATE_PARTS.search(" ".join([text, *question.unit.values()])):
        _ask_for_answers(question, survey)
        return
    is_number = _asks_number(question, text)
    if not is_number and ("text" in question.flags or _FREE_TEXT.search(text)):
        question.kind = "text"
        survey.note(
            question.line,
            _("this asks for free text, which can show who wrote it and cannot be disguised"),
            _("write options below it, or leave the question out"),
            asks="answers",
        )
    elif is_number and (ends := _ends_of(question)):
        question.kind, question.range = "number", f"{ends[0]}–{ends[1]}"
        _state_number(question, number_between([Decimal(end) for end in ends], decimals=0))
    elif is_number:
        _propose_range(question, survey, text)
    elif "space" not in question.flags and _is_for_yes_no(texts, is_stated=STATED_YES_NO in question.flags):
        question.kind = "yes_no"
        question.why = _("it has no options, so it is asked as yes or no")
    else:
        _ask_for_answers(question, survey)


def _asks_number(question: Question, text: str) -> bool:
    """Return whether a question without answers asks for a number: by its words, its space or its ends."""
    has_ends = bool(_ends_of(question))
    return (
        _asks_how_many(question)
        or "number" in question.flags
        or all(map(_says_number, question.texts.values()))
        or (has_ends and ("space" in question.flags or ASKS_SCALE.search(text) is not None))
        or all(map(_OPENING_RANGE.match, map(ranges_in_digits, question.texts.values())))
        or all(map(_NAMED_RANGE.search, map(ranges_in_digits, question.texts.values())))
        or _states_amount(question)
        or all(map(_is_label_of_range, question.texts.values()))
        or ("space" in question.flags and all(map(_begins_with_unit, question.texts.values())))
    )


def _asks_how_many(question: Question) -> bool:
    """Return whether the words of a question ask for a number, and not for yes or no about one."""
    is_written = "space" in question.flags or question.unit
    return any(
        _NUMBER.search(text) and (is_written or not begins_with_yes_or_no(tag, text))
        for tag, text in question.texts.items()
    )


def _is_label_of_range(text: str) -> bool:
    """Return whether a text is a short label and a range in brackets: *Age (from 18 to 30): ...*."""
    text = _SPACE_LAST.sub("", text)
    last = _LAST.search(text)
    is_short = last is not None and len(text[: last.start()].split()) <= _LABEL_WORDS
    return (
        last is not None and is_short and not asks(text) and _ONLY_RANGE.fullmatch(last["within"]) is not None
    )


def _says_number(text: str) -> bool:
    """Return whether the bracket at the end of a text says that its answer is a number: *(number)*."""
    last = _LAST.search(text)
    return last is not None and SAYS_NUMBER.fullmatch(last["within"]) is not None


def _propose_range(question: Question, survey: Questionnaire, text: str) -> None:
    """Ask for a number whose range the text does not state, and note the range that is proposed."""
    limits = _limits_of(question)
    unit = " ".join(question.unit.values())
    has_number = WHOLE_NUMBER.search(unit) is not None
    if unit and (has_number or not (_counts(question) or _is_brief(question))):
        question.flags |= {ODD_UNIT}
    ends, number = proposed_range(text, ends_given=limits, unit=unit)
    question.kind, question.range = "number", "–".join(map(str, ends))
    _state_number(question, number)
    survey.note(
        question.line,
        range_note(ends, limits),
        _("write another range below the question, such as 0-60"),
        cause="range",
    )
    stated = STATED_RANGE.search(ranges_in_digits(text))
    if not limits and (ASKS_SCALE.search(text) or (stated and not _are_years(range_in(stated[0])))):
        survey.note(
            question.line,
            _("the text may state the smallest and the largest number"),
            _("write another range below the question, such as 0-60"),
            effect=WRONG,
        )


def _limits_of(question: Question) -> dict[str, str]:
    """Return the only end that each language of a question states; move it from its unit to its text."""
    in_units = {tag: limit for tag, unit in question.unit.items() if (limit := limit_in(unit))}
    if in_units and in_units.keys() == question.texts.keys():
        question.unit = {tag: limit.before for tag, limit in in_units.items() if limit.before}
        question.texts = {tag: f"{text} ({in_units[tag].words})" for tag, text in question.texts.items()}
    found = [limit_in(_said_behind(text)) for text in question.texts.values()]
    limits = {(limit.side, limit.end) for limit in found if limit}
    return {side: str(end) for side, end in limits} if all(found) and len(limits) == 1 else {}


def range_note(ends: Sequence[Decimal], limits: Mapping[str, str]) -> str:
    """Return what to say about a proposed range, in words.

    Parameters
    ----------
    ends : sequence of Decimal
        The smallest and the largest answer.
    limits : mapping of str to str
        The ends that the source states, see `proposed_range`.
    """
    if ">" in limits:
        message = _("the text gives no largest number, so %(low)s to %(high)s can be answered")
    elif "<" in limits:
        message = _("the text gives no smallest number, so %(low)s to %(high)s can be answered")
    else:
        message = _("the text gives no range, so %(low)s to %(high)s can be answered")
    return message % {"low": ends[0], "high": ends[1]}


def _counts(question: Question) -> bool:
    """Return whether a question asks for a number, by its words or by a known unit behind its space."""
    units = question.unit
    return any(_NUMBER.search(f"{text} ({units.get(tag, '')})") for tag, text in question.texts.items())


def _begins_with_unit(text: str) -> bool:
    """Return whether the label of a space begins with a unit: *Hours you sit per day:*."""
    unit, _blank, rest = text.strip().partition(" ")
    return bool(rest) and not asks(text) and _NUMBER.search(f"({unit})") is not None


def _is_brief(question: Question) -> bool:
    """Return whether the unit of a number is one or two signs, such as a measure word or *€*."""
    return all(len(unit) <= _BRIEF for unit in question.unit.values())


def _state_number(question: Question, number: dict[str, Any]) -> None:
    """Give a question the definition of its number, with the unit next to its write-in space."""
    question.own["number"] = number | ({"unit": question.unit} if question.unit else {})


def _ends_of(question: Question) -> list[int]:
    """Return the smallest and the largest answer that a question or the lines around it state."""
    found = []
    for text in map(ranges_in_digits, question.texts.values()):
        stated = range_in(_said_behind(text))
        scale = _RANGE_IN.search(text) if ASKS_SCALE.search(text) else _OPENING_RANGE.match(text)
        if not scale:
            scale = (_USUAL_RANGE if "space" in question.flags else _NAMED_RANGE).search(text)
        stated = [int(scale["low"]), int(scale["high"])] if scale else stated
        found.append(stated or question.ends)
    first = found[0] if found else []
    is_range = len(first) == 2 and first[0] < first[1]
    return first if is_range and all(ends == first for ends in found) else []


def _said_behind(text: str) -> str:
    """Return what is in the last bracket of a text, or else behind its question mark.

    Examples
    --------
    >>> _said_behind("Pets? (0 to 9)"), _said_behind("Pets? a number, 0 to 9"), _said_behind("Pets?")
    ('0 to 9', 'a number, 0 to 9', '')
    """
    brackets = _LAST.search(_SPACE_LAST.sub("", text))
    behind = _BEHIND_MARK.search(text)
    return brackets["within"] if brackets else behind[0].strip() if behind else ""


def _states_amount(question: Question) -> bool:
    """Return whether a range, not one of years, is behind a question that yes or no does not answer."""
    texts = question.texts
    are_ranges = all(STATED_RANGE.search(_said_behind(text)) and asks(text) for text in texts.values())
    ends = _ends_of(question) if are_ranges else []
    return bool(ends) and not _are_years(ends) and not _is_for_yes_no(texts, is_stated=False)


def _are_years(ends: Sequence[int]) -> bool:
    return all(end in _YEARS for end in ends)


def _read_scale(question: Question, texts: Texts, steps_in: Callable[[str], Listed | None]) -> bool:
    """Make a question a rating if texts state a scale (*on a scale from 1 to 10*); return whether they do."""
    stated = {tag: steps_in(text) for tag, text in texts.items()}
    labels = {tag: scale.labels for tag, scale in stated.items() if scale}
    options = _options_of(question.line, labels) if labels and len(labels) == len(stated) else []
    if not options:
        return False
    question.kind = "single"
    question.flags |= {"rating"}
    question.options = options
    return True


def proposed_range(
    text: str, decimals: int = 0, ends_given: Mapping[str, str] | None = None, *, unit: str = ""
) -> tuple[tuple[Decimal, Decimal], dict[str, Any]]:
    """Return the ends and the definition of a number without a stated range, from words in its question.

    Parameters
    ----------
    text : str
    decimals : int
    ends_given : mapping, optional
        The end that the source states, with key ">" (lower) or "<" (upper). If the proposed other end is
        on the wrong side, it moves.
    unit : str, optional
        The unit next to the space for the answer.

    Examples
    --------
    >>> [list(map(int, proposed_range("On how many days of a week?", 0, end)[0])) for end in ({}, {">": "1"})]
    [[0, 7], [1, 7]]
    """
    said = f"{text} {unit}"
    ends = next((ends for ends, pattern in _PROPOSED.items() if pattern.search(said)), (0, 99))
    ends = (0, most) if (most := most_in_period(text, unit)) else ends
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


def _is_for_yes_no(texts: Texts, *, is_stated: bool) -> bool:
    """Return whether a language with a rule asks for yes or no, and none for something else."""
    filled = {tag: text for tag, text in texts.items() if text.strip()}
    if is_stated and filled and all(_is_statement(text) for text in filled.values()):
        return True
    answers = {tag: asks_yes_or_no(tag, text, is_stated=is_stated) for tag, text in filled.items()}
    return any(answers.values()) and all(answers[tag] for tag in filled if has_rule(tag))


def _is_statement(text: str) -> bool:
    """Return whether a text is a sentence that does not ask."""
    return not asks(text) and (
        len(text.split()) >= _LEAST_WORDS or len(HAN.findall(text)) >= 2 * _LEAST_WORDS
    )


def says_yes_or_no(options: Sequence[Texts]) -> bool:
    """Return whether the options are yes and no in each language."""
    return len(options) == 2 and all(
        is_yes_no([as_read(option.get(tag, "")) for option in options]) for tag in options[0]
    )


def _yes_no_points(options: Sequence[Option]) -> list[int]:
    """Return the points of no and of yes; empty unless both have points."""
    starts_with_yes = any(says_yes(as_read(text)) for text in options[0].texts.values()) or any(
        says_yes(as_read(text)) is False for text in options[-1].texts.values()
    )
    stated = [option.points for option in (reversed(options) if starts_with_yes else options)]
    return [points for points in stated if points is not None] if None not in stated else []


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
