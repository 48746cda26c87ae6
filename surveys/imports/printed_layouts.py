"""Rewrite layouts of printed and exported questionnaires, line by line, into the layout that is read.

Word-processor tables, scales, options on the question's line, broken lines and skip instructions become
lines with a title, questions and options. `phrases.tsv` lists what single tools print. Each line is read
once, and each pattern is anchored or bounded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Final

from surveys.questionnaire.checks.content import looks_exclusive

_TEXT: Final = resources.files("surveys.imports").joinpath("phrases.tsv").read_text(encoding="utf-8")
ROWS: Final = tuple(
    tuple(line.split("\t")) for line in _TEXT.splitlines() if line and not line.startswith("#")
)
"""Meaning, pattern and example of each phrase."""


def pattern_of(meaning: str, *, behind: str = "", flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """Return one pattern for all phrases of a meaning.

    Parameters
    ----------
    meaning : str
    behind : str
        A pattern for what may follow the phrase.
    flags : re.RegexFlag
    """
    own = (pattern for name, pattern, _example in ROWS if name == meaning)
    return re.compile(f"(?:{'|'.join(own)}){behind}", flags)


def words_of(group: str) -> dict[str, str]:
    """Return the words of all rows whose meaning begins with a group; each has the rest of its meaning.

    Examples
    --------
    >>> words_of("about-")["who asks"]
    'researcher'
    """
    rows = ((name.removeprefix(group), words) for name, words, _example in ROWS if name.startswith(group))
    return {word: name for name, words in rows for word in words.split("|")}


_LINES: Final = {
    meaning: pattern_of(meaning)
    for meaning in ("gap", "left", "one", "several", "number", "text", "grid", "shown", "depends")
}
_COUNT: Final = pattern_of("count", flags=re.NOFLAG)
_SKIP: Final = pattern_of("skip", behind=r"\s?[.。]?$")
_MAY_SKIP: Final = re.compile(
    r"→|⇒|➔|->|=>|skip|go to|jump|proceed|continue|weiter|passez|pase a|vá para|siga|跳|转", re.IGNORECASE
)
_STEP: Final = pattern_of("step")
_AROUND: Final = " ()（）[]【】.。:：*＊"


def meaning_of(text: str) -> str:
    """Return the meaning of a line around questions; empty if it is anything else.

    Examples
    --------
    >>> meaning_of("(Check all that apply.)"), meaning_of("Never")
    ('several', '')
    """
    bare = text.strip(_AROUND)
    found = (meaning for meaning, each in _LINES.items() if each.fullmatch(bare) or each.fullmatch(text))
    return next(found, "")


def is_step(text: str) -> bool:
    """Return whether a text is a usual label of a scale.

    Examples
    --------
    >>> is_step("Sometimes"), is_step("Smoking")
    (True, False)
    """
    return _STEP.fullmatch(text.strip(_AROUND)) is not None


def split_count(text: str) -> tuple[str, str]:
    """Split the number of a question from its text; the number is empty unless a phrase has it.

    Examples
    --------
    >>> split_count("A2 [sex] What is your sex?"), split_count("2. Do you smoke?")
    (('2', 'What is your sex?'), ('', '2. Do you smoke?'))
    """
    match = _COUNT.match(text)
    if match is None:
        return "", text
    return re.findall(r"\d+", match[0].partition("[")[0])[-1], text[match.end() :]


def split_skip(text: str) -> tuple[str, str]:
    """Split an instruction to skip from the end of a line; it is empty if there is none.

    Examples
    --------
    >>> split_skip("Never [Skip to Qs 9-10]")
    ('Never', '[Skip to Qs 9-10]')
    """
    match = _SKIP.search(text) if _MAY_SKIP.search(text) else None
    return (text[: match.start()].rstrip(), match[0]) if match else (text, "")


_SIGNS: Final = "\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0f\x10\x11"
CONDITION, SKIP, ASK, OPTION, HEAD, OTHER, CODES, BARE, LEFT, GRID, DEPENDS, SCORING = _SIGNS
_ROLES: Final = "condition skip question option heading other codes bare left grid depends scoring"
SPECIAL: Final = dict(zip(_SIGNS, _ROLES.split(), strict=True))
"""Roles of rewritten lines, by the control character that starts the line."""

POINTS: Final = "\ue010"
"""Stands between the points of an option and its text."""

_SIGN_OF: Final = {"left": LEFT, "grid": GRID, "depends": DEPENDS}

Lines = list[tuple[int, str]]

_IF: Final = re.compile(r"(?:if|and|or|如果|且|或)\b.{1,200}|如果.{1,200}", re.IGNORECASE)
SQUARE: Final = re.compile(r"[☐□▢◻⬜❑❏]|\[\s?\]")
ROUND: Final = re.compile(r"[○◯⚪]|o\s|\(\s?\)")
_MARKS: Final = "☐□▢◻⬜❑❏○◯⚪☑✓◉●"
_IS_MARK: Final = re.compile(rf"[{_MARKS}]\s?\d{{0,2}}|[oO]|\(\s?\)|\[\s?\]|（\s?）|\d{{1,2}}|[_.…]{{1,20}}")
_IN_BRACKETS: Final = re.compile(r"(?<![^\s：:？?㐀-鿿])[(（](?P<code>\d{1,3})[)）]")
_MAY_SPLIT: Final = re.compile(rf"__|[{_MARKS}\[(（=＝①-⑳]|[A-Za-z][.)、．]|\d\s?[:：–-]")
"""Matches every text that one of the patterns below matches, so that most texts are searched only once."""
_PAIRS: Final = re.compile(r"(?<![\d.])(?P<code>\d{1,2})(?:\s?[=＝]\s?(?=\S)|\s?[:：–-]\s?(?=[^\W\d]))")
_SPLITS: Final = (
    _PAIRS,
    re.compile(rf"[{_MARKS}]|\[\s?\]|[(（]\s?[)）]"),
    re.compile(r"_{2,20}(?=\s?[^\W\d_])"),
    _IN_BRACKETS,
    re.compile(r"(?<![^\s])(?P<code>\d{1,2})\s?[=＝](?!=)"),
    re.compile(r"(?<![^\s])(?P<code>[A-Z])[、．]"),
    re.compile(r"(?<![^\s：:？?])(?P<code>[A-Z])[.)](?=[\s\d㐀-鿿])"),
    re.compile(r"(?<![^\s])(?P<code>[a-z])[.)](?=\s)"),
    re.compile(r"(?P<code>[①-⑳])"),
)
NUMBER: Final = (
    r"\s?(?P<count>\d{1,3})\s?(?P<sign>[.)、．:：）]|题[.:：、]?|(?:(?<=Q\d)|(?<=Q\d\d)|(?<=Q\d\d\d))\s)"
    r"(?!\d)\s?(?P<text>\S.*)"
)
"""A number, the sign after it, and the numbered text."""
_NUMBERED: Final = re.compile(r"(?:Q|Question|问题|第)?" + NUMBER, re.IGNORECASE)
_LETTERED: Final = re.compile(r"[(（]?(?P<letter>[a-z])[.)、．）]\s?(?P<text>\S.*)", re.IGNORECASE)
_BRACKETED: Final = re.compile(r"[(（]\d{1,3}[)）]\s?(?P<text>\S.*)")
MARK: Final = (
    rf"[-*]\s\[[\sx]?\]|[-–—*•·▪◦{_MARKS}]|o\s|_{{2,20}}|\(\s?\)|\[\s?\]|[①-⑳]"
    r"|[（(]?(?:[A-Za-z]|[ivx]{2,4})[.)、．）]\s|[A-Z](?:[、．]|[.)）](?=[\d㐀-鿿]))|[A-H](?=[㐀-鿿])"
)
"""The mark before an option."""
_MARKED: Final = re.compile(rf"{MARK}|[（(]\d{{1,3}}[)）]|[#>＞]", re.IGNORECASE)
_ITEM_NUMBER: Final = re.compile(r"^\d{1,2}\s(?=[^\W\d])")
_BELOW: Final = re.compile(r"\d{1,2}\.\d")
"""The number of an item of a numbered question."""
_TAIL: Final = re.compile(rf"(?:\s\d{{1,2}}){{2,12}}$|(?:\s[oO{_MARKS}]){{2,12}}$")
_ENDED: Final = re.compile(r"[?？.。:：!！…)）\]】*]$")
_YES: Final = pattern_of("yes")
_NO: Final = pattern_of("no")
_EITHER_WORD: Final = r"(?:yes|no|y|n|oui|non|是|否|有|没有|true|false)"
_YES_NO_TAIL: Final = re.compile(
    rf"\s(?P<one>{_EITHER_WORD})\s?(?:\d\s?)?(?:[/|／,，、;；]|or\b)?\s?(?P<two>{_EITHER_WORD})\s?\d?$",
    re.IGNORECASE,
)
_OTHER: Final = pattern_of("other")
_LONG: Final = 30
_LONG_HAN: Final = 14
HAN: Final = re.compile("[㐀-䶿一-鿿]")
_MOST_LABEL: Final = 60
_MOST_STEPS: Final = 11


def is_yes_no(texts: Sequence[str]) -> bool:
    """Return whether two options are yes and no, in either order.

    Examples
    --------
    >>> is_yes_no(["No.", "Yes!"]), is_yes_no(["Yes", "Maybe"])
    (True, False)
    """
    plain = [" ".join(re.sub(r"[\W_]", " ", text).split()) for text in texts]
    return len(plain) == 2 and any(
        _YES.fullmatch(yes) is not None and _NO.fullmatch(no) is not None for yes, no in (plain, plain[::-1])
    )


@dataclass
class Shaper:
    """Rewrites lines; `lines` has the lines written so far, each with its line number in the source."""

    lines: Lines = field(default_factory=list)
    _scale: list[str] = field(default_factory=list)
    _question: int | None = None  # index in `lines` of the current question
    _has_options: bool = False
    _is_battery: bool = False
    _is_marked: bool = False  # whether rows below the scale have a mark in each column
    _condition: bool = False
    _code: str = ""  # number of a question whose text is still to come
    _gap: bool = True
    _begin: int = 0  # index in `lines` of the first line after a gap
    _heading: int = -99  # index in `lines` of the last Markdown heading
    _grid: int | None = None  # index in `lines` of an instruction for a grid
    _title: str = ""
    _is_page: bool = False  # whether the line above begins a page

    def take(self, number: int, cells: list[str], ahead: list[str]) -> None:
        """Process one line of the source.

        Parameters
        ----------
        number : int
        cells : list of str
            The line split at tabs or wide blanks, without empty cells.
        ahead : list of str
            Cells of the next line that is not empty.
        """
        count, rest = split_count(cells[0]) if cells else ("", "")
        if count and self._is_bare and _BELOW.match(cells[0]):
            self._make_heading()
        if count:
            # The question may be on the next line.
            self._code, cells = f"{count}. ", [rest, *cells[1:]] if rest else cells[1:]
        if cells:
            cells, self._code = [self._code + cells[0], *cells[1:]], ""
        text = " ".join(cells)
        means = meaning_of(text)
        if not text or means == "gap" or (self._is_page and text == self._title):
            self._add_line(number, "")
            self._gap, self._begin, self._grid = True, len(self.lines), None
            self._is_page = self._is_page or means == "gap"
            return
        self._title, self._is_page = self._title or text, False
        if means == "shown":
            self._condition = True
            return
        if self._condition and _IF.match(text):
            self._add_line(number, CONDITION + text)
            return
        self._condition = False
        if means:
            self._apply_instruction(number, text, means)
            return
        before, skip = split_skip(text)
        if before:
            self._write(number, before, [before] if skip else cells, ahead)
        if skip:
            self._add_line(number, SKIP + skip)

    def keep(self, number: int, sign: str, text: str) -> None:
        """Write a line whose role is known.

        Parameters
        ----------
        number : int
        sign : str
            `ASK`, `OPTION`, `HEAD`, `LEFT` or `SCORING`.
        text : str
        """
        if sign in (ASK, HEAD):
            self._end_scale()
            self._question = len(self.lines) if sign == ASK else None
        self._has_options = self._has_options or sign == OPTION
        self._gap = False
        self._add_line(number, sign + text)

    def _apply_instruction(self, number: int, text: str, what: str) -> None:
        """Flag the current question by the instruction below it; lines in between become its help."""
        place = self._question if self._is_bare and self._question else max(self._begin, self._question or 0)
        # A Markdown heading is a question if an instruction follows it, or its description.
        if self._question in (None, self._heading) and len(self.lines) - self._heading <= 20:
            place = self._heading
        lines = [line for line in self.lines[place:] if line[1]] if len(self.lines) < place + 99 else []
        is_help = place == self._heading and not any(_MARKED.match(text) for _number, text in lines[1:])
        if what in _SIGN_OF or not lines or (len(lines) > 2 and not is_help):
            self._grid = len(self.lines) if what == "grid" else None
            self._add_line(number, _SIGN_OF.get(what, LEFT) + text)
            return
        helps = [(line, f"> {text}") for line, text in lines[1:]]
        self.lines[place:] = [(lines[0][0], f"{lines[0][1]} [{what}]"), *helps]
        self._question, self._has_options = place, False

    def _write(self, number: int, text: str, cells: list[str], ahead: list[str]) -> None:
        gap, self._gap = self._gap, False
        if text.startswith("#"):
            self._end_scale()
            self._heading = len(self.lines)
        if not (
            self._repeats(text)
            or self._row(number, cells)
            or self._header(number, cells, ahead)
            or self._other(number, text)
            or self._inline(number, text, cells, ahead, gap=gap)
            or self._ends_of_scale(number, text)
            or self._item_of_grid(number, text)
            or self._columns(number, cells, ahead)
            or self._wrap(text, gap=gap)
        ):
            self._plain(number, text)

    def _add_line(self, number: int, text: str) -> None:
        self.lines.append((number, text))

    def _begin_scale(self, labels: list[str], *, is_battery: bool = False, is_marked: bool = False) -> None:
        self._scale, self._is_battery, self._is_marked = labels, is_battery, is_marked
        self._question = None

    def _end_scale(self) -> None:
        self._begin_scale([])
        self._has_options = False

    def _add_question(self, number: int, text: str, options: Sequence[str], *, flag: str = "") -> None:
        self._add_line(number, ASK + _without_number(text) + flag)
        self._question = len(self.lines) - 1
        self._add_options(number, options)

    def _add_options(self, number: int, options: Sequence[str], *, is_coded: bool = False) -> None:
        """Give the current question its options."""
        self._has_options = True
        self.lines += [(number, OPTION + option) for option in options]
        self.lines += [(number, CODES)] * is_coded

    @property
    def _is_bare(self) -> bool:
        """Whether there is a current question and it has no options yet."""
        return self._question is not None and not self._has_options

    @property
    def _is_heading(self) -> bool:
        """Whether the current question has no options and no number: it may head the items below."""
        return self._is_bare and not _NUMBERED.match(self.lines[self._question or 0][1])

    def _plain(self, number: int, text: str) -> None:
        is_question = _NUMBERED.fullmatch(text) is not None
        is_option = _MARKED.match(text) is not None
        letter = _LETTERED.fullmatch(text)
        if is_question and (self._is_marked or self._is_battery):
            self._end_scale()
        if self._scale and letter and not self._is_battery and self._question is not None:
            self._make_heading()
            self._is_battery = True
        if self._scale and (is_question or (letter and self._is_battery)):
            own = letter["text"] if letter and not is_question else text
            self._add_question(number, own, self._scale, flag=" [table]")
            return
        is_asked = text.rstrip(" *＊").endswith(("?", "？"))
        if is_question:
            self._question, self._has_options = len(self.lines), False
        elif self._question is not None and not is_asked:
            self._has_options = True
        elif is_option and not (is_asked and (text[0] == "#" or text[1:2].isdecimal())):
            self._has_options = self._question is not None
        elif is_asked:
            self._question, self._has_options = len(self.lines), False
        self._add_line(number, text)

    def _repeats(self, text: str) -> bool:
        """Try a line of marks or codes for the options that the current question already has."""
        marks = text.split()
        if self._question is None or not self._has_options or not all(map(_IS_MARK.fullmatch, marks)):
            return False
        below = self.lines[self._question + 1 : self._question + len(marks) + 3]
        return sum(line.startswith(OPTION) for _number, line in below) == len(marks)

    def _item_of_grid(self, number: int, text: str) -> bool:
        """Try a row of a grid whose columns are the lines above it."""
        if self._grid is None or _NUMBERED.fullmatch(text) or (not self._scale and steps_in(text)):
            return False
        if not self._scale:
            labels = [label for _number, line in self.lines[self._grid + 1 :] for label in steps_in(line)]
            if not 1 < len(labels) <= _MOST_STEPS:
                self._grid = None
                return False
            del self.lines[self._grid :]
            self._make_heading()
            self._begin_scale(labels, is_marked=True)
        self._add_question(number, text, self._scale, flag=" [table]")
        return True

    def _columns(self, number: int, cells: list[str], ahead: list[str]) -> bool:
        """Try options in columns without marks; their marks may be on the next line."""
        if not self._is_bare or len(cells) < 2 or _NUMBERED.match(cells[0]):
            return False
        is_table = len(ahead) > 1 and not all(map(_IS_MARK.fullmatch, ahead))
        if is_table or any(len(cell) > _MOST_LABEL for cell in cells):
            return False
        self._add_options(number, cells)
        return True

    def _row(self, number: int, cells: list[str]) -> bool:
        """Try a table row: an item, and a mark or a code below each label of its scale."""
        item, marks, is_tail = _marks_of(cells)
        is_numbered = bool(_NUMBERED.match(item) or _LETTERED.match(item))
        item = item if is_tail else _ITEM_NUMBER.sub("", item)
        is_other = is_tail and not (is_numbered and counts_up(marks))
        if not marks or is_other or _IS_MARK.fullmatch(item):
            return False
        if self._scale and len(marks) == len(self._scale):
            if self._is_bare and not is_numbered:
                self._make_heading()
            self._add_question(number, item, _with_points(marks, self._scale), flag=" [table]")
            return True
        codes = [mark.lstrip(_MARKS + " ") for mark in marks]
        if is_numbered and counts_up(codes):
            self._add_question(number, item, codes, flag=" [table]")
            self._add_line(number, BARE)
            return True
        if set("".join(marks)) <= set("oO()（）[] " + _MARKS):
            self._add_line(number, GRID + item)
            return True
        return False

    def _header(self, number: int, cells: list[str], ahead: list[str]) -> bool:
        """Try a table header: an optional stem, then a label for each column of marks."""
        _item, marks, _is_tail = _marks_of(ahead)
        if not marks or any(map(_IS_MARK.fullmatch, cells)) or all(map(_IS_MARK.fullmatch, ahead)):
            return False
        stem = cells[0] if len(cells) == len(marks) + 1 else ""
        labels = [_without_code(label) for label in cells[bool(stem) :]]
        if len(labels) != len(marks) or any(len(label) > _MOST_LABEL for label in labels):
            return False
        before = [place for place in (-1, -2) if len(self.lines) > 1 and self.lines[place][1]]
        if self._is_bare and " " not in stem:
            self._make_heading()
        elif stem:
            self._add_line(number, HEAD + _without_number(stem))
        elif before and self._question is None:
            line, text = self.lines[before[0]]
            opens = text.endswith(("...", "…", ":", "："))
            self.lines[before[0]] = (line, HEAD * opens + text)
        self._begin_scale(labels, is_marked=True)
        return True

    def _other(self, number: int, text: str) -> bool:
        """Try an option with a line to write on."""
        match = _OTHER.fullmatch(text) if self._question is not None else None
        if match is None:
            return False
        self._has_options = True
        self._add_line(number, match["text"] + (match["code"] or ""))
        self._add_line(number, OTHER + text)
        return True

    def _inline(self, number: int, text: str, cells: list[str], ahead: list[str], *, gap: bool) -> bool:
        """Try several options on one line, with or without their question before them."""
        before, options = _split(text)
        answers = [cell for cell in cells[1:] if any(map(str.isalnum, cell))]
        letter = _LETTERED.match(text)
        is_numbered = bool(_NUMBERED.match(text))
        has_cells = is_numbered and len(options) != len(answers) > 1 and cells[0].endswith(("?", "？"))
        # A row of a table can have answers of its own.
        before, options = (cells[0], answers) if has_cells else (before, options)
        is_question = is_numbered or (len(before) > 1 and before[-1] in "?？") or letter is not None
        if not options and is_question and len(cells) > 2 and is_yes_no(_words(cells[1:])):
            before, options = cells[0], _words(cells[1:])
        tail = _YES_NO_TAIL.search(text)
        if not options and tail and is_yes_no(words := [tail["one"], tail["two"]]):
            stem = text[: tail.start()].rstrip()
            if is_question or stem.endswith(("?", "？")):
                before, options, is_question = stem, words, True
        if len(options) < 2:
            return False
        before = before.rstrip(" (（[:：")
        is_coded = not has_cells and before != text and any(sign.isdecimal() for sign in text[len(before) :])
        next_asks = bool(ahead) and bool(_NUMBERED.match(ahead[0]) or _LETTERED.match(ahead[0]))
        next_is_lettered = bool(ahead) and bool(_LETTERED.match(ahead[0]))
        if letter and not is_numbered and before and self._is_bare:
            self._make_heading()
        if is_numbered and before and next_is_lettered and not _LETTERED.match(_without_number(text)):
            self._add_line(number, HEAD + _without_number(before))
            self._begin_scale(options, is_battery=True)
        elif is_question and before and (is_numbered or letter or not next_asks):
            self._end_scale()
            self._add_question(number, before, options)
            self.lines += [(number, CODES)] * is_coded
        elif self._is_bare and not gap and not before and next_is_lettered:
            self._scale = options
        elif self._is_bare and not before and not (self._is_heading and (gap or (next_asks and is_coded))):
            self._add_options(number, options, is_coded=is_coded)
        elif self._question is not None and self._has_options and not gap and not before:
            self._add_options(number, options)
        elif next_asks:
            if self._is_heading and not before:
                self._make_heading()
            self.lines += [(number, HEAD + before)] * bool(before)
            self._begin_scale(options, is_battery=next_is_lettered)
        elif self._question is not None and not before:
            self._add_options(number, options)
        else:
            return False
        return True

    def _ends_of_scale(self, number: int, text: str) -> bool:
        """Try a line of numbers with words at both ends: the scale of the question above."""
        if not self._is_bare or self._question is None or _NUMBERED.fullmatch(text):
            return False
        words = text.replace("—", " ").replace("–", " ").split()
        codes = [word.strip(_MARKS + "()（）[]-.…_") for word in words]
        places = [place for place, code in enumerate(codes) if code.isdecimal() and len(code) < 3]
        if len(places) < 3 or places[-1] - places[0] != len(places) - 1:
            return False
        run = [codes[place] for place in places]
        if not counts_up(run):
            return False
        left, right = " ".join(words[: places[0]]), " ".join(words[places[-1] + 1 :])
        further = [right] * (right.upper() == "DK" or looks_exclusive({"": right}))
        right = "" if further else right
        options = [
            f"{run[0]} – {left}" if left else run[0],
            *run[1:-1],
            f"{run[-1]} – {right}" if right else run[-1],
            *further,
        ]
        line, question = self.lines[self._question]
        self.lines[self._question] = (line, f"{question} [rating]")
        self._add_options(number, options)
        return True

    def _wrap(self, text: str, *, gap: bool) -> bool:
        """Try to join a line with the line that it continues."""
        if gap or not self.lines or _NUMBERED.fullmatch(text) or _MARKED.match(text):
            return False
        line, before = self.lines[-1]
        bare_text = before[:999].lstrip("".join(SPECIAL))
        is_han = bool(HAN.search(bare_text))
        asked = text.endswith(("?", "？"))
        is_first = self._begin == len(self.lines) - 1 and self._question is None
        is_open = bare_text[_LONG:].endswith(",") or ("(" in bare_text.rpartition(")")[2] and ")" in text)
        if (
            (_ENDED.search(bare_text) and not is_open)
            or is_han != bool(HAN.search(text))
            or (
                len(bare_text) < (_LONG_HAN if is_han else _LONG) * (not is_open)
                and (is_han or text[-1] != "?" or not text[0].islower())
            )
        ):
            return False
        is_question = self._question == len(self.lines) - 1 and bool(
            _NUMBERED.match(bare_text) or before[0] == ASK
        )
        is_option = bool(_MARKED.match(bare_text)) and not bare_text.startswith("#")
        continues = text[0].islower() or (is_question and (is_open or asked))
        is_answer = is_yes_no([text, "no"]) or is_yes_no(["yes", text])
        if not (is_question or is_option or (is_first and asked)) or not continues or is_answer:
            return False
        if is_first and asked:
            self._question, self._has_options = len(self.lines) - 1, False
        self.lines[-1] = (line, f"{before}{'' if is_han else ' '}{text}")
        return True

    def _make_heading(self) -> None:
        """Turn the current question into a heading for the items below it."""
        if self._question is None:
            return
        line, text = self.lines[self._question]
        self.lines[self._question] = (line, HEAD + _without_number(text.lstrip(f"{ASK}# ")))
        self._question = None


def steps_in(text: str) -> list[str]:
    """Return the labels of a scale in a line: the whole line or each word; none if it is anything else."""
    return [text] if is_step(text) else text.split() if all(map(is_step, text.split())) else []


def _marks_of(cells: Sequence[str]) -> tuple[str, list[str], bool]:
    """Return an item, its marks or codes, and whether these are numbers in the same cell as the item."""
    item, *marks = cells or [""]
    item = _without_code(item)
    if len(marks) == 1:
        marks = marks[0].split()
    tail = None if marks else _TAIL.search(item)
    if tail:
        item, marks = item[: tail.start()], tail[0].split()
    is_row = len(marks) > 1 and all(map(_IS_MARK.fullmatch, marks))
    return item, marks if is_row else [], tail is not None and marks[0].isdecimal()


def _split(text: str) -> tuple[str, list[str]]:
    """Split a text at the first kind of mark that occurs twice: the text before, and that after each mark."""
    if _MAY_SPLIT.search(text) is None:
        return text, []
    for pattern in _SPLITS:
        marks = list(pattern.finditer(text))
        codes = [mark["code"] for mark in marks if "code" in mark.groupdict()]
        if len(marks) < 2 or (codes and not (_follow(codes) or (pattern is _IN_BRACKETS and _grows(codes)))):
            continue
        ends = [mark.start() for mark in marks[1:]] + [len(text)]
        rim = " \t,;，；、" + ".()（）" * (pattern is _PAIRS)
        options = [text[mark.end() : end].strip(rim) for mark, end in zip(marks, ends, strict=True)]
        before = text[: marks[0].start()].rstrip()
        if not options[-1] and not codes and "?" in before:
            # The boxes are behind their options.
            before, sign, first = before.rpartition("?")
            before, options = before + sign, [first.strip(), *options[:-1]]
        if all(options) and all(len(option) <= 2 * _MOST_LABEL for option in options):
            return before, _with_points(codes, options)
    return text, []


def _with_points(codes: Sequence[str], options: Sequence[str]) -> list[str]:
    """Return options with their codes as points, if the codes are different numbers."""
    numbers = [code.strip(_MARKS + " ") for code in codes]
    if len(set(numbers)) < len(options) or not all(map(str.isdecimal, numbers)):
        return list(options)
    labels = [option.rpartition(POINTS)[-1] for option in options]
    return [f"{int(number)}{POINTS}{label}" for number, label in zip(numbers, labels, strict=True)]


def _follow(codes: Sequence[str]) -> bool:
    if all(code.isdecimal() for code in codes):
        return counts_up(codes) or counts_up(codes[::-1])
    return [ord(code) - ord(codes[0]) for code in codes] == list(range(len(codes))) and codes[0] in "Aa①"


def _grows(codes: Sequence[str]) -> bool:
    numbers = list(map(int, codes))
    return numbers == sorted(set(numbers)) and numbers[0] < 2


def _without_code(text: str) -> str:
    """Return an item or a label without a code in brackets after it."""
    return re.sub(r" [(（]\d{1,3}[)）]$", "", text)


def counts_up(codes: Sequence[str]) -> bool:
    """Return whether codes are consecutive numbers from 0 or 1."""
    numbers = [int(code) if code.isdecimal() else -1 for code in codes]
    return numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _words(cells: Sequence[str]) -> list[str]:
    """Return the words in cells, without codes after them or in separate cells."""
    words = [cell.rstrip(" 0123456789()._…") for cell in cells]
    return [word for word in words if word]


def _without_number(text: str) -> str:
    match = _NUMBERED.fullmatch(text) or _LETTERED.fullmatch(text) or _BRACKETED.fullmatch(text)
    return match["text"] if match else text
