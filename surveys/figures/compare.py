"""Two runs of a survey side by side: what was asked differently, and which rules came, went or moved."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Final, Literal, TypeAlias

from django.utils.translation import gettext as _

from mining.thresholds import Thresholds
from privacy.levels import chi_square_quantile
from surveys.figures.run_summary import sides_text
from surveys.formats.figures import number
from surveys.models import Run
from surveys.questionnaire.labels import Labels, labels_of, unpack_items
from surveys.rows.disclosure import shown_count

Relation: TypeAlias = Literal["same", "nested", "separate"]
Sides: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]

MOST_LINES: Final = 100
MEASURES: Final = ("support", "confidence", "lift")


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One thing that the runs do not have in common."""

    name: str
    first: str
    second: str


@dataclass(frozen=True, kw_only=True)
class Moved:
    """One rule that both runs list, in one measure.

    Attributes
    ----------
    n : str
        Answers of those asked everything in the rule, in both runs.
    z : float or None
        Difference in its standard errors; None where it is not tested.
    """

    rule: str
    n: str
    measure: str
    first: str
    second: str
    difference: str
    error: str
    z: float | None

    @property
    def beyond(self) -> bool:
        """Whether a test of size .05 rejects that nothing changed."""
        return self.z is not None and self.z**2 > chi_square_quantile(0.95)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two runs, the earlier one first.

    Attributes
    ----------
    relation : {"same", "nested", "separate"}
        Whether they read the same rows, whether the second read all of the first's and more, or whether they
        share none, being of different designs.
    tested : bool
        Whether differences are held against their errors.
    untested_because : str
    appeared, gone : tuple of str
    n_appeared, n_gone, n_common, n_beyond : int
    moved : tuple of Moved
        The largest first.
    """

    relation: Relation
    tested: bool
    untested_because: str
    settings: tuple[Setting, ...]
    appeared: tuple[str, ...]
    gone: tuple[str, ...]
    n_appeared: int
    n_gone: int
    n_common: int
    n_beyond: int
    n_tested: int
    expected_by_chance: str
    moved: tuple[Moved, ...]


def compare_runs(first: Run, second: Run) -> Comparison:
    """Compare two finished runs of one survey.

    Notes
    -----
    Rows of a later snapshot contain those of an earlier one, so the estimates depend on each other: the
    variance of their difference is that of the first minus that of the second, not the sum. Rows of
    different designs come from different answers, and there it is the sum. The same rows leave nothing to
    test: what differs is due to the settings alone.
    """
    relation = relation_of(first, second)
    before, after = _rules(first), _rules(second)
    names = _names(first, second)
    common = [sides for sides in before if sides in after]
    gone = [sides for sides in before if sides not in after]
    appeared = [sides for sides in after if sides not in before]
    why = _untested(first, second, relation)
    moved = [
        line
        for sides in common
        for line in _moved(names[sides], before[sides], after[sides], relation, tested=not why)
    ]
    moved.sort(key=lambda line: (-abs(line.z or 0.0), line.rule, line.measure))
    n_tested = sum(line.z is not None for line in moved)
    return Comparison(
        relation=relation,
        tested=not why,
        untested_because=why,
        settings=tuple(_settings(first, second)),
        appeared=tuple(names[sides] for sides in appeared[:MOST_LINES]),
        gone=tuple(names[sides] for sides in gone[:MOST_LINES]),
        n_appeared=len(appeared),
        n_gone=len(gone),
        n_common=len(common),
        n_beyond=sum(line.beyond for line in moved),
        n_tested=n_tested,
        expected_by_chance=number(0.05 * n_tested, 1),
        moved=tuple(moved[:MOST_LINES]),
    )


def relation_of(first: Run, second: Run) -> Relation:
    """Say how the rows of two runs, the earlier one first, hang together."""
    if first.design_id != second.design_id:
        return "separate"
    return "same" if first.snapshot_digest == second.snapshot_digest else "nested"


def _untested(first: Run, second: Run, relation: Relation) -> str:
    before, other = first.thresholds, second.thresholds
    if relation == "same":
        return _("Both read the same rows: what differs is due to the settings alone.")
    if before.estimator != other.estimator:
        return _("They estimate in different ways, so the law of their difference is not known.")
    if "respondents" in (before.target, other.target):
        return _("Errors about these respondents say nothing of others, and the runs have different ones.")
    if relation == "nested" and (before.halves or other.halves):
        return _("A run in halves reads some of the rows, and not always the same ones.")
    return ""


def _rules(run: Run) -> dict[Sides, tuple[int, Sequence[float | None]]]:
    """Of every rule n, and the values and standard errors of its measures, by the keys of its items."""
    keys = [item.key for item in run.version.to_design().items]

    def named(packed: str) -> tuple[str, ...]:
        return tuple(keys[item] for item in unpack_items(packed))

    columns = [measure + end for measure in MEASURES for end in ("", "_se")]
    rows = run.rules.order_by("-lift", "pk").values_list("antecedent", "consequent", "n", *columns)
    return {(named(row[0]), named(row[1])): (row[2], row[3:]) for row in rows.iterator(chunk_size=5_000)}


def _names(first: Run, second: Run) -> dict[Sides, str]:
    """Names of all rules of both runs; where both have one, as the second says it."""
    names: dict[Sides, str] = {}
    for run in (first, second):
        labels: Labels = labels_of(run.version, run.version.to_design())
        for antecedent, consequent in run.rules.values_list("antecedent", "consequent"):
            sides = unpack_items(antecedent), unpack_items(consequent)
            keys = tuple(tuple(labels.items[item].key for item in side) for side in sides)
            names[keys[0], keys[1]] = f"{labels.short(sides[0])} → {labels.short(sides[1])}"
    return names


def _moved(
    rule: str,
    before: tuple[int, Sequence[float | None]],
    after: tuple[int, Sequence[float | None]],
    relation: Relation,
    *,
    tested: bool,
) -> Iterator[Moved]:
    for position, measure in enumerate(MEASURES):
        old, old_error = before[1][2 * position : 2 * position + 2]
        new, new_error = after[1][2 * position : 2 * position + 2]
        if old is None or new is None or (not tested and math.isclose(old, new, rel_tol=1e-9)):
            continue
        error = difference_error(old_error, new_error, relation) if tested else None
        digits = 2 if measure == "lift" else 3
        yield Moved(
            rule=rule,
            n=f"{shown_count(before[0])} → {shown_count(after[0])}",
            measure={"support": _("support"), "confidence": _("confidence"), "lift": _("lift")}[measure],
            first=number(old, digits),
            second=number(new, digits),
            difference=number(new - old, digits),
            error=number(error, digits),
            z=(new - old) / error if error else None,
        )


def difference_error(first: float | None, second: float | None, relation: Relation) -> float | None:
    """Return the standard error of a difference of two estimates, the one from fewer rows first.

    Rows that are shared take a part of the variance away: with all of the first's among the second's,
    Var(difference) = Var(first) - Var(second).

    >>> round(difference_error(0.05, 0.03, "nested"), 3), round(difference_error(0.03, 0.04, "separate"), 3)
    (0.04, 0.05)
    >>> difference_error(0.03, 0.03, "nested") is None
    True
    """
    if first is None or second is None:
        return None
    variance = first**2 - second**2 if relation == "nested" else first**2 + second**2
    # Estimated errors may not fall though the rows grew; then the difference cannot be judged.
    return math.sqrt(variance) if variance > 0 else None


def _settings(first: Run, second: Run) -> Iterator[Setting]:
    before, other = first.thresholds, second.thresholds
    names = {
        "support": _("Support from"), "confidence": _("Confidence from"), "lift": _("Lift from"),
        "max_size": _("Longest itemset"), "estimator": _("Estimator"),
        "policy": _("Longer itemsets are built from"), "target": _("Intervals are about"),
        "sides": _("Sides of a rule"), "correction": _("p-values are corrected by"),
        "halves": _("In halves"),
    }  # fmt: skip
    for field in fields(Thresholds):
        old, new = getattr(before, field.name), getattr(other, field.name)
        if old != new:
            name = names.get(field.name, field.name)
            yield Setting(name=name, first=_said(old, first), second=_said(new, second))
    counts = [shown_count(run.n or 0) for run in (first, second)]
    rest = (
        (_("Answers, n"), counts[0], counts[1]),
        (_("Snapshot"), first.snapshot_digest[:12], second.snapshot_digest[:12]),
        (_("Design"), first.design_id[:12], second.design_id[:12]),
        (_("Code"), first.code_version, second.code_version),
        (_("Engine"), first.engine, second.engine),
    )
    yield from (Setting(name=name, first=a, second=b) for name, a, b in rest if a != b)


def _said(value: object, run: Run) -> str:
    if value is None:
        return _("none")
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, float):
        return f"{value:g}"
    return sides_text(run)
