"""Compare engines and peers on the classic sets and on the million-row work. See `benchmarks.report`."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.work import DIRECT_SHARE, SUPPORT, TRUTH_PROBABILITY, UNRELATED, disguised_work

__all__ = ["CLASSICS", "classics", "million"]

ROOT = Path(__file__).resolve().parent.parent
CLASSICS = (
    ("mushroom.dat", 0.3, 2_735),
    ("mushroom.dat", 0.2, 53_583),
    ("mushroom.dat", 0.1, 574_431),
    ("chess.dat", 0.7, 48_731),
    ("retail.dat.gz", 0.01, 159),
    ("T10I4D100K.dat.gz", 0.01, 385),
)
OURS = ("numba packed", "numba baskets", "numpy packed", "numpy baskets")
PEERS = (
    "pyfim apriori", "pyfim eclat", "pyfim fpgrowth", "mlxtend fpgrowth", "mlxtend apriori",
    "efficient-apriori", "fastapriori",
)  # fmt: skip
# Peers by longest itemset. The others have one threshold for all sizes, so low that decoys alone reach it.
LONGER = {4: ("pyroaring level-wise", "pyfim apriori", "pyfim eclat"), 20: ("pyfim apriori",)}


def measured(work: dict[str, Any], python: str | None, seconds: float) -> dict[str, Any]:
    """Run one engine on one work in a new process; `python` is the peers' interpreter."""
    command = [python, "benchmarks/peers.py"] if python else [sys.executable, "-m", "benchmarks.ours"]
    try:
        done = subprocess.run(
            command, cwd=ROOT, input=json.dumps(work), capture_output=True, text=True, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        return {"engine": work["peer"], "failed": f"over {seconds:.0f} s"}
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit {done.returncode}"
        return {"engine": work["peer"], "failed": last[:60]}
    figures = json.loads(done.stdout.splitlines()[-1])
    if "missing" in figures:
        return {"engine": work["peer"], "failed": f"{figures['missing']} is not installed"}
    return {
        "engine": work["peer"],
        "median": statistics.median(figures["seconds"]),
        "processor": statistics.median(figures["processor"]),
        "runs": len(figures["seconds"]),
        "sets": figures["sets"],
        "peak_mb": figures["peak_mb"],
        "version": figures["version"],
    }


def classics(
    data: Path, python: str | None, *, seconds: float, repeat: int = 5, most: float = 8
) -> list[dict[str, Any]]:
    """Run all engines on every classic set in turn, `repeat` times or until `most` seconds have passed."""
    found = []
    for name, support, known in CLASSICS:
        work = {
            "kind": "classic",
            "file": str(data / name),
            "support": support,
            "repeat": repeat,
            "seconds": most,
        }
        rows = [measured(work | {"peer": engine}, None, max(seconds, 60)) for engine in OURS]
        rows += [measured(work | {"peer": peer}, python, seconds) for peer in PEERS if python]
        found.append({"data": name.split(".")[0], "support": support, "known": known, "rows": rows})
        print(found[-1], file=sys.stderr)
    return found


def million(
    python: str | None, *, n: int, items: int, seed: int, seconds: float, repeat: int = 5, most: float = 8
) -> dict[str, Any]:
    """Run all engines on the million-row work; `repeat` and `most` are as for `classics`."""
    matrix = disguised_work(n, items, seed)
    work = {
        "kind": "million", "support": SUPPORT, "n": n, "n_direct": matrix.n_direct,
        "truth": TRUTH_PROBABILITY / 10_000, "unrelated": UNRELATED / 10_000, "repeat": repeat,
        "seconds": most, "max_size": 3,
    }  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="sottovoce-benchmark-") as directory:
        file = Path(directory) / "work.npz"
        order = matrix.stored_at[:items]
        np.savez(
            file,
            direct=matrix.direct.words[order], protected=matrix.protected.words[order],
            n_direct=matrix.n_direct, n_protected=matrix.n_protected,
        )  # fmt: skip
        work["file"] = str(file)
        ours = ("numba packed", "numpy packed", "mlxtend np.all")
        peers = ("pyroaring level-wise", "polars level-wise", "pyfim apriori")
        rows = [measured(work | {"peer": engine}, None, max(seconds, 60)) for engine in ours]
        rows += [measured(work | {"peer": peer}, python, seconds) for peer in peers if python]
        print(rows, file=sys.stderr)
        longer = {}
        for size, others in LONGER.items():
            work["max_size"] = size
            longer[size] = [measured(work | {"peer": engine}, None, max(seconds, 60)) for engine in ours[:2]]
            longer[size] += [measured(work | {"peer": peer}, python, seconds) for peer in others if python]
        print(longer, file=sys.stderr)
    return {
        "n": n, "items": items, "seed": seed, "direct_share": DIRECT_SHARE,
        "column_bytes": matrix.n_bytes, "rows": rows, "longer": longer,
    }  # fmt: skip
