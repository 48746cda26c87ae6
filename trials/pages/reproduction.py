"""The experiment of Zhu et al. 2010 in kind: time, loss, one-value classes and changed values against k."""

from __future__ import annotations

import csv
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from privacy.arrays import Array
from privacy.sdc import (
    Classes,
    ClassMatrix,
    ColumnRule,
    Hierarchy,
    Space,
    Table,
    axis_weights,
    bottom_up,
    flat_hierarchy,
    ilp_l_diversity,
    ka_cluster,
    leakage,
    loss,
    utility_matrix,
    value_weights,
)
from privacy.sdc.bottom_up import plain_pair_evaluations
from privacy.sdc.metrics import Loss
from privacy.sdc.table import Column
from surveys.charts.curves import Series, curves_svg
from surveys.errors.error import SurveyError
from surveys.tables.reading import LARGEST_FILE
from trials.pages.paper import Number, Paper, Parameters, Progress, Tables, counted, row_of
from trials.pages.reported_facts import LEAST_VALUES, Point, release_facts

__all__ = ["FIGURES", "NAMES", "RELEASE", "SIZES", "adult_read", "experiment", "release_run", "sample_table"]

SIZES: Final = (2, 5, 10, 20, 50)
_ADULT: Final = (
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "salary-class",
)
_QUASI: Final = (
    "age",
    "education-num",
    "marital-status",
    "native-country",
    "race",
    "salary-class",
    "sex",
    "workclass",
)
_NUMERIC: Final = ("age", "education-num")
# Middle levels of the two deep hierarchies; values that are not named are their own group.
_GROUPS: Final = {
    "marital-status": {
        "Married-civ-spouse": "married",
        "Married-AF-spouse": "married",
        "Divorced": "parted",
        "Separated": "parted",
        "Widowed": "alone",
        "Married-spouse-absent": "alone",
    },
    "workclass": {
        "Federal-gov": "government",
        "Local-gov": "government",
        "State-gov": "government",
        "Self-emp-inc": "self-employed",
        "Self-emp-not-inc": "self-employed",
        "Without-pay": "unpaid",
        "Never-worked": "unpaid",
    },
}
FIGURES: Final = {
    "ilp": (
        "figure-6",
        gettext_lazy("Figure 6: information loss against k"),
        gettext_lazy("information loss penalty (ILP)"),
    ),
    "one_value_share": (
        "figure-7",
        gettext_lazy("Figure 7: classes with one sensitive value"),
        gettext_lazy("share of the classes"),
    ),
    "changed_share": (
        "figure-8",
        gettext_lazy("Figure 8: records with a changed sensitive value"),
        gettext_lazy("share of the records"),
    ),
    "seconds": ("figure-5", gettext_lazy("Figure 5: time against k"), gettext_lazy("time, seconds")),
}
"""Of each field that is drawn: the file, the title, and what the upright axis is. The clock comes last."""

NAMES: Final = {
    "bottom-up": gettext_lazy("bottom-up"),
    "ilp": gettext_lazy("ILP-based"),
    "ilp after L": gettext_lazy("ILP-based, after its L step"),
    "kacluk": gettext_lazy("KACLUK clustering"),
}


def full_size(k: int) -> int:
    """Size of a class that was matched in every round: 2^ceil(log2 k)."""
    return 1 << (k - 1).bit_length()


