"""Scoring rules on the line of a legend or title: *0 = no, 1 = yes. 2 or more: risk*, *Mood (≥ 5: case)*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from surveys.imports.lines.source_lines import HEADING, SCORING, TITLE, SourceLine
from surveys.imports.scores.level_rows import states_level
from surveys.imports.scores.rule_texts import is_scoring
from surveys.imports.scores.score_levels import levels_in
from surveys.imports.words.cues import REVERSED
from surveys.imports.words.legends import legend_of

_END: Final = re.compile(r"(?:(?<=[^\W\d])|(?<=[)）]))\.\s|。\s?")
"""The end of a statement whose last word is no number."""
_BRACKET: Final = re.compile(r"[(（](?P<said>[^()（）]{4,90})[)）]")
_PART: Final = re.compile(r"[;；,，]\s?")
_LONGEST: Final = 400


def rule_behind(text: str) -> str:
    """Return the scoring rule behind the legend of a line; empty if there is none.

    Examples
    --------
    >>> rule_behind("Scale: 0 = no, 1 = somewhat, 2 = yes. 2 or more: risk"), rule_behind("0 = no, 1 = yes.")
    ('2 or more: risk', '')
    """
    for match in _END.finditer(text) if len(text) <= _LONGEST else ():
        rest = text[match.end() :]
        if REVERSED.search(rest) or not levels_in(rest) or not (states_level(rest) or is_scoring(rest)):
            # What a line says about single items belongs to its legend.
            continue
        head = text[: match.start()]
        legend, whole = legend_of(head), legend_of(text)
        if legend is None or len(legend.points) < 2 or is_scoring(head):
            return ""
        # Without a word about scores, it may be a further answer: "0 = no. 1 = once. 2 or more = often".
        is_other = "=" in head and "=" not in rest
        is_rule = is_scoring(rest) or is_other or whole is None or len(whole.points) <= len(legend.points)
        return rest if is_rule else ""
    return ""


def cut_rules(lines: Iterable[SourceLine]) -> None:
    """Cut the scoring rules behind legends from their lines, so that they are no part of the last answer.

    Parameters
    ----------
    lines : iterable of SourceLine
        Lines without roles; a rule that is cut becomes the `rule` of its line.
    """
    for line in lines:
        rest = rule_behind(line.text)
        if rest and line.raw.rstrip().endswith(rest) and line.body.endswith(rest):
            line.rule = rest
            line.raw = line.raw.rstrip().removesuffix(rest).rstrip()
            line.text, line.body = (each.removesuffix(rest).rstrip() for each in (line.text, line.body))


def with_shared_rules(lines: Sequence[SourceLine]) -> list[SourceLine]:
    """Return lines with those of the scoring rules that were cut, and in brackets behind titles."""
    found = []
    for line in lines:
        said = line.rule
        if line.role in (TITLE, HEADING) and (bracket := _BRACKET.search(line.text)):
            said = said or next(filter(states_level, _PART.split(bracket["said"])), "")
        found += [line, replace(line, role=SCORING, text=said, raw=said)] if said else [line]
    return found
