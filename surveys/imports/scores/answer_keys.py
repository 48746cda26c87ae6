"""Scoring keys of two answers: the items in which *yes* scores, and those in which *no* does."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import dropwhile
from typing import Final

from surveys.imports.scores.item_names import numbers_in, with_digits
from surveys.imports.words.cues import EXCEPTS, is_yes_no, pattern_of, says_yes
from surveys.imports.words.numerals import in_digits
from surveys.imports.words.patterns import AND_OR, HAN, POINTS, STATEMENTS, WRAPPED

_WITH_UNIT: Final = re.compile(rf"(?<![=＝\d])(?<![=＝]\s)\d{{1,2}}\s?{POINTS}", re.IGNORECASE)
"""Points with a word for them."""
TICK: Final = pattern_of("tick")
"""A word for a tick in a list."""
_TICKED: Final = pattern_of("ticked")
"""A word for what is ticked."""
_COUNTS: Final = pattern_of("counts-points").pattern
_KEY_TOKEN: Final = re.compile(
    rf"(?P<points>(?<!\w){_COUNTS}\s\d{{1,2}}(?!\d)"
    rf"|(?:(?<!\d)\d{{1,2}}|(?:по|per|je)\s\d)\s?{POINTS}|[=＝]\s?\d{{1,2}})"
    r"|(?<![\d.,])(?P<number>\d{1,2})(?:\s?[-–]\s?(?P<last>\d{1,2}))?(?!\d)"
    r"|[«„“\"'‘「『](?P<word>[^\W\d_]{1,8})[»“”\"'’」』]"
    r"|(?<!\w)(?P<bare>[^\W\d_]{1,8})(?!\w)",
    re.IGNORECASE,
)
"""Parts of a scoring key for two answers: points, item numbers, and words, possibly in quotes."""
_KEY_CLAUSE: Final = re.compile(
    rf"[;.。；]|[,，]\s?(?=[^\W\d])|\s[–—-]\s(?!\d)|{EXCEPTS.pattern}|\sа\s", re.IGNORECASE
)
_LETTER_YES, _LETTER_NO = (re.compile(rf"(?<![\w.'’])[{letters}](?![\w.'’])") for letters in ("YJSOД", "NН"))
"""Capital letters that stand for the answers yes and no."""
_CLAUSE_END: Final = re.compile(r"(?<=[,，])")
_ITEMS_ONLY: Final = re.compile(rf"\s?\d{{1,3}}(?:\s{AND_OR}\s\d{{1,3}})?\s?[,，]?\s?", re.IGNORECASE)
"""The rest of a list of items behind a comma."""
_WORD: Final = re.compile(r"[^\W\d_]{1,8}")
_EXCEPTION: Final = re.compile(
    rf"{EXCEPTS.pattern}\D{{0,20}}?{pattern_of('item-number').pattern}[^\d,;.]{{0,4}}\d"
    rf"|{pattern_of('item-number').pattern}\s?\d{{1,2}}(?:\D{{1,4}}\d{{1,2}}){{0,9}}[^\d,;.]{{0,6}}{EXCEPTS.pattern}",
    re.IGNORECASE,
)
"""Items that count otherwise: *except for item 4*."""
_POINTS_LAST: Final = re.compile(
    rf"(?<!\w)(?P<verb>{_COUNTS})\s(?P<word>[^\W\d_]{{2,8}})\s(?=\d{{1,2}}(?!\d))", re.IGNORECASE
)
"""An answer after its verb: *dort zählt Nein 1*."""
_NOTHING: Final = re.compile(
    rf"(?<!\w)[«„“\"'‘「『]?[^\W\d_]{{1,8}}[»“”\"'’」』]?(?:\s?(?:[=＝:：]|{_COUNTS})\s?0(?![\d.,]\d)|\s0\s?{POINTS})",
    re.IGNORECASE,
)
"""An answer that scores nothing: *no = 0*."""
_ARTICLE: Final = re.compile(
    r"\b(?:the|an?|per|each|every|any|pro|je|das|ein|jedes|le|un|chaque|el|o|cada|ogni|il|каждое|за)\s$",
    re.IGNORECASE,
)
_NOUN_BEHIND: Final = re.compile(
    rf"\s(?!(?:is|ist|est|on|in|to|for|at|bei|zu|à|aux?|pour|en|a|em|na|nas|nos|per|на|в|{_COUNTS})(?!\w))[^\W\d_]",
    re.IGNORECASE,
)
"""A word after another one, so that it may be *no* before a noun; not a preposition, nor a verb."""
_ITEM: Final = pattern_of("item-number").pattern
_ITEMS: Final = (
    rf"(?:{_ITEM})\s?\d{{1,2}}"
    rf"(?:\s?(?:[,、&+和与]|{AND_OR}\s)\s?(?:{_ITEM})?\s?\d{{1,2}}(?!\d|\s?{POINTS})){{0,20}}"
)
"""Items by number: *questions 1 and 3*."""
_ITEM_FIRST: Final = re.compile(
    rf"(?P<items>{_ITEMS})(?:\s?题)?(?:\s?[,，:：=＝–-])?[^\d,，;；.。:：=]{{0,20}}?"
    rf"(?P<points>\d{{1,2}})(?:\s?{POINTS}|\s?(?=[,，;；.。]|$))",
    re.IGNORECASE,
)
"""Items, and the points of each: *question 1, 1 point*, *Q2 = 3*."""
_REST: Final = re.compile(
    rf"{pattern_of('rest-items').pattern}[^\d;；.。]{{0,30}}?(?P<points>\d{{1,2}})\s?{POINTS}"
    rf"|(?P<first>\d{{1,2}})\s?{POINTS}[^\d,，;；.。]{{0,20}}?(?:{pattern_of('rest-items').pattern})",
    re.IGNORECASE,
)
"""The points of all other items."""
_SOLUTION: Final = re.compile(
    r"(?<![\d.,])(?P<number>\d{1,2})\s?[.):：=＝–-]?\s?[«„“\"]?(?P<word>[^\W\d_]{1,12})[»“”\"]?(?=\s?[,;，；、/]|\s+\d|[.。]?\s*$)"
)
"""The number of an item, and the answer that scores in it."""
_LEAST_SOLUTIONS, _LEAST_SAME = 3, 3
_POINTS_FIRST: Final = re.compile(
    rf"(?P<points>\d{{1,2}})\s?{POINTS}[^\d,，;；.。]{{1,30}}?(?P<items>{_ITEMS})", re.IGNORECASE
)
"""Points, and the items that score them: *2 points for question 3*."""


def yes_points(text: str, items: Collection[int]) -> dict[int, int]:
    """Return the points of a yes to each item; empty unless a text states them for all items.

    Parameters
    ----------
    text : str
    items : collection of int
        The numbers of all items.

    Examples
    --------
    >>> yes_points("Each yes: question 1, one point; questions 2 and 3, two points.", {1, 2, 3})
    {1: 1, 2: 2, 3: 2}
    >>> yes_points("1 point for questions 1 and 2, 3 points for question 3", {1, 2, 3})
    {1: 1, 2: 1, 3: 3}
    >>> yes_points("Question 1 scores 2 points.", {1, 2, 3})
    {}
    """
    text = in_digits(WRAPPED.sub(" ", text))
    # In the order in which the text states them.
    matches = {pattern: pattern.search(text) for pattern in (_ITEM_FIRST, _POINTS_FIRST)}
    starts = {pattern: match.start() for pattern, match in matches.items() if match}
    for pattern in sorted(starts, key=lambda each: starts[each]):
        own = _points_by_item(pattern, text)
        rest = _REST.search(text) if own else None
        for item in {*items} - own.keys() if rest else ():
            own[item] = {int(rest["points"] or rest["first"])} if rest else set()
        if own.keys() == {*items} and all(len(each) == 1 and min(each) >= 0 for each in own.values()):
            return {item: min(points) for item, points in sorted(own.items())}
    return {}


def _points_by_item(pattern: re.Pattern[str], text: str) -> dict[int, set[int]]:
    """Return the points that a text states for items; -1 for those of a no."""
    read = partial(_answer_named, is_rule=True)
    found: dict[int, set[int]] = defaultdict(set)
    for said in filter(None, STATEMENTS.split(text)):
        for match in pattern.finditer(said):
            answers = _answers_in(_key_of(said[: match.end()], read))
            points = -1 if answers[-1:] == [False] else int(match["points"])
            for item in numbers_in(match["items"]):
                found[item].add(points)
    return found


def key_in(text: str, *, is_rule: bool = False) -> tuple[set[int], set[int]] | None:
    """Return the items in which *no* scores a point, and those in which *yes* does; None without a key.

    Either set is empty if the key names no items for this answer.

    Parameters
    ----------
    text : str
    is_rule : bool
        Whether the text is known to be a rule, so that the answers need no quotation marks or capitals.

    Examples
    --------
    >>> key_in("1 point for “yes” on 1, 3 and for “no” on items 2, 4")
    ({2, 4}, {1, 3})
    >>> key_in("1 point for YES on items 1 and 3, and for NO on 2")
    ({2}, {1, 3})
    >>> key_in("Answer “yes” or “no”."), key_in("1 point for “yes” on items 1, 2")
    (None, None)
    >>> key_in("One point per yes, but on 4 it is the no.", is_rule=True)
    ({4}, set())
    >>> key_in("Yes counts 1, no counts 0, except for item 4, where no counts 1.")
    ({4}, set())
    >>> key_in("Yes = 1, no = 0 (but item 4: yes = 0, no = 1)", is_rule=True)
    ({4}, set())
    """
    text = in_digits(text)
    if not any(map(str.isdecimal, with_digits(text))):
        # A key names items by number; most lines of a text have none.
        return None
    text = _with_words(text) if is_rule else text
    text = _POINTS_LAST.sub(r"\g<word> \g<verb> ", WRAPPED.sub(" ", text))
    # An answer that scores nothing says which items it is not about.
    return _read_key(_NOTHING.sub(" ", text), is_rule=is_rule) or _read_key(text, is_rule=is_rule)


def _with_words(text: str) -> str:
    """Return a rule with yes and no for the letters that stand for both: *Y on 1, N on 2*."""
    if not (_LETTER_YES.search(text) and _LETTER_NO.search(text)):
        return text
    return _LETTER_NO.sub("“no”", _LETTER_YES.sub("“yes”", text))


def _read_key(text: str, *, is_rule: bool) -> tuple[set[int], set[int]] | None:
    is_rule = is_rule or (_EXCEPTION.search(text) is not None and _states_points(text))
    read = partial(_answer_named, is_rule=is_rule)
    text = "; ".join(said for said in STATEMENTS.split(text) if said and _names_answer(said, read))
    clauses = _with_items([_key_of(clause, read) for clause in _KEY_CLAUSE.split(with_digits(text))])
    named = [({*_answers_in(clause)}, _items_in(clause)) for clause in clauses]
    counted = [(answers, numbers) for answers, numbers in named if any(number > 0 for number in numbers)]
    if not counted or {answer for answers, _numbers in named for answer in answers} != {False, True}:
        return None
    items: dict[bool, set[int]] = {False: set(), True: set()}
    if all(len(answers) == 1 for answers, _numbers in counted):
        for answers, numbers in counted:
            items[answers.pop()] |= numbers
    else:
        _assign(_key_of(with_digits(text), read), items)
    return (items[False], items[True]) if items[False] | items[True] else None


def _answers_in(clause: Sequence[int | bool]) -> list[bool]:
    """Return the answers that a clause names: True for yes."""
    return [each for each in clause if isinstance(each, bool)]


def _items_in(clause: Sequence[int | bool]) -> set[int]:
    """Return the numbers of items that a clause names."""
    return {each for each in clause if not isinstance(each, bool)}


def without_key(said: str) -> str:
    """Return a statement without its clauses that say for which items an answer scores.

    Parameters
    ----------
    said : str
        A statement with a key of yes and no.

    Examples
    --------
    >>> without_key("第1、3题答“是”得1分，第2题答“否”得1分，满分3分，≥2分请联系")
    '满分3分，≥2分请联系'
    >>> without_key("YES = 1 and NO = 0 in questions 1, 2 and 5")
    ''
    """
    read = partial(_answer_named, is_rule=True)
    clauses = _CLAUSE_END.split(said)
    named = [place for place, each in enumerate(clauses) if _names_answer(each, read)]
    return "".join(dropwhile(_ITEMS_ONLY.fullmatch, clauses[max(named, default=-1) + 1 :]))


def lists_solutions(text: str) -> bool:
    """Return whether a text has the same few answers behind numbers that count: *1 true, 2 false, 3 true*.

    Examples
    --------
    >>> [lists_solutions(each) for each in ("1 R, 2 F, 3 F, 4 R", "1. ja 2. nein 3. nein", "1对 2错 3对")]
    [True, True, True]
    >>> [lists_solutions(each) for each in ("1 day, 2 days, 3 days", "1 never 2 often 3 always")]
    [False, False]
    """
    found = [*_SOLUTION.finditer(text)]
    words = [match["word"].casefold() for match in found]
    counts = [int(match["number"]) for match in found] == [*range(1, len(found) + 1)]
    # Of a unit only the end differs: 1 day, 2 days.
    has_unit = len({word[:_LEAST_SAME] for word in words}) < len("ab")
    n_different = len({*words})
    is_repeated = n_different < len(found) and n_different <= len(found) // 2 + 1
    return counts and len(found) >= _LEAST_SOLUTIONS and is_repeated and not has_unit


def states_yes_no(text: str) -> bool:
    """Return whether a text says that items are answered with yes or no, or that one of both scores points.

    Examples
    --------
    >>> [states_yes_no(each) for each in ("Record YES or NO.", "1 point for every yes.", "No total score.")]
    [True, True, False]
    >>> states_yes_no("Für jede Antwort »ja« gibt es einen Punkt.")
    True
    """
    text = in_digits(text)
    words = _WORD.findall(text)
    pairs = ([word, other] for at, word in enumerate(words) for other in words[at + 1 : at + 4])
    return any(map(is_yes_no, pairs)) or counts_yes(text)


def excepts_items(text: str) -> bool:
    """Return whether a text says that items count otherwise than the rest.

    Examples
    --------
    >>> excepts_items("Yes = 1, no = 0, except for item 4: no = 1"), excepts_items("Yes = 1, but no = 0")
    (True, False)
    """
    return _EXCEPTION.search(text) is not None


def counts_ticks(text: str) -> bool:
    """Return whether a text says that each tick in a list scores points.

    Examples
    --------
    >>> [counts_ticks(each) for each in ("One point for every tick.", "Tick one.", "每勾选一项得1分")]
    [True, False, True]
    >>> counts_ticks("Tick one box per line (never = 1, often = 2)")
    False
    """
    said = STATEMENTS.split(in_digits(text))
    # Numbers behind a sign of equality are those of a legend.
    return any(names_ticks(each) and _WITH_UNIT.search(each) is not None for each in said if each)


def names_ticks(text: str) -> bool:
    """Return whether a text is about ticks in a list."""
    return bool(TICK.search(text) or _TICKED.search(text))


def counts_yes(text: str) -> bool:
    """Return whether a text says that a yes scores points.

    Examples
    --------
    >>> counts_yes("Each yes is one point."), counts_yes("Answer yes or no.")
    (True, False)
    """
    read = partial(_answer_named, is_rule=True)
    said = [each for each in STATEMENTS.split(in_digits(text)) if each and _states_points(each)]
    return any(token is True for each in said for token in _key_of(with_digits(each), read))


def items_of_answers(text: str) -> list[int]:
    """Return the numbers in a statement that names an answer yes or no, apart from points.

    Examples
    --------
    >>> items_of_answers("Items 1 and 4: no counts 1"), items_of_answers("Add items 1 to 4.")
    ([1, 4], [])
    """
    tokens = _key_of(with_digits(in_digits(text)), partial(_answer_named, is_rule=True))
    has_answer = any(isinstance(token, bool) for token in tokens)
    return [token for token in tokens if not isinstance(token, bool)] if has_answer else []


def _states_points(text: str) -> bool:
    return any(token["points"] for token in _KEY_TOKEN.finditer(text))


def _with_items(clauses: Sequence[list[int | bool]]) -> list[list[int | bool]]:
    """Join a clause that only names items with the next one, if that only names an answer."""
    found: list[list[int | bool]] = []
    for clause in clauses:
        is_answer = bool(clause) and not _items_in(clause)
        if is_answer and found and found[-1] and not _answers_in(found[-1]):
            found[-1] = [*found[-1], *clause]
        else:
            found.append(clause)
    return found


def is_alone(text: str, start: int, end: int) -> bool:
    """Return whether a word in a text is no part of another expression, as *no* before a noun is.

    Examples
    --------
    >>> is_alone("the no in item 1", 4, 6), is_alone("no points in item 1", 0, 2)
    (True, False)
    """
    return _ARTICLE.search(text[:start]) is not None or not _NOUN_BEHIND.match(text, end)


def _answer_named(token: re.Match[str], *, is_rule: bool) -> bool | None:
    """Return which answer a word of a key names: True for yes."""
    word = token["word"] or token["bare"]
    is_marked = bool(token["word"]) or word.isupper()
    if not (is_marked or (is_rule and is_alone(token.string, *token.span()))) or (
        len(word) < 2 and not HAN.match(word)
    ):
        return None
    return says_yes(word)


def _key_of(text: str, read: Callable[[re.Match[str]], bool | None]) -> list[int | bool]:
    """Return the items and the answers that a text names, in their order."""
    found: list[int | bool] = []
    for token in _KEY_TOKEN.finditer(text):
        if token["number"]:
            found += [*range(int(token["number"]), int(token["last"] or token["number"]) + 1)]
        elif not token["points"] and (answer := read(token)) is not None:
            found.append(answer)
    return found


def _names_answer(text: str, read: Callable[[re.Match[str]], bool | None]) -> bool:
    return bool(_answers_in(_key_of(text, read)))


def _assign(tokens: Sequence[int | bool], items: dict[bool, set[int]]) -> None:
    """Add items to their answers: the answer before them, or the one after them if items come first."""
    said: list[bool] = []
    waiting: set[int] = set()
    is_behind = False
    for token in tokens:
        if isinstance(token, bool):
            items[token] |= waiting
            is_behind = is_behind or bool(waiting)
            waiting = set()
            said.append(token)
        elif said and not is_behind:
            items[said[-1]].add(token)
        else:
            waiting.add(token)
