"""What a text says about the codes of its answers: *0 = never, 1 = often*, *S (siempre), N (nunca)*."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from surveys.imports.words.cues import ABOUT_SCORE, is_yes_no, pattern_of
from surveys.imports.words.kept_readings import kept
from surveys.imports.words.legend_labels import (
    EDGES,
    MOST_WORDS,
    OPEN,
    OR_BEHIND,
    POINTS_OF_EACH,
    QUOTED,
    begins_label,
    clean_label,
    is_label,
    labels_before,
    labels_behind,
    without_further,
    without_rest,
    without_romans,
    without_words_between,
    yes_and_no,
)
from surveys.imports.words.marks import are_first_letters
from surveys.imports.words.patterns import AND_OR, LETTER, MISSING_CODES, POINTS, TO
from surveys.imports.words.question_marks import asks
from surveys.imports.words.runs import counts_up, goes_one_way, repeats, runs_of, without_missing

_NUMBER: Final = re.compile(
    r"(?<![^\W\d_㐀-鿿ぁ-ヺ])(?<![\d.,*])(?<!\d[-–~～])(?P<code>[-–+]?\d{1,2})(?![.,]?\d|\s?[-–~～]\s?\d|\s?%)"
)
"""A number that may be a code, with its sign."""
_KEY: Final = re.compile(
    r"(?<!\w)(?P<key>[^\W\d_]{1,3}|[\u2600-\u27bf\u2b50\U0001f300-\U0001faff]{1,6})"
    r"(?:\s?[=＝]\s?|\s[–—-]\s|\s?[:：]\s|\s?[(（](?=[^()（）]{2,40}[)）]))"
)
_BRACKETED_KEY: Final = re.compile(
    r"(?P<label>[^\W\d][^:：,，;；、()（）]{1,40}?)\s?[(（](?P<key>[A-ZА-Я]{1,3})[)）]"
)
_KEY_IN_BRACKETS: Final = re.compile(r"[(（\[](?P<key>[A-ZА-Я]{1,3})[)）\]]\s?(?=[^\W\d])")
"""Capital letters in brackets in front of an answer."""
_STATED_POINTS: Final = re.compile(r"[(（]\s?(?P<points>\d{1,2})\s?[)）]")
_LETTER_BEFORE: Final = re.compile(
    r"(?<![^\W\u3400-\u9fff])(?P<key>[A-HА-З])(?:[.)、．]\s?|\s{1,3}(?=[^\W\d_])|(?=[\u3400-\u9fff]))(?=\S)"
)
"""A capital letter in front of an answer."""
_BEFORE_LETTERS: Final = (*":：.。!！…,，",)
_BEFORE_CODE: Final = tuple("(（=＝–—")
_GLUED: Final = re.compile(r"[a-zà-öø-ÿа-я]")
_AMOUNT: Final = re.compile(r"\d{1,2}(?:\s?[^\W\d_]{1,10}\.?)?")
"""Points of an answer, possibly with a word: *2 points*."""
KEYED_POINTS: Final = re.compile(
    rf"(?<![^\W\u3400-\u9fff])(?P<key>[^\W\d_\u3400-\u9fff])\s?[)）]?(?:\s?[=＝:：→–计记得-]|\s(?:{pattern_of('counts-points').pattern}))"
    r"\s?(?P<points>\d{1,2})(?![\d.,]\d)",
    re.IGNORECASE,
)
"""A letter before answers, and its points."""
_LETTER_KEY: Final = KEYED_POINTS.pattern.replace("?P<key>", "").replace("?P<points>", "")
_POINTS_FOR_LETTER: Final = re.compile(
    rf"(?<![\w.,])(?P<points>\d{{1,2}})\s?(?i:{POINTS})\s(?:[^\W\d_]{{1,6}}\s){{0,3}}[«“\"]?(?P<key>[A-H])(?!\w)"
)
"""Points, and the letter that they are for: *1 point for each B*."""
LETTER_RUN: Final = re.compile(rf"(?:{_LETTER_KEY}[,;/ \t]{{0,4}}){{2,12}}", re.IGNORECASE)
"""Points for letters that follow each other: *A=0, B=1*."""
ITEM_KEY: Final = re.compile(
    r"(?<![\w=])(?P<item>\d{1,3})\s?[.:)–-]{0,2}\s{0,3}"
    rf"(?P<pairs>(?:{_LETTER_KEY}[,;./\s]{{0,4}}){{2,12}})",
    re.IGNORECASE,
)
"""The number of an item, and points for its letters: *1: A=0, B=1*."""
_LETTERED: Final = re.compile(r"[A-La-l][.)、．]\s?")
_LIST: Final = re.compile(r"\s?[/／|｜・;；]\s?|\s[–—]\s|\s?[,，、،]\s?")
_BETWEEN_ITEMS: Final = re.compile(rf"\s?(?:[,、/&+]\s?(?:{AND_OR}\s)?|{AND_OR}\s)", re.IGNORECASE)
_AFTER_QUOTE: Final = re.compile(r"[«»”“\"」』]$")
_IN_BRACKETS: Final = re.compile(r"[(（\[](?P<list>[^()（）\[\]]{3,90})[)）\]]")
_UNIT: Final = re.compile(r"\s?(?P<unit>[^\W\d_]{1,8})")
_POINTS: Final = re.compile(POINTS, re.IGNORECASE)
_NAMES_ITEM: Final = pattern_of("item-number", behind=r"\s?$")
NUMBER_AND_QUOTED: Final = re.compile(
    r"(?<![\d.,-])(\d{1,2})\s(?:[^\W\d]{1,12}\s)?[\"“„«「]\s?([^\"”“»」]{1,60}?)\s?[\"”“»」]"
)
"""A number and what it means, in quotation marks: *1 means "never" and 5 means "always"*."""
_FOR: Final = re.compile(r"(?:for|für|bei|pour|para|per|por|за)\s", re.IGNORECASE)
_RANGE: Final = re.compile(rf"\s?{TO}\s?", re.IGNORECASE)
"""What is between the ends of a range: they are sums or amounts, and no codes."""
_MOST_LABELS: Final = 11
_MOST_NUMBERS: Final = 24
_FAR: Final = 4
"""Least distance of named steps of a scale from 0."""


@dataclass(frozen=True)
class Legend:
    """What a text says about codes.

    Parameters
    ----------
    before : str
        The text in front of it.
    labels : tuple of str
    points : tuple of int
    keys : tuple of str
        The codes as items may repeat them.
    further : tuple of str
        Further answers, whose codes are no points: *X = does not apply*, *-9 = refused*.
    """

    before: str
    labels: tuple[str, ...]
    points: tuple[int, ...] = ()
    keys: tuple[str, ...] = ()
    further: tuple[str, ...] = ()

    @property
    def all_labels(self) -> tuple[str, ...]:
        """All answers."""
        return (*self.labels, *self.further)

    @property
    def all_points(self) -> tuple[int | None, ...]:
        """The points of all answers; empty if the text states none."""
        return (*self.points, *(None for _label in self.further)) if self.points else ()


def pair_of(text: str) -> Legend | None:
    """Return the two answers of a text that only asks which of them is right.

    Parameters
    ----------
    text : str

    Returns
    -------
    Legend or None

    Examples
    --------
    >>> pair_of("Yes or no?").labels, pair_of("Tea or beer?")
    (('Yes', 'no'), None)
    """
    words = text.rstrip(" ?？").split()
    labels = (words[0], words[-1]) if len(words) == 3 and asks(text) else ()
    return Legend("", labels) if labels and is_yes_no(labels) else None


@kept
def legend_of(text: str) -> Legend | None:
    """Return the answers that a text explains or lists; None if there are none.

    Examples
    --------
    >>> legend_of("Answer with: 0 Never  1 Rarely  2 Often").labels
    ('Never', 'Rarely', 'Often')
    >>> legend_of("Nunca (1)  Às vezes (2)  Sempre (3)").points
    (1, 2, 3)
    >>> legend_of("Circle SA (strongly agree), A (agree) or D (disagree).").keys
    ('SA', 'A', 'D')
    >>> legend_of("Pick one: N = never, O = often").keys
    ('N', 'O')
    >>> legend_of("Choose: A. never B. often C. daily").keys, legend_of("请选择：A从不 B偶尔 C经常").labels
    (('A', 'B', 'C'), ('从不', '偶尔', '经常'))
    >>> legend_of("Items 2 and 4 are reversed."), legend_of("0-4 low, 5-9 high")
    (None, None)
    >>> legend_of("No points for each a, 1 point for each b, 2 points for each c.")
    """
    return (
        None
        if points_of_letters(text)
        or letters_by_item(text)
        or ITEM_KEY.search(text)
        or len(POINTS_OF_EACH.findall(text)) > 1
        else _mixed(text)
        or _keyed(text)
        or _key_in_front(text)
        or _key_behind(text)
        or lettered(text, is_whole=False)
        or numbered(text)
        or _listed(text)
    )


def _mixed(text: str) -> Legend | None:
    """Return the legend of numbers with other codes behind them: *0 = no, 1 = yes, DK = not sure*."""
    bare, further = without_further(text)
    return numbered(text) if further and _numbered(bare) else None


def numbered(text: str) -> Legend | None:
    """Return the legend of numbers in a text, in front of their labels or behind them.

    Examples
    --------
    >>> numbered("On 3 points (1 = no, 2 = perhaps, 3 = yes); reversed: 2.").labels
    ('no', 'perhaps', 'yes')
    >>> numbered("-1 worse, 0 same, +1 better").points, numbered("1 = no, 2 = yes, X = refused").further
    ((-1, 0, 1), ('refused',))
    """
    bare, further = without_further(text)
    found = _numbered(bare)
    if found is None or not further:
        return found or (_numbered(text) if further else None)
    return replace(found, further=(*found.further, *further))


def _numbered(text: str) -> Legend | None:
    """Return the legend of the numbers in a text that has no other codes behind them."""
    said = [*NUMBER_AND_QUOTED.finditer(text)]
    if len(said) > 1:
        text = text[: said[0].start()] + ", ".join(f"{match[1]} = {match[2]}" for match in said)
    marks = _codes_in(text)[:_MOST_NUMBERS]
    # If points follow a sign, or are in brackets, numbers without it are not points.
    for signed in (_behind(text, marks, "=＝"), [mark for mark in marks if _are_bracketed(text, [mark])]):
        if len(signed) > 2 and not repeats([mark["code"] for mark in signed]):
            marks = signed
            break
    codes = signed_codes([mark["code"] for mark in marks])
    between = [(one.end(), other.start()) for one, other in pairwise(marks)]
    windows = [(0, len(marks)), *_growing(codes), *((at, len(marks)) for at in (1, 2, 3))]
    for start, end in windows:
        own, values = marks[start:end], codes[start:end]
        if len(own) > _MOST_LABELS or len(own) < 2 or repeats(values):
            continue
        if any(_RANGE.fullmatch(text, *ends) for ends in between[max(start - 1, 0) : end - 1]):
            continue
        found = _explained(text[: marks[end].start()] if end < len(marks) else text, own, values)
        if found:
            return found
    return None


def _behind(text: str, marks: Sequence[re.Match[str]], signs: str) -> list[re.Match[str]]:
    """Return the numbers of a text that are behind one of several signs."""
    return [mark for mark in marks if text[: mark.start()].rstrip()[-1:] in (*signs,)]


def _codes_in(text: str) -> list[re.Match[str]]:
    """Return the numbers of a text that may be codes, without those that name items: *items 2, 5 and 7*."""
    found: list[re.Match[str]] = []
    end = -1
    for mark in _NUMBER.finditer(text):
        goes_on = end >= 0 and _BETWEEN_ITEMS.fullmatch(text, end, mark.start()) is not None
        if goes_on or _NAMES_ITEM.search(text[: mark.start()]):
            end = mark.end()
        else:
            found.append(mark)
            end = -1
    return found


def _growing(codes: Sequence[int]) -> list[tuple[int, int]]:
    """Return where at least three numbers count up, the longest first."""
    runs = runs_of(codes, lambda code, following: following == code + 1)
    return sorted(((run.start, run.stop) for run in runs if len(run) > 2), key=lambda run: run[0] - run[1])


def _explained(text: str, marks: Sequence[re.Match[str]], codes: Sequence[int]) -> Legend | None:
    """Return the legend that has a label next to each of its numbers."""
    before, pieces = pieces_behind(text, marks)
    if _are_ordinal(pieces):
        return None
    has_unit = _have_unit(pieces)
    if has_unit:
        pieces = [_UNIT.sub("", piece, count=1) for piece in pieces]
    is_behind = not _are_behind_labels(text, marks, pieces) and begins_label(pieces[-1], has_unit=has_unit)
    if is_behind:
        labels = labels_behind(pieces)
    else:
        before, labels = labels_before(before, pieces[:-1])
    before, labels = _without_letters(before, without_words_between(labels))
    are_signed = _have_signs(text, marks, pieces)
    if not are_signed:
        labels = yes_and_no(labels) or labels
    labels = _without_for(labels)
    scale = scale_codes(codes)
    stated = [(code, label) for code, label in zip(codes, labels, strict=True) if code in scale]
    further = tuple(label for code, label in zip(codes, labels, strict=True) if code not in scale)
    ends = [code for code, _label in stated[:2]]
    if len(stated) > len("abc") and ends == [min(codes), max(codes)]:
        # The ends first, then what is between: "never = 1, always = 4; between: seldom = 2, often = 3".
        stated = sorted((code, label.rpartition(": ")[2]) for code, label in stated)
    known = [code for code, _label in stated]
    has_sign = has_unit or are_signed or any(code < 0 for code in known)
    if not all(map(is_label, labels)) or not _are_codes(known, pieces, has_sign=has_sign):
        return None
    if _count(without_missing(sorted(known))):
        # Answers keep the order of the text, also where their codes count down.
        is_falling = known == sorted(known, reverse=True)
        found = _legend(before, stated if not is_behind or is_falling else sorted(stated))
        return replace(found, further=further)
    are_equal = is_behind and all(piece.lstrip()[:1] in ("=", "＝") for piece in pieces)
    are_bracketed = _are_bracketed(text, marks)
    sparse = _with_gaps(before, stated, is_behind=is_behind, are_bracketed=are_bracketed, are_equal=are_equal)
    return sparse and replace(sparse, further=further)


def signed_codes(codes: Sequence[str]) -> list[int]:
    """Return codes as numbers; dashes in front of all of them are no signs.

    Examples
    --------
    >>> signed_codes(["-1", "0", "+1"]), signed_codes(["-1", "-2"])
    ([-1, 0, 1], [1, 2])
    """
    found = [code.lstrip("-–+") for code in codes]
    are_dashes = all(code[0] in "-–" for code in codes)
    return [
        -int(number) if code[0] in "-–" and not are_dashes else int(number)
        for code, number in zip(codes, found, strict=True)
    ]


def scale_codes(codes: Sequence[int]) -> set[int]:
    """Return codes without the negative ones of missing answers.

    A negative code is a step of the scale if all codes go up or down, one by one or around 0.

    Examples
    --------
    >>> [sorted(scale_codes(codes)) for codes in ([-1, 0, 1, -9], [2, 1, -1, -2], [0, 2, -9])]
    [[-1, 0, 1], [-2, -1, 1, 2], [0, 2]]
    """
    scale = [*codes]
    while scale[-1:] and scale[-1] < 0 and not _are_steps(scale):
        scale.pop()
    return {*scale} if _are_steps(scale) else {code for code in codes if code >= 0}


def _are_steps(codes: Sequence[int]) -> bool:
    """Return whether codes go up or down one by one, or around 0."""
    steps = sorted(codes)
    is_scale = counts_up(steps) or (steps[0] < 0 and steps[0] == -steps[-1])
    return is_scale and goes_one_way(codes)


def _count(steps: Sequence[int]) -> bool:
    """Return whether codes count up, possibly without the 0 in their middle."""
    middle = len(steps) // 2
    return counts_up(steps) or (
        steps[middle - 1 : middle + 1] == [-1, 1] and counts_up([*steps[:middle], 0, *steps[middle:]])
    )


def pieces_behind(text: str, marks: Sequence[re.Match[str]]) -> tuple[str, list[str]]:
    """Return the text before the first of several marks, and the texts behind each of them.

    Examples
    --------
    >>> pieces_behind("on 2 days or 3 nights", [*re.finditer("[0-9]", "on 2 days or 3 nights")])
    ('on ', [' days or ', ' nights'])
    """
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return text[: marks[0].start()], [text[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]


def _are_ordinal(pieces: Sequence[str]) -> bool:
    """Return whether numbers have different small letters directly behind them: *1st, 2nd*."""
    return any(map(_GLUED.match, pieces)) and len({piece[:1] for piece in pieces}) > 1


def _are_behind_labels(text: str, marks: Sequence[re.Match[str]], pieces: Sequence[str]) -> bool:
    """Return whether signs show that each number is behind its label."""
    return (
        _is_closed(text, marks[-1], pieces[-1])
        or _are_behind_signs(text, marks)
        or _are_behind_quotes(text, marks)
        or _ends_list(text[: marks[0].start()], pieces)
    )


def _without_for(labels: list[str]) -> list[str]:
    """Return labels without the preposition in front of each: *2 for yes, 1 for no*."""
    found = [_FOR.match(label) for label in labels]
    return (
        [label[match.end() :] for label, match in zip(labels, found, strict=True) if match]
        if all(found)
        else labels
    )


def _legend(before: str, answers: Sequence[tuple[int, str]]) -> Legend:
    codes = tuple(code for code, _label in answers)
    return Legend(before.strip(), tuple(label for _code, label in answers), codes, tuple(map(str, codes)))


def _with_gaps(
    before: str, stated: Sequence[tuple[int, str]], *, is_behind: bool, are_bracketed: bool, are_equal: bool
) -> Legend | None:
    """Return the legend of codes that do not follow each other: the ends of a scale, or points from 0 on."""
    codes, labels = zip(*sorted(stated), strict=True)
    if len(codes) == 2 and any(map(str.isdecimal, "".join(labels))):
        return None  # The number of a question, and one end: "7. Rate it (0 worst, 100 best)".
    if (is_behind or are_bracketed) and _are_ends(codes, labels, is_behind=is_behind):
        steps = range(codes[0], codes[1] + 1)
        named = {codes[0]: f"{codes[0]} – {labels[0]}", codes[1]: f"{codes[1]} – {labels[1]}"}
        return _legend(before, [(step, named.get(step, str(step))) for step in steps])
    if between := between_steps(stated):
        return _legend(before, between)
    n_counted = sum(code == codes[0] + place for place, code in enumerate(codes))
    is_list = codes[0] == 0 or (n_counted > 1 and (are_equal or MISSING_CODES.issuperset(codes[n_counted:])))
    return _legend(before, stated) if is_list else None


def between_steps(stated: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return all steps of a scale of which a text names the ends and some between; empty for other codes.

    The named steps are equally far from each other. Small numbers from 0 may be points of single answers.

    Parameters
    ----------
    stated : sequence of (int, str)
        Codes and their answers.

    Examples
    --------
    >>> between_steps([(1, "no"), (3, "partly"), (5, "yes")])
    [(1, '1 – no'), (2, '2'), (3, '3 – partly'), (4, '4'), (5, '5 – yes')]
    >>> between_steps([(0, "no"), (2, "partly"), (4, "yes")]), between_steps([(1, "no"), (2, "yes")])
    ([], [])
    """
    named = dict(sorted(stated))
    low, high = min(named), max(named)
    widths = {above - below for below, above in pairwise(named)}
    if len(named) < 3 or len(widths) > 1 or min(widths) < 2 or high - low >= _MOST_LABELS:
        return []
    if low > 1 or (low == 0 and min(widths) < _FAR):
        return []
    words = {step: f"{step} – {label}" for step, label in named.items()}
    return [(step, words.get(step, str(step))) for step in range(low, high + 1)]


