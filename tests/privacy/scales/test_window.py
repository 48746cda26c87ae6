"""Enumerating every draw shows that reports follow the channel exactly."""

import json
from collections import Counter
from dataclasses import asdict, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from privacy.arrays import Array
from privacy.scales import window
from privacy.scales.number_range import (
    NumberRange,
)
from privacy.scales.numeric_mechanisms import as_answered
from privacy.scales.window import WindowChannel
from tests.fixtures.refusals import refused
from tests.fixtures.scale_reports import sent

WAVE = WindowChannel(
    mechanism="square_wave",
    range=NumberRange(low=0, high=5),
    window=3,
    cyclic=False,
    floor=2,
    peak=5,
    coin=0,
    lean=0,
    step=0,
)
BANDS = {
    "wave": WAVE,
    "keep": replace(WAVE, window=1),
    "round": replace(WAVE, cyclic=True, window=4),
    "all round": replace(WAVE, cyclic=True, window=5),
    "shift": replace(WAVE, cyclic=True, floor=0, peak=1),
    "coin": replace(WAVE, window=0, floor=0, peak=0, coin=20, lean=2, step=3),
    "both": replace(WAVE, coin=20, lean=5, step=2),
}


@pytest.mark.parametrize("name", BANDS)
def test_each_output_is_sent_in_proportion_to_its_weight(name: str) -> None:
    band = BANDS[name]
    for x in range(band.inputs):
        counts = Counter(sent(band, x, draw) for draw in range(band.total))
        assert counts == {y: w for y in range(band.outputs) if (w := band.weight(y, x))}


@pytest.mark.parametrize("name", BANDS)
def test_the_channel_the_array_and_the_amplification_agree(name: str) -> None:
    band = BANDS[name]
    # Channel checks that columns sum to 1.
    assert np.allclose(band.channel.as_array(), band.as_array(), atol=1e-15)
    assert band.amplification == band.channel.amplification()


def test_only_generalised_rr_has_a_retention_probability() -> None:
    assert {
        name: band.retention_probability
        for name, band in BANDS.items()
        if band.retention_probability is not None
    } == {"keep": Fraction(5, 5 + 6 * 2)}
    keep = replace(BANDS["keep"], spans=((0, 1), (4, 4)))
    p, q, channel = keep.retention_probability, keep.decoy_shares, keep.channel
    assert q == (Fraction(1, 3), Fraction(1, 6))
    assert p is not None
    for item, (first, last) in enumerate(keep.spans):
        for x in range(6):
            seen = sum(channel[y, x] for y in range(first, last + 1))
            assert seen == p * (first <= x <= last) + (1 - p) * q[item]
            assert keep.item_values(item)[x] == (first <= x <= last)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"window": 0}, "disguise"),
        ({"peak": 0}, "disguise"),
        ({"floor": -1}, "disguise"),
        ({"coin": 3, "lean": 1, "step": 1}, "disguise"),
        ({"cyclic": 1}, "disguise"),
        ({"cyclic": True, "window": 7}, "too_large"),
        ({"window": 70_000}, "too_large"),
        ({"floor": 1 << 1_024}, "too_large"),
        ({"range": (0, 5)}, "disguise"),
        ({"mechanism": "a b"}, "disguise"),
        ({"spans": ((0, 2), (2, 3))}, "spans"),
        ({"spans": ((3, 2),)}, "spans"),
        ({"spans": ((0, 6),)}, "spans"),
        ({"spans": ((0,),)}, "spans"),
        ({"spans": "0-2"}, "spans"),
    ],
)
def test_weights_without_a_valid_channel_are_rejected(changes: dict[str, Any], code: str) -> None:
    with refused(code):
        replace(WAVE, **changes)


def test_the_largest_exact_channel_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = WAVE.outputs * WAVE.inputs
    monkeypatch.setattr(window, "LARGEST_CHANNEL", entries)
    assert len(WAVE.channel.matrix) == WAVE.outputs
    monkeypatch.setattr(window, "LARGEST_CHANNEL", entries - 1)
    with refused("too_large", WAVE.outputs):
        _ = WAVE.channel


def test_oversized_exact_channels_are_refused() -> None:
    with refused("too_large", "2002 x 2000"):
        _ = replace(WAVE, range=NumberRange(low=0, high=1999)).channel


def _matrix(band: WindowChannel) -> Array:
    """channel[output, bin], counted from the reference device."""
    table = np.zeros((band.outputs, band.inputs))
    for x in range(band.inputs):
        for draw in range(band.total):
            table[sent(band, x, draw), x] += 1 / band.total
    return table


