"""Differences between two versions of a survey: of design, wording and schedule."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import gettext as _

from privacy.coins import SCALE
from privacy.survey.design import Design
from privacy.survey.design_json import read_disguise
from surveys.authoring.builder_texts import FORM_TEXTS
from surveys.authoring.disguise_facts import disguise_facts
from surveys.authoring.published_state import schedule_of
from surveys.formats.disguise_bounds import epsilon_text
from surveys.formats.joints import join_sentences, list_text, series_text
from surveys.formats.numbers import count_text
from surveys.models import Survey, Version
from surveys.questionnaire.arms import EXPLANATIONS, WORDINGS
from surveys.questionnaire.composites import COMPONENTS, NEUTRAL
from surveys.questionnaire.definition import Definition
from surveys.questionnaire.formality import FORMALITY, address_word
from surveys.questionnaire.local_time import local_text
from surveys.questionnaire.panel import PANEL
from surveys.questionnaire.policy_words import policy_text
from surveys.questionnaire.promise_words import stated_in_words, stated_promises
from surveys.questionnaire.schedule import Schedule
from surveys.questionnaire.series import promises_to_publish
from surveys.questionnaire.stems import LINE, LINES, LOOK, STEMS
from surveys.questionnaire.turns import TURN

ChangeKind = Literal["design", "wording", "schedule"]


@dataclass(frozen=True, kw_only=True)
class VersionChange:
    """One difference.

    Parameters
    ----------
    kind : str
        "design" changes what answers mean or how they are disguised, and starts a new count; "wording" and
        "schedule" do not.
    path : str
        The changed place, by keys: "silence.unreported.unrelated".
    text : str
        The difference in words.
    before, after : str
        The old and the new text; empty if it was added or removed.
    """

    kind: ChangeKind
    path: str
    text: str
    before: str = ""
    after: str = ""


def changes_of(survey: Survey, version: Version | None, definition: Definition) -> tuple[VersionChange, ...]:
    """Return what publishing the definition would change; nothing for a first version."""
    if version is None:
        return ()
    schedule = _schedule_changes(schedule_of(survey), definition.schedule)
    return (
        *version_changes(version.design, version.wording, definition),
        *_promise_changes(version, definition),
        *schedule,
    )


def _promise_changes(version: Version, definition: Definition) -> Iterator[VersionChange]:
    """Yield the sentence on how sure anyone could become, if respondents read another one so far."""
    before, after = (
        stated_in_words(stated_promises(version)),
        stated_in_words(promises_to_publish(definition, version.survey)),
    )
    if before != after:
        old, new = join_sentences(before), join_sentences(after)
        values = {"name": _("How sure could anyone be?"), "before": old, "after": new}
        yield VersionChange(
            kind="wording",
            path="promise",
            text=_("%(name)s: %(before)s becomes %(after)s") % values,
            before=old,
            after=new,
        )


def version_changes(
    design: dict[str, Any], wording: dict[str, Any], after: Definition | Version
) -> tuple[VersionChange, ...]:
    """Return how a later version, or a definition, differs from an earlier design and wording."""
    later = after.design if isinstance(after, Version) else after.design.to_json()
    return (
        *_differences("design", _design_facts(design), _design_facts(later)),
        *_differences("wording", _wording_facts(wording), _wording_facts(after.wording), common_only=True),
    )


def _differences(
    kind: ChangeKind, before: Mapping[str, str], after: Mapping[str, str], *, common_only: bool = False
) -> Iterator[VersionChange]:
    parts_before, parts_after = _parts(before), _parts(after)
    for path in sorted({*before, *after}, key=[*before, *after].index):
        old, new = before.get(path), after.get(path)
        if old == new:
            continue
        part = path.rpartition("/")[0]
        if part and (part not in parts_before or part not in parts_after):
            # The whole part was added or removed. Only the design's changes report this.
            if path.endswith("/") and not common_only:
                text = _("%(part)s was added") if old is None else _("%(part)s was removed")
                yield VersionChange(kind=kind, path=part, text=text % {"part": part.replace("/", ", ")})
            continue
        name = path.strip("/").replace("/", ", ")
        text = {
            (True, False): _("%(name)s was added: %(after)s"),
            (False, True): _("%(name)s was removed: %(before)s"),
            (False, False): _("%(name)s: %(before)s becomes %(after)s"),
        }[old is None, new is None]
        yield VersionChange(
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
    for operator, word in (("all", _("and")), ("any", _("or"))):
        if operator in condition:
            return f" {word} ".join(f"({_condition_text(term)})" for term in condition[operator])
    return f"{condition['question']} = {' / '.join(condition['options'])}"


def _design_facts(design: dict[str, Any]) -> dict[str, str]:
    """Return a design's facts by place, "block/question/name". A place ending in "/" says that it exists."""
    facts = {_("whose answers are disguised"): policy_text(Design.from_json(design))}
    if "invited" in design:
        facts[_("decided by the invitation")] = design["invited"]
    for block in design["blocks"]:
        here = block["key"]
        facts |= {f"{here}/": here} | _below(here, _block_facts(block))
        for question in block["questions"]:
            there = f"{here}/{question['key']}"
            facts |= {f"{there}/": question["key"]} | _below(there, _question_facts(question))
    facts[_("order of the parts")] = _keys(design["blocks"])
    if "rotations" in design:
        facts[_("parts for each person")] = series_text(
            _("%(count)s of %(parts)s")
            % {"count": count_text(rotation["parts_per_person"]), "parts": list_text(rotation["blocks"])}
            for rotation in design["rotations"]
        )
    return facts