def _have_unit(pieces: Sequence[str]) -> bool:
    """Return whether the same word follows each number, in front of a label: *0 points: never*."""
    units = {_unit_of(piece) for piece in pieces}
    behind = [_UNIT.sub("", piece, count=1).lstrip() for piece in pieces]
    # Labels may begin with the same word: "1 agree fully, 2 agree partly".
    is_label = all(rest[:1].isalpha() for rest in behind) and not any(map(ABOUT_SCORE.search, units))
    return len(units) == 1 and "" not in units and not is_label


def _without_letters(before: str, labels: list[str]) -> tuple[str, list[str]]:
    """Drop letters in front of answers that also have codes, and the first letter from the text before."""
    marks = [_LETTERED.match(label) for label in labels[1:]]
    if not all(marks) or not are_first_letters(["a", *(mark[0][0] for mark in marks if mark)]):
        return before, labels
    labels = [_LETTERED.sub("", label, count=1) for label in labels]
    return _LETTERED.sub("", before.strip()) if len(before.strip()) < 3 else before, labels


def _have_signs(text: str, marks: Sequence[re.Match[str]], pieces: Sequence[str]) -> bool:
    """Return whether each number has a sign of a code before or behind it."""
    return all(
        re.match(r"\s?[)）]?\s?[=＝:：.(（)）、]|\s[-–—]\s", piece)
        or text[: mark.start()].rstrip()[-1:] in _BEFORE_CODE
        for mark, piece in zip(marks, pieces, strict=True)
    )


