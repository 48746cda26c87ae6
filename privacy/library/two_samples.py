"""Studies with two samples that differ in probabilities or in the length of a list."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import scipy

from privacy import validation
from privacy.arrays import Array
from privacy.counted_nouns import counted
from privacy.errors import PrivacyError
from privacy.library.inverted_tests import inverse_range, one_sample, two_samples
from privacy.library.ordered_counts import counts_in_order
from privacy.library.probabilities import Probability, probability, two_probabilities
from privacy.library.sample_share import error, sample_share
from privacy.library.study import Counted, ModelTest, PaperStudy, Quantity
from privacy.p_values import PValue
from privacy.printed import CHECKED


def unrelated_unknown(first: Counted, second: Counted, *, p1: Probability, p2: Probability) -> PaperStudy:
    """Estimate a share, and the unknown share of an unrelated question.

    Parameters
    ----------
    first, second : (int, int)
        Number of "yes", and size, of the samples asked the sensitive question with probability p1 and p2.
    p1, p2 : float or Fraction, in (0, 1), different

    Raises
    ------
    PrivacyError
        ``chance``, ``paper``.

    Notes
    -----
    l_i = p_i pi + (1 - p_i) u, hence pi = (l1 (1 - p2) - l2 (1 - p1))/(p1 - p2) and
    u = (l2 p1 - l1 p2)/(p1 - p2). The method assumes that u is the same in both samples.

    References
    ----------
    Greenberg et al. 1969.

    Examples
    --------
    >>> study = unrelated_unknown((180, 600), (88, 400), p1=.7, p2=.3)
    >>> round(study["share"].value, 6), round(study["unrelated share"].value, 6)
    (0.36, 0.16)
    """
    first_p, second_p = two_probabilities(p1, p2, ("p1", "p2"))
    (l1, _), (l2, _) = sample_share(*first, "sample 1"), sample_share(*second, "sample 2")
    spread = first_p - second_p
    return PaperStudy(
        method=f"unrelated question, its prevalence unknown (p1={first_p:g}, p2={second_p:g})",
        n=first[1] + second[1],
        quantities=(
            _share(
                "share",
                (l1 * (1 - second_p) - l2 * (1 - first_p)) / spread,
                ((1 - second_p) / spread, -(1 - first_p) / spread, 0.0),
                (first, second),
            ),
            _share(
                "unrelated share",
                (l2 * first_p - l1 * second_p) / spread,
                (-second_p / spread, first_p / spread, 0.0),
                (first, second),
            ),
        ),
    )


def cheaters(first: Counted, second: Counted, *, p1: Probability, p2: Probability) -> PaperStudy:
    """Estimate honest "yes", honest "no", and people who always say "no" (cheating detection).

    Parameters
    ----------
    first, second : (int, int)
        Number of "yes", and size, of the samples instructed to say "yes" with probability p1 and p2.
    p1, p2 : float or Fraction, in (0, 1), different

    Returns
    -------
    PaperStudy
        ``share`` of honest "yes", ``honest no``, ``cheaters``.

    Notes
    -----
    l_i = pi + beta p_i, hence pi = (p2 l1 - p1 l2)/(p2 - p1), beta = (l2 - l1)/(p2 - p1), and cheaters are
    1 - pi - beta. Their true answers are unknown, so the true share lies between pi and pi + cheaters.

    References
    ----------
    Clark and Desharnais 1998.

    Examples
    --------
    >>> study = cheaters((175, 500), (300, 500), p1=.2, p2=.8)
    >>> [round(quantity.value, 6) for quantity in study.quantities]
    [0.266667, 0.416667, 0.316667]
    """
    first_p, second_p = two_probabilities(p1, p2, ("p1", "p2"))
    (l1, _), (l2, _) = sample_share(*first, "sample 1"), sample_share(*second, "sample 2")
    spread = second_p - first_p
    honest, no = (second_p * l1 - first_p * l2) / spread, (l2 - l1) / spread
    return PaperStudy(
        method=f"cheating detection (p1={first_p:g}, p2={second_p:g})",
        n=first[1] + second[1],
        quantities=(
            _share("share", honest, (second_p / spread, -first_p / spread, 0.0), (first, second)),
            _share("honest no", no, (-1 / spread, 1 / spread, 0.0), (first, second)),
            _share(
                "cheaters",
                1 - honest - no,
                ((1 - second_p) / spread, -(1 - first_p) / spread, 1.0),
                (first, second),
            ),
        ),
    )


def lie_detector(first: Counted, second: Counted, *, p1: Probability, p2: Probability) -> PaperStudy:
    """Estimate the share with a property and how many of them admit it (stochastic lie detector).

    Parameters
    ----------
    first, second : (int, int)
        Number of "yes", and size, of the samples where people without the property say "no" with
        probability p1 and p2.
    p1, p2 : float or Fraction, in (0, 1), different

    Returns
    -------
    PaperStudy
        ``share``, and ``honesty`` t: the probability that a respondent with the property says "yes".

    Raises
    ------
    PrivacyError
        ``chance``; ``paper``: the estimated share is 0, so t is undefined.

    Notes
    -----
    l_i = pi t + (1 - pi)(1 - p_i): pi = 1 + (l2 - l1)/(p2 - p1),
    t = (l2 (1 - p1) - l1 (1 - p2))/((l2 - l1) + (p2 - p1)), with its error by the delta method. The method
    assumes that people without the property follow the instruction, and that t is the same in both samples.

    References
    ----------
    Moshagen, Musch and Erdfelder 2012; Heck and Moshagen 2018.

    Examples
    --------
    >>> study = lie_detector((373, 564), (398, 692), p1=2/12, p2=10/12)
    >>> round(study["share"].value, 6), round(study["honesty"].value, 6)
    (0.870695, 0.635806)
    """
    first_p, second_p = two_probabilities(p1, p2, ("p1", "p2"))
    (l1, v1), (l2, v2) = sample_share(*first, "sample 1"), sample_share(*second, "sample 2")
    spread, rest = second_p - first_p, (l2 - l1) + (second_p - first_p)
    if rest == 0:
        raise PrivacyError("paper.nobody", 0.0)
    honesty = (l2 * (1 - first_p) - l1 * (1 - second_p)) / rest
    return PaperStudy(
        method=f"stochastic lie detector (p1={first_p:g}, p2={second_p:g})",
        n=first[1] + second[1],
        quantities=(
            _share("share", 1 + (l2 - l1) / spread, (-1 / spread, 1 / spread, 1.0), (first, second)),
            Quantity(
                name="honesty",
                value=honesty,
                standard_error=error(
                    [(honesty - (1 - second_p)) / rest, ((1 - first_p) - honesty) / rest], [v1, v2]
                ),
                hypothesis=two_samples(
                    first, second, lambda t: (t - (1 - second_p), (1 - first_p) - t, t * spread)
                ),
            ),
        ),
    )


def _share(
    name: str, value: float, weights: tuple[float, float, float], samples: tuple[Counted, Counted]
) -> Quantity:
    """Return a share that is a constant plus a weighted sum of both samples' shares of "yes"."""
    *by_sample, constant = weights
    variances = [sample_share(*sample, "sample")[1] for sample in samples]
    return Quantity(
        name=name,
        value=value,
        standard_error=error(by_sample, variances),
        hypothesis=two_samples(*samples, lambda tried: (*weights[:2], tried - constant)),
        within=(
            constant + sum(min(weight, 0.0) for weight in by_sample),
            constant + sum(max(weight, 0.0) for weight in by_sample),
        ),
    )


