"""The report agrees with an independent computation: batches unpacked by rows, a score for each record.

Rows are undisguised rows of practice surveys, or all disguised. No code of counting, reconstruction or
intervals is used. Scores follow the definition, means and variances are sums over records, and intervals are
checked by the empirical likelihood at their ends.
"""

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.stats import chi2

from mining.thresholds import Thresholds
from privacy.survey.design import Design
from privacy.survey.layout import Record
from surveys.models import Batch, RuleRow, Run, Version
from surveys.questionnaire.packed_items import unpack_items
from tests.fixtures.devices import records_of
from tests.fixtures.runs import LOOSE, answered_version, mined_run, truth_of

pytestmark = pytest.mark.django_db
Scores = NDArray[np.float64]


class Oracle:
    """All records of a version, unpacked one by one, with their scores."""

    def __init__(self, version: Version) -> None:
        self.design = version.to_design()
        batches = Batch.objects.filter(version=version).order_by("pk")
        self.records = records_of(self.design, [bytes(batch.packed) for batch in batches])
        self.direct = np.array([record.direct for record in self.records])
        self._scores: dict[frozenset[int], Scores] = {}

    def scores(self, items: tuple[int, ...]) -> Scores:
        """Return z of every record."""
        name = frozenset(items)
        if name not in self._scores:
            self._scores[name] = np.array([score(self.design, record, items) for record in self.records])
        return self._scores[name]


def holds(design: Design, record: Record, item: int) -> bool:
    wanted = design.items[item]
    place = wanted.question - design.first_questions[wanted.block]
    value = record.answers[wanted.block][place]
    return value == (wanted.option if design.questions[wanted.question].options else 1)


def score(design: Design, record: Record, items: tuple[int, ...]) -> float:
    """Return z, the product over blocks of ([match] - (1-p) q) / p, or of [match] without disguise."""
    product = 1.0
    for number, block in enumerate(design.blocks):
        part = [item for item in items if design.items[item].block == number]
        if not part:
            continue
        match = float(all(holds(design, record, item) for item in part))
        if record.direct or not block.protected:
            product *= match
            continue
        p = block.truth_probability / 10_000
        q = math.prod(
            design.questions[design.items[item].question].unrelated[design.items[item].option] / 10_000
            for item in part
        )
        product *= (match - (1 - p) * q) / p
    return product


def log_ratio(h: Scores) -> float:
    """Return -2 log of the empirical likelihood ratio for "the mean of h is 0"."""
    if not h.min() < 0 < h.max():
        return math.inf
    ends = (-1 + 1e-10) / h.max(), (-1 + 1e-10) / h.min()
    slope = brentq(lambda tilt: float(np.sum(h / (1 + tilt * h))), *ends, xtol=1e-14)
    return 2 * float(np.sum(np.log1p(slope * h)))


@pytest.mark.soak
def test_supports_and_errors_match_scores_of_the_records() -> None:
    version = answered_version(900, n_direct=200, practice=True)
    run, oracle = mined_run(version, LOOSE), Oracle(version)
    assert (run.n, run.n_direct, run.n_protected) == (900, 200, 700)
    listed = list(run.itemsets.all())
    assert len(listed) > 15
    for row in listed:
        z = oracle.scores(unpack_items(row.items))
        assert row.support == pytest.approx(z.mean(), abs=1e-12)
        assert row.support_se == pytest.approx(z.std() / math.sqrt(len(z)), rel=1e-9)
        assert row.error == pytest.approx(math.sqrt(2 / math.pi) * row.support_se)
        assert row.stratified == pytest.approx(row.support, abs=1e-12)
        assert row.direct == pytest.approx(z[oracle.direct].mean(), abs=1e-12)
        assert row.protected == pytest.approx(z[~oracle.direct].mean(), abs=1e-12)


