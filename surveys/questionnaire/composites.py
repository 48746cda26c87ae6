"""How a definition states a composite question: components with texts, points, steps, levels and gaps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from django.utils.translation import gettext as _

from privacy.errors import PrivacyError
from privacy.survey import composite_json
from privacy.survey.block import Block
from privacy.survey.component import COMPONENT_CLASSES, MOST_OPTIONS, Component
from privacy.survey.composed_block import block_components, check_together, shared_filters
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import MOST_COMPONENTS, MOST_STEPS
from privacy.survey.design import MOST_QUESTIONS, Design
from privacy.survey.reachable_sums import ReachableSums
from surveys.formats.joints import list_text
from surveys.formats.numbers import count_text
from surveys.questionnaire.document import Node
from surveys.questionnaire.exclusive_wordings import means_none
from surveys.questionnaire.languages import plain_texts

COMPUTED: Final = "computed"
"""Member of a question in definitions and designs."""
COMPONENTS: Final = "components"
"""Member of a question's wording: the texts of its components."""
SOURCE: Final = "source"
"""Member of the rule, and of the question's wording: where a cut-off was published."""
SET_ASIDE: Final = "set_aside"
"""Member of a draft with questions that it does not ask now (`surveys.questionnaire.one_answer`)."""
NEUTRAL: Final = "neutral"
"""Member of a rule in definitions, and of the question's wording: questions shown instead of follow-ups.

They are wording, because no answer to them is read or sent. The design alone decides how many are shown,
and to whom.
"""
NONE: Final = "none"

_MEMBERS: Final = {
    "component": (("key", "kind", "text"), ("help", *composite_json.MEMBERS["component"][1])),
    "option": (("key", "text"), ("points",)),
    "number": (("low", "high"), ("unit",)),
    "neutral": (("text",), ()),
}
_PARTS: Final = (("uses", MOST_OPTIONS), ("steps", MOST_STEPS), ("levels", MOST_OPTIONS))
_MOST_BANDS: Final = 200
_KEYS: Final = ("base", "placebo_of", "other_half")

_Part = TypeVar("_Part")


def open_references(question: Mapping[str, Any]) -> set[str]:
    """Return the keys of the open questions on which the rule of a definition's question depends.

    >>> open_references({"computed": {"uses": [{"question": "sex"}], "components": [
    ...     {"asked_if": {"all": [{"question": "job"}, {"component": "a"}]}}]}}) == {"sex", "job"}
    True
    """
    rule = question.get(COMPUTED)
    uses, components = (_objects(rule, name) for name in ("uses", COMPONENTS))
    terms = [*uses]
    for component in components:
        condition = component.get("asked_if")
        terms += [*_objects(condition, "all"), *_objects(condition, "any"), *_objects([condition])]
    return {key for term in terms if isinstance(key := term.get("question"), str)}


def _objects(value: object, name: str = "") -> list[dict[str, Any]]:
    """Return the objects in a list, or in that member of an object; drafts may be malformed."""
    if name:
        value = value.get(name) if isinstance(value, dict) else None
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def read_computed(node: Node, choices: Sequence[str] = ()) -> tuple[Composite | None, dict[str, Any]]:
    """Return the rule of a composite question, and its member of the wording with the components' texts.

    Parameters
    ----------
    node : Node
        The member ``computed``; without a value for a question that respondents answer.
    choices : sequence of str
        Keys of the question's options, which levels may name; empty for a number.

    Returns
    -------
    tuple of (Composite or None, dict)
        None and an empty dictionary for other questions, or after noting problems.
    """
    if node.value is None:
        return None, {}
    needed, optional = composite_json.MEMBERS[COMPUTED]
    if not node.has_members(needed, (*optional, NEUTRAL, SOURCE)):
        return None, {}
    source = node.at(SOURCE).text_or_none()
    components = [_read_component(entry) for entry in node.at(COMPONENTS).entries(most=MOST_COMPONENTS)]
    readers: dict[str, Callable[[object], Any]] = {
        "uses": composite_json.read_use,
        "steps": composite_json.read_step,
        "levels": composite_json.read_level,
    }
    parts: dict[str, Any] = {
        name: [_part(entry, readers[name]) for entry in node.at(name).entries(most=most)]
        for name, most in _PARTS
        if node.value.get(name) is not None
    }
    missing = _part(node.at("missing"), composite_json.read_gaps)
    if choices and node.value.get("levels") is not None:
        for entry in node.at("levels").entries(most=MOST_OPTIONS):
            option = entry.value.get("option") if isinstance(entry.value, dict) else None
            if isinstance(option, str) and option not in choices:
                entry.at("option").wrong(
                    _("unknown option: %(value)s"), _("use one of %(options)s"), options=list_text(choices)
                )
    for name in _KEYS:
        own = node.at(name)
        if own.value is not None and not isinstance(own.value, str):
            own.wrong(
                _("%(value)s is not the key of an option")
                if name == "base"
                else _("%(value)s is not the key of a question"),
                _("name one, or leave it out"),
            )
    if node.has_problems() or missing is None:
        return None, {}
    read = [component for component in components if component is not None]
    _check_possible_gaps(node.at("missing"), [own for own, _words in read if not own.instructed])
    for number, step in enumerate(parts.get("steps", ())):
        added = [each for each, _words in read if each.key in step.of]
        if step.missing is not None and added:
            _check_possible_gaps(node.at("steps").at(number).at("missing"), added)
    if node.has_problems():
        return None, {}
    neutral = _read_neutral(node.at(NEUTRAL), followers=sum(own.is_follower for own, _words in read))
    if neutral is None:
        return None, {}
    keys: dict[str, Any] = {name: node.value.get(name) or "" for name in _KEYS}
    try:
        rule = Composite(
            components=tuple(component for component, _words in read),
            missing=missing,
            **{name: tuple(entries) for name, entries in parts.items()} | keys,
        )
    except PrivacyError as error:
        _place_of(error, node).note_refusal(error)
        return None, {}
    return rule, {
        COMPONENTS: [words for _component, words in read],
        **neutral,
        **({SOURCE: source} if source else {}),
    }


