"""Leave a filter open: store the answer that only decides who is meant, so that others need less disguise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from privacy.coins import SCALE
from privacy.planning.plan import free_key
from privacy.planning.precision import half_width
from privacy.planning.use import Use, asked_item
from privacy.planning.width_among import width_among
from privacy.policy import LEAST_COMPLETE_ROWS
from privacy.survey.question import Question
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.component_questions import question_of
from surveys.questionnaire.composites import COMPONENTS, COMPUTED
from surveys.questionnaire.definition import Definition, definition_without_texts
from surveys.questionnaire.divided_parts import divided_part
from surveys.questionnaire.draft_plan import Plan, plan
from surveys.questionnaire.readable import looks_harmless
from surveys.questionnaire.stated_kinds import kind_of
from surveys.questionnaire.waves import WaveLine

OPEN_FILTER: Final = "open_filter"
"""Kind of this change of form (`privacy.planning.forms.FormChange`)."""

_YES: Final = "yes"
_RELATED: Final = ("steps", "placebo_of", "other_half", "uses")


@dataclass(frozen=True, kw_only=True)
class FilterShare:
    """Half-widths of the share of people who have an answer, among those who say yes to a filter.

    Attributes
    ----------
    item : str
        The answer.
    before, after : float
        With the filter disguised, and stored as answered.
    """

    item: str
    before: float
    after: float


@dataclass(frozen=True, kw_only=True)
class OpenFilter:
    """A filter that could be stored as answered, and what that gains.

    Attributes
    ----------
    key : str
        The composite question that contains it.
    component : str
        The filter.
    people : int
        Number of people who are expected to say yes to the filter.
    shares : tuple of FilterShare
        The answers that these people can have: the starred one, or else the last one, then the others.
    uses : pair of Use
        Expected results of the whole draft, before and after.
    """

    key: str
    component: str
    people: int
    shares: tuple[FilterShare, ...]
    uses: tuple[Use, Use]


def with_open_filter(document: Mapping[str, Any], aim: Aim, key: str) -> tuple[dict[str, Any], Aim] | None:
    """Return a draft that stores the filter of a composite question as answered; None if it has none.

    Parameters
    ----------
    document : dict
    aim : Aim
        Shares of the answers become shares of the people who say yes to the filter.
    key : str
        Key of the composite question.

    Notes
    -----
    Only people who say yes are asked the other components. Levels start lower by the points of the filter.
    """
    found = _found(document, key)
    rule = None if found is None else _rule_without(found[1])
    if found is None or rule is None:
        return None
    entry, question = found
    component = question[COMPUTED][COMPONENTS][0]
    options = {level["option"] for level in rule["levels"]}
    left = {**question, COMPUTED: rule}
    if question.get("options"):
        left["options"] = [option for option in question["options"] if option["key"] in options]
    without = {name: value for name, value in left.items() if name not in ("unrelated", "prevalence")}
    left = kind_of(without).switch(without, protected=True)
    place = entry["questions"].index(question)
    asked = kind_of(component).switch(question_of(component, None, document), protected=False)
    used = {each["key"] for each in document["blocks"]}
    opened = {
        "key": free_key(f"{entry['key']}-filter"[:60], used),
        "protected": False,
        "questions": [asked],
    }
    used.add(opened["key"])
    condition = {"asked_if": {"question": component["key"], "options": [_YES]}}
    pieces: list[dict[str, Any]] = []
    for questions, members in (
        (entry["questions"][:place], {}),
        ([left], condition),
        (entry["questions"][place + 1 :], {}),
    ):
        if questions:
            taken = used if any(each["key"] == entry["key"] for each in pieces) else ()
            part = divided_part(entry, questions, taken, document) | members
            used.add(part["key"])
            pieces += [opened, part] if members else [part]
    at = document["blocks"].index(entry)
    blocks = [*document["blocks"][:at], *pieces, *document["blocks"][at + 1 :]]
    rotations = [each for each in document.get("rotations") or () if entry["key"] not in each["blocks"]]
    result = {name: value for name, value in document.items() if name != "rotations"} | {"blocks": blocks}
    return result | ({"rotations": rotations} if rotations else {}), _aim_among(aim, question, options)


def _found(document: Mapping[str, Any], key: str) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return a composite question and its part, if the part can be divided."""
    for entry in document["blocks"]:
        for question in entry["questions"]:
            if question["key"] == key and COMPUTED in question:
                is_whole = entry.get("asked_if") or entry.get("exclusive") or not entry["protected"]
                return None if is_whole else (entry, question)
    return None


