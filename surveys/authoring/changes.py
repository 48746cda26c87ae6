"""How a draft differs from what was published last, in words that can be read before publishing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.survey.design_json import read_disguise
from surveys.authoring.builder_texts import builder_texts
from surveys.models import Survey, Version
from surveys.questionnaire.arms import EXPLANATIONS, WORDINGS
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.disguise_facts import disguise_facts, epsilon_text
from surveys.questionnaire.panel import PANEL
from surveys.questionnaire.rankings import RANKING
from surveys.questionnaire.schedule import Schedule, local_text

Kind = Literal["design", "wording", "schedule"]


@dataclass(frozen=True, kw_only=True)
class Change:
    """One difference.

    Parameters
    ----------
    kind : str
        "design" changes what answers mean or how they are disguised, and starts counting anew; "wording" and
        "schedule" do not.
    path : str
        What differs, by keys: "silence.unreported.unrelated".
    text : str
        The difference in words.
    before, after : str
        How it reads; empty where there is nothing.
    """

    kind: Kind
    path: str
    text: str
    before: str = ""
    after: str = ""


def same_version(version: Version, definition: Definition) -> bool:
    """Return whether publishing this definition would make nothing new of the version."""
    return (version.design_id, version.wording_id) == (definition.design.design_id, definition.wording_id)


def schedule_of(survey: Survey) -> Schedule:
    """Return the schedule that the survey was published with."""
    return Schedule(
        time_zone=survey.time_zone,
        opens_at=survey.opens_at,
        closes_at=survey.closes_at,
        delete_at=survey.delete_at,
    )


def changes_of(survey: Survey, version: Version | None, definition: Definition) -> tuple[Change, ...]:
    """Return what publishing the definition would change; nothing for a first version."""
    if version is None:
        return ()
    schedule = _schedule_changes(schedule_of(survey), definition.schedule)
    return (*version_changes(version.design, version.wording, definition), *schedule)


def version_changes(
    design: dict[str, Any], wording: dict[str, Any], after: Definition | Version
) -> tuple[Change, ...]:
    """Return how a later version, or a definition, differs from an earlier design and wording."""
    later = after.design if isinstance(after, Version) else after.design.to_json()
    return (
        *_differences("design", _design_facts(design), _design_facts(later)),
        *_differences("wording", _wording_facts(wording), _wording_facts(after.wording), common_only=True),
    )


def _differences(
    kind: Kind, before: Mapping[str, str], after: Mapping[str, str], *, common_only: bool = False
) -> Iterator[Change]:
    parts_before, parts_after = _parts(before), _parts(after)
    for path in sorted({*before, *after}, key=[*before, *after].index):
        old, new = before.get(path), after.get(path)
        if old == new:
            continue
        part = path.rpartition("/")[0]
        if part and (part not in parts_before or part not in parts_after):
            # The whole part came or went, which the design's changes say once.
            if path.endswith("/") and not common_only:
                text = _("%(part)s is new") if old is None else _("%(part)s is gone")
                yield Change(kind=kind, path=part, text=text % {"part": part.replace("/", ", ")})
            continue
        name = path.strip("/").replace("/", ", ")
        text = {
            (True, False): _("%(name)s is new: %(after)s"),
            (False, True): _("%(name)s is gone: %(before)s"),
            (False, False): _("%(name)s: %(before)s becomes %(after)s"),
        }[old is None, new is None]
        yield Change(
            kind=kind,
            path=path.strip("/"),
            text=text % {"name": name, "before": old, "after": new},
            before=old or "",
            after=new or "",
        )


def _parts(facts: Mapping[str, str]) -> set[str]:
    return {path.rpartition("/")[0] for path in facts}


def _condition_text(condition: dict[str, Any] | None) -> str:
    if not condition:
        return _("always")
    for joined, word in (("all", _("and")), ("any", _("or"))):
        if joined in condition:
            return f" {word} ".join(f"({_condition_text(term)})" for term in condition[joined])
    return f"{condition['question']} = {' / '.join(condition['options'])}"


def _design_facts(design: dict[str, Any]) -> dict[str, str]:
    """Return what a design says, by place: "block/question/name"; one that ends in "/" says that it is."""
    texts = builder_texts()
    facts = {_("who is disguised"): _group_text(design)}
    if "invited" in design:
        facts[_("decided by the invitation")] = design["invited"]
    for block in design["blocks"]:
        here = block["key"]
        facts |= {
            f"{here}/": here,
            _at(here, _("disguised")): _("yes") if block["protected"] else _("no"),
            _at(here, _("p, the chance that it is sent as it is")): _share(block["truth_probability"]),
            **({_at(here, _("the same, lightly disguised")): _light_text(block)} if "light" in block else {}),
            _at(here, _("chance of a drawn skip")): _share(block["refusal"])
            if block["refusal"] is not None
            else _("no skipping"),
            _at(here, _("asked")): _condition_text(block["asked_if"]),
            **_rotating_facts(block),
            **(
                {_at(here, _("answers changed at most where it is not random")): str(block["radius"])}
                if "radius" in block
                else {}
            ),
            _at(here, _("questions in order")): ", ".join(question["key"] for question in block["questions"]),
        }
        for question in block["questions"]:
            there = f"{here}/{question['key']}"
            facts |= {
                f"{there}/": question["key"],
                _at(there, _("kind")): texts.get(f"kind_{question['kind']}", question["kind"]),
                _at(there, _("options in order")): ", ".join(question["options"]),
                _at(there, _("chances of drawn answers")): ", ".join(map(_share, question["unrelated"])),
            }
            if "anchor" in question:
                facts[_at(there, _("true, as everybody knows, of"))] = question["anchor"]
            if "shares" in question:
                facts[_at(there, _("chances of the arms"))] = ", ".join(map(_share, question["shares"]))
            if "disguise" in question:
                facts |= {_at(there, name): text for name, text in disguise_facts(question)}
    facts[_("parts in order")] = _keys(design["blocks"])
    if "rotations" in design:
        facts[_("parts for each person")] = "; ".join(
            _("%(count)s of %(parts)s")
            % {"count": rotation["parts_per_person"], "parts": ", ".join(rotation["blocks"])}
            for rotation in design["rotations"]
        )
    return facts


def _rotating_facts(block: dict[str, Any]) -> dict[str, str]:
    """Return how many questions of a part each person is asked, and which sets; nothing where all are."""
    if "questions_per_person" not in block:
        return {}
    here, listed = block["key"], block.get("booklets")
    return {
        _at(here, _("questions for each person")): _("%(count)s of %(total)s")
        % {"count": block["questions_per_person"], "total": len(block["questions"])},
        _at(here, _("sets of questions")): _("all of that size")
        if listed is None
        else _("%(count)s sets (%(digest)s)") % {"count": len(listed), "digest": _digest(listed)},
    }


def _wording_facts(wording: dict[str, Any]) -> dict[str, str]:
    facts = dict(_texts(_("title"), wording["title"]))
    if "languages" in wording:
        facts[_("languages")] = ", ".join(wording["languages"])
    if PANEL in wording:
        facts[_("back to a panel")] = wording[PANEL]
    said = builder_texts()
    for name, texts in wording["about"].items():
        facts |= dict(_texts(said.get(f"about_{name}", name), texts))
    facts |= _by_arm(_("explanation"), wording.get(EXPLANATIONS))
    for block in wording["blocks"]:
        here = block["key"]
        facts |= dict(_texts(_at(here, _("title")), block["title"]))
        facts |= dict(_texts(_at(here, _("help")), block.get("help")))
        if "exclusive" in block:
            facts[_at(here, _("answers that cannot be true together"))] = "; ".join(
                map(", ".join, block["exclusive"])
            )
        for question in block["questions"]:
            there = f"{here}/{question['key']}"
            facts |= dict(_texts(_at(there, _("text")), question["text"]))
            facts |= dict(_texts(_at(there, _("unit")), question.get("unit")))
            facts |= _by_arm(_at(there, _("text")), question.get(WORDINGS))
            if question.get("outline"):
                facts[_at(there, _("outline"))] = _points(question["outline"])
            facts |= dict(_texts(_at(there, _("help")), question["help"]))
            if "look" in question:
                facts[_at(there, _("look"))] = question["look"]
            for option, most in question.get("quotas", {}).items():
                facts[_at(there, option, _("quota"))] = str(most)
            if question["prevalence"]:
                facts[_at(there, _("stated prevalence"))] = ", ".join(map(_share, question["prevalence"]))
            if question.get(RANKING):
                facts[_at(there, _("things to put in order"))] = _keys(question[RANKING])
            # Of a ranking what is written, not each order that is made of it.
            for option in question.get(RANKING) or question["options"]:
                facts |= dict(_texts(f"{there}/{option['key']}", option["text"]))
    return facts


def _by_arm(path: str, stated: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the texts that hang on an arm."""
    return {
        path_in_language: text
        for option, texts in (stated or {"texts": {}})["texts"].items()
        for path_in_language, text in _texts(f"{path}, {option}", texts)
    }