def _are_codes(codes: Sequence[int], pieces: Sequence[str], *, has_sign: bool) -> bool:
    """Return whether numbers are codes: they have signs, or at least three count up or down."""
    if has_sign and len(codes) > 1:
        return True
    steps = without_missing(sorted(codes))
    is_sorted = goes_one_way(codes)
    is_equal = all(piece.lstrip()[:1] in ("=", "＝") for piece in pieces)
    return _count(steps) and steps[0] < 2 and (has_sign or len(steps) > 2) and (is_sorted or is_equal)


def _are_bracketed(text: str, marks: Sequence[re.Match[str]]) -> bool:
    return all(
        text[mark.start() - 1] in OPEN and text[mark.end() : mark.end() + 1] in "）)]" for mark in marks
    )


def _are_behind_quotes(text: str, marks: Sequence[re.Match[str]]) -> bool:
    """Return whether a word in quotation marks is directly before each number."""
    return all(_AFTER_QUOTE.search(text[: mark.start()].rstrip(" (（=＝:：")) for mark in marks)


def _ends_list(before: str, pieces: Sequence[str]) -> bool:
    """Return whether only the last of several numbers, each behind an answer, ends a sentence."""
    last = pieces[-1].lstrip()[:1]
    signs = {piece.lstrip()[:1] for piece in pieces[:-1]}
    return bool(LETTER.search(before)) and last in (*".。;；",) and last not in signs


