"""Answers that stand on one line: behind boxes, codes or letters, in columns, or between separators."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from surveys.imports.words.amounts import (
    ASKED,
    BRACKETED_POINTS,
    DASHED_POINTS,
    have_one_unit,
    question_and_answers,
    ranges_on,
    unit_stem,
    words_beside,
)
from surveys.imports.words.cues import OR_MORE, is_yes_no, pattern_of, says_how_many, says_yes
from surveys.imports.words.kept_readings import kept
from surveys.imports.words.legend_labels import cut_like, without_further
from surveys.imports.words.legends import between_steps, numbered, pieces_behind, signed_codes
from surveys.imports.words.marks import are_first_letters
from surveys.imports.words.number_ranges import is_space_for_number
from surveys.imports.words.patterns import (
    AND_OR,
    BRACKETED,
    LETTER,
    MISSING_CODES,
    NUMBER,
    OF_DATE,
    TO,
)
from surveys.imports.words.question_marks import asks
from surveys.imports.words.runs import counts_up, goes_one_way, repeats
from surveys.questionnaire.exclusive_wordings import looks_exclusive

BOX: Final = re.compile(r"[☐□▢◻⬜❑❏○◯⚪◉●]|\[\s{0,9}\]|[(（]\s{0,9}[)）]|(?<!\S)_{2,20}(?=\s?[^\W\d_])")
_BLANK: Final = re.compile(r"(?<=[^\W\d_])\s?_{1,20}(?=\s|$)")
_TICK: Final = re.compile(r"(?<=[^\W\d_])\s?_{1,3}(?=\s|$)")
_CODE: Final = re.compile(r"(?<![^\s：:？?㐀-鿿])[(（\[](?P<code>[-–+]?\d{1,3})[)）\]]")
_PAIR: Final = re.compile(r"(?<![\d.\w])(?P<code>[-–+]?\d{1,2})\s?(?:[=＝:：]|[–-](?=\s?[^\W\d]))\s?(?=\S)")
_KEYED: Final = re.compile(
    r"(?:[(（\[](?P<within>[^()（）\[\]]{3,160})[)）\]]|(?<=[?？؟])\s{0,9}(?P<bare>[^?？؟()（）\[\]]{3,160}))\W{0,3}$"
)
_KEYED_PIECE: Final = re.compile(
    r"\s{0,9}(?P<label>[^\W\d_](?:[^=＝:：\d,，、;；|]{0,38}[^\s=＝:：\d,，、;；|–-])?)\s?(?:[=＝:：]|[-–](?=\d))\s?"
    r"(?P<code>-?\d{1,3})(?:\s{0,9}(?:[,，、;；/|]|$)|(?=\s))"
)
"""An answer and its code behind a sign: *yes = 1*, *Да-1*."""
_UNSIGNED_PIECE: Final = re.compile(
    r"\s{0,9}(?P<label>[^\W\d_](?:[^=＝:：\d,，、;；|]{0,38}[^\s=＝:：\d,，、;；|–-])?)\s"
    r"(?P<code>\d{1,2})\s{0,9}(?:[,，、;；/|]|$)"
)
"""An answer and its points without a sign between them: *yes 2*."""
_ASKS_NUMBER: Final = pattern_of("asks-number")
_BARE_BEHIND: Final = re.compile(r"(?<=[^\W\d]\s)(?P<code>\d{1,2})(?=\s|$)")
_PAIR_BEHIND: Final = re.compile(
    r"(?:\s?[=＝]|(?<!\d)\s?[:：])\s?(?P<code>[-–+]?\d{1,2})"
    r"(?=\s{0,9}(?:[,;，；、)）]|[.。](?:\s|$)|$)|\s{2,9}[^\W\d]|\t|\s[–—/|-]\s[^\W\d])"
)
_LETTER: Final = re.compile(
    r"(?:(?<=\s)|(?<=[?？:：])|^|(?<=[;；,，、。])(?=[①-⑳]))(?P<code>[A-Za-zА-Яа-я①-⑳])(?:[.)、．]\s?|(?<=[①-⑳])\s?)(?=\S)"
)
_LETTER_AND_HAN: Final = re.compile(r"(?:(?<=[\s?？:：])|^)(?P<code>[A-H])(?=[㐀-鿿])")
"""A capital letter directly in front of a Chinese answer."""
_FIRST_LETTER: Final = re.compile(r"[AaАа①][.)、．]")  # also Cyrillic
_LETTER_BEFORE: Final = re.compile(r"(?P<letter>[A-La-lА-Ла-л])[.)、．]\s?")
_ANY_LETTER: Final = re.compile(r"(?:(?<=\s)|^)[(（\[](?P<code>[^\W\d_])[)）\]]\s?(?=[^\s=＝])")
_BEFORE_SIGN: Final = re.compile(
    r"(?:(?<=\s)|(?<=[?？:：؟])|^)(?P<code>[^\W\d_]{1,3})(?P<sign>[)）]\s?|[-–/=>]\s)(?=\S)"
)
"""A letter of any script, or the name of one, and a sign behind it."""
_COUNT: Final = re.compile(r"(?:(?<=\s)|(?<=[:：?？])|^)(?P<code>\d{1,2})[.)]\s(?=\S)")
_BARE_COUNT: Final = re.compile(
    r"(?:(?<=\s)|(?<=[:：?？)）])|^)(?P<code>\d{1,2})(?:\s(?=[^\W\d_]{2}|[㐀-鿿])|(?=[㐀-鿿]))"
)
"""A number without a sign in front of an answer: *1 Sí 2 No 99 NS*, *1男 2女*."""
_ENDS_RANGE: Final = re.compile(rf"(?:[)）]\s|^){TO}$", re.IGNORECASE)
"""A word between the two ends of a scale or range: *0 (none) to 10*, *questions 2 to 3*."""
_HYPHENS: Final = re.compile(rf"(?<!\d)\d{{1,2}}-\s?(?:{TO}|{AND_OR})\s\d{{1,2}}-", re.IGNORECASE)
"""Two numbers of an amount with hyphens behind them: *2- to 3-times*."""
_BRACKETS: Final = re.compile(
    r"(?:\[(?=[^\[\]]*[^\W\d_]{2})\w[^\[\]]{0,40}\]\s{0,9}){2,12}$|(?:«[^«»]{1,40}»\s{0,9}){2,12}$"
    r"|(?:<[^<>]{1,40}>\s{0,9}){2,12}$"
)
_ENCLOSED: Final = re.compile(
    r"(?P<before>\S[^()（）\[\]]{0,300})[(（\[](?P<answers>[^()（）\[\]/|]{1,60}(?:[/|][^()（）\[\]/|]{1,60}){2,8})[)）\]]"
)
"""A text, and behind it at least three answers in brackets."""
_COMMAS_ENCLOSED: Final = re.compile(
    r"(?P<before>\S[^()（）\[\]?？]{0,300})[(（](?P<answers>[^()（）]{2,30}[,，、][^()（）]{2,160})[)）]"
)
_FIRST_TWO: Final = re.compile(r"\s?[,，、]\s?")
_CODED_CELL: Final = re.compile(r"(?P<code>\d{1,2})\s(?P<label>[^\W\d].*)")
_WIDE_CELLS: Final = re.compile(r"\t\s*| {3,}")
_CELLS: Final = re.compile(r"\t\s*| {3,}|(?<![.:;,，：；]) {2}")
_SEPARATORS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<=\s)[/／|｜](?=\s)|(?<=[㐀-鿿])[/／](?=[㐀-鿿])",
        r"[/／|｜]|\s[・·]\s",
        r"(?:^|\s)[-–—]\s",
        r"\s?(?:[;；]|[—–]{2})\s?",
        r"\s?[,，、]\s?(?:(?:or|oder|ou|o)\s)?",
    )
)
_LIKE_SLASH: Final = re.compile(r"(?<=\s)(?:[•·・*]|//)\s")
_BEHIND_LABEL: Final = re.compile(r"[^?？؟:：]{2,300}(?:[?？؟:：]\s{0,20}|\s{2,40}|\t)")
"""A question, and the blanks in front of its answers."""
_SEMICOLON: Final = re.compile(r"[;；]\s")
_BEFORE_LAST: Final = re.compile(rf"\s(?:{pattern_of('before-last').pattern})\s", re.IGNORECASE)
_AMOUNT: Final = re.compile(
    rf"\D{{0,12}}\d\S{{0,3}}\s|\S+\s(?:{pattern_of('open-end').pattern})$", re.IGNORECASE
)
_BETWEEN: Final = re.compile(pattern_of("between").pattern, re.IGNORECASE)
_OR: Final = re.compile(r"\s(?:or|oder|ou|o|或|还是)\s")
_ENDS: Final = re.compile(
    r"(?P<low>[^\d]{0,60}?)(?P<run>\(?\b[01]\)?(?:[\s._–—-]{1,12}\(?\d{1,2}\)?){2,10})(?P<high>[^\d]{0,60})"
)
_STEP: Final = re.compile(r"\d{1,2}")
_SENTENCES: Final = re.compile(
    r"\s?(?:\S+\s){2,40}?(?:[^\W\d]{3,40}|[Xx])[.!]\s{1,4}(?=\S)|.{4,200}[。！]\s?(?=\S)"
)
"""A sentence in front of the first answer."""
_LED: Final = re.compile(r"(?P<before>(?:\S+\s){2,60}?\S+)\s[–—-]\s(?P<first>\S.{0,60})")
"""A text of several words and a dash in front of the first answer."""
_LIST_SIGNS: Final = re.compile(r"[,;，；、/／|]")
_TWO_WORDS: Final = re.compile(r"(?<=[?？])\s{1,9}(?P<one>[^\W\d_]{1,12})\s(?P<other>[^\W\d_]{1,12})\s?$")
_EDGES: Final = " \t,;，；、،؛()（）"
_LONGEST: Final = 70
_SEPARATED: Final = re.compile(r"^\s?[–—/|·•-]\s")
"""A sign between two answers: *never (0) – often (1)*."""
_LEADER: Final = re.compile(r"^[.…·]{4,200}\s?")
"""Dots between a question and its answers."""
_REMARK_LAST: Final = re.compile(r"\s?[(（][^()（）]{3,60}[)）]$")
_FEW: Final = 3
_MOST: Final = 12
_LONGEST_LEAD: Final = 5
"""Characters of a word before the two ends of a scale: *from 1 to 5*."""
_FEW_WORDS: Final = 5
"""Most words of each answer between dashes on a line of its own."""


@dataclass(frozen=True)
class Listed:
    """Answers on one line.

    Parameters
    ----------
    before : str
        The text before the answers.
    labels : tuple of str
    points : tuple of (int or None)
        The codes of the answers, if the line states them; None for a code that is no number.
    sign : str
        What separates the answers: ``box``, ``code``, ``letter``, ``cells``, ``ends``, or the separator.
    """

    before: str
    labels: tuple[str, ...]
    points: tuple[int | None, ...] = ()
    sign: str = ""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The codes that are numbers."""
        return tuple(code for code in self.points if code is not None)


