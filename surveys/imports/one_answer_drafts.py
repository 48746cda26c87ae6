"""Turn questions of a draft into one answer that devices compute from the points of a source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from privacy.planning.protection import MEDIUM, PROTECTIONS
from surveys.errors.error import SurveyError
from surveys.questionnaire.composites import COMPONENTS, COMPUTED
from surveys.questionnaire.one_answer import POINTS, with_one_answer
from surveys.questionnaire.stated_kinds import kind_of

Levels = Sequence[tuple[int | None, str]]


def with_score(
    document: dict[str, Any], rule: Mapping[str, Any], levels: Levels, text: Mapping[str, str]
) -> dict[str, Any]:
    """Return a draft that sends the level of a sum of points instead of these questions.

    The draft stays as it is if its questions cannot be sent as one answer, because they are in several parts
    (`surveys.imports.scores.hindrance`).

    Parameters
    ----------
    document : dict
        A draft.
    rule : mapping
        ``points`` of the answers of each question, by its key, and members of the rule of a definition:
        ``steps``, and ``missing`` if the source states it.
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
    # In a list of acts a gap counts as no; in a scale, as the mean of the others.
    is_list = all("options" not in each for each in components)
    missing = source.get("missing") or rule["missing"] | {"as": "no_points" if is_list else "mean"}
    steps = {"steps": source["steps"]} if source.get("steps") else {}
    return own | {COMPUTED: rule | {COMPONENTS: components, "levels": stated, "missing": missing} | steps}


def _with_points(component: Mapping[str, Any], points: Sequence[int]) -> dict[str, Any]:
    if "options" not in component:
        return {**component, "points": list(points)}
    options = [{**option, "points": own} for option, own in zip(component["options"], points, strict=True)]
    return {**component, "options": options}