def _unit_of(piece: str) -> str:
    """Return the word behind a number; words for points are one unit, in the singular and in the plural."""
    match = _UNIT.match(piece)
    return "" if match is None else "points" if _POINTS.fullmatch(match["unit"]) else match["unit"]


def _are_ends(steps: Sequence[int], labels: Sequence[str], *, is_behind: bool) -> bool:
    """Return whether two numbers with labels are the ends of a scale whose other steps have no labels."""
    if len(steps) != 2 or steps[0] > 1 or is_yes_no(labels):
        return False
    # Two answers, each before its points: "sometimes (0), often (2)".
    return (1 if is_behind else 3) < steps[1] - steps[0] < _MOST_LABELS


def _are_behind_signs(text: str, marks: Sequence[re.Match[str]]) -> bool:
    """Return whether each number follows a label and the same sign: *never — 1, rarely — 2*."""
    before = [text[: mark.start()].rstrip() for mark in marks]
    if before[0][-1:] in ("=", "＝"):
        return True
    signs = {each[-1:] for each in before}
    return len(signs) == 1 and signs <= {*"–—-→"} and all(LETTER.search(each) for each in before[:1])


def _is_closed(text: str, mark: re.Match[str], piece: str) -> bool:
    """Whether a code is in brackets of its own behind its label: *often (2).*"""
    is_open = text[: mark.start()].rstrip()[-1:] in "(（["
    closed = re.match(r"\s?[)）\]]\s?(?P<next>.?)", piece)
    return bool(is_open and closed and (not closed["next"] or closed["next"] in ".,;。，；"))


