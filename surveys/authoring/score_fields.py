"""The table of a proposed score in the import report: its fields, and what it shows.

Its fields have the number of the point in their names. The changes of a researcher become one text,
``said-N`` (`surveys.imports.corrections.score_choices.Correction`), which is kept like the other entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.survey.composite_parts import usual_gaps
from surveys.formats.joints import join_sentences
from surveys.imports.corrections.score_choices import (
    MOST_LEVELS,
    Correction,
    Refusal,
    correct,
    is_whole,
    usable_points,
    with_lines,
    written_gaps,
    written_levels,
)
from surveys.imports.drafts.questionnaire import Note, Questionnaire, Score
from surveys.imports.drafts.score_items import AnswerSet, Item, Parts, parts_of, sums_of
from surveys.imports.scores.proposals import score_sentence
from surveys.imports.scores.reversals import POINTS_UNREAD
from surveys.imports.scores.unread_rules import RULE_UNREAD
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.use_words import quote_names

UPDATE: Final = "update"
"""Name of the buttons that show a table with its changes; their values are numbers of points."""
_FIELDS: Final = ("table", "turned", "points", "level", "from", "gaps", "most")
"""Beginnings of the names of the fields of a table."""
_MOST_NAMED: Final = 2
"""Answers up to which each is shown with its points, even on an even scale."""
_MOST_OPEN: Final = 12
"""Questions up to which the table is shown without opening anything."""


def score_of(survey: Questionnaire, note: Note) -> Score | None:
    """Return the score that a point asks about; None for other points."""
    return next((each for each in survey.scores if note.asks == "score" and each.line == note.line), None)


def with_corrections(survey: Questionnaire, answers: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a report's form with the changes in each table as one text.

    Parameters
    ----------
    survey : Questionnaire
        As the page of the form shows it.
    answers : mapping of str to str
        Without ``table-N``, the form did not contain the table of point N.
    """
    found = dict(answers)
    for number, note in enumerate(survey.notes):
        score = score_of(survey, note)
        if score is None or f"table-{number}" not in answers:
            continue
        own = {name: text for name, text in answers.items() if _is_field(name, number)}
        found = {name: text for name, text in found.items() if name not in own}
        found[f"said-{number}"] = _correction_in(survey, score, own, number).to_text()
    return found


def _is_field(name: str, number: int) -> bool:
    field, _dash, rest = name.partition("-")
    return field in _FIELDS and rest.partition("-")[0] == str(number)


def _correction_in(survey: Questionnaire, score: Score, fields: Mapping[str, str], number: int) -> Correction:
    """Return what fields change, compared with the reading."""
    parts = parts_of(survey, score)
    shown = {*fields[f"table-{number}"].split(",")}
    turned = {
        item.name: is_turned
        for item in parts.items
        if item.name in shown
        and item.can_turn
        and (is_turned := f"turned-{number}-{item.name}" in fields) != item.is_reversed
    }
    points = {}
    for row, own_set in enumerate(parts.sets):
        names = [f"points-{number}-{row}-{column}" for column in range(len(own_set.points))]
        written = [fields.get(name, "") for name in names]
        if all(name in fields for name in names) and written != [*map(str, own_set.points)]:
            points[own_set.name] = written
    levels = _levels_in(fields, number)
    gaps = (fields.get(f"gaps-{number}", ""), fields.get(f"most-{number}", ""))
    return Correction(
        turned=turned,
        points=points,
        levels=levels if levels and levels != written_levels(score) else None,
        gaps=gaps if gaps[0] and gaps != written_gaps(survey, score) else None,
    )


def _levels_in(fields: Mapping[str, str], number: int) -> list[tuple[str, str]]:
    """Return the written levels; the one in the last row, which adds a level, at the place of its start."""
    rows = [
        (fields[name].strip(), fields.get(f"from-{number}-{row}", "").strip())
        for row in range(MOST_LEVELS + 2)
        if (name := f"level-{number}-{row}") in fields
    ]
    if len(rows) > 1 and rows[-1] == ("", ""):
        return rows[:-1]
    added = rows[-1:]
    later = [
        row
        for row, (_name, start) in enumerate(rows[:-1])
        if row and is_whole(start) and is_whole(added[0][1]) and int(start) > int(added[0][1])
    ]
    place = later[0] if later else len(rows) - 1
    return [*rows[:place], *added, *rows[place:-1]]


