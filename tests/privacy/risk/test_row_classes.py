"""Classes of rows, against rows that are listed one by one."""

import itertools
import math

import numpy as np
import pytest

from privacy.arrays import Array
from privacy.risk import row_classes
from privacy.risk.row_classes import DecoyPart, Gathering


def part(prior: list[float], decoy: list[float], rows: list[float] | None = None) -> DecoyPart:
    return DecoyPart(
        key="q",
        prior=np.array(prior),
        decoy=np.array(decoy),
        rows=None if rows is None else np.array(rows, dtype=float),
    )


FIRST, SECOND = part([0.3, 0.7], [0.5, 0.5]), part([0.2, 0.3, 0.5], [0.25, 0.25, 0.5])


def shown(gathering: Gathering) -> dict[tuple[float, float], int]:
    """Return the number of rows by P and q, rounded."""
    prior, decoy, rows = (np.exp(logs) for logs in gathering.classes)
    return {
        (round(float(p), 9), round(float(q), 9)): round(float(n))
        for p, q, n in zip(prior, decoy, rows, strict=True)
    }


def masses(gathering: Gathering) -> Array:
    """Return the sums of P, q and 1 over rows."""
    prior, decoy, rows = gathering.classes
    return np.array([np.exp(prior + rows).sum(), np.exp(decoy + rows).sum(), np.exp(rows).sum()])


def test_rows_with_the_same_two_probabilities_form_a_class() -> None:
    """Of the four rows of two questions, two have P = .3 x .7."""
    gathering = Gathering()
    gathering.add(FIRST)
    gathering.add(FIRST)
    assert shown(gathering) == {(0.09, 0.25): 1, (0.21, 0.25): 2, (0.49, 0.25): 1}
    assert gathering.slack == 0


def test_equal_likelihood_ratios_do_not_join_different_probabilities() -> None:
    """.2/.4 = .1/.2: both rows stay apart while their number is small."""
    gathering = Gathering()
    gathering.add(part([0.2, 0.1, 0.7], [0.4, 0.2, 0.4]))
    assert shown(gathering) == {(0.2, 0.4): 1, (0.1, 0.2): 1, (0.7, 0.4): 1}


def test_an_entry_may_stand_for_several_answers_or_be_impossible() -> None:
    gathering = Gathering(log_answered=math.log(0.8))
    gathering.add(part([0.1, 0.0, 0.4], [0.2, 0.2, 0.2], rows=[2, 1, 2]))
    assert shown(gathering) == {(0.1, 0.16): 2, (0.0, 0.16): 1, (0.4, 0.16): 2}
    assert masses(gathering) == pytest.approx([1, 0.8, 5])


def test_adding_parts_to_a_copy_leaves_the_original() -> None:
    gathering = Gathering()
    gathering.add(FIRST)
    longer = gathering.with_parts([SECOND, FIRST])
    assert shown(gathering) == {(0.3, 0.5): 1, (0.7, 0.5): 1}
    assert masses(longer) == pytest.approx([1, 1, 2 * 3 * 2])


def test_alternatives_count_each_row_once_for_each() -> None:
    first, both = Gathering(), Gathering()
    first.add(FIRST)
    both.add(part([0.3, 0.7], [0.5, 0.5]))
    both.slack = 0.25
    together = Gathering.of_all([first, both])
    assert shown(together) == {(0.3, 0.5): 2, (0.7, 0.5): 2}
    assert together.slack == 0.25


@pytest.mark.parametrize("most", [4, 8, 20])
def test_too_many_classes_are_binned_by_ratio_within_the_stated_slack(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of the 2^6 rows has a probability of its own; only sums and ratios survive."""
    monkeypatch.setattr(row_classes, "MOST_CLASSES", most)
    shares = [0.11, 0.17, 0.23, 0.31, 0.37, 0.43]
    gathering = Gathering()
    for share in shares:
        gathering.add(part([share, 1 - share], [0.5, 0.5]))
    assert len(gathering.classes[0]) <= most
    assert masses(gathering) == pytest.approx([1, 1, 64])
    assert gathering.slack > 0
    ratios = sorted(
        math.fsum(math.log(2 * (share if on else 1 - share)) for share, on in zip(shares, ticks, strict=True))
        for ticks in itertools.product((0, 1), repeat=6)
    )
    prior, decoy, rows = gathering.classes
    order = np.argsort(prior - decoy)
    binned = np.repeat((prior - decoy)[order], np.exp(rows[order]).round().astype(int))
    assert np.abs(binned - ratios).max() <= gathering.slack


def test_rows_that_all_have_one_ratio_share_a_bin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_classes, "MOST_CLASSES", 2)
    gathering = Gathering()
    gathering.add(part([0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4]))
    assert masses(gathering) == pytest.approx([1, 1, 4])
    assert len(gathering.classes[0]) == 1
    impossible = Gathering()
    impossible.add(part([0.0, 0.1, 0.9], [0.2, 0.1, 0.7]))
    assert masses(impossible) == pytest.approx([1, 1, 3])
    assert np.isneginf(impossible.classes[0]).sum() == 1, "an impossible row has a bin of its own"


def test_a_part_of_many_answers_is_binned_by_ratio_before_it_joins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty answers in at most eight classes: one of them has nearly the ratio of each answer."""
    monkeypatch.setattr(row_classes, "MOST_PRODUCTS", 8)
    prior, decoy = np.random.default_rng(4).dirichlet(np.ones(40), 2)
    gathering = Gathering()
    gathering.add(DecoyPart(key="q", prior=prior, decoy=decoy))
    log_prior, log_decoy, log_rows = gathering.classes
    assert len(log_rows) <= 9
    assert np.exp(log_rows).sum() == pytest.approx(40)
    assert np.exp(log_prior + log_rows).sum() == pytest.approx(1)
    assert np.exp(log_decoy + log_rows).sum() == pytest.approx(1)
    off = np.abs(np.log(prior / decoy)[:, None] - (log_prior - log_decoy)).min(axis=1)
    assert off.max() <= gathering.slack


@pytest.mark.parametrize(("most", "is_exact"), [(4, True), (3, False)])
def test_as_many_classes_as_allowed_stay_apart(
    most: int, is_exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This also holds after earlier classes were binned."""
    monkeypatch.setattr(row_classes, "MOST_CLASSES", most)
    gathering = Gathering()
    gathering.slack = 0.25
    gathering.add(part([0.1, 0.2, 0.3, 0.4], [0.25] * 4))
    assert (len(gathering.classes[0]) == 4) is is_exact
    assert (gathering.slack == 0.25) is is_exact
