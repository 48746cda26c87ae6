"""Documents before data collection: preregistration, ethics pack, and texts for data protection officers."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import IO, Any, Final

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.translation import get_language, override

from mining.family import rule_family
from mining.thresholds import Thresholds
from surveys.authoring.published_state import schedule_of
from surveys.formats.joints import series_text
from surveys.formats.markdown import markdown_file
from surveys.models import PublishOverride
from surveys.questionnaire.about_texts import about_names, about_texts
from surveys.questionnaire.aim import EXPECTATIONS, EXPECTATIONS_OF_NUMBERS, Aim
from surveys.questionnaire.arm_groups import choices_of_arms
from surveys.questionnaire.arms import EXPLANATIONS, WORDINGS
from surveys.questionnaire.asked_texts import asked_parts
from surveys.questionnaire.checks.check import check_draft
from surveys.questionnaire.draft import draft_read
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.schedule import Schedule
from surveys.questionnaire.use_words import points
from surveys.report.export.disguise_laws import laws_of
from surveys.report.risk_page.planned_use import plan_sentences, planned_use
from surveys.report.run_facts import english_rules
from surveys.runs.audit import AuditedSurvey


def preregistration(
    subject: AuditedSurvey, thresholds: Thresholds, *, planned: int, expected: str, now: datetime
) -> str:
    """Return the preregistration as Markdown, to register elsewhere.

    Parameters
    ----------
    subject : AuditedSurvey
        A draft or a published survey.
    thresholds : Thresholds
        Thresholds planned for the run.
    planned : int
        Number of answers to collect.
    expected : str
        The hypotheses, in the researcher's words.
    now : datetime

    Notes
    -----
    The number of tests follows from the questionnaire, the longest itemset and the allowed sides alone, so it
    is known before the first answer.
    """
    families = {
        name: rule_family(subject.design, thresholds.sides, thresholds.max_size, ordered=is_ordered)
        for name, is_ordered in (("lift", False), ("confidence", True))
    }
    use = planned_use(subject, n=planned)
    return markdown_file(
        "export/preregistration.md",
        _common(subject, now, "en")
        | {
            "thresholds": thresholds,
            "families": families,
            "rules": english_rules(subject.version, subject.design),
            "planned": planned,
            "expected": expected,
            "plan": plan_sentences(subject, n=planned),
            "half_widths": [(key, points(width)) for key, width in use.widths.items()] if use else [],
            "experiment": _experiment(subject),
        },
    )


def _experiment(subject: AuditedSurvey) -> dict[str, Any]:
    """Return the random assignment of people, the texts that depend on it, and the expected results."""
    wording, aim = subject.version.wording, Aim.from_json(subject.version.aim)
    questions = [question for block in wording["blocks"] for question in block["questions"]]
    arm_texts = wording.get(EXPLANATIONS) or {"texts": {}}
    with override("en"):
        numbers = {question.key for question in subject.design.questions if question.has_mean}
        expected = [
            (key, str((EXPECTATIONS_OF_NUMBERS if key in numbers else EXPECTATIONS)[each]))
            for key, each in (aim.expected if aim else {}).items()
        ]
    return {
        "groups": list(choices_of_arms(subject.design).items()),
        "explanations": [(option, text_in(text, "en")) for option, text in arm_texts["texts"].items()],
        "wordings": [
            (question["key"], option, text_in(text, "en"))
            for question in questions
            for option, text in (question.get(WORDINGS) or {"texts": {}})["texts"].items()
        ],
        "expected": expected,
    }


OFFICERS: Final = ("processing-record", "impact-assessment", "accessibility")
"""Texts for data protection officers: record of processing, impact assessment, accessibility statement."""


def officers_text(
    subject: AuditedSurvey, name: str, *, risk: Mapping[str, Any], language: str, now: datetime
) -> str:
    """Return one of `OFFICERS` as Markdown, filled in from the survey; for arguments see `ethics_pack`."""
    template = f"export/{name.replace('-', '_')}.md"
    return markdown_file(template, {**risk, **_common(subject, now, language)})


def ethics_pack(
    subject: AuditedSurvey, out: IO[bytes], *, risk: Mapping[str, Any], language: str, now: datetime
) -> None:
    """Write the ZIP file for an ethics board.

    Parameters
    ----------
    subject : AuditedSurvey
    out : binary file
    risk : dict
        Context of the page "Privacy risk".
    language : str
        Language of Sottovoce's own texts in the pack. The questionnaire is included in all its languages,
        each with Sottovoce's texts in that language if its pages have it.
    now : datetime
    """
    common = _common(subject, now, language) | {"named_about": _named_about(subject, language)}
    page = render_to_string("export/risk.html", {**risk, "shared": True, "language": language})
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.md", markdown_file("export/ethics.md", common))
        archive.writestr("risk.html", page)
        for name in OFFICERS:
            archive.writestr(
                f"{name}.md", officers_text(subject, name, risk=risk, language=language, now=now)
            )
        for tag in common["languages"]:
            archive.writestr(f"questionnaire-{tag}.md", _questionnaire(subject, tag))
        archive.writestr("checks.md", markdown_file("export/checks.md", common | _findings(subject)))
        archive.writestr("design.json", json.dumps(subject.design.to_json(), indent=2))


def _named_about(subject: AuditedSurvey, language: str) -> list[tuple[str, str]]:
    """Return the survey's own texts, each with the label that an ethics board reads."""
    names = about_names()
    texts = about_texts(subject.version, language)
    return [(names.get(key, key), text) for key, text in texts.items()]