@kept
def answers_on(text: str) -> Listed | None:
    """Return the answers that a line lists; None if it lists fewer than two.

    Parameters
    ----------
    text : str
        With its tabs and wide blanks, without the mark of the line.

    Examples
    --------
    >>> answers_on("☐ Yes  ☐ No").labels, answers_on("Drink?  (0) Never (2) Often").points
    (('Yes', 'No'), (0, 2))
    >>> answers_on("It: Never / Once"), answers_on("Not at all 1 2 3 Very").labels
    (Listed(before='It', labels=('Never', 'Once'), points=(), sign='/'), ('1 – Not at all', '2', '3 – Very'))
    >>> answers_on("Never, often").sign, answers_on("Do you drink tea or coffee?")
    (',', None)
    """
    if is_space_for_number(text):
        return None
    text = _with_slashes(text)
    for split in (
        _ends,
        _boxed,
        _tiled,
        _bracketed,
        _ranged,
        _named_ends,
        _keyed,
        _coded,
        _lettered,
        _in_cells,
        _separated,
        _yes_and_no,
    ):
        found = split(text)
        if found is not None and 1 < len(found.labels) <= _MOST and all(map(_is_label, found.labels)):
            return found
    return None


def _with_slashes(text: str) -> str:
    """Return a text with slashes in place of other signs between the answers behind a question or a label."""
    found = _BEHIND_LABEL.match(text)
    start = found.end() if found else len(text)
    signs = {match[0].strip() for match in _LIKE_SLASH.finditer(text, start)}
    if len(signs) != 1:
        return text
    sign = next(iter(signs))
    answers = text[start:].removeprefix(f"{sign} ")
    return text[:start] + _LIKE_SLASH.sub("/ ", answers) if _LIKE_SLASH.search(answers) else text


