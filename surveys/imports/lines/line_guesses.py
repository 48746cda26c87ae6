"""Guess which lines of a pasted text are questions or answers, as a second, independent reading.

The reader follows rules about marks and places. This module uses none of them. It adds up facts about a
line, about those above and below it, and about all lines with a mark of the same shape. The weights were
fitted to texts whose questions are known. It uses no words. Where its guess differs from a line's role,
one of the two readings is wrong. ``python -m benchmarks.line_guesses FILE.jsonl ...`` fits the weights in
`line_guesses.tsv` again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from surveys.imports.words.marks import Mark, mark_of
from surveys.imports.words.patterns import BETWEEN_CELLS, HAN
from surveys.imports.words.question_marks import asks, holds_question

Weights = Mapping[str, tuple[float, float]]
"""By fact, its weight for the guess that a line is a question, and that it is one answer."""
BOX_SIGNS: Final = re.compile(r"[☐□○◯❏◻◽⬜❍⚪☑✓●◦▢]|\(\s{0,3}\)|\[\s{0,3}\]|（\s{0,3}）")
"""A box to tick, drawn or between brackets."""
_BOX: Final = re.compile(rf"{BOX_SIGNS.pattern}|\|_{{1,3}}\|")
_SPACE_LAST: Final = re.compile(r"[_＿.…]{3}\W{0,9}\w{0,12}$|[|_]\|\W{0,3}\w{0,12}$|\[\s{0,9}\]$|（\s{0,9}）")
_END: Final = 80
"""Characters at the end of a line that are searched for a space to write."""
_MANY, _SHORT, _USUAL, _HAN_WIDTH = 10, 20, 80, 2.5
_RUN: Final = 4
MOST: Final = 6.0
"""Largest guess in either direction."""


@dataclass(frozen=True)
class Guess:
    """How much a line looks like a question and like one answer: logarithms of odds."""

    question: float
    answer: float


@dataclass(frozen=True)
class _Line:
    """The properties of a line on its own."""

    number: int
    text: str
    mark: Mark | None
    indent: bool
    has_gap: bool
    n_boxes: int
    is_columns: bool
    is_asking: bool
    is_repeated: bool

    @property
    def shape(self) -> tuple[str, bool]:
        """The properties that lines of one list have in common."""
        return (self.mark.shape if self.mark else "", self.indent)

    @property
    def width(self) -> float:
        """The characters of its text; one of Chinese is as wide as several others."""
        return len(self.text) * (_HAN_WIDTH if HAN.search(self.text) else 1)

    @property
    def kind(self) -> str:
        """What kind of mark it has."""
        if self.mark is None or self.mark.kind == "hash":
            return "none"
        if self.mark.kind == "sign":
            return "box" if BOX_SIGNS.match(self.text) else "bullet"
        return "weak count" if self.mark.is_weak else self.mark.kind


def _is_of_kind(*kinds: str) -> Callable[[_Line, _Line], bool]:
    """Return a rule: whether a line next to another one has another mark, of these kinds."""
    return lambda line, other: other.shape != line.shape and other.kind in kinds


_KINDS: Final = ("box", "bullet", "count", "weak count", "letter")
_BESIDE: Final[Mapping[str, Callable[[_Line, _Line], bool]]] = {
    "asks": lambda _line, other: other.is_asking,
    "boxes": lambda _line, other: other.n_boxes > 1,
    "repeated": lambda _line, other: other.is_repeated,
    "no mark": _is_of_kind("none"),
    "bullet": _is_of_kind("bullet", "box", "letter"),
    "number": _is_of_kind("count", "weak count"),
    "short": lambda _line, other: len(other.text) < _SHORT,
}
"""Facts about the line above or below a line."""


def guesses_of(texts: Sequence[str], weights: Weights | None = None) -> dict[int, Guess]:
    """Return the guess about each line that is not blank, by its number.

    Parameters
    ----------
    texts : sequence of str
        All lines of a text.
    weights : mapping of str to tuple of two float, optional
        By default, those of `line_guesses.tsv`.

    Examples
    --------
    >>> found = guesses_of(["1. How often?", "- Never", "- Often", "2. Since when?", "- May", "- June"])
    >>> [number for number, guess in found.items() if guess.question > 0]
    [1, 4]
    """
    known = weights or fitted_weights()
    found = {}
    for number, facts in facts_of_texts(texts).items():
        sums = [sum(known[name][place] * value for name, value in facts.items()) for place in (0, 1)]
        found[number] = Guess(*(max(-MOST, min(MOST, each)) for each in sums))
    return found


@cache
def fitted_weights() -> Weights:
    """Return the weights of facts."""
    rows = Path(__file__).with_name("line_guesses.tsv").read_text(encoding="utf-8").splitlines()
    cells = [row.split("\t") for row in rows if not row.startswith("#")]
    return {name.strip(): (float(question), float(answer)) for name, question, answer in cells}


def facts_of_texts(texts: Sequence[str]) -> dict[int, dict[str, float]]:
    """Return the facts about each line that is not blank, by its number.

    Parameters
    ----------
    texts : sequence of str
        All lines of a text.

    Returns
    -------
    dict of int to dict of str to float
        The value of each fact, by name: 0 or 1, a share, or a length in multiples of a usual line.
    """
    lines = _lines_of(texts)
    shapes = Counter(line.shape for line in lines)
    asking = Counter(line.shape for line in lines if line.is_asking)
    n_asking = sum(asking.values())
    share = min(1, n_asking / max(3, len(lines) / 4))
    runs, ahead = _runs(lines), [*reversed(_runs([*reversed(lines)], is_reversed=True))]
    found: dict[int, dict[str, float]] = {}
    for place, line in enumerate(lines):
        above = lines[place - 1] if place and not line.has_gap else None
        below = lines[place + 1] if place + 1 < len(lines) and not lines[place + 1].has_gap else None
        begins = below is not None and below.shape != line.shape and below.kind != "none"
        facts = _facts_of_line(line) | {
            "first": place == 0,
            "last": place == len(lines) - 1,
            "gap above": line.has_gap,
            "gap below": below is None,
            "repeated": line.is_repeated,
            "share of asking lines": share,
            "no line asks": n_asking == 0,
            "same shape": min(1, shapes[line.shape] / _MANY),
            "only one of its shape": shapes[line.shape] == 1,
            "same shape asks": asking[line.shape] / shapes[line.shape],
            "run above": min(1, runs[place] / _RUN),
            "run below": min(1, ahead[place] / _RUN),
            "numbered list begins below": line.kind == "count" and begins,
            "numbered, no line asks": line.kind == "count" and n_asking == 0,
        }
        facts |= {f"mark {kind}": line.kind == kind for kind in _KINDS}
        for side, other in (("above", above), ("below", below)):
            facts |= {
                f"{side} {name}": other is not None and holds(line, other) for name, holds in _BESIDE.items()
            }
        found[line.number] = {name: float(value) for name, value in facts.items()}
    return found


def _facts_of_line(line: _Line) -> dict[str, float]:
    """Return the facts about a line that need no other line; the first is true of each."""
    return {
        "": 1,
        "question mark": holds_question(line.text),
        "ends with question mark": line.is_asking,
        "length": min(1.5, line.width / _USUAL),
        "short": line.width < _SHORT,
        "digit last": line.text[-1].isdecimal(),
        "colon last": line.text[-1] in ":：",
        "small letter": line.text[0].islower(),
        "space last": _SPACE_LAST.search(line.text[-_END:]) is not None,
        "box": line.n_boxes > 0,
        "boxes": line.n_boxes > 1,
        "columns": line.is_columns,
        "indent": line.indent,
    }


def _lines_of(texts: Sequence[str]) -> list[_Line]:
    found: list[_Line] = []
    last = 0
    plain = [" ".join(raw.split()) for raw in texts]
    counts = Counter(plain)
    for number, (raw, text) in enumerate(zip(texts, plain, strict=True), start=1):
        if not text:
            continue
        found.append(
            _Line(
                number=number,
                text=text,
                mark=mark_of(text)[0],
                indent=raw[0].isspace(),
                has_gap=bool(found) and number > last + 1,
                n_boxes=len(_BOX.findall(text)),
                is_columns=text.count("|") > 2 or len(BETWEEN_CELLS.split(raw.strip())) > 2,
                is_asking=asks(text),
                is_repeated=counts[text] > 1,
            )
        )
        last = number
    return found


def _runs(lines: Sequence[_Line], *, is_reversed: bool = False) -> list[int]:
    """Return how many lines of the same shape directly precede each line, in the order of the lines."""
    runs: list[int] = []
    for place, line in enumerate(lines):
        before = lines[place - 1] if place else None
        is_apart = before is None or (before.has_gap if is_reversed else line.has_gap)
        runs.append(0 if is_apart or before is None or before.shape != line.shape else runs[-1] + 1)
    return runs
