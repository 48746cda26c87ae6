"""Other forms of a draft's questions that cost less of its protection: fewer answers, fewer questions."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from privacy.coins import SCALE
from privacy.planning.each_form import EACH_FORM
from privacy.planning.form_aims import goal_merged, goal_of_yes_no, goal_without
from privacy.planning.forms import NUMBER_LEVELS, FormChange, forms_of_design, merged_key
from privacy.planning.plan import free_key
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.composites import open_references
from surveys.questionnaire.document import MOST_CHARACTERS
from surveys.questionnaire.exclusive_wordings import MERGED, means_no_answer
from surveys.questionnaire.multi_conversion import converted
from surveys.questionnaire.multi_drafts import MULTI
from surveys.questionnaire.one_answer import AT_LEAST, with_one_answer
from surveys.questionnaire.open_filter import OPEN_FILTER, with_open_filter
from surveys.questionnaire.order_changes import asked_after
from surveys.questionnaire.sensitive import OF_A_COIN, names_in, relaxed_document, starting_disguise
from surveys.questionnaire.stated_kinds import kind_of
from surveys.questionnaire.stems import STEMS, stem_key, stem_name, stem_text
from surveys.questionnaire.union_forms import component_stems, with_each_form
from surveys.questionnaire.yes_no_answers import yes_or_no

_OF_DISGUISE: Final = ("unrelated", "prevalence")

_RANGE: Final = re.compile(r"([0-9]+)–([0-9]+)(.*)")
"""The text of a level of a number: its ends, and its unit."""


Changed = tuple[dict[str, Any], Aim]
"""A document and its aim."""


def with_forms(document: dict[str, Any], design: Design, aim: Aim, changes: Sequence[FormChange]) -> Changed:
    """Apply changes one after another; those that a draft no longer allows are left out.

    Parameters
    ----------
    document : dict
        The draft's document, which can be read.
    design : Design
        Its design. Ranges of numbers do not change by other changes.
    aim : Aim
        Its stars follow the questions.
    changes : sequence of FormChange
    """
    for change in changes:
        apply = _DOCUMENT_CHANGES.get(change.kind)
        found = apply and _entry_of(document, change.key, is_list=change.kind == "one_answer")
        if apply and found:
            document, aim = apply(document, design, aim, found, change) or (document, aim)
    return document, aim


def possible_forms(
    document: Mapping[str, Any], design: Design, aim: Aim, *, complete: Collection[str] = ()
) -> Iterator[FormChange]:
    """Yield the changes that can be proposed for the protected questions of a draft.

    Parameters
    ----------
    document, design, aim
        As for `with_forms`.
    complete : collection of str, optional
        Lists that were a choice; see `privacy.planning.forms.forms_of_design`.
    """
    pairs = [(entry, question) for entry in document["blocks"] for question in entry["questions"]]
    yield from forms_of_design(
        design,
        aim,
        stems=stems_of(document),
        named=[question["key"] for entry, question in pairs if _is_referred(document, entry, question)],
        complete=complete,
        apart=[
            f"{question['key']}={option['key']}"
            for _entry, question in pairs
            for option in question.get("options") or ()
            if means_no_answer(option.get("text") or {})
        ],
        opposed=[
            frozenset(f"{question['key']}={option['key']}" for option in pair)
            for _entry, question in pairs
            for pair in itertools.pairwise(question.get("options") or ())
            if {yes_or_no(option.get("text") or {}) for option in pair} == {"yes", "no"}
        ],
    )


def stems_of(document: Mapping[str, Any]) -> dict[str, str]:
    """Return, by question, the key of the list of which it is a line; empty if it is in no list.

    Components are included, if they were asked under a list or a heading.
    """
    lines = {each["key"]: stem_key(each) for entry in document["blocks"] for each in entry["questions"]}
    return component_stems(document) | lines


def _is_referred(document: Mapping[str, Any], entry: Mapping[str, Any], stated: Mapping[str, Any]) -> bool:
    """Return whether a condition, a rule or a list of exclusive answers names the question's answers."""
    key = stated["key"]
    conditions = [block.get("asked_if") for block in document["blocks"]]
    rules = (open_references(each) for block in document["blocks"] for each in block["questions"])
    exclusive = (item.partition("=")[0] for items in entry.get("exclusive") or () for item in items)
    return (
        key in names_in(conditions)
        or any(key in names for names in rules)
        or key in exclusive
        or "right" in stated
        or "wordings" in stated
    )