def _yes_and_no(text: str) -> Listed | None:
    """Yes and no behind a question mark, with one blank between."""
    match = _TWO_WORDS.search(text)
    labels = (match["one"], match["other"]) if match else ("", "")
    return Listed(text[: match.start()].strip(), labels, sign="/") if match and is_yes_no(labels) else None


def _is_label(text: str) -> bool:
    return len(text) <= _LONGEST and any(map(str.isalnum, text)) and not asks(text)


def _question_and_first(before: str) -> tuple[str, str]:
    """Split the text before the first mark into the question and the answer before its mark."""
    places = [match.start() for match in ASKED.finditer(before)]
    wide = [match.start() for match in _CELLS.finditer(before.rstrip())]
    cut = max([*places, *wide[-1:]], default=0)
    return before[:cut], before[cut:]


def _boxed(text: str) -> Listed | None:
    marks = [*BOX.finditer(text)]
    is_behind = bool(marks) and ASKED.search(text[: marks[0].start()]) is not None
    if text[-1:] == "_" and (not marks or (is_behind and all(mark[0].strip(" _") == "" for mark in marks))):
        # Blanks to tick after the answers; after a colon they are write-in spaces.
        marks = [*_BLANK.finditer(text)]
    elif len(ticks := [*_TICK.finditer(text)]) > 2 and text[-1:] == "_":
        # Without a question before them, short blanks are ticked if there are at least three.
        marks = ticks
    if len(marks) < 2:
        return None
    before, behind = pieces_behind(text, marks)
    if not behind[-1].strip(_EDGES) and before.strip():
        before, first = _question_and_first(before)
        behind = [first, *behind[:-1]]
    labels = tuple(_clean(each) for each in behind)
    return Listed(_question(before), labels, sign="box") if all(labels) else None


