"""Did it help? in an export: the figures of its page, and what the scripts need to compute them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from privacy.arrays import Array
from privacy.errors import PrivacyError
from privacy.survey.column_names import skipped_name
from privacy.survey.design import Design
from surveys.export.rows import Released
from surveys.figures.arm_effects import mean_factor
from surveys.formats.csv_cells import records_as_csv
from surveys.models import Run
from surveys.questionnaire.arm_groups import choices_of_arms
from surveys.questionnaire.labels import labels_of
from surveys.report.arm_words import COLUMNS, ArmText
from surveys.report.comparison_form import Choice
from surveys.report.comparison_page import arms_of
from surveys.report.run_page import OpenedRun

__all__ = ["arms_csv", "experiment_settings", "exported_experiments"]


def exported_experiments(run: Run, exported: Released) -> tuple[ArmText, ...]:
    """Return what divided the people of a run, without weights: what its report shows, and its rows tell."""
    opened = OpenedRun(run, labels_of(run.version, run.design))
    experiments = []
    for by, groups in choices_of_arms(run.design).items():
        if not exported.with_group and any(group.direct is not None for group in groups):
            continue
        try:
            experiments.append(arms_of(opened, by))
        except PrivacyError:
            # The page says why.
            continue
    return tuple(experiments)


def arms_csv(experiments: tuple[ArmText, ...]) -> Iterator[str]:
    """Yield the lines of a file of experiments."""
    return records_as_csv(COLUMNS, [record for text in experiments for record in text.records()])


def experiment_settings(text: ArmText, design: Design) -> dict[str, Any]:
    """Return an experiment as plain numbers and texts: groups, what is estimated, what is tested."""
    results = text.results
    questions = [number for number, _ in results.questions]
    return {
        "by": results.by,
        "groups": [
            {
                "name": group.name,
                "items": [design.items[item].key for item in group.items],
                "direct": group.direct,
                "drawn": group.drawn,
            }
            for group in results.groups
        ],
        "outcomes": [
            {
                "key": choice.key,
                "role": "check" if outcome in results.anchors else "answer",
                "tested": questions.index(number) if number in questions else None,
                "number": _number(choice, design),
            }
            for outcome, (choice, number) in enumerate(zip(text.choices, results.numbers, strict=True))
        ],
        "questions": [list(own) for _, own in results.questions],
        "understanding": [
            text.labels.items[item].key for item, counted in results.understanding.items() if counted
        ],
    }


def _number(choice: Choice, design: Design) -> dict[str, Any] | None:
    """Return what a report of a number counts for, by group, direct first; nothing for an answer."""
    if choice.channel is None:
        return None
    (part,) = choice.side.parts
    block, question = design.blocks[design.block_of(part.question)], design.questions[part.question]
    factor = mean_factor(choice.side, design)

    def by_group(scores: Array) -> list[list[float]]:
        return [scores[factor.sent :].tolist(), scores[: factor.sent].tolist()]

    return {
        "column": question.key,
        "skipped": skipped_name(block.key, design) if block.refusal is not None else "",
        "outputs": [block.scale_outputs(direct=direct) for direct in (True, False)],
        "scores": by_group(factor.scores[0]),
        "answered": by_group(factor.scores[1]),
        "low": choice.value(0.0),
        "span": choice.gap(1.0),
    }
