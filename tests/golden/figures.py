"""The figures that the golden files hold: of the demonstration's rows, and of small cases of everything else.

Every function takes rows that are committed beside it and returns (name, value) pairs; the rows were drawn
once by `make_golden.py`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import numpy as np

from mining.columns.bitmatrix import BitMatrix
from mining.columns.count_cache import CountCache
from mining.columns.counted_rows import counted_rows
from mining.columns.row_patterns import sent_counts
from mining.inference import Inference, group_tests, infer
from mining.pipeline import MiningResult, mine
from mining.thresholds import Sides, Thresholds
from privacy.estimation.comparison import compare
from privacy.estimation.composed_parts import Part, Side, factors_of
from privacy.estimation.counts import Columns
from privacy.estimation.estimates import asked_columns, covariance, estimates
from privacy.estimation.events import event_share, skipped_interval, skipped_terms
from privacy.estimation.fit_check import careless_response, careless_response_terms
from privacy.estimation.intervals import support_intervals
from privacy.estimation.margin_cells import margin_of, weighted, weighting_terms
from privacy.estimation.patterns import pattern_terms
from privacy.estimation.required_counts import required_counts
from privacy.scales.decoding import mean, mean_place
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.region_share import bars, quantiles, region_share
from privacy.scales.scale_groups import mixed_fit, scale_groups
from privacy.scales.skipping import Skipping
from privacy.scales.window import WindowChannel
from privacy.survey.design import Condition, Design
from tests.fixtures.questionnaires import EVERYTHING
from tests.privacy.estimation.pattern_table import event_of, patterns
from tests.vectors.designs import CHOICE, live, opened, shielded, study, yes_no
from tests.vectors.scale_designs import NUMBERS, PLACES, may_skip, scale_block

HERE: Final = Path(__file__).parent

ANCHORED: Final = study(
    opened("you", yes_no("city")),
    shielded("a", 6000, yes_no("affair", 5000)),
    shielded("n", 6000, yes_no("never", 5000)),
    shielded("e", 6000, yes_no("always", 5000)),
    group=CHOICE,
)
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
    """Return the design that the demonstration's survey is published with."""
    return Design.from_json(json.loads((HERE / "demo_design.json").read_text(encoding="utf-8")))


def thresholds(design: Design) -> Thresholds:
    """Return what the demonstration's run is asked for."""
    protected = tuple(item.index for item in design.items if design.blocks[item.block].protected)
    return Thresholds(
        support=0.05,
        lift=1.0,
        max_size=3,
        sides=Sides(consequent=protected, longest_consequent=1),
    )


def rows_of(name: str) -> bytes:
    """Return committed rows, as devices sent them."""
    return bytes.fromhex((HERE / f"{name}_rows.hex").read_text(encoding="ascii"))


def plain(name: str, value: Any) -> Figures:
    """Yield every number in a result under a name of its own."""
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
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
    """Mine rows and draw the conclusions, by the engine that every installation has."""
    matrix = BitMatrix.from_rows(design, rows)
    result = mine(matrix, design, wanted, engine="numpy")
    count_cache = CountCache(matrix, engine="numpy")
    return result, infer(result, count_cache), count_cache


def itemset_records(
    result: MiningResult, found: Inference, count_cache: CountCache, every: int = 1
) -> list[dict[str, Any]]:
    """Return one record per listed itemset, or of each `every`-th."""
    listed = list(enumerate(result.itemsets))[::every]
    groups = group_tests(
        replace(result, itemsets=tuple(row for _, row in listed)), count_cache, least_direct=1
    )
    records = []
    for place, row in listed:
        record = {"items": keyed(result.design, row.items)}
        record |= dict(plain("estimate", row.estimate)) | dict(plain("interval", row.interval))
        record |= dict(plain("selected", found.itemsets[place]))
        record |= {"maximal": bool(found.maximal[place]), "closed": bool(found.closed[place])}
        record |= dict(plain("groups", groups[row.items])) if row.items in groups else {}
        records.append(record)
    return records