def _block_facts(block: dict[str, Any]) -> Iterator[tuple[str, str]]:
    refusal = block["refusal"]
    yield _("disguised"), _("yes") if block["protected"] else _("no")
    yield _("p, the probability that it is sent as it is"), _share(block["truth_probability"])
    if "light" in block:
        yield _("the same, lightly disguised"), _light_text(block)
    yield _("probability of a random skip"), _("cannot be skipped") if refusal is None else _share(refusal)
    yield _("asked"), _condition_text(block["asked_if"])
    if "questions_per_person" in block:
        counts = {"count": block["questions_per_person"], "total": len(block["questions"])}
        yield _("questions for each person"), _("%(count)s of %(total)s") % counts
        yield _("sets of questions"), _sets_text(block.get("booklets"))
    yield _("order of the questions"), _keys(block["questions"])


def _sets_text(booklets: list[Any] | None) -> str:
    if booklets is None:
        return _("all of that size")
    return _("%(count)s sets (%(digest)s)") % {
        "count": count_text(len(booklets)),
        "digest": _digest(booklets),
    }


def _question_facts(question: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield _("kind"), str(FORM_TEXTS.get(f"kind_{question['kind']}", question["kind"]))
    yield _("order of the options"), list_text(question["options"])
    yield _("probabilities of random answers"), _shares(question["unrelated"])
    if "anchor" in question:
        yield _("truth known to everyone"), question["anchor"]
    if "shares" in question:
        yield _("probabilities of the arms"), _shares(question["shares"])
    if "disguise" in question:
        yield from disguise_facts(question)
    if "computed" in question:
        yield from _rule_facts(question["computed"])


def _rule_facts(rule: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what determines the answer to a composite question; its components' texts are wording."""
    yield _("components"), list_text(component["key"] for component in rule["components"])
    for component in rule["components"]:
        yield (
            _("component %(key)s") % {"key": component["key"]},
            json.dumps(
                {name: value for name, value in component.items() if name != "key"}, ensure_ascii=False
            ),
        )
    for name, label in (
        ("uses", _("points of open questions")),
        ("steps", _("steps")),
        ("levels", _("levels")),
        ("base", _("base of further shares")),
        ("placebo_of", _("placebo index of")),
        ("other_half", _("other half")),
        ("missing", _("rule for gaps")),
    ):
        if name in rule:
            yield label, json.dumps(rule[name], ensure_ascii=False)


def _wording_facts(wording: dict[str, Any]) -> dict[str, str]:
    facts = dict(_texts(_("title"), wording["title"]))
    if "languages" in wording:
        facts[_("languages")] = list_text(wording["languages"])
    for tag in wording.get(FORMALITY, ()):
        facts[_("form of address (%(language)s)") % {"language": tag}] = address_word(wording, tag)
    if PANEL in wording:
        facts[_("back to a panel")] = wording[PANEL]
    if TURN in wording:
        facts[_("wave of the series")] = str(wording[TURN]["wave"])
    for name, texts in wording["about"].items():
        facts |= dict(_texts(str(FORM_TEXTS.get(f"about_{name}", name)), texts))
    facts |= dict(_by_arm(_("explanation"), wording.get(EXPLANATIONS)))
    for block in wording["blocks"]:
        here = block["key"]
        facts |= _below(here, _block_words(block))
        for question in block["questions"]:
            facts |= _below(f"{here}/{question['key']}", _question_words(question))
    return facts


def _block_words(block: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield from _texts(_("title"), block.get("title"))
    yield from _texts(_("help"), block.get("help"))
    if "exclusive" in block:
        yield _("answers that cannot be true together"), series_text(map(list_text, block["exclusive"]))
    for stem in block.get(STEMS, ()):
        name, more = _("list %(key)s") % {"key": stem["key"]}, _("help")
        yield from _texts(name, stem["text"])
        yield from _by_arm(name, stem.get(WORDINGS))
        yield from _texts(list_text((name, more)), stem.get("help"))
        yield _("look of the list %(key)s") % {"key": stem["key"]}, stem.get(LOOK, LINES)


def _question_words(question: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield from _texts(_("text"), question.get(LINE, question["text"]))
    yield from _texts(_("unit"), question.get("unit"))
    yield from _by_arm(_("text"), question.get(WORDINGS))
    if rings := question.get("outline"):
        counts = {"count": sum(map(len, rings)), "digest": _digest(rings)}
        yield _("outline"), _("%(count)s points (%(digest)s)") % counts
    yield from _texts(_("help"), question["help"])
    if "look" in question:
        yield _("look"), question["look"]
    if question["prevalence"]:
        yield _("expected share"), _shares(question["prevalence"])
    for option in question["options"]:
        yield from _texts(option["key"], option["text"])
    for component in question.get(COMPONENTS, ()):
        name, more, unit = _("component %(key)s") % {"key": component["key"]}, _("help"), _("unit")
        yield from _texts(name, component["text"])
        yield from _texts(list_text((name, more)), component["help"])
        yield from _texts(list_text((name, unit)), component.get("unit"))
        for option in component["options"]:
            yield from _texts(list_text((name, option["key"])), option["text"])
    for number, neutral in enumerate(question.get(NEUTRAL, ()), start=1):
        yield from _texts(_("neutral question %(number)s") % {"number": number}, neutral)


def _below(path: str, facts: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {f"{path}/{name}": text for name, text in facts}


def _by_arm(name: str, wordings: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    """Yield the texts that depend on a respondent's arm."""
    for option, texts in wordings["texts"].items() if wordings else ():
        yield from _texts(list_text((name, option)), texts)


def _texts(name: str, texts: Mapping[str, str] | None) -> Iterator[tuple[str, str]]:
    for language, text in (texts or {}).items():
        yield f"{name} ({language})", text


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:8]


def _schedule_changes(before: Schedule, after: Schedule) -> Iterator[VersionChange]:
    facts = []
    for schedule in (before, after):
        zone = schedule.time_zone
        times = {_("opening"): schedule.opens_at, _("closing"): schedule.closes_at}
        dates = {name: f"{local_text(at, zone)} ({zone})" for name, at in times.items() if at}
        if schedule.delete_on:
            dates[_("deletion")] = schedule.delete_on.isoformat()
        if schedule.chapters:
            dates[_("ends of chapters")] = list_text(local_text(at, zone) for at in schedule.chapters)
        facts.append(dates)
    yield from _differences("schedule", *facts)


def _light_text(block: dict[str, Any]) -> str:
    light, (question, *_others) = block["light"], block["questions"]
    if isinstance(light, dict):
        return f"ε {epsilon_text(read_disguise(question['kind'], light))}"
    return _share(light)


def _keys(parts: list[dict[str, Any]]) -> str:
    return list_text(part["key"] for part in parts)


def _share(ten_thousandths: int) -> str:
    return f"{100 * ten_thousandths / SCALE:g}%"


def _shares(probabilities: Iterable[int]) -> str:
    return list_text(map(_share, probabilities))
