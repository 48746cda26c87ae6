"""Measure the coverage of figures, given that they are printed.

``python -m benchmarks.shown [--surveys 600] [--seed 56] [--kinds ...]`` prints the table of
``docs/evidence/shown.md``, with the worst setting of each row.
Rows that depend on one binomial are exact sums over all counts. The others are simulated. With 600 surveys, a
coverage of .95 has an error of .009, so a coverage of .90 is found to be below .93 with probability .99.
*Your question*, itemsets and rules use half as many surveys (error .013), predicted pairs a third.
"""

from __future__ import annotations

import argparse
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas
import scipy
from numpy.typing import NDArray

from benchmarks.borrowing import MADE_UP, design_of, disguised, made_up
from benchmarks.number_regressions import number_regressions
from mining.frames.survey import Survey
from mining.inference import infer
from mining.pipeline import mine
from mining.predicted_itemsets import pair_figures
from mining.thresholds import Thresholds
from privacy.always_valid import always_valid_interval
from privacy.arrays import Array
from privacy.channels import Retention
from privacy.errors import PrivacyError
from privacy.estimation.arm_effects import GroupSums, arm_effects
from privacy.estimation.borrowed_pairs import borrow, publishable_pairs
from privacy.estimation.change import change_between, opposed_change
from privacy.estimation.cluster_count import ClusterCount, threshold_of
from privacy.estimation.comparison import compare
from privacy.estimation.denial import difference_bounds, ratio_bounds
from privacy.estimation.empirical_likelihood import likelihood_sets
from privacy.estimation.joined_rows import JoinedRows
from privacy.estimation.share_of_all import share_of_all
from privacy.estimation.two_times import two_times
from privacy.library.cross_table import CrossTab
from privacy.library.designs import grouping, scores_of, warner
from privacy.library.probabilities import exact
from privacy.library.shares import prevalence, share_of
from privacy.policy import LEAST_EFFECTIVE_ROWS, SURE_EFFECTIVE_ROWS
from privacy.printed import Measured, basis_of
from privacy.regression.latent_answers import LatentAnswers
from privacy.regression.regression import regress
from privacy.scales.area import Area
from privacy.scales.number_range import NumberRange
from privacy.scales.numeric_mechanisms import hybrid
from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.scales.quantities import bars, planned_step, quantiles
from privacy.scales.region_share import region_share
from privacy.scales.scale_groups import scale_groups
from privacy.scales.window import forward
from sottovoce import example_data

Point = tuple[float, float, str]
"""How often a figure is printed, how often its interval then contains the truth, and the setting."""


def shares() -> Iterator[Point]:
    """Yield the exact points of a share of one question."""
    for n in (100, 200, 500):
        for p in (0.5, 0.8):
            design = grouping(p=str(p), theta="1/2")
            yes = np.arange(n + 1)
            score = scores_of(design.retention)[1]
            figures = [share_of("share", "", np.array([n - own, own]), score) for own in yes]
            ends = np.array([own.interval() for own in figures])
            shown = np.array([own.estimable() for own in figures])
            for share in (0.02, 0.1, 0.3):
                log = scipy.special.gammaln
                reported = p * share + (1 - p) / 2
                law = np.exp(
                    log(n + 1) - log(yes + 1) - log(n - yes + 1)
                    + yes * np.log(reported) + (n - yes) * np.log1p(-reported)
                )  # fmt: skip
                held = (ends[:, 0] <= share) & (share <= ends[:, 1])
                setting = f"{n} people, p {p}, share {share}"
                yield float(law @ shown), float(law @ (shown & held) / (law @ shown)), setting


def pairs(rng: np.random.Generator, surveys: int) -> Iterator[tuple[str, Point]]:
    """Yield *Compare* and the odds ratio, for two questions with separate coins."""
    design = grouping(p="7/10", theta="1/2", block="a"), grouping(p="7/10", theta="1/2", block="b")
    one = scores_of(design[0].retention)
    scores = np.kron(one, one)
    channel = np.kron(design[0].channel.as_array(), design[0].channel.as_array())
    sides = np.stack([scores[3], scores[2] + scores[3], scores[1] + scores[3]])
    for n in (100, 200, 500):
        for first, second, both in ((0.3, 0.3, 0.15), (0.1, 0.3, 0.06), (0.5, 0.2, 0.1)):
            truth = np.array([1 - first - second + both, second - both, first - both, both])
            drawn = rng.multinomial(n, channel @ truth, size=surveys)
            having, others = both / first, (second - both) / (1 - first)
            odds = truth[0] * truth[3] / (truth[1] * truth[2])
            held = dict.fromkeys(("Compare: having", "Compare: difference", "odds ratio"), 0)
            for counts in drawn:
                rows = JoinedRows(
                    counts=counts, scores=sides, n_direct=0, n_protected=n, smallest_cell=int(counts.min())
                )
                found = compare(rows)
                held["Compare: having"] += found.having.low <= having <= found.having.high
                gap = found.difference
                held["Compare: difference"] += gap.low <= having - others <= gap.high
                table = CrossTab(names=("a", "b"), designs=design, scores=scores, counts=counts.reshape(2, 2))
                low, high = table.odds_ratio.interval()
                held["odds ratio"] += low <= odds <= high
            for name, count in held.items():
                yield name, (1.0, count / surveys, f"{n} people, shares {first} and {second}")


