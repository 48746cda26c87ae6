"""Places with the same distribution of reports have equal columns in the exact channel."""

from dataclasses import replace

import numpy as np
import pytest

from privacy.scales.planar_mechanisms import grid_response, square_mechanism, stated_place
from privacy.scales.planar_window import PlanarWindowChannel, alike, tells_nothing
from tests.fixtures.refusals import refused
from tests.vectors.scale_designs import PLACES, TILES_OF_ANY_SIZE, WHOLE

MAPS = {name: design.blocks[0].disguise for name, design in (PLACES | TILES_OF_ANY_SIZE).items()}
SILENT = replace(MAPS["square mechanism"], levels=(replace(WHOLE, frames=((0, 0, 10, 8, 10, 8),)),))


@pytest.mark.slow
@pytest.mark.parametrize("name", MAPS)
def test_indistinguishable_places_have_equal_channel_columns(name: str) -> None:
    windows = MAPS[name]
    assert isinstance(windows, PlanarWindowChannel)
    columns, of = np.unique(windows.channel.as_array(), axis=1, return_inverse=True)
    found = alike(windows)
    assert found.kinds == columns.shape[1]
    assert found.is_all is tells_nothing(windows) is False
    spans = []
    for line in (np.arange(80) % 10, np.arange(80) // 10):
        spans.append(max(np.ptp(line[of.ravel() == kind]) + 1 for kind in range(found.kinds)))
    width, height = windows.area.cell_metres
    assert (found.across, found.up) == pytest.approx((spans[0] * width, spans[1] * height))


def test_a_window_covering_the_whole_map_reveals_nothing() -> None:
    assert tells_nothing(SILENT)
    assert SILENT.channel.amplification() == 1


@pytest.mark.parametrize("mechanism", ["square", "grid"])
@pytest.mark.parametrize("epsilon", [0.05, 1.0])
def test_place_statements_never_produce_uninformative_disguises(mechanism: str, epsilon: float) -> None:
    statement = {
        "mechanism": mechanism,
        "epsilon": epsilon,
        "cell": 200,
        "area": {"west": 0, "south": 0, "east": 0.009, "north": 0.0045},
    }
    assert not tells_nothing(stated_place(statement).disguise)


def test_windows_over_the_whole_map_are_refused_with_a_reason() -> None:
    area = MAPS["square mechanism"].area
    for make in (
        lambda: square_mechanism(replace(area, columns=8), 1.0, side=8),
        lambda: grid_response(area, 1.0, tile=(10, 8)),
    ):
        with refused("says_nothing", "the same is sent for every place"):
            make()
