"""From a pasted text to a draft: the parsed questions, and the problems by line."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.errors import PrivacyError
from privacy.survey.block import default_refusal
from privacy.survey.design import Block, Question
from surveys.exchange.plain_text.groups import PastedGroup, arm_part, explanations_of, wordings_of
from surveys.exchange.plain_text.keys import FreshKeys, proposed_key
from surveys.exchange.plain_text.lines import (
    MOST_CHARACTERS,
    age_in_words,
    languages_of,
    lines_of,
    streams_of,
)
from surveys.exchange.plain_text.outline import (
    LineProblem,
    PastedOption,
    PastedPart,
    PastedQuestion,
    PastedSurvey,
    Texts,
    joined,
    note_missing,
    outline_of,
)
from surveys.exchange.plain_text.parentheses import with_answers_in_parentheses
from surveys.exchange.xlsform.scale_questions import dates_between, number_between
from surveys.questionnaire.aim import PEOPLE, Aim
from surveys.questionnaire.block_definition import RATING
from surveys.questionnaire.catalogue import scratch_document
from surveys.questionnaire.checks.looks import as_read, suggests_harmless, suggests_quasi_identifier
from surveys.questionnaire.definition import definition_without_texts
from surveys.questionnaire.languages import said_in
from surveys.questionnaire.plan import planned_document
from surveys.questionnaire.scale_definition import SLIDER
from surveys.questionnaire.sensitive import MEDIUM_EPSILON, even_chances, stored_number
from surveys.questionnaire.tables import MATRIX

__all__ = ["PastedReading", "UnderstoodQuestion", "pasted_read"]

# A first guess for a sensitive answer, as in protection.js; the researcher states a better one.
_RARE: Final = 2_000

_YES: Final = re.compile("y|yes|yeah|yes i (have|do|did)|true|是的?|有过?|会|对|做过")
_NO: Final = re.compile("n|no|nope|no i (have|do|did) not|false|否|不|没|不是|没有过?|不会|不对|没做过")
_SEVERAL: Final = re.compile(
    r"(all|any) (that|which) appl(y|ies)|(tick|check|select|choose|mark) (all|any|several)"
    r"|more than one answer|多选|可选多项|可以选多|选择所有|所有适用",
    re.IGNORECASE,
)
_WHICH: Final = re.compile(
    r"^\W*(how|which|what|when|where|who|whom|why)\b|多少|几[次个天年岁小]|哪[些个种里儿一]|什么|为何|怎么|怎样|多久|何时|谁",
    re.IGNORECASE,
)
_RANGE: Final = re.compile(
    r"(?P<low>-?\d{1,9}(?:\.\d{1,6})?)\s?(?:-|–|—|~|～|to|bis|至|到)\s?(?P<high>-?\d{1,9}(?:\.\d{1,6})?)\s?(?P<unit>[^\d].{0,40})?",
    re.IGNORECASE,
)
_DATES: Final = re.compile(
    r"(?P<low>\d{4}-\d{2}(?P<day>-\d{2})?)\s?(?: - |–|—|~|～|to|bis|至|到)\s?"
    r"(?P<high>\d{4}-\d{2}(?(day)-\d{2}))",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class UnderstoodQuestion:
    """One question as it was understood.

    Parameters
    ----------
    line, number : int
        Its line, and its place in the survey from 1.
    part : str
        Title of its part where it is the part's first question, else empty.
    texts, options : dict of str to str, tuple of such
    kind : str
        ``yes_no``, ``single``, ``multi`` or ``number``.
    is_protected : bool
    why : str
        What made it open or of its kind, where the text does not say so itself.
    range : str
        Of a number, what can be answered.
    wordings : tuple of (str, dict)
        Groups of an experiment that read it in other words, with these.
    """

    line: int
    number: int
    part: str
    texts: Texts
    kind: str
    is_protected: bool
    options: tuple[Texts, ...] = ()
    why: str = ""
    range: str = ""
    wordings: tuple[tuple[str, Texts], ...] = ()


@dataclass(frozen=True, kw_only=True)
class PastedReading:
    """What a pasted text says.

    Parameters
    ----------
    document : dict or None
        The draft; None where there is no question in it.
    questions : tuple of UnderstoodQuestion
    problems : tuple of LineProblem
        In the order of the lines.
    languages : tuple of str
    title : dict of str to str
    """

    document: dict[str, Any] | None
    questions: tuple[UnderstoodQuestion, ...]
    problems: tuple[LineProblem, ...]
    languages: tuple[str, ...]
    title: Texts


@dataclass(kw_only=True)
class _Drafted:
    """A question on its way into the draft."""

    pasted: PastedQuestion
    kind: str
    is_protected: bool
    why: str = ""
    range: re.Match[str] | None = None
    calendar: str | None = None
    unit: Texts | None = None


def pasted_read(pasted: str, languages: Sequence[str] = ()) -> PastedReading:
    """Return the reading of a typed or pasted text.

    Parameters
    ----------
    pasted : str
        Title, numbered questions, options as lines below; see `surveys.exchange.plain_text.lines`.
    languages : sequence of str
        One or two; empty to tell English and Chinese from the text.

    Examples
    --------
    >>> reading = pasted_read("Sleep\\n1. Do you sleep badly?\\n2. How old are you?\\n- under 30\\n- older")
    >>> [(question.kind, question.is_protected) for question in reading.questions]
    [('yes_no', True), ('single', False)]
    """
    lines = lines_of(pasted[:MOST_CHARACTERS])
    languages = tuple(languages) or languages_of(lines)
    streams = streams_of(lines, languages)
    is_ambiguous = streams is None
    if streams is None:
        languages, streams = languages[:1], streams_of(lines, languages[:1]) or []
    survey = outline_of(streams[0], languages[0])
    if len(streams) == 2:
        survey = joined(survey, outline_of(streams[1], languages[1]))
    if len(pasted) > MOST_CHARACTERS:
        survey.note(
            len(lines),
            _("the text has %(count)s characters; the rest was not read") % {"count": len(pasted)},
            _("keep to at most %(most)s") % {"most": MOST_CHARACTERS},
        )
    if is_ambiguous:
        survey.note(
            0,
            _("the two languages cannot be told apart"),
            _("write them side by side with | between, or one after the other below a line of ==="),
        )
    for question in survey.questions:
        with_answers_in_parentheses(question)
    drafted = [[_drafted(question, part, survey) for question in part.questions] for part in survey.parts]
    note_missing(survey, languages)
    for each in itertools.chain.from_iterable(drafted):
        if each.kind == "number" and each.pasted.wordings:
            survey.note(
                each.pasted.line,
                _("a number is asked in the same words of everybody"),
                _("leave out the lines of groups below it, or ask with options"),
                is_lost=True,
            )
    return PastedReading(
        document=_document(survey, drafted, languages) if survey.questions else None,
        questions=tuple(_understood(survey, drafted, languages[0])),
        problems=tuple(sorted(survey.problems, key=lambda problem: problem.line)),
        languages=languages,
        title=survey.title,
    )


def _drafted(question: PastedQuestion, part: PastedPart, survey: PastedSurvey) -> _Drafted:
    """Decide what kind a question is of, and whether it is protected."""
    dates, ends = _range_of(question, _DATES), _range_of(question, _RANGE)
    if dates is not None or ends is not None:
        return _drafted_number(question, part, survey, dates=dates, ends=ends)
    kind, why = _kind(question, survey)
    own = question.flags & {"open", "protected"}
    flags = own or part.flags
    known = suggests_quasi_identifier(question.texts, [option.texts for option in question.options])
    if "open" in flags or "protected" in flags:
        return _Drafted(pasted=question, kind=kind, is_protected="open" not in flags, why=why)
    reason = _why_open(question, known, may_be_harmless=kind != "yes_no")
    return _Drafted(pasted=question, kind=kind, is_protected=not reason, why=reason or why)


def _why_open(question: PastedQuestion, known: str | None, *, may_be_harmless: bool) -> str:
    """Return why a question without a mark is stored as answered; empty where it is protected."""
    if known is not None:
        return _("others can know this (%(words)s), so it is not protected") % {"words": known}
    harmless = suggests_harmless(question.texts) if may_be_harmless else None
    if harmless is not None:
        return _("people seldom hide this (%(words)s), so it is not protected") % {"words": harmless}
    return ""


def _drafted_number(
    question: PastedQuestion,
    part: PastedPart,
    survey: PastedSurvey,
    *,
    dates: re.Match[str] | None,
    ends: re.Match[str] | None,
) -> _Drafted:
    """Decide how a number is asked: protected, unless it is marked as open, or is seldom a secret."""
    flags = question.flags & {"open", "protected"} or part.flags
    known = suggests_quasi_identifier(question.texts)
    why = "" if {"open", "protected"} & flags else _why_open(question, known, may_be_harmless=True)
    drafted = _Drafted(
        pasted=question,
        kind="number",
        is_protected="open" not in flags and not why,
        why=why,
        range=dates or ends,
    )
    remedy = _("write the smaller number first")
    if dates is not None:
        drafted.calendar = "day" if dates["day"] else "month"
        remedy = _("write two dates that there are, the earlier one first")
    else:
        matches = {tag: _RANGE.fullmatch(text) for tag, text in question.options[0].texts.items()}
        unit = {tag: (match["unit"] or "").strip() for tag, match in matches.items() if match}
        drafted.unit = unit if all(unit.values()) else None
    question.options = []
    if "low" not in _number(drafted):
        text = drafted.range[0].strip() if drafted.range else ""
        survey.note(question.line, _("%(range)s is no range") % {"range": text}, remedy)
    return drafted


def _number(drafted: _Drafted) -> dict[str, Any]:
    """Return what a number states whose range is written; without its ends where they make no range."""
    ends = [] if drafted.range is None else [drafted.range["low"], drafted.range["high"]]
    if drafted.calendar is not None:
        return dates_between(drafted.calendar, ends)
    return number_between(list(map(Decimal, ends)), decimals=0) | (
        {"unit": drafted.unit} if drafted.unit else {}
    )


def _range_of(question: PastedQuestion, written: re.Pattern[str]) -> re.Match[str] | None:
    if len(question.options) != 1:
        return None
    return next(
        (match for text in question.options[0].texts.values() if (match := written.fullmatch(text))), None
    )


def _kind(question: PastedQuestion, survey: PastedSurvey) -> tuple[str, str]:
    text = " ".join(question.texts.values())
    if "several" in question.flags or ("one" not in question.flags and _SEVERAL.search(text)):
        kind = "multi"
    elif "rating" in question.flags:
        kind = "single"
    elif _is_yes_no(question.options):
        question.options = []
        return "yes_no", ""
    elif not question.options and not any(_WHICH.search(said) for said in question.texts.values()):
        return "yes_no", _("it has no options, so it is asked as yes or no")
    else:
        kind = "single"
    if len(question.options) < 2:
        survey.note(
            question.line,
            _("this question needs options to choose from"),
            _("write each option in a line of its own below it, or a range such as 0-60 for a number"),
        )
    seen = set()
    for option in question.options:
        said = frozenset(option.texts.items())
        if said in seen:
            survey.note(option.line, _("this option occurs twice"), _("keep one of the two"))
        seen.add(said)
    return kind, ""


def _is_yes_no(options: Sequence[PastedOption]) -> bool:
    if len(options) != 2:
        return False
    plain = [
        {re.sub(r"[\W_]+", " ", as_read(text)).strip().lower() for text in option.texts.values()}
        for option in options
    ]
    return any(
        all(map(_YES.fullmatch, yes)) and all(map(_NO.fullmatch, no)) for yes, no in (plain, plain[::-1])
    )


def _understood(
    survey: PastedSurvey, parts: Sequence[Sequence[_Drafted]], language: str
) -> Iterator[UnderstoodQuestion]:
    numbers = itertools.count(1)
    for part, questions in zip(survey.parts, parts, strict=True):
        for position, question in enumerate(questions):
            yield UnderstoodQuestion(
                line=question.pasted.line,
                number=next(numbers),
                part=part.texts.get(language, "") if position == 0 else "",
                texts=question.pasted.texts,
                kind=question.kind,
                is_protected=question.is_protected,
                options=tuple(option.texts for option in question.pasted.options),
                why=question.why,
                range=question.range[0].strip() if question.range else "",
                wordings=tuple(question.pasted.wordings.items()),
            )


def _document(
    survey: PastedSurvey, parts: Sequence[Sequence[_Drafted]], languages: Sequence[str]
) -> dict[str, Any]:
    document = scratch_document(title="", languages=languages)
    document["title"] |= survey.title
    for name, said in survey.about.items():
        document["about"][name] |= age_in_words(said) if name == "age_limit" else said
    taken = FreshKeys()
    groups = list(survey.groups.values())
    if groups:
        document["blocks"].append(arm_part(groups, languages))
        document |= explanations_of(groups, languages)
        taken.take(document["blocks"][0]["key"])
    runs = [
        (part, run) for part, questions in zip(survey.parts, parts, strict=True) for run in _runs(questions)
    ]
    for number, (part, run) in enumerate(runs, start=1):
        key = taken.take(proposed_key(part.texts.get(languages[0], "")) or f"part-{number}")
        document["blocks"].append(_block(key, part, run, groups, languages=languages, taken=taken))
    whole = definition_without_texts(document)
    # An unfinished question is laid out with the others when it is whole: the builder says what is missing.
    return document if whole is None else planned_document(whole, Aim(people=PEOPLE))


def _runs(questions: Sequence[_Drafted]) -> Iterator[list[_Drafted]]:
    """Yield questions that stand in one part: all protected or none, and each number alone."""
    for (_protected, _alone), run in itertools.groupby(
        questions, key=lambda each: (each.is_protected, each.pasted.line if each.kind == "number" else 0)
    ):
        yield list(run)


def _block(
    key: str,
    part: PastedPart,
    run: Sequence[_Drafted],
    groups: Sequence[PastedGroup],
    *,
    languages: Sequence[str],
    taken: FreshKeys,
) -> dict[str, Any]:
    title = {tag: part.texts.get(tag) or said_in(gettext_lazy("Questions"), tag) for tag in languages}
    entries = []
    for drafted in run:
        own = taken.take(proposed_key(drafted.pasted.texts.get("en", "")) or f"question-{len(taken) + 1}")
        worded = {} if drafted.kind == "number" else drafted.pasted.wordings
        entries.append(
            _entry(own, drafted, languages=languages) | wordings_of(groups, drafted.pasted.texts, worded)
        )
    block: dict[str, Any] = {
        "key": key,
        "protected": run[0].is_protected,
        "title": title,
        "questions": entries,
    }
    if not run[0].is_protected:
        return block
    if run[0].kind == "number":
        return block | {"refusal": True}
    design = _designed(key, entries)
    # The layout says how likely the truth is.
    skip = {} if design is None else {"refusal": default_refusal(design)}
    return block | skip | {"truth_probability": 1}


def _designed(key: str, entries: Sequence[dict[str, Any]]) -> Block | None:
    """Return the part as a block whose chances are still to be found; None where a question is not whole."""
    try:
        questions = tuple(
            Question(
                key=entry["key"],
                kind=entry["kind"],
                options=tuple(option["key"] for option in entry.get("options", ())),
                unrelated=entry["unrelated"],
            )
            for entry in entries
        )
        return Block(
            key=key, protected=True, truth_probability=1, refusal=None, asked_if=None, questions=questions
        )
    except PrivacyError:
        return None


def _entry(key: str, drafted: _Drafted, *, languages: Sequence[str]) -> dict[str, Any]:
    question = drafted.pasted
    entry: dict[str, Any] = {
        "key": key,
        "kind": drafted.kind,
        "text": dict.fromkeys(languages, "") | question.texts,
    }
    if question.help:
        entry["help"] = question.help
    if drafted.range is not None:
        look = {"look": SLIDER} if "slider" in question.flags else {}
        number = _number(drafted)
        # The layout bounds all answers together.
        own = number | {"epsilon": MEDIUM_EPSILON} if drafted.is_protected else stored_number(number)
        return entry | {"number": own} | look
    count = len(question.options)
    if drafted.kind != "yes_no":
        fresh = FreshKeys()
        keys = [
            fresh.take(proposed_key(option.texts.get("en", "")) or f"option-{position}")
            for position, option in enumerate(question.options, start=1)
        ]
        if drafted.kind == "single" and "rating" in question.flags:
            entry["look"] = RATING
        entry["options"] = [
            {"key": own, "text": dict.fromkeys(languages, "") | option.texts}
            for own, option in zip(keys, question.options, strict=True)
        ]
    if drafted.kind in ("yes_no", "single") and "table" in question.flags:
        entry["look"] = MATRIX
    if drafted.is_protected:
        even = even_chances(drafted.kind, max(count, 1))
        entry["unrelated"] = even
        entry["prevalence"] = [_RARE] * len(even) if drafted.kind in ("yes_no", "multi") else even
    return entry