def _bracketed(text: str) -> Listed | None:
    """Answers in square brackets of their own, at the end of a line."""
    match = _BRACKETS.search(text)
    if match is None:
        return None
    labels = tuple(label.strip() for label in re.findall(r"[\[«<]([^\[\]«»<>]+)[\]»>]", match[0]))
    return Listed(text[: match.start()].strip(), labels, sign="/")


def _tiled(text: str) -> Listed | None:
    """Answers that all end with points in brackets, in any order: *A. no (0 points) B. yes (3 points)*."""
    marks = [*BRACKETED_POINTS.finditer(text)] or [*DASHED_POINTS.finditer(text)]
    words = words_beside(marks)
    if (
        len(marks) < 2
        or len(words) > 1
        or not any(map(any, words))
        or text[marks[-1].end() :].strip(_EDGES + ".")
    ):
        return None
    codes = [int(mark["code"]) for mark in marks]
    before, behind = pieces_behind(text, marks)
    before, first = _question_and_first(before)
    labels = [_clean(each) for each in (first, *behind[:-1])]
    letters = [_LETTER_BEFORE.match(label) for label in labels]
    if all(letters) and are_first_letters([match["letter"] for match in letters if match]):
        labels = [label[match.end() :] for label, match in zip(labels, letters, strict=True) if match]
    if not all(map(LETTER.search, labels)) or len({*codes}) < 2 or repeats(labels):
        return None
    return Listed(_question(before), tuple(labels), tuple(codes), "code")


def _keyed(text: str) -> Listed | None:
    """Answers with their codes, in brackets or behind a question mark: *(yes=1 / no=2)*, *Sí=1 No=2*."""
    match = _KEYED.search(text)
    stated = (match["within"] or match["bare"]) if match else ""
    pieces = _keyed_pieces(stated, _KEYED_PIECE)
    if not pieces and asks(text[: match.start()] if match else ""):
        pieces = _keyed_pieces(stated, _UNSIGNED_PIECE)
        # Amounts are no answers: at least 1, at most 20.
        pieces = pieces if any(piece["code"] == "0" for piece in pieces) else []
    codes = tuple(int(piece["code"]) for piece in pieces)
    if match is None or len(pieces) < 2 or repeats(codes):
        return None
    return Listed(_question(text[: match.start()]), tuple(piece["label"] for piece in pieces), codes, "code")


def _keyed_pieces(stated: str, pattern: re.Pattern[str]) -> list[re.Match[str]]:
    """Return the answers with their codes of which a text consists; empty if it holds anything else."""
    pieces: list[re.Match[str]] = []
    place = 0
    while place < len(stated) and (piece := pattern.match(stated, place)):
        pieces.append(piece)
        place = piece.end()
    return [] if stated[place:].strip() else pieces


