"""Disguised rows with their design and table: what every analysis of reports reads."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from mining.columns.bitmatrix import BitMatrix, RowReader, unpacked_columns
from mining.columns.count_cache import CountCache
from mining.columns.scored_rows import row_scores
from mining.columns.sent_counts import sent_counts
from mining.evaluation import SEPARATOR
from mining.frames.column_checks import refuse_disguised, value_codes
from mining.report_checks import check_reports
from privacy.arrays import Array, Flags
from privacy.errors import PrivacyError
from privacy.estimation.composed_parts import Factor, Part, Side, event_factors
from privacy.estimation.sampling_units import SamplingUnits
from privacy.library.answers import report_codes
from privacy.library.designs import YES_NO
from privacy.library.frames import column_weights, pick, refuse_missing
from privacy.library.sampling_units import units_of
from privacy.regression.linear import NumberScores
from privacy.scales.decoded_numbers import MEAN
from privacy.survey.design import Design
from privacy.survey.layout import Layout
from privacy.tables.decisions import Decisions

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DisguisedRows:
    """Reports of respondents, with the design of their disguise.

    Parameters
    ----------
    design : Design
    packed : bytes
        Rows as devices send them, in the order of `frame`.
    frame : DataFrame
        The source table; columns that are not part of the design count as open answers.
    weights, clusters, strata : hashable, optional
        Columns of `frame` that contain weights, clusters, and the strata in which these were drawn.
    dropped : int, optional
        Rows left out because they lack an answer. None if such rows are refused.
    names : mapping of str to str
        Key -> name of an item or question, if they differ.
    decisions : Decisions
        What was decided about the texts of the table; print it to read it.
    """

    design: Design
    packed: bytes
    frame: DataFrame
    weights: Hashable | None = None
    clusters: Hashable | None = None
    strata: Hashable | None = None
    dropped: int | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    decisions: Decisions = field(default_factory=Decisions)

    def __post_init__(self) -> None:
        # Evaluated here so that invalid values raise errors now, not when they are first used.
        self.mass, self.units  # noqa: B018
        check_reports(self.count_cache, lambda number: sent_counts(self.design, number, self.packed))

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.frame)

    @cached_property
    def matrix(self) -> BitMatrix:
        """The rows as bit columns, as the product's pipeline uses them."""
        return BitMatrix.from_rows(self.design, self.packed)

    @cached_property
    def count_cache(self) -> CountCache:
        """Cache of counts of the rows."""
        return CountCache(self.matrix)

    @cached_property
    def mass(self) -> Array | None:
        """Weights of the rows; None if all are equal."""
        return None if self.weights is None else column_weights(self.frame, self.weights)

    @cached_property
    def units(self) -> SamplingUnits | None:
        """Sampling units of the rows; None if rows are independent."""
        return units_of(self.frame, self.clusters, self.strata)

    @cached_property
    def direct(self) -> Flags:
        """Flags of the rows of the group with the weaker disguise."""
        return np.frombuffer(self.packed, dtype=np.uint8)[:: Layout(self.design).n_bytes] >= 0x80

    def scores_of(self, factors: Sequence[Factor]) -> tuple[Array, Flags]:
        """Return scores of each row, and flags of those that were asked everything: see `row_scores`.

        Parameters
        ----------
        factors : sequence of Factor
        """
        return row_scores(self.design, factors, self.packed)

    def may_be_skipped(self, question: int) -> bool:
        """Whether respondents may skip a question.

        Parameters
        ----------
        question : int
        """
        return self.design.blocks[self.design.block_of(question)].refusal is not None

    def items_of(self, names: Sequence[str]) -> tuple[int, ...]:
        """Return the numbers of items, in order.

        Parameters
        ----------
        names : sequence of str

        Raises
        ------
        PrivacyError
            ``unknown_item``; ``itemset``: a name stands twice.
        """
        items = tuple(sorted(self.design.item(self.key_of(name)).index for name in names))
        if len(set(items)) < len(items):
            raise PrivacyError("itemset.twice", SEPARATOR.join(names))
        return items

    @cached_property
    def _keys(self) -> dict[str, str]:
        return {name: key for key, name in self.names.items()}

    def key_of(self, name: str) -> str:
        """Return the key of an item or question.

        Parameters
        ----------
        name : str
        """
        if not isinstance(name, str):
            raise PrivacyError("reports.name", type(name).__name__)
        return self._keys.get(name, name)

    def number_scores(self, question: str) -> tuple[NumberScores, Flags]:
        """Return the scores of a number in its unit, and flags of the rows that were asked it.

        Parameters
        ----------
        question : str

        Raises
        ------
        PrivacyError
            ``unknown_question``; ``reports``: the question does not ask for a number.
        """
        at = self.design.question_number(self.key_of(question))
        own = self.design.questions[at]
        if not own.has_mean:
            raise PrivacyError("reports.mean", question)
        last = own.disguise.inputs - 1  # type: ignore[union-attr]
        (mean, *_), is_complete = self.scores_of(
            event_factors(Side(parts=(Part(question=at, target=MEAN),)), self.design)
        )
        (answered, *_), _ = self.scores_of(
            event_factors(Side(parts=(Part(question=at, target=(0, last)),)), self.design)
        )
        least, greatest = self.range_of(question)
        total = least * answered + (greatest - least) * mean
        return NumberScores(total=total, answered=answered), is_complete

    def range_of(self, question: str) -> tuple[float, float]:
        """Return the middles of the first and last bin of a number, in its unit.

        Parameters
        ----------
        question : str
        """
        own = self.design.questions[self.design.question_number(self.key_of(question))]
        inputs = own.disguise.inputs  # type: ignore[union-attr]
        first, last = (float(own.disguise.range.middle(x)) for x in (0, inputs - 1))  # type: ignore[union-attr]
        return first, last

    def item_scores(self, name: str) -> tuple[Array, Flags]:
        """Return the scores of an item that cannot be skipped, and flags of the rows that were asked it.

        Parameters
        ----------
        name : str

        Raises
        ------
        PrivacyError
            ``unknown_item``; ``reports``: respondents may skip it.
        """
        (item,) = self.items_of([name])
        if self.may_be_skipped(self.design.items[item].question):
            raise PrivacyError("reports.skipped_group", name)
        (has_item, *_), is_asked = self.scores_of(event_factors(Side(items=(item,)), self.design))
        return has_item, is_asked

    def yes_no_column(self, name: str, at: Any) -> tuple[Array, Flags]:
        """Return an undisguised yes/no column as 1 and 0, and flags of its nonempty cells.

        Parameters
        ----------
        name : str
        at : object
            For a column of several values, the one that counts as "yes"; None for a column of yes and no.
        """
        refuse_disguised([name], self.design, self.names)
        (column,) = pick(self.frame, [name])
        if self.dropped is None:
            refuse_missing(column, name)
        codes = report_codes(column, YES_NO) if at is None else value_codes(column, name, at)
        return np.maximum(codes, 0).astype(np.float64), codes >= 0

    @cached_property
    def bits(self) -> Flags:
        """Every column of the design as a row of flags, shape (columns, n)."""
        rows = np.frombuffer(self.packed, dtype=np.uint8).reshape(self.n, -1)
        return unpacked_columns(RowReader(self.design).columns(rows), self.n)
