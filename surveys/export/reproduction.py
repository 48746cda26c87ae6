"""The script that computes a run's figures again, and the settings that it reads.

The script is the same text for every run.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from mining.family import Family, rule_family
from privacy.coins import SCALE
from privacy.estimation.design_index import index_of
from privacy.estimation.drawn_sets import MOST_DRAWN
from privacy.survey.column_names import asked_name, group_name, skipped_name
from privacy.survey.design import Design, Item, Question
from surveys.estimates.run_summary import counts_all_rows, shown_of
from surveys.export.rows import Released
from surveys.models import Run

_SCRIPT: Final = Path(__file__).parent / "reproduce.py.txt"


def reproduction_script() -> str:
    """Return the Python script of every run."""
    return _SCRIPT.read_text(encoding="utf-8")


def reproduction_settings(run: Run, design: Design, exported: Released) -> dict[str, Any]:
    """Return the parameters of a run for the script, as plain numbers and texts."""
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
        "estimator": thresholds.estimator,
        "target": thresholds.target,
        "confidence": thresholds.confidence,
        "families": {name: _by_size(family) for name, family in families.items()},
        "rule_level": inference.get("rule_level", 0.95),
        "itemset_level": inference.get("itemset_level", 0.95),
        "least_direct": shown_of(run).least_direct,
        "parts_count": counts_all_rows(run),
        "most_drawn": MOST_DRAWN,
        "two_strengths": design.has_two_strengths,
        "group": group_name(design) if exported.with_group else "",
        "blocks": [
            {
                "key": block.key,
                "p": [float(block.truth_in(direct=direct)) for direct in (True, False)],
                "skip": (block.refusal or 0) / SCALE,
            }
            for block in design.blocks
        ],
        "items": [_item(item, design) for item in design.items],
    }


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
        "question": question.key,
        "single": question.is_exclusive,
        "block": item.block,
        "open": opened,
        "unrelated": 1.0 if opened else float(question.decoy_shares[item.option]),
        "skipped": skipped_name(block.key, design) if block.refusal is not None else "",
        "asked": asked_name(block.key, design) if block.is_rotating else "",
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