def extended_crosswise(first: Counted, second: Counted, *, p: Probability) -> PaperStudy:
    """Estimate a share from two crosswise samples, and test whether they agree.

    Parameters
    ----------
    first, second : (int, int)
        Number of "same", and size, of the samples whose innocuous question has P("yes") = p and 1 - p.
    p : float or Fraction, in (0, 1), not 1/2

    Returns
    -------
    PaperStudy
        ``share`` of both samples together, ``share in sample 1`` and ``2``, and the likelihood-ratio test
        that they are equal, with one degree of freedom.

    Raises
    ------
    PrivacyError
        ``chance``; ``paper``: p = 1/2, or invalid counts.

    Notes
    -----
    "Same" in one sample corresponds to "different" in the other, so both form one sample of n1 + n2. Errors
    are those of maximum likelihood, dividing by n as in the paper.

    References
    ----------
    Heck, Hoffmann and Moshagen 2018.

    Examples
    --------
    >>> study = extended_crosswise((300, 500), (210, 500), p=.25)
    >>> [round(quantity.value, 6) for quantity in study.quantities]
    [0.32, 0.3, 0.34]
    >>> round(study.tests[0].statistic, 6)
    0.413426
    """
    share = probability(p, "p")
    if share == 0.5:
        raise PrivacyError("paper.half", share, name="p")
    sample_share(*first, "sample 1")
    sample_share(*second, "sample 2")
    samples = [first, (second[1] - second[0], second[1])]
    same, n = sum(yes for yes, _ in samples), sum(rows for _, rows in samples)

    def figure(name: str, yes: int, rows: int) -> Quantity:
        rate = yes / rows
        return Quantity(
            name=name,
            value=(rate + share - 1) / (2 * share - 1),
            standard_error=math.sqrt(rate * (1 - rate) / rows) / abs(2 * share - 1),
            hypothesis=one_sample(rate, rows, rise=2 * share - 1, start=1 - share),
            within=inverse_range(2 * share - 1, 1 - share),
        )

    statistic = 2 * sum(
        float(scipy.special.xlogy(cell, cell * n / (rows * total)))
        for yes, rows in samples
        for cell, total in ((yes, same), (rows - yes, n - same))
        if cell
    )
    return PaperStudy(
        method=f"extended crosswise (p={share:g})",
        n=n,
        quantities=(
            figure("share", same, n),
            *(figure(f"share in sample {position}", *sample) for position, sample in enumerate(samples, 1)),
        ),
        tests=(
            ModelTest(
                name="both samples alike",
                statistic=statistic,
                test=PValue(
                    value=float(scipy.special.chdtrc(1, max(statistic, 0.0))),
                    test="samples alike",
                    n=n,
                    estimable=True,
                    adjustment="none",
                    family=1,
                    origin=CHECKED,
                ),
            ),
        ),
    )


