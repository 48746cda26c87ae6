"""Points that a text states apart from the answers: for their words, for their letters, or item by item.

The search knows the answers, so it needs no words of any language: each answer is next to one number, before
or after it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain, groupby
from typing import Final

from django.utils.translation import gettext as _

from surveys.imports.drafts.questionnaire import WRONG, Question, Questionnaire, labels_of
from surveys.imports.lines.source_lines import ANSWER, ROW, SCORING, SourceLine
from surveys.imports.scores.item_names import SPAN, ItemNames
from surveys.imports.scores.item_points import (
    ItemPoints,
    Token,
    answers_of,
    circles_of,
    groups_of,
    letters_before,
    letters_of,
    pairs_in,
    points_by_item,
    tokens_in,
    whole_points,
)
from surveys.imports.scores.named_answers import Find, labelled, points_by_name
from surveys.imports.scores.reversals import POINTS_UNREAD, TURNED
from surveys.imports.words.cues import REVERSED, pattern_of, says_yes
from surveys.imports.words.legends import LETTER_RUN, legend_of, points_of_letters
from surveys.imports.words.patterns import AND_OR, POINTS, STATEMENTS
from surveys.imports.words.runs import repeats

_POINTS_BEHIND: Final = re.compile(
    rf"\s?[(（\[](?P<word>[^\W\d_]{{1,8}})\s?(?:[=:：→]|{pattern_of('counts-points').pattern})\s?(?P<points>\d{{1,2}})"
    r"(?:\s?[^\W\d_]{1,8}\.?)?[)）\]]$",
    re.IGNORECASE,
)
_STEPS: Final = re.compile(rf"(?<![\d.,–-]){SPAN}(?![\d–-]|[.,]\d)", re.IGNORECASE)
"""The least and the most points of an answer."""
_AND: Final = rf"(?:\s?[,、]\s?(?:{AND_OR}\s)?|\s{AND_OR}\s|[和与及])"
"""What is between two numbers of a list."""
_LISTED: Final = rf"(?<![\d.,–-])(?<!\d[,、]\s)\d(?:{_AND}\d)"
"""The beginning of a list of numbers."""
_SAYS_CAPITALS: Final = pattern_of("capitals")
_ITEMS: Final = re.compile(r"\s?[,;、]\s?\d{1,3}(?:\s?[,;、]\s?\d|[.。;；]?\s{0,3}(?:\n|$))")
"""Further numbers of a list."""


def score_answers(survey: Questionnaire, lines: Sequence[SourceLine]) -> None:
    """Give answers the points that other lines state for their letters or their words.

    A scoring rule may replace codes; other lines only give points to answers that have none.

    Parameters
    ----------
    survey : Questionnaire
        The survey, whose questions have their answers.
    lines : sequence of SourceLine
        All lines, with their roles.
    """
    for question in survey.questions:
        _score_bracket(question)
    texts = [*_free_texts(survey, lines)]
    _score_capitals(survey, any(_SAYS_CAPITALS.search(line.text) for line in lines))
    _score_letters(survey, lines, [text for text, _is_rule in texts])
    keys = {legend.labels: legend.keys for line in lines if (legend := legend_of(line.text)) and legend.keys}
    for labels, each in groups_of(survey.questions).items():
        for own in (*letters_before(labels, lines), *circles_of(each, lines)):
            keys[labels] = own
    known_items, used = _score_items(survey, lines, texts)
    _score_words(survey, [each for each in texts if each[0] not in used], keys, known_items)


def _score_words(
    survey: Questionnaire,
    texts: Sequence[tuple[str, bool]],
    keys: Mapping[tuple[str, ...], tuple[str, ...]],
    known_items: Set[int],
) -> None:
    """Give answers the points that texts state for their words or abbreviations, or for all in a row.

    Items whose lines are known have points of their own.
    """
    known: dict[tuple[str, ...], Sequence[int] | None] = {}
    for question in survey.questions:
        labels = labels_of(question)
        if len(labels) < 2 or not all(labels) or question.line in known_items:
            continue
        if any(option.points is not None for option in question.options):
            stated = _points_in(texts, labels, is_rule=True)
            stated = None if stated and _is_reverse(question, stated) else stated
        else:
            if labels not in known:
                known[labels] = _points_of_words(texts, labels, keys.get(labels, ()))
            stated = known[labels]
        for option, points in zip(question.options, stated, strict=True) if stated else ():
            option.points = points


def _points_of_words(
    texts: Sequence[tuple[str, bool]], labels: tuple[str, ...], keys: tuple[str, ...]
) -> Sequence[int] | None:
    """Return the points that texts state for answers without points; None if they state none."""
    found = _points_in(texts, labels, is_rule=True) or _points_in(texts, labels, is_rule=False)
    if keys and not found:
        found = _points_in(texts, keys, is_rule=True)
    rows = (_row_of(text, labels) for text, is_rule in texts if is_rule)
    return found or next(filter(None, rows), None)


def _score_items(
    survey: Questionnaire,
    lines: Sequence[SourceLine],
    texts: Sequence[tuple[str, bool]],
) -> tuple[set[int], set[str]]:
    """Give answers the points that a rule states for some items; note rules that name items unclearly.

    Return the lines of these items, and the rules, which state no points for other items.
    """
    known: set[int] = set()
    used: set[str] = set()
    names = ItemNames(survey.questions, lines)
    ordered = [text for text, _is_rule in sorted(texts, key=lambda each: not each[1])]
    for labels, questions in groups_of(survey.questions).items():
        answers = answers_of(questions, lines, labels)
        keys = ((text, named_key(text, questions, lines, names)) for text, is_rule in texts if is_rule)
        by_name = ((text, key[0] if key else None) for text, key in keys)
        by_list = ((text, points_by_item(text, answers, questions, names)) for text in ordered)
        # Of two answers, a rule may name only one for each item.
        found = chain(by_name, by_list) if len(labels) == len("ab") else chain(by_list, by_name)
        text, stated = next((each for each in found if each[1]), ("", None))
        if stated is None:
            continue
        used.add(text)
        if stated.is_clear:
            _give_points(questions, stated)
            known |= {item.line for item, _points in stated.own}
            continue
        for question in questions:
            survey.note(
                question.line,
                _("a rule states other points for some items, but it is not clear for which"),
                _("check the points of its answers, and change them in the builder"),
                effect=WRONG,
                cause=POINTS_UNREAD,
            )
    return known, used


def named_key(
    text: str, questions: Sequence[Question], lines: Sequence[SourceLine], names: ItemNames
) -> tuple[ItemPoints, Find] | None:
    """Return the points that a rule states for answers by name, and what finds them; None if it states none.

    Parameters
    ----------
    text : str
    questions : sequence of Question
        Those with the same answers.
    lines : sequence of SourceLine
        All lines.
    names : ItemNames
        The names of all items; they are those of a single question.
    """
    names = ItemNames(questions, lines) if len(questions) > 1 else names
    known = {id(question) for question in questions}
    numbers = [number for number, question in names.by_number.items() if id(question) in known]
    answers = answers_of(questions, lines, labels_of(questions[0]))
    initials = tuple(label[:1] for label in answers[0])
    named = [each for each in answers if not any(map(str.isdecimal, each))]
    for own in (*named, *([initials] if len({*initials}) == len("ab") else [])):
        if len(own) > len("ab") and max(map(len, own)) > 1 and points_of_labels(text, own):
            # It lists the points of all answers.
            return None
        find = labelled(own)
        if points := points_by_name(names.with_numbers(text), find, len(own), numbers):
            each = [(names.by_number[number], points[number]) for number in numbers]
            return ItemPoints(base=None, own=each, is_clear=True), find
    return None


def _give_points(questions: Sequence[Question], stated: ItemPoints) -> None:
    """Give the answers of items their points, and mark the items whose points are reversed."""
    own = {item.line: points for item, points in stated.own}
    rest = [tuple(each.points for each in item.options) for item in questions if item.line not in own]
    lists = [stated.base] if stated.base else rest or [*own.values()]
    usual = Counter(lists).most_common(1)[0][0]
    for question in questions:
        points = own.get(question.line, stated.base)
        if points is None:
            continue
        for option, each in zip(question.options, points, strict=True):
            option.points = each
        is_turned = points != usual and sorted(points) == sorted(each or 0 for each in usual)
        question.flags |= {TURNED} if is_turned else set()


def _score_bracket(question: Question) -> None:
    """Take the points of *yes* or *no* from a bracket after a question: *(yes = 2 points)*."""
    found = {tag: _POINTS_BEHIND.search(text) for tag, text in question.texts.items()}
    match = next(iter(found.values()), None)
    if question.options or match is None or not all(found.values()):
        return
    is_yes = says_yes(match["word"])
    if is_yes is not None:
        question.points = [0, int(match["points"])] if is_yes else [int(match["points"]), 0]
        question.texts = {
            tag: text[: own.start()] for tag, text in question.texts.items() if (own := found[tag])
        }


def _row_of(text: str, labels: Sequence[str]) -> list[int] | None:
    """Return the points of all answers in a row of numbers, such as *0-0-1-1*; None without it.

    Examples
    --------
    >>> labels = ("never", "rarely", "often")
    >>> _row_of("The answers count 0-1-1.", labels), _row_of("Items 1, 2 and 3", labels)
    ([0, 1, 1], None)
    >>> _row_of("From “never” to “often”: 0, 1, 3 points", labels)
    [0, 1, 3]
    >>> _row_of("From left to right 0, 1 and 2", labels), _row_of("Add up items 1, 2 and 3", labels)
    ([0, 1, 2], None)
    >>> _row_of("From often to never: 0, 1, 3 points", labels)
    [3, 1, 0]
    >>> _row_of("Answers count 1 to 3 from left (never) to right (often).", labels)
    [1, 2, 3]
    """
    count = len(labels)
    if count < 3:
        return None
    row = rf"(?<![\d.,/–-])\d(?:(?:\s?[–/-]\s?|\s\|\s)\d){{{count - 1}}}(?![\d/–-]|[.,]\d)"
    listed = rf"{_LISTED}{{{count - 1}}}(?!\d|[.,]\d|{_AND}\d)(?P<word>\s?{POINTS}(?![^\W\d_㐀-鿿]))?"
    found: set[tuple[int, ...]] = set()
    for said in filter(None, STATEMENTS.split(text)):
        # Items have no number 0, so a list with it needs no word for points.
        lists = (match for match in re.finditer(listed, said) if match["word"] or "0" in match[0])
        own = {tuple(map(int, re.findall(r"\d", match[0]))) for match in (*re.finditer(row, said), *lists)}
        found |= {each[::-1] for each in own} if _names_last_first(said, labels) else own
        found |= {tuple(steps)} if (steps := _between_ends(said, labels)) else set()
    rows = [each for each in found if len({*each}) > 1 and min(each) < 2]
    return [*rows[0]] if len(rows) == 1 else None


def _names_last_first(said: str, labels: Sequence[str]) -> bool:
    """Return whether a statement names the last answer, and the first one behind it."""
    first, last = (said.casefold().find(label.casefold()) for label in (labels[0], labels[-1]))
    return 0 <= last < first


def _between_ends(said: str, labels: Sequence[str]) -> range | None:
    """Return the points of answers if a statement names both ends of them, and a range with as many steps."""
    text = said.casefold()
    first, last = (text.find(label.casefold()) for label in (labels[0], labels[-1]))
    if min(first, last) < 0:
        return None
    for match in _STEPS.finditer(text):
        ends = [int(match["low"]), int(match["high"])]
        if ends[1] - ends[0] == len(labels) - 1 and ends[0] < len("ab"):
            steps = range(ends[0], ends[1] + 1)
            return steps[::-1] if _names_last_first(said, labels) else steps
    return None


def _score_capitals(survey: Questionnaire, is_said: bool) -> None:
    """Give a point to the answer in capital letters, if it is not the same one in all questions.

    Without words about capital letters, the report asks for a check.
    """
    groups: dict[tuple[str, ...], list[tuple[Question, int]]] = {}
    for question in survey.questions:
        labels = labels_of(question)
        large = [place for place, label in enumerate(labels) if label.isupper()]
        if (
            len(labels) > 1
            and len(large) == 1
            and not any(option.points is not None for option in question.options)
        ):
            groups.setdefault(tuple(map(str.casefold, labels)), []).append((question, large[0]))
    for own in groups.values():
        if len({place for _question, place in own}) < 2:
            continue
        for question, place in own:
            for at, option in enumerate(question.options):
                option.points = int(at == place)
            if not is_said:
                survey.note(
                    question.line,
                    _("one of its answers is in capital letters, and scores 1 point here"),
                    _("check the points of its answers, and change them in the builder"),
                    effect=WRONG,
                    cause=POINTS_UNREAD,
                )


def _is_reverse(question: Question, stated: Sequence[int]) -> bool:
    """Return whether the answers of a question have the stated points in the opposite order."""
    return [option.points for option in question.options] == [*stated][::-1]


def _free_texts(survey: Questionnaire, lines: Sequence[SourceLine]) -> Iterator[tuple[str, bool]]:
    """Yield the texts that are neither questions nor answers, and whether they are scoring rules."""
    asked = {question.line for question in survey.questions}

    def is_free(line: SourceLine) -> bool:
        if line.number in asked or line.role == ROW:
            return False
        legend = legend_of(line.text) if line.role == ANSWER else None
        return line.role != ANSWER or bool(legend and legend.before)

    for (free, is_rule), group in groupby(lines, key=lambda line: (is_free(line), line.role == SCORING)):
        if free:
            yield "\n".join(line.text for line in group), is_rule


def _points_in(
    texts: Sequence[tuple[str, bool]], labels: Sequence[str], *, is_rule: bool
) -> Sequence[int] | None:
    """Return the points that one of several texts states for answers; None if none does."""
    for text, is_own_rule in texts:
        if is_own_rule is is_rule and (found := points_of_labels(text, labels)):
            return found
    return None


def points_of_labels(text: str, labels: Sequence[str]) -> list[int] | None:
    """Return the points that a text states for each of several answers; None if one has no points.

    Examples
    --------
    >>> points_of_labels("“Never” is scored 0, “Often” 1 and “Always” 2.", ["Never", "Often", "Always"])
    [0, 1, 2]
    >>> points_of_labels("Points: 2 for never, 1 for often, none for always", ["Never", "Often", "Always"])
    >>> points_of_labels("3 = jamais ; 1 = souvent", ["souvent", "jamais"])
    [1, 3]
    >>> points_of_labels("From never = 1 point to always = 3 points", ["Never", "Often", "Always"])
    [1, 2, 3]
    """
    text = "\n".join(_before_reversal(said) for said in STATEMENTS.split(text) if said)
    names = [label.casefold() for label in labels]
    if repeats(names):
        return None
    found = [*tokens_in(text.casefold(), names)]
    if not {token.label for token in found} >= {names[0], names[-1], ""}:
        return None
    candidates = []
    for is_behind in (True, False):
        pairs = _points_next_to(text, found, is_behind=is_behind)
        if pairs is not None and (whole := whole_points(pairs, names)):
            candidates.append(whole)
    if any(len({*each.values()}) == 1 for each in candidates):
        # Answers with equal points are those of different items: "1: yes = 1; 2: no = 1".
        return None
    if not candidates or (len(candidates) > 1 and candidates[0] != candidates[1]):
        return None
    return [candidates[0][name] for name in names]


def _before_reversal(said: str) -> str:
    """Return a statement up to the words that reverse items: later points belong to these items.

    The end of a bracket that another statement begins belongs to that statement.
    """
    cue = REVERSED.search(said)
    is_rest = said.count(")") > said.count("(")
    return "" if is_rest else said[: cue.start()] if cue else said


def _points_next_to(text: str, tokens: Sequence[Token], *, is_behind: bool) -> dict[str, int] | None:
    """Return the number directly after or before each answer; None if an answer has two."""
    found: dict[str, int] = {}
    count = len({token.label for token in tokens} - {""})
    for label, number in pairs_in(text, tokens, count, is_behind=is_behind):
        if is_behind and _ITEMS.match(text, number.end):
            # The numbers of the items that this answer scores.
            continue
        if found.setdefault(label.label, number.number) != number.number:
            return None
    return found


def _score_letters(survey: Questionnaire, lines: Sequence[SourceLine], texts: Sequence[str]) -> None:
    """Give answers with letters the points that a text states for the letters, for all items or in order."""
    by_number = {line.number: line for line in lines}
    lettered = [
        question for question in survey.questions if question.options and letters_of(question, by_number)
    ]
    shared: dict[str, int] = {}
    for text in texts:
        stated = points_of_letters(text)
        shared = {} if any(shared.get(key, own) != own for key, own in stated.items()) else shared | stated
    own = _in_order(lettered, texts)
    for question in lettered:
        stated = own.get(id(question), shared)
        points = [stated.get(letter) for letter in letters_of(question, by_number)]
        if None in points or any(option.points is not None for option in question.options):
            continue
        for option, each in zip(question.options, points, strict=True):
            option.points = each


def _in_order(lettered: Sequence[Question], texts: Sequence[str]) -> dict[int, dict[str, int]]:
    """Return the points of letters by question if there is one list of points for each, in their order."""
    runs = [points_of_letters(match[0]) for text in texts for match in LETTER_RUN.finditer(text)]
    if len(runs) < 2 or [len(run) for run in runs] != [len(question.options) for question in lettered]:
        return {}
    return {id(question): run for question, run in zip(lettered, runs, strict=True)}