def _common(subject: AuditedSurvey, now: datetime, language: str) -> dict[str, Any]:
    wording, survey = subject.version.wording, subject.survey
    languages = tuple(wording["title"])
    parts = asked_parts(subject.version, subject.design, language)
    return {
        "survey": survey,
        "title": text_in(wording["title"], language),
        "found": subject,
        "design": subject.design,
        "about": about_texts(subject.version, language),
        "laws": list(laws_of(subject.design, {part["block"].key: part["title"] for part in parts})),
        "opened": [part for part in parts if not part["block"].protected],
        "parts": parts,
        "languages": languages,
        "schedule": _schedule(subject),
        "now": now,
    }


def _schedule(subject: AuditedSurvey) -> Schedule:
    """Return when a survey opens, closes and is deleted: a draft's own times, else the times in force."""
    if subject.is_draft and (definition := draft_read(subject.survey).definition) is not None:
        return definition.schedule
    return schedule_of(subject.survey)


def _questionnaire(subject: AuditedSurvey, language: str) -> str:
    wording = subject.version.wording
    title = text_in(wording["title"], language)
    # Sottovoce's own words exist in the languages of its pages; in any other language they are the page's.
    own = language if language in dict(settings.LANGUAGES) else get_language()
    with override(own):
        return markdown_file(
            "export/questionnaire.md",
            {
                "title": title,
                "language": language,
                "about": about_texts(subject.version, language),
                "parts": asked_parts(subject.version, subject.design, language),
                "found": subject,
            },
        )


def _findings(subject: AuditedSurvey) -> dict[str, Any]:
    """Return the findings on exactly this design and wording, and the reasons for overriding them."""
    definition = draft_read(subject.survey).definition
    same = definition is not None and (definition.design.design_id, definition.wording_id) == (
        subject.version.design_id,
        subject.version.wording_id,
    )
    overridden = None if subject.is_draft else PublishOverride.objects.filter(version=subject.version).first()
    return {
        "same": same,
        "findings": list(check_draft(subject.survey, definition)) if same and definition else [],
        "override": overridden,
        "refused": list(_lines(overridden)),
    }


def _lines(overridden: PublishOverride | None) -> Iterator[str]:
    for finding in overridden.findings if overridden is not None else ():
        yield series_text((finding["message"], finding["remedy"]))