def list_experiment(control: Sequence[int], treated: Sequence[int]) -> PaperStudy:
    """Estimate a share from counts of list items, and test the assumptions of the list.

    Parameters
    ----------
    control : sequence of int, length J + 1, J at least 1
        ``control[y]``: number of people shown only the J harmless items who count y of them. The output of
        ``value_counts()`` is read by its labels.
    treated : sequence of int, length J + 2
        ``treated[y]``: number of people also shown the sensitive item who count y of all items.

    Returns
    -------
    PaperStudy
        ``share``, and three tests: that the sensitive item never lowers a count, that it never adds more
        than 1, and both together (Bonferroni).

    Raises
    ------
    PrivacyError
        ``paper``: wrong number of counts, invalid counts, or fewer than two people in a group.

    Notes
    -----
    pi = mean of the treated - mean of the control, with variance s1^2/n1 + s0^2/n0, where s^2 divides by
    n - 1. With F the distribution functions, the share of people who count y harmless items is
    F0(y) - F1(y) with the property and F1(y) - F0(y - 1) without it. None of these may be negative. Each
    inequality compares two binomials and is tested exactly (Fisher, one-sided). The p-value of several
    inequalities is the smallest one times their number (Bonferroni), and the statistic is their number.

    References
    ----------
    Blair and Imai 2012; Fisher 1935.

    Examples
    --------
    Half the people have the one harmless item, and a fifth have the sensitive one:

    >>> study = list_experiment([50, 50], [40, 50, 10])
    >>> round(study["share"].value, 3), round(study["share"].standard_error, 3)
    (0.2, 0.082)
    """
    without, with_item = _counts(control, "control"), _counts(treated, "treated")
    if len(without) < 2 or len(with_item) != len(without) + 1:
        raise PrivacyError("paper.items", len(with_item), control=len(without))
    (m0, v0, n0), (m1, v1, n1) = (
        _moments(np.arange(len(group), dtype=np.float64), group) for group in (without, with_item)
    )
    share = Quantity(name="share", value=m1 - m0, standard_error=float(np.sqrt(v0 / n0 + v1 / n1)))
    tests = _list_tests(without, with_item)
    return PaperStudy(
        method=f"list experiment of {counted(len(without) - 1, 'item')} and one",
        n=int(n0 + n1),
        quantities=(share,),
        tests=tests,
    )


