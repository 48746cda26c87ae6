"""The figures in the golden files: of the demonstration's rows, and of numbers and places.

They are computed from committed rows, which `make_golden.py` drew once.
"""

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.scored_rows import scored_rows
from mining.columns.sent_counts import sent_counts
from mining.inference import Inference, group_tests, infer
from mining.pipeline import MiningResult, mine
from mining.thresholds import Sides, Thresholds
from privacy.estimation.comparison import compare
from privacy.estimation.composed_parts import Part, Side, factors_of
from privacy.estimation.counts import Columns
from privacy.estimation.estimates import estimates
from privacy.estimation.required_counts import required_counts
from privacy.estimation.skipped_share import skipped_interval, skipped_terms
from privacy.printed import Measured, PrintedEstimates
from privacy.scales.decoded_numbers import mean
from privacy.scales.mixed_fit import mixed_fit
from privacy.scales.planar_mean import mean_place
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.quantities import bars, quantiles
from privacy.scales.region_share import region_share
from privacy.scales.scale_groups import scale_groups
from privacy.scales.skips import Skipping
from privacy.scales.window import WindowChannel
from privacy.survey.design import Condition, Design
from tests.vectors.designs import CHOICE, live, opened, shielded, yes_no
from tests.vectors.scale_designs import NUMBERS, PLACES, may_skip, scale_block

HERE: Final = Path(__file__).parent

SCALES: Final = live(
    opened("you", yes_no("city")),
    scale_block("age", NUMBERS["keep or any"].questions[0].disguise, "young", "middle"),
    may_skip(scale_block("home", PLACES["square mechanism"].questions[0].disguise)),
    scale_block(
        "late",
        NUMBERS["square wave"].questions[0].disguise,
        asked_if=Condition(question="city", options=("yes",)),
    ),
    may_skip(scale_block("pay", NUMBERS["square wave"].questions[0].disguise)),
    shielded("a", 6000, yes_no("affair", 5000), yes_no("lied", 3000), refusal=2500),
    group=CHOICE,
)

Figures = Iterator[tuple[str, Any]]


def demo_design() -> Design:
    """Return the design of the demonstration's survey."""
    return Design.from_json(json.loads((HERE / "demo_design.json").read_text(encoding="utf-8")))


def thresholds(design: Design) -> Thresholds:
    """Return the thresholds of the demonstration's run."""
    protected = tuple(item.index for item in design.items if design.blocks[item.block].protected)
    return Thresholds(
        support=0.05, lift=1.0, max_size=3, sides=Sides(consequent=protected, longest_consequent=1)
    )


def rows_of(name: str) -> bytes:
    """Return committed rows, as devices sent them."""
    return bytes.fromhex((HERE / f"{name}_rows.hex").read_text(encoding="ascii"))


def plain(name: str, value: Any) -> Figures:
    """Yield every number in a result, with a unique name."""
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            # What is known about an estimate is no figure.
            if isinstance(value, Measured | PrintedEstimates) and field.name in ("method", "origin", "shift"):
                continue
            yield from plain(f"{name}.{field.name}", getattr(value, field.name))
    elif isinstance(value, np.ndarray):
        for place in np.ndindex(value.shape):
            yield f"{name}{list(place) if place else ''}", value[place].item()
    elif isinstance(value, tuple | list):
        for place, one in enumerate(value):
            yield from plain(f"{name}[{place}]", one)
    elif value is None or isinstance(value, bool | int | float | str):
        yield name, value


def keyed(design: Design, items: Columns) -> str:
    """Name an itemset by the keys of its items."""
    return " & ".join(design.items[item].key for item in items)


def mined(design: Design, rows: bytes, wanted: Thresholds) -> tuple[MiningResult, Inference, CountCache]:
    """Mine rows and infer rules, with the engine that every installation has."""
    matrix = BitMatrix.from_rows(design, rows)
    result = mine(matrix, design, wanted, engine="numpy")
    count_cache = CountCache(matrix, engine="numpy")
    return result, infer(result, count_cache), count_cache


def itemset_records(result: MiningResult, found: Inference, count_cache: CountCache) -> list[dict[str, Any]]:
    """Return one record per listed itemset."""
    groups = group_tests(result, count_cache, least_direct=1)
    records = []
    for place, row in enumerate(result.itemsets):
        record = {"items": keyed(result.design, row.items)}
        record |= dict(plain("estimate", row.estimate)) | dict(plain("interval", row.interval))
        record |= dict(plain("selected", found.itemsets[place]))
        record |= {"maximal": bool(found.maximal[place]), "closed": bool(found.closed[place])}
        record |= dict(plain("groups", groups[row.items])) if row.items in groups else {}
        records.append(record)
    return records


