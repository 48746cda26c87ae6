"""Tables and GeoJSON of weights: read as they come, refused by row and column."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils.translation import override

from privacy.scales.area import Area
from surveys.questionnaire.prior_table import prior_read
from surveys.questionnaire.problems import DefinitionError

MAP = Area.of_cell_size(west=118.70, south=32.00, east=118.80, north=32.08, metres=200)


def feature(kind: str, coordinates: Any, weight: Any = 1) -> dict[str, Any]:
    return {
        "type": "Feature",
        "geometry": {"type": kind, "coordinates": coordinates},
        "properties": {"weight": weight},
    }


BOX = [[[118.72, 32.01], [118.74, 32.01], [118.74, 32.03], [118.72, 32.03], [118.72, 32.01]]]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("longitude,latitude,weight\n118.72,32.01,5\n\n118.7,32,0\n", [[118.72, 32.01, 5], [118.7, 32, 0]]),
        ("\ufeffname\tWeight\tLat\tLon\nA\t2\t32.01\t118.72", [[118.72, 32.01, 2]]),
        ("west;south;east;north;weight\n118,7;32,01;118,74;32,03;1,5", [[118.7, 32.01, 118.74, 32.03, 1.5]]),
        (json.dumps(feature("Point", [118.72, 32.01], 3)), [[118.72, 32.01, 3]]),
        (
            json.dumps({"type": "FeatureCollection", "features": [feature("Polygon", BOX, 2)]}),
            [[118.72, 32.01, 118.74, 32.03, 2]],
        ),
    ],
)  # fmt: skip
def test_tables_and_features_become_rows(text: str, rows: list[list[float]]) -> None:
    assert prior_read(text, MAP) == rows


TRIANGLE = [[[118.72, 32.01], [118.74, 32.01], [118.74, 32.03], [118.72, 32.01]]]


@pytest.mark.parametrize(
    ("text", "path", "said"),
    [
        ("", "the table", "it has no row with a weight above 0"),
        ("place,weight\na,1", "row 1", '"place, weight"'),
        ("lon,lat,weight\n118.72,32.01,5\n118.72,x,5", "row 3, column latitude", '"x" is no number'),
        ("lon,lat,weight\n118.72,32.01", "row 2, column weight", '"" is no number'),
        ("lon,lat,weight\n118.72,32.01,-1", "row 2, column weight", "-1.0 is no weight"),
        ("lon,lat,weight\n118.72,32.01,nan", "row 2, column weight", "NaN is no number"),
        ("lon,lat,weight\n118.72,32.01,1\n120,32.01,1", "row 3", "it lies outside the map"),
        ("lon,lat,weight\n118.72,32.01,1\n118.72,95,1", "row 3, column latitude", "95.0 is no coordinate"),
        ("lon,lat,weight\n118.72,32.01,0", "the table", "it has no row with a weight above 0"),
        ("lon,lat,weight\n", "the table", "it has no row with a weight above 0"),
        ("west,south,east,north,weight\n118.8,32.01,118.7,32.02,1", "row 2", "edges are in the wrong order"),
        ("{", "the table", "cannot be read"),
        ("[]", "the table", "it has no row with a weight above 0"),
        (json.dumps(feature("Point", [118.72, 32.01], "x")), "feature 1, column weight", '"x" is no number'),
        (json.dumps(feature("Polygon", TRIANGLE)), "feature 1", "no rectangle along the axes"),
        (json.dumps(feature("LineString", [[1, 2]])), "feature 1", "no rectangle along the axes"),
        (json.dumps(feature("Point", [[1]])), "feature 1", "no rectangle along the axes"),
    ],
)
def test_what_is_wrong_is_told_by_row_and_column(text: str, path: str, said: str) -> None:
    with override("en"), pytest.raises(DefinitionError) as caught:
        prior_read(text, MAP)
    (problem,) = caught.value.problems
    assert problem.path == path
    assert said in problem.message
    assert problem.remedy


def test_a_table_of_mistakes_tells_the_first_twenty() -> None:
    with pytest.raises(DefinitionError) as caught:
        prior_read("lon,lat,weight\n" + "x,y,z\n" * 50)
    assert len(caught.value.problems) == 20


@pytest.mark.slow
def test_a_table_of_more_rows_than_are_kept_is_refused() -> None:
    with pytest.raises(DefinitionError) as caught:
        prior_read("lon,lat,weight\n" + "118.72,32.01,1\n" * 10_001)
    assert "10001 rows" in caught.value.problems[0].message