def _coded(text: str) -> Listed | None:
    """Answers before or behind their codes: *1 = never 2 = often*, *never (0) often (1)*."""
    if _HYPHENS.search(text) or (_FIRST_LETTER.match(text) and _lettered(text)):
        # An amount, or another reader handles codes after lettered answers.
        return None
    bare, further = without_further(text)
    found = _with_numbers(bare)
    if found is None:
        return _with_numbers(text) if further else None
    points = (*found.points, *(None for _label in further))
    return replace(found, labels=(*found.labels, *further), points=points)


def _with_numbers(text: str) -> Listed | None:
    """Answers next to numbers, without codes that are no numbers."""
    for pattern in (_CODE, _PAIR, _PAIR_BEHIND, _BARE_COUNT, _BARE_BEHIND, _COUNT):
        marks = [*pattern.finditer(text)]
        found = _with_codes(pattern, text, marks) if _are_codes(pattern, text, marks) else None
        if found:
            return found
    explained = numbered(text)
    if explained is None or any(map(str.isdecimal, explained.labels)):
        return None
    is_list = not _are_amounts(text[len(explained.before) :], explained.points)
    before, labels, points = _question(explained.before), explained.all_labels, explained.all_points
    return Listed(before, labels, points, "code") if is_list else None


def _are_codes(pattern: re.Pattern[str], text: str, marks: Sequence[re.Match[str]]) -> bool:
    """Return whether the matches of a pattern are codes of at least two answers: they rise or fall."""
    codes = signed_codes([mark["code"] for mark in marks])
    if len(marks) < 2 or repeats(codes) or not goes_one_way(codes):
        return False
    if pattern is _PAIR and all(text[: mark.start()].rstrip()[-1:] in (*":：=＝",) for mark in marks):
        # The answers are in front: never: 0 – often: 1.
        return False
    if pattern is _BARE_COUNT and not _follow_question(text, marks):
        return False
    if pattern in (_COUNT, _BARE_COUNT):
        n_counted = len(codes) - sum(code in MISSING_CODES for code in codes[2:])
        return codes[:n_counted] == [*range(1, n_counted + 1)]
    return pattern not in (_PAIR, _CODE) or not _are_amounts(text[marks[0].start() :], codes)


def _follow_question(text: str, marks: Sequence[re.Match[str]]) -> bool:
    """Return whether bare numbers begin right behind a question, and no unit makes amounts of them."""
    before, answers = pieces_behind(text, marks)
    stems = {unit_stem(answer.strip(_EDGES)) for answer in answers}
    is_next = bool(before.strip()) and (before.rstrip()[-1] in "?？:：)）" or before.endswith("  "))
    are_units = any(_ASKS_NUMBER.search(f"({answer.strip(_EDGES)})") for answer in answers)
    return is_next and 2 * len(stems) > len(answers) and not (are_units or have_one_unit(answers))


def _with_codes(pattern: re.Pattern[str], text: str, marks: Sequence[re.Match[str]]) -> Listed | None:
    """Return the answers next to their codes; None if one is empty, or they are the ends of a range."""
    codes = signed_codes([mark["code"] for mark in marks])
    before, behind = _split_at_codes(pattern, text, marks)
    if pattern is _BARE_BEHIND and (not asks(before) or behind[0].lstrip().startswith(f"{codes[0] - 1} ")):
        # The numbers may be in front: *1 time 2 times 3 times*.
        return None
    behind[-1] = _within_bracket(before, cut_like(behind))
    if not any(sign in each for each in behind[:-1] for sign in ";；"):
        behind[-1] = re.split("[;；]", behind[-1])[0]
    labels = tuple(_clean(_SEPARATED.sub("", each.rstrip(" ."))) for each in behind)
    if not all(labels) or any(map(_ENDS_RANGE.search, labels[1:])):
        return None
    if pattern is _PAIR and len(codes) == 2:
        if 1 < codes[1] - codes[0] < _MOST:
            return _between_ends(text, before, codes, labels)
        if abs(codes[1] - codes[0]) > 1:
            return None
    steps = dict(between_steps([*zip(codes, labels, strict=True)]))
    own = (tuple(steps.values()), tuple(steps), "ends") if steps else (labels, tuple(codes), "code")
    return Listed(_question(before), *own)