def reach_of(rule: object) -> ReachableSums | None:
    """Return the sums that a rule can reach, even if its levels are wrong; None if it cannot be read.

    Parameters
    ----------
    rule : object
        The member ``computed`` of a question in a draft.

    Examples
    --------
    >>> reach_of({"components": [{"key": "hit", "kind": "yes_no", "text": {}}], "missing": {
    ...     "at_most": 0, "as": "no_points"}, "levels": "?"})
    ReachableSums(sums=(0,), is_exact=True)
    """
    if not isinstance(rule, dict):
        return None
    node = Node(value=rule, path="", is_worded=False)
    try:
        parts: dict[str, Any] = {
            name: tuple(read(entry.value) for entry in node.at(name).entries(most=most))
            for name, most, read in (
                ("uses", MOST_OPTIONS, composite_json.read_use),
                ("steps", MOST_STEPS, composite_json.read_step),
            )
            if rule.get(name) is not None
        }
        entries = node.at(COMPONENTS).entries(most=MOST_COMPONENTS)
        components = [read for entry in entries if (read := _read_component(entry)) is not None]
        missing = composite_json.read_gaps(rule.get("missing"))
        if node.has_problems() or not components:
            return None
        return Composite(
            components=tuple(component for component, _words in components), missing=missing, **parts
        ).reach
    except PrivacyError as error:
        is_flat = error.case == "computed.no_points"
        return ReachableSums(sums=(error.value,)) if is_flat else None


_MEMBER_OF: Final = {
    "computed.components": COMPONENTS,
    "computed.deciders": COMPONENTS,
    "computed.no_points": COMPONENTS,
    "computed.steps": "steps",
    "computed.step_of": "steps",
    "computed.step_points": "steps",
    "computed.base": "base",
    **dict.fromkeys(
        (
            "computed.no_levels",
            "computed.first_start",
            "computed.descending",
            "computed.same_start",
            "computed.unreached",
            "computed.unreached_first",
        ),
        "levels",
    ),
}
"""The member of a rule that an error concerns, so that its field shows it."""


def _place_of(error: PrivacyError, node: Node) -> Node:
    """Return the node of the member that an error concerns: a component, a level, or the whole rule."""
    member = _MEMBER_OF.get(error.case, "")
    keys = [entry.get("key") for entry in _objects(node.value, COMPONENTS)]
    if not member:
        key = error.fields.get("key")
        return node.at(COMPONENTS).at(keys.index(key)) if key in keys else node
    starts = [level.get("from") for level in _objects(node.value, "levels")]
    if member == "levels" and error.value in starts and error.value is not None:
        # Of two levels with one start, the later one is wrong.
        return node.at("levels").at(len(starts) - 1 - starts[::-1].index(error.value)).at("from")
    return node.at(member)


def _check_possible_gaps(node: Node, counted: Sequence[Component]) -> None:
    """Note a rule that allows a gap in each component: without any answer, the result is a skip."""
    most = len(counted) - 1
    if node.value["at_most"] > most >= 0:
        node.at("at_most").wrong(
            _("%(gaps)s gaps are too many: of %(count)s components at least one needs an answer"),
            _("allow at most %(most)s"),
            gaps=count_text(node.value["at_most"]),
            count=count_text(len(counted)),
            most=count_text(most),
        )


def refuse_computed(node: Node) -> tuple[str, ...]:
    """Note a rule of a question whose kind cannot have one; return its member, if there is one.

    Parameters
    ----------
    node : Node
        The question.
    """
    if not isinstance(node.value, dict) or COMPUTED not in node.value:
        return ()
    node.at(COMPUTED).wrong(
        _("a question of kind %(kind)s cannot be computed from components"),
        _("use the kind yes_no, single or number"),
        kind=node.value.get("kind"),
    )
    return (COMPUTED,)


