"""Documents of a survey before its answers: the preregistration and the pack for an ethics board."""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import combinations
from typing import IO, Any, Final

from django.template.loader import render_to_string
from django.utils.translation import override

from mining.family import Family, decisions, rule_family
from mining.thresholds import Thresholds
from privacy.coins import SCALE
from privacy.planning.power import Plan, detectable_lift, detectable_support, standard_error
from privacy.policy import SIGNIFICANCE_LEVEL
from privacy.survey.design import Design, Item
from surveys.estimates.audit import AuditedSurvey
from surveys.export.codebook import laws_of
from surveys.models import PublishOverride
from surveys.questionnaire.aim import EXPECTATIONS, EXPECTATIONS_OF_NUMBERS, Aim
from surveys.questionnaire.arms import EXPLANATIONS, WORDINGS, choices_of_arms
from surveys.questionnaire.checks.check import check_draft
from surveys.questionnaire.draft_reading import draft_read
from surveys.questionnaire.labels import about_names, about_texts, asked_parts
from surveys.questionnaire.languages import text_in
from surveys.questionnaire.schedule import Schedule
from surveys.report.audit_board import bought


@dataclass(frozen=True, kw_only=True)
class ExpectedItem:
    """One disguised answer whose share is stated.

    Attributes
    ----------
    key : str
    share : float
        As the researcher states it.
    n : int
        People asked, of so many planned; of a part that only some answers lead to, at most.
    error : float
        Standard error of the share about the population.
    smallest : float or None
        Smallest share found to exceed 0 with power .8; None where none would be.
    """

    key: str
    share: float
    n: int
    error: float
    smallest: float | None


@dataclass(frozen=True, kw_only=True)
class ExpectedPrecision:
    """Expected standard errors and power of so many answers.

    Attributes
    ----------
    n : int
    items : tuple of ExpectedItem
    has_pairs : bool
        Whether any respondent is asked two questions with stated shares together.
    alone, corrected : (float, float) or None
        The smallest lift of a rule between two items that is found with power .8, of the pair of which it
        is smallest and of the one of which it is largest: tested alone, and after the correction, should no
        other rule hold. None without pairs, or where no lift is found for some.
    tests : int
        By how many the level of such a rule is divided after the correction.
    """

    n: int
    items: tuple[ExpectedItem, ...]
    has_pairs: bool
    alone: tuple[float, float] | None
    corrected: tuple[float, float] | None
    tests: int


def expected_precision(
    design: Design,
    wording: Mapping[str, Any],
    *,
    n: int,
    family: Family,
) -> ExpectedPrecision:
    """Compute the expected precision of a planned number of answers.

    Parameters
    ----------
    design : Design
    wording : dict
        With the stated prevalences.
    n : int
        Answers.
    family : Family
        Of tests of lift.

    Notes
    -----
    By `privacy.planning.power`, assuming independent answers. An item in rotating blocks has the n that are
    asked it, which is all that counts for it; a pair has those asked both, though rows asked one of them
    count too, so smaller lifts are found than it says. So they are of two blocks of different p, which both
    have the smaller one here, and where people choose their group: no one is assumed to choose the lighter
    disguise.
    """
    stated = {
        question.key: said["prevalence"]
        for block, part in zip(design.blocks, wording["blocks"], strict=True)
        for question, said in zip(block.questions, part["questions"], strict=True)
        if block.protected and said.get("prevalence") and question.disguise is None
    }
    items = [item for item in design.items if design.questions[item.question].key in stated]
    shares = {item.index: stated[design.questions[item.question].key][item.option] / SCALE for item in items}
    # A share of 0 or 1 marks an anchor, of which nothing is to be found.
    items = [item for item in items if 0 < shares[item.index] < 1]
    cut_off = float(decisions([1.0], [0], [2], family).cut_off[0]) if family.total else 0.0
    tests = max(1, math.ceil(SIGNIFICANCE_LEVEL / cut_off - 1e-9)) if cut_off else 1
    pairs = list(_pairs(design, items, shares, n))
    return ExpectedPrecision(
        n=n,
        items=tuple(_item(design, item, shares[item.index], n) for item in items),
        has_pairs=bool(pairs),
        alone=_range(pairs, 1),
        corrected=_range(pairs, tests),
        tests=tests,
    )