def _split_at_codes(
    pattern: re.Pattern[str], text: str, marks: Sequence[re.Match[str]]
) -> tuple[str, list[str]]:
    """Return the text before the answers, and the answers, which are before or behind their codes."""
    before, behind = pieces_behind(text, marks)
    if pattern in (_PAIR_BEHIND, _BARE_BEHIND) or not behind[-1].strip(_EDGES + "."):
        before, first = _question_and_first(before)
        if sentences := _SENTENCES.match(first):
            before, first = before + sentences[0], first[sentences.end() :]
        if pattern is _PAIR_BEHIND and "(" in before + first:
            before, _open, first = (before + first).rpartition("(")
        behind = [first, *behind[:-1]]
    return before, behind


def _between_ends(text: str, before: str, codes: Sequence[int], ends: Sequence[str]) -> Listed:
    """Return a scale with the steps between its two ends: *1 = never, 5 = always*."""
    steps = tuple(range(codes[0], codes[1] + 1))
    labels = (f"{steps[0]} – {ends[0]}", *map(str, steps[1:-1]), f"{steps[-1]} – {ends[1]}")
    if {*map(str, codes)} <= {*NUMBER.findall(before)}:
        # The question itself names the scale, and goes on with its ends: from 1 to 5, where 1 is bad.
        before = text
    return Listed(_question(before), labels, steps, "ends")


def _named_ends(text: str) -> Listed | None:
    """The two ends of a scale with their words: *1 = never … 5 = always*, *from 1 (never) to 5 (always)*."""
    explained = numbered(text)
    if explained is None or len(explained.labels) < 3 or asks(text):
        return None
    is_between = all(label.isdecimal() for label in explained.labels[1:-1])
    is_alone = LETTER.search(explained.before) is None or len(explained.before) <= _LONGEST_LEAD
    return Listed("", explained.labels, explained.points, "ends") if is_between and is_alone else None


def _within_bracket(before: str, last: str) -> str:
    """Return the last answer without the bracket that closes the one before the first answer."""
    is_open = before.rstrip()[-1:] in ("(", "（")
    place = min((at for sign in ")）" if (at := last.find(sign)) >= 0), default=-1)
    return last[:place] if is_open and place > 0 and "(" not in last[:place] else last


def _ranged(text: str) -> Listed | None:
    found = ranges_on(text)
    return Listed(found.before, found.labels, sign=found.sign) if found else None


def _are_amounts(text: str, codes: Sequence[int]) -> bool:
    """Return whether numbers are parts of answers: one of these has two numbers, *once, 2 to 3 times*."""
    pieces = [piece for piece in _LIST_SIGNS.split(text) if piece.strip()]
    return len(pieces) > 1 and len(pieces) < len(codes)


def _lettered(text: str) -> Listed | None:
    marks = [*_LETTER.finditer(text)] or [*_LETTER_AND_HAN.finditer(text)]
    codes = [ord(mark["code"]) for mark in marks]
    is_list = counts_up(codes) and chr(codes[0]) in "AaАа①"
    if len(marks) < 2 or not is_list:
        marks = [*_ANY_LETTER.finditer(text)]
        if len(marks) < 2 or repeats([mark["code"] for mark in marks]):
            marks = [*_BEFORE_SIGN.finditer(text)]
        signs = {mark["sign"].strip() for mark in marks if "sign" in mark.re.groupindex}
        names = [mark["code"].casefold() for mark in marks]
        is_abc = are_first_letters(names) or not "".join(names[:1]).isascii()
        if len(marks) < 2 or repeats(names) or len(signs) > 1 or (signs and not is_abc):
            return None
    before, behind = pieces_behind(text, marks)
    return Listed(_question(before), tuple(map(_clean, behind)), sign="letter")


def _ends(text: str) -> Listed | None:
    """Numbers that count up, with words for both ends around them."""
    match = _ENDS.fullmatch(text.strip())
    if match is None:
        return None
    steps = [int(step) for step in _STEP.findall(match["run"])]
    signs = {sign.strip() for sign in re.split(r"\d+", match["run"])[1:-1]}
    if not counts_up(steps) or len(signs) > 1:
        # With several signs, they are ranges: 1   2–3   more.
        return None
    sign = signs.pop()
    before, low = _question_and_first(match["low"])
    low, high = (_clean(each.strip(f" \t:：.–—-…_{sign}")) for each in (low, match["high"]))
    labels = [*map(str, steps)]
    if not high:
        return Listed(_clean(f"{before} {low}"), tuple(labels), tuple(steps), "ends")
    goes_on = sign != "" and match["high"].lstrip().startswith(sign)
    if not low and (goes_on or len(high) < 4 or looks_exclusive({"": high})):
        # Words behind the numbers are a further answer: 1  2  3  n/a.
        return Listed(_clean(before), (*labels, high), (), "ends")
    if not low and OR_MORE.fullmatch(f" {high}"):
        return Listed(_clean(before), (*labels[:-1], f"{labels[-1]} {high}"), (), "ends")
    labels[0], labels[-1] = f"{labels[0]} – {low}" if low else labels[0], f"{labels[-1]} – {high}"
    return Listed(_clean(before), tuple(labels), tuple(steps), "ends")