def planned_pairs(rng: np.random.Generator, surveys: int) -> Iterator[tuple[str, Point]]:
    """Yield *Your question*: the planned pair, two questions of one block.

    If an interval is everything from 0 to 100, the page says "too few" and prints no number. The other
    intervals have separate rows, with and without the page's warning that such intervals contain the truth
    less often.
    """
    channel = 0.6 * np.eye(4) + 0.1
    scores = np.linalg.inv(channel)
    sides = np.stack([scores[3], scores[2] + scores[3], scores[1] + scores[3]])
    for n in (100, 300, 500):
        for first, second, both in ((0.3, 0.3, 0.15), (0.1, 0.3, 0.06), (0.05, 0.1, 0.02)):
            truth = np.array([1 - first - second + both, second - both, first - both, both])
            true = {"having": both / first, "others": (second - both) / (1 - first)}
            true["difference"] = true["having"] - true["others"]
            held = dict.fromkeys(true, 0)
            shown: Counter[tuple[str, bool, bool]] = Counter()
            for counts in rng.multinomial(n, channel @ truth, size=surveys):
                rows = JoinedRows(
                    counts=counts, scores=sides, n_direct=0, n_protected=n, smallest_cell=int(counts.min())
                )
                found = compare(rows)
                warned = found.having.shown_because_estimable or found.difference.shown_because_estimable
                for name, value in true.items():
                    own = getattr(found, name)
                    holds = own.low <= value <= own.high
                    held[name] += holds
                    if own.estimable:
                        shown[name, warned, holds] += 1
            for name in true:
                setting = f"{n} people, shares {first} and {second}"
                yield f"Your question: {name}", (1.0, held[name] / surveys, setting)
                for warned in (True, False) if name != "others" else ():
                    printed = shown[name, warned, True] + shown[name, warned, False]
                    if printed > surveys // 20:
                        label = "with" if warned else "without"
                        given = shown[name, warned, True] / printed
                        yield (
                            f"Your question: {name}, {label} the warning",
                            (printed / surveys, given, setting),
                        )


def looks(rng: np.random.Generator, surveys: int) -> Iterator[Point]:
    """Yield the range at every look: how often all five looks, at 100 to 500 answers, contain the truth."""
    for p in (0.5, 0.8, 1.0):
        design = grouping(p=str(p), theta="1/2")
        score = scores_of(design.retention)[1]
        for share in (0.02, 0.1, 0.3):
            yes = rng.binomial(100, p * share + (1 - p) / 2, size=(surveys, 5)).cumsum(axis=1)
            held = 0
            for own in yes.tolist():
                figures = [
                    share_of("share", "", np.array([n - count, count]), score)
                    for n, count in zip(range(100, 600, 100), own, strict=True)
                ]
                ends = [
                    always_valid_interval(figure.value, figure.standard_error, n)
                    for n, figure in zip(range(100, 600, 100), figures, strict=True)
                ]
                held += all(low <= share <= high for low, high in ends)
            yield 1.0, held / surveys, f"p {p}, share {share}"


def predictions(rng: np.random.Generator, surveys: int) -> Iterator[Point]:
    """Yield the coverage of predicted pairs of 5% or more, averaged over surveys.

    Of 500 people, 107 are asked each pair of 8 questions, and 41 each pair of 12 questions.
    """
    for world in MADE_UP[:3]:
        for items, asked in ((8, 4), (12, 4)):
            design = design_of(items, 4, asked)
            rows = made_up(world, 200_000, np.random.default_rng(99), items).astype(float)
            true, held = rows.T @ rows / len(rows), []
            for _ in range(surveys):
                figures = pair_figures(disguised(made_up(world, 500, rng, items), design, rng))
                found = None if figures is None else borrow(publishable_pairs(figures))
                if figures is None or found is None:
                    continue
                listed = found.value >= 0.05
                wanted = true[tuple(figures.pairs[listed].T)]
                held.append(((found.low[listed] <= wanted) & (wanted <= found.high[listed])).mean())
            yield len(held) / surveys, float(np.mean(held)), f"{world}, {items} questions"