def item_sum(control: Sequence[float], treated: Sequence[float]) -> PaperStudy:
    """Estimate the mean of a sensitive quantity that people report only added to a harmless one.

    Parameters
    ----------
    control : sequence of float, length 2 or more
        The harmless quantity alone.
    treated : sequence of float, length 2 or more
        The sum of both.

    Raises
    ------
    PrivacyError
        ``paper``: fewer than two numbers in a group, or a value that is not a finite number.

    Notes
    -----
    Mean of the treated - mean of the control, with variance s1^2/n1 + s0^2/n0, where s^2 divides by n - 1.

    References
    ----------
    Trappmann et al. 2014.

    Examples
    --------
    >>> mean = item_sum([1, 3], [4, 6])["mean"]
    >>> mean.value, round(mean.standard_error, 3)
    (3.0, 1.414)
    """
    parts = []
    for name, values in (("the group without", control), ("the group with", treated)):
        read = partial(validation.real_number, low=-np.inf, high=np.inf, open_ends=True, code="paper")
        numbers = np.array([read(value, f"a value of {name}") for value in values])
        if len(numbers) < 2:
            raise PrivacyError("paper.numbers", len(numbers), name=name)
        parts.append((float(numbers.mean()), float(numbers.var(ddof=1)), len(numbers)))
    (m0, v0, n0), (m1, v1, n1) = parts
    return PaperStudy(
        method="item sum",
        n=n0 + n1,
        quantities=(
            Quantity(
                name="mean",
                value=m1 - m0,
                standard_error=float(np.sqrt(v0 / n0 + v1 / n1)),
                possible=(-np.inf, np.inf),
            ),
        ),
    )


def _counts(counts: Sequence[int], group: str) -> Array:
    numbers = [
        validation.number_of_rows(count, f"count of the {group} group", low=0, code="paper")
        for count in counts_in_order(counts, f"the {group} group")
    ]
    validation.number_of_rows(sum(numbers), f"rows of the {group} group", low=2, code="paper")
    return np.array(numbers, dtype=np.float64)


def _moments(values: Array, counts: Array) -> tuple[float, float, float]:
    n = counts.sum()
    mean = counts @ values / n
    return float(mean), float(counts @ (values - mean) ** 2 / (n - 1)), float(n)


def _list_tests(control: Array, treated: Array) -> tuple[ModelTest, ...]:
    n0, n1 = int(control.sum()), int(treated.sum())
    c0, c1 = np.cumsum(control)[:-1].astype(int), np.cumsum(treated)[:-1].astype(int)
    # The sensitive item can only raise counts, and by at most 1: compare P(y or fewer) in both groups.
    fewer = [_fisher(counts_1, n1, other, n0) for counts_1, other in zip(c1[:-1], c0, strict=True)]
    more = [_fisher(other, n0, counts_1, n1) for counts_1, other in zip(c1[1:], c0, strict=True)]
    names = ("the sensitive item never lowers a count", "the sensitive item never adds more than 1")

    def together(name: str, found: list[float]) -> ModelTest:
        test = PValue(
            value=min(1.0, len(found) * min(found)), test="list", n=n0 + n1, estimable=True,
            adjustment="Bonferroni", family=len(found), origin=CHECKED,
        )  # fmt: skip
        return ModelTest(name=name, statistic=float(len(found)), test=test)

    return (*map(together, names, (fewer, more)), together("both", fewer + more))


def _fisher(first: int, n: int, second: int, m: int) -> float:
    """Return the p-value of "the first share is not larger": P(count >= first) with both margins fixed."""
    every = first + second
    last = min(every, n)
    counts = np.arange(max(0, every - m), last + 1)

    gamma = scipy.special.gammaln
    # Hypergeometric probabilities, without the factors that are the same for all counts.
    log_weights = -gamma(counts + 1) - gamma(n - counts + 1)
    log_weights -= gamma(every - counts + 1) + gamma(m - every + counts + 1)
    weights = np.exp(log_weights - log_weights.max())
    return float(weights[counts >= first].sum() / weights.sum())