def _rule_without(question: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the rule of a composite question for people who say yes to its filter.

    None if it has no filter: a first component, to answer yes or no, on which all others depend.
    """
    rule = question[COMPUTED]
    first, *others = rule[COMPONENTS]
    if (
        not others
        or first["kind"] != "yes_no"
        or first.get("instructed")
        or first.get("shared")
        or any(rule.get(name) for name in _RELATED)
        or rule["missing"]["as"] != "no_points"
        or not rule.get("levels")
    ):
        return None
    met = {"component": first["key"], "options": [_YES]}
    rest = []
    for component in others:
        if component.get("asked_if") != met:
            return None
        rest.append({name: value for name, value in component.items() if name != "asked_if"})
    none, gained = first.get("points") or [0, 0]
    levels = [(level["option"], level.get("from", 0) - gained) for level in rule["levels"]]
    # All points of these components are 0 or more, so 0 is the least sum.
    if none or gained < 0 or any(least < 0 for component in rest for least in _points(component)):
        return None
    start = max(place for place, (_option, least) in enumerate(levels) if place == 0 or least <= 0)
    kept = [{"option": levels[start][0]}]
    kept += [{"option": option, "from": least} for option, least in levels[start + 1 :]]
    # People who say no would be one of these levels, so the shares would not be those of people who say yes.
    if len(kept) < 2 or not start or rule["levels"][0]["option"] in {level["option"] for level in kept}:
        return None
    missing = {**rule["missing"], "at_most": min(rule["missing"]["at_most"], len(rest) - 1)}
    result = {name: value for name, value in rule.items() if name not in ("base", "neutral")}
    result |= {COMPONENTS: rest, "levels": kept, "missing": missing}
    if rule.get("base") in {level["option"] for level in kept[1:-1]}:
        result["base"] = rule["base"]
    return result


def _points(component: Mapping[str, Any]) -> Iterator[int]:
    yield from component.get("points") or ()
    yield from (option.get("points", 0) for option in component.get("options") or ())
    yield from (band.get("points", 0) for band in component.get("bands") or ())


def _aim_among(aim: Aim, question: Mapping[str, Any], options: set[str]) -> Aim:
    """Return an aim for people who say yes to a filter: without other answers, with their own shares."""
    own = {f"{question['key']}={option['key']}": option["key"] for option in question.get("options") or ()}
    kept = {item for item, option in own.items() if option in options}
    stated = {item: aim.shares[item] for item in kept if item in aim.shares}
    total = sum(stated.values()) if len(stated) == len(kept) else 0
    shares = {item: share for item, share in aim.shares.items() if item not in own}
    if total:
        shares |= {item: round(share * SCALE / total) for item, share in stated.items()}
    wanted = tuple(item for item in aim.wanted if item not in own or item in kept)
    return replace(aim, wanted=wanted, shares=shares)


def open_filters(
    definition: Definition, aim: Aim, now: Plan | None, *, waves: Sequence[WaveLine] = ()
) -> Iterator[OpenFilter]:
    """Yield the filters of a draft that could be stored as answered, if that narrows an interval.

    Parameters
    ----------
    definition : Definition
    aim : Aim
    now : Plan or None
        The plan of this draft.
    waves : sequence of WaveLine

    Notes
    -----
    A filter that looks sensitive, or in a language that no list of words reads, is never proposed
    (`surveys.questionnaire.readable.looks_harmless`).
    """
    document = definition.document
    for entry in document["blocks"] if now is not None else ():
        for question in entry["questions"]:
            changed = with_open_filter(document, aim, question["key"])
            if changed is None or now is None:
                continue
            component = question[COMPUTED][COMPONENTS][0]
            opened = definition_without_texts(changed[0])
            if opened is None or not looks_harmless(document, entry, component):
                continue
            after = plan(opened, changed[1].within(opened.design), waves=waves)
            found = None if after is None else _priced(now, after, question, component["key"])
            if found is not None and found.shares[0].after < found.shares[0].before:
                yield found


def _priced(now: Plan, after: Plan, question: Mapping[str, Any], component: str) -> OpenFilter | None:
    """Return the shares of people who say yes to a filter: disguised with it, and without."""
    key = question["key"]
    (before,) = (each for each in now.design.questions if each.key == key)
    (left,) = (each for each in after.design.questions if each.key == key)
    among = [before.options.index(option) for option in left.options]
    people = round(now.aim.people * sum(now.aim.shares_of(before)[place] for place in among))
    if people < LEAST_COMPLETE_ROWS:
        return None
    starred = [item for item in now.aim.wanted if item in left.item_keys]
    first = starred[0] if starred else left.item_keys[-1]
    return OpenFilter(
        key=key,
        component=component,
        people=people,
        shares=tuple(
            FilterShare(
                item=item,
                before=_width_before(now, before, item, among),
                after=half_width(asked_item(after.design, after.design.item(item), after.aim), people),
            )
            for item in dict.fromkeys([first, *left.item_keys])
        ),
        uses=(now.use, after.use),
    )


def _width_before(now: Plan, question: Question, item: str, among: Sequence[int]) -> float:
    """Return the half-width of an answer's share among people who have one of several answers."""
    asked = now.design.item(item)
    block = now.design.blocks[asked.block]
    answering = 1 - (block.refusal or 0) / SCALE
    return width_among(
        truth=float(block.truth),
        decoys=[each / SCALE * answering for each in question.unrelated],
        shares=now.aim.shares_of(question),
        option=asked.option,
        among=among,
        people=now.aim.people * float(now.design.drawn_together([asked.question])),
    )
