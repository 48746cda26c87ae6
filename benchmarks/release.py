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
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.release_data import QUASI, adult, setting
from benchmarks.release_page import page, targets
from benchmarks.release_tasks import blocking_loss, growth, own_task, second_data
from privacy.sdc import Hierarchy, Space, bottom_up


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


def growth_picture(rows: Sequence[Mapping[str, Any]]) -> str:
    """Draw the seconds of making a release and of checking one against its records."""
    # Here and not above: they bring pandas along, which would count as memory of the single tasks.
    from surveys.charts.curves import Series, curves_svg

    names = {
        "tight": "release, k\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}10, L\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}3",
        "verify": "verification",
    }
    records = [row["records"] for row in rows]
    series = [
        Series(label=name, x=records, y=[row[f"{key}_seconds"] for row in rows])
        for key, name in names.items()
    ]
    title = "Time of a release against its records"
    return (
        curves_svg(series, title=title, x_label="records", y_label="seconds", log_x=True, log_y=True) + "\n"
    )


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
        "--page-only", action="store_true", help="write page and picture again from the JSON in --out"
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
        (given.out / "release-growth.svg").write_text(growth_picture(found["growth"]), encoding="utf-8")
        return
    if not given.peers:
        parser.error("--peers is needed unless --task is given")
    # Here for the same reason as the pictures.
    from benchmarks.machine import machine

    found = {"machine": machine(), "day": time.strftime("%Y-%m-%d")}
    found |= compare(given.adult, given.peers, given.repeat)
    print("compared", file=sys.stderr)
    found["blocks"] = blocking_loss(given.adult, given.seed)
    found["second"] = second_data()
    found["growth"] = growth([int(size) for size in given.large.split(",")], given.seed)
    given.out.mkdir(exist_ok=True)
    (given.out / "release-benchmarks.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (given.out / "release-growth.svg").write_text(growth_picture(found["growth"]), encoding="utf-8")
    (given.out / "release-benchmarks.md").write_text(page(found), encoding="utf-8")
    for name, bound, value, met in targets(found):
        print(f"{'met ' if met else 'MISSED'} {name}: {value} ({bound})")


if __name__ == "__main__":
    main()