def _in_cells(text: str) -> Listed | None:
    """Answers in columns, which tabs or wide blanks divide."""
    cells = _cells_of(text)
    if len(cells) > 1 and asks(cells[0]) and _count_up(cells[1:]):
        return Listed(cells[0], tuple(cells[1:]), sign="cells")
    if len(cells) < 2 or not all(LETTER.search(cell) for cell in cells):
        return None
    return _coded_cells(cells) or _behind_item(cells)


def _cells_of(text: str) -> list[str]:
    """Return the columns of a line without words between them, such as *to*; none if a sign fills one."""
    cells = [cell.strip() for cell in _CELLS.split(text.strip()) if cell.strip()]
    if any(cell in "/／|" for cell in cells):
        return []
    if any(len(cell) < 2 for cell in cells):
        cells = [cell.strip() for cell in _WIDE_CELLS.split(text.strip()) if cell.strip()]
    cells = [cell for cell in cells if not (cell.islower() and _BETWEEN.fullmatch(cell))]
    return [cells[0], *cells[1].split("  ")] if len(cells) == 2 else cells


def _coded_cells(cells: Sequence[str]) -> Listed | None:
    """Return the answers of cells that all begin with a code."""
    coded = [match for cell in cells if (match := _CODED_CELL.fullmatch(cell))]
    codes = [int(match["code"]) for match in coded]
    if len(coded) < len(cells) or repeats(codes) or not goes_one_way(codes):
        return None
    return Listed("", tuple(match["label"] for match in coded), tuple(codes), "code")


def _behind_item(cells: Sequence[str]) -> Listed | None:
    """Return the answers in columns, without an item in the first one; None if only one is behind it."""
    first, *others = cells
    if len(others) > 2 and asks(first) and BRACKETED.fullmatch(others[0]) and says_how_many(others[0]):
        # How many answers may be chosen is said in front of them.
        first, others = f"{first} {others[0]}", others[1:]
    if answers := _list_in(others):
        return Listed(first.rstrip(" :："), answers, sign="/")
    leads = asks(before := _REMARK_LAST.sub("", first)) or before[-1:] in (":", "：")
    if len(others) == 1 and leads:
        return None
    before, answer = question_and_answers(first)
    if before and answer and LETTER.search(answer) and not says_how_many(f"({answer})"):
        # The first answer is next to the question: "Sex:  female    male".
        return Listed(before.rstrip(" :："), (answer, *others), sign="cells")
    if len(others) > 1 and (leads or len(first) > 3 * max(map(len, others))):
        return Listed(first.rstrip(" :："), tuple(others), sign="cells")
    return Listed("", tuple(cells), sign="cells")


