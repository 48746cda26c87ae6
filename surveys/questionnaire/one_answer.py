"""Send the questions of a part as one answer, or each of them again, without losing anything.

Questions become components of a composite question, and components become questions. A draft keeps what the
other form does not need, such as expected shares or points, in its member `SET_ASIDE`, so that each change
can be taken back. Surveys ignore this member.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from privacy.planning.plan import free_key
from privacy.planning.protection import Protection
from privacy.survey.composite_parts import MOST_COMPONENTS, usual_gaps
from surveys.errors.error import SurveyError
from surveys.formats.joints import list_text
from surveys.questionnaire.component_questions import (
    NUMBER,
    TEXTS,
    can_be_component,
    component_of,
    counted,
    most_points,
    question_of,
)
from surveys.questionnaire.composites import COMPONENTS, COMPUTED, SET_ASIDE
from surveys.questionnaire.kept_rules import (
    LINES,
    SHARED,
    are_texts,
    component_keys,
    is_whole_question,
    set_aside,
)
from surveys.questionnaire.languages import tags_of, text_in
from surveys.questionnaire.multi_conversion import converted
from surveys.questionnaire.part_coin import coin_of
from surveys.questionnaire.part_names import own_title
from surveys.questionnaire.readable import is_shaped
from surveys.questionnaire.sensitive import OF_A_COIN
from surveys.questionnaire.stated_kinds import kind_of
from surveys.questionnaire.stems import STEMS, stem_key, stem_name, stem_text
from surveys.questionnaire.survey_title import shortened, stated_title

MOST_SET_ASIDE: Final = 200

AT_LEAST: Final = "at_least"
HOW_MANY: Final = "how_many"
POINTS: Final = "points"
AGAIN: Final = "again"
WAYS: Final = (AT_LEAST, HOW_MANY, POINTS, AGAIN)
"""How one answer follows from the components: yes from a number of them, their number, points, or the rule
that these questions had before."""

_EXPECTED_YES: Final = 2_000
"""Expected share of *yes* until someone states it, as for other protected questions in the builder."""
OTHER_HALF: Final = "other_half"
"""Member of a rule: the composite question that has the other half of its instrument."""
_RELATED: Final = (OTHER_HALF, "placebo_of")
"""Members of a rule that name another composite question of the part."""
_OF_PART: Final = (*OF_A_COIN, "protected")


def convertible(entry: Mapping[str, Any]) -> list[int]:
    """Return the positions of the questions of a part that can be sent as one answer."""
    return [place for place, question in enumerate(entry["questions"]) if can_be_component(question)]


def earlier_rule(document: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any] | None:
    """Return a composite question that a draft keeps for some of these questions; None if there is none.

    All of its questions are among `keys`. Only numbers may be in separate parts, as they cannot share one.
    """
    found = _earlier_rules(document, keys)
    return found[0] if found else None


def _earlier_rules(
    document: Mapping[str, Any], keys: Sequence[str], *, ways: Collection[str] = (), is_whole: bool = False
) -> list[dict[str, Any]]:
    """Return the composite questions that were last set aside together for some of these questions.

    Parameters
    ----------
    document : mapping
    keys : sequence of str
    ways : collection of str, optional
        Only rules with one of these results of `_way_of`.
    is_whole : bool, optional
        Whether only rules that use all of these questions count.
    """
    numbers = _lone_numbers(document)
    elsewhere = {
        key
        for entry in document["blocks"]
        for question in entry["questions"]
        for key in component_keys(question)
    }
    aside = [each for each in set_aside(document) if COMPUTED in each]
    latest = {each["key"]: each for each in aside}
    aside = [each for each in aside if latest[each["key"]] is each]
    fitting: list[list[dict[str, Any]]] = []
    for each in reversed(aside):
        group = _sharing(each, aside)
        own = {key for one in group for key in _question_keys_of(one)} - elsewhere
        present = own & {*keys}
        if not present or own - present - {*numbers} or (ways and _way_of(each) not in ways):
            continue
        if present == {*keys}:
            return group
        fitting.append(group)
    return fitting[0] if fitting and not is_whole else []


def _sharing(composite: Mapping[str, Any], others: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return this composite question and those that share components with it, in their order."""
    group, keys = [composite["key"]], _shared_of(composite)
    while True:
        wider = [each for each in others if each["key"] in group or keys & _shared_of(each)]
        if len(wider) == len(group):
            return wider
        group = [each["key"] for each in wider]
        keys = {key for each in wider for key in _shared_of(each)}


