"""Items with reversed points: those with a mark, and those that a scoring rule names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from operator import ge
from typing import Final

from django.utils.translation import gettext as _

from surveys.formats.joints import list_text
from surveys.imports.drafts.questionnaire import (
    IMPORTED_KINDS,
    WRONG,
    Question,
    Questionnaire,
    are_unscored,
    extremes_of,
    mirrored_points,
    points_of,
    scored_points,
    text_of,
)
from surveys.imports.lines.source_lines import SCORING, SourceLine
from surveys.imports.scores.item_names import SPAN, ItemNames, with_digits
from surveys.imports.scores.item_points import rows_in, without_points
from surveys.imports.scores.scoring_lines import ITEM_LIST, SIGN_OF_ITEM
from surveys.imports.words.cues import EXCEPTS, REVERSED, REVERSED_MARK, pattern_of
from surveys.imports.words.patterns import AND_OR, NUMBER, RECODING, STATEMENTS
from surveys.imports.words.runs import runs_of

POINTS_UNREAD: Final = "points unread"
"""The cause of notes on rules that may change the points of questions, but are not used."""
TURNED: Final = "turned"
"""The flag of a question whose points a rule states in the opposite order."""
_MARK_LAST: Final = re.compile(rf"{REVERSED_MARK.pattern}\s?(?P<end>[.。!?！？…]?)$", re.IGNORECASE)
_WORDS_LAST: Final = re.compile(
    rf"(?:(?<=\S)\s[–—/|-]\s|(?<=[.!?])\s|\s(?=[A-ZÀ-Þ]{{5,14}}$))(?!(?i:{AND_OR})\s)"
    r"(?P<words>[^\W\d_]{3,14}(?:[\s-][^\W\d_]{2,12}){0,2})$"
)
"""Words behind a dash or a full stop, or in capitals, at the end of an item."""
_MARK_FIRST: Final = re.compile(rf"(?:{REVERSED_MARK.pattern})\s?(?=\S)", re.IGNORECASE)
_SIGN_BEHIND: Final = re.compile(rf"(?<=\S)\s?(?P<sign>{SIGN_OF_ITEM.pattern})$")
_LETTER_BEHIND: Final = re.compile(r"(?<=[.!?…])\s(?P<sign>[A-Z])$")
"""A capital letter behind the full stop of an item."""
_SIGN_BEFORE: Final = re.compile(rf"(?P<sign>{SIGN_OF_ITEM.pattern}|[*＊†‡§#°^▲△▼▽◆◇★☆♦]{{1,3}})\s?(?=\w)")
_CLAUSE: Final = re.compile(
    r"[,;，；]\s?(?!(?:and|or|und|oder|sowie|et|ou|y|e|и)\b)[«„“\"「]?(?=[^\W\d])(?![^\W㐀-鿿](?:\W|$))"
)
"""Separates two clauses of a rule; the numbers and letters of a list are not clauses."""
_EDGE: Final = re.compile(rf"[()（）\[\]]|{_CLAUSE.pattern}")
_MARKED_NUMBER: Final = re.compile(
    rf"(?P<number>\d{{1,3}})\s?(?:[(（\[]\s?(?:{REVERSED.pattern}|r|rev\.?|i|inv\.?|[–−*-])\s?[)）\]]|[*](?=\s?[,;、]|$))",
    re.IGNORECASE,
)
"""A number and a bracket that says that this item is reversed."""

_ALL: Final = re.compile(
    r"\b(?:all|alle[nrs]?|sämtliche|tou(?:te)?s|tod[oa]s|tutt[ie]|wszystkie|все|всех)\b|所有|全部",
    re.IGNORECASE,
)
_ENDS_REVERSED: Final = re.compile(rf"\d[^\d,;.]{{1,20}}(?:{REVERSED.pattern})", re.IGNORECASE)
"""A cue behind the numbers that it is not about: *all but 1 and 3 are reversed*."""
_ALREADY: Final = pattern_of("already")
"""A word that says that the printed points are those of reversed items."""
_PLUS: Final = re.compile(r"(?:^|[\s:：])[+]\s[^\W\d]")
_SIGN_APART: Final = re.compile(r"(?<=[^\W\d])\s(?=[+–−-]\s[^\W\d])")
_CLAUSES: Final = re.compile(r"[,;，；]")
_SUBTRACTED: Final = re.compile(
    r"(?<!\w)(?:from|von|vom|a|da|de|di|à)\s(?P<total>\d{1,2})(?!\d|[.,]\d)(?!\s?[-–]|\s(?:bis|to|a|à)\s)",
    re.I,
)
"""A number from which answers are subtracted."""
_FALLING: Final = re.compile(rf"(?<![\d.,–-]){SPAN}(?![\d–-]|[.,]\d)", re.IGNORECASE)
"""A range, which may count down."""
_FORMULA: Final = re.compile(
    r"[(（\[][^()（）\[\]]{0,60}(?:=|＝|→|->|−|\d\s?[–-]\s?[^\W\d])[^()（）\[\]]{0,60}[)）\]]"
    r"|\d{1,2}\s?(?:=|＝|→|->|=>)\s?\d{1,2}|\d{1,2}\s?(?:minus|moins|menos|meno|минус|减|[–−-]\s)\s?(?=[^\W\d])"
    rf"(?!{REVERSED.pattern})",
    re.IGNORECASE,
)
"""The formula of a reversal: *(1 = 5, 2 = 4)*, *6 minus the answer*."""
_POINTS: Final = re.compile(r"(?<=[^\W\d])\s?[=＝]\s?\d{1,2}(?![\d.]|\s?[,;&]\s?\d)")
"""The points of an answer: *never = 3*."""
_BRACKET: Final = re.compile(r"[(（\[][^()（）\[\]]{0,120}[)）\]]")
_DASHES: Final = "+–−-"
"""Signs that also occur between words."""
_FAR: Final = 14
_ASTERISK: Final = pattern_of("asterisk")
_JOINED: Final = re.compile(
    rf"(?:(?<!\w)(?:{AND_OR}|sowie|plus|as well as|ainsi que|así como|bem como)\s{{1,2}}|以及|[和与及])"
    rf"(?:the\s|die\s|de[nr]\s|l['’]|l[oae]s?\s|os\s)?(?:{pattern_of('item-number').pattern})?\s{{0,2}}"
    rf"(?P<items>\d{{1,2}}(?:\s{{0,2}}(?:[,、]|{AND_OR}\s)\s{{0,2}}\d{{1,2}}){{0,20}})(?!\d|\s?[=＝:：])",
    re.IGNORECASE,
)
"""Items that a word joins to others: *and items 3 and 5*."""
_WORDS: Final = re.compile(r"[^\W\d_]{2,}")
ITEM_NUMBER: Final = pattern_of("item-number", behind=r"[^\d]{0,12}\d")
BEFORE_ITEM: Final = pattern_of("item-number", behind=r"[^\d]{0,12}$")


def has_points(question: Question) -> bool:
    """Return whether each answer of a question has points; yes and no count 1 and 0.

    The answers of multiple-choice questions never have points. Answers such as *no answer* may lack them.
    """
    if not question.is_asked or IMPORTED_KINDS[question.kind].is_scale:
        return False
    lacking = [option.points is None for option in question.options]
    unscored = are_unscored([option.texts for option in question.options]) if any(lacking) else lacking
    return not any(lacking) or (not all(lacking) and all(map(ge, unscored, lacking)))


def reverse(question: Question) -> None:
    """Reverse the points of a question's answers: the most becomes the least."""
    if not has_points(question):
        return
    turned = mirrored_points([option.texts for option in question.options], points_of(question))
    question.points = [] if question.options else turned
    for option, points in zip(question.options, turned, strict=False):
        option.points = None if option.points is None else points


