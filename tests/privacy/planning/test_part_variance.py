"""Variances of rotating parts: against enumerated channels, and the figures of the design."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from privacy.errors import PrivacyError
from privacy.planning.power import AskedPart, variance_of_size
from tests.benchmarks.test_efficiency import enumerated_variance

Array = NDArray[np.float64]


def coin(questions: int, p: float) -> Array:
    """P(report, truth) of a part whose decoys are fair coins."""
    cells = 2**questions
    return p * np.eye(cells) + (1 - p) / cells


def of_those(m: int, questions: tuple[int, ...], channel: Array) -> Array:
    """The channel of some questions, for truths of all m."""
    seen = [sum(((x >> q) & 1) << place for place, q in enumerate(questions)) for x in range(2**m)]
    return channel[:, seen]


def mean_over_sets(channel: Array, m: int, size: int) -> float:
    masks = [sum(1 << bit for bit in chosen) for chosen in itertools.combinations(range(m), size)]
    return float(np.mean([enumerated_variance(channel, mask) for mask in masks]))


def both(one: Array, other: Array) -> Array:
    """Two reports of one truth."""
    return (one[:, None, :] * other[None, :, :]).reshape(-1, one.shape[1])


@pytest.mark.parametrize("size", [1, 2, 3])
def test_parts_of_which_one_rotates_have_the_variance_of_their_enumerated_channel(size: int) -> None:
    sets = list(itertools.combinations((0, 1, 2), 2))
    rotating = np.concatenate([of_those(4, chosen, coin(2, 0.6)) / len(sets) for chosen in sets])
    channel = both(rotating, of_those(4, (3,), coin(1, 0.4)))
    parts = [AskedPart(questions=3, truth=0.6, per_person=2), AskedPart(questions=1, truth=0.4)]
    if size == 3:
        assert variance_of_size(parts, 3) == math.inf  # the three of the first part are never asked together
        return
    assert variance_of_size(parts, size) == pytest.approx(mean_over_sets(channel, 4, size), rel=1e-9)


@pytest.mark.parametrize(
    ("m", "j", "p", "wanted"),
    [
        (10, 4, 0.543972, (2.1122, 2.6402, 3.1682)),
        (10, 4, 0.770109, (1.0538, 1.3173, 1.5808)),
        (10, 7, 0.888647, (0.4523, 0.3957, 0.2798)),
        (20, 5, 0.626160, (2.5505, 4.304, 7.2929)),
    ],
)
def test_published_variances(m: int, j: int, p: float, wanted: tuple[float, ...]) -> None:
    part = AskedPart(questions=m, truth=p, per_person=j)
    assert [variance_of_size([part], size) for size in (1, 2, 3)] == pytest.approx(wanted, abs=6e-5)


@pytest.mark.parametrize("changes", [{"questions": 0}, {"truth": 1.5}, {"per_person": 4}, {"per_person": 0}])
def test_numbers_outside_their_ranges_are_refused(changes: dict[str, float]) -> None:
    with pytest.raises(PrivacyError) as refused:
        AskedPart(**({"questions": 3, "truth": 0.5, "per_person": 2} | changes))  # type: ignore[arg-type]
    assert refused.value.code == "out_of_range"