@pytest.mark.parametrize("name", BANDS)
def test_decoys_are_the_draws_that_send_the_same_for_every_bin(name: str) -> None:
    band = BANDS[name]
    alike = [len({sent(band, x, draw) for x in range(6)}) == 1 for draw in range(band.total)]
    assert band.are_decoys(np.arange(band.total)).tolist() == alike
    assert band.decoys == sum(alike)
    counts = Counter(sent(band, 0, draw) for draw in np.flatnonzero(alike).tolist())
    assert [band.decoy_weight(y) for y in range(band.outputs)] == [counts[y] for y in range(band.outputs)]
    if sum(alike):
        assert band.decoy_array() == pytest.approx([counts[y] / sum(alike) for y in range(band.outputs)])


def test_a_window_as_wide_as_the_grid_has_no_decoys() -> None:
    """Each of its outputs is as likely as a decoy would be, whatever the answer is."""
    everywhere = replace(WAVE, cyclic=True, window=6, coin=20, lean=2, step=3)
    assert (everywhere.decoys, BANDS["all round"].decoys) == (0, 12)


@pytest.mark.parametrize("name", BANDS)
def test_an_array_of_rows_sends_what_one_device_sends(name: str) -> None:
    band = BANDS[name]
    answers, draws = (part.ravel() for part in np.mgrid[0 : band.inputs, 0 : band.total])
    one_by_one = [sent(band, x, draw) for x, draw in zip(answers.tolist(), draws.tolist(), strict=True)]
    assert band.sent(answers, draws).tolist() == one_by_one


@pytest.mark.parametrize("name", BANDS)
def test_shares_and_values_are_multiplied_by_the_matrix_or_its_transpose(name: str) -> None:
    band, matrix = BANDS[name], _matrix(BANDS[name])
    shares = np.array([[0.1, 0.2, 0.05, 0.3, 0.25, 0.1], [0, 0, 1, 0, 0, 0]])
    values = np.array([np.arange(band.outputs) ** 2, np.ones(band.outputs)])
    forward, backward = band.maps()
    assert np.allclose(forward(shares), shares @ matrix.T, rtol=0, atol=1e-12)
    assert np.allclose(backward(values), values @ matrix, rtol=0, atol=1e-12)
    largest, total = band.largest_joint(shares[0])
    assert np.allclose(largest, (matrix * shares[0]).max(axis=1), rtol=0, atol=1e-12)
    assert np.allclose(total, matrix @ shares[0], rtol=0, atol=1e-12)


def test_only_the_identity_from_zero_in_steps_of_one_sends_the_answer_itself() -> None:
    hours = as_answered(NumberRange(low=0, high=24))
    assert [
        channel.sends_the_answer
        for channel in (
            hours,
            replace(hours, range=NumberRange(low=1, high=24)),
            replace(hours, range=NumberRange(low=0, high=23, bin=2)),
            replace(hours, mechanism="keep"),
        )
    ] == [True, False, False, False]
    for changes in ({"floor": 1}, {"peak": 2}, {"window": 2}, {"cyclic": True}, {"coin": 1}):
        with refused("disguise"):
            replace(hours, **changes)


def test_a_channel_without_a_bound_states_none() -> None:
    """Windows without a floor exclude answers; a window over the whole grid reveals nothing."""
    hours = as_answered(NumberRange(low=0, high=5))
    for unbounded in (hours, BANDS["shift"], replace(BANDS["coin"], lean=0)):
        assert (unbounded.amplification, unbounded.level_bounds, unbounded.decoy_bound) == (None, (), 1)
    assert BANDS["wave"].level_bounds == (Fraction(7, 2),)
    assert BANDS["coin"].amplification == Fraction(17, 2), "up: 2 or 17 of 20; down: 18 or 3"
    assert replace(BANDS["coin"], coin=18).amplification == Fraction(16, 1)
    assert (hours.is_as_answered, BANDS["shift"].is_as_answered) == (True, False)


def test_the_number_of_bits_of_weights_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    bits = WAVE.total.bit_length()
    monkeypatch.setattr(window, "MOST_BITS", bits)
    assert replace(WAVE, spans=()) == WAVE
    monkeypatch.setattr(window, "MOST_BITS", bits - 1)
    with refused("too_large", bits):
        replace(WAVE, spans=())


def test_weights_of_an_array_are_stored_as_plain_numbers() -> None:
    """JSON has no NumPy numbers."""
    found = replace(WAVE, window=np.int64(WAVE.window), floor=np.int64(WAVE.floor), peak=np.int64(WAVE.peak))
    assert json.dumps(asdict(found)) == json.dumps(asdict(WAVE))


def test_as_many_reports_as_allowed_make_a_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window, "MOST_OUTPUTS", WAVE.outputs)
    assert replace(WAVE).outputs == WAVE.outputs
    monkeypatch.setattr(window, "MOST_OUTPUTS", WAVE.outputs - 1)
    with refused("too_large", WAVE.window):
        replace(WAVE)