def reverse_marked(survey: Questionnaire, source: Sequence[SourceLine]) -> tuple[set[int], set[str]]:
    """Reverse questions with a mark such as *(R)*, and remove it; return their lines and other marking signs.

    Another sign that only some items have is such a mark if another line says so.

    Parameters
    ----------
    survey : Questionnaire
        The survey, whose questions have their kinds and points.
    source : sequence of SourceLine
        All lines, with their roles.
    """
    marked = []
    for question in survey.questions:
        cut = {tag: _without_mark(text) for tag, text in question.texts.items()}
        if cut != question.texts and all(cut.values()):
            question.texts = cut
            marked.append(question)
    turned = _reverse_all(marked, survey.questions)
    own, signs = _reverse_signed(survey, source)
    return turned | own, signs


def _without_mark(text: str) -> str:
    """Return an item without its mark of reversed points, but with the sign after the mark.

    >>> _without_mark("I sleep well (reversed)."), _without_mark("(R) I sleep well"), _without_mark("I sleep")
    ('I sleep well.', 'I sleep well', 'I sleep')
    """
    first = _MARK_FIRST.match(text)
    last = _MARK_LAST.search(text)
    if first:
        return text[first.end() :]
    if last:
        return text[: last.start()].rstrip() + last["end"]
    words = _WORDS_LAST.search(text)
    return text[: words.start()] if words and REVERSED.match(words["words"]) else text


