"""What is measured of our own releases: single tasks, blocks, growth, and a second table."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.release_data import adult, fair_records, made_up, setting
from privacy.sdc import (
    Classes,
    ClassMatrix,
    Hierarchy,
    Lattice,
    Space,
    Table,
    bottom_up,
    ilp_l_diversity,
    in_blocks,
    k_member,
    ka_cluster,
    loss,
)
from privacy.sdc.blocking import BLOCK_FROM, BLOCK_SIZE
from privacy.sdc.labels import label_column
from privacy.sdc.models import pycanon_enhanced_beta
from privacy.sdc.requirements import measure_models
from privacy.sdc.table import Column


def timed(work: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    """Median seconds of a work and its last result."""
    seconds = []
    result = None
    for _ in range(repeat):
        began = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds), result


def own_task(name: str, folder: Path, k: int, repeat: int) -> dict[str, Any]:
    """Run one of our tasks; called in a process of its own."""
    table, trees = adult(folder)
    space, sensitive, matrix, weights = setting(table, trees)
    works: dict[str, Callable[[], Any]] = {
        "bottom_up": lambda: bottom_up(space, k, weights).classes,
        "ilp": lambda: (
            ilp_l_diversity(
                space, sensitive, k=k, l_value=3, rng=np.random.default_rng(0), matrix=matrix
            ).classes
        ),
        "kacluk": lambda: (
            ka_cluster(space, sensitive, k, rng=np.random.default_rng(0), matrix=matrix).classes
        ),
        "tight": lambda: k_member(space, k, weights),
        "tight_l3": lambda: k_member(space, k, weights, sensitive=sensitive, l_value=3),
    }
    if name in works:
        seconds, classes = timed(works[name], repeat)
        found = loss(space, classes, weights=weights)
        distinct = np.bincount(ClassMatrix.of(classes, sensitive).classes)
        figures = {
            "ncp": found.ncp,
            "ilp": found.ilp,
            "dp": found.discernibility,
            "one_value_share": float((distinct == 1).mean()),
            "fewest_values": int(distinct.min()),
        }
    elif name == "verify":
        merged = bottom_up(space, k, weights).classes
        texts = space.labels(space.boxes(merged.number, merged.count))
        labels = [
            label_column("", "", [column[number] for number in merged.number.tolist()]) for column in texts
        ]
        classes = Classes.of_columns(labels)

        def checked() -> Any:
            counted = ClassMatrix.of(classes, sensitive)
            return measure_models(counted, "occupation"), pycanon_enhanced_beta(counted)

        seconds, (measured, theirs) = timed(checked, repeat)
        figures = {
            ("reached_k" if name == "k" else name): (str(value) if value == float("inf") else value)
            for name, value in vars(measured).items()
        }
        figures["pycanon_enhanced_beta"] = theirs
    else:
        most = int(name.removeprefix("samarati_"))
        seconds, lattice_and_node = timed(lambda: _search(table, trees, k, most), repeat)
        lattice, node = lattice_and_node
        # Least height is not least loss: the least over all k-minimal nodes, outside the time.
        least = min(
            float(np.mean(list(lattice.column_losses(one.levels).values()))) for one in lattice.minimal()
        )
        figures = {
            "ncp": float(np.mean(list(lattice.column_losses(node.levels).values()))),
            "height": node.height,
            "ncp_of_all": least,
            "suppressed": node.suppressed,
        }
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"task": name, "k": k, "seconds": seconds, "rss_mb": memory, **figures}


def _search(table: Table, trees: dict[str, Hierarchy], k: int, most: int) -> tuple[Lattice, Any]:
    lattice = Lattice(table, trees, k=k, max_suppressed=most)
    found = lattice.search()
    return lattice, min(found.nodes, key=lambda node: node.ilp)


def diverse_blocks(
    space: Space, sensitive: Column, weights: dict[str, float], largest: int | None
) -> Classes:
    """Tight classes of 10 records and 3 values, in blocks or whole."""
    if largest is None:
        return k_member(space, 10, weights, sensitive=sensitive, l_value=3)
    return in_blocks(
        space,
        lambda part, its: k_member(part, 10, weights, sensitive=sensitive.take(its), l_value=3),
        largest=largest,
        values=sensitive.codes,
        l_value=3,
    )


def blocking_loss(folder: Path, seed: int) -> list[dict[str, Any]]:
    """What cutting into blocks costs, on Adult and on 100,000 made-up records."""
    rows = []
    for name, (table, trees) in (("Adult", adult(folder)), ("made up", made_up(100_000, seed))):
        space, sensitive, _, weights = setting(table, trees)
        for largest in (5_000, 12_500, 25_000, None):
            began = time.perf_counter()
            classes = diverse_blocks(space, sensitive, weights, largest)
            seconds = time.perf_counter() - began
            rows.append(
                {
                    "data": name,
                    "records": len(table),
                    "largest_block": largest or len(table),
                    "seconds": seconds,
                    "ncp": loss(space, classes, weights=weights).ncp,
                }
            )
    return rows


def growth(sizes: list[int], seed: int) -> list[dict[str, Any]]:
    """Seconds of the tight algorithm (in blocks above 100,000) and of verification, against n."""
    rows = []
    for n in sizes:
        table, trees = made_up(n, seed)
        space, sensitive, _, weights = setting(table, trees)
        began = time.perf_counter()
        classes = diverse_blocks(space, sensitive, weights, BLOCK_SIZE if n > BLOCK_FROM else None)
        grouped = time.perf_counter() - began
        began = time.perf_counter()
        measure_models(ClassMatrix.of(Classes.of_columns(table.quasi_identifiers), sensitive), "occupation")
        checked = time.perf_counter() - began
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        rows.append(
            {
                "records": n,
                "tight_seconds": grouped,
                "verify_seconds": checked,
                "ncp": loss(space, classes, weights=weights).ncp,
                "smallest": int(classes.sizes.min()),
                "rss_mb": memory,
            }
        )
    return rows


def second_data() -> list[dict[str, Any]]:
    """The same ranking on another table."""
    table = fair_records()
    space, sensitive, matrix, weights = setting(table, {})
    result = []
    for k in (5, 10):
        works: dict[str, Callable[[], Classes]] = {
            "tight": lambda k=k: k_member(space, k, weights),
            "tight_l3": lambda k=k: k_member(space, k, weights, sensitive=sensitive, l_value=3),
            "bottom_up": lambda k=k: bottom_up(space, k, weights).classes,
            "ilp": lambda k=k: (
                ilp_l_diversity(
                    space, sensitive, k=k, l_value=2, rng=np.random.default_rng(0), matrix=matrix
                ).classes
            ),
            "kacluk": lambda k=k: (
                ka_cluster(space, sensitive, k, rng=np.random.default_rng(0), matrix=matrix).classes
            ),
        }
        for name, work in works.items():
            seconds, classes = timed(work, 1)
            result.append(
                {"task": name, "k": k, "seconds": seconds, "ncp": loss(space, classes, weights=weights).ncp}
            )
    return result
