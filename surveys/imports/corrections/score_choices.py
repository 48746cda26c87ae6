"""What a researcher can correct of a proposed score: directions, points, levels, and missing answers."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.survey.component import MOST_POINTS
from privacy.survey.reachable_sums import ReachableSums
from surveys.imports.drafts.questionnaire import Questionnaire, Score
from surveys.imports.drafts.score_items import (
    MEAN,
    NO_POINTS,
    Parts,
    missing_rule,
    parts_of,
    sums_of,
    write_points,
)
from surveys.imports.scores.gap_rules import GAPS_UNREAD

NO_GAP: Final = "none"
"""The rule for missing answers by which none may be missing, as written in a field."""
MOST_LEVELS: Final = 30
LONGEST_NAME: Final = 200
_WHOLE: Final = re.compile(r"[-+]?\d{1,18}")
_LEAST_LEVELS: Final = 2


@dataclass(frozen=True, kw_only=True)
class Correction:
    """Changes of a researcher to a proposed score, as written.

    Parameters
    ----------
    turned : dict of str to bool
        By name of an item, whether it is reversed; others are as read.
    points : dict of str to list of str
        By name of a set of answers, its points.
    levels : list of (str, str) or None
        Name and start of each level; None as read.
    gaps : (str, str) or None
        One of `NO_GAP`, `MEAN` and `NO_POINTS`, and how many answers may be missing; None as read.
    """

    turned: Mapping[str, bool] = field(default_factory=dict)
    points: Mapping[str, Sequence[str]] = field(default_factory=dict)
    levels: Sequence[tuple[str, str]] | None = None
    gaps: tuple[str, str] | None = None

    def to_text(self) -> str:
        """Return the changes as JSON; empty without any.

        Examples
        --------
        >>> Correction().to_text(), Correction(turned={"4": True}).to_text()
        ('', '{"turned": {"4": true}}')
        """
        members = {
            "turned": dict(self.turned),
            "points": dict(self.points),
            "levels": self.levels,
            "gaps": self.gaps,
        }
        stated = {name: value for name, value in members.items() if value not in ({}, None)}
        return json.dumps(stated, ensure_ascii=False) if stated else ""

    @classmethod
    def from_text(cls, text: str) -> Correction:
        """Return the changes that `to_text` wrote; members that it could not have written are ignored.

        Examples
        --------
        >>> Correction.from_text('{"levels": [["low", ""], ["high", "x"]], "gaps": 7}').levels
        [('low', ''), ('high', 'x')]
        """
        try:
            read = json.loads(text or "{}")
        except (ValueError, RecursionError):
            read = {}
        read = read if isinstance(read, dict) else {}
        turned, points, levels, gaps = (read.get(name) for name in ("turned", "points", "levels", "gaps"))
        return cls(
            turned={name: own for name, own in turned.items() if isinstance(own, bool)}
            if isinstance(turned, dict)
            else {},
            points={name: own for name, own in points.items() if _are_texts(own)}
            if isinstance(points, dict)
            else {},
            levels=[(name, start) for name, start in levels[: MOST_LEVELS + 1]]
            if isinstance(levels, list) and all(_are_texts(each, 2) for each in levels)
            else None,
            gaps=(gaps[0], gaps[1]) if isinstance(gaps, list) and _are_texts(gaps, 2) else None,
        )


def _are_texts(value: Any, count: int = 0) -> bool:
    return (
        isinstance(value, list)
        and all(isinstance(each, str) for each in value)
        and (not count or len(value) == count)
    )


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A field of a correction that cannot be used.

    Parameters
    ----------
    part : str
        ``points``, ``name``, ``start`` or ``gaps``.
    row, column : int
        Number of the set of answers and the answer, or of the level.
    message : str
        What is wrong, with the value, and the remedy.
    """

    part: str
    row: int = 0
    column: int = 0
    message: str


def written_levels(score: Score) -> list[tuple[str, str]]:
    """Return the name and start of each level as written in fields; the first has no start.

    Examples
    --------
    >>> written_levels(Score(line=1, questions=[], levels=[(None, ""), (10, "")]))
    [('no', ''), ('yes', '10')]
    """
    is_bare = [label for _start, label in score.levels] == ["", ""]
    labels = [_("no"), _("yes")] if is_bare else [label for _start, label in score.levels]
    starts = ["" if start is None else str(start) for start, _label in score.levels]
    return [*zip(labels, starts, strict=True)]


def written_gaps(survey: Questionnaire, score: Score) -> tuple[str, str]:
    """Return the rule for missing answers as written in fields: how they count, and how many there may be."""
    rule = missing_rule(survey, score)
    return (rule["as"] if rule["at_most"] else NO_GAP, str(rule["at_most"] or ""))