@pytest.mark.soak
def test_exactly_the_itemsets_at_the_threshold_are_listed() -> None:
    version = answered_version(900, n_direct=200, practice=True)
    run, oracle = mined_run(version, LOOSE), Oracle(version)
    design = oracle.design
    listed = {unpack_items(row.items) for row in run.itemsets.all()}
    possible = {
        items
        for size in (1, 2, 3)
        for items in combinations(range(len(design.items)), size)
        if len({design.items[item].question for item in items}) == size
    }
    reached = {items for items in possible if oracle.scores(items).mean() >= LOOSE.support}
    assert listed == reached


Influence = Callable[[float, Scores, Scores, Scores], Scores]
INFLUENCES: dict[str, Influence] = {
    "support": lambda value, both, before, after: both - value,
    "confidence": lambda value, both, before, after: both - value * before,
    "lift": lambda value, both, before, after: (
        both - value * (before * after.mean() + after * before.mean() - before.mean() * after.mean())
    ),
    "leverage": lambda value, both, before, after: (
        both - (before * after.mean() + after * before.mean() - before.mean() * after.mean()) - value
    ),
}


def estimates_of(both: float, before: float, after: float) -> dict[str, float]:
    return {
        "support": both,
        "confidence": both / before,
        "lift": both / (before * after),
        "leverage": both - before * after,
        "conviction": before * (1 - after) / (before - both),
    }


@pytest.mark.soak
def test_rule_measures_match_scores_of_the_records() -> None:
    version = answered_version(900, n_direct=200, practice=True)
    run, oracle = mined_run(version, LOOSE), Oracle(version)
    rules = list(run.rules.all())
    assert len(rules) > 20
    for rule in rules:
        before, after = unpack_items(rule.antecedent), unpack_items(rule.consequent)
        means = [oracle.scores(items).mean() for items in (before + after, before, after)]
        for measure, value in estimates_of(*means).items():
            assert getattr(rule, measure) == pytest.approx(value, rel=1e-9, abs=1e-12)


@pytest.mark.soak
def test_likelihood_intervals_end_at_the_95_percent_quantile() -> None:
    version = answered_version(900, n_direct=0, policy="protected")
    run, oracle = mined_run(version), Oracle(version)
    checked = dict.fromkeys(("support", "confidence", "lift", "leverage"), 0)
    for rule in run.rules.filter(few_rows=False):
        before, after = unpack_items(rule.antecedent), unpack_items(rule.consequent)
        z = [oracle.scores(items) for items in (before + after, before, after)]
        for measure in checked:
            for end in (getattr(rule, f"{measure}_low"), getattr(rule, f"{measure}_high")):
                if end is None or end in (0.0, 1.0, math.inf):
                    continue
                assert log_ratio(INFLUENCES[measure](end, *z)) == pytest.approx(chi2.ppf(0.95, 1), rel=1e-3)
                checked[measure] += 1
    assert min(checked.values()) > 20


@pytest.mark.soak
def test_stored_true_values_and_errors_match_the_survey() -> None:
    version = answered_version(900, n_direct=200, practice=True)
    truth = truth_of(version, 900)
    run = mined_run(version, Thresholds(support=0.02))
    design = version.to_design()
    for row in run.itemsets.all():
        name = " & ".join(design.items[item].key for item in unpack_items(row.items))
        assert row.truth == truth[name]
        assert row.error == pytest.approx(abs(row.support - truth[name]))
    rule = RuleRow.objects.filter(run=run, antecedent=",2,", consequent=",3,").get()
    assert (rule.truth, rule.truth_antecedent, rule.truth_consequent) == (
        truth["late & cheat"], truth["late"], truth["cheat"],
    )  # fmt: skip
    assert coverage_counted(run) == run.summary["truth"]["coverage"]


def coverage_counted(run: Run) -> float:
    """Return the coverage of disguised itemsets' intervals, from a run that lists all of them."""
    everything = mined_run(
        Version.objects.select_related("survey").get(pk=run.version_id), Thresholds(support=1e-9)
    )
    design = run.version.to_design()
    protected = {item.index for item in design.items if design.blocks[item.block].protected}
    held = [
        row.support_low <= row.truth <= row.support_high
        for row in everything.itemsets.filter(truth__isnull=False)
        if protected & set(unpack_items(row.items)) and row.support_low is not None
    ]
    assert held
    return sum(held) / len(held)