def arms(rng: np.random.Generator, surveys: int) -> Iterator[tuple[str, Point]]:
    """Yield the difference named by the sentence on *Did it help?*, and a share of undisguised answers."""
    settings = [
        (sizes, truths, questions, share, gap)
        for sizes, truths, questions, share in (
            ((150, 150), (0.5, 0.5), 5, 0.3),
            ((150, 150), (0.5, 0.5), 10, 0.3),
            ((100,) * 4, (0.5,) * 4, 5, 0.2),
            ((300, 100), (0.5, 0.8), 5, 0.1),
            ((300, 100), (0.4, 1.0), 5, 0.03),
            ((150, 150), (0.5, 0.5), 1, 0.3),
            ((120, 120, 120), (0.7, 0.7, 0.7), 2, 0.05),
        )
        for gap in (0.0, 0.15)
    ]
    for sizes, truths, questions, share, gap in settings:
        held = 0
        for _ in range(surveys):
            groups = []
            for number, (n, p) in enumerate(zip(sizes, truths, strict=True)):
                own = np.full((questions, 1), share)
                own[0] += gap * (number > 0)
                x = rng.random((questions, n)) < own
                y = np.where(rng.random((questions, n)) < p, x, rng.random((questions, n)) < 0.5)
                direct = np.full(n, p > truths[0])
                groups.append(GroupSums.of(np.ones((questions, n)), (y - (1 - p) / 2) / p, direct=direct))
            found = arm_effects(groups, [[number] for number in range(questions)])
            errors = np.maximum(found.difference_errors, 1e-12)
            group, outcome = np.unravel_index(np.argmax(abs(found.differences) / errors), errors.shape)
            level = 1 - 0.05 / found.differences.size
            low, high = found.interval(int(group) + 1, int(outcome), level=level)
            held += low <= gap * (outcome == 0) <= high
        setting = f"groups of {sizes}, p {truths}, {questions} questions, share {share}, difference {gap}"
        yield "Did it help?: named difference", (1.0, held / surveys, setting)
    for share, n in ((0.02, 100), (0.1, 100), (0.02, 500)):
        yes = rng.binomial(n, share, size=surveys)
        held = 0
        for own in yes:
            group = GroupSums.of(np.ones((1, n)), (np.arange(n)[None] < own).astype(np.float64))
            low, high = arm_effects([group, group], [[0]]).share_interval(0, 0)
            held += low <= share <= high
        yield "Did it help?: share asked directly", (1.0, held / surveys, f"{n} people, share {share}")


def regressions(rng: np.random.Generator, surveys: int) -> Iterator[tuple[str, Point]]:
    """Yield each coefficient of the response, given that the fit is printed.

    Further rows count only intervals with both ends, with and without the label that one of these ends exists
    because the answers came out well.

    Covariates are 0 or 1 and have an effect of .5, and so does the predictor, which 4 in 10 people have. The
    disguise covers the response, a predictor of an undisguised response, or both with one coin.
    """
    settings = (
        ("response", 100, 0.8, 0.5, 1),
        ("response", 200, 0.7, 0.3, 1),
        ("response", 300, 0.7, 0.1, 1),
        ("response", 300, 0.9, 0.05, 1),
        ("response", 200, 0.8, 0.3, 2),
        ("response", 300, 0.8, 0.2, 4),
        ("response", 200, 0.7, 0.05, 1),
        ("response", 500, 0.7, 0.05, 1),
        ("response", 300, 0.7, 0.02, 1),
        ("predictor", 100, 0.8, 0.5, 0),
        ("predictor", 200, 0.8, 0.3, 1),
        ("predictor", 300, 0.8, 0.3, 3),
        ("both", 100, 0.9, 0.5, 1),
        ("both", 300, 0.8, 0.3, 1),
        ("both", 300, 0.9, 0.2, 2),
    )
    for kind, n, p, share, covariates in settings:
        channel = Retention.generalised_rr(4 if kind == "both" else 2, exact(p, "p"))
        answers = {
            "response": lambda own: LatentAnswers.of(response=[own]),
            "predictor": lambda own: LatentAnswers.of(response=None, predictor=[own]),
            "both": lambda own: LatentAnswers.together([own]),
        }[kind](channel)
        cells = np.array([[1.0, *own] for own in itertools.product((0, 1), repeat=covariates)])
        truth = np.array([scipy.special.logit(share), *[0.5] * (covariates + (kind != "response"))])
        yes = scipy.special.expit(cells @ truth[: covariates + 1])
        letters = np.stack([1 - yes, yes], axis=1)
        if kind != "response":
            with_it = scipy.special.expit(cells @ truth[: covariates + 1] + truth[-1])
            letters = np.hstack([0.6 * letters, 0.4 * np.stack([1 - with_it, with_it], axis=1)])
        law = np.einsum("rl,cl->cr", answers.channels[0], letters) / len(cells)
        fitted, held = 0, np.zeros((3, len(truth)))
        shown = np.zeros((3, len(truth)))
        for counts in rng.multinomial(n, law.ravel(), size=surveys):
            rows = counts.reshape(law.shape).astype(float)
            sent = rows.sum(axis=1) > 0
            try:
                table = regress(
                    answers, cells[sent], ["constant", *map(str, range(covariates))], rows[sent]
                ).corrected.table()
            except PrivacyError:
                continue
            fitted += 1
            own = [line for line in table if line.equation == "response"]
            ends = np.array([(line.low, line.high) for line in own])
            is_labelled = np.array([line.shown_because_estimable for line in own])
            has_ends = np.isfinite(ends).all(axis=1)
            is_shown = np.stack([np.ones_like(has_ends), has_ends & is_labelled, has_ends & ~is_labelled])
            shown += is_shown
            held += is_shown & (ends[:, 0] <= truth) & (truth <= ends[:, 1])
        setting = f"{kind} disguised, {n} people, p {p}, share {share}, {covariates} covariates"
        names = ("", ", both ends, with the label", ", both ends, without the label")
        for name, printed, right in zip(names, shown, held, strict=True):
            for one, of_it in zip(printed, right, strict=True):
                # Fewer than one in twenty surveys say nothing about a coverage.
                if one >= surveys // 20:
                    yield f"regression: coefficient{name}", (one / surveys, of_it / one, setting)


