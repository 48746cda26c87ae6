"""The result of a run as counts: pack it for the database, and compute its itemsets and rules again.

Figures have the same bits as those of rows: `surveys.runs.result_columns` computes both from the same counts.
Estimates and p-values of all rules are stored, because pages sort by them. Intervals are not.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mining.inference import Inference, further_values
from mining.itemset_table import ItemsetTable
from mining.rules import NO_RULE, Pair
from privacy.arrays import Array, Flags, Whole
from privacy.estimation.array_tables import MeasuredArray, take
from privacy.estimation.counts import Columns, SupportCounts
from privacy.estimation.estimates import estimates
from privacy.estimation.intervals import measure_rules, support_intervals
from privacy.estimation.rule_tables import RuleTable as Measures
from privacy.estimation.rule_values import RuleValues
from privacy.policy import SIGNIFICANCE_LEVEL
from privacy.survey.design import Design
from surveys.errors.error import SurveyError
from surveys.models import ItemsetInference, ItemsetRow, RuleInference, RuleRow, Run, RunCounts
from surveys.models.stored_json import MEMBER, UNREADABLE, WHAT
from surveys.questionnaire.packed_items import pack_items, unpack_items
from surveys.runs.releasable_rows import releasable_design
from surveys.runs.result_columns import (
    EXPECTED_ERROR,
    RuleTests,
    itemset_columns,
    itemset_test_columns,
    rule_columns,
    rule_test_columns,
    shows_groups,
)

_FORMAT: Final = 1
_FEW: Final = 500
_MOST_CACHED: Final = 2
"""Results that a process keeps, each about 50 bytes per rule."""
COUNTED: Final = "counted"
"""Member of a run's summary: whether its itemsets and rules are stored as counts."""

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, kw_only=True, eq=False)
class CountedResult:
    """The itemsets and rules of a run, as counts.

    Attributes
    ----------
    design : Design
        Design of the rows.
    counts : SupportCounts
    itemsets : tuple of Columns
        Listed itemsets; shorter ones first, then by items.
    about : dict
        Plain values: the levels of intervals, the least number of direct rows to compare groups, and true
        supports by packed items.
    arrays : mapping of str to array
        ``itemset`` and ``mask`` (rule i has the items of this itemset whose bits are set on its left side);
        fields of `RuleValues`; ``p_value``, ``p_adjusted``, ``explained_by``, ``flips``; with a confidence
        threshold ``confidence_p``, ``confidence_adjusted``; for itemsets ``maximal``, ``closed``, ``groups``.
    """

    design: Design = field(repr=False)
    counts: SupportCounts = field(repr=False)
    itemsets: tuple[Columns, ...] = field(repr=False)
    about: Mapping[str, Any]
    arrays: Arrays = field(repr=False)

    @classmethod
    def of(
        cls,
        inference: Inference,
        *,
        groups: Sequence[float | None],
        least_direct: int,
        truth: Mapping[Columns, float],
    ) -> CountedResult:
        """Return the result of a run as counts; see `surveys.runs.result_store.result_store`."""
        result, lift, confidence = inference.result, inference.lift, inference.confidence
        values, position_of = result.rules.values, result.itemsets.position_of
        itemset, mask = _numbered(result.rules.sides, position_of)
        arrays: dict[str, NDArray[Any]] = {
            "itemset": itemset,
            "mask": mask,
            **{name: getattr(values, name) for name in _VALUES},
            "p_value": lift.p_values,
            "p_adjusted": lift.adjusted,
            "explained_by": inference.explained_by,
            "flips": inference.fragility,
            "maximal": inference.maximal,
            "closed": inference.closed,
            "groups": np.array([np.nan if value is None else value for value in groups], dtype=np.float64),
        }
        if confidence is not None:
            arrays |= {"confidence_p": confidence.p_values, "confidence_adjusted": confidence.adjusted}
        return cls(
            design=result.design,
            counts=result.counts,
            itemsets=result.itemsets.itemsets,
            about={
                "rule_level": inference.rule_level,
                "itemset_level": inference.itemset_level,
                "least_direct": least_direct,
                "truth": {pack_items(items): share for items, share in truth.items()},
            },
            arrays=arrays,
        )

    def pack(self) -> bytes:
        """Return the result as bytes: a compressed archive of arrays."""
        requests = list(self.counts)
        about = {MEMBER: _FORMAT, "all_rows": self.counts.all_rows, **self.about}
        arrays: dict[str, NDArray[Any]] = {
            "about": np.frombuffer(json.dumps(about).encode(), dtype=np.uint8),
            **_packed_sets("itemsets", self.itemsets),
            **_packed_sets("requests", requests),
            "counts": self.counts.table(requests),
        }
        for name, values in self.arrays.items():
            arrays |= _coded(name, values)
        buffer = io.BytesIO()
        np.savez_compressed(buffer, allow_pickle=False, **arrays)
        return buffer.getvalue()

    @classmethod
    def unpack(cls, packed: bytes, design: Design) -> CountedResult:
        """Read the output of `pack`.

        Raises
        ------
        SurveyError
            ``stored_format``: a later program stored it.
        """
        with np.load(io.BytesIO(packed), allow_pickle=False) as archive:
            about = json.loads(archive["about"].tobytes())
            number = about.pop(MEMBER)
            if number != _FORMAT:
                raise SurveyError(UNREADABLE, number, what=str(WHAT["result"]))
            arrays = {name: archive[name] for name in archive.files if name != "about"}
        itemsets, requests = (_unpacked_sets(name, arrays) for name in ("itemsets", "requests"))
        counts = SupportCounts.from_array(requests, arrays.pop("counts"), all_rows=about.pop("all_rows"))
        return cls(
            design=design,
            counts=counts,
            itemsets=tuple(itemsets),
            about=about,
            arrays=_decoded(arrays),
        )

    def __len__(self) -> int:
        return len(self.arrays["mask"])

    @cached_property
    def values(self) -> RuleValues:
        """Estimates of all rules."""
        return RuleValues(**{name: self.arrays[name] for name in _VALUES})

    @cached_property
    def passes(self) -> Flags:
        """Whether the test of each rule passed."""
        return np.asarray(self.arrays["p_adjusted"] <= SIGNIFICANCE_LEVEL)

    @cached_property
    def truth(self) -> dict[Columns, float]:
        """True supports by itemset."""
        return {unpack_items(items): share for items, share in self.about["truth"].items()}

    @cached_property
    def sizes(self) -> Whole:
        """Number of items of each itemset."""
        return np.array([len(items) for items in self.itemsets], dtype=np.int64)

    @cached_property
    def position_of(self) -> dict[Columns, int]:
        """Position of each itemset."""
        return {items: position for position, items in enumerate(self.itemsets)}

    @cached_property
    def _places_of_items(self) -> Whole:
        """Items of each itemset, shape (itemsets, longest), padded with -1."""
        table = np.full((len(self.itemsets), int(self.sizes.max(initial=0))), -1, dtype=np.int64)
        for size in np.unique(self.sizes).tolist():
            some = np.flatnonzero(self.sizes == size)
            table[some, :size] = [self.itemsets[position] for position in some.tolist()]
        return table

    def having(self, items: Iterable[int]) -> Flags:
        """Return whether each itemset has at least one of these items."""
        return np.asarray(np.isin(self._places_of_items, list(items)).any(axis=1))

    def rules_with(self, item: int, side: str) -> Flags:
        """Return whether each rule has an item on its "antecedent", "consequent" or "either" side."""
        is_item = self._places_of_items == item
        has: Flags = is_item.any(axis=1)[self.arrays["itemset"]]
        if side == "either":
            return has
        place = is_item.argmax(axis=1)[self.arrays["itemset"]].astype(np.uint32)
        is_before = (self.arrays["mask"] >> place) & 1 == 1
        return np.asarray(has & (is_before if side == "antecedent" else ~is_before))

    @cached_property
    def errors(self) -> Array:
        """Error W of each rule: its distance from the truth if it is known, else the expected one."""
        return self._errors(
            self.values.support, self.values.support_se, self._true_supports[self.arrays["itemset"]]
        )

    @cached_property
    def _true_supports(self) -> Array:
        true = [self.truth.get(items, np.nan) for items in self.itemsets] if self.truth else np.nan
        return np.broadcast_to(np.asarray(true, dtype=np.float64), len(self.itemsets))

    @staticmethod
    def _errors(values: Array, errors: Array, true: Array) -> Array:
        return np.where(np.isnan(true), EXPECTED_ERROR * errors, np.abs(values - true))

    def sides(self, position: int) -> Pair:
        """Return the antecedent and consequent of a rule."""
        items, mask = self.itemsets[self.arrays["itemset"][position]], int(self.arrays["mask"][position])
        before = tuple(item for place, item in enumerate(items) if mask >> place & 1)
        return before, tuple(item for place, item in enumerate(items) if not mask >> place & 1)

    def find(self, antecedent: Columns, consequent: Columns) -> int | None:
        """Return the position of a rule; None if it is not listed."""
        items = tuple(sorted(antecedent + consequent))
        itemset = self.position_of.get(items)
        if itemset is None:
            return None
        first, last = np.searchsorted(self.arrays["itemset"], [itemset, itemset + 1])
        mask = sum(1 << place for place, item in enumerate(items) if item in antecedent)
        found = np.flatnonzero(self.arrays["mask"][first:last] == mask)
        return int(first + found[0]) if len(found) else None

    def rules(self, run: Run, positions: Sequence[int]) -> list[RuleRow]:
        """Compute the rules at these positions, each with its test, as unsaved rows."""
        places, sides = (
            np.asarray(positions, dtype=np.int64),
            [self.sides(position) for position in positions],
        )
        columns = rule_columns(sides, self._measured(sides, 0.95), self.truth)
        explained = self.arrays["explained_by"][places].tolist()
        confidence = {
            name: self.arrays[name][places] if name in self.arrays else None
            for name in ("confidence_p", "confidence_adjusted")
        }
        tests = rule_test_columns(
            RuleTests(
                p_values=self.arrays["p_value"][places],
                adjusted=self.arrays["p_adjusted"][places],
                passes=self.passes[places],
                confidence_p_values=confidence["confidence_p"],
                confidence_adjusted=confidence["confidence_adjusted"],
                measures=self._measured(sides, self.about["rule_level"]),
                shorter=[None if shorter == NO_RULE else self.sides(shorter)[0] for shorter in explained],
                flips=self.arrays["flips"][places],
                interest=further_values(take(self.values, places)),
                maximal=self.arrays["maximal"][self.arrays["itemset"][places]].tolist(),
            )
        )
        rows = []
        for place, position in enumerate(positions):
            row = RuleRow(run=run, **{name: values[place] for name, values in columns.items()})
            row.number = position + 1
            RuleInference(rule=row, **{name: values[place] for name, values in tests.items()})
            rows.append(row)
        return rows

    @cached_property
    def supports(self) -> ItemsetTable:
        """Estimates of all itemsets."""
        return ItemsetTable(
            itemsets=self.itemsets,
            estimates=estimates(self.counts, self.itemsets, self.design),
            intervals_of=partial(self._intervals, level=0.95),
        )

    @cached_property
    def itemset_errors(self) -> Array:
        """Error W of each itemset."""
        table = self.supports.estimates
        return self._errors(table.value, table.standard_error, self._true_supports)

    @cached_property
    def shows_groups(self) -> bool:
        """Whether the groups of any itemset may be compared."""
        return bool(shows_groups(self.supports, self.about["least_direct"]).any())

    def itemset_rows(self, run: Run, positions: Sequence[int]) -> list[ItemsetRow]:
        """Compute the itemsets at these positions, each with its inference, as unsaved rows."""
        places = np.asarray(positions, dtype=np.int64)
        table = self.supports.part(positions)
        columns = itemset_columns(
            table, self.counts, self.design, least_direct=self.about["least_direct"], truth=self.truth
        )
        groups = [None if np.isnan(value) else value for value in self.arrays["groups"][places].tolist()]
        tests = itemset_test_columns(
            self.intervals(table.itemsets),
            self.arrays["maximal"][places],
            self.arrays["closed"][places],
            groups,
        )
        rows = []
        for place in range(len(positions)):
            row = ItemsetRow(run=run, **{name: values[place] for name, values in columns.items()})
            ItemsetInference(itemset=row, **{name: values[place] for name, values in tests.items()})
            rows.append(row)
        return rows

    def intervals(self, itemsets: Sequence[Columns]) -> MeasuredArray:
        """Return the supports of listed itemsets with intervals at the level for listed itemsets."""
        return self._intervals(itemsets, level=self.about["itemset_level"])

    # Sums over the cells of one event alone can differ in the last bit from those of several events of its
    # shape. So the few events of a page are computed twice, each beside its copy.

    def _measured(self, sides: Sequence[Pair], level: float) -> Measures:
        again = sides if len(sides) <= _FEW else ()
        measures = measure_rules(self.counts, [*sides, *again], self.design, level=level)
        return take(measures, np.arange(len(sides)))

    def _intervals(self, itemsets: Sequence[Columns], *, level: float) -> MeasuredArray:
        again = itemsets if len(itemsets) <= _FEW else ()
        supports = support_intervals(self.counts, [*itemsets, *again], self.design, level=level)
        return take(supports, np.arange(len(itemsets)))


