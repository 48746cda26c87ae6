import numpy as np
import pytest

from privacy.risk.scale_rows import scale_rows
from privacy.scales.planar_window import PlanarWindowChannel
from tests.fixtures.refusals import refused
from tests.vectors.scale_designs import NUMBERS, PLACES, SKIPS, TILES_OF_ANY_SIZE

DISGUISES = {
    name: question.disguise
    for name, design in (NUMBERS | PLACES | TILES_OF_ANY_SIZE).items()
    for question in design.questions
    if question.is_scale
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DISGUISES)
def test_the_likeliest_answer_matches_the_full_channel(name: str) -> None:
    disguise = DISGUISES[name]
    assert disguise is not None
    shares = np.random.default_rng(2).random(disguise.inputs) ** 3
    shares /= shares.sum()
    joint = disguise.channel.as_array() * shares
    best, chances = disguise.largest_joint(shares)
    assert best == pytest.approx(joint.max(axis=1), abs=1e-15)
    assert chances == pytest.approx(joint.sum(axis=1), abs=1e-14)


@pytest.mark.parametrize("skips", [0.2, 0.9])
@pytest.mark.parametrize("name", ["square wave", "hybrid", "utility-optimised", "two levels"])
def test_skipping_counts_as_one_more_possible_answer(name: str, skips: float) -> None:
    skipping = SKIPS[name].blocks[0].skipping
    assert skipping is not None
    disguise = skipping.disguise
    shares = np.random.default_rng(3).random(disguise.inputs) ** 4
    shares /= shares.sum()
    joint = skipping.channel.as_array() * np.append((1 - skips) * shares, skips)
    counts = joint.sum(axis=1) * 1e6
    found = scale_rows(disguise, shares, counts, skipping=skipping)
    posterior = joint.max(axis=1) / joint.sum(axis=1)
    assert found.sent == pytest.approx(
        [counts[posterior > level].sum() / 1e6 for level in (0.5, 0.9, 0.95)], abs=1e-9
    )
    assert found.highest == pytest.approx(posterior.max())
    assert found.before == pytest.approx(max((1 - skips) * shares.max(), skips))
    assert found.n == pytest.approx(1e6, abs=1)


def test_uninformative_rows_are_not_counted_above_one_half() -> None:
    """Most rows do not distinguish two neighbours, so the posterior is exactly one half."""
    disguise = DISGUISES["square wave"]
    assert disguise is not None
    shares = np.zeros(disguise.inputs)
    shares[:2] = 0.5
    joint = disguise.channel.as_array() * shares
    posterior = joint.max(axis=1) / joint.sum(axis=1)
    counts = joint.sum(axis=1) * 1e6
    even = np.abs(posterior - 0.5) < 1e-12
    assert 0 < counts[even].sum() < 1e6, "rows of both kinds"
    found = scale_rows(disguise, shares, counts)
    assert found.sent == pytest.approx([counts[~even].sum() / 1e6, *found.sent[1:]], abs=1e-9)


def test_places_outside_the_sensitive_areas_are_always_recognised() -> None:
    windows = DISGUISES["utility-optimised"]
    assert isinstance(windows, PlanarWindowChannel)
    outside = [cell for cell in range(windows.inputs) if windows.level_of(cell) == len(windows.levels)]
    counts = np.zeros(windows.outputs)
    counts[outside[0]] = 30
    counts[next(cell for cell in range(windows.inputs) if windows.level_of(cell) == 0)] = 70
    found = scale_rows(windows, np.full(windows.inputs, 1 / windows.inputs), counts)
    assert (found.sent[2], found.highest) == (pytest.approx(0.3), pytest.approx(1))


@pytest.mark.parametrize(("counts", "code"), [([1.0], "counts"), (None, "no_rows")])
def test_unmeasurable_inputs_are_rejected(counts: list[float] | None, code: str) -> None:
    band = DISGUISES["square wave"]
    assert band is not None
    with refused(code):
        scale_rows(band, np.ones(band.inputs), np.zeros(band.outputs) if counts is None else counts)


def test_only_reports_that_someone_sent_count_for_the_highest_certainty() -> None:
    disguise = DISGUISES["hybrid"]
    assert disguise is not None
    shares = np.random.default_rng(4).random(disguise.inputs) ** 4
    shares /= shares.sum()
    joint = disguise.channel.as_array() * shares
    posterior = joint.max(axis=1) / joint.sum(axis=1)
    least = int(posterior.argmin())
    assert posterior[least] < posterior.max() - 0.01
    assert scale_rows(disguise, shares, 7 * np.eye(disguise.outputs)[least]).highest == pytest.approx(
        posterior[least]
    )