def correct(survey: Questionnaire, score: Score, correction: Correction) -> list[Refusal]:
    """Correct a score as a researcher wrote; if any field is refused, nothing changes.

    Parameters
    ----------
    survey : Questionnaire
    score : Score
        One of its scores.
    correction : Correction

    Returns
    -------
    list of Refusal
        Empty if all fields can be used.
    """
    parts = parts_of(survey, score)
    points, refused = _read_points(parts, correction)
    own = [
        parts.points_of(item, points, is_reversed=correction.turned.get(item.name)) for item in parts.items
    ]
    written = [
        (_number_text(name), _number_text(start))
        for name, start in correction.levels or written_levels(score)
    ]
    levels, wrong_levels = _read_levels(written)
    if not wrong_levels and not refused:
        wrong_levels = _check_levels(written, levels, sums_of(own))
    gaps, wrong_gaps = _read_gaps(survey, score, correction, len(parts.items))
    refused += [*wrong_levels, *wrong_gaps]
    if refused:
        return refused
    is_bare = [label for _start, label in levels] == [_("no"), _("yes")]
    score.levels = [(start, "" if is_bare else label) for start, label in levels]
    for item, new in zip(parts.items, own, strict=True):
        write_points(survey, score, item, new)
    score.rule = {**score.rule, "missing": gaps}
    # The researcher has chosen the rule that the text states in words that were not understood.
    survey.notes = [
        note
        for note in survey.notes
        if note.cause != GAPS_UNREAD or survey.score_near(note.line) is not score
    ]
    return []


def is_whole(text: str) -> bool:
    """Return whether a text is a whole number of at most 18 digits.

    >>> [is_whole(text) for text in ("12", "-3", "2.5", "9" * 19)]
    [True, True, False, False]
    """
    return _WHOLE.fullmatch(text) is not None


def _number_text(text: str) -> str:
    """Return a written number with plain digits and signs.

    >>> _number_text(" −１２ ")
    '-12'
    """
    return unicodedata.normalize("NFKC", text).replace("−", "-").replace("–", "-").strip()


def usable_points(parts: Parts, correction: Correction) -> dict[str, list[int]]:
    """Return the corrected points by set of answers, without those that are refused."""
    return _read_points(parts, correction)[0]


def _read_points(parts: Parts, correction: Correction) -> tuple[dict[str, list[int]], list[Refusal]]:
    """Return the corrected points by set of answers, and why some are refused."""
    found: dict[str, list[int]] = {}
    refused: list[Refusal] = []
    for row, own_set in enumerate(parts.sets):
        written = [_number_text(text) for text in correction.points.get(own_set.name, ())]
        if len(written) != len(own_set.points):
            continue
        wrong = [
            Refusal(
                part="points",
                row=row,
                column=column,
                message=(
                    _(
                        "“%(value)s” cannot be the points of an answer. Write a whole number from %(low)s to "
                        "%(high)s."
                    )
                    if text
                    else _("An answer has no points. Write a whole number from %(low)s to %(high)s.")
                )
                % {"value": text, "low": -MOST_POINTS, "high": MOST_POINTS},
            )
            for column, text in enumerate(written)
            if not is_whole(text) or abs(int(text)) > MOST_POINTS
        ]
        if not wrong and own_set.are_ticks and int(written[0]):
            said = _("An answer that is not ticked scores nothing. Write 0.")
            wrong = [Refusal(part="points", row=row, message=said)]
        if not wrong and len({*map(int, written)}) == 1 and len({*own_set.points}) > 1:
            wrong = [
                Refusal(
                    part="points",
                    row=row,
                    message=_(
                        "All answers have %(value)s points. Give at least two of them different points."
                    )
                    % {"value": written[0]},
                )
            ]
        refused += wrong
        if not wrong:
            found[own_set.name] = [*map(int, written)]
    return found, refused