def _shared_of(question: Mapping[str, Any]) -> set[str]:
    """Return the keys of the components that a question shares with others."""
    components = {each.get("key"): each for each in question[COMPUTED][COMPONENTS]}
    return {key for key in component_keys(question) if components[key].get(SHARED)}


def _way_of(composite: Mapping[str, Any]) -> str:
    """Return how a composite question is computed; a rule that people edited counts as points."""
    rule = composite[COMPUTED]
    is_counted = all(
        most_points(each) <= 1 and "asked_if" not in each
        for each in rule[COMPONENTS]
        if not each.get("instructed")
    )
    missing = rule.get("missing")
    is_list = isinstance(missing, Mapping) and missing.get("as") == "no_points"
    if not is_counted or not is_list or rule.get("steps"):
        return POINTS
    return HOW_MANY if composite.get("options") else AT_LEAST


def _question_keys_of(composite: Mapping[str, Any]) -> list[str]:
    """Return the keys of the questions that components became: one each, or one per line of a list."""
    lines = composite.get(LINES)
    known: Mapping[str, Any] = lines if isinstance(lines, Mapping) else {}
    return [
        line
        for key in component_keys(composite)
        for line in ([each for each in known[key].values() if each] if key in known else [key])
    ]


def _lone_numbers(document: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the protected numbers that are alone in their parts, outside of rotations, by key."""
    turns = {key for rotation in document.get("rotations") or () for key in rotation.get("blocks", ())}
    return {
        entry["questions"][0]["key"]: entry["questions"][0]
        for entry in document["blocks"]
        if len(entry["questions"]) == 1
        and entry["protected"]
        and NUMBER in entry["questions"][0]
        and can_be_component(entry["questions"][0])
        and entry["key"] not in turns
    }


def with_one_answer(
    document: Mapping[str, Any],
    part: str,
    way: str,
    *,
    protection: Protection,
    keys: Sequence[str] = (),
    least: int = 1,
) -> tuple[dict[str, Any], str]:
    """Return a draft in which a part sends one answer instead of these questions, and the answer's key.

    Parameters
    ----------
    document : dict
        A draft.
    part : str
        Key of a protected part.
    way : {"at_least", "how_many", "points", "again"}
        For *again*, and for *points* if the draft keeps such a rule of these questions, the earlier rule is
        restored, and only its questions become components.
    protection : Protection
        Sets the probabilities of the part.
    keys : sequence of str, optional
        Questions of the part; by default all that can be components.
    least : int
        For *at least*, how many components must be true.

    Raises
    ------
    SurveyError
        ``one_answer.unready``, ``one_answer.gone``, ``one_answer.open``, ``one_answer.many``,
        ``one_answer.least``, ``one_answer.unclear``: of a choice, which answers count.
    """
    number = part_number(document, part)
    entry = document["blocks"][number]
    if not entry["protected"]:
        raise SurveyError("one_answer.open")
    places = [place for place in convertible(entry) if not keys or entry["questions"][place]["key"] in keys]
    if not places or way not in WAYS or (keys and len(places) != len(set(keys))):
        raise SurveyError("one_answer.gone")
    chosen = [entry["questions"][place]["key"] for place in places]
    if way in (AGAIN, POINTS):
        ways = [POINTS] if way == POINTS else []
        before = _earlier_rules(document, chosen, ways=ways, is_whole=bool(keys) and way == POINTS)
        if before:
            return _with_rules_again(document, part, before, protection)
        if way == AGAIN:
            raise SurveyError("one_answer.gone")
    if len(places) > MOST_COMPONENTS:
        raise SurveyError("one_answer.many", len(places), most=MOST_COMPONENTS)
    if not 1 <= least <= len(places):
        raise SurveyError("one_answer.least", least, most=len(places))
    components = [component_of(entry["questions"][place], document) for place in places]
    if way != POINTS:
        _check_counted(components)
    composite = _composite(document, entry, components, way, least)
    named = _earlier_rules(document, chosen, is_whole=True)
    if len(named) == 1:
        composite |= {name: named[0][name] for name in TEXTS if named[0].get(name)}
    aside = set_aside(document)
    return with_composites(document, number, places, [composite], aside, protection), composite["key"]


def _check_counted(components: Sequence[Mapping[str, Any]]) -> None:
    """Refuse to count choices whose words do not say which of their answers count.

    Raises
    ------
    SurveyError
        ``one_answer.unclear``.
    """
    unclear = [each for each in components if each.get("options") and not most_points(each)]
    if unclear:
        named = list_text(f"“{text_in(each['text']) or each['key']}”" for each in unclear[:3])
        raise SurveyError("one_answer.unclear", named, count=len(unclear))


def _with_rules_again(
    document: Mapping[str, Any], part: str, before: Sequence[dict[str, Any]], protection: Protection
) -> tuple[dict[str, Any], str]:
    """Return a draft in which composite questions that were set aside replace their questions of a part."""
    own = {key for each in before for key in _question_keys_of(each)}
    entry = document["blocks"][part_number(document, part)]
    places = [place for place in convertible(entry) if entry["questions"][place]["key"] in own]
    questions = [entry["questions"][place] for place in places]
    present = {question["key"] for question in questions}
    joined = {key: each for key, each in _lone_numbers(document).items() if key in own - present}
    components = [component_of(each, document) for each in [*questions, *joined.values()]]
    used = {*_keys(document)} - own
    lost = {each[COMPUTED].get(name) for each in before for name in _RELATED}
    lost -= {*_keys(document)} | {each["key"] for each in before}
    composites = []
    for each in before:
        key = free_key(each["key"], used)
        used.add(key)
        composite = _again(each, [*components, *_lists_again(each, questions, document)]) | {"key": key}
        composites.append(_unrelated(composite, {name for name in lost if isinstance(name, str)}))
    aside = [each for each in set_aside(document) if all(each is not one for one in before)]
    left = _without_parts(document, joined)
    number = part_number(left, part)
    return with_composites(left, number, places, composites, aside, protection), composites[0]["key"]


def with_composites(
    document: Mapping[str, Any],
    number: int,
    places: Sequence[int],
    composites: Sequence[Mapping[str, Any]],
    aside: Sequence[Any],
    protection: Protection,
) -> dict[str, Any]:
    """Return a draft in which these composite questions replace questions of a part, which the draft keeps.

    Parameters
    ----------
    document, protection
        As for `with_one_answer`.
    number : int
        Position of a protected part.
    places : sequence of int
        Positions of its questions that become components.
    composites : sequence of dict
        Their components may be shared.
    aside : sequence
        Entries that the draft already keeps.
    """
    entry = document["blocks"][number]
    rest = [question for place, question in enumerate(entry["questions"]) if place not in places]
    position = sum(place < places[0] for place in range(len(entry["questions"])) if place not in places)
    changed = {name: value for name, value in entry.items() if name not in _OF_PART} | {
        "protected": True,
        "questions": _with_true_shares([*rest[:position], *composites, *rest[position:]]),
    }
    changed |= _skipping(entry) | coin_of(changed, protection, skips=bool(entry.get("refusal")))
    kept = {"questions": list(entry["questions"]), "part": _members(entry)}
    return _with_stems_set_aside(_with_part(document, number, [changed], [*aside, kept]))


def with_each_answer(document: Mapping[str, Any], key: str, *, protection: Protection) -> dict[str, Any]:
    """Return a draft in which devices send the answer to each component of a composite question.

    Instructed components are not asked, conditions among components end, and numbers get parts of their own.
    All composite questions that share components with this one become questions again.
    Everything is kept in case the questions are sent as one answer again.

    Parameters
    ----------
    document : dict
        A draft.
    key : str
        Key of the composite question.
    protection : Protection
        Sets the probabilities of the part.

    Raises
    ------
    SurveyError
        ``one_answer.unready``, ``one_answer.gone``.
    """
    _check_whole(document)
    found = [
        (number, place)
        for number, entry in enumerate(document["blocks"])
        for place, question in enumerate(entry["questions"])
        if question["key"] == key and component_keys(question)
    ]
    if not found:
        raise SurveyError("one_answer.gone")
    number, _place = found[0]
    entry = document["blocks"][number]
    aside = set_aside(document)
    before = {
        question["key"]: question
        for each in aside
        for question in each.get("questions") or ()
        if isinstance(question, dict) and isinstance(question.get("key"), str) and COMPUTED not in question
    }
    # Follow-ups of a filter become questions again together, because the filter does.
    composites = [each for each in _with_true_shares(entry["questions"]) if component_keys(each)]
    group = _sharing(next(each for each in composites if each["key"] == key), composites)
    keys = {each["key"] for each in group}
    place = next(at for at, question in enumerate(entry["questions"]) if question["key"] in keys)
    found_components = {
        component["key"]: component
        for each in reversed(group)
        for component in each[COMPUTED][COMPONENTS]
        if component["key"] in component_keys(each)
    }
    order = dict.fromkeys(name for each in group for name in component_keys(each))
    components = [found_components[name] for name in order]
    stems = [stem for each in aside for stem in each.get(STEMS) or () if isinstance(stem, dict)]
    lists = {STEMS: [*(document.get(STEMS) or ()), *stems]}
    restored = [question_of(component, before.get(component["key"]), lists) for component in components]
    plain = [question for question in restored if not kind_of(question).is_scale]
    scales = [question for question in restored if kind_of(question).is_scale]
    left = [each for each in entry["questions"] if each["key"] not in keys]
    others = _with_true_shares([_unrelated(each, keys) for each in left])
    questions = [*others[:place], *plain, *others[place:]]
    own = {name: value for name, value in entry.items() if name not in _OF_PART}
    whole = {question["key"]: question for question in [*questions, *scales]}
    kept = next((each for each in reversed(aside) if _question_keys(each) == {*whole}), None)
    aside = [*(each for each in aside if each is not kept), *group]
    if kept is not None:
        ordered = [whole[question["key"]] for question in kept["questions"]]
        whole_part = own | kept["part"] | {"questions": ordered}
        return _listed(_with_stems_again(_with_part(document, number, [whole_part], aside), stems))
    parts, skips = [], bool(entry.get("refusal"))
    if questions:
        part = own | {"protected": True, "questions": questions}
        parts.append(part | _skipping(entry) | coin_of(part, protection, skips=skips))
    taken = {each["key"] for each in document["blocks"]} - (set() if questions else {entry["key"]})
    for question in scales:
        new_key = free_key(entry["key"], taken)
        taken.add(new_key)
        part = own | {"key": new_key, "protected": True, "questions": [question]}
        part |= {"title": question["text"]} if questions else {}
        parts.append(part | _skipping(entry) | ({"refusal": True} if skips else {}))
    return _listed(_with_stems_again(_with_part(document, number, parts, aside), stems))


def _listed(document: dict[str, Any]) -> dict[str, Any]:
    """Return a draft whose tick-all questions are lists; the rule that is set aside knows their lines."""
    result = converted(document)
    if not result.lines:
        return document
    return result.document | {SET_ASIDE: [_with_lines(each, result.lines) for each in document[SET_ASIDE]]}


def _with_lines(kept: dict[str, Any], lines: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry to set aside: a composite question with the lines that its components became."""
    own = {key: lines[key] for key in component_keys(kept) if key in lines}
    return kept | {LINES: own} if own else kept


def _with_true_shares(questions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the questions of a part; mark components as shared if several questions contain them."""
    counts = Counter(key for question in questions for key in component_keys(question))

    def true(component: Any) -> Any:
        if not isinstance(component, Mapping) or component.get("key") not in counts:
            return component
        alone = {name: value for name, value in component.items() if name != SHARED}
        return alone | ({SHARED: True} if counts[component["key"]] > 1 else {})

    return [
        {
            **question,
            COMPUTED: question[COMPUTED] | {COMPONENTS: [*map(true, question[COMPUTED][COMPONENTS])]},
        }
        if component_keys(question)
        else dict(question)
        for question in questions
    ]


def _question_keys(kept: Mapping[str, Any]) -> set[str]:
    """Return the keys of the questions of a part that was set aside; empty for a composite question."""
    questions = kept.get("questions")
    if not isinstance(questions, list) or not isinstance(kept.get("part"), dict):
        return set()
    return {question["key"] for question in questions}


def _skipping(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return why a part cannot be skipped, if it says so."""
    return {"no_skip": entry["no_skip"]} if entry.get("no_skip") and not entry.get("refusal") else {}


def _without_parts(document: Mapping[str, Any], numbers: Collection[str]) -> dict[str, Any]:
    """Return a draft without the parts of these numbers, which are alone in them."""
    blocks = [
        entry
        for entry in document["blocks"]
        if len(entry["questions"]) != 1 or entry["questions"][0]["key"] not in numbers
    ]
    return {**document, "blocks": blocks}


def part_number(document: Mapping[str, Any], key: str) -> int:
    """Return the position of a part in a draft.

    Parameters
    ----------
    document : mapping
    key : str

    Raises
    ------
    SurveyError
        ``one_answer.unready``, ``one_answer.gone``.
    """
    _check_whole(document)
    number = next((at for at, entry in enumerate(document["blocks"]) if entry["key"] == key), None)
    if number is None:
        raise SurveyError("one_answer.gone")
    return number


def _members(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: entry[name] for name in _OF_PART if name in entry}


def _check_whole(document: Mapping[str, Any]) -> None:
    """Refuse a draft in which a conversion could not read a part.

    Raises
    ------
    SurveyError
        ``one_answer.unready``.
    """
    if (
        not is_shaped(document)
        or not all(
            is_whole_question(question) for entry in document["blocks"] for question in entry["questions"]
        )
        or not all(are_texts(entry.get("title", {})) for entry in document["blocks"])
        or not isinstance(document.get(STEMS, []), list)
        or not isinstance(document.get("rotations", []), list)
    ):
        raise SurveyError("one_answer.unready")


def _with_part(
    document: Mapping[str, Any], number: int, parts: Sequence[Mapping[str, Any]], aside: Sequence[Any]
) -> dict[str, Any]:
    blocks = [*document["blocks"][:number], *parts, *document["blocks"][number + 1 :]]
    return {**document, "blocks": blocks, SET_ASIDE: [*aside][-MOST_SET_ASIDE:]}


def _with_stems_set_aside(document: dict[str, Any]) -> dict[str, Any]:
    """Return a draft that keeps stems without lines among what is set aside, with the part that had them."""
    used = {stem_key(question) for entry in document["blocks"] for question in entry["questions"]}
    stems = document.get(STEMS) or []
    lost = [stem for stem in stems if stem_name(stem) not in used]
    if not lost:
        return document
    *aside, kept = document[SET_ASIDE]
    left = {name: value for name, value in document.items() if name != STEMS}
    rest = [stem for stem in stems if stem not in lost]
    return left | ({STEMS: rest} if rest else {}) | {SET_ASIDE: [*aside, kept | {STEMS: lost}]}


def _with_stems_again(document: dict[str, Any], stems: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a draft with those of these stems that its questions use and that it lacks."""
    present = {stem_name(stem) for stem in document.get(STEMS) or ()}
    used = {stem_key(question) for entry in document["blocks"] for question in entry["questions"]}
    again = {stem_name(stem): stem for stem in stems if stem_name(stem) in used - present}
    return document | {STEMS: [*(document.get(STEMS) or ()), *again.values()]} if again else document


def _keys(document: Mapping[str, Any]) -> Iterator[str]:
    for entry in document["blocks"]:
        for question in entry["questions"]:
            yield question["key"]
            yield from component_keys(question)


def _composite(
    document: Mapping[str, Any],
    entry: Mapping[str, Any],
    components: list[dict[str, Any]],
    way: str,
    least: int,
) -> dict[str, Any]:
    """Return the composite question of these components, with the usual rule for gaps."""
    scored = way == POINTS
    if not scored:
        components = [counted(component) for component in components]
    key = free_key(entry["key"], {*_keys(document), *(each["key"] for each in components)})
    # A title names the answer only if it is the only one. Reports and respondents need some name.
    is_only = len(components) == len(entry["questions"])
    title = (own_title(entry, document) or stated_title(document.get("title"))) if is_only else None
    name = dict(title) if title else _joined_texts(components, tags_of(document) or ["en"])
    composite: dict[str, Any] = {"key": key, "kind": "yes_no", "text": name}
    composite |= {"unrelated": [5_000], "prevalence": [_EXPECTED_YES]}
    start = least if way == AT_LEAST else max(1, math.ceil(sum(map(most_points, components)) / 2))
    levels: list[dict[str, Any]] = [{"option": "no"}, {"option": "yes", "from": start}]
    if way == HOW_MANY:
        most = min(2, sum(map(most_points, components)))
        tags = tags_of(document) or ["en"]
        texts = [("none", lambda: "0"), ("one", lambda: "1"), ("more", lambda: _("2 or more"))][: most + 1]
        options = [
            {"key": name, "text": {tag: in_language(tag, words, "2+") for tag in tags}}
            for name, words in texts
        ]
        even = kind_of({"kind": "single"}).uniform_shares(len(options))
        composite |= {"kind": "single", "options": options, "unrelated": even, "prevalence": even}
        levels = [{"option": name} | ({"from": at} if at else {}) for at, (name, _words) in enumerate(texts)]
    missing = {"at_most": usual_gaps(len(components)), "as": "mean" if scored else "no_points"}
    return composite | {COMPUTED: {COMPONENTS: components, "levels": levels, "missing": missing}}


def _joined_texts(components: Sequence[Mapping[str, Any]], tags: Sequence[str]) -> dict[str, str]:
    """Return the beginning of the texts of these components, by language, unless they have none.

    >>> asked = [{"text": {"en": "Did you lie?"}}, {"text": {"en": "Did you steal?", "de": ""}}]
    >>> _joined_texts(asked, ["en", "de"])
    {'en': 'Did you lie? / Did you steal?'}
    """
    texts = {tag: [str(each.get("text", {}).get(tag) or "").strip() for each in components] for tag in tags}
    return {tag: shortened(" / ".join(filter(None, own))) for tag, own in texts.items() if any(own)}


def in_language(tag: str, words: Callable[[], str], otherwise: str) -> str:
    """Return a word of ours in a language of the survey; in others, as figures.

    Parameters
    ----------
    tag : str
    words : callable
        Returns the word in the active language.
    otherwise : str
        For languages without translations.
    """
    if tag not in dict(settings.LANGUAGES):
        return words() if words().isdecimal() else otherwise
    with override(tag):
        return words()


def _again(before: Mapping[str, Any], components: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a composite question that was set aside, with the present texts of its components."""
    present = {component["key"]: component for component in components}

    def merged(old: dict[str, Any]) -> dict[str, Any]:
        new = present.get(old["key"])
        if new is None or old.get("kind") != new["kind"]:
            return dict(new or old)
        kept = {name: value for name, value in old.items() if name not in ("help", "options")}
        kept |= {name: new[name] for name in TEXTS if name in new}
        if "options" in new:
            points = {option["key"]: option.get("points", 0) for option in old.get("options") or ()}
            kept["options"] = [option | {"points": points.get(option["key"], 0)} for option in new["options"]]
        return kept

    rule = before[COMPUTED]
    without = {name: value for name, value in before.items() if name != LINES}
    return {**without, COMPUTED: rule | {COMPONENTS: [merged(each) for each in rule[COMPONENTS]]}}


def _unrelated(question: Mapping[str, Any], keys: Collection[str]) -> dict[str, Any]:
    """Return a question whose rule names none of these questions as its index or other half."""
    rule = question.get(COMPUTED)
    if not isinstance(rule, Mapping) or all(rule.get(name) not in keys for name in _RELATED):
        return dict(question)
    left = {name: value for name, value in rule.items() if name not in _RELATED or value not in keys}
    return {**question, COMPUTED: left}


def _lists_again(
    before: Mapping[str, Any], questions: Sequence[Mapping[str, Any]], document: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return the tick-all components of a rule, with the present texts of the lists that they became."""
    present = {question["key"]: question for question in questions}
    components = {each["key"]: each for each in before[COMPUTED][COMPONENTS]}
    found = []
    for key, lines in (before.get(LINES) or {}).items():
        texts = {option: present[line].get("text", {}) for option, line in lines.items() if line in present}
        stem = next((stem_text(document, present[line]) for line in lines.values() if line in present), {})
        options = [
            option | {"text": texts.get(option["key"], option.get("text", {}))}
            for option in components[key]["options"]
        ]
        found.append({"key": key, "kind": "several", "text": stem, "options": options})
    return found