def rule_records(result: MiningResult, found: Inference, _tally: CountCache) -> list[dict[str, Any]]:
    """Return one record per rule."""
    records = []
    for place, (antecedent, consequent) in enumerate(result.rules.sides):
        record = {
            "antecedent": keyed(result.design, antecedent),
            "consequent": keyed(result.design, consequent),
        }
        record |= dict(plain("measures", result.rules.measures[place])) | dict(
            plain("selected", found.rules[place])
        )
        record |= {
            "p_lift": float(found.lift.p_values[place]),
            "cut_off": float(found.lift.cut_off[place]),
            "explained_by": int(found.explained_by[place]),
            "flips": int(found.fragility[place]),
        }
        record |= {measure: float(values[place]) for measure, values in found.interest.items()}
        records.append(record)
    return records


def demo() -> tuple[MiningResult, Inference, CountCache]:
    """Mine the demonstration's rows as its run does."""
    design = demo_design()
    return mined(design, rows_of("demo"), thresholds(design))


def cases() -> Figures:
    """Yield the figures of numbers and places, and of rules over them."""
    rows = rows_of("scales")
    for number, question in enumerate(SCALES.questions):
        if question.disguise is None:
            continue
        sent = sent_counts(SCALES, number, rows)
        yield from plain(f"sent {question.key}", sent.protected)
        yield f"people {question.key}", sent.people
        yield from _of_scale(question.key, question.disguise, sent.protected, sent.direct, sent.skipping)
    count_cache = CountCache(BitMatrix.from_rows(SCALES, rows))
    for block, law in enumerate(SCALES.blocks):
        if law.refusal is not None:
            counts = count_cache.need(skipped_terms(block, SCALES))
            yield from plain(f"skipped {law.key}", skipped_interval(counts, block, SCALES))
    young, city, affair, lied = (SCALES.item(key).index for key in ("age=young", "city", "affair", "lied"))
    itemsets = [(young,), (city, young), (young, affair), (city, young, affair, lied)]
    itemsets = [tuple(sorted(items)) for items in itemsets]
    counts = count_cache.need(required_counts(itemsets, SCALES))
    yield from plain("scale items", estimates(counts, itemsets, SCALES))
    for name, antecedent, consequent in (
        ("number", Side(parts=(Part(question=1, target=(4, 11)),)), Side(items=(affair,))),
        ("place", Side(parts=(Part(question=2, target=((0, 0, 5, 8),)),)), Side(items=(affair, lied))),
        (
            "two numbers",
            Side(parts=(Part(question=1, target=(0, 3)),)),
            Side(parts=(Part(question=4, target=(6, 11)),)),
        ),
        ("open", Side(items=(city,)), Side(parts=(Part(question=3, target=(0, 5)),))),
        ("items", Side(items=(city, affair)), Side(items=(lied,))),
    ):
        compared = compare(scored_rows(SCALES, factors_of(antecedent, consequent, SCALES), rows))
        yield f"joined {name}.support.value", compared.both
        yield from plain(f"joined {name}.confidence", compared.having)
        yield from plain(f"joined {name}.lift", compared.lift)
        yield from plain(f"joined {name}.leverage", compared.leverage)
        for key in ("n", "n_direct", "n_protected", "n_used", "few_rows"):
            yield f"joined {name}.{key}", getattr(compared, key)


def _of_scale(
    key: str, disguise: WindowChannel | PlanarWindowChannel, sent: Any, direct: Any, skipping: Skipping | None
) -> Figures:
    if isinstance(disguise, WindowChannel):
        yield from plain(
            f"distribution {key}",
            mixed_fit(disguise, scale_groups(disguise, sent, skipping=skipping), smooth=True),
        )
        yield from plain(
            f"mean {key}", mean(disguise, scale_groups(disguise, sent, direct=direct, skipping=skipping))
        )
        yield from plain(
            f"quantiles {key}",
            quantiles(disguise, scale_groups(disguise, sent, direct=direct, skipping=skipping), (0.25, 0.5)),
        )
        yield from plain(
            f"bars {key}",
            bars(disguise, scale_groups(disguise, sent, direct=direct, skipping=skipping), (0, 4, 8, 12)),
        )
        return
    plainly = sent[: disguise.outputs]
    yield from plain(
        f"density {key}",
        mixed_fit(disguise, scale_groups(disguise, plainly, direct=direct[: disguise.inputs]), smooth=False),
    )
    yield from plain(
        f"region {key}",
        region_share(
            disguise, scale_groups(disguise, plainly, direct=direct[: disguise.inputs]), ((0, 0, 4, 4),)
        ),
    )
    yield from plain(
        f"mean place {key}",
        mean_place(disguise, scale_groups(disguise, plainly, direct=direct[: disguise.inputs])),
    )


def tables() -> dict[str, list[dict[str, Any]]]:
    """Return every golden table by the name of its file."""
    found = demo()
    return {
        "demo_itemsets": itemset_records(*found),
        "demo_rules": rule_records(*found),
        "cases": [{"figure": name, "value": value} for name, value in cases()],
    }