def _read_levels(
    written: Sequence[tuple[str, str]],
) -> tuple[list[tuple[int | None, str]], list[Refusal]]:
    """Return the levels that are not empty, and why some are refused."""
    levels: list[tuple[int | None, str]] = []
    refused: list[Refusal] = []
    for row, (name, start) in enumerate(written):
        values = {"level": name, "start": start, "number": row + 1}
        if row and not name and not start:
            continue
        if not name:
            said = (
                _("The level from %(start)s has no name. Write one, or empty its start to remove the level.")
                if row
                else _("The first level has no name. Write one.")
            )
            refused.append(Refusal(part="name", row=row, message=said % values))
        elif len(name) > LONGEST_NAME:
            said = _("The name of level %(number)s has %(length)s characters. Write at most %(most)s.")
            values |= {"length": len(name), "most": LONGEST_NAME}
            refused.append(Refusal(part="name", row=row, message=said % values))
        elif row and not start:
            said = _(
                "“%(level)s” has no start. Write the least sum that belongs to it, or empty its name to "
                "remove the level."
            )
            refused.append(Refusal(part="start", row=row, message=said % values))
        elif row and not is_whole(start):
            said = _("“%(level)s” starts at “%(start)s”. Write a whole number in digits, such as 12.")
            refused.append(Refusal(part="start", row=row, message=said % values))
        else:
            levels.append((int(start) if row else None, name))
    if not refused and len(levels) < _LEAST_LEVELS:
        said = _("Only “%(level)s” is left. Write at least two levels, or send each answer.")
        refused.append(Refusal(part="name", row=1, message=said % {"level": levels[0][1]}))
    if not refused and len(levels) > MOST_LEVELS:
        said = _("There are %(count)s levels. Write at most %(most)s.")
        values = {"count": len(levels), "most": MOST_LEVELS}
        refused.append(Refusal(part="name", row=MOST_LEVELS, message=said % values))
    return levels, refused


def _check_levels(
    written: Sequence[tuple[str, str]], levels: Sequence[tuple[int | None, str]], sums: ReachableSums
) -> list[Refusal]:
    """Return why levels are refused: they must ascend, differ in name, and contain possible sums."""
    rows = [row for row, (name, start) in enumerate(written) if not row or name or start]
    refused = []
    before: int | None = None
    for place, row in enumerate(rows):
        start, name = levels[place]
        last = levels[place - 1][1] if place else ""
        after = levels[place + 1][0] if place + 1 < len(levels) else None
        part, said = "start", ""
        if start is not None and not sums.sums[0] < start <= sums.sums[-1]:
            said = _(
                "“%(level)s” starts at %(start)s, but the points add up to %(low)s to %(high)s. Write a sum "
                "from %(least)s to %(high)s, or correct the points."
            )
        elif start is not None and before is not None and start <= before:
            # The level above, whose start can be used.
            last = next(own for above, own in reversed(levels[:place]) if above == before)
            said = _(
                "“%(level)s” starts at %(start)s, but “%(before)s” above it starts at %(last)s. Levels must "
                "ascend: write a sum above %(last)s, or change the order."
            )
        elif place and name.casefold() == last.casefold():
            said = _("Two levels in a row are called “%(level)s”. Rename one, or empty a row to remove it.")
            part = "name"
        elif _is_empty(sums, start, after):
            said = _(
                "No answers lead to “%(level)s”: no sum of these points is in it. Change where it or the "
                "next level starts."
            )
        values = {"level": name, "start": start, "low": sums.sums[0], "high": sums.sums[-1]}
        values |= {"before": last, "last": before, "least": sums.sums[0] + 1}
        refused += [Refusal(part=part, row=row, message=said % values)] if said else []
        before = before if said else start
    return refused


def _is_empty(sums: ReachableSums, start: int | None, after: int | None) -> bool:
    """Return whether no answers lead to a level; if the next one starts before it, that one is wrong."""
    is_below = start is not None and after is not None and after <= start
    return not is_below and not sums.between(start, after)


def _read_gaps(
    survey: Questionnaire, score: Score, correction: Correction, count: int
) -> tuple[dict[str, Any], list[Refusal]]:
    """Return the rule for missing answers, and why it is refused."""
    fill, written = correction.gaps or ("", "")
    if fill not in (NO_GAP, MEAN, NO_POINTS):
        return missing_rule(survey, score), []
    if fill == NO_GAP:
        return {"at_most": 0, "as": MEAN}, []
    most = _number_text(written)
    if not is_whole(most) or not 0 < int(most) < count:
        said = (
            _(
                "“%(value)s” is not a possible number of missing answers. Write a whole number "
                "from 1 to %(most)s: of %(count)s answers, at least one is needed."
            )
            if most
            else _(
                "Write how many answers may be missing, from 1 to %(most)s, or choose that none may be "
                "missing."
            )
        )
        return {}, [Refusal(part="gaps", message=said % {"value": most, "count": count, "most": count - 1})]
    return {"at_most": int(most), "as": fill}, []


def with_lines(correction: Correction, moved: Mapping[str, str]) -> Correction:
    """Return a correction for another text, whose lines have other numbers; deleted lines are left out."""
    turned = {moved[name]: own for name, own in correction.turned.items() if name in moved}
    return Correction(turned=turned, points=correction.points, levels=correction.levels, gaps=correction.gaps)