def _read_neutral(node: Node, *, followers: int) -> dict[str, Any] | None:
    """Return the wording's member for neutral questions, empty without them; None after noting problems.

    Parameters
    ----------
    node : Node
        The member ``neutral`` of a rule.
    followers : int
        Number of components that are asked only after certain answers to others.
    """
    if node.value is None:
        return {}
    entries = node.entries(most=MOST_COMPONENTS)
    texts = [entry.at("text").text() for entry in entries if entry.has_members(*_MEMBERS["neutral"])]
    if node.has_problems():
        return None
    counts = {"count": count_text(len(texts)), "needed": count_text(followers)}
    if not followers:
        node.wrong(
            _("neutral questions are shown instead of follow-ups, but no component depends on another one"),
            _("remove them"),
        )
    elif len(texts) < followers:
        node.wrong(
            _("%(count)s neutral questions cannot replace %(needed)s follow-ups"),
            _("write %(needed)s, one for each component that depends on another one"),
            **counts,
        )
    elif len(texts) > followers:
        node.wrong(
            _("of %(count)s neutral questions at most %(needed)s are ever shown"),
            _("keep %(needed)s, one for each component that depends on another one"),
            **counts,
        )
    return None if node.has_problems() else {NEUTRAL: texts}


def check_composites_together(node: Node, block: Block, words: Sequence[Mapping[str, Any]]) -> None:
    """Note what is wrong between the composite questions of one block.

    Parameters
    ----------
    node : Node
        The block.
    block : Block
    words : sequence of mapping
        The wording of its questions.
    """
    try:
        check_together(block)
    except PrivacyError as error:
        node.note_refusal(error)
        return
    shared = shared_filters(block)
    first: dict[str, Mapping[str, Any]] = {}
    for position, own in enumerate(words):
        for place, component in enumerate(own.get(COMPONENTS, ())):
            key = component["key"]
            if key in shared and component != first.setdefault(key, component):
                node.at("questions").at(position).at(COMPUTED).at(COMPONENTS).at(place).wrong(
                    _("the shared component %(key)s has other texts in another question of the part"),
                    _("give it the same texts in each: people see it once"),
                    key=key,
                )


def check_number_of_components(node: Node, design: Design) -> None:
    """Note that people would see more questions than a survey may have.

    Parameters
    ----------
    node : Node
        The blocks.
    design : Design
    """
    components = sum(len(block_components(block)) for block in design.blocks)
    count = components + sum(question.computed is None for question in design.questions)
    if components and count > MOST_QUESTIONS:
        node.wrong(
            _("with the components of composite questions, the survey has %(count)s questions"),
            _("use at most %(most)s"),
            count=count,
            most=MOST_QUESTIONS,
        )


def _part(node: Node, read: Callable[[object], _Part]) -> _Part | None:
    """Return a part without texts, or None after noting why it is wrong."""
    try:
        return read(node.value)
    except PrivacyError as error:
        node.note_refusal(error)
        return None


def _read_component(node: Node) -> tuple[Component, dict[str, Any]] | None:
    """Return a component with its texts; None after noting the problem."""
    if not node.has_members(*_MEMBERS["component"]):
        return None
    own = dict(node.value)
    if own.get("shared") is False:
        del own["shared"]
    words: dict[str, Any] = {
        "key": own["key"],
        "text": node.at("text").text(),
        "help": node.at("help").text_or_none(),
        "options": [],
    }
    if "options" in own:
        entries = node.at("options").entries(most=MOST_OPTIONS)
        options = [entry for entry in entries if entry.has_members(*_MEMBERS["option"])]
        words["options"] = [{"key": entry.value["key"], "text": entry.at("text").text()} for entry in options]
        own["options"] = [
            {"key": entry.value["key"], "points": entry.value.get("points", 0)} for entry in options
        ]
    elif isinstance(own["kind"], str) and "points" in getattr(
        COMPONENT_CLASSES.get(own["kind"]), "members", ()
    ):
        own.setdefault("points", [0, 0])
    number = node.at("number")
    if number.value is not None and number.has_members(*_MEMBERS["number"]):
        unit = number.at("unit").text_or_none()
        words |= {"unit": unit} if unit else {}
        own["number"] = {name: value for name, value in number.value.items() if name != "unit"}
    if own.get("bands") is not None:
        node.at("bands").entries(most=_MOST_BANDS)
    if node.has_problems():
        return None
    plain = {name: value for name, value in own.items() if name not in ("text", "help")}
    component = _part(
        Node(value=plain, path=node.path, problems=node.problems), composite_json.read_component
    )
    if component is None:
        return None
    none = next(
        (option["key"] for option in words["options"] if means_none(plain_texts(option["text"]))), None
    )
    return component, words | ({NONE: none} if component.is_several and none is not None else {})
