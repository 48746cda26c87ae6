"""The README's description of each block agrees with the block's channel."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from privacy.scales.planar_level import PlanarLevel
from privacy.scales.planar_window import PlanarWindowChannel
from privacy.survey.block import default_refusal
from surveys.report.export.disguise_laws import law_text, sent_text
from tests.fixtures.scale_reports import sent
from tests.vectors.designs import shielded, yes_no
from tests.vectors.scale_designs import _MAP, COIN, KEEP, ROUND, WAVE, WHOLE, scale_block

WHOLE_MAP = PlanarWindowChannel(mechanism="usm", area=_MAP, levels=(WHOLE,))


def chances(text: str) -> list[float]:
    return [float(found) for found in re.findall(r"(?:probability|from|to) ([0-9](?:[0-9.e-]*[0-9])?)", text)]


def test_items_of_a_block_share_one_coin() -> None:
    block = shielded("a", 6000, yes_no("x", 3000))
    assert law_text(block).startswith("60 times in 100, the device sends the true answers of this part.")
    assert "15 in 100 are “skipped”" in law_text(replace(block, refusal=1500))


@pytest.mark.parametrize("band", [KEEP, WAVE, ROUND])
def test_number_probabilities_match_the_channel(band) -> None:
    text = law_text(scale_block("n", band))
    assert "true answers of this part" not in text
    assert f"one of {band.inputs} bins" in text
    said = chances(text)
    channel = np.unique(band.as_array().round(12))
    if band.retention_probability is not None:
        (kept,) = said
        expected = [(1 - kept) / band.inputs, kept + (1 - kept) / band.inputs]
    else:
        expected = sorted(said)
        inside = band.as_array()[:, 0]
        assert f"Each of the {int((inside == inside.max()).sum())} values" in text
    # Six digits are printed.
    assert channel == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_up_and_down_probabilities_match_the_channel() -> None:
    said = chances(law_text(scale_block("n", COIN)))
    up = COIN.as_array()[-1]
    assert said == pytest.approx([up[0], up[-1], 1.0], rel=1e-5)


@pytest.mark.parametrize(
    ("disguise", "said"),
    [
        (KEEP, "the bin that was sent: 0 begins at 0, 1 at 10, and so on"),
        (WAVE, "the window of bin b is b to b + 4; bin 0 begins at 0, 1 at 10, and so on"),
        (COIN, "0 means that “down” was sent, 1 “up”"),
        (WHOLE_MAP, "the cell that was sent: 10 × its row + its column, counted from 0 in the south-west"),
    ],
)
def test_codes_of_numbers_and_places_are_explained(disguise, said: str) -> None:
    (question,) = scale_block("n", disguise).questions
    assert said in sent_text(question)


def test_a_skip_is_described_as_a_separate_answer() -> None:
    block = scale_block("n", KEEP)
    block = replace(block, refusal=default_refusal(block))
    last = [float(chance) for chance in block.skipping.channel.matrix[-1]]
    found = re.search(r"answer: ([0-9.e-]+) of the answers and ([0-9.e-]+) of the skips", law_text(block))
    assert found
    assert [float(part) for part in found.groups()] == pytest.approx([last[0], last[-1]], rel=1e-5)


def test_place_probabilities_match_the_level() -> None:
    text = law_text(scale_block("p", WHOLE_MAP))
    assert "true answers of this part" not in text
    (near,) = chances(text)
    assert near == pytest.approx(float(WHOLE.truth), rel=1e-5)
    half = replace(WHOLE, rectangles=WHOLE.frames[:1] and ((0, 0, 5, 8),), frames=((0, 0, 5, 8, 1, 1),))
    text = law_text(scale_block("p", PlanarWindowChannel(mechanism="usm", area=_MAP, levels=(half,))))
    assert "Otherwise it was sent as it is" in text
    assert chances(text) == pytest.approx([float(half.truth), 1 - float(half.truth)], rel=1e-5)


def test_uneven_tiles_are_described_by_sizes_and_probability() -> None:
    tiled = PlanarLevel(
        numerator=3, denominator=1, rectangles=WHOLE.rectangles, frames=(), snap=True, tiles=((3, 1),)
    )
    windows = PlanarWindowChannel(mechanism="usm", area=_MAP, levels=(tiled,))
    text = law_text(scale_block("p", windows))
    areas = [across * up for across, up in tiled.sizes]
    assert f"divided into 3 tiles of {min(areas)} to {max(areas)} cells" in text
    own = chances(text)[-1]
    assert own == pytest.approx(float(tiled.truth), rel=1e-5)
    # For a place in the first cell, its own tile is sent by near draws, and by a third of the others.
    left, low, across, up = tiled.window_at(0, 0)
    tile = {(left + x, low + y) for x in range(across) for y in range(up)}
    reports = [sent(windows, 0, draw) for draw in range(windows.total)]
    share = sum((cell % _MAP.columns, cell // _MAP.columns) in tile for cell in reports) / len(reports)
    assert share == pytest.approx(own + (1 - own) / 3, rel=1e-5)


def test_a_rotating_part_states_how_many_questions_were_drawn() -> None:
    asked = (yes_no("late", 5000), yes_no("took", 5000), yes_no("lied", 5000))
    work = replace(shielded("work", 6_000, *asked), questions_per_person=2)
    assert law_text(work).startswith(
        "before any answer, each device drew 2 of the 3 questions, one of 3 equally likely sets"
    )
    assert "drew" not in law_text(replace(work, questions_per_person=None))