def _item(design: Design, item: Item, share: float, n: int) -> ExpectedItem:
    n_drawn = max(1, round(n * design.drawn_together([item.question])))
    plan = _plan(design, item)
    return ExpectedItem(
        key=item.key,
        share=share,
        n=n_drawn,
        error=standard_error(plan, share, n_drawn),
        smallest=detectable_support(plan, n_drawn),
    )


def _plan(design: Design, first: Item, second: Item | None = None) -> Plan:
    block, other = (design.blocks[item.block] for item in (first, second or first))
    truth = min(block.truth_probability, other.truth_probability) / SCALE
    light = min(float(block.truth_in(direct=True)) for block in (block, other))
    return Plan(
        p=truth,
        light=max(truth, light),
        theta_a=_decoy(design, first),
        theta_b=_decoy(design, second or first),
        one_block=block is other,
        k=(design.group.direct_share or 0) / SCALE,
    )


def _decoy(design: Design, item: Item) -> float:
    """Probability that a decoy shows an item: a skipped one shows none."""
    block = design.blocks[item.block]
    share = design.questions[item.question].decoy_shares[item.option]
    return float(share) * (1 - (block.refusal or 0) / SCALE)


def _pairs(
    design: Design, items: list[Item], shares: Mapping[int, float], n: int
) -> Iterator[tuple[Plan, int, float, float]]:
    """Yield each kind of pair of items of two questions that some device asks together."""
    kinds: dict[tuple[Plan, int, float, float], None] = {}
    for first, second in combinations(items, 2):
        together = design.drawn_together([first.question, second.question])
        if first.question != second.question and together:
            kind = (
                _plan(design, first, second),
                round(n * together),
                shares[first.index],
                shares[second.index],
            )
            kinds[kind] = None
    yield from kinds


def _range(pairs: list[tuple[Plan, int, float, float]], tests: int) -> tuple[float, float] | None:
    lifts = [_lift(*pair, tests) for pair in pairs]
    known = [lift for lift in lifts if lift is not None]
    return (min(known), max(known)) if lifts and len(known) == len(lifts) else None


@lru_cache(maxsize=4096)
def _lift(plan: Plan, n: int, first: float, second: float, tests: int) -> float | None:
    return detectable_lift(plan, max(n, 1), first=first, second=second, tests=tests)


def preregistration(
    audited: AuditedSurvey,
    thresholds: Thresholds,
    *,
    planned: int,
    expected: str,
    now: datetime,
    language: str,
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
    language : str
        Language of the page: the expected results are given in it as well as in English.

    Notes
    -----
    The number of tests follows from the questionnaire, the longest itemset and the allowed sides alone, so
    it is known before an answer is there.
    """
    families = {
        name: rule_family(audited.design, thresholds.sides, thresholds.max_size, ordered=ordered)
        for name, ordered in (("lift", False), ("confidence", True))
    }
    shown = expected_precision(audited.design, audited.version.wording, n=planned, family=families["lift"])
    common = _common(audited, now, "en")
    routed = any(block.protected and block.asked_if for block in audited.design.blocks)
    sections = []
    for tag in dict.fromkeys(("en", language)):
        with override(tag):
            sections.append(
                render_to_string(
                    "export/expected.html", common | {"expected_precision": shown, "routed": routed}
                )
            )
    return render_to_string(
        "export/preregistration.md",
        common
        | {
            "thresholds": thresholds,
            "families": families,
            "planned": planned,
            "expected": expected,
            "plan": bought(audited),
            "shown": sections,
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
        Context of the page "Risk in words".
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