def _list_in(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the answers that a single cell lists, or yes and no in two cells; none otherwise."""
    if len(cells) > 1:
        return tuple(cells) if is_yes_no(cells) else ()
    listed = _separated(cells[0])
    return listed.labels if listed and not listed.before and listed.sign in ("/", "|") else ()


def _separated(text: str) -> Listed | None:
    """Answers with the same sign between them, behind a question or on a line of their own."""
    enclosed = _ENCLOSED.fullmatch(text) or _yes_no_enclosed(text)
    before, rest = (enclosed["before"], enclosed["answers"]) if enclosed else question_and_answers(text)
    for sign, pattern in zip("/|-;,", _SEPARATORS, strict=True):
        if sign == "|" and _are_forms(rest, len(pattern.split(rest))):
            # Within answers, a slash joins forms of a word: alone; with his/her parents; elsewhere.
            continue
        labels = _split_at(sign, pattern, rest)
        if len(labels) > 1 and _are_answers(sign, before, labels):
            return None if _is_date(text, labels) else _listed(before, labels, sign)
    words = _OR.sub(" ", rest).split()
    is_pair = len(words) == 2 and is_yes_no(words)
    return Listed(before.strip(" :："), tuple(words), sign=" ") if is_pair else None


def _is_date(text: str, labels: Sequence[str]) -> bool:
    """Return whether brackets at the end of a text hold the parts of a date: *(DD/MM/YYYY)*."""
    is_bracketed = text.rstrip(" .:?").endswith((")", "）"))
    return is_bracketed and all(OF_DATE.fullmatch(label.strip("_ (（)）")) for label in labels)


def _listed(before: str, labels: list[str], sign: str) -> Listed | None:
    """Return the answers between separators; None for a row without its question, and for one answer."""
    if not before and sign == "|" and not is_yes_no(labels):
        return None
    if (
        sign == ","
        and len(labels) == 2
        and [says_yes(label) is not None for label in labels] == [True, False]
    ):
        # One answer: *Yes, often*.
        return None
    if not before and sign == "/" and (led := _LED.fullmatch(labels[0])):
        # The question is in front of a dash: have you used any - no / yes / once.
        before, labels[0] = led["before"], led["first"]
    return Listed(before.strip(" :："), tuple(labels), sign=sign)


def _yes_no_enclosed(text: str) -> re.Match[str] | None:
    """Return the text and the answers in brackets behind it that begin with yes and no; else None."""
    found = _COMMAS_ENCLOSED.fullmatch(text)
    return found if found and is_yes_no(_FIRST_TWO.split(found["answers"])[:2]) else None


def _are_forms(text: str, n_pieces: int) -> bool:
    """Return whether commas divide a text into more pieces than slashes, dashes as many, or semicolons."""
    dashes, commas = (len(_SEPARATORS[place].split(text)) for place in (2, 4))
    return _SEMICOLON.search(text) is not None or dashes >= max(n_pieces, _FEW) or commas > n_pieces


def _split_at(sign: str, pattern: re.Pattern[str], text: str) -> list[str]:
    """Return the pieces of a text between separators, and around the *or* before the last one."""
    labels = [_LEADER.sub("", each.strip()) for each in pattern.split(text)]
    # Behind a number or before "more", "or" belongs to the answer: 4th or later, three or more.
    if sign == "," and len(labels) > 1 and not _AMOUNT.match(labels[-1]):
        labels[-1:] = map(str.strip, _BEFORE_LAST.split(labels[-1]))
    return labels


def _may_follow_dashes(before: str, labels: Sequence[str]) -> bool:
    """Return whether dashes may separate answers: behind a question or a label, or yes and no."""
    are_few = len(labels) > 2 and all(len(label.split()) <= _FEW_WORDS for label in labels)
    is_label = len(before.split()) < 2 or before.rstrip()[-1:] in (":", "：")
    return asks(before) or (is_label and are_few) or is_yes_no(labels)


def _are_answers(sign: str, before: str, labels: Sequence[str]) -> bool:
    """Return whether the pieces between separators are words, or behind a question numbers that count up."""
    if any("=" in label for label in labels) or (sign == "-" and not _may_follow_dashes(before, labels)):
        return False
    n_words = sum(LETTER.search(label) is not None for label in labels)
    are_mostly_words = sign in "/;" and bool(before) and n_words > 1
    # The last one may have words: 0 / 1 / 2 / more.
    numbers = labels[:-1] if LETTER.search(labels[-1]) else labels
    are_numbers = sign in "/|" and asks(before) and _count_up(numbers)
    return n_words == len(labels) or are_mostly_words or are_numbers


def _count_up(labels: Sequence[str]) -> bool:
    """Return whether at least three answers are numbers that count up: *1. / 2. / 3.*, *5  6  7*."""
    steps = [
        int(step[0]) if (step := _STEP.match(label)) and not label[step.end() :].strip(".") else -1
        for label in labels
    ]
    return len(steps) > 2 and steps[0] >= 0 and counts_up(steps)


def _question(before: str) -> str:
    """Return the text before answers without the colon at its end."""
    return _clean(before).rstrip(" :：")


def _clean(text: str) -> str:
    label = _LEADER.sub("", " ".join(text.split()).strip(_EDGES))
    if sum(map(label.count, "(（")) > sum(map(label.count, ")）")):
        label += ")" if "(" in label else "）"
    first = text.lstrip(" \t,;，；、،؛")[:1]
    if first and first in "(（" and sum(map(label.count, ")）")) > sum(map(label.count, "(（")):
        label = first + label
    return label
