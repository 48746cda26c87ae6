"""Points that a rule states for some items only: *items 3 and 6: never = 3, often = 0*.

A run is a list of points for all answers of a question. The words before it, or behind it, say for which
items it holds; without numbers or codes of items it holds for all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from surveys.imports.drafts.questionnaire import Question, labels_of
from surveys.imports.lines.source_lines import SourceLine
from surveys.imports.scores.item_names import SPAN, ItemNames, with_digits
from surveys.imports.words.answers_on_line import answers_on
from surveys.imports.words.cues import REVERSED, is_yes_no
from surveys.imports.words.legend_labels import EDGES
from surveys.imports.words.legends import legend_of
from surveys.imports.words.marks import ALPHABETS
from surveys.imports.words.patterns import HAN, STATEMENTS, WRAPPED
from surveys.imports.words.runs import counts_either_way, repeats

NUMBER: Final = r"(?<![\d.,*])(?<![^\W\d_㐀-鿿])-?\d{1,3}(?![\d*]|[.,]\d|\s?[-–—~～]\s?\d)"
"""A number that may be the points of an answer."""
_BETWEEN: Final = re.compile(r"[^,;.，；。、\n]{0,30}")
"""Signs and words between an answer and its points."""
_APART: Final = re.compile(r"[^;；。\n]{0,40}")
"""Signs and words between the points of two answers of a run."""
_ROW: Final = re.compile(
    r"(?<![\d.,/–-])(?<!\d[,、]\s)\d(?:\s?(?P<sign>[–/-])\s?\d)(?:\s?(?P=sign)\s?\d){1,9}(?![\d/–-]|[.,]\d)"
    r"|(?<![\d.,])(?<!\d[,、]\s)\d(?:[,、]\s?\d){2,9}(?!\d|[.,、]\s?\d)"
)
"""Points in the order of the answers: *3-2-1-0*, *0, 1, 2, 3*."""
_SENTENCE_END: Final = re.compile(r"[.;。；](?:\s|$)")
_LETTERED: Final = re.compile(r"^[^\W\d_][.)）]\s?(?=\S)")
"""The letter in front of an answer."""
_SIGNS: Final = re.compile(r"[^\w,;.，；。、\n]{0,6}")
"""Signs between one of two answers and its points."""


@dataclass(frozen=True, kw_only=True)
class Token:
    """An answer or a number in a rule.

    Parameters
    ----------
    label : str
        The answer; empty for a number.
    number : int
    start, end : int
        Its place.
    """

    label: str
    number: int
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Run:
    """Points of all answers of a question, and their place in a rule."""

    points: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class ItemPoints:
    """What a rule says about the points of items with the same answers.

    Parameters
    ----------
    base : tuple of int or None
        The points of all items without points of their own.
    own : list of (Question, tuple of int)
        Items with points of their own.
    is_clear : bool
        Whether it is clear which items each list of points is about.
    """

    base: tuple[int, ...] | None
    own: list[tuple[Question, tuple[int, ...]]]
    is_clear: bool


def whole_points(pairs: Mapping[str, int], names: Sequence[str]) -> dict[str, int]:
    """Return the points of all answers if each has points, or only the first and the last; else empty."""
    if pairs.keys() == {*names}:
        return {**pairs}
    low, high = pairs.get(names[0]), pairs.get(names[-1])
    if len(pairs) != 2 or low is None or high is None or abs(low - high) != len(names) - 1:
        return {}
    step = 1 if low < high else -1
    return {name: low + place * step for place, name in enumerate(names)}


def tokens_in(text: str, names: Sequence[str]) -> Iterator[Token]:
    """Yield the answers and the numbers of a text in their order; the longest answer first."""
    words = (
        re.escape(name) if HAN.search(name) else rf"(?<![^\W㐀-鿿]){re.escape(name)}(?![^\W㐀-鿿])"
        for name in sorted(names, key=len, reverse=True)
    )
    for match in re.finditer(rf"(?P<label>{'|'.join(words)})|{NUMBER}", text):
        label = match["label"] or ""
        yield Token(label=label, number=0 if label else int(match[0]), start=match.start(), end=match.end())


def runs_in(text: str, labels: Sequence[str]) -> list[Run]:
    """Return the lists of points for all of several answers, in the order of the text.

    Examples
    --------
    >>> labels = ("no", "so-so", "yes")
    >>> [run.points for run in runs_in("no = 0, so-so = 1, yes = 2; 3: no 2, so-so 1, yes 0", labels)]
    [(0, 1, 2), (2, 1, 0)]
    >>> runs_in("no = 0, so-so = 2", labels)
    []
    """
    names = [label.casefold() for label in labels]
    if repeats(names) or len(names) < 2 or is_yes_no(labels):
        # A key of yes and no names the items of each.
        return []
    tokens = [*tokens_in(text.casefold(), names)]
    found = [_paired_runs(text, tokens, names, is_behind=is_behind) for is_behind in (True, False)]
    behind, before = ((runs, spread) for runs, spread in found)
    if len(behind[0]) != len(before[0]):
        return max(behind[0], before[0], key=len)
    # Between an answer and its own points are the same signs each time.
    return min(behind, before, key=lambda each: each[1])[0]


def pairs_in(text: str, tokens: Sequence[Token], count: int, *, is_behind: bool) -> list[tuple[Token, Token]]:
    """Return the answers in a text that have a number directly behind or before them, with their numbers.

    Parameters
    ----------
    text : str
    tokens : sequence of Token
        Its answers and numbers.
    count : int
        Number of answers; between one of two and its points are only signs, because rules also name yes and
        no next to the numbers of items.
    is_behind : bool
        Whether the numbers are behind their answers.

    Examples
    --------
    >>> text = "no: 0, yes: 1"
    >>> tokens = [*tokens_in(text, ["no", "yes"])]
    >>> [(label.label, number.number) for label, number in pairs_in(text, tokens, 2, is_behind=True)]
    [('no', 0), ('yes', 1)]
    """
    between = _SIGNS if count == 2 else _BETWEEN
    return [
        (first, second) if is_behind else (second, first)
        for first, second in pairwise(tokens)
        if bool(first.label) is is_behind
        and bool(second.label) is not is_behind
        and between.fullmatch(text, first.end, second.start)
    ]


def _paired_runs(
    text: str, tokens: Sequence[Token], names: Sequence[str], *, is_behind: bool
) -> tuple[list[Run], int]:
    """Return the runs if points are behind their answers, or before them, and how many separators differ."""
    groups: list[list[tuple[Token, Token]]] = []
    for pair in pairs_in(text, tokens, len(names), is_behind=is_behind):
        if groups and _goes_on(text, groups[-1], pair, len(names)):
            groups[-1].append(pair)
        else:
            groups.append([pair])
    runs, separators = [], set[str]()
    for group in groups:
        points = whole_points({label.label: number.number for label, number in group}, names)
        if points:
            ends = [end for pair in group for token in pair for end in (token.start, token.end)]
            runs.append(Run(points=tuple(points[name] for name in names), start=min(ends), end=max(ends)))
            separators |= {text[min(one.end, two.end) : max(one.start, two.start)] for one, two in group}
    return runs, len(separators)


def _goes_on(text: str, group: Sequence[tuple[Token, Token]], pair: tuple[Token, Token], count: int) -> bool:
    """Return whether a pair continues the list of points: it is about another answer, and near."""
    known = {label.label for label, _number in group}
    start, end = min(token.start for token in pair), max(token.end for token in group[-1])
    is_other = pair[0].label not in known and len(known) < count
    return is_other and _APART.fullmatch(text, end, start) is not None


def rows_in(text: str, count: int) -> list[Run]:
    """Return the rows of points in the order of the answers.

    Examples
    --------
    >>> [run.points for run in rows_in("scored 0, 1, 2, 3, but I.4 is scored 3-2-1-0", 4)]
    [(0, 1, 2, 3), (3, 2, 1, 0)]
    >>> rows_in("Items 1, 3, 5, 7", 4)
    []
    """
    found = []
    for match in _ROW.finditer(text):
        points = tuple(map(int, re.findall(r"\d", match[0])))
        if len(points) == count and min(points) < 2 and counts_either_way(points):
            found.append(Run(points=points, start=match.start(), end=match.end()))
    return found


def points_by_item(
    text: str, answers: Sequence[Sequence[str]], questions: Sequence[Question], names: ItemNames
) -> ItemPoints | None:
    """Return what a rule says about the points of single items; None if it has one list of points for all.

    Parameters
    ----------
    text : str
        The rule.
    answers : sequence of sequence of str
        The answers of the questions, and their abbreviations or letters in the same order.
    questions : sequence of Question
        Those with these answers.
    names : ItemNames
        The names of all items.
    """
    text = names.with_numbers(WRAPPED.sub(" ", text))
    runs = max((runs_in(text, labels) for labels in answers), key=len, default=[])
    rows = rows_in(text, len(answers[0])) if answers else []
    runs = runs or (rows if len({row.points for row in rows}) > 1 else [])
    for words_of in (_before, _behind):
        scopes = [words_of(text, runs, place) for place in range(len(runs))]
        named = [_items_in(scope, names) for scope in scopes]
        if any(items for items, _unknown in named):
            return _assigned(runs, scopes, named, questions)
    return None


def _assigned(
    runs: Sequence[Run],
    scopes: Sequence[str],
    named: Sequence[tuple[list[Question], list[str]]],
    questions: Sequence[Question],
) -> ItemPoints:
    """Return the points of items, given the words about each list of points and the items in these words."""
    lines = {question.line for question in questions}
    own: list[tuple[Question, tuple[int, ...]]] = []
    bases: set[tuple[int, ...]] = set()
    is_clear = True
    for run, scope, (items, unknown) in zip(runs, scopes, named, strict=True):
        if items and not unknown:
            own += [(item, run.points) for item in items if item.line in lines]
        elif not items and REVERSED.search(scope):
            # It says what reversing means.
            bases.add(run.points[::-1])
        elif not unknown:
            bases.add(run.points)
        else:
            is_clear = False
    stated = {(item.line, points) for item, points in own}
    is_clear = is_clear and len(bases) < 2 and len(stated) == len({line for line, _points in stated})
    return ItemPoints(base=next(iter(bases), None), own=own, is_clear=is_clear)


def answers_of(
    questions: Sequence[Question], source: Sequence[SourceLine], labels: Sequence[str]
) -> list[tuple[str, ...]]:
    """Return the answers of questions in the words of a rule: in full, abbreviated, and by their letters.

    Parameters
    ----------
    questions : sequence of Question
        Those with these answers.
    source : sequence of SourceLine
        All lines.
    labels : sequence of str
        The answers.
    """
    own = tuple(_LETTERED.sub("", label) for label in labels)
    legends = (legend_of(line.text) for line in source)
    keys = [each.keys for each in legends if each and each.labels == tuple(labels) and each.keys]
    listed = (answers_on(line.raw.strip()) for line in source)
    lettered = (each.labels for each in listed if each and each.sign == "letter")
    has_letters = (
        own != tuple(labels)
        or letters_of(questions[0], {line.number: line for line in source})
        or any(tuple(label.strip(EDGES) for label in each) == own for each in lettered)
        or letters_before(own, source)
    )
    letters = (tuple(each[: len(own)]) for each in ALPHABETS if has_letters)
    return [own, *keys[-1:], *letters, *circles_of(questions, source)]


def letters_before(labels: Sequence[str], source: Iterable[SourceLine]) -> list[tuple[str, ...]]:
    """Return the letters from *a* in front of answers, in them or on a line; empty without them.

    Parameters
    ----------
    labels : sequence of str
    source : iterable of SourceLine
        All lines.

    Examples
    --------
    >>> letters_before(["A never", "B often"], []), letters_before(["A friend", "Nobody"], [])
    ([('a', 'b')], [])
    """
    letters = (*ALPHABETS[0][: len(labels)],)
    if all(
        label[:1].casefold() == each and label[1:2] in ". )"
        for each, label in zip(letters, labels, strict=False)
    ):
        return [letters]
    parts = (rf"{letter}\W{{1,3}}{re.escape(label)}" for letter, label in zip(letters, labels, strict=False))
    pattern = re.compile(r"(?<!\w)" + r"\W{1,9}".join(parts), re.IGNORECASE)
    return [letters] if any(map(pattern.search, (line.raw for line in source))) else []


def circles_of(questions: Sequence[Question], source: Sequence[SourceLine]) -> list[tuple[str, ...]]:
    """Return the circled numbers before the answers of questions; empty if they have none.

    Parameters
    ----------
    questions : sequence of Question
        Those with the same answers.
    source : sequence of SourceLine
        All lines.
    """
    raw = {line.number: line.raw for line in source}
    options = questions[0].options
    circles = tuple(map(chr, range(ord("①"), ord("①") + len(options))))
    are_printed = (circle in raw.get(each.line, "") for circle, each in zip(circles, options, strict=True))
    return [circles] if all(are_printed) else []


def letters_of(question: Question, lines: Mapping[int, SourceLine]) -> list[str]:
    """Return the letters before the answers of a question; empty unless each has one.

    Parameters
    ----------
    question : Question
    lines : mapping of int to SourceLine
        All lines by their numbers.
    """
    marks = [lines[option.line].mark if option.line in lines else None for option in question.options]
    letters = [chr(mark.value[0]).casefold() for mark in marks if mark is not None and mark.kind == "letter"]
    if len({*letters}) == len(question.options):
        return letters
    places = {option.line for option in question.options}
    line = lines.get(places.pop()) if len(places) == 1 else None
    found = letters_before(labels_of(question), [line] if line else [])
    return [*found[0]] if found else []


def groups_of(questions: Iterable[Question]) -> dict[tuple[str, ...], list[Question]]:
    """Return questions by their answers; those without at least two answers are in no group."""
    found: dict[tuple[str, ...], list[Question]] = {}
    for question in questions:
        labels = labels_of(question)
        if len(labels) > 1 and all(labels):
            found.setdefault(labels, []).append(question)
    return found


def without_points(said: str, names: ItemNames, source: Sequence[SourceLine]) -> str:
    """Return a statement without its lists of points; empty if they are about items that it names.

    Parameters
    ----------
    said : str
    names : ItemNames
        The names of the items.
    source : sequence of SourceLine
        All lines.
    """
    for labels, questions in groups_of(names.questions).items():
        answers = answers_of(questions, source, labels)
        if points_by_item(said, answers, questions, names) is not None:
            return ""
        for run in reversed(max((runs_in(said, each) for each in answers), key=len)):
            said = f"{said[: run.start]} {said[run.end :]}"
    return said


def _before(text: str, runs: Sequence[Run], place: int) -> str:
    """Return the words before a run in its statement.

    A run in brackets belongs to the statement before it, one in a line of its own to a line with a colon.
    The ends of its points name no items: *circle 0 to 3 (0 = never, ...)*.
    """
    run = runs[place]
    start = runs[place - 1].end if place else 0
    *above, words = STATEMENTS.split(text[start : run.start])
    is_open = words.strip() in ("(", "（", "[")
    if above and (is_open or (not words.strip(" -–—•*") and above[-1].rstrip().endswith((":", "：")))):
        words = above[-1]
    ends = f"{min(run.points)}", f"{max(run.points)}"
    return re.sub(SPAN, lambda match: " " if (match["low"], match["high"]) == ends else match[0], words)


def _behind(text: str, runs: Sequence[Run], place: int) -> str:
    """Return the words behind a run in its statement, unless they reverse its points for some items."""
    end = runs[place + 1].start if place + 1 < len(runs) else len(text)
    said = _SENTENCE_END.split(STATEMENTS.split(text[runs[place].end : end])[0])[0]
    return "" if REVERSED.search(said) else said


def _items_in(scope: str, names: ItemNames) -> tuple[list[Question], list[str]]:
    return names.named_in(with_digits(scope))
