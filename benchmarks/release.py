"""Time and loss of releases beside anjana, pycanon and anonypy, in one run.

    python -m benchmarks.release --adult FOLDER --peers PYTHON [--repeat 3] [--large 1000000] [--out docs]

FOLDER holds uci/adult.data and bench_hierarchies/; PYTHON is an interpreter with the three packages (they
are not dependencies of Sotto). Each task runs in a process of its own, so that its memory is its own; seconds
are medians. Targets T1 to T6 are ratios within this run, since absolute times mean little on a shared
machine. Writes release-benchmarks.md, release-benchmarks.json and release-growth.svg into --out.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from privacy.release import (
    Classes,
    ClassMatrix,
    ColumnRule,
    Hierarchy,
    Lattice,
    Space,
    Table,
    axis_weights,
    bottom_up,
    flat_hierarchy,
    ilp_l_diversity,
    in_blocks,
    kacluk,
    loss,
    tight,
    utility_matrix,
    value_weights,
)
from privacy.release.blocking import BLOCK_FROM, BLOCK_SIZE
from privacy.release.models import pycanon_enhanced_beta
from privacy.release.published import label_column
from privacy.release.table import Column
from privacy.release.verdicts import measure_models
from surveys.release.drawings import curve

QUASI = (
    "age",
    "education-num",
    "marital-status",
    "native-country",
    "race",
    "salary-class",
    "sex",
    "workclass",
)
PLACES = (0, 4, 5, 13, 8, 14, 9, 1, 6)
NUMERIC = ("age", "education-num")
# NCP of ARX with local recoding on the same records and hierarchies, measured before. ARX is a Java program
# and no part of this run.
ARX_LOCAL = {2: 0.080, 5: 0.102, 10: 0.121, 20: 0.151, 50: 0.237}


def adult(folder: Path) -> tuple[Table, dict[str, Hierarchy]]:
    """Read the 30,162 complete records and the hierarchies of the comparison."""
    rows = []
    for line in (folder / "uci" / "adult.data").read_text(encoding="ascii").splitlines():
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) == 15 and "?" not in cells:
            rows.append([cells[place] for place in PLACES])
    rules = [
        ColumnRule(name=name, role="quasi_identifier", kind="numeric" if name in NUMERIC else "categorical")
        for name in QUASI
    ]
    rules.append(ColumnRule(name="occupation", role="sensitive"))
    trees = {}
    for name in QUASI:
        text = (folder / "bench_hierarchies" / f"h_{name}.csv").read_text(encoding="utf-8")
        trees[name] = Hierarchy.from_rows(name, [line.split(";") for line in text.splitlines() if line])
    return Table.from_rows([*QUASI, "occupation"], rows, rules), trees


def made_up(n: int, seed: int) -> tuple[Table, dict[str, Hierarchy]]:
    """Draw n records with the columns of Adult and about as many distinct combinations per record."""
    rng = np.random.default_rng(seed)

    def drawn(name: str, values: list[str], shares: np.ndarray, role: str, numeric: bool) -> Column:
        codes = rng.choice(len(values), size=n, p=shares / shares.sum()).astype(np.int32)
        used, place = np.unique(codes, return_inverse=True)
        kept = [values[code] for code in used]
        return Column(
            name=name,
            role=role,
            kind="numeric" if numeric else "categorical",
            values=tuple(kept),
            codes=place.astype(np.int32),
            numbers=np.array(kept, dtype=float) if numeric else None,
        )

    columns = []
    for name, width, steep in zip(
        QUASI, (74, 16, 7, 41, 5, 2, 2, 7), (0.02, 0.1, 0.4, 0.9, 1.2, 0.9, 0.6, 0.8), strict=True
    ):
        values = (
            [str(17 + number) for number in range(width)]
            if name in NUMERIC
            else [f"{name}-{number:02d}" for number in range(width)]
        )
        columns.append(
            drawn(name, values, np.exp(-steep * np.arange(width)), "quasi_identifier", name in NUMERIC)
        )
    jobs = [f"job-{number:02d}" for number in range(14)]
    columns.append(drawn("occupation", jobs, np.exp(-0.25 * np.arange(14)), "sensitive", False))
    table = Table(columns=tuple(columns), source_rows=np.arange(n))
    return table, {
        column.name: flat_hierarchy(column.name, column.values)
        for column in columns
        if column.numbers is None
    }


def timed(work: Callable[[], Any], repeat: int) -> tuple[float, Any]:
    """Median seconds of a work and its last result."""
    seconds = []
    result = None
    for _ in range(repeat):
        began = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds), result


def setting(table: Table, trees: dict[str, Hierarchy]) -> tuple[Space, Column, np.ndarray, dict[str, float]]:
    """Space, sensitive column, utilities and the literal weights."""
    space = Space.of(table, trees)
    sensitive = table.sensitive[0]
    matrix = utility_matrix(space, sensitive)
    return space, sensitive, matrix, axis_weights(value_weights(matrix), space)


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
        "kacluk": lambda: kacluk(space, sensitive, k, rng=np.random.default_rng(0), matrix=matrix).classes,
        "tight": lambda: tight(space, k, weights),
        "tight_l3": lambda: tight(space, k, weights, sensitive=sensitive, l_value=3),
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


def labels_loss(path: Path, trees: dict[str, Hierarchy], n: int) -> tuple[float, int]:
    """NCP of a table of published labels, and the records it lacks, which count 1."""
    size = {
        name: {
            label: (below if below > 1 else 0) / len(tree.labels[0])
            for level in range(len(tree.labels))
            for label, below in zip(tree.labels[level], np.bincount(tree.node[level]).tolist(), strict=True)
        }
        for name, tree in trees.items()
    }
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    lost = sum(size[name][row[name]] for row in rows for name in QUASI) / len(QUASI)
    return (lost + n - len(rows)) / n, n - len(rows)


def boxes_loss(path: Path, space: Space) -> float:
    """NCP of the classes of anonypy, read from its ranges and sets."""
    lost = total = 0.0
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            count = float(row["count"])
            total += count
            for axis in space.numeric:
                ends = (
                    row[axis.name].strip("[]'").split("-")
                    if "-" in row[axis.name]
                    else [row[axis.name].strip("[]'")] * 2
                )
                lost += count * (float(ends[-1]) - float(ends[0])) / axis.extent
            for tree in space.categorical:
                values = sorted(set(row[tree.name].strip("[]'").split(",")))
                values = [value.strip(" '") for value in values]
                leaves = [tree.hierarchy.labels[0].index(value) for value in values]
                node = tree.join_segments(np.array(leaves, dtype=np.int32), np.array([0]))[0]
                lost += count * tree.penalties[node]
    return lost / total / len(space.axes)


def run_own(name: str, folder: Path, k: int, repeat: int) -> dict[str, Any]:
    """Run one of our tasks in a fresh process."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.release",
        "--adult",
        str(folder),
        "--task",
        name,
        "--k",
        str(k),
        "--repeat",
        str(repeat),
    ]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def run_peer(python: str, task: str, table: Path, folder: Path, *rest: Any) -> dict[str, Any]:
    """Run one task of a peer in its own environment."""
    script = Path(__file__).with_name("release_peers.py")
    command = [python, str(script), task, str(table), str(folder / "bench_hierarchies"), *map(str, rest)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    result["seconds"] = statistics.median(result["seconds"])
    return result


def compare(folder: Path, python: str, repeat: int) -> dict[str, Any]:
    """Run every task once around."""
    table, trees = adult(folder)
    space, sensitive, _, weights = setting(table, trees)
    found: dict[str, Any] = {"own": [], "peers": []}
    with tempfile.TemporaryDirectory() as scratch:
        raw = Path(scratch) / "adult.csv"
        _write(raw, [column.texts for column in table.columns])
        classes = bottom_up(space, 10, weights).classes
        labels = space.labels(space.boxes(classes.number, classes.count))
        general = Path(scratch) / "bottom-up.csv"
        _write(
            general,
            [[texts[number] for number in classes.number.tolist()] for texts in labels] + [sensitive.texts],
        )
        for k in (5, 10, 20, 50):
            for name in ("bottom_up", "ilp", "kacluk", "tight"):
                found["own"].append(run_own(name, folder, k, repeat))
        found["own"].append(run_own("tight_l3", folder, 10, repeat))
        found["own"].append(run_own("verify", folder, 10, repeat))
        for most in (0, 302, 1508):
            found["own"].append(run_own(f"samarati_{most}", folder, 10, repeat))
        for share, most in ((0, 0), (1, 302), (5, 1508)):
            peer = run_peer(python, "anjana_k", raw, folder, 10, 1, share, repeat)
            peer["ncp"], peer["suppressed"] = labels_loss(Path(f"{raw}.anjana.csv"), trees, len(table))
            found["peers"].append({**peer, "k": 10, "max_suppressed": most})
        for k in (5, 20, 50):
            found["peers"].append(
                {**run_peer(python, "anjana_k", raw, folder, k, 1, 0, repeat), "k": k, "max_suppressed": 0}
            )
        found["peers"].append({**run_peer(python, "anjana_l", raw, folder, 10, 3, 0, repeat), "k": 10})
        found["peers"].append({**run_peer(python, "pycanon", general, folder, 10, 1, 0, repeat), "k": 10})
        peer = run_peer(python, "anonypy", raw, folder, 10, 1, 0, 1)
        peer["ncp"] = boxes_loss(Path(f"{raw}.anonypy.csv"), space)
        found["peers"].append({**peer, "k": 10})
    return found


def _write(path: Path, columns: list[list[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*QUASI, "occupation"])
        writer.writerows(zip(*columns, strict=True))


def diverse_blocks(
    space: Space, sensitive: Column, weights: dict[str, float], largest: int | None
) -> Classes:
    """Tight classes of 10 records and 3 values, in blocks or whole."""
    if largest is None:
        return tight(space, 10, weights, sensitive=sensitive, l_value=3)
    return in_blocks(
        space,
        lambda part, its: tight(part, 10, weights, sensitive=sensitive.take(its), l_value=3),
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
    """The same ranking on another table: Fair's 6,366 records, which come with statsmodels."""
    from statsmodels.datasets import fair

    frame = fair.load_pandas().data
    names = ["age", "yrs_married", "children", "educ", "religious", "occupation", "occupation_husb"]
    rules = [ColumnRule(name=name, role="quasi_identifier", kind="numeric") for name in names]
    rules.append(ColumnRule(name="rate_marriage", role="sensitive"))
    rows = [[str(cell) for cell in row] for row in frame[[*names, "rate_marriage"]].to_numpy().tolist()]
    table = Table.from_rows([*names, "rate_marriage"], rows, rules)
    space, sensitive, matrix, weights = setting(table, {})
    result = []
    for k in (5, 10):
        works: dict[str, Callable[[], Classes]] = {
            "tight": lambda k=k: tight(space, k, weights),
            "tight_l3": lambda k=k: tight(space, k, weights, sensitive=sensitive, l_value=3),
            "bottom_up": lambda k=k: bottom_up(space, k, weights).classes,
            "ilp": lambda k=k: (
                ilp_l_diversity(
                    space, sensitive, k=k, l_value=2, rng=np.random.default_rng(0), matrix=matrix
                ).classes
            ),
            "kacluk": lambda k=k: (
                kacluk(space, sensitive, k, rng=np.random.default_rng(0), matrix=matrix).classes
            ),
        }
        for name, work in works.items():
            seconds, classes = timed(work, 1)
            result.append(
                {"task": name, "k": k, "seconds": seconds, "ncp": loss(space, classes, weights=weights).ncp}
            )
    return result


def targets(found: dict[str, Any]) -> list[tuple[str, str, str, bool]]:
    """Compare with T1 to T6: (target, bound, measured, met)."""
    own = {(row["task"], row["k"]): row for row in found["own"]}
    peers: dict[tuple[str, int, int], dict[str, Any]] = {
        (row["task"], row["k"], row.get("max_suppressed", 0)): row for row in found["peers"]
    }
    rows: list[tuple[str, str, str, bool]] = []

    def below(name: str, value: float, bound: float) -> None:
        rows.append((name, f"<= {bound:g}", f"{value:.4g}", value <= bound))

    for k in (5, 10, 20, 50):
        anjana = peers["anjana_k", k, 0]["seconds"]
        below(f"T1 bottom-up, k = {k}: time / anjana", own["bottom_up", k]["seconds"] / anjana, 0.5)
        below(f"T1 ILP-based, k = {k}: time / anjana", own["ilp", k]["seconds"] / anjana, 0.5)
    below(
        "T2 tight, k = 10, L = 3: time / anjana l-diversity",
        own["tight_l3", 10]["seconds"] / peers["anjana_l", 10, 0]["seconds"],
        0.6,
    )
    below(
        "T2 tight, k = 10, L = 3: NCP / ARX local (stated)", own["tight_l3", 10]["ncp"] / ARX_LOCAL[10], 0.5
    )
    below(
        "T2 tight, k = 10, L = 3: NCP / anonypy's Mondrian",
        own["tight_l3", 10]["ncp"] / peers["anonypy", 10, 0]["ncp"],
        0.25,
    )
    for k in (5, 10, 20, 50):
        below(f"T2 tight, k = {k}: NCP / ARX local (stated)", own["tight", k]["ncp"] / ARX_LOCAL[k], 0.5)
    theirs = peers["pycanon", 10, 0]
    mine = own["verify", 10]
    below("T3 all measures: time / pycanon", mine["seconds"] / theirs["seconds"], 0.05)
    same = ("reached_k", "distinct_l", "alpha", "t", "basic_beta", "delta")
    worst = max(abs(mine[name] - theirs[name]) for name in same)
    below("T3 largest difference from pycanon", worst, 1e-9)
    below(
        "T3 its enhanced beta, as it defines it",
        abs(mine["pycanon_enhanced_beta"] - theirs["enhanced_beta"]),
        1e-9,
    )
    for most in (0, 302, 1508):
        row, peer = own[f"samarati_{most}", 10], peers["anjana_k", 10, most]
        below(f"T4 Samarati, {most} suppressed: time / anjana", row["seconds"] / peer["seconds"], 0.5)
        below(f"T4 Samarati, {most} suppressed: NCP / anjana", row["ncp"] / peer["ncp"], 1.0)
        below(f"T4 all k-minimal, {most} suppressed: NCP / anjana", row["ncp_of_all"] / peer["ncp"], 1.0)
    memory = max(row["rss_mb"] for row in found["own"])
    below(
        "T5 memory / anjana",
        memory / max(row["rss_mb"] for row in found["peers"] if row["task"] == "anjana_k"),
        1.5,
    )
    for k in (5, 10, 20, 50):
        ordered = own["bottom_up", k]["ilp"] < own["ilp", k]["ilp"] < own["kacluk", k]["ilp"]
        rows.append((f"T6 ILP in order, k = {k}", "strict", str(ordered), ordered))
        penalties = [own[name, k]["dp"] for name in ("bottom_up", "ilp", "kacluk")]
        below(f"T6 discernibility, spread, k = {k}", max(penalties) / min(penalties) - 1, 0.005)
        if k >= 20:
            shares = [own[name, k]["one_value_share"] for name in ("bottom_up", "ilp", "kacluk")]
            below(f"T6 one-value classes, k = {k}", max(shares), 0.005)
    return rows


def page(found: dict[str, Any]) -> str:
    """Write the tables as Markdown."""
    lines = [
        "# Releases measured",
        "",
        f"{found['machine']}; {found['day']}. Regenerate: `python -m benchmarks.release`.",
        "",
    ]
    lines += [
        "Targets are ratios within one run; the machine was shared, so single times mean little.",
        "Least height is not least loss: with 302 suppressed Adult has a single node of least height,",
        "and it loses more than anjana's. One node cannot meet both halves of T4; of all k-minimal ones",
        '(`search = "all"`) the best loses less.',
        "The Mondrian of T2 is anonypy's; ARX is a Java program and its NCP was measured before.",
        "",
    ]
    lines += ["| target | bound | measured | met |", "|---|---|---|---|"]
    lines += [
        f"| {name} | {bound} | {value} | {'yes' if met else '**no**'} |"
        for name, bound, value, met in targets(found)
    ]
    for title, key in (("Ours", "own"), ("Peers", "peers")):
        lines += [
            "",
            f"## {title}",
            "",
            "| task | k | seconds | MB | NCP | suppressed |",
            "|---|---|---|---|---|---|",
        ]
        for row in found[key]:
            ncp = f"{row['ncp']:.4f}" if "ncp" in row else ""
            figures = f"{row['seconds']:.3f} | {row['rss_mb']:.0f} | {ncp} | {row.get('suppressed', '')}"
            lines.append(f"| {row['task']} | {row['k']} | {figures} |")
    lines += [
        "",
        "## Blocks",
        "",
        "| data | records | largest block | seconds | NCP |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {row['data']} | {row['records']} | {row['largest_block']} | {row['seconds']:.2f} "
        f"| {row['ncp']:.4f} |"
        for row in found["blocks"]
    ]
    lines += [
        "",
        "## Growth",
        "",
        "![Seconds against records](release-growth.svg)",
        "",
        "| records | tight, k = 10, L = 3 (s) | verification (s) | NCP | MB |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {row['records']} | {row['tight_seconds']:.2f} | {row['verify_seconds']:.3f} | {row['ncp']:.4f} "
        f"| {row['rss_mb']:.0f} |"
        for row in found["growth"]
    ]
    lines += [
        "",
        "## A second data set (Fair, 6,366 records)",
        "",
        "| task | k | seconds | NCP |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {row['task']} | {row['k']} | {row['seconds']:.3f} | {row['ncp']:.4f} |" for row in found["second"]
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run one task, or all and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--adult", type=Path, required=True)
    parser.add_argument("--peers", help="Python interpreter with anjana, pycanon and anonypy")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--large", default="10000,30000,100000,300000,1000000")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path("docs"))
    parser.add_argument(
        "--page-only", action="store_true", help="write the page again from the JSON in --out"
    )
    parser.add_argument("--task")
    parser.add_argument("--k", type=int, default=10)
    given = parser.parse_args()
    if given.task:
        print(json.dumps(own_task(given.task, given.adult, given.k, given.repeat)))
        return
    if given.page_only:
        found = json.loads((given.out / "release-benchmarks.json").read_text(encoding="utf-8"))
        (given.out / "release-benchmarks.md").write_text(page(found), encoding="utf-8")
        return
    if not given.peers:
        parser.error("--peers is needed unless --task is given")
    # Here and not above: it brings pandas along, which would count as memory of the single tasks.
    from benchmarks.engine import machine

    found = {"machine": machine(), "day": time.strftime("%Y-%m-%d")}
    found |= compare(given.adult, given.peers, given.repeat)
    print("compared", file=sys.stderr)
    found["blocks"] = blocking_loss(given.adult, given.seed)
    found["second"] = second_data()
    found["growth"] = growth([int(size) for size in given.large.split(",")], given.seed)
    given.out.mkdir(exist_ok=True)
    (given.out / "release-benchmarks.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    series = [
        (name, [(row["records"], row[f"{name}_seconds"]) for row in found["growth"]])
        for name in ("tight", "verify")
    ]
    (given.out / "release-growth.svg").write_text(
        curve("Seconds against records", series, "records", "seconds"), encoding="utf-8"
    )
    (given.out / "release-benchmarks.md").write_text(page(found), encoding="utf-8")
    for name, bound, value, met in targets(found):
        print(f"{'met ' if met else 'MISSED'} {name}: {value} ({bound})")


if __name__ == "__main__":
    main()