def _reverse_signed(survey: Questionnaire, source: Sequence[SourceLine]) -> tuple[set[int], set[str]]:
    """Reverse the items with a sign that a line explains as reversed; note unclear explanations."""
    lines = {line.number: line for line in source}
    signs = {question.line: _sign_of(question, lines.get(question.line)) for question in survey.questions}
    others = [line for line in source if line.number not in signs]
    explained = _explained_signs([*dict.fromkeys(filter(None, signs.values()))], others)
    kinds, known = {*signs.values()}, {*explained}
    reversing = {
        sign
        for sign, found in explained.items()
        if any(_reverses(said, sign, known) for _line, said in found)
    }
    if len(kinds) < 2:
        # A sign that all items have sets none apart.
        return set(), known
    if not reversing:
        if any(line.role == SCORING for line in others):
            _note_unused_signs(survey, signs, explained)
        return set(), known
    # One of only two signs marks the items that are not reversed, even if no line explains it.
    is_pair = "" not in kinds and len(kinds) == 2
    for question in survey.questions:
        sign = signs[question.line]
        if sign in known or is_pair:
            question.texts = {tag: _without_sign(text, sign) for tag, text in question.texts.items()}
    marked = [question for question in survey.questions if signs[question.line] in reversing]
    return _reverse_all(marked, survey.questions), known


def _explained_signs(signs: Sequence[str], lines: Sequence[SourceLine]) -> dict[str, list[tuple[int, str]]]:
    """Return the signs that lines explain, with the number of each such line and its statement."""
    found = {
        sign: [(line.number, said) for line in lines for said in _explanations(_with_commas(line.text), sign)]
        for sign in signs
    }
    return {sign: statements for sign, statements in found.items() if statements}


def _note_unused_signs(
    survey: Questionnaire, signs: Mapping[int, str], explained: Mapping[str, Sequence[tuple[int, str]]]
) -> None:
    """Note the lines that explain a sign of items, and these items, because none of them is used."""
    remedy = _("check the points of these items, and change them in the builder")
    for sign, statements in explained.items():
        message = _("some items have the sign %(sign)s, but the explanation in this line is not used")
        survey.note(statements[0][0], message % {"sign": sign}, remedy, effect=WRONG, cause=POINTS_UNREAD)
        message = _("it has the sign %(sign)s, but the explanation of this sign is not used")
        for line in (line for line, found in signs.items() if found == sign):
            survey.note(line, message % {"sign": sign}, remedy, effect=WRONG, cause=POINTS_UNREAD)


def _reverses(said: str, sign: str, known: Set[str]) -> bool:
    """Return whether a statement, or its clause if it names several signs, says that one reverses points."""
    if sum(bool([*_explanations(said, each)]) for each in known) < 2:
        return REVERSED.search(said) is not None
    clauses = [each.strip() for each in _CLAUSES.split(said) if [*_explanations(each.strip(), sign)]]
    return any(map(REVERSED.search, clauses))


def _sign_of(question: Question, line: SourceLine | None) -> str:
    """Return the sign after or before an item; empty if there is none."""
    text = text_of(question)
    found = _SIGN_BEHIND.search(text) or _SIGN_BEFORE.match(text) or _LETTER_BEHIND.search(text)
    if found:
        return found["sign"]
    if line is not None and (line.is_starred or line.text[-1] in "*＊"):
        return "*"
    return ""


