"""Rows of one cluster are summed into a unit, and rows without a cluster or stratum are counted."""

import numpy as np
import pandas as pd
import pytest

from privacy.errors import PrivacyError
from privacy.estimation.sampling_units import SamplingUnits
from privacy.library.sampling_units import UnitSums, sampling_units, units_of
from tests.fixtures.refusals import refused

SCORES = np.array([[1.0, 0, 0, 1, 1], [0.0, 1, 1, 0, 0]])


def test_rows_are_summed_into_units() -> None:
    """Weights 1, 2, 1, 3, 1: (sum)^2 / sum of squares = 64/16."""
    codes, mass = np.array([0, 1, 1, 0, 0]), np.array([1.0, 2, 1, 3, 1])
    plain = UnitSums.of(SCORES, codes, None, None)
    assert (plain.scores.tolist(), plain.base.tolist()) == (SCORES.tolist(), [1] * 5)
    assert (plain.clusters, plain.effective_n, plain.smallest_cell, plain.respondents) == (None, 5, 2, 5)
    weighted = UnitSums.of(SCORES, codes, mass, None)
    assert weighted.scores.tolist() == [[1, 0, 0, 3, 1], [0, 2, 1, 0, 0]]
    assert (weighted.base.tolist(), weighted.effective_n) == ([1, 2, 1, 3, 1], 4)
    assert weighted.clusters is not None
    assert weighted.counts.tolist() == [1] * 5
    clustered = UnitSums.of(SCORES, codes, mass, SamplingUnits(members=np.array([0, 0, 1, 1, 1])))
    assert clustered.scores.tolist() == [[1, 4], [2, 1]]
    assert clustered.base.tolist() == [3, 5]
    assert clustered.clusters is not None
    assert clustered.clusters.count == 2


def test_clusters_and_strata_are_columns_of_the_table() -> None:
    frame = pd.DataFrame({"town": [*"aabcdefghij"], "region": [*"xxxxxyyyyyy"]})
    assert units_of(frame, None, None) is None
    both = units_of(frame, "town", "region")
    assert both is not None
    assert both.members.tolist() == [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert both.strata is not None
    assert both.strata.tolist() == [0] * 4 + [1] * 6
    towns, rows = units_of(frame, "town", None), units_of(frame, None, "region")
    assert towns is not None
    assert rows is not None
    assert (towns.members.tolist(), towns.strata) == (both.members.tolist(), None)
    assert rows.members.tolist() == [*range(11)]
    assert rows.strata is not None
    assert rows.strata.tolist() == [0] * 5 + [1] * 6


def test_rows_without_a_cluster_or_stratum_are_counted() -> None:
    town, region = pd.Series([*"aabcdefghijk"], name="town"), pd.Series([*"xxxxxxyyyyyy"], name="region")
    with refused("clusters", "town"):
        sampling_units(town.where(town != "b"), None)
    with pytest.raises(PrivacyError) as found:
        sampling_units(town.where(~town.isin(["b", "c"])), None)
    assert found.value.fields["missing"] == 2
    assert found.value.fields["count"] == 9
    with pytest.raises(PrivacyError) as found:
        sampling_units(None, region.where(region != "x"))
    assert found.value.fields["missing"] == 6
    with pytest.raises(PrivacyError) as found:
        sampling_units(town, region.where(region.index != 0, "y"))
    assert found.value.case == "clusters.two_strata"
    assert found.value.value == "a"
    with pytest.raises(PrivacyError) as found:
        sampling_units(None, region.where(region.index != 0, "z"))
    assert (found.value.case, found.value.value) == ("clusters.lone", "z")
    # Two rows are enough for a stratum.
    units = sampling_units(None, region.where(region.index > 1, "z"))
    assert units is not None
    assert units.strata is not None
    assert np.bincount(units.strata).tolist() == [2, 4, 6]
