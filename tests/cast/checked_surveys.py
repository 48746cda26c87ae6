"""Definitions that the checks are tried on."""

from __future__ import annotations

from typing import Any

from surveys.questionnaire.aim import Aim
from surveys.questionnaire.checks.ceilings import Ceiling, Ceilings
from surveys.questionnaire.checks.check import check_definition
from surveys.questionnaire.checks.finding import Finding
from surveys.questionnaire.definition import Definition, definition_parse
from surveys.questionnaire.series import WaveLine
from tests.cast.devices import about

# So many that every survey can answer its question: the checks of protection are looked at alone.
MANY = Aim(people=1_000_000)
CEILINGS = Ceilings(block=Ceiling(warn=3, refuse=6), survey=Ceiling(warn=3, refuse=6))


def yes_no(key: str, *, theta: int = 5000, prevalence: int = 5000, **more: Any) -> dict[str, Any]:
    return {
        "key": key,
        "kind": "yes_no",
        "unrelated": [theta],
        "prevalence": [prevalence],
        "text": {"en": f"Did you ever {key}?"},
        **more,
    }


def several(key: str, *options: str, **more: Any) -> dict[str, Any]:
    return {
        "key": key,
        "kind": "multi",
        "text": {"en": "Which of these?"},
        "options": [{"key": f"o{n}", "text": {"en": text}} for n, text in enumerate(options)],
        **more,
    }


def protected(key: str, *questions: dict[str, Any], p: int = 5000, **more: Any) -> dict[str, Any]:
    return {
        "key": key,
        "protected": True,
        "truth_probability": p,
        "title": {"en": key},
        "questions": list(questions),
        **({} if "refusal" in more else {"no_skip": "Made for a test."}),
        **more,
    }


def unprotected(key: str, *questions: dict[str, Any]) -> dict[str, Any]:
    return {"key": key, "protected": False, "title": {"en": key}, "questions": list(questions)}


def document_of(*blocks: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "sotto": 1,
        "slug": "checked",
        "title": {"en": "Checked"},
        "practice": False,
        "about": about(),
        "group": {"policy": "protected"},
        "blocks": list(blocks),
        **changes,
    }


def survey_of(*blocks: dict[str, Any], **changes: Any) -> Definition:
    return definition_parse(document_of(*blocks, **changes))


def findings_of(
    *blocks: dict[str, Any], waves: tuple[WaveLine, ...] = (), aim: Aim = MANY, **changes: Any
) -> list[Finding]:
    found = check_definition(survey_of(*blocks, **changes), ceilings=CEILINGS, waves=waves, aim=aim)
    return list(found)