_Found = tuple[dict[str, Any], dict[str, Any]]
"""A block of a document, and one of its questions."""


def _entry_of(document: Mapping[str, Any], key: str, *, is_list: bool) -> _Found | None:
    """Return a question with its part; of a list, its first line."""
    return next(
        (
            (entry, question)
            for entry in document["blocks"]
            for question in entry["questions"]
            if (stem_key(question) if is_list else question["key"]) == key
        ),
        None,
    )


def _replaced(
    document: dict[str, Any], before: Mapping[str, Any], after: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the document with another block, or with another question, in the place of one."""
    blocks = [
        after
        if entry is before
        else {**entry, "questions": [after if each is before else each for each in entry["questions"]]}
        for entry in document["blocks"]
    ]
    return {**document, "blocks": blocks}


def _as_levels(
    document: dict[str, Any], design: Design, aim: Aim, found: _Found, change: FormChange
) -> Changed | None:
    """Ask a number as a choice of three levels of equally many bins."""
    entry, stated = found
    question = next((each for each in design.questions if each.key == change.key), None)
    ends = () if question is None else question.level_ends(NUMBER_LEVELS)
    if not ends or len(entry["questions"]) != 1:
        return None
    units = (stated.get("number") or {}).get("unit") or {}
    options = [
        {
            "key": f"level-{number + 1}",
            "text": {
                # Numbers with a dash need no words, so they fit every language of the draft.
                tag: f"{first}–{last} {units.get(tag, '')}".strip()
                for tag in stated["text"]
            },
        }
        for number, (first, last) in enumerate(ends)
    ]
    choice = {
        "key": change.key,
        "kind": "single",
        "text": stated["text"],
        **({"help": stated["help"]} if stated.get("help") else {}),
        "options": options,
    }
    part = {name: value for name, value in entry.items() if name not in OF_A_COIN}
    part["questions"] = [kind_of(choice).switch(choice, protected=True)]
    no_skip = {name: entry[name] for name in ("no_skip",) if entry.get(name)}
    part |= starting_disguise(part, skips=bool(entry.get("refusal"))) | no_skip
    return _replaced(document, entry, part), aim


def _merged(
    document: dict[str, Any], _design: Design, aim: Aim, found: _Found, change: FormChange
) -> Changed | None:
    """Merge neighbouring answers of a choice into one, with all their texts."""
    _entry, stated = found
    options = list(stated.get("options") or ())
    places = [place for place, option in enumerate(options) if option["key"] in change.options]
    if len(places) < 2 or len(places) < len(change.options) or len(options) - len(places) < 1:
        return None
    if places != [*range(places[0], places[-1] + 1)]:
        return None
    chosen = [options[place] for place in places]
    keys = {option["key"] for option in options}
    key = free_key(merged_key(chosen[0]["key"]), keys)
    texts = {
        tag: _merged_text([option["text"].get(tag, "") for option in chosen]) for tag in chosen[0]["text"]
    }
    question = {name: value for name, value in stated.items() if name not in _OF_DISGUISE}
    question["options"] = [*options[: places[0]], {"key": key, "text": texts}, *options[places[-1] + 1 :]]
    switched = kind_of(question).switch(question, protected=True)
    aim = goal_merged(aim, change.key, [option["key"] for option in chosen], key)
    return _replaced(document, stated, switched), aim


def _merged_text(texts: Sequence[str]) -> str:
    """Join the texts of merged answers; ranges that continue each other become one, as 13–26 and 27–40 do."""
    merged = [*texts[:1]]
    for text in texts[1:]:
        before, after = _RANGE.fullmatch(merged[-1]), _RANGE.fullmatch(text)
        if before and after and (int(after[1]), after[3]) == (int(before[2]) + 1, before[3]):
            merged[-1] = f"{before[1]}–{after[2]}{after[3]}"
        else:
            merged.append(text)
    return MERGED.join(merged)[:MOST_CHARACTERS]


def _as_yes_no(
    document: dict[str, Any], _design: Design, aim: Aim, found: _Found, change: FormChange
) -> Changed | None:
    """Ask a choice as a yes/no question about one of its answers."""
    _entry, stated = found
    option = next((each for each in stated.get("options") or () if [each["key"]] == [*change.options]), None)
    if option is None or not kind_of(stated).is_exhaustive:
        return None
    text = {
        tag: f"{words} – {option['text'].get(tag, '')}".rstrip(" –")[:MOST_CHARACTERS]
        for tag, words in stated["text"].items()
    }
    question = {
        "key": change.key,
        "kind": "yes_no",
        "text": text,
        **({"help": stated["help"]} if stated.get("help") else {}),
    }
    switched = kind_of(question).switch(question, protected=True)
    return _replaced(document, stated, switched), goal_of_yes_no(aim, change.key, option["key"])


def _as_lines(
    document: dict[str, Any], _design: Design, aim: Aim, found: _Found, _change: FormChange
) -> Changed | None:
    """Ask a choice as a list: yes or no to each of its answers."""
    _entry, stated = found
    key = stated["key"]
    if not kind_of(stated).is_exhaustive or any(star.partition("=")[0] == key for star in aim.wanted):
        return None
    several = {name: value for name, value in stated.items() if name not in (*_OF_DISGUISE, "look")}
    even = [SCALE // 2] * len(several["options"])
    several |= {"kind": MULTI, "unrelated": even, "prevalence": even}
    listed = converted(_replaced(document, stated, several))
    shares = {line: share for item, share in aim.shares.items() if (line := listed.item(item))}
    names = {name: texts for name, texts in aim.names.items() if name != key}
    return listed.document, replace(aim, shares=shares, names=names)


def _one_answer(
    document: dict[str, Any], _design: Design, aim: Aim, _found: _Found, change: FormChange
) -> Changed | None:
    """Send a list as one answer: whether at least one of its lines is true."""
    lines = [question for entry in document["blocks"] for question in _lines_of(entry, change.key)]
    keys = {line["key"] for line in lines}
    if len(lines) < 2 or keys & {star.partition("=")[0] for star in aim.wanted}:
        return None
    place, first = next(
        (place, entry) for place, entry in enumerate(document["blocks"]) if _lines_of(entry, change.key)
    )
    # A layout may have put the lines into several parts.
    part = first["questions"].index(_lines_of(first, change.key)[0])
    others = _without_questions(document, keys)
    rest = [each for each in first["questions"] if each["key"] not in keys]
    at = sum(each["key"] not in keys for each in first["questions"][:part])
    whole = {
        **{name: value for name, value in first.items() if name not in _OF_BOOKLETS},
        "questions": [*rest[:at], *lines, *rest[at:]],
    }
    before = {entry["key"] for entry in document["blocks"][:place]}
    blocks = [entry for entry in others["blocks"] if entry["key"] != first["key"]]
    position = sum(entry["key"] in before for entry in blocks)
    # The lines read with the text above them, so the list's stem stays until they are components.
    stems = {STEMS: document[STEMS]} if document.get(STEMS) else {}
    gathered = {**others, **stems, "blocks": [*blocks[:position], whole, *blocks[position:]]}
    try:
        answered, key = with_one_answer(
            gathered, first["key"], AT_LEAST, protection=aim.protection, keys=[line["key"] for line in lines]
        )
    except SurveyError:
        return None
    # The answer asks what the list asks.
    named = _entry_of(answered, key, is_list=False)
    if named and (text := stem_text(document, lines[0])):
        answered = _replaced(answered, named[1], {**named[1], "text": text})
    return answered, _aim_without(aim, keys)


def _lines_of(entry: Mapping[str, Any], stem: str) -> list[dict[str, Any]]:
    """Return the protected lines of a list in a part."""
    return [each for each in entry["questions"] if entry["protected"] and stem_key(each) == stem]


def _each_form(
    document: dict[str, Any], _design: Design, aim: Aim, found: _Found, _change: FormChange
) -> Changed | None:
    """Send each form of a union as one answer."""
    return with_each_form(document, aim, found)


def _left_out(
    document: dict[str, Any], _design: Design, aim: Aim, _found: _Found, change: FormChange
) -> Changed | None:
    """Leave a question out; people who were asked others because of its answer are asked them anyway."""
    if change.key in {key.partition("=")[0] for key in aim.wanted}:
        return None
    left = _without_questions(relaxed_document(document, [change.key]), {change.key})
    return (left, _aim_without(aim, {change.key})) if left["blocks"] else None


def _asked_after(
    document: dict[str, Any], _design: Design, aim: Aim, _found: _Found, change: FormChange
) -> Changed | None:
    """Ask a question, and those that move along, directly after another one."""
    if not change.options:
        return None
    after, *others = change.options
    moved = asked_after(document, (change.key, *others), after)
    return None if moved is None else (moved, aim)


def _open_filter(
    document: dict[str, Any], _design: Design, aim: Aim, _found: _Found, change: FormChange
) -> Changed | None:
    """Store the filter of a composite question as answered."""
    return with_open_filter(document, aim, change.key)


_OF_BOOKLETS: Final = ("exclusive", "questions_per_person", "booklets")


def _without_questions(document: dict[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """Return the document without these questions, and the parts, rotations and stems that were theirs."""
    blocks = []
    for entry in document["blocks"]:
        questions = [each for each in entry["questions"] if each["key"] not in keys]
        if len(questions) == len(entry["questions"]):
            blocks.append(entry)
        elif questions:
            part = {name: value for name, value in entry.items() if name not in _OF_BOOKLETS}
            exclusive = [
                items
                for items in entry.get("exclusive") or ()
                if all(item.partition("=")[0] not in keys for item in items)
            ]
            blocks.append({**part, "questions": questions, **({"exclusive": exclusive} if exclusive else {})})
    kept = {entry["key"] for entry in blocks}
    rotations = [each for each in document.get("rotations") or () if set(each["blocks"]) <= kept]
    stems = {stem_key(each) for entry in blocks for each in entry["questions"]}
    result = {**document, "blocks": blocks}
    result |= {STEMS: [each for each in document.get(STEMS) or () if stem_name(each) in stems]}
    return {
        name: value
        for name, value in {**result, "rotations": rotations}.items()
        if value or name not in (STEMS, "rotations")
    }


def _aim_without(aim: Aim, keys: Collection[str]) -> Aim:
    names = {key: texts for key, texts in aim.names.items() if key not in keys}
    return replace(goal_without(aim, keys), names=names)


_Apply = Callable[[dict[str, Any], Design, Aim, _Found, FormChange], Changed | None]

_DOCUMENT_CHANGES: Final[dict[str, _Apply]] = {
    "levels": _as_levels,
    "merge": _merged,
    "one_option": _as_yes_no,
    "lines": _as_lines,
    "one_answer": _one_answer,
    EACH_FORM: _each_form,
    "leave_out": _left_out,
    "after": _asked_after,
    OPEN_FILTER: _open_filter,
}
"""How a questionnaire changes, by kind; see `privacy.planning.design_forms` for designs without texts."""