def points_of_letters(text: str) -> dict[str, int]:
    """Return the points that a text states for the letters in front of answers; none unless there are two.

    Examples
    --------
    >>> points_of_letters("Key: a = 0 points, b = 1 point; c=2"), points_of_letters("a = often, b = never")
    ({'a': 0, 'b': 1, 'c': 2}, {})
    >>> points_of_letters("Give 0 points for each A, and 3 points for each B")
    {'a': 0, 'b': 3}
    """
    found: dict[str, int] = {}
    for match in (*KEYED_POINTS.finditer(text), *_POINTS_FOR_LETTER.finditer(text)):
        if found.setdefault(match["key"].casefold(), int(match["points"])) != int(match["points"]):
            # Each item has its own points.
            return {}
    return found if len(found) > 1 else {}


def letters_by_item(text: str) -> bool:
    """Return whether a text states several points for each of its letters: they are those of different items.

    Examples
    --------
    >>> letters_by_item("1 and 3: A = 2, B = 0; 2: A = 0, B = 2"), letters_by_item("A = 0, B = 1")
    (True, False)
    """
    stated = {(match["key"].casefold(), int(match["points"])) for match in KEYED_POINTS.finditer(text)}
    keys = {key for key, _points in stated}
    return len(stated) > len(keys) > 1