def correct_scores(
    survey: Questionnaire, answers: Mapping[str, str], *, is_decided: bool = True
) -> dict[int, str]:
    """Correct the scores that are sent as one answer; return why some are refused, by number of the point.

    Parameters
    ----------
    survey : Questionnaire
        Its points are not settled yet.
    answers : mapping of str to str
    is_decided : bool
        Whether to leave scores unchanged that are not decided yet.
    """
    ways = ("one",) if is_decided else ("one", "")
    wrong = {}
    for number, note in enumerate(survey.notes):
        score = score_of(survey, note)
        if score is not None and answers.get(f"how-{number}", "") in ways:
            refused = correct(survey, score, Correction.from_text(answers.get(f"said-{number}", "")))
            if refused:
                wrong[number] = _said_once(refused)
    return wrong


def refused_corrections(survey: Questionnaire, answers: Mapping[str, str]) -> dict[int, str]:
    """Return why the table of the pressed button is refused, by the number of its point."""
    number = answers.get(UPDATE, "")
    found = {str(place): note for place, note in enumerate(survey.notes)}.get(number)
    score = score_of(survey, found) if found is not None else None
    if score is None:
        return {}
    refused = refusals(survey, score, answers.get(f"said-{number}", ""))
    return {int(number): _said_once(refused)} if refused else {}


def _said_once(refused: Iterable[Refusal]) -> str:
    # Several fields with the same value have one sentence; each field is marked.
    return "\n".join(dict.fromkeys(each.message for each in refused))


def moved_choice(own: Mapping[str, str], moved: Mapping[str, str]) -> dict[str, str]:
    """Return the choice about a score for another text, whose lines have other numbers."""
    text = with_lines(Correction.from_text(own.get("said", "")), moved).to_text()
    return {**own, "said": text} if "said" in own else dict(own)


@dataclass(frozen=True, kw_only=True)
class PointsOf:
    """An answer with its points."""

    text: str
    tag: str
    """Language of the text; empty for our own words."""
    points: str
    is_wrong: bool = False


@dataclass(frozen=True, kw_only=True)
class ItemRow:
    """A question in the table."""

    name: str
    text: str
    tag: str
    is_turned: bool
    can_turn: bool
    directions: tuple[Sequence[PointsOf], Sequence[PointsOf]]
    """Its answers with their points if it is not reversed, and if it is; the ends of an even scale."""
    is_cut: bool
    """Whether answers between the ends are left out."""
    joint: str
    """Stands between an answer and its points."""


@dataclass(frozen=True, kw_only=True)
class LevelRow:
    """A level in the table; the last row is empty."""

    name: str
    start: str
    wrong: frozenset[str]
    """Which of its fields are refused: ``name``, ``start``."""


def table_of(survey: Questionnaire, score: Score, said: str, *, is_refused: bool = False) -> dict[str, Any]:
    """Return what the table of a score shows.

    Parameters
    ----------
    survey : Questionnaire
        As it was read.
    score : Score
    said : str
        The text of a `Correction`.
    is_refused : bool
        Whether fields that cannot be used are marked.
    """
    correction = Correction.from_text(said)
    parts = parts_of(survey, score)
    refused = refusals(survey, score, said) if is_refused else []
    points = usable_points(parts, correction)
    sums = sums_of([parts.points_of(item, points) for item in parts.items]).sums
    levels = written_levels(score) if correction.levels is None else correction.levels
    fill, most = written_gaps(survey, score) if correction.gaps is None else correction.gaps
    rows = [
        _item_row(parts, item, points, is_turned=correction.turned.get(item.name, item.is_reversed))
        for item in parts.items
    ]
    return {
        "names": ",".join(item.name for item in parts.items),
        "rows": rows,
        "turned": sum(row.is_turned for row in rows),
        "is_long": len(rows) > _MOST_OPEN,
        "sets": list(zip(_names_of_sets(parts), _set_rows(parts, correction, refused), strict=True)),
        "are_points_wrong": any(each.part == "points" for each in refused),
        "low": sums[0],
        "high": sums[-1],
        "levels": [
            LevelRow(
                name=name, start=start, wrong=frozenset(each.part for each in refused if each.row == row)
            )
            for row, (name, start) in enumerate([*levels, ("", "")])
        ],
        "fill": fill,
        "most": most,
        "largest": len(rows) - 1,
        "is_gaps_wrong": any(each.part == "gaps" for each in refused),
        "gaps_said": _gaps_said(score, len(rows), is_changed=correction.gaps is not None),
        "unread": [
            note
            for note in survey.notes
            if note.cause in (POINTS_UNREAD, RULE_UNREAD) and survey.score_near(note.line) is score
        ],
    }


def refusals(survey: Questionnaire, score: Score, said: str) -> list[Refusal]:
    """Return why a correction of a score is refused, without changing the score."""
    copied = Questionnaire.from_json(survey.to_json())
    place = next(number for number, each in enumerate(survey.scores) if each is score)
    return correct(copied, copied.scores[place], Correction.from_text(said))


