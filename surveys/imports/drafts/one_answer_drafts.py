"""Turn questions of a draft into one answer that devices compute from the points of a source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from privacy.planning.plan import free_key
from privacy.planning.protection import MEDIUM, PROTECTIONS
from surveys.errors.error import SurveyError
from surveys.formats.joints import cut_name
from surveys.questionnaire.component_questions import NUMBER, component_of
from surveys.questionnaire.composites import COMPONENTS, COMPUTED
from surveys.questionnaire.condition_cues import without_condition
from surveys.questionnaire.kept_rules import set_aside
from surveys.questionnaire.languages import in_language, respondent_language
from surveys.questionnaire.one_answer import POINTS, with_composites, with_one_answer
from surveys.questionnaire.stated_kinds import kind_of

Levels = Sequence[tuple[int | None, str]]
_SHORT_QUESTION: Final = 60
"""Largest number of characters of a follow-up that the name of a level quotes."""


def with_score(
    document: dict[str, Any], rule: Mapping[str, Any], levels: Levels, text: Mapping[str, str]
) -> dict[str, Any]:
    """Return a draft that sends the level of a sum of points instead of these questions.

    The draft stays as it is if its questions cannot be sent as one answer, because they are in several parts
    (`surveys.imports.scores.proposals.hindrance`).

    Parameters
    ----------
    document : dict
        A draft.
    rule : mapping
        ``points`` of the answers of each question, by its key, and members of the rule of a definition:
        ``missing``, and ``steps`` if it has any.
    levels : sequence of (int or None, str)
        Start and label of each level.
    text : mapping of str to str
        Text of the answer by language, if it has one.
    """
    points: Mapping[str, Sequence[int]] = rule["points"]
    parts = {
        entry["key"]
        for entry in document["blocks"]
        for question in entry["questions"]
        if question["key"] in points
    }
    if len(parts) != 1:
        return document
    (part,) = parts
    try:
        changed, key = with_one_answer(
            document, part, POINTS, protection=PROTECTIONS[MEDIUM], keys=list(points)
        )
    except SurveyError:
        return document
    tags = document["languages"]
    for entry in changed["blocks"]:
        entry["questions"] = [
            _scored(each, rule, levels, text, tags) if each["key"] == key else each
            for each in entry["questions"]
        ]
    return changed


def _scored(
    composite: Mapping[str, Any],
    source: Mapping[str, Any],
    levels: Levels,
    text: Mapping[str, str],
    tags: Sequence[str],
) -> dict[str, Any]:
    """Return a composite question with the points and levels of a source."""
    rule = composite[COMPUTED]
    components = [_with_points(each, source["points"][each["key"]]) for each in rule[COMPONENTS]]
    own = dict(composite) | ({"text": dict(text)} if any(text.values()) else {})
    labels = list(dict.fromkeys(label for _start, label in levels))
    if len(levels) == 2 and labels == [""]:
        options = ["no", "yes"]
    elif sorted(label.casefold() for label in labels) == ["no", "yes"]:
        options = [label.casefold() for _start, label in levels]
    else:
        names = {label: f"level-{number}" for number, label in enumerate(labels, start=1)}
        own["options"] = [{"key": name, "text": dict.fromkeys(tags, label)} for label, name in names.items()]
        even = kind_of({"kind": "single"}).uniform_shares(len(labels))
        own |= {"kind": "single", "unrelated": even, "prevalence": even}
        options = [names[label] for _start, label in levels]
    stated = [
        {"option": option} | ({} if start is None else {"from": start})
        for option, (start, _label) in zip(options, levels, strict=True)
    ]
    steps = {"steps": source["steps"]} if source.get("steps") else {}
    return own | {
        COMPUTED: rule | {COMPONENTS: components, "levels": stated, "missing": source["missing"]} | steps
    }


def _with_points(component: Mapping[str, Any], points: Sequence[int]) -> dict[str, Any]:
    if NUMBER in component:
        steps = enumerate(points, start=component[NUMBER]["low"])
        bands = [{"from": step, "to": step, "points": own} for step, own in steps if own]
        return {**component, "bands": bands}
    if "options" not in component:
        return {**component, "points": list(points)}
    options = [{**option, "points": own} for option, own in zip(component["options"], points, strict=True)]
    return {**component, "options": options}


def with_filter(
    document: dict[str, Any], decider: str, followers: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Return a draft that sends one answer for each follow-up of a question, which is asked once.

    Each answer is the answer to the follow-up, or the filter's answer that skips it. The draft stays as
    it is if the questions are in several parts.

    Parameters
    ----------
    document : dict
        A draft.
    decider : str
        Key of the question that decides.
    followers : mapping of str to sequence of str
        By key of a question asked after it, the options after which it is asked.

    Notes
    -----
    The points of the answers to the deciding question are multiples of the largest number of answers to a
    follow-up, and those of a follow-up count its answers from 0. So each combination has a sum of its own.
    """
    keys = [decider, *followers]
    found = [
        (entry["key"], {question["key"]: question for question in entry["questions"]})
        for entry in document["blocks"]
        if {question["key"] for question in entry["questions"]} >= set(keys)
    ]
    if not found:
        return document
    ((part, questions),) = found
    tags = document["languages"]
    first = component_of(questions[decider], document)
    after = {key: component_of(questions[key], document) for key in followers}
    step = max(len(_answers(component, tags)) for component in after.values())
    names = _answers(first, tags)
    first = _with_points(first, [place * step for place in range(len(names))])
    used = {question["key"] for entry in document["blocks"] for question in entry["questions"]}
    composites = []
    for key, component in after.items():
        own = _answers(component, tags)
        component = _with_points(component, [*range(len(own))]) | {
            "asked_if": {"component": decider, "options": list(followers[key])}
        }
        levels: list[tuple[int, dict[str, str]]] = []
        for place, (option, name) in enumerate(names.items()):
            levels += [
                (place * step + number, text)
                for number, text in enumerate(
                    [_named(component, name, text, tags) for text in own.values()]
                    if option in followers[key]
                    else [name]
                )
            ]
        text = {tag: _joined(tag, first["text"].get(tag, ""), component["text"].get(tag, "")) for tag in tags}
        composite_key = free_key(f"{key[:50]}-if", used)
        used.add(composite_key)
        composites.append(_leveled(composite_key, text, [first, component], levels))
    (number,) = (number for number, entry in enumerate(document["blocks"]) if entry["key"] == part)
    places = [place for place, key in enumerate(questions) if key in keys]
    return with_composites(document, number, places, composites, set_aside(document), PROTECTIONS[MEDIUM])


