"""The forms of a composite question that is yes if any component is: the lists or headings of its components.

A union of physical, sexual and psychological violence can become one answer for each of them, under one coin.
The draft still knows under which list or heading each component was asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from privacy.planning.each_form import Forms, form_gaps, forms_of
from privacy.planning.form_aims import goal_without
from privacy.planning.plan import free_key
from privacy.survey.composite import Composite
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.composites import COMPONENTS, COMPUTED, SET_ASIDE
from surveys.questionnaire.definition import definition_without_texts
from surveys.questionnaire.headings import headings_in
from surveys.questionnaire.kept_rules import set_aside
from surveys.questionnaire.stated_kinds import kind_of
from surveys.questionnaire.stems import STEMS, stem_key, stem_text

_OF_UNION = ("unrelated", "prevalence", "text")


def component_stems(document: Mapping[str, Any]) -> dict[str, str]:
    """Return, by component, the list or heading under which it was asked; without those that had none.

    Parameters
    ----------
    document : mapping
        A draft.
    """
    return {key: stem for key, (stem, _title) in _origins(document).items()}


def _origins(document: Mapping[str, Any]) -> dict[str, tuple[str, Mapping[str, str]]]:
    """Return, by component, the key and the text of its list; of its heading, if none has a list."""
    found: dict[str, tuple[str, Mapping[str, str]]] = {}
    kept = set_aside(document)
    stems = [*(document.get(STEMS) or ()), *(stem for each in kept for stem in each.get(STEMS) or ())]
    earlier = {question["key"]: question for each in kept for question in each.get("questions") or ()}
    for entry in document["blocks"]:
        for question in entry["questions"]:
            keys = [each["key"] for each in (question.get(COMPUTED) or {}).get(COMPONENTS) or ()]
            lists = {key: stem_key(earlier[key]) for key in keys if stem_key(earlier.get(key))}
            found |= {key: (stem, stem_text({STEMS: stems}, earlier[key])) for key, stem in lists.items()}
            for heading in headings_in(document, keys) if not lists else ():
                found |= dict.fromkeys(heading.keys, (f"{heading.keys[0]}-heading", heading.title))
    return found


def forms_in(document: Mapping[str, Any], key: str) -> dict[str, dict[str, str]]:
    """Return the texts of the forms of a composite question by list or heading; empty if it has none.

    Parameters
    ----------
    document : mapping
        A draft.
    key : str
        Key of the question.
    """
    origins, rule = _origins(document), _rule_of(document, key)
    return {stem: dict(origins[own[0]][1]) for stem, own in _forms(document, rule).items()}


def _rule_of(document: Mapping[str, Any], key: str) -> Composite | None:
    definition = definition_without_texts(dict(document))
    questions = () if definition is None else definition.design.questions
    return next((each.computed for each in questions if each.key == key), None)


def _forms(document: Mapping[str, Any], rule: Composite | None) -> Forms:
    return {} if rule is None else forms_of(rule, component_stems(document))


def with_each_form(
    document: dict[str, Any],
    aim: Aim,
    found: tuple[Mapping[str, Any], Mapping[str, Any]],
) -> tuple[dict[str, Any], Aim] | None:
    """Return a draft that sends one answer for each form of a union, and its aim; None if it has no forms.

    Parameters
    ----------
    document : dict
        A draft.
    aim : Aim
        A star on the union ends.
    found : tuple of mapping
        The part and the composite question.
    """
    entry, stated = found
    rule = _rule_of(document, stated["key"])
    forms, origins = _forms(document, rule), _origins(document)
    if rule is None or not forms:
        return None
    used = {question["key"] for each in document["blocks"] for question in each["questions"]}
    used |= {component["key"] for component in stated[COMPUTED][COMPONENTS]}
    answers: list[dict[str, Any]] = []
    for own in forms.values():
        key = free_key(stated["key"], used)
        used.add(key)
        answers.append(_answer(stated, rule, own, key, origins[own[0]][1]))
    blocks = [
        {**each, "questions": _with_answers(each["questions"], stated, answers)} if each is entry else each
        for each in document["blocks"]
    ]
    changed = {**document, "blocks": blocks, SET_ASIDE: [*set_aside(document), dict(stated)]}
    names = {key: texts for key, texts in aim.names.items() if key != stated["key"]}
    wanted = tuple(item for item in aim.wanted if item != stated["key"])
    return changed, replace(goal_without(aim, [stated["key"]]), names=names, wanted=wanted)


def _answer(
    stated: Mapping[str, Any], rule: Composite, keys: Sequence[str], key: str, title: Mapping[str, str]
) -> dict[str, Any]:
    """Return the composite question of one form."""
    question = {name: value for name, value in stated.items() if name not in _OF_UNION}
    question |= {"key": key, "text": dict(title)}
    components = [each for each in stated[COMPUTED][COMPONENTS] if each["key"] in keys]
    question[COMPUTED] = {
        COMPONENTS: components,
        "levels": stated[COMPUTED]["levels"],
        "missing": {"at_most": form_gaps(rule, len(components)), "as": "no_points"},
    }
    return kind_of(question).switch(question, protected=True)


def _with_answers(
    questions: Sequence[Mapping[str, Any]], stated: Mapping[str, Any], answers: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    place = questions.index(stated)
    return [*questions[:place], *answers, *questions[place + 1 :]]