def rule_records(
    result: MiningResult, found: Inference, _tally: CountCache, every: int = 1
) -> list[dict[str, Any]]:
    """Return one record per rule, or of each `every`-th."""
    records = []
    for place, (antecedent, consequent) in list(enumerate(result.rules.sides))[::every]:
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
    """Yield the figures of all small cases."""
    found = mined(EVERYTHING, rows_of("everything"), Thresholds(support=0.12, max_size=3))
    for record in itemset_records(*found, every=15):
        yield from _recorded("stratified population", record, "items")
    for record in rule_records(*found, every=61):
        yield from _recorded("stratified population", record, "antecedent", "consequent")
    result, _, count_cache = found
    for items in result.itemsets.itemsets[::15]:
        counts = count_cache.need(required_counts([items], EVERYTHING))
        (pooled,) = estimates(counts, [items], EVERYTHING, estimator="pooled")
        yield from plain(f"pooled: {keyed(EVERYTHING, items)}", pooled)
    yield from _of_everything()
    yield from _of_anchors()
    yield from _of_scales()


def _recorded(kind: str, record: dict[str, Any], *names: str) -> Figures:
    name = " -> ".join(record[name] for name in names)
    for key, value in record.items():
        if key not in names:
            yield f"{kind}: {name}: {key}", value


def _of_everything() -> Figures:
    design, count_cache = EVERYTHING, CountCache(BitMatrix.from_rows(EVERYTHING, rows_of("everything")))
    for items in [(0,), (6,), (6, 7), (3, 6), (0, 7, 8), (8, 9), (6, 8, 11), (3, 4, 6, 7)]:
        counts = count_cache.need(pattern_terms(items, design))
        yield from plain(f"patterns stratified {keyed(design, items)}", patterns(counts, items, design))
    for text in (
        "smokes and not drinks",
        "not (smokes or married)",
        "age=22 or mood=low and not did=lied",
        "not smokes",
        "mood=low or mood=fair",
    ):
        event = event_of(text, design)
        counts = count_cache.need(pattern_terms(event.items, design))
        yield from plain(f"expression interval {text}", event_share(counts, event, design))
    counts = count_cache.need(skipped_terms(1, design))
    yield from plain("skipped stratified", skipped_interval(counts, 1, design))
    singles = [(item,) for item in range(len(design.items))]
    pairs = [*combinations(singles, 2), ((0, 6), (6, 8)), ((3, 7), (0,)), ((6, 7), (7, 11))]
    for first, second in pairs:
        counts = count_cache.need(required_counts([(first, second)], design))
        yield f"covariance stratified population {first} {second}", covariance(counts, first, second, design)
    within = tuple(sorted({*asked_columns((0, 6, 8), design), 3}))
    named: Sequence[Columns] = [(0,), (6,), (8,), (0, 6), (0, 8), (6, 8)]
    counts = count_cache.need(required_counts(named, design, within=within))
    table = estimates(counts, named, design, within=within)
    yield from plain("within", table)
    yield from plain("within interval", support_intervals(counts, named, design, within=within))
    margins = [
        margin_of("age", {"22": 0.25, "27": 0.35, "32": 0.4}, design),
        margin_of("married", {"yes": 0.6, "no": 0.4}, design),
    ]
    for items, used in (((6,), margins[:1]), ((6, 7), margins), ((3, 6), margins[:1])):
        counts = count_cache.need(weighting_terms(items, used, design))
        yield from plain(f"weighted {items} {len(used)}", weighted(counts, items, used, design))


def _of_anchors() -> Figures:
    count_cache = CountCache(BitMatrix.from_rows(ANCHORED, rows_of("anchored")))
    items = [ANCHORED.item(key).index for key in ("affair", "never", "always")]
    counts = count_cache.need(careless_response_terms(*items, ANCHORED))
    yield from plain("attention", careless_response(counts, *items, ANCHORED))


def _of_scales() -> Figures:
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
        ("number", Side(parts=(Part(question=1, wanted=(4, 11)),)), Side(items=(affair,))),
        ("place", Side(parts=(Part(question=2, wanted=((0, 0, 5, 8),)),)), Side(items=(affair, lied))),
        (
            "two numbers",
            Side(parts=(Part(question=1, wanted=(0, 3)),)),
            Side(parts=(Part(question=4, wanted=(6, 11)),)),
        ),
        ("open", Side(items=(city,)), Side(parts=(Part(question=3, wanted=(0, 5)),))),
        ("items", Side(items=(city, affair)), Side(items=(lied,))),
    ):
        compared = compare(counted_rows(SCALES, factors_of(antecedent, consequent, SCALES), rows))
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