def _keyed(text: str) -> Legend | None:
    """Return the legend of letters, as in *R = bad, B = good*."""
    marks = [*_KEY.finditer(text)]
    has_colon = [mark[0].rstrip()[-1] in ":：" for mark in marks]
    if has_colon[:1] == [True] and not any(has_colon[1:]):
        # The last word of the instruction: "Circle one: N = never, O = often".
        marks = marks[1:]
    if not marks or not all(map(_is_key, marks)):
        return None
    _before, pieces = pieces_behind(text, marks)
    stated = [_STATED_POINTS.search(piece) for piece in pieces]
    points = tuple(int(match["points"]) for match in stated if match)
    cut = [piece[: match.start()] if match else piece for piece, match in zip(pieces, stated, strict=True)]
    labels = [clean_label(OR_BEHIND.sub("", without_rest(piece).strip(EDGES))) for piece in cut]
    if all(map(_AMOUNT.fullmatch, labels)):
        return None
    return _legend_of_keys(text, marks, labels, points if len(points) == len(labels) else ())


def _is_key(mark: re.Match[str]) -> bool:
    """Return whether letters may stand for an answer: one letter, capital letters, or a sign."""
    key = mark["key"]
    return len(key) == 1 or key.isupper() or not key.isalpha()


def _legend_of_keys(
    text: str, marks: Sequence[re.Match[str]], labels: Sequence[str], points: tuple[int, ...] = ()
) -> Legend | None:
    """Return the legend of several letters and their answers; None if two are alike."""
    keys = tuple(mark["key"] for mark in marks)
    are_different = len({*keys}) == len({*labels}) == len(keys)
    if len(keys) < 2 or not are_different or not all(map(is_label, labels)):
        return None
    return Legend(text[: marks[0].start()].strip(), tuple(labels), points, keys)