def _without_sign(text: str, sign: str) -> str:
    if text.endswith(sign):
        return text.removesuffix(sign).rstrip()
    return text.removeprefix(sign).lstrip()


def _explanations(text: str, sign: str) -> Iterable[str]:
    """Return the statements of a text that explain a sign."""
    behind = r"(?=\s?[=:：»”\")）]|\s[^\W\d]|[㐀-鿿])" if sign in _DASHES else r"(?!\*)(?![^\W㐀-鿿])"
    before = (
        r"(?:^|[,;:：(（«„“\"]\s?|(?<=[^\W\d])\s|(?<=[㐀-鿿]))"
        if sign in _DASHES
        else r"(?<![^\W㐀-鿿])(?<!\*)"
    )
    # At its beginning, a footnote may follow its sign without a blank.
    named = re.compile(f"{before}{re.escape(sign)}{behind}|^{re.escape(sign)}(?=[^\\W\\d])")
    return [
        each
        for each in _statements_of(text)
        if named.search(each) or (sign in "*＊" and _ASTERISK.search(each))
    ]


def _statements_of(text: str) -> list[str]:
    """Return the statements of a text; a sign that is explained belongs to the one behind it."""
    found: list[str] = []
    for said in filter(None, STATEMENTS.split(text)):
        if found and SIGN_OF_ITEM.fullmatch(found[-1].strip()):
            found[-1] = f"{found[-1].strip()} {said}"
        else:
            found.append(said)
    return found


def _with_commas(text: str) -> str:
    """Return a text with a comma before each of two opposite signs: *+ as printed, - reversed*."""
    return _SIGN_APART.sub(", ", text) if _PLUS.search(text) else text


def unknown_names(lines: Sequence[SourceLine], names: ItemNames, source: Sequence[SourceLine]) -> list[str]:
    """Return the names of reversed items in lines that no item of a scale has.

    Parameters
    ----------
    lines : sequence of SourceLine
        The lines of a scoring rule.
    names : ItemNames
        The names of the items of the scale.
    source : sequence of SourceLine
        All lines.
    """
    found = (
        _items_in(said, names, source) for _line, said in [*_listed_items(lines), *_reversing(lines, names)]
    )
    return [name for _items, unknown in found for name in unknown]


def _items_in(said: str, names: ItemNames, source: Sequence[SourceLine]) -> tuple[list[Question], list[str]]:
    """Return the items that a statement reverses, and its other names; none if it states their points."""
    if not without_points(said, names, source):
        return [], []
    if REVERSED.search(said):
        # The ends of the points from which answers are subtracted: "from 4".
        totals = {sum(extremes_of(question)) for question in names.questions}
        said = _SUBTRACTED.sub(lambda match: " " if int(match["total"]) in totals else match[0], said)
    for count in {len(points_of(question)) for question in names.questions}:
        # Points in the order of the answers are no items: "reversed: 5, 4, 3, 2, 1".
        for row in reversed([each for each in rows_in(said, count) if each.points[0] > each.points[-1]]):
            said = f"{said[: row.start]} {said[row.end :]}"
    return named_items(with_digits(names.with_numbers(said)), names)


