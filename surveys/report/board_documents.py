"""Documents of a survey before its answers: the preregistration and the pack for an ethics board."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import IO, Any, Final

from django.template.loader import render_to_string
from django.utils.translation import override

from mining.family import rule_family
from mining.thresholds import Thresholds
from privacy.planning.use import use_of
from surveys.models import PublishOverride
from surveys.questionnaire.aim import EXPECTATIONS, EXPECTATIONS_OF_NUMBERS, Aim
from surveys.questionnaire.arms import EXPLANATIONS, WORDINGS, choices_of_arms
from surveys.questionnaire.checks.check import check_draft
from surveys.questionnaire.draft_reading import draft_read
from surveys.questionnaire.labels import about_names, about_texts, asked_parts
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.schedule import Schedule
from surveys.questionnaire.use_words import points
from surveys.report.audit_board import bought
from surveys.report.codebook import laws_of
from surveys.runs.audit import AuditedSurvey


def preregistration(
    audited: AuditedSurvey,
    thresholds: Thresholds,
    *,
    planned: int,
    expected: str,
    now: datetime,
) -> str:
    """Return the preregistration as Markdown, to be registered elsewhere.

    Parameters
    ----------
    audited : AuditedSurvey
        A draft, or what respondents see.
    thresholds : Thresholds
        Thresholds planned for the run.
    planned : int
        Answers to be collected.
    expected : str
        The hypotheses, in the researcher's words.
    now : datetime

    Notes
    -----
    The number of tests follows from the questionnaire, the longest itemset and the allowed sides alone, so
    it is known before an answer is there.
    """
    families = {
        name: rule_family(audited.design, thresholds.sides, thresholds.max_size, ordered=ordered)
        for name, ordered in (("lift", False), ("confidence", True))
    }
    aim = Aim.from_json(audited.version.aim) or Aim(people=planned)
    use = use_of(audited.design, replace(aim.within(audited.design), people=planned))
    return render_to_string(
        "export/preregistration.md",
        _common(audited, now, "en")
        | {
            "thresholds": thresholds,
            "families": families,
            "planned": planned,
            "expected": expected,
            "plan": bought(audited),
            "half_widths": [(key, points(width)) for key, width in use.widths.items()],
            "experiment": _experiment(audited),
        },
    )


def _experiment(audited: AuditedSurvey) -> dict[str, Any]:
    """Return the random assignment of people, the texts that depend on it, and the expected results."""
    wording, aim = audited.version.wording, Aim.from_json(audited.version.aim)
    questions = [question for block in wording["blocks"] for question in block["questions"]]
    explained = wording.get(EXPLANATIONS) or {"texts": {}}
    with override("en"):
        numbers = {question.key for question in audited.design.questions if question.has_mean}
        expected = [
            (key, str((EXPECTATIONS_OF_NUMBERS if key in numbers else EXPECTATIONS)[each]))
            for key, each in (aim.expected if aim else {}).items()
        ]
    return {
        "groups": list(choices_of_arms(audited.design).items()),
        "explanations": [(option, text_in(text, "en")) for option, text in explained["texts"].items()],
        "wordings": [
            (question["key"], option, text_in(text, "en"))
            for question in questions
            for option, text in (question.get(WORDINGS) or {"texts": {}})["texts"].items()
        ],
        "expected": expected,
    }


OFFICERS: Final = ("processing-record", "impact-assessment", "accessibility")
"""Texts for officers: the record of processing, the impact assessment, the accessibility statement."""


def officers_text(
    audited: AuditedSurvey, name: str, *, risk: Mapping[str, Any], language: str, now: datetime
) -> str:
    """Return one of `OFFICERS` as Markdown, filled in from the survey; arguments as for `ethics_pack`."""
    template = f"export/{name.replace('-', '_')}.html"
    return render_to_string(template, {**risk, **_common(audited, now, language)})


def ethics_pack(
    audited: AuditedSurvey, out: IO[bytes], *, risk: Mapping[str, Any], language: str, now: datetime
) -> None:
    """Write the ZIP file for an ethics board.

    Parameters
    ----------
    audited : AuditedSurvey
    out : binary file
    risk : dict
        Context of the page "Privacy risk".
    language : str
        That of the page, and of all that Sottovoce says in the pack; questions come in each of their own.
    now : datetime
    """
    common = _common(audited, now, language) | {"named_about": _named_about(audited, language)}
    page = render_to_string("export/risk.html", {**risk, "shared": True, "language": language})
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.md", render_to_string("export/ethics.html", common))
        archive.writestr("risk.html", page)
        for name in OFFICERS:
            archive.writestr(
                f"{name}.md", officers_text(audited, name, risk=risk, language=language, now=now)
            )
        for tag in common["languages"]:
            archive.writestr(f"questionnaire-{tag}.md", _questionnaire(audited, tag))
        archive.writestr("checks.md", render_to_string("export/checks.html", common | _checked(audited)))
        archive.writestr("design.json", json.dumps(audited.design.to_json(), indent=2))


def _named_about(audited: AuditedSurvey, language: str) -> list[tuple[str, str]]:
    """Return the survey's own texts, each under the name that a board reads."""
    names = about_names()
    texts = about_texts(audited.version, language)
    return [(names.get(key, key), text) for key, text in texts.items()]


def _common(audited: AuditedSurvey, now: datetime, language: str) -> dict[str, Any]:
    wording, survey = audited.version.wording, audited.survey
    languages = tuple(wording.get("title") or survey.title)
    parts = asked_parts(audited.version, audited.design, language)
    return {
        "survey": survey,
        "title": text_in(wording.get("title") or survey.title, language),
        "found": audited,
        "design": audited.design,
        "about": about_texts(audited.version, language),
        "laws": list(laws_of(audited.design, {part["block"].key: part["title"] for part in parts})),
        "opened": [part for part in parts if not part["block"].protected],
        "parts": parts,
        "languages": languages,
        "schedule": _schedule(audited),
        "now": now,
    }


def _schedule(audited: AuditedSurvey) -> Schedule:
    """Return when it opens, closes and is deleted: of a draft as it says, else as published or set since."""
    survey = audited.survey
    if audited.is_draft and (definition := draft_read(survey).definition) is not None:
        return definition.schedule
    return Schedule(
        time_zone=survey.time_zone,
        opens_at=survey.opens_at,
        closes_at=survey.closes_at,
        delete_at=survey.delete_at,
    )


def _questionnaire(audited: AuditedSurvey, language: str) -> str:
    wording = audited.version.wording
    title = text_in(wording.get("title") or audited.survey.title, language)
    return render_to_string(
        "export/questionnaire.html",
        {
            "title": title,
            "language": language,
            "about": about_texts(audited.version, language),
            "parts": asked_parts(audited.version, audited.design, language),
            "found": audited,
        },
    )


def _checked(audited: AuditedSurvey) -> dict[str, Any]:
    """Return the findings on exactly this design and words, and the reasons for overriding them."""
    definition = draft_read(audited.survey).definition
    same = definition is not None and (definition.design.design_id, definition.wording_id) == (
        audited.version.design_id,
        audited.version.wording_id,
    )
    overridden = None if audited.is_draft else PublishOverride.objects.filter(version=audited.version).first()
    return {
        "same": same,
        "findings": list(check_draft(audited.survey, definition)) if same and definition else [],
        "override": overridden,
        "refused": list(_lines(overridden)),
    }


def _lines(overridden: PublishOverride | None) -> Iterator[str]:
    for finding in overridden.findings if overridden is not None else ():
        yield f"{finding['message']}; {finding['remedy']}"