def _leveled(
    key: str,
    text: Mapping[str, str],
    components: Sequence[Mapping[str, Any]],
    levels: Sequence[tuple[int, Mapping[str, str]]],
) -> dict[str, Any]:
    """Return a composite question with one option for each sum of points."""
    options = [
        {"key": f"level-{number}", "text": dict(own)} for number, (_sum, own) in enumerate(levels, start=1)
    ]
    even = kind_of({"kind": "single"}).uniform_shares(len(options))
    stated = [
        {"option": option["key"]} | ({"from": start} if number else {})
        for number, (option, (start, _text)) in enumerate(zip(options, levels, strict=True))
    ]
    rule = {
        COMPONENTS: [dict(component) for component in components],
        "levels": stated,
        "missing": {"at_most": 0, "as": "no_points"},
    }
    return {
        "key": key,
        "kind": "single",
        "text": dict(text),
        "options": options,
        "unrelated": even,
        "prevalence": even,
        COMPUTED: rule,
    }


def _answers(component: Mapping[str, Any], tags: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the texts of the answers to a component by option, in the order of its points."""
    if "options" in component:
        return {option["key"]: option["text"] for option in component["options"]}
    found: dict[str, dict[str, str]] = {"no": {}, "yes": {}}
    for tag in tags:
        with in_language(respondent_language(tag)):
            found["no"][tag], found["yes"][tag] = _("No"), _("Yes")
    return found


def _named(
    follow_up: Mapping[str, Any], first: Mapping[str, str], second: Mapping[str, str], tags: Sequence[str]
) -> dict[str, str]:
    """Name a level by the answer to a filter, the follow-up in short, and its answer."""
    asked = {tag: without_condition(follow_up["text"].get(tag, "")) for tag in tags}
    return {
        tag: _joined(
            tag, first[tag], _joined(tag, cut_name(asked[tag], _SHORT_QUESTION), second.get(tag, ""))
        )
        for tag in tags
    }


def _joined(tag: str, first: str, second: str) -> str:
    """Append an answer to the one that it follows."""
    between = "：" if tag.startswith("zh") else ": "
    first = first.rstrip(":： ")
    between = " " if first[-1:] in "?？" else between
    return between.join(filter(None, (first, second)))
