"""Analyse reports of a survey: shares, itemsets, rules, comparisons and regressions of named items."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np

from mining.columns.scored_rows import scored_rows
from mining.columns.sent_counts import sent_counts
from mining.columns.sent_values import disguise_of
from mining.frames.answer_kinds import flat_names
from mining.frames.arms import arms_frame
from mining.frames.column_checks import check_rows_of_groups, refuse_disguised, refuse_unknown_option
from mining.frames.comparisons import TwoShares
from mining.frames.group_means import group_means
from mining.frames.number_bars import number_bars
from mining.frames.printed_columns import (
    ABOUT_ITEMSETS,
    ABOUT_RULES,
    MEASURES,
    rule_columns,
    support_columns,
    tested_columns,
)
from mining.frames.regressions import fit_regression
from mining.frames.rows import DisguisedRows
from mining.frames.waves import TwoWaves
from mining.frames.weighted import weighted_rows, weighted_rules, weighted_supports
from mining.inference import infer
from mining.multiple_testing import itemset_selection_level
from mining.pipeline import find_itemsets, mine
from mining.predicted_itemsets import about_borrowed, borrowed_columns
from mining.rules import Pair
from mining.three_way import three_way
from mining.thresholds import Sides, Thresholds
from privacy.arrays import Array, Flags
from privacy.counted_nouns import counted
from privacy.errors import PrivacyError
from privacy.estimation.comparison import comparison_factors
from privacy.estimation.composed_parts import Factor, Part, Side, event_factors
from privacy.estimation.joined_rows import JoinedRows
from privacy.library.frames import level_groups, pick, refuse_missing
from privacy.library.shares import Figure, share_frame
from privacy.library.shown_tables import data_frame
from privacy.regression.formula_linear import LinearRegression
from privacy.regression.formula_regression import FormulaRegression, check_options
from privacy.scales.decoded_numbers import MEAN
from privacy.scales.quantities import Quantile, quantiles

if TYPE_CHECKING:
    from privacy.library.frames import DataFrame, Series

_STRENGTHS: Final = ["light", "strong"]
"""Names of the groups by strength; the difference is that of the second from the first."""


def one_of_words(names: Iterable[Any]) -> str:
    """Return "at least one of" these names, as figures are named.

    Parameters
    ----------
    names : iterable of str

    Examples
    --------
    >>> one_of_words(["hit", "insulted"])
    'at least one of hit, insulted'
    """
    return f"at least one of {', '.join(map(str, names))}"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Reports(DisguisedRows):
    """Reports of respondents, with the design of their disguise and the analyses of them.

    Its fields are those of `mining.frames.rows.DisguisedRows`.
    """

    @property
    def _has_plain_rows(self) -> bool:
        return self.weights is None and self.clusters is None and self.strata is None

    def share(self, *items: str | Sequence[str], at_least_one: str | Sequence[str] = ()) -> Figure:
        """Return the share of people who have an item, all of several items, or at least one of several.

        Parameters
        ----------
        *items : str or sequence of str
            A person must have all of them.
        at_least_one : sequence of str, optional
            A person must have one of these 2 to 8 items, which one block sends under one coin.

        Raises
        ------
        PrivacyError
            ``unknown_item``; ``never_together``: no device is asked all of them; ``at_least_one``: one item,
            items of several blocks, or items that are also in `items`; ``too_large``.

        Notes
        -----
        The estimate is the mean, or weighted mean, of unbiased scores over the people who were asked
        everything. With clusters, the sums over clusters are the independent observations. Intervals are by
        empirical likelihood. The score of "at least one of" is ([one of them] - (1-p) q) / p, with the
        probability q that a random answer has one. People who skip the block count as having none.
        """
        names, any_of = flat_names(items), flat_names([at_least_one])
        words = [*map(str, names), *([one_of_words(any_of)] if any_of else [])]
        event = Side(items=self.items_of(names), at_least_one=self.items_of(any_of))
        return self._figure(f"share of {' and '.join(words)}", event)

    def mean(self, question: str) -> Figure:
        """Return the mean of a number.

        Raises
        ------
        PrivacyError
            ``unknown_question``; ``reports``: the question does not ask for a number, or may be skipped.
        """
        number = self.design.question_number(self.key_of(question))
        if not self.design.questions[number].has_mean or self.may_be_skipped(number):
            raise PrivacyError("reports.mean", question)
        event = Side(parts=(Part(question=number, target=MEAN),))
        return self._figure(f"mean of {question}", event, self.range_of(question))

    def means(self, question: str, by: str, *, level: float = 0.95) -> DataFrame:
        """Return the mean of a number in each group.

        Parameters
        ----------
        question : str
            A number, which may be skipped; means are those of the people who answer.
        by : str
            A disguised item, for people who have it and all others; or another column, for each of its
            values.
        level : float, in (0, 1)

        Returns
        -------
        DataFrame
            One row per group: mean, in the unit of the answers, and the other columns of
            `privacy.printed.PrintedEstimates`. The interval is that of a ratio, by empirical likelihood.

        Raises
        ------
        PrivacyError
            ``reports``: not a number, a disguised column that is no item, an item that may be skipped, or
            more than 20 groups. ``unknown_question``, ``frame``, ``misfit``, ``no_rows``.
        """
        return group_means(self, question, by, level)

    def quantile(self, question: str, share: float = 0.5, *, level: float = 0.95) -> Quantile:
        """Return a quantile of a number, by default the median.

        Parameters
        ----------
        question : str
        share : float, in (0, 1)
        level : float, in (0, 1)

        Returns
        -------
        Quantile
            ``value``, ``low`` and ``high`` in the unit of the answers; ``estimable`` is False if the
            interval covers most of the range.

        Raises
        ------
        PrivacyError
            ``reports``: reports have weights or clusters. ``unknown_question``, ``lone``.
        """
        return quantiles(*self._number(question), [share], level=level)[0]

    def histogram(self, question: str, *, level: float = 0.95) -> DataFrame:
        """Return the histogram of a number, with as many bars as the number of respondents allows.

        One row per bar, indexed by its smallest and largest answer: share, standard_error, low, high. Empty
        if there are too few respondents for two bars.
        """
        channel, groups = self._number(question)
        return number_bars(channel, groups, question, level)

    def _number(self, question: str) -> tuple[Any, Any]:
        """Return the disguise of a number and the counts of the sent values."""
        if not self._has_plain_rows:
            raise PrivacyError("reports.counts", self._conditions)
        number = self.design.question_number(self.key_of(question))
        channel = disguise_of(self.design, number)
        if not self.design.questions[number].has_mean:
            raise PrivacyError("reports.mean", question)
        return channel, sent_counts(self.design, number, self.packed).groups(channel)

    def arms(self, by: str) -> DataFrame:
        """Compare randomised groups in all disguised answers: the analysis of *Did it help?*

        Parameters
        ----------
        by : str
            An undisguised column with the group of each row. All groups are compared with the first category,
            or the smallest value.

        Returns
        -------
        DataFrame
            One row per item and group except the first: its share with its interval, the difference from the
            first group, its error, plain interval, and an interval that remains valid if you pick the largest
            difference; n, effective_n, level, basis and the unclipped difference; the p-value of the
            question, and its adjustment for all questions (Holm). Below 30 effective answers in either group
            there is no figure. ``attrs["joint"]`` tests all together.

        Raises
        ------
        PrivacyError
            ``frame``; ``reports``: clusters, fewer than two groups, or disguised ones. ``misfit``: the
            reports of a group contradict the design. ``no_rows``.
        """
        (column,) = pick(self.frame, [by])
        refuse_disguised([by], self.design, self.names)
        refuse_missing(column, by)
        group = column.astype("category").cat.remove_unused_categories()
        if self.units is not None or len(group.cat.categories) < 2:
            raise PrivacyError("reports.arms", by, count=len(group.cat.categories))
        check_rows_of_groups(self.design, self.packed, level_groups([column], most=self.n))
        return self._by_group(group)

    def added_denial(self) -> DataFrame:
        """Return the denial that the weaker of two randomly drawn strengths adds, for each disguised answer.

        Returns
        -------
        DataFrame
            One row per item: the share with the stronger protection minus the share with the weaker one
            (``difference``), its error and intervals, and the other columns of `arms`. It holds only if the
            devices drew the strength, and says nothing about denial that is common to both.

        Raises
        ------
        PrivacyError
            ``reports``: the design has one strength, all rows have the same, or there are clusters.
        """
        strengths = self.frame.index.to_series().astype(object)
        strengths[:] = np.where(self.direct, _STRENGTHS[0], _STRENGTHS[1])
        found = strengths.astype("category").cat.set_categories(_STRENGTHS)
        count = int(self.design.has_two_strengths) * len(found.unique())
        if self.units is not None or count < 2:
            raise PrivacyError("reports.strengths", count)
        return self._by_group(found.rename("strength"))

    def _by_group(self, group: Series) -> DataFrame:
        """Compare the first category with each other one in all disguised answers."""
        questions: dict[int, list[int]] = {}
        scores, has_answer = [], []
        for item in self.design.items:
            question = self.design.questions[item.question]
            if self.design.blocks[item.block].protected and not question.anchor:
                own, complete = self.scores_of(event_factors(Side(items=(item.index,)), self.design))
                questions.setdefault(item.question, []).append(item.index)
                scores.append(own[0] * complete)
                has_answer.append(complete * (own[-1] if len(own) > 3 else 1.0))
        names = [[self._name([item]) for item in own] for own in questions.values()]
        # The options of a single choice sum to 1.
        free = [
            len(own) - self.design.questions[at].is_exhaustive
            for at, own in zip(questions, names, strict=True)
        ]
        mass = np.ones(self.n) if self.mass is None else self.mass
        return arms_frame(group, np.stack(has_answer), np.stack(scores), mass, self.direct, names, free)

    def _figure(self, name: str, event: Side, ends: Sequence[float] = (0.0, 1.0)) -> Figure:
        factors = event_factors(event, self.design)
        rows = self._plain_rows(factors) if self._has_plain_rows else self._weigh(*self.scores_of(factors))
        first, last = ends
        base = rows.scores[-1] if len(rows.scores) > 3 else np.ones(len(rows.counts))
        score = first * base + (last - first) * rows.scores[0]
        return Figure(
            name=name,
            design=self._conditions,
            value=float(rows.counts @ score / (rows.counts @ base)),
            counts=rows.counts,
            constant=score,
            slope=-base,
            possible=(first, last),
            smallest_cell=rows.smallest_cell,
            clusters=rows.clusters,
            n=rows.n_direct + rows.n_protected,
            effective_n=rows.effective,
        )

    @property
    def _conditions(self) -> str:
        options = {"weights": self.weights, "clusters": self.clusters, "strata": self.strata}
        words = [f"{name} {column}" for name, column in options.items() if column is not None]
        left_out = [f"{counted(self.dropped, 'row')} without an answer left out"] if self.dropped else []
        return ", ".join(["disguised reports", *words, *left_out])

    def _plain_rows(self, factors: Sequence[Factor]) -> JoinedRows:
        all_rows = self.design.rotates and self.count_cache.all_rows
        return scored_rows(self.design, factors, self.packed, all_rows=all_rows)

    def _weigh(self, scores: Array, complete: Flags) -> JoinedRows:
        mass = np.ones(self.n) if self.mass is None else self.mass
        is_plain = self._has_plain_rows
        return weighted_rows(scores, complete, mass, self.direct, self.units, merged=is_plain)

    def _name(self, items: Sequence[int]) -> str:
        keys = [self.design.items[item].key for item in items]
        return " & ".join(self.names.get(key, key) for key in keys)

    def supports(self, *, min: float = 0.05, size: int = 3, borrow: bool = False) -> DataFrame:
        """Return the itemsets whose estimated share reaches a threshold.

        Parameters
        ----------
        min : float, in (0, 1]
        size : int, 1 to 20
            Largest number of items together.
        borrow : bool
            Whether to also predict itemsets from shares and pairs (docs/borrowing.md).

        Returns
        -------
        DataFrame
            One row per itemset: support, standard_error, low, high, n, effective_n, level, basis, unclipped
            (see `privacy.printed`), picked_low and picked_high. Plain intervals are for itemsets
            chosen in advance; "picked" ones account for the selection of listed itemsets. With ``borrow``,
            one row per itemset whose support or prediction reaches the threshold: direct, borrowed with its
            low and high, asked (rows that were asked everything in it), and basis: "direct", "shrunk",
            "pooled", "completed" or "not determined" (only the interval says something).
            Then ``attrs["three_way"]`` tests completed itemsets: `mining.three_way.ThreeWay`.

        Raises
        ------
        PrivacyError
            ``reports.borrow``: reports have weights or clusters.

        Notes
        -----
        Uses the product's search, `mining.pipeline.find_itemsets`. With weights or clusters, each candidate
        is estimated by `share`; longer ones are built from those whose upper limit reaches the threshold.
        """
        thresholds = Thresholds(support=min, max_size=size)
        if not self._has_plain_rows:
            if borrow:
                raise PrivacyError("reports.borrow", self._conditions)
            shares = weighted_supports(self.design, self._itemset_figure, thresholds)
            figures = list(shares.values())
            names: list[Hashable] = [self._name(items) for items in shares]
            frame = share_frame(figures, names, "items", 0.95).rename(columns={"share": "support"})
            level = itemset_selection_level(len(figures), self.design, size)
            ends = np.reshape([figure.interval(level) for figure in figures], (-1, 2)).T
            return frame.assign(picked_low=ends[0], picked_high=ends[1])
        _, _, table = find_itemsets(self.count_cache, thresholds)
        if borrow:
            columns, itemsets = borrowed_columns(self.count_cache, table, least=min, size=size)
            names = [self._name(items) for items in itemsets]
            frame = data_frame(columns, index=names, name="items", about=about_borrowed(columns["basis"]))
            frame.attrs["three_way"] = three_way(self.count_cache)
            return frame
        columns = support_columns(table, self.count_cache, self.design, size)
        index = [self._name(items) for items in table.itemsets]
        return data_frame(columns, index=index, name="items", about=ABOUT_ITEMSETS)

    def rules(
        self,
        *,
        min: float = 0.05,
        size: int = 3,
        confidence: float = 0.0,
        lift: float | None = None,
        antecedent: str | Sequence[str] | None = None,
        consequent: str | Sequence[str] | None = None,
    ) -> DataFrame:
        """Return association rules between the true answers, with their tests.

        Parameters
        ----------
        min, confidence, lift : float
            Smallest estimates.
        size : int
            Largest number of items on both sides together.
        antecedent, consequent : str or sequence of str, optional
            Items allowed on a side.

        Returns
        -------
        DataFrame
            One row per rule: support, confidence, lift and leverage, each with its 95% interval, its basis
            and the unclipped estimate; n, effective_n and level; p_value of
            "lift above 1", and adjusted, corrected for all rules that could be listed (Benjamini and
            Yekutieli). The plain intervals are for rules chosen in advance; "picked" ones account for the
            selection of listed rules.

        Raises
        ------
        PrivacyError
            ``support``, ``sides``, ``unknown_item``.

        Notes
        -----
        Uses the product's search, `mining.pipeline.mine`. With weights or clusters, `compare` estimates the
        rules of the itemsets that `supports` lists: confidence, lift, and the two-sided p-value, halved to
        one side.
        """
        sides = Sides(
            antecedent=None if antecedent is None else self.items_of(flat_names([antecedent])),
            consequent=None if consequent is None else self.items_of(flat_names([consequent])),
        )
        thresholds = Thresholds(support=min, confidence=confidence, lift=lift, max_size=size, sides=sides)
        if not self._has_plain_rows:
            return self._weighted_rules(thresholds)
        result = mine(self.matrix, self.design, thresholds)
        measures = result.rules.measures
        columns = rule_columns(measures)
        tests = infer(result, self.count_cache)
        columns |= tested_columns(tests.lift, measures.n, measures.n, tests.families.lift.total)
        for name in MEASURES:
            selection = getattr(tests.rules, name)
            columns |= {f"{name}_picked_low": selection.low, f"{name}_picked_high": selection.high}
        return self._rule_frame(columns, result.rules.sides)

    def _rule_frame(self, columns: Mapping[str, Any], sides: Sequence[Pair]) -> DataFrame:
        index: Any = [(self._name(before), self._name(after)) for before, after in sides]
        names = ["antecedent", "consequent"]
        frame = data_frame(columns, index=index or None, name=names, about=ABOUT_RULES)
        return frame.sort_values("p_value", kind="stable")

    def _weighted_rules(self, thresholds: Thresholds) -> DataFrame:
        def rows_of(before: tuple[int, ...], after: tuple[int, ...]) -> JoinedRows:
            return self._weigh(
                *self.scores_of(comparison_factors(Side(items=before), Side(items=after), self.design))
            )

        supports = weighted_supports(self.design, self._itemset_figure, thresholds)
        return self._rule_frame(*weighted_rules(self.design, supports, rows_of, thresholds))

    def _itemset_figure(self, items: tuple[int, ...]) -> Figure:
        return self._figure(self._name(items), Side(items=items))

    @overload
    def compare(self, outcome: Reports, by: str, *, at: Any = None) -> TwoWaves: ...
    @overload
    def compare(
        self,
        outcome: str | None = None,
        by: str | None = None,
        *,
        at: Any = None,
        at_least_one: str | Sequence[str] = (),
    ) -> TwoShares: ...
    def compare(
        self,
        outcome: str | Reports | None = None,
        by: str | None = None,
        *,
        at: Any = None,
        at_least_one: str | Sequence[str] = (),
    ) -> TwoShares | TwoWaves:
        """Compare people who have an answer with all others, by `privacy.estimation.comparison.compare`.

        ``before.compare(after, "cheat")`` compares two sets of reports instead: the share of an item, or the
        mean of a number, by `privacy.estimation.change.change_between`.

        Parameters
        ----------
        outcome : str or Reports, optional
            An item, a number (its mean from 0 to 1 of its range), or another column of yes and no; or later
            reports, which ask the same in `by`.
        by : str
            An item, or another column; with later reports, the item or number to compare.
        at : optional
            For a question or column with several values, the one that counts as the answer.
        at_least_one : sequence of str, optional
            Instead of `outcome`: items of one block, of which a person has one, as for `share`.

        Raises
        ------
        PrivacyError
            ``unknown_item``, ``frame``, ``answers``, ``rule``, ``at_least_one``; ``reports``: a column is
            disguised, no one has the value `at`, or there is no outcome or more than one.
        """
        if isinstance(outcome, Reports):
            return self._change(outcome, by, at, at_least_one)
        any_of = flat_names([at_least_one])
        if by is None or (outcome is None) == (not any_of):
            raise PrivacyError("reports.outcome", outcome)
        self.key_of(by)
        if at is not None:
            refuse_unknown_option(by, at, self.design, self.names)
        name = by if at is None else f"{by}={at}"
        title = one_of_words(any_of) if outcome is None else outcome
        first = self._side(name)
        second = Side(at_least_one=self.items_of(any_of)) if outcome is None else self._side(outcome)
        if isinstance(first, Side) and isinstance(second, Side):
            factors = comparison_factors(first, second, self.design)
            rows = (
                self._plain_rows(factors) if self._has_plain_rows else self._weigh(*self.scores_of(factors))
            )
            mean = bool(second.parts)
        else:
            rows, mean = self._open_comparison(first, second, by, title, at)
        return TwoShares(outcome=title, by=name, rows=rows, mean=mean)

    def _change(
        self, after: Reports, name: str | None, at: Any, at_least_one: str | Sequence[str]
    ) -> TwoWaves:
        if name is None or at_least_one:
            raise PrivacyError("reports.change", name)
        key = name if at is None else f"{name}={at}"
        both = []
        for reports in (self, after):
            side = reports._side(key)
            is_number = side is not None and bool(side.parts)
            both.append(reports.mean(key) if is_number else reports.share(key))
        return TwoWaves(before=both[0], after=both[1])

    def _side(self, name: str) -> Side | None:
        """Return an item or a number of the design as a side; None for another column."""
        key = self.key_of(name)
        if key in {item.key for item in self.design.items}:
            return Side(items=self.items_of([name]))
        for number, question in enumerate(self.design.questions):
            if question.key == key and question.has_mean:
                return Side(parts=(Part(question=number, target=MEAN),))
        return None

    def _open_comparison(
        self, first: Side | None, second: Side | None, by: str, outcome: str, at: Any
    ) -> tuple[JoinedRows, bool]:
        """Return the scores of rows for two columns, at least one of which is open."""
        scores, is_complete = np.ones((3, self.n)), np.ones(self.n, dtype=bool)
        for side, name, own in ((first, by, 1), (second, outcome, 2)):
            if side is None:
                score, complete = self.yes_no_column(name, at if own == 1 else None)
                is_complete &= complete
                if own == 1:
                    has = f"{name} = {'yes' if at is None else at}"
                    groups = {has: complete & (score == 1), f"not {has}": complete & (score == 0)}
                    check_rows_of_groups(self.design, self.packed, groups)
            else:
                if any(self.may_be_skipped(part.question) for part in side.parts):
                    raise PrivacyError("reports.mean", name)
                (score, *_), complete = self.scores_of(event_factors(side, self.design))
                is_complete &= complete
            scores[0] *= score
            scores[own] *= score
        return self._weigh(scores, is_complete), second is not None and bool(second.parts)

    def regression(self, formula: str, **options: object) -> FormulaRegression | LinearRegression:
        """Fit a regression whose response, or one predictor, or both were disguised.

        The response is an item, or another column of yes and no, for a logistic regression; or a number, for
        a linear one.

        Parameters
        ----------
        formula : str
            Such as "cheat ~ C(year) * drugs + np.log(age)", with items and other columns, in the syntax of R
            and patsy. At most one predictor may be a disguised item. The formula is executed as Python.
        **options
            Refused with an error that names them. Set weights and clusters in `Survey.on`.

        Raises
        ------
        PrivacyError
            ``formula``, ``frame``, ``regression``; ``reports``: a column is disguised, but not an item, or
            the disguised predictor of a number may be skipped; ``misfit``: the reports of a group contradict
            the design.
        """
        check_options(options)
        return fit_regression(self, formula)

    def __repr__(self) -> str:
        left_out = f"; {counted(self.dropped, 'row')} without an answer left out" if self.dropped else ""
        return f"<{counted(self.n, 'report')} of {counted(len(self.design.questions), 'question')}{left_out}>"
