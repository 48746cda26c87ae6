"""Records of surveys, versions and runs for programs, under names that stay."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from privacy.coins import SCALE
from privacy.estimation.measures import Measured
from privacy.levels import always_valid_interval
from privacy.risk.budget import budget
from privacy.survey.design import Block, Design
from surveys.desk.overview import is_rounded, newest_versions
from surveys.figures.anchors import anchor_shares
from surveys.figures.run_summary import has_results, is_outdated, requester
from surveys.figures.tables import for_json
from surveys.models import ItemsetRow, Job, Run, Survey, Version
from surveys.questionnaire.labels import ItemLabel, part_titles, question_names
from surveys.report.results_page import answers_of, look_of
from surveys.report.run_page import OpenedRun
from surveys.rows.disclosure import groups_of, rounded_count

Record = dict[str, Any]

SURVEY: Final = (
    "slug", "title", "state", "practice", "owner", "received", "received_is_rounded", "closed_at",
    "accepts_until", "delete_on", "may_read_runs",
)  # fmt: skip
DESIGN: Final = (
    "design_id", "versions", "published_at", "n", "n_direct", "n_protected", "has_results",
)  # fmt: skip
VERSION: Final = ("survey", "number", "design_id", "wording_id", "published_at", "newest_of_its_design")
RUN: Final = (
    "id", "survey", "version", "design_id", "state", "practice", "asked_at", "asked_by", "parameters",
    "has_results", "withheld",
)  # fmt: skip
PREVALENCE: Final = (
    "item", "answer", "listed", "support", "support_low", "support_high", "support_se", "always_low",
    "always_high", "n", "few_rows", "true_support",
)  # fmt: skip


def survey_record(survey: Survey, received: int, *, may_read: bool) -> Record:
    """Return what the list of surveys and the head of a survey's page say; counts are theirs."""
    rounded = is_rounded(survey)
    values = (
        survey.slug,
        survey.title_text,
        survey.state,
        survey.practice,
        survey.owner.get_username() if survey.owner else None,
        rounded_count(received) if rounded else received,
        rounded,
        _moment(survey.closed_at),
        None if survey.settled else _moment(survey.accepts_until),
        survey.delete_on and survey.delete_on.isoformat(),
        may_read,
    )
    return dict(zip(SURVEY, values, strict=True))


def design_records(survey: Survey) -> list[Record]:
    """Return the designs of a survey with the counts of answers that a run may see, the newest first."""
    records = []
    for version in newest_versions(survey):
        groups = groups_of(version)
        numbers = survey.versions.filter(design_id=version.design_id).order_by("number")
        values = (
            version.design_id,
            list(numbers.values_list("number", flat=True)),
            _moment(version.published_at),
            groups.n,
            groups.n_direct,
            groups.n_protected,
            groups.disclosure.results,
        )
        records.append(dict(zip(DESIGN, values, strict=True)))
    return records


def version_record(version: Version) -> Record:
    """Return what a version is called and made of."""
    later = version.survey.versions.filter(design_id=version.design_id, number__gt=version.number)
    values = (
        version.survey.slug,
        version.number,
        version.design_id,
        version.wording_id,
        _moment(version.published_at),
        not later.exists(),
    )
    return dict(zip(VERSION, values, strict=True))


def label_record(version: Version) -> Record:
    """Return what a version's design asks, how each part is disguised, and what that promises at most."""
    design = version.to_design()
    light = design.in_group(direct=True) if design.has_two_strengths else None
    names, titles = iter(question_names(version, design)), part_titles(version)
    parts = []
    for position, block in enumerate(design.blocks):
        questions = zip(block.questions, names, strict=False)
        parts.append(
            {
                "key": block.key,
                "title": titles[block.key],
                "protected": block.protected,
                "questions": [
                    {
                        "key": question.key,
                        "kind": question.kind,
                        "text": name.text,
                        "items": [{"item": key, "answer": answer} for key, answer in name.answers],
                    }
                    for question, name in questions
                ],
                "questions_per_person": block.questions_per_person,
                "strong": _strength(design, position),
                "light": None if light is None else _strength(light, position),
            }
        )
    return {
        "design_id": version.design_id,
        "policy": design.group.policy,
        "direct_share": None if design.group.direct_share is None else design.group.direct_share / SCALE,
        "sends_undisguised": design.sends_undisguised,
        "epsilon": for_json(budget(design).epsilon),
        "epsilon_light": None if light is None else for_json(budget(light).epsilon),
        "parts": parts,
    }


def run_record(run: Run) -> Record:
    """Return what a run was asked for and how it ended; no figure."""
    values = (
        run.pk,
        run.survey.slug,
        run.version.number,
        run.design_id,
        run.job.state,
        run.survey.practice,
        _moment(run.job.created_at),
        requester(run.job),
        run.parameters,
        has_results(run),
        why_not_shown(run),
    )
    return dict(zip(RUN, values, strict=True))


def why_not_shown(run: Run) -> str | None:
    """Return why the figures of a finished run are not shown; None where they are, or there are none."""
    if run.job.state != Job.State.FINISHED or has_results(run):
        return None
    return "outdated" if is_outdated(run) else "few"


def prevalence_records(opened: OpenedRun) -> list[Record]:
    """Return each question with the shares of its answers, as the page of results has them."""
    run = opened.run
    design, grows = run.version.to_design(), look_of(run) > 0
    anchors = {anchor.item: anchor.share for anchor in anchor_shares(run)}
    questions = zip(design.questions, question_names(run.version, design), answers_of(opened), strict=True)
    return [
        {
            "key": question.key,
            "kind": question.kind,
            "text": name.text,
            "protected": design.blocks[design.block_of(number)].protected,
            "answers": [
                _prevalence(item, row, grows=grows) | _of_anchor(anchors.get(item.index))
                for item, row in answers
            ],
        }
        for number, (question, name, answers) in enumerate(questions)
    ]


def _of_anchor(share: Measured | None) -> Record:
    """Return the share of an answer that a run does not list, since everybody knows what is true."""
    if share is None:
        return {}
    return dict(zip(PREVALENCE[3:7], (share.value, share.low, share.high, share.standard_error), strict=True))


def _prevalence(label: ItemLabel, row: ItemsetRow | None, *, grows: bool) -> Record:
    answer = label.option or None
    if row is None:
        return dict.fromkeys(PREVALENCE) | {"item": label.key, "answer": answer, "listed": False}
    low, high = row.support_low, row.support_high
    shows_looks = grows and low is not None and high is not None and low < high
    always = always_valid_interval(row.support, row.support_se, row.n) if shows_looks else (None, None)
    values = (
        label.key,
        answer,
        True,
        row.support,
        low,
        high,
        row.support_se,
        *always,
        row.n,
        row.few_rows,
        row.truth,
    )
    return dict(zip(PREVALENCE, values, strict=True))


def _strength(design: Design, position: int) -> Record | None:
    block: Block = design.blocks[position]
    if not block.protected:
        return None
    bound = next(own for own in budget(design).blocks if own.key == block.key)
    amplification = bound.amplification
    return {
        "truth_probability": None if block.is_scale else block.truth_probability / SCALE,
        "amplification": None if amplification is None else float(amplification),
        "epsilon": for_json(bound.epsilon),
        "exact_outside": bound.exact_outside,
        "anchor": bound.is_anchor,
        "skip_probability": None if block.refusal is None else block.refusal / SCALE,
    }


def _moment(at: datetime | None) -> str | None:
    """Write a moment of the staff's work to the minute, as pages do."""
    return None if at is None else at.replace(second=0, microsecond=0).isoformat()
