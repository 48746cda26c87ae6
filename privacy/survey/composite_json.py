"""The JSON form of the rule of a composite question, as it is in a design.

Every rule has exactly one form: optional members are omitted if they are empty, and refused if present.
Definition files have the same form with texts, and may also leave out points of 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from privacy import validation
from privacy.errors import PrivacyError
from privacy.survey.component import COMPONENT_CLASSES, Band, Component, When, Whens
from privacy.survey.composite import Composite
from privacy.survey.composite_parts import Gaps, Level, Step, Use
from privacy.survey.conditions import JOINS

MEMBERS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "computed": (("components", "missing"), ("uses", "steps", "levels", "base", "placebo_of", "other_half")),
    "component": (
        ("key", "kind"),
        ("options", "points", "number", "bands", "asked_if", "instructed", "shared"),
    ),
    "option": (("key", "points"), ()),
    "number": (("low", "high"), ()),
    "band": (("from", "to", "points"), ()),
    "use": (("question", "points"), ()),
    "step": (("key", "of", "levels"), ("points", "missing")),
    "level": (("option",), ("from",)),
    "step level": (("points",), ("from",)),
    "missing": (("at_most", "as"), ()),
}
"""Required and optional members of each part."""


def write(composite: Composite) -> dict[str, Any]:
    """Return a rule as nested dictionaries and lists.

    Parameters
    ----------
    composite : Composite

    Examples
    --------
    >>> act = Component(key="act", kind="yes_no", points=(0, 1))
    >>> rule = Composite(components=(act,), missing=Gaps(at_most=0, fill="no_points"),
    ...     levels=(Level(option="no"), Level(start=1, option="yes")))
    >>> write(rule)["components"], write(rule)["levels"]
    ([{'key': 'act', 'kind': 'yes_no', 'points': [0, 1]}], [{'option': 'no'}, {'option': 'yes', 'from': 1}])
    >>> read(write(rule)) == rule
    True
    """
    parts = {
        "components": [_component(component) for component in composite.components],
        "missing": _gaps(composite.missing),
        "uses": [{"question": use.question, "points": dict(use.points)} for use in composite.uses],
        "steps": [_step(step) for step in composite.steps],
        "levels": [{"option": level.option, **_start(level)} for level in composite.levels],
        "base": composite.base,
        "placebo_of": composite.placebo_of,
        "other_half": composite.other_half,
    }
    return {name: part for name, part in parts.items() if part or name in MEMBERS["computed"][0]}


def _component(component: Component) -> dict[str, Any]:
    written: dict[str, Any] = {"key": component.key, "kind": component.kind, **component.stated()}
    if component.asked_if is not None:
        terms = [
            {
                name: value
                for name, value in (("component", term.component), ("question", term.question))
                if value
            }
            | {"options": list(term.options)}
            for term in component.asked_if.terms
        ]
        written["asked_if"] = terms[0] if len(terms) == 1 else {component.asked_if.joined: terms}
    if component.instructed:
        written["instructed"] = component.instructed
    if component.shared:
        written["shared"] = True
    return written


def _step(step: Step) -> dict[str, Any]:
    return {
        "key": step.key,
        "of": list(step.of),
        "levels": [{"points": level.points, **_start(level)} for level in step.levels],
        **({"points": {key: list(points) for key, points in step.points}} if step.points else {}),
        **({} if step.missing is None else {"missing": _gaps(step.missing)}),
    }


def _start(level: Level) -> dict[str, int]:
    return {} if level.start is None else {"from": level.start}


def _gaps(missing: Gaps) -> dict[str, Any]:
    return {"at_most": missing.at_most, "as": missing.fill}


def read(document: object) -> Composite:
    """Return the rule that a JSON document describes; the inverse of `write`.

    Parameters
    ----------
    document : object
        Decoded JSON.

    Raises
    ------
    PrivacyError
        ``malformed`` if a part is missing, unknown or of the wrong shape; otherwise the errors of the parts.
    """
    own = members(document, "computed")
    return Composite(
        components=tuple(read_component(entry) for entry in _list(own["components"], "components")),
        missing=read_gaps(own["missing"]),
        uses=tuple(read_use(entry) for entry in _list(own.get("uses", []), "uses")),
        steps=tuple(read_step(entry) for entry in _list(own.get("steps", []), "steps")),
        levels=tuple(read_level(entry) for entry in _list(own.get("levels", []), "levels")),
        **{name: _text(own.get(name, ""), name) for name in ("base", "placebo_of", "other_half")},
    )


def read_component(document: object) -> Component:
    """Return a component; a yes/no question needs `points`, a list `options`, a number its range.

    Parameters
    ----------
    document : object
        Decoded JSON.
    """
    own = members(document, "component")
    fields: dict[str, Any] = {"key": own["key"], "kind": own["kind"]}
    kind = COMPONENT_CLASSES.get(own["kind"]) if isinstance(own["kind"], str) else None
    present = {name for name in ("points", "options", "number", "bands") if name in own}
    if kind is not None and kind.members[0] not in present:
        raise PrivacyError("computed.lacks", kind.members[0], code="malformed", name=own["key"])
    if kind is not None and (others := sorted(present - {*kind.members})):
        raise PrivacyError("computed.of_kind", others[0], code="malformed", key=own["key"], kind=own["kind"])
    if "points" in own:
        fields["points"] = _list(own["points"], "points")
    if "options" in own:
        options = [members(entry, "option") for entry in _list(own["options"], "options")]
        fields["options"] = tuple(option["key"] for option in options)
        fields["points"] = tuple(option["points"] for option in options)
    if own.get("number") is not None:
        fields |= members(own["number"], "number")
        bands = [members(entry, "band") for entry in _list(own.get("bands", []), "bands")]
        fields["bands"] = tuple(Band(low=band["from"], high=band["to"]) for band in bands)
        fields["points"] = tuple(band["points"] for band in bands)
    if "asked_if" in own:
        fields["asked_if"] = read_whens(own["asked_if"])
    if "instructed" in own:
        fields["instructed"] = _text(own["instructed"], "instructed")
    if "shared" in own:
        fields["shared"] = own["shared"]
    return Component(**fields)


def read_whens(document: object) -> Whens:
    """Return the conditions of a component: a single one, or several joined by ``all`` or ``any``.

    Parameters
    ----------
    document : object
        Decoded JSON.
    """
    for joined in JOINS:
        if isinstance(document, dict) and set(document) == {joined}:
            terms = _list(document[joined], f"{joined} of asked_if")
            if len(terms) < 2:
                raise PrivacyError("asked_if.few", len(terms), joined=joined)
            return Whens(joined=joined, terms=tuple(_when(term) for term in terms))
    return Whens(terms=(_when(document),))


def _when(document: object) -> When:
    for source in ("component", "question"):
        if isinstance(document, dict) and set(document) == {source, "options"}:
            return When(**{source: _text(document[source], source)}, options=document["options"])
    raise PrivacyError("computed.when", document, code="malformed")


def read_use(document: object) -> Use:
    """Return the points of an open question.

    Parameters
    ----------
    document : object
        Decoded JSON.
    """
    own = members(document, "use")
    return Use(
        question=own["question"],
        points=tuple(sorted(_mapping(own["points"], f"points of {own['question']}").items())),
    )


def read_step(document: object) -> Step:
    """Return a step.

    Parameters
    ----------
    document : object
        Decoded JSON.
    """
    own = members(document, "step")
    points = _mapping(own.get("points", {}), f"points of step {own['key']}")
    levels = [members(entry, "step level") for entry in _list(own["levels"], "levels")]
    return Step(
        key=own["key"],
        of=_list(own["of"], "of"),
        points=tuple((key, _list(points[key], "points")) for key in sorted(points)),
        levels=tuple(Level(start=level.get("from"), points=level["points"]) for level in levels),
        missing=read_gaps(own["missing"]) if "missing" in own else None,
    )


def read_level(document: object) -> Level:
    """Return a level of the question.

    Parameters
    ----------
    document : object
        Decoded JSON.
    """
    own = members(document, "level")
    return Level(option=validation.key(own["option"], "option of a level"), start=own.get("from"))


def read_gaps(document: object) -> Gaps:
    """Return a rule for gaps.

    Parameters
    ----------
    document : object
        Decoded JSON.
    """
    own = members(document, "missing")
    return Gaps(at_most=own["at_most"], fill=own["as"])


def members(document: object, name: str) -> dict[str, Any]:
    """Return a copy of a part's members; refuse missing, unknown and empty optional ones.

    Parameters
    ----------
    document : object
    name : str
        A key of `MEMBERS`.
    """
    needed, optional = MEMBERS[name]
    if not isinstance(document, dict):
        raise PrivacyError("computed.object", document, code="malformed", name=name, keys=", ".join(needed))
    known = (*needed, *optional)
    for key in document:
        if key not in known:
            raise PrivacyError("computed.unknown", key, code="malformed", name=name, keys=", ".join(known))
    for key in needed:
        if key not in document:
            raise PrivacyError("computed.lacks", key, code="malformed", name=name)
    present = [key for key in optional if key in document]
    for key in present:
        if document[key] in (None, "", [], {}) or document[key] is False:
            raise PrivacyError("malformed.absent", document[key], name=key)
    return dict(document)


def _list(value: object, name: str) -> tuple[Any, ...]:
    return validation.as_tuple(value, name)


def _mapping(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise PrivacyError("computed.mapping", value, code="malformed", name=name)
    return value


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise PrivacyError("instance", value, code="malformed", name=name, wanted="str")
    return value