def adult_read(path: Path) -> tuple[Table, dict[str, Hierarchy]]:
    """Read the Adult data as the UCI repository gives them: no header, records with ``?`` dropped.

    Raises
    ------
    PrivacyError
        When the file is not that.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise SurveyError("file_size.adult", path.stat().st_size, path=path)
        with path.open(encoding="utf-8", newline="") as file:
            rows = [[cell.strip() for cell in row] for row in csv.reader(file) if row]
    except (OSError, UnicodeDecodeError) as error:
        raise SurveyError("file.adult", str(path), path=path, error=error) from error
    for number, row in enumerate(rows):
        if len(row) != len(_ADULT):
            raise SurveyError("ragged.adult", len(row), path=path, number=number + 1, count=len(_ADULT))
    wanted = [_ADULT.index(name) for name in (*_QUASI, "occupation")]
    complete = [[row[index] for index in wanted] for row in rows if "?" not in row]
    return _table(complete), _hierarchies(_table(complete))


def sample_table(rng: np.random.Generator, n: int) -> tuple[Table, dict[str, Hierarchy]]:
    """Draw a made-up table with the columns of Adult, for when the file is not given.

    Occupations come in three families whose members reach over different ranges of age, education and so on,
    so that the clustering of sensitive values has something to find.
    """
    families = (
        ("clerk", "nurse", "teacher", "driver"),
        ("smith", "baker", "farmer"),
        ("judge", "pilot", "actor"),
    )
    jobs = [job for family in families for job in family]
    share = np.array([6, 4, 5, 5, 4, 3, 3, 2, 2, 2]) / 36
    family_of = np.repeat(np.arange(3), [len(family) for family in families])
    chosen = rng.choice(len(jobs), size=n, p=share)
    family = family_of[chosen]
    age = rng.integers(np.array([18, 25, 35])[family], np.array([80, 62, 58])[family])
    education = rng.integers(np.array([4, 1, 9])[family], np.array([17, 13, 17])[family])
    marital = ["Never-married", *sorted(_GROUPS["marital-status"])]
    work = ["Private", *sorted(_GROUPS["workclass"])[:-1]]
    countries = [f"land-{letter}" for letter in "abcdefghijklmnop"]
    rows = []
    for record in range(n):
        width = (len(countries), 6, 9)[family[record]]
        rows.append(
            [
                str(age[record]),
                str(education[record]),
                marital[rng.integers(0, (len(marital), 5, 4)[family[record]])],
                countries[min(int(rng.geometric(0.45)) - 1, width - 1)],
                ("a", "b", "c", "d")[min(int(rng.geometric(0.7)) - 1, (3, 2, 2)[family[record]])],
                ("<=50K", ">50K")[int(rng.random() < (0.2, 0.1, 0.6)[family[record]])],
                ("Female", "Male")[int(rng.random() < 0.6)],
                work[min(int(rng.geometric(0.55)) - 1, (len(work), 4, 5)[family[record]] - 1)],
                jobs[chosen[record]],
            ]
        )
    table = _table(rows)
    return table, _hierarchies(table)


def _table(rows: Sequence[Sequence[str]]) -> Table:
    rules = [
        ColumnRule(name=name, role="quasi_identifier", kind="numeric" if name in _NUMERIC else "categorical")
        for name in _QUASI
    ]
    rules.append(ColumnRule(name="occupation", role="sensitive"))
    return Table.from_rows([*_QUASI, "occupation"], rows, rules)


def _hierarchies(table: Table) -> dict[str, Hierarchy]:
    hierarchies = {}
    for column in table.quasi_identifiers:
        if column.name in _GROUPS:
            groups = _GROUPS[column.name]
            rows = [(value, groups.get(value, value), "*") for value in column.values]
            hierarchies[column.name] = Hierarchy.from_rows(column.name, rows)
        elif column.numbers is None:
            hierarchies[column.name] = flat_hierarchy(column.name, column.values)
    return hierarchies


class _Grouping(NamedTuple):
    """What an algorithm made of a table, and how long it took."""

    algorithm: str
    seconds: float
    classes: Classes
    column: Column
    changed: float = 0.0
    pairs: int = 0
    clusters: int = 1


def experiment(
    table: Table,
    hierarchies: Mapping[str, Hierarchy],
    *,
    seed: int,
    sizes: Sequence[int] = SIZES,
    progress: Progress = lambda stage, done, total: None,
) -> tuple[Point, ...]:
    """Run the three algorithms at every k; each random one from a generator of its own."""
    space = Space.of(table, hierarchies)
    sensitive = table.sensitive[0]
    matrix = utility_matrix(space, sensitive)
    weights = axis_weights(value_weights(matrix), space)
    points: list[Point] = []
    step = counted(progress, len(sizes))
    for k in sizes:
        step()
        groupings = _groupings(space, sensitive, k, seed=seed, matrix=matrix, weights=weights)
        points += (_point(k, made, loss(space, made.classes, weights=weights)) for made in groupings)
    return tuple(points)


def _groupings(
    space: Space,
    sensitive: Column,
    k: int,
    *,
    seed: int,
    matrix: Array,
    weights: Mapping[str, float],
) -> Iterator[_Grouping]:
    began = time.perf_counter()
    merged = bottom_up(space, k, weights)
    took = time.perf_counter() - began
    pairs = plain_pair_evaluations(len(sensitive.codes))
    yield _Grouping("bottom-up", took, merged, sensitive, pairs=pairs)
    began = time.perf_counter()
    made = ilp_l_diversity(
        space,
        sensitive,
        k=k,
        l_value=LEAST_VALUES,
        rng=np.random.default_rng([seed, k, 0]),
        matrix=matrix,
    )
    took = time.perf_counter() - began
    counted = {"pairs": made.first_round_pairs, "clusters": len(np.unique(made.value_cluster))}
    yield _Grouping("ilp", took, made.classes, sensitive, **counted)
    after = replace(sensitive, codes=made.values)
    yield _Grouping("ilp after L", took, made.classes, after, made.change_ratio, **counted)
    began = time.perf_counter()
    drawn = ka_cluster(space, sensitive, k, rng=np.random.default_rng([seed, k, 1]), matrix=matrix)
    took = time.perf_counter() - began
    clusters = len(np.unique(drawn.value_cluster))
    yield _Grouping("kacluk", took, drawn.classes, sensitive, clusters=clusters)


def _point(k: int, made: _Grouping, loss: Loss) -> Point:
    counted = ClassMatrix.of(made.classes, made.column)
    least = max(k, LEAST_VALUES) if made.algorithm.startswith("ilp") else k
    return Point(
        algorithm=made.algorithm,
        k=k,
        seconds=made.seconds,
        ilp=loss.ilp,
        discernibility=loss.discernibility,
        one_value_share=float((counted.distinct == 1).mean()),
        changed_share=made.changed,
        information_bits=leakage(counted).mutual_information,
        first_round_pairs=made.pairs,
        odd_classes=int((made.classes.sizes != full_size(least)).sum()),
        clusters=made.clusters,
    )


def release_run(
    parameters: Parameters, progress: Progress, data: tuple[Table, dict[str, Hierarchy]] | None = None
) -> Tables:
    """Run on Adult where it is given, else on a made-up sample."""
    seed = parameters["seed"]
    if data is None:
        data = sample_table(np.random.default_rng(seed), parameters["rows"])
    return {"points": [row_of(point) for point in experiment(*data, seed=seed, progress=progress)]}


def release_pictures(tables: Tables, _parameters: Parameters, paper: bool) -> dict[str, SafeString]:
    """Draw the figures 5 to 8 of the source."""
    pictures = {}
    for field, (name, title, height) in FIGURES.items():
        series = []
        for algorithm, label in NAMES.items():
            own = [row for row in tables["points"] if row["algorithm"] == algorithm]
            heights = [row[field] for row in own]
            series.append(Series(label=str(label), x=[row["k"] for row in own], y=heights))
        pictures[name] = curves_svg(
            series,
            title=str(title),
            x_label=_("k, least records of a class"),
            y_label=str(height),
            log_x=True,
            paper=paper,
        )
    return pictures


RELEASE: Final = Paper(
    name="reproduce-003",
    title=gettext_lazy("Records published in groups"),
    claim=gettext_lazy(
        "Nobody can tell which record of a published group is whose, nor be sure of a sensitive value in it; "
        "and grouping within alike sensitive values costs little more information than grouping freely."
    ),
    source=gettext_lazy(
        "Zhu Qing, Zhao Tong and Wang Shan, Privacy preservation algorithm for service-oriented information "
        "search, Chinese Journal of Computers 33 (2010) 1315"
    ),
    numbers=(
        Number(name="seed", full=0, least=0, most=2**31 - 1),
        Number(name="rows", full=3_000, least=1_000, most=30_000),
    ),
    run=release_run,
    pictures=release_pictures,
    facts=release_facts,
)
