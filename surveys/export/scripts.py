"""The scripts that compute a run's figures again: a text that is the same for all, and the run in it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from mining.family import Family, rule_family
from privacy.coins import SCALE
from privacy.estimation.design_index import index_of
from privacy.estimation.drawn_sets import MOST_DRAWN
from privacy.survey.column_names import asked_name, group_name, skipped_name
from privacy.survey.design import Design, Item, Question
from surveys.export.experiment import experiment_settings
from surveys.export.rows import Released
from surveys.figures.draw_facts import counts_all_rows
from surveys.figures.run_summary import shown_of
from surveys.models import Run
from surveys.report.arm_words import ArmText

TOLERANCE: Final = 1e-9
"""Largest relative difference that counts as the same figure."""

_TEXTS: Final = Path(__file__).parent / "scripts"


def run_settings(
    run: Run, design: Design, exported: Released, experiments: Iterable[ArmText] = ()
) -> dict[str, Any]:
    """Return the parameters of a run for its scripts, as plain numbers and texts."""
    thresholds = run.thresholds
    inference = run.summary.get("inference") or {}
    families = {
        name: rule_family(design, thresholds.sides, thresholds.max_size, ordered=ordered)
        for name, ordered in (("lift", False), ("confidence", True))
    }
    return {
        "survey": run.survey.slug,
        "run": run.pk,
        "design_id": run.design_id,
        "snapshot": run.snapshot_digest,
        "code_version": run.code_version,
        "thresholds": {
            "estimator": thresholds.estimator,
            "target": thresholds.target,
            "confidence": thresholds.confidence,
        },
        "lift_family": _by_size(families["lift"]),
        "confidence_family": _by_size(families["confidence"]),
        "rule_level": inference.get("rule_level", 0.95),
        "itemset_level": inference.get("itemset_level", 0.95),
        "least_direct": shown_of(run).least_direct,
        "blocks": [
            {
                "key": block.key,
                "p": float(block.truth_in(direct=False)),
                "light_p": float(block.truth_in(direct=True)),
                "skip": (block.refusal or 0) / SCALE,
                "near": [],
            }
            for block in design.blocks
        ],
        "two_strengths": design.has_two_strengths,
        "group": group_name(design) if exported.with_group else "",
        "items": [_item(item, design) for item in design.items],
        "experiments": [experiment_settings(experiment, design) for experiment in experiments],
        "all_rows": counts_all_rows(run),
        "most_drawn": MOST_DRAWN,
        "tolerance": TOLERANCE,
    }


def python_script(settings: dict[str, Any]) -> str:
    """Return the Python script of a run."""
    # Keys and digests are ASCII without quotes; a raw text keeps the escapes of JSON.
    return _filled("reproduce.py.txt", settings, json.dumps(settings, indent=1))


def r_script(settings: dict[str, Any]) -> str:
    """Return the R script of a run."""
    return _filled("reproduce.R.txt", settings, _r(settings))


def further_scripts(*, of_experiments: bool) -> dict[str, str]:
    """Return the scripts of regressions and experiments by name; they read the run from those beside them."""
    names = ["regression.py", "regression.R", *(["experiment.py", "experiment.R"] if of_experiments else [])]
    return {name: (_TEXTS / f"{name}.txt").read_text(encoding="utf-8") for name in names}


def _filled(name: str, settings: dict[str, Any], constants: str) -> str:
    text = (_TEXTS / name).read_text(encoding="utf-8")
    title = f"run {settings['run']} of survey {settings['survey']}"
    return text.replace("@TITLE@", title).replace("@RUN@", constants)


def _r(value: Any, depth: int = 0) -> str:
    """Write plain data as an R expression.

    >>> _r({"a": [1, 0.5], "b": None, "c": True, "d": 'x"'})
    'list(a = list(1, 0.5), b = NULL, c = TRUE, d = "x\\\\"")'
    """
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, dict):
        return "list(" + ", ".join(f"{_r_name(key)} = {_r(inner)}" for key, inner in value.items()) + ")"
    separator = ",\n  " if depth == 0 and len(value) > 2 and isinstance(value[0], dict) else ", "
    return "list(" + separator.join(_r(inner, depth + 1) for inner in value) + ")"


def _r_name(name: str) -> str:
    return name if name.isidentifier() else f"`{name}`"


def _by_size(family: Family) -> dict[str, int]:
    return {str(size): number for size, number in family.by_size}


def _item(item: Item, design: Design) -> dict[str, Any]:
    block, question = design.blocks[item.block], design.questions[item.question]
    opened = not block.protected or block.truth_probability == SCALE
    turns = design.in_rotation(block.key)
    drawn = block.is_rotating or turns
    marked = block.is_rotating and block.refusal is None and not turns
    index = index_of(design)
    # Who could have drawn a routed question shows where each device is asked some of its part, and else in
    # the open answers that lead to it.
    if block.asked_if is None or not drawn:
        reach = "everybody"
    else:
        reach = "shown" if marked else "led" if index.has_base[item.index] else "unknown"
    return {
        "key": item.key,
        "column": item.key if question.kind == "multi" else question.key,
        "values": _values(item, question),
        "question": item.question,
        "single": question.is_exclusive,
        "block": item.block,
        "open": opened,
        "unrelated": 1.0 if opened else float(question.decoy_shares[item.option]),
        "skipped": skipped_name(block.key, design) if block.refusal is not None else "",
        "asked": asked_name(block.key, design) if block.is_rotating else "",
        "question_key": question.key,
        "drawn": drawn,
        "reach": reach,
        "route": _route(item.block, design) if reach == "led" else None,
    }


def _route(block: int, design: Design) -> dict[str, Any] | None:
    """Return the entries of open columns that lead to a block, and whether all or any of them have to."""
    route = design.routes[block]
    if route is None:
        return None
    steps = []
    for step in route.steps:
        question = design.blocks[step.block].questions[step.question]
        values = sorted(step.values)
        options = [question.options[value] for value in values] if question.options else [*map(str, values)]
        steps.append({"column": question.key, "values": options})
    return {"joined": route.joined, "steps": steps}


def _values(item: Item, question: Question) -> list[str]:
    """Return which entries of its column say that a row has the item."""
    if question.disguise is not None:
        return [str(value) for value in question.disguise.item_values(item.option).nonzero()[0].tolist()]
    return [question.options[item.option] if question.kind == "single" else "1"]