_VALUES: Final = ("support", "antecedent", "consequent", "support_se", "n")


def _numbered(
    sides: Sequence[Pair], position_of: Mapping[Columns, int]
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return the itemset of each rule and which of its items are on the left side, as bits.

    >>> itemset, mask = _numbered([((4,), (1, 7))], {(1, 4, 7): 5})
    >>> itemset.tolist(), mask.tolist()
    ([5], [2])
    """
    itemset, mask = (np.empty(len(sides), dtype=np.uint32) for _ in range(2))
    shapes: dict[tuple[int, int], list[int]] = {}
    for place, (before, after) in enumerate(sides):
        shapes.setdefault((len(before), len(after)), []).append(place)
    for (size, _), places in shapes.items():
        items = np.array([sides[place][0] + sides[place][1] for place in places], dtype=np.int64)
        order = np.argsort(items, axis=1)
        unions = np.take_along_axis(items, order, axis=1)
        # Rules of one itemset follow each other, so it is looked up once.
        is_new = np.concatenate([[True], (unions[1:] != unions[:-1]).any(axis=1)])
        numbers = np.array([position_of[tuple(union)] for union in unions[is_new].tolist()], dtype=np.uint32)
        itemset[places] = numbers[np.cumsum(is_new) - 1]
        mask[places] = ((order < size) << np.arange(items.shape[1])).sum(axis=1)
    return itemset, mask


def counted_result(run: Run) -> CountedResult | None:
    """Return the counts of a run; None if its itemsets and rules are rows.

    Raises
    ------
    SurveyError
        ``stored_format``: a later program stored it.
    """
    if not run.summary.get(COUNTED):
        return None
    digest = RunCounts.objects.defer("packed").get(run=run).digest
    return _read(digest, releasable_design(run.version))


@lru_cache(maxsize=_MOST_CACHED)
def _read(digest: str, design: Design) -> CountedResult:
    """Unpack the counts with this digest; equal digests are equal results."""
    packed = RunCounts.objects.filter(digest=digest).values_list("packed", flat=True)[0]
    return CountedResult.unpack(bytes(packed), design)


def _packed_sets(name: str, sets: Sequence[Columns]) -> dict[str, NDArray[Any]]:
    return {
        f"{name}_size": np.array([len(columns) for columns in sets], dtype=np.uint8),
        f"{name}_columns": np.array([column for columns in sets for column in columns], dtype=np.uint16),
    }


def _unpacked_sets(name: str, arrays: dict[str, NDArray[Any]]) -> list[Columns]:
    """Remove the arrays of `_packed_sets`, and return the sets."""
    columns = arrays.pop(f"{name}_columns").tolist()
    ends = np.cumsum(arrays.pop(f"{name}_size"), dtype=np.int64).tolist()
    return [tuple(columns[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


_CODES: Final = "_codes"


def _coded(name: str, values: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Return an array as its different values and their numbers, if most values are repeated.

    >>> [(name, array.tolist()) for name, array in _coded("n", np.array([5, 5, 5, 5, 7])).items()]
    [('n', [5, 7]), ('n_codes', [0, 0, 0, 0, 1])]
    """
    # As bits: 0.0 and -0.0 are different values here, and NaN equals itself.
    bits = values.view(np.uint64) if values.dtype.itemsize == 8 else values
    distinct, codes = np.unique(bits, return_inverse=True)
    if 2 * len(distinct) > len(values) or len(values) == 0:
        return {name: values}
    return {
        name: distinct.view(values.dtype),
        name + _CODES: codes.astype(np.min_scalar_type(len(distinct))),
    }


def _decoded(arrays: Arrays) -> dict[str, NDArray[Any]]:
    return {
        name: values[arrays[name + _CODES]] if name + _CODES in arrays else values
        for name, values in arrays.items()
        if not name.endswith(_CODES)
    }
