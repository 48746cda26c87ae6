"""Store the choices of an import report with its text, and repeat them when the draft is made again.

They are stored as a document with ``survey``, the questionnaire of the report; ``titles``,
``roles``, ``changed`` and ``conditions`` as in `surveys.authoring.imported_draft.Origin`; and ``decided``,
the chosen option for each point, by its line and kind, such as ``{"37 skip": {"how": "leave"}}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import takewhile
from typing import Any, Final

from surveys.authoring.accounted_lines import source_lines
from surveys.authoring.imported_draft import Origin
from surveys.authoring.report_titles import set_titles
from surveys.authoring.score_fields import moved_choice
from surveys.imports.corrections.condition_choices import EVERYONE, apply_choices, drop_broken
from surveys.imports.corrections.question_changes import carry_changes
from surveys.imports.drafts.protection import is_decision, protect_question, store_question
from surveys.imports.drafts.questionnaire import Questionnaire
from surveys.imports.pasted_text import read_paste
from surveys.models import DraftRevision

_FIELDS: Final = ("how", "said")

Decisions = dict[str, dict[str, str]]


def decisions_in(survey: Questionnaire, answers: Mapping[str, str], *, asks: str = "") -> Decisions:
    """Return the chosen options of points by line and kind, or of one kind, from a report's form."""
    found: Decisions = {}
    for number, note in enumerate(survey.notes):
        own = {name: answers[f"{name}-{number}"] for name in _FIELDS if f"{name}-{number}" in answers}
        if note.asks and own and asks in ("", note.asks):
            found[f"{note.line} {note.asks}"] = own
    return found


def decided_scores(survey: Questionnaire, decided: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return the fields of a report's form about scores that were decided before.

    A score may be missing in one reading of a text, and exist again in the next one.
    """
    return {
        f"{name}-{number}": chosen
        for number, note in enumerate(survey.notes)
        if note.asks == "score"
        for name, chosen in decided.get(f"{note.line} score", {}).items()
    }


def choices_document(survey: Questionnaire, origin: Origin) -> dict[str, Any]:
    """Return the choices of a report as plain data.

    Parameters
    ----------
    survey : Questionnaire
        A questionnaire without open points.
    origin : Origin
    """
    protected = {str(each.line) for each in survey.questions if each.is_protected}
    return {
        "survey": survey.to_json(),
        "titles": dict(origin.titles),
        "roles": dict(origin.roles),
        "changed": dict(origin.changed),
        "conditions": dict(origin.conditions),
        # Researchers who kept a skip may have protected its question afterwards.
        "decided": {
            name: own
            for name, own in origin.decided.items()
            if not (name.endswith(" skip") and own.get("how") == "keep" and name.split()[0] in protected)
        },
    }


def read_with_choices(
    text: str, languages: tuple[str, ...], former: Mapping[str, Any], former_text: str, origin: Origin
) -> tuple[Questionnaire, Origin, dict[str, str]]:
    """Read a text, and repeat the choices of a former text for the lines that both contain.

    Parameters
    ----------
    text : str
    languages : tuple of str
        Chosen languages; empty if the text states its languages.
    former : mapping
        The choices for the former text, as from `choices_document`.
    former_text : str
    origin : Origin
        Of the new draft.

    Returns
    -------
    tuple of (Questionnaire, Origin, dict)
        The reading, the origin with the choices, and the fields of the report's form.
    """
    new_lines = matching_lines(former_text, text)

    def moved(line: str) -> str:
        return new_lines.get(line, "")

    roles = {moved(line): role for line, role in former["roles"].items() if moved(line)}
    changed = {moved(line): first for line, first in former["changed"].items() if moved(line)}
    conditions = {}
    for line, choice in former["conditions"].items():
        decider, colon, positions = choice.partition(":")
        if moved(line) and (choice == EVERYONE or moved(decider)):
            conditions[moved(line)] = choice if choice == EVERYONE else moved(decider) + colon + positions
    before = Questionnaire.from_json(former["survey"])
    for part in before.parts:
        for question in part.questions:
            # Deleted lines get a number that no line has.
            question.line = int(moved(str(question.line)) or -question.line)
    again = read_paste(text, languages, {int(line): role for line, role in roles.items()})
    # Versions before the field of the title stored none.
    titles = former.get("titles", {})
    set_titles(again, titles)
    carry_changes(before, again, {int(line): first for line, first in changed.items()})
    apply_choices(before, again, conditions)
    drop_broken(again)
    decided = {}
    for name, own in former["decided"].items():
        line, asks = name.split()
        if line == "0" or moved(line):
            decided[f"{moved(line) or line} {asks}"] = (
                moved_choice(own, new_lines) if asks == "score" else own
            )
    known = {question.line: question for question in before.questions if question.is_asked}
    for question in again.questions:
        old = known.get(question.line)
        if (
            old is not None
            and question.is_asked
            # If the skip is kept, its option already decides the protection.
            and decided.get(f"{question.line} skip", {}).get("how") != "keep"
            and is_decision(old, question)
        ):
            (protect_question if old.is_protected else store_question)(again, question)
    fields = {
        f"{name}-{number}": chosen
        for number, note in enumerate(again.notes)
        for name, chosen in decided.get(f"{note.line} {note.asks}", {}).items()
    }
    kept = replace(
        origin, titles=titles, roles=roles, changed=changed, conditions=conditions, decided=decided
    )
    return again, kept, fields


def settled_places(text: str, former: DraftRevision) -> tuple[set[str], set[int]]:
    """Return the places of a text that were settled in the report of an earlier one, and its unchanged lines.

    Parameters
    ----------
    text : str
    former : DraftRevision
        A save with its text and the choices in its report.

    Returns
    -------
    tuple of (set of str, set of int)
        Each place as in ``decided``, such as ``"37 skip"``; and the numbers of lines that are in both texts.
    """
    new_lines = matching_lines(former.pasted, text)
    places = [name.split() for name in (former.choices or {}).get("decided", ())]
    settled = {
        f"{new_lines.get(line, line)} {asks}" for line, asks in places if line == "0" or line in new_lines
    }
    return settled, {*map(int, new_lines.values())}


def matching_lines(before: str, after: str) -> dict[str, str]:
    """Return the number of each line of a text in another one, if the line is in both in the same order.

    >>> matching_lines("a\\nb\\nc", "b\\nx\\nc")
    {'2': '1', '3': '3'}
    """
    old, new = ([line.strip() for line in source_lines(text)] for text in (before, after))
    # Frequent lines, such as answers, only extend matches of others, so the time is not quadratic.
    pairs = zip(old, new, strict=False)
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    blocks = [(0, 0, same)]
    for start, new_start, length in SequenceMatcher(None, old[same:], new[same:]).get_matching_blocks():
        blocks.append((same + start, same + new_start, length))
    return {
        str(start + step + 1): str(new_start + step + 1)
        for start, new_start, length in blocks
        for step in range(length)
    }