def lettered(text: str, *, is_whole: bool = True) -> Legend | None:
    """Return the legend of at least three capital letters in their order: *A. never B. often C. daily*.

    Parameters
    ----------
    text : str
    is_whole : bool
        Whether the text may begin with the first letter.

    Examples
    --------
    >>> lettered("A. never B. often C. daily").labels, lettered("A. never B. often")
    (('never', 'often', 'daily'), None)
    """
    marks = [*_LETTER_BEFORE.finditer(text)]
    keys = "".join(mark["key"] for mark in marks)
    if len(keys) < 3 or not are_first_letters(keys):
        return None
    before, pieces = pieces_behind(text, marks)
    # A sign is behind each of the answers, or behind none.
    are_alike = len({piece.rstrip()[-1:] in (*",;/|，；、",) for piece in pieces[:-1]}) == 1
    is_begun = is_whole and not before.strip()
    if not are_alike or not (is_begun or before.rstrip()[-1:] in _BEFORE_LETTERS):
        return None
    return _legend_of_keys(text, marks, [clean_label(piece.strip(EDGES)) for piece in pieces])


def _key_in_front(text: str) -> Legend | None:
    """Return the legend of letters in brackets in front of answers: *(N) never (O) often*."""
    marks = [*_KEY_IN_BRACKETS.finditer(text)]
    before, pieces = pieces_behind(text, marks) if len(marks) > 1 else ("", [])
    if not pieces or (before.strip() and before.rstrip()[-1] not in _BEFORE_LETTERS):
        return None
    return _legend_of_keys(text, marks, [clean_label(piece) for piece in pieces])


