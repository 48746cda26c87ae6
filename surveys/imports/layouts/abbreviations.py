"""Abbreviated answers behind items, or below them, and the line that writes them out: *SA A N D SD*."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from surveys.imports.layouts.legend_lists import state_points
from surveys.imports.words.legend_labels import EDGES
from surveys.imports.words.legends import legend_of
from surveys.imports.words.patterns import LETTER
from surveys.imports.words.question_marks import asks
from surveys.imports.words.runs import repeats

_MOST_SIGNS: Final = 3
_FEWEST, _MOST = 3, 9
"""Abbreviations that stand together."""
_MOST_RUNS: Final = 20
"""Runs that are looked for in other lines; each line ends with at most seven."""
_LONGEST: Final = 60
_FEW_WORDS: Final = 3
"""Words of a name in front of abbreviations: *Key to the answers*."""
_BETWEEN_KEYS: Final = re.compile(r"[\s/|,;]+")
_DIGIT: Final = re.compile(r"\d")
_SENTENCE_END: Final = re.compile(r"[.。](?:\s|$)")

_Run = tuple[str, ...]


def write_out(lines: Sequence[str]) -> list[str]:
    """Write answers in full, each after a box, where at least two lines end with the same abbreviations.

    Another line writes out each of them, in the same or the opposite order.

    Parameters
    ----------
    lines : sequence of str
        Of the line that writes them out, only a question or a sentence in front of them is kept.

    Examples
    --------
    >>> write_out(["I lie. ++ o --", "I hide. ++ o --", "++ = yes; o = partly; -- = no"])
    ['I lie.    ○ yes   ○ partly   ○ no', 'I hide.    ○ yes   ○ partly   ○ no', '']
    >>> write_out(["Key: T true, D not sure, F false", "I lie.", "T D F", "I hide.", "T D F"])[2]
    '○ true   ○ not sure   ○ false'
    """
    found = [*lines]
    ends = [*map(_ends_of, found)]
    counts = Counter(run for runs in ends for run in runs)
    likely = [run for run, count in counts.most_common(_MOST_RUNS) if count > 1]
    for run in sorted(likely, key=len, reverse=True):
        places = [at for at, runs in enumerate(ends) if run in runs]
        labels, legend = _legend_in(found, run, places)
        # A rule with points for the abbreviations needs the line that explains them.
        if not labels or state_points(found, run):
            continue
        points = _points_in([text for at, text in enumerate(found) if at not in (*places, legend)], run)
        marks = [f"({point})" for point in points] or ["○"] * len(run)
        answers = "   ".join(f"{mark} {label}" for mark, label in zip(marks, labels, strict=True))
        for at in places:
            item = _without(found[at], run)
            found[at] = f"{item}    {answers}" if item.strip() else answers
        found[legend] = _asked_before(lines[legend], run)
        break
    return found


def _asked_before(text: str, run: _Run) -> str:
    """Return the question or sentence in front of the abbreviations of a line; empty without one.

    >>> _asked_before("Do you agree? (D = no, A = yes)", ("D", "A")), _asked_before("Key: A = yes", ("A",))
    ('Do you agree?', '')
    """
    first = re.search(
        rf"(?<![^\s(（\[,;:：；，])(?:{'|'.join(map(re.escape, run))})(?![^\s)）\]=＝:：.])", text
    )
    before = text[: first.start()].rstrip(" \t(（[") if first else ""
    return before if len(before.split()) > _FEW_WORDS or asks(before) else ""


def _ends_of(text: str) -> set[_Run]:
    """Return the runs of different short words and signs with which a line ends.

    A sign that recurs in the line is a box: *( ) Yes ( ) No*.
    """
    tokens = [token for token in _BETWEEN_KEYS.split(text[-_LONGEST:].strip()) if token]
    boxes = {sign for sign, count in Counter(tokens).items() if count > 1 and not LETTER.search(sign)}
    found = set()
    for count in range(_FEWEST, min(_MOST, len(tokens)) + 1):
        run = (*tokens[-count:],)
        if (
            len({*run}) < count
            or boxes & {*run}
            or any(len(token) > _MOST_SIGNS or _DIGIT.search(token) for token in run)
        ):
            break
        # French has a blank in front of its question mark: *Seul ? oui non*.
        found |= set() if run[0] in "?？:：!" else {run}
    return found


def _without(text: str, run: _Run) -> str:
    """Return a line without the abbreviations at its end."""
    for token in reversed(run):
        text = text.rstrip(" \t/|,;").removesuffix(token)
    return text.rstrip(" \t/|,;")


def _legend_in(lines: Sequence[str], run: _Run, places: Sequence[int]) -> tuple[_Run, int]:
    """Return what another line says about each abbreviation, and its place; nothing if none says it."""
    for at, text in enumerate(lines):
        if at in places:
            continue
        legend = legend_of(text)
        if legend and {*legend.keys} == {*run}:
            said = dict(zip(legend.keys, legend.labels, strict=True))
            return tuple(said[token] for token in run), at
        for order in (run, run[::-1]):
            labels = _labels_in(text, order)
            if labels:
                return labels if order is run else labels[::-1], at
    return (), 0


def _points_in(lines: Sequence[str], run: _Run) -> list[str]:
    """Return the points that a line states for each abbreviation: *SA = 3, A = 2*; empty if none does."""
    for text in lines:
        stated = [
            re.search(rf"(?<!\w){re.escape(token)}\s?[=＝:：]\s?(\d{{1,2}})(?!\d)", text) for token in run
        ]
        if all(stated):
            return [match[1] for match in stated if match]
    return []


def _labels_in(text: str, run: _Run) -> _Run:
    """Return the words behind each abbreviation of a text; empty unless each has some, in this order."""
    places, end = [], 0
    for token in run:
        own = re.compile(rf"(?<![^\s(（\[,;:；，]){re.escape(token)}(?![^\s)）\]=＝:：.])").search(text, end)
        if own is None:
            return ()
        places.append((own.start(), end := own.end()))
    cuts = [(here[1], after[0]) for here, after in pairwise([*places, (len(text), len(text))])]
    pieces = [text[start:stop] for start, stop in cuts]
    pieces[-1] = _SENTENCE_END.split(pieces[-1])[0]
    labels = tuple(piece.strip(EDGES) for piece in pieces)
    are_words = all(LETTER.search(label) and 1 < len(label) <= _LONGEST for label in labels)
    return labels if are_words and not repeats(labels) else ()