def clusters(rng: np.random.Generator, surveys: int) -> Iterator[Point]:
    """Yield a share in clusters of 40 people; the clusters' shares have a standard deviation of .12."""
    for count in (10, 20, 40):
        own = np.clip(rng.normal(0.3, 0.12, (surveys, count)), 0, 1)
        sums = (rng.binomial(40, 0.7 * own + 0.15) / 40 - 0.15) / 0.7
        truth = 0.3
        ones = np.ones((surveys, count), dtype=np.int64)
        threshold = threshold_of(0.95, ClusterCount.of(np.ones(count)), sums[0])
        sets = likelihood_sets(ones, sums, -np.ones_like(sums), threshold)
        yield 1.0, float(((sets.low <= truth) & (truth <= sets.high)).mean()), f"{count} clusters"


def weighted(rng: np.random.Generator, surveys: int) -> Iterator[tuple[str, Point]]:
    """Yield weighted shares, by the label on few effective answers, and weighted differences of two groups.

    Weights are log-normal, and independent of the answer. Below 30 effective answers nothing is printed.
    """
    for n, sigma, share in (
        (150, 0.5, 0.3),
        (200, 1.0, 0.3),
        (400, 1.2, 0.05),
        (600, 1.0, 0.3),
        (1000, 1.5, 0.3),
    ):
        held: dict[str, list[bool]] = {}
        for _ in range(surveys):
            yes, weights = rng.random(n) < share, rng.lognormal(sigma=sigma, size=n)
            said = np.where(rng.random(n) < 0.8, yes, ~yes).astype(int)
            found = prevalence(pandas.Series(said), warner(p=0.8), weights=weights)
            if found.basis() == "too few":
                continue
            label = "with" if found.effective_n < SURE_EFFECTIVE_ROWS else "without"
            low, high = found.interval()
            held.setdefault(f"weighted share, {label} the label", []).append(low <= share <= high)
        setting = f"{n} people, log-normal weights ({sigma}), share {share}"
        for name, own in held.items():
            if len(own) > surveys // 10:
                yield name, (len(own) / surveys, float(np.mean(own)), setting)
        apart = []
        for _ in range(surveys):
            groups = []
            for _group in range(2):
                yes, weights = rng.random(n // 2) < share, rng.lognormal(sigma=sigma, size=n // 2)
                said = np.where(rng.random(n // 2) < 0.7, yes, rng.random(n // 2) < 0.5)
                groups.append(GroupSums.of(np.ones((1, n // 2)), ((said - 0.15) / 0.7)[None], weights))
            found = arm_effects(groups, [[0]])
            if found.sizes.min() >= LEAST_EFFECTIVE_ROWS:
                low, high = found.interval(1, 0)
                apart.append(low <= 0 <= high)
        if len(apart) > surveys // 20:
            yield "weighted difference of groups", (len(apart) / surveys, float(np.mean(apart)), setting)


def rare_comparisons(rng: np.random.Generator, surveys: int) -> Iterator[tuple[str, Point]]:
    """Yield *Compare* of rare answers: intervals, and those whose point is printed.

    A point is printed if it is possible and in its interval.
    """
    design = grouping(p="7/10", theta="1/2", block="a")
    one = scores_of(design.retention)
    scores = np.kron(one, one)
    channel = np.kron(design.channel.as_array(), design.channel.as_array())
    sides = np.stack([scores[3], scores[2] + scores[3], scores[1] + scores[3]])
    for n in (200, 500, 2000):
        for first, second, both in ((0.3, 0.03, 0.02), (0.1, 0.05, 0.01), (0.03, 0.02, 0.005)):
            truth = np.array([1 - first - second + both, second - both, first - both, both])
            true = {"having": both / first, "difference": both / first - (second - both) / (1 - first)}
            held: dict[str, list[bool]] = {}
            for counts in rng.multinomial(n, channel @ truth, size=surveys):
                found = compare(
                    JoinedRows(
                        counts=counts,
                        scores=sides,
                        n_direct=0,
                        n_protected=n,
                        smallest_cell=int(counts.min()),
                    )
                )
                for name, value in true.items():
                    own = getattr(found, name)
                    holds = own.low <= value <= own.high
                    held.setdefault(f"Compare, rare: {name}", []).append(holds)
                    possible = (0.0, 1.0) if name == "having" else (-1.0, 1.0)
                    if basis_of(own.value, (own.low, own.high), possible=possible) == "estimate":
                        held.setdefault(f"Compare, rare: {name}, point printed", []).append(holds)
            for name, cases in held.items():
                if len(cases) > surveys // 20:
                    setting = f"{n} people, shares {first} and {second}"
                    yield name, (len(cases) / surveys, float(np.mean(cases)), setting)


def _denied_surveys(
    rng: np.random.Generator, surveys: int
) -> Iterator[tuple[tuple[float, float, float, float], str, list[JoinedRows]]]:
    """Yield surveys in which a part of those concerned in the group with less deny it.

    Each setting is the share of the group, both shares, and the share of denials; then in words; then rows.
    """
    design = grouping(p="7/10", theta="1/2", block="a")
    one = scores_of(design.retention)
    scores = np.kron(one, one)
    channel = np.kron(design.channel.as_array(), design.channel.as_array())
    sides = np.stack([scores[3], scores[2] + scores[3], scores[1] + scores[3]])
    for n in (200, 500, 2000):
        for by, having, others in ((0.5, 0.4, 0.2), (0.2, 0.1, 0.05), (0.1, 0.05, 0.02)):
            for denied in (0.1, 0.25, 0.5):
                said = others * (1 - denied)
                law = [(1 - by) * (1 - said), (1 - by) * said, by * (1 - having), by * having]
                rows = [
                    JoinedRows(
                        counts=counts,
                        scores=sides,
                        n_direct=0,
                        n_protected=n,
                        smallest_cell=int(counts.min()),
                    )
                    for counts in rng.multinomial(n, channel @ law, size=surveys)
                ]
                setting = f"{n} people, shares {having} and {others}, {denied} of the lower deny"
                yield (by, having, others, denied), setting, rows


def denials(rng: np.random.Generator, surveys: int) -> Iterator[tuple[str, Point]]:
    """Yield bounds of a difference if a part of those concerned in the group with less deny it."""
    for (_by, having, others, denied), setting, rows in _denied_surveys(rng, surveys):
        ends = [difference_bounds(own, denied) for own in rows]
        held = float(np.mean([low <= having - others <= high for low, high in ends]))
        yield "difference, bounds under denial", (1.0, held, setting)


def denied_ratios(rng: np.random.Generator, surveys: int) -> Iterator[tuple[str, Point]]:
    """Yield bounds of a lift in such surveys, given that they are printed."""
    for (by, having, others, denied), setting, rows in _denied_surveys(rng, surveys):
        lift = having / (by * having + (1 - by) * others)
        lifts = [compare(own).lift for own in rows]
        lifts = [found for found in lifts if found.estimable and not found.shown_because_estimable]
        held = [low <= lift <= high for low, high in (ratio_bounds(own, denied) for own in lifts)]
        if len(held) >= surveys // 20:
            yield "lift, bounds under denial", (len(held) / surveys, float(np.mean(held)), setting)


def strengths(rng: np.random.Generator, surveys: int) -> Iterator[tuple[str, Point]]:
    """Yield the denial that the weaker of two strengths adds."""
    shares = (0.01, 0.02, 0.05, 0.1, 0.3)
    for sizes, share, denied in itertools.product(((100, 100), (200, 100), (1000, 500)), shares, (0.0, 0.5)):
        held = 0
        for _ in range(surveys):
            groups = []
            for n, p, said in zip(sizes, (0.5, 0.8), (share, share * (1 - denied)), strict=True):
                yes = rng.random((1, n)) < p * said + (1 - p) / 2
                groups.append(GroupSums.of(np.ones((1, n)), (yes - (1 - p) / 2) / p))
            low, high = arm_effects(groups, [[0]]).interval(1, 0)
            held += low <= -share * denied <= high
        setting = f"{sizes[0]} strongly, {sizes[1]} lightly disguised, share {share}, {denied} of it denied"
        yield "denial that the weaker protection adds", (1.0, held / surveys, setting)


def changes(rng: np.random.Generator, surveys: int) -> Iterator[tuple[str, Point]]:
    """Yield the change of a share between two surveys, by the share of people who answer both.

    People who answer both keep a yes if the share rises; in the settings called opposed, they never say yes
    twice.
    """
    design = grouping(p="6/10", theta="1/2", block="a")
    score = scores_of(design.retention)[1]
    for n, (first, second), overlap in itertools.product(
        (100, 300, 1000), ((0.01, 0.01), (0.02, 0.1), (0.1, 0.1), (0.2, 0.28), (0.5, 0.5)), (0.0, 0.5, 1.0)
    ):
        setting = f"{n} people, shares {first} and {second}, {overlap} of them in both"
        held = [
            low <= second - first <= high
            for low, high in _change_ends(rng, surveys, n, (first, second), overlap, score, opposed=False)
        ]
        yield "change between waves", (1.0, float(np.mean(held)), setting)
    for n, (first, second) in itertools.product((100, 300), ((0.02, 0.1), (0.3, 0.38), (0.5, 0.5))):
        setting = f"{n} people, shares {first} and {second}, no one says yes twice"
        for name, opposed in (
            ("change between waves, opposed", False),
            ("change between waves, opposed, errors added", True),
        ):
            held = [
                low <= second - first <= high
                for low, high in _change_ends(rng, surveys, n, (first, second), -1.0, score, opposed=opposed)
            ]
            yield name, (1.0, float(np.mean(held)), setting)
    n, first, second = 300, 0.05, 0.13
    for overlap in (0.0, 0.5, 1.0):
        held = [
            low <= second - first <= high
            for low, high in _change_ends(rng, surveys, n, (first, second), overlap, score, opposed=False)
        ]
        setting = f"{n} people, {overlap} of them in both"
        yield "change between waves from 5 to 13 of 100", (1.0, float(np.mean(held)), setting)


def demonstration(rng: np.random.Generator, surveys: int) -> Iterator[tuple[str, Point]]:
    """Yield a planted change of 8 points between two waves of the demonstration, by the share in both.

    Each wave has 1,000 people of its data set. Fewer of those with an affair answer directly; the others have
    p = .6 and even random answers, as `surveys/definitions/marriage.json` says. People in both keep a yes.
    """
    affairs = (example_data()["affairs"] > 0).to_numpy()
    n, planted, share = 1_000, 0.08, float(affairs.mean())
    scores = np.array([0.0, 1.0, -0.2 / 0.6, 0.8 / 0.6])

    def measured(affair: NDArray[np.bool_]) -> Measured:
        is_direct = rng.random(n) < np.where(affair, 0.185, 0.31)
        yes = np.where(is_direct | (rng.random(n) < 0.6), affair, rng.random(n) < 0.5)
        counts = np.bincount(2 * ~is_direct + yes, minlength=4)
        rows = JoinedRows(
            counts=counts, scores=np.stack([scores, scores, np.ones(4)]), n_direct=int(is_direct.sum()),
            n_protected=n - int(is_direct.sum()), smallest_cell=int(counts.min()),
        )  # fmt: skip
        return share_of_all(rows).share

    for overlap in (0.0, 0.5, 1.0):
        held = []
        for _ in range(surveys):
            before, others = (rng.choice(affairs, size=n) for _wave in range(2))
            after = np.where(rng.random(n) < overlap, before, others)
            after = after | (rng.random(n) < planted / (1 - share))
            found = change_between(measured(before), measured(after))
            held.append(found.low <= planted <= found.high)
        setting = f"{n} people, {overlap} of them in both"
        yield "change between two waves of the demonstration", (1.0, float(np.mean(held)), setting)


def times(rng: np.random.Generator, surveys: int) -> Iterator[tuple[str, Point]]:
    """Yield the net change, who started and who stopped, if people are asked for two times under one coin."""
    for n, (stopped, both, started) in itertools.product(
        (100, 300, 1000), ((0.0, 0.01, 0.01), (0.01, 0.02, 0.05), (0.05, 0.05, 0.05), (0.1, 0.3, 0.18))
    ):
        law = np.array([1 - stopped - both - started, started, stopped, both])
        # One coin for both: the truth as it is, or four equally likely random answers.
        channel = 0.6 * np.eye(4) + 0.1
        scores = np.linalg.inv(channel)
        sides = np.stack([scores[3], scores[2] + scores[3], scores[1] + scores[3]])
        held = []
        for counts in rng.multinomial(n, channel @ law, size=surveys):
            rows = JoinedRows(
                counts=counts, scores=sides, n_direct=0, n_protected=n, smallest_cell=int(counts.min())
            )
            found = two_times(rows)
            truths = ((found.net, started - stopped), (found.started, started), (found.stopped, stopped))
            held.append([figure.low <= truth <= figure.high for figure, truth in truths])
        setting = f"{n} people, {started} started, {stopped} stopped, {both} both"
        for name, own in zip(("net change", "started", "stopped"), np.array(held).T, strict=True):
            yield f"then and now: {name}", (1.0, float(own.mean()), setting)


def _change_ends(
    rng: np.random.Generator,
    surveys: int,
    n: int,
    shares: tuple[float, float],
    overlap: float,
    score: Array,
    *,
    opposed: bool,
) -> Iterator[tuple[float, float]]:
    """Yield the interval of the change in each of several pairs of surveys; overlap -1: opposed answers."""
    first, second = shares
    join = opposed_change if opposed else change_between
    by_count: dict[int, Measured] = {}
    for _ in range(surveys):
        before = rng.random(n) < first
        if overlap < 0:
            after = ~before & (rng.random(n) < second / (1 - first))
        else:
            kept = before | (rng.random(n) < (second - first) / (1 - first))
            after = np.where(rng.random(n) < overlap, kept, rng.random(n) < second)
        figures = []
        for answers in (before, after):
            yes = int(np.where(rng.random(n) < 0.6, answers, rng.random(n) < 0.5).sum())
            if yes not in by_count:
                rows = JoinedRows(
                    counts=np.array([n - yes, yes]), scores=np.stack([score, score, np.ones(2)]), n_direct=0,
                    n_protected=n, smallest_cell=min(yes, n - yes),
                )  # fmt: skip
                by_count[yes] = share_of_all(rows).share
            figures.append(by_count[yes])
        found = join(*figures)
        yield found.low, found.high


def numbers(rng: np.random.Generator, surveys: int) -> Iterator[tuple[str, Point]]:
    """Yield the median of a number and the bars of its histogram."""
    channel = hybrid(NumberRange(low=0, high=9), 2.0)
    even, steep = np.full(10, 0.1), 0.6 ** np.arange(10)
    for n in (100, 200, 500):
        for truth in (even, steep / steep.sum()):
            running = np.concatenate([[0.0], np.cumsum(truth)])
            setting = f"{n} people, {'even' if truth is even else 'steep'}"
            median = float(np.interp(0.5, running, np.arange(11) - 0.5))
            shown = held = in_parts = 0
            bars_held = []
            for sent in rng.multinomial(n, forward(channel, truth), size=surveys):
                groups = scale_groups(channel, sent)
                (found,) = quantiles(channel, groups, [0.5])
                shown += found.estimable
                held += found.estimable and found.low <= median <= found.high
                in_parts += any(low <= median <= high for low, high in found.parts)
                step = planned_step(channel, groups)
                if step is not None:
                    edges = [*range(0, 10, step), 10]
                    own = bars(channel, groups, edges)
                    share = np.diff(running[edges])
                    bars_held.append(np.mean((own.low <= share) & (share <= own.high)))
            if shown >= surveys // 20:
                yield "number: median", (shown / surveys, held / shown, setting)
            yield "number: median, parts of its set", (1.0, in_parts / surveys, setting)
            if bars_held:
                yield "number: bars", (len(bars_held) / surveys, float(np.mean(bars_held)), setting)


def regions(rng: np.random.Generator, surveys: int) -> Iterator[Point]:
    """Yield the share of people in one cell of a map with three cells; the cell is a separate region."""
    area = Area(west=0, south=0, east=3000, north=1000, columns=3, rows=1)
    level = PlanarLevel(numerator=3, denominator=1, rectangles=((0, 0, 2, 1),), frames=((0, 0, 2, 1, 1, 1),))
    windows = PlanarWindowChannel(mechanism="usm", area=area, levels=(level,))
    for n in (100, 200, 500):
        for share in (0.02, 0.3):
            places = np.array([0.4 * (1 - share), 0.6 * (1 - share), share])
            reported = windows.channel.as_array() @ places
            shown = held = 0
            for sent in rng.multinomial(n, reported, size=surveys):
                found = region_share(windows, scale_groups(windows, sent), ((2, 0, 1, 1),))
                shown += found.estimable
                held += found.estimable and found.low <= share <= found.high
            yield shown / surveys, held / max(shown, 1), f"{n} people, share {share}"


def picked(rng: np.random.Generator, surveys: int) -> Iterator[tuple[str, Point]]:
    """Yield the adjusted intervals of listed itemsets of two items, and of listed rules.

    Each survey gives the share of its listed intervals that contain the truth, which is what the adjustment
    controls.
    """
    names = ["a", "b", "c", "d"]
    survey = Survey(blocks={"one": names[:2], "two": names[2:]}, p=0.8)
    inside, outside = np.array([0.7, 0.6, 0.5, 0.4]), np.array([0.15, 0.2, 0.3, 0.4])
    share = 0.3 * inside + 0.7 * outside
    both = 0.3 * np.outer(inside, inside) + 0.7 * np.outer(outside, outside)
    thresholds = Thresholds(support=0.15, max_size=2)
    for n in (200, 500):
        held: dict[str, list[float]] = {}
        for seed in range(surveys):
            member = rng.random((n, 1)) < 0.3
            truth = pandas.DataFrame(rng.random((n, 4)) < np.where(member, inside, outside), columns=names)
            reports = survey.on(survey.disguise(truth, seed=seed))
            result = mine(reports.matrix, reports.design, thresholds)
            tests = infer(result, reports.count_cache)
            pairs = [own for own in result.itemsets.itemsets if len(own) == 2]
            rules = [(*before, *after) for before, after in result.rules.sides]
            adjusted = tests.rules
            last = len(result.itemsets.itemsets) - len(pairs)
            rows = {
                "Itemsets: support, adjusted": (
                    [both[own] for own in pairs],
                    tests.itemsets.low[last:],
                    tests.itemsets.high[last:],
                ),
                "Rules: lift, adjusted": (
                    [both[i, j] / share[i] / share[j] for i, j in rules],
                    adjusted.lift.low,
                    adjusted.lift.high,
                ),
                "Rules: confidence, adjusted": (
                    [both[i, j] / share[i] for i, j in rules],
                    adjusted.confidence.low,
                    adjusted.confidence.high,
                ),
            }
            for name, (true, low, high) in rows.items():
                if len(true):
                    held.setdefault(name, []).append(float(((low <= true) & (true <= high)).mean()))
        for name, own in held.items():
            yield name, (len(own) / surveys, float(np.mean(own)), f"{n} people")


LISTED = (
    (500, np.linspace(0.02, 0.1, 12), 0.5, 0.05),
    (300, np.full(8, 0.05), 0.5, 0.05),
    (500, np.array([0.01, 0.01, 0.02, 0.02, 0.03, 0.03]), 0.8, 0.02),
    (200, np.linspace(0.1, 0.4, 8), 0.6, 0.05),
    (500, np.linspace(0.2, 0.45, 6), 0.8, 0.05),
)
"""People, shares, p, and the least support of listed pairs and triples."""


def listed(rng: np.random.Generator, surveys: int) -> Iterator[tuple[str, Point]]:
    """Yield the plain and the adjusted intervals of pairs and triples that `supports` lists.

    30% of people have each item twice as often as all. "promise" counts a survey without a list as held,
    as the adjustment does. The other rows count only surveys with a list.
    """
    for n, shares, p, least in LISTED:
        names = [f"item{number}" for number in range(len(shares))]
        survey = Survey(blocks={"one": names[::2], "two": names[1::2]}, p=p)
        inside, outside = 2 * shares, shares * (1 - 0.6) / 0.7
        held: dict[str, list[float]] = {"plain": [], "adjusted": []}
        for _ in range(surveys):
            member = rng.random((n, 1)) < 0.3
            truth = pandas.DataFrame(
                rng.random((n, len(names))) < np.where(member, inside, outside), columns=names
            )
            sent = survey.disguise(truth, seed=int(rng.integers(1 << 31)))
            try:
                found = survey.on(sent).supports(min=least, size=3)
            except PrivacyError:  # a false alarm of the fit check, 1 in 10,000
                continue
            sets = [[names.index(item) for item in name.split(" & ")] for name in found.index]
            found = found[[len(own) > 1 for own in sets]]
            if not len(found):
                continue
            true = np.array(
                [0.3 * inside[own].prod() + 0.7 * outside[own].prod() for own in sets if len(own) > 1]
            )
            for name, start in (("plain", ""), ("adjusted", "picked_")):
                is_held = (found[f"{start}low"] <= true) & (true <= found[f"{start}high"])
                held[name].append(float(is_held.mean()))
        for name, own in held.items():
            printed = len(own) / surveys
            setting = f"{n} people, {len(shares)} answers of {shares.min():.2g} to {shares.max():.2g}"
            if own:
                yield f"supports(): pairs and triples, {name}", (printed, float(np.mean(own)), setting)
            yield f"supports(): promise, {name}", (printed, 1 - (len(own) - sum(own)) / surveys, setting)


KINDS = (
    "share", "pairs", "planned pairs", "rare comparisons", "listed rules", "groups", "numbers", "regressions",
    "looks", "predictions", "regions", "clusters", "weights", "supports", "denials", "denied ratios",
    "strengths", "number regressions", "changes", "times", "demonstration",
)  # fmt: skip


def points(kind: str, surveys: int, seed: int) -> Iterator[tuple[str, Point]]:
    """Yield the settings of one kind of figures, each kind with its own random numbers."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    alone = {
        "share": lambda: shares(),
        "looks": lambda: looks(rng, surveys),
        "predictions": lambda: predictions(rng, surveys // 3),
        "regions": lambda: regions(rng, surveys),
        "clusters": lambda: clusters(rng, surveys),
    }
    names = {
        "share": "share", "looks": "range at every look",
        "predictions": "predicted pairs", "regions": "region", "clusters": "share by clusters",
    }  # fmt: skip
    several = {
        "pairs": lambda: pairs(rng, surveys),
        "planned pairs": lambda: planned_pairs(rng, surveys // 2),
        "rare comparisons": lambda: rare_comparisons(rng, surveys),
        "listed rules": lambda: picked(rng, surveys // 2),
        "groups": lambda: arms(rng, surveys),
        "numbers": lambda: numbers(rng, surveys),
        "weights": lambda: weighted(rng, surveys),
        "supports": lambda: listed(rng, surveys // 2),
        "denials": lambda: denials(rng, surveys // 2),
        "denied ratios": lambda: denied_ratios(rng, surveys // 2),
        "strengths": lambda: strengths(rng, surveys),
        "regressions": lambda: regressions(rng, surveys),
        "number regressions": lambda: number_regressions(rng, surveys // 2),
        "changes": lambda: changes(rng, surveys),
        "times": lambda: times(rng, surveys),
        "demonstration": lambda: demonstration(rng, surveys),
    }
    if kind in several:
        yield from several[kind]()
    else:
        for point in alone[kind]():
            yield names[kind], point


def table(kinds: Sequence[str], surveys: int, seed: int) -> Iterator[str]:
    """Yield the lines of the table."""
    rows: dict[str, list[Point]] = {}
    for name, point in (found for kind in kinds for found in points(kind, surveys, seed)):
        rows.setdefault(name, []).append(point)
    yield from lines_of(rows)


def lines_of(rows: Mapping[str, Sequence[Point]]) -> Iterator[str]:
    """Yield the lines of a table: for each row, its average and its worst setting.

    Parameters
    ----------
    rows : mapping of str to sequence of Point
    """
    yield "| figure | settings | printed | coverage given printed | lowest | in the setting |"
    yield "|---|---|---|---|---|---|"
    for name, own in rows.items():
        printed, held = np.array([point[:2] for point in own]).T
        often = f"{printed.min():.2f}–{printed.max():.2f}"
        worst = own[int(held.argmin())][2]
        yield f"| {name} | {len(own)} | {often} | {held.mean():.3f} | {held.min():.3f} | {worst} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--surveys", type=int, default=600)
    parser.add_argument("--seed", type=int, default=56)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    options = parser.parse_args()
    for line in table(options.kinds, options.surveys, options.seed):
        print(line)


if __name__ == "__main__":
    main()