def sentence_of(survey: Questionnaire, note: Note, said: str) -> str:
    """Return the sentence of a point; one about a score states it as corrected, unless that is refused."""
    score = score_of(survey, note)
    if score is None or not said or note.message != score_sentence(survey, score, {*score.turned}):
        return note.message
    copied, correction = Questionnaire.from_json(survey.to_json()), Correction.from_text(said)
    own = copied.scores[next(number for number, each in enumerate(survey.scores) if each is score)]
    if correct(copied, own, correction):
        return note.message
    changed = {int(name): is_turned for name, is_turned in correction.turned.items() if name.isdecimal()}
    turned = {line for line in score.questions if changed.get(line, line in score.turned)}
    return score_sentence(copied, own, turned)


def _answers(
    parts: Parts, item: Item, points: Mapping[str, Sequence[int]], *, is_reversed: bool
) -> list[PointsOf]:
    """Return the answers to an item, in its order, with their points in one direction."""
    labels = _labels(parts.sets[item.set_number])
    own = parts.points_of(item, points, is_reversed=is_reversed)
    return [
        PointsOf(text=labels[place][0], tag=labels[place][1], points=str(each))
        for place, each in zip(item.order, own, strict=True)
    ]


def _labels(own_set: AnswerSet) -> list[tuple[str, str]]:
    """Return the text of each answer and its language."""
    if not own_set.labels:
        return [(_("no"), ""), (_("yes"), "")]
    return [next(((text, tag) for tag, text in texts.items()), ("", "")) for texts in own_set.labels]


def _item_row(parts: Parts, item: Item, points: Mapping[str, Sequence[int]], *, is_turned: bool) -> ItemRow:
    forward, backward = (_answers(parts, item, points, is_reversed=turned) for turned in (False, True))
    own = [int(each.points) for each in forward]
    steps = {second - first for first, second in pairwise(own)}
    is_cut = len(own) > _MOST_NAMED and len(steps) == 1 and steps <= {1, -1}
    step = len(own) - 1 if is_cut else 1
    tag, text = next(iter(item.texts.items()), ("", ""))
    return ItemRow(
        name=item.name,
        text=text,
        tag=tag,
        is_turned=is_turned,
        can_turn=item.can_turn,
        directions=(forward[::step], backward[::step]),
        is_cut=is_cut,
        joint=" = " if any(each.text[-1:].isdigit() for each in forward) else "\N{NO-BREAK SPACE}",
    )


def _set_rows(parts: Parts, correction: Correction, refused: Sequence[Refusal]) -> list[list[PointsOf]]:
    """Return the sets of answers with the points as written."""
    wrong = {(each.row, each.column) for each in refused if each.part == "points"}
    return [
        [
            PointsOf(text=text, tag=tag, points=written, is_wrong=(row, column) in wrong)
            for column, ((text, tag), written) in enumerate(
                zip(
                    _labels(own_set),
                    correction.points.get(own_set.name) or map(str, own_set.points),
                    strict=False,
                )
            )
        ]
        for row, own_set in enumerate(parts.sets)
    ]


def _names_of_sets(parts: Parts) -> list[str]:
    """Return the questions to which each set of answers belongs; empty if there is only one set."""
    if len(parts.sets) < _SEVERAL:
        return ["" for _own in parts.sets]
    return [
        quote_names([text_in(item.texts) or item.name for item in parts.items if item.set_number == number])
        for number in range(len(parts.sets))
    ]


_SEVERAL: Final = 2


def _gaps_said(score: Score, count: int, *, is_changed: bool) -> str:
    """Say whether the source states the rule for missing answers, and, if it is unchanged, the proposal."""
    if score.gaps == "whole":
        said = _("The questionnaire states another rule.") if is_changed else ""
        return said or _("The questionnaire states this rule.")
    if score.gaps == "limit":
        why = _("The questionnaire says how many answers may be missing, but not how they count.")
        return why if is_changed else join_sentences([why, _("Sottovoce proposes how.")])
    most = usual_gaps(count)
    proposed = (
        _("Sottovoce proposes that %(most)s of %(count)s answers may be missing: a fifth, rounded down.")
        if most
        else _("Sottovoce proposes that none may be missing, because there are only %(count)s questions.")
    ) % {"most": most, "count": count}
    why = (
        _("The questionnaire has a rule for missing answers that was not understood.")
        if score.gaps == "unread"
        else _("The questionnaire states no rule for missing answers.")
    )
    return why if is_changed else join_sentences([why, proposed])
