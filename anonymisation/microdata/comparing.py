"""All algorithms on one table, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from anonymisation.microdata.config import ALGORITHMS, ReleaseConfig
from anonymisation.microdata.made import Made, ReportProgress
from anonymisation.microdata.making import release_make
from privacy.arrays import Whole
from privacy.errors import PrivacyError
from privacy.sdc import ClassMatrix, Hierarchy, Requirement, Table, leakage

__all__ = ["COLUMNS", "compare_all"]

COLUMNS: Final = (
    "algorithm",
    "seconds",
    "ncp",
    "ilp",
    "discernibility",
    "k",
    "distinct_l",
    "entropy_l",
    "t",
    "one_value_classes",
    "information_bits",
    "suppressed",
    "changed",
    "refused",
)


def compare_all(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    config: ReleaseConfig,
    *,
    people: Whole | None = None,
    progress: ReportProgress,
) -> list[dict[str, Any]]:
    """Run each algorithm for k alone, and k-member and ILP l-diversity for all models; report refusals."""
    runs = _runs(config)
    rows = []
    for number, (name, algorithm, wish) in enumerate(runs):
        progress("comparing", number, len(runs))
        try:
            figures = _figures(release_make(table, hierarchies, wish, algorithm=algorithm, people=people))
        except PrivacyError as error:
            figures = {"refused": str(error)}
        rows.append({"algorithm": name, **figures})
    return rows


def _runs(config: ReleaseConfig) -> list[tuple[str, str, ReleaseConfig]]:
    """Return the name of each run, its algorithm and what is asked of it."""
    seed = config.seed if config.seed is not None else 0
    plain = replace(config, requirement=Requirement(k=config.k), own={}, seed=seed)
    runs = [(algorithm, algorithm, plain) for algorithm in ALGORITHMS if algorithm != "ilp"]
    if config.own or config.l_value > 1 or len(config.requirement.models) > 1:
        diverse = replace(plain, requirement=config.requirement, own=config.own)
        runs += [("tight, all models", "tight", diverse), ("ilp, all models", "ilp", diverse)]
    return [*runs, ("samarati, 5% suppressed", "samarati", replace(plain, max_suppressed=0.05))]


def _figures(made: Made) -> dict[str, Any]:
    figures = {
        "seconds": round(made.seconds, 3),
        "ncp": made.loss.ncp,
        "ilp": made.loss.ilp,
        "discernibility": made.loss.discernibility,
        "k": made.measures[0].k,
        "suppressed": made.loss.suppressed,
        "changed": made.changed,
    }
    if made.released.sensitive:
        matrix = ClassMatrix.of(made.classes, made.released.sensitive[0], made.owners)
        figures |= {
            "distinct_l": made.measures[0].distinct_l,
            "entropy_l": made.measures[0].entropy_l,
            "t": made.measures[0].t,
            "one_value_classes": int((matrix.distinct == 1).sum()) / matrix.n_classes,
            "information_bits": leakage(matrix).mutual_information,
        }
    return figures
