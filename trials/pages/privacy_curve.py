"""After launch: how the error of a survey's supports would change with its privacy."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from privacy.coins import SCALE
from privacy.risk.budget import block_budget
from privacy.survey.design import Block, Design
from privacy.survey.grouping import item_probability
from surveys.charts.curves import Series, curves_svg
from surveys.errors.error import SurveyError
from surveys.figures.run_summary import shown_of
from surveys.models import ItemsetRow, Job, Run, Survey
from surveys.questionnaire.labels import unpack_items
from surveys.rows.releasable_rows import releasable_design
from trials.studies.experiment import expected_error

STEPS: Final = tuple(range(500, 10_000, 500))


def write_privacy_curves(out: Path, survey: Survey) -> list[str]:
    """Write the error W to be expected against epsilon for each protected block of a survey's newest run.

    Only p varies; the supports are those that the run estimates for itemsets of the block, n, k and the way
    of estimating are the run's own. The point that is marked is the survey as it runs.

    Raises
    ------
    PrivacyError
        ``no_run``: no finished run may be shown.
    """
    run = Run.objects.filter(survey=survey, job__state=Job.State.FINISHED).select_related("version").first()
    if run is None or not shown_of(run).results:
        raise SurveyError("no_run", survey.slug, slug=survey.slug)
    design, written = releasable_design(run.version), []
    n, estimator = run.n or 1, run.parameters["estimator"]
    k = round((run.n_direct or 0) / n, 2) if design.group.allows(direct=True) else 0.0
    supports = [
        (unpack_items(items), min(max(support, 0.0), 1.0))
        for items, support in ItemsetRow.objects.filter(run=run).values_list("items", "support")
    ]
    for number, block in enumerate(design.blocks):
        # A number or a place has a disguise of its own, and no p that could vary.
        if not block.protected or block.is_scale:
            continue
        rows = [(items, share) for items, share in supports if _within(design, items, number)]
        if not rows:
            continue
        shares = np.array([share for _items, share in rows])
        decoys = np.array(
            [float(item_probability(design, dict.fromkeys(items, True))) for items, _share in rows]
        )
        # Where p reaches the light one there is one strength.
        light = float(block.truth_in(direct=True))
        points = [
            (
                p / SCALE,
                _epsilon(block, p),
                expected_error(
                    shares, decoys, p / SCALE, k, n, estimator=estimator, light=max(p / SCALE, light)
                ),
            )
            for p in sorted({*STEPS, block.truth_probability})
        ]
        own = next(point for point in points if point[0] == block.truth_probability / SCALE)
        name = f"privacy-{block.key}"
        with (out / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("p", "epsilon", "expected_error", "own"))
            writer.writerows((f"{p:g}", f"{e:.6g}", f"{w:.6g}", int(p == own[0])) for p, e, w in points)
        picture = curves_svg(
            [
                Series(
                    label="every p", x=[point[1] for point in points],
                    expected=[point[2] for point in points],
                ),
                Series(label=f"this survey: p = {own[0]:g}, k = {k:g}", x=[own[1]], y=[own[2]]),
            ],
            title=f"{survey.slug}, block {block.key}: {len(rows)} itemsets, {estimator}",
            x_label="privacy budget ε of the block", y_label="error W of a support to be expected",
        )  # fmt: skip
        (out / f"{name}.svg").write_text(picture + "\n", encoding="utf-8")
        written.append(name)
    return written


def _within(design: Design, items: tuple[int, ...], block: int) -> bool:
    return all(design.items[item].block == block for item in items)


def _epsilon(block: Block, p: int) -> float:
    return block_budget(replace(block, light=None, truth_probability=p)).epsilon