def reverse_named(
    survey: Questionnaire,
    names: ItemNames,
    turned: Set[int],
    signs: Collection[str],
    lines: Iterable[SourceLine],
    source: Sequence[SourceLine],
) -> set[int]:
    """Reverse the items that lines name, unless already reversed; note unknown and unclear names.

    Parameters
    ----------
    survey : Questionnaire
    names : ItemNames
        The names of the items of the scale.
    turned : set of int
        Lines of the items that are already reversed.
    signs : collection of str
        Signs that a text explains; statements about them name no other items.
    lines : iterable of SourceLine
        The lines of the scoring rule.
    source : sequence of SourceLine
        All lines.
    """
    found: set[int] = set()
    number = 0
    lines = [*lines]
    for line, said in [*_listed_items(lines), *_reversing(lines, names)]:
        number = line.number
        if any(_explanations(said, sign) for sign in signs) or (turned and REVERSED_MARK.search(said)):
            further = [item for item in _joined_items(said, names) if item.line not in turned | found]
            found |= _reverse_all(further, names.questions)
            continue
        items, unknown = _items_in(said, names, source)
        if not (items or unknown) and not without_points(said, names, source):
            continue
        if len({item.line for item in items}) == len(names.questions):
            # A scale never reverses all items, so the numbers mean something else.
            items = []
        if unknown:
            survey.note(
                number,
                _("this line reverses item %(number)s, but the scale has %(count)s items")
                % {"number": list_text(unknown), "count": len(names.questions)},
                _("check which items are reversed, and set their points in the builder"),
                effect=WRONG,
                cause=POINTS_UNREAD,
            )
        elif not items and not turned | found:
            survey.note(
                number,
                _("this line reverses items, but it is not clear which"),
                _("check which items are reversed, and set their points in the builder"),
                effect=WRONG,
                cause=POINTS_UNREAD,
            )
        own = [item for item in items if item.line not in turned | found]
        found |= _reverse_all(own if not unknown else (), names.questions)
    return found


def _joined_items(said: str, names: ItemNames) -> list[Question]:
    """Return the items that a statement about a sign joins to those with it: *items with (-) and item 2*."""
    plain = names.with_numbers(said)
    cue = REVERSED.search(plain)
    joined = _JOINED.search(_part_around(plain, cue.span())) if cue else None
    return names.named_in(joined["items"])[0] if joined else []


def _reverse_all(items: Sequence[Question], scale: Sequence[Question]) -> set[int]:
    """Reverse items unless the text prints them so; return their lines."""
    items = [*{item.line: item for item in items if TURNED not in item.flags}.values()]
    if not items or _are_printed_reversed(items, [each for each in scale if has_points(each)]):
        return set()
    for item in items:
        reverse(item)
    return {item.line for item in items}


def _are_printed_reversed(items: Sequence[Question], scale: Sequence[Question]) -> bool:
    """Return whether a text prints the points of these items, and of no others, in the opposite order."""
    lines = {item.line for item in items}
    others = {tuple(scored_points(each)) for each in scale if each.line not in lines}
    return len(others) == 1 and {tuple(scored_points(item)) for item in items} == {
        points[::-1] for points in others
    }


def is_falling(said: str, questions: Sequence[Question]) -> bool:
    """Return whether a statement has a range from the most points down to the least: *from 3 to 0*.

    Parameters
    ----------
    said : str
    questions : sequence of Question
        Those whose points it may state.
    """
    ends = {
        (max(own), min(own)) for question in questions if len({*(own := scored_points(question))}) > len("ab")
    }
    return any((int(match["low"]), int(match["high"])) in ends for match in _FALLING.finditer(said))


def _reversing(lines: Iterable[SourceLine], names: ItemNames) -> Iterable[tuple[SourceLine, str]]:
    """Yield the statements that reverse items, with their lines, unless the printed points are reversed."""
    for line in lines:
        for said in _statements_of(line.text):
            if is_falling(said, names.questions):
                yield line, _FALLING.sub(" ", said)
            elif (cue := REVERSED.search(said)) and not _ALREADY.search(_part_around(said, cue.span())):
                yield line, said


def _listed_items(lines: Sequence[SourceLine]) -> Iterable[tuple[SourceLine, str]]:
    """Yield the lists of items in which some numbers have a sign, with their lines."""
    for line in lines:
        text = line.raw.strip() + ("*" if line.is_starred else "")
        if ITEM_LIST.fullmatch(text) and _MARKED_NUMBER.search(text):
            yield line, text