def _key_behind(text: str) -> Legend | None:
    """Return the legend of letters in brackets after answers, as in *never (N), often (O)*."""
    marks = [*_BRACKETED_KEY.finditer(text)]
    return _legend_of_keys(text, marks, [clean_label(mark["label"]) for mark in marks])


def _listed(text: str) -> Legend | None:
    """Return the words between separators that are a whole line, behind its colon, or in brackets."""
    # A rule may quote an answer again: for the items in which it scores otherwise.
    said = {match["word"].strip().casefold(): match["word"].strip() for match in QUOTED.finditer(text)}
    quoted = [*said.values()]
    if len(quoted) > 1 and all(map(is_label, quoted)):
        return Legend(text[: text.find(quoted[0])], tuple(quoted))
    bracket = _IN_BRACKETS.search(text)
    cut = max(text.rfind(sign) for sign in ":：?？؟")
    before, rest = text[: cut + 1].rstrip(":："), text[cut + 1 :]
    for stem, words in ((text[: bracket.start()], bracket["list"]) if bracket else ("", ""), (before, rest)):
        labels = without_romans([each.strip(EDGES) for each in _LIST.split(words.strip())]) if words else ()
        if len(labels) > 1 and (len(labels) > 2 or is_yes_no(labels) or "/" in words):
            are_short = all(is_label(each) and len(each.split()) < MOST_WORDS for each in labels)
            if are_short and not repeats(labels):
                return Legend(stem.strip(), labels)
    return None