def _texts(path: str, texts: Mapping[str, str] | None) -> Iterator[tuple[str, str]]:
    for language, text in (texts or {}).items():
        yield f"{path} ({language})", text


def _points(rings: list[Any]) -> str:
    return _("%(count)s points (%(digest)s)") % {"count": sum(map(len, rings)), "digest": _digest(rings)}


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:8]


def _schedule_changes(before: Schedule, after: Schedule) -> Iterator[Change]:
    facts = []
    for schedule in (before, after):
        zone = schedule.time_zone
        times = {_("opening"): schedule.opens_at, _("closing"): schedule.closes_at}
        stated = {name: f"{local_text(at, zone)} ({zone})" for name, at in times.items() if at}
        if schedule.delete_on:
            stated[_("deletion")] = schedule.delete_on.isoformat()
        facts.append(stated)
    yield from _differences("schedule", *facts)


def _light_text(block: dict[str, Any]) -> str:
    light, (question, *_others) = block["light"], block["questions"]
    if isinstance(light, dict):
        return f"ε {epsilon_text(read_disguise(question['kind'], light))}"
    return _share(light)


def _group_text(design: dict[str, Any]) -> str:
    group = design["group"]
    if any("light" in block for block in design["blocks"]):
        return {
            "choice": _("each respondent chooses, strongly or lightly"),
            "assigned": _("the device draws, lightly with chance %(share)s")
            % {"share": _share(group["direct_share"] or 0)},
        }[group["policy"]]
    return {
        "protected": _("everyone"),
        "choice": _("each respondent chooses"),
        "assigned": _("the device draws, direct with chance %(share)s")
        % {"share": _share(group["direct_share"] or 0)},
    }[group["policy"]]


def _at(*path: str) -> str:
    return "/".join(path)


def _keys(parts: list[dict[str, Any]]) -> str:
    return ", ".join(part["key"] for part in parts)


def _share(ten_thousandths: int) -> str:
    return f"{100 * ten_thousandths / SCALE:g} %"
