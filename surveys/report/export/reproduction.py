"""The script that reproduces the figures of a run, and the settings that it reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from mining.family import rule_family
from privacy.coins import SCALE
from privacy.estimation.base_shares import options_from_base
from privacy.estimation.design_index import index_of
from privacy.estimation.incomplete_rows import MOST_DRAWN
from privacy.survey.column_names import asked_name, group_name, skipped_name
from privacy.survey.design import Design, Item, Question
from surveys.models import Run
from surveys.report.export.rows import ExportRows
from surveys.runs.draw_facts import counts_all_rows
from surveys.runs.look import look_record
from surveys.runs.shown_of_run import shown_of

_SCRIPT: Final = Path(__file__).parent / "reproduce.py.txt"


def reproduction_script() -> str:
    """Return the Python script, which is the same for every run."""
    return _SCRIPT.read_text(encoding="utf-8")


def reproduction_settings(run: Run, design: Design, export: ExportRows) -> dict[str, Any]:
    """Return the parameters of a run for the script, as plain numbers and texts."""
    thresholds = run.thresholds
    inference = run.summary["inference"]
    families = {
        name: dict(rule_family(design, thresholds.sides, thresholds.max_size, ordered=is_ordered).by_size)
        for name, is_ordered in (("lift", False), ("confidence", True))
    }
    return {
        "survey": run.survey.slug,
        "run": run.pk,
        "design_id": run.design_id,
        "snapshot": run.snapshot_digest,
        "code_version": run.code_version,
        "look": look_record(run),
        "estimator": "stratified",
        "confidence": thresholds.confidence,
        "families": families,
        "rule_level": inference["rule_level"],
        "itemset_level": inference["itemset_level"],
        "least_direct": shown_of(run).least_direct,
        "parts_count": counts_all_rows(run),
        "most_drawn": MOST_DRAWN,
        "two_strengths": design.has_two_strengths,
        "group": group_name(design) if export.with_group else "",
        "blocks": [
            {
                "key": block.key,
                "p": [float(block.truth_in(direct=direct)) for direct in (True, False)],
                "skip": (block.refusal or 0) / SCALE,
            }
            for block in design.blocks
        ],
        "items": [_item(item, design) for item in design.items],
        "bases": {
            question.key: list(options_from_base(design, number))
            for number, question in enumerate(design.questions)
            if options_from_base(design, number)
        },
    }


def _item(item: Item, design: Design) -> dict[str, Any]:
    block, question = design.blocks[item.block], design.questions[item.question]
    is_open = not block.protected or block.truth_probability == SCALE
    turns = design.in_rotation(block.key)
    is_drawn = block.is_rotating or turns
    is_marked = block.is_rotating and block.refusal is None and not turns
    index = index_of(design)
    # Which rows could have drawn a routed question? If each device is asked some of its block, the row shows
    # it. Otherwise the open answers that lead to the block decide.
    if block.asked_if is None or not is_drawn:
        reach = "everybody"
    else:
        reach = "shown" if is_marked else "led" if index.has_base[item.index] else "unknown"
    return {
        "key": item.key,
        "column": question.key if question.is_categorical or question.is_scale else item.key,
        "values": _values(item, question),
        "question": question.key,
        "single": question.is_exclusive,
        "block": item.block,
        "open": is_open,
        "unrelated": 1.0 if is_open else float(question.decoy_shares[item.option]),
        "skipped": skipped_name(block.key, design) if block.refusal is not None else "",
        "asked": asked_name(block.key, design) if block.is_rotating else "",
        "drawn": is_drawn,
        "reach": reach,
        "route": _route(item.block, design) if reach == "led" else None,
    }


def _route(block: int, design: Design) -> dict[str, Any] | None:
    """Return the values of open columns that lead to a block, and whether all or any of them must match."""
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
    """Return the values of the item's column that mean that a row has the item."""
    if question.disguise is not None:
        return [str(value) for value in question.disguise.item_values(item.option).nonzero()[0].tolist()]
    return [question.options[item.option] if question.is_exhaustive else "1"]