def named_items(said: str, names: ItemNames) -> tuple[list[Question], list[str]]:
    """Return the items that a statement reverses, and the names that no item has.

    Numbers may also say how items are reversed, or which items are added up. So this function first reads the
    part of the statement around its cue, prefers numbers next to a word for items, and ignores a list that
    contains all items of another one: it says which are added up.
    """
    marked = [*_MARKED_NUMBER.finditer(said)]
    if marked and len(marked) < len(NUMBER.findall(said)):
        # A bracket after some numbers: "2 (reversed), 4 (-), 5".
        return names.named_in(", ".join(match["number"] for match in marked))
    if items := _all_except(said, names):
        return items, []
    plain = _POINTS.sub(" ", RECODING.sub(" ", said))
    plain = _BRACKET.sub(_without_formula, _FORMULA.sub(" ", plain))
    cue = REVERSED.search(plain)
    for region in (_part_around(plain, cue.span()) if cue else "", plain):
        items, unknown = _items_of_lists(region, names)
        if items or unknown:
            return items, unknown
    return [], []


def _all_except(said: str, names: ItemNames) -> list[Question]:
    """Return the items that a statement reverses if it names those that it does not: *all but 1 and 3*."""
    cue = EXCEPTS.search(said)
    before, behind = (said[: cue.start()], said[cue.end() :]) if cue else ("", "")
    if not _ALL.search(before) or not (REVERSED.search(before) or _ENDS_REVERSED.search(behind)):
        return []
    items, unknown = names.named_in(behind)
    if unknown or not items:
        return []
    excepted = {item.line for item in items}
    return [item for item in names.named_in(before)[0] or names.questions if item.line not in excepted]


def _items_of_lists(text: str, names: ItemNames) -> tuple[list[Question], list[str]]:
    """Return the items in the lists of numbers of a text, and the numbers that no item has."""
    lists = _lists_in(text)
    chosen = [numbers for numbers, is_named in lists if is_named] or [numbers for numbers, _named in lists]
    found = [names.named_in(numbers) for numbers in chosen or [text]]
    kept = [each for each in found if not any(_holds(each[0], items) for items, _unknown in found)]
    return [item for items, _unknown in kept for item in items], [
        name for _items, unknown in kept for name in unknown
    ]


def _without_formula(match: re.Match[str]) -> str:
    """Return a bracket, or a blank if its numbers do not ascend: *(1 becomes 4, 2 becomes 3)*."""
    numbers = [int(number) for number in NUMBER.findall(match[0])]
    return match[0] if numbers == sorted(numbers) or REVERSED.search(match[0]) else " "


def without_reversal(said: str) -> str:
    """Return a statement without the clause or bracket that says which items are reversed.

    Examples
    --------
    >>> without_reversal("Add items 1 to 9 (item 2 is reversed)"), without_reversal("Item 2 is reversed.")
    ('Add items 1 to 9 ()', '')
    """
    cue = REVERSED.search(said)
    return said.replace(_part_around(said, cue.span()), "", 1) if cue else said


def _holds(items: Sequence[Question], others: Sequence[Question]) -> bool:
    """Return whether a list of items contains all of another list, and more."""
    lines, inner = {item.line for item in items}, {item.line for item in others}
    return bool(inner) and inner < lines


def _part_around(text: str, span: tuple[int, int]) -> str:
    """Return the clause or the bracket of a statement that contains a place.

    >>> text = "Add the points of items 1 to 9 (item 4 is reversed)"
    >>> _part_around(text, (text.find("reversed"), len(text) - 1))
    'item 4 is reversed'
    >>> _part_around("Reverse item 4, then add items 1 to 9", (0, 7))
    'Reverse item 4'
    """
    start, end = span
    edges = [(match.start(), match.end()) for match in _EDGE.finditer(text)]
    low = max((after for _before, after in edges if after <= start), default=0)
    high = min((before for before, _after in edges if before >= end), default=len(text))
    return text[low:high]


def _lists_in(text: str) -> list[tuple[str, bool]]:
    """Return the lists of numbers in a text, and whether a word for items precedes each."""
    marks = [*NUMBER.finditer(text)]
    found = []
    for run in runs_of(marks, _are_near):
        start, end = marks[run.start].start(), marks[run.stop - 1].end()
        found.append((text[max(0, start - 2) : end + 1], BEFORE_ITEM.search(text[:start]) is not None))
    return found


def _are_near(first: re.Match[str], second: re.Match[str]) -> bool:
    """Return whether two numbers are parts of one list: at most one word is between them."""
    between = first.string[first.end() : second.start()]
    return len(between) <= _FAR and len(_WORDS.findall(between)) < 2
