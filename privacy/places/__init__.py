"""Questions whose answer is a place on a map: mechanisms, accuracy, and what disguised places tell together.

A place question has kind ``"place"``, no unrelated probabilities, a `Windows` as its disguise, and a
protected block of its own with truth probability 0; where it may be skipped, ``answers.py`` reads the rows.
The map is an `Area` in longitude and latitude, cut into cells; sensitive rectangles are (first column, first
row, width, height) in cells, row 0 in the south:

>>> from privacy.disguise import Block, Design, GroupPolicy, Question
>>> area = Area.of_cell_size(west=118.70, south=32.00, east=118.72, north=32.02, metres=50)
>>> area.columns, area.rows
(38, 44)
>>> usm = utility_square(area, [(4, 4, 12, 10), (20, 25, 8, 8)], 2.0)
>>> ask = Question(key="home", kind="place", options=(), unrelated=(), disguise=usm)
>>> design = Design(blocks=(Block(key="where", protected=True, truth_probability=0, refusal=None,
...                               asked_if=None, questions=(ask,)),), group=GroupPolicy(), use="live")
>>> usm.exact_outside, round(mean_square_error(usm) ** .5)   # metres
(True, 620)

The answer that a page gathers is the number of the cell (`Area.cell_of`, ``cellOf`` in ``places.js``: whole
10^-7 degrees, outside points go to the nearest cell); what is sent is the number of a cell. Regions are items
of rules where they are declared, as options of the question with the disguise's `regions`; each has to hold
every window wholly or not at all (`connected_regions` gives the smallest such parts of the sensitive cells),
and any cells outside the sensitive ones.

Mechanisms: `square_mechanism` (all is sensitive), `utility_square` (rectangles are; with
``shape="equal_area"`` for narrow ones), `grid_response` and `utility_grid_response` (randomised response on
tiles), `levelled` (several levels). Without a side they choose the one of least `map_error` for this
map, uniform or under a public prior (`prior_of`). `proposals` predicts every one for a map, the best first,
and two that are there only to compare with. `Windows.exact_outside` says that a report from outside the
sensitive cells is the true cell: such an epsilon stands apart from a budget and is never summed.

`stated_place` makes all of it from what a researcher states: mechanism, epsilon, edges and rectangles in
degrees, size of a cell, items; `cells_of` and `degrees_of` turn rectangles to cells and back.

From counts of the cells that were sent: `density` (EM, plain or smoothed) with `shown_cells`, `region_share`,
`mean_place`; `map_parts` cuts a map into parts that have such shares; `density_errors` gives cells their
standard errors, and `pieces_of` puts those together that say nothing by themselves.
"""

from privacy.disguise.area import Area
from privacy.disguise.windows import Windows
from privacy.places.accuracy import cell_errors, mean_square_error
from privacy.places.alike import Alike, alike, tells_nothing
from privacy.places.cells_of import cells_of, degrees_of
from privacy.places.density import Share, density, region_share, shown_cells
from privacy.places.errors import Spread, density_errors
from privacy.places.geometry import components as connected_regions
from privacy.places.mechanisms import (
    grid_response,
    levelled,
    sensitive_cells,
    square_mechanism,
    utility_grid_response,
    utility_square,
)
from privacy.places.middle import MeanPlace, mean_place
from privacy.places.parts import map_parts
from privacy.places.pieces import Pieces, pieces_of
from privacy.places.prior import prior_of
from privacy.places.proposals import Proposal, proposals, share_worse_than
from privacy.places.report_error import map_error
from privacy.places.stated import StatedPlace, stated_place

__all__ = [
    "Alike",
    "Area",
    "MeanPlace",
    "Pieces",
    "Proposal",
    "Share",
    "Spread",
    "StatedPlace",
    "Windows",
    "alike",
    "cell_errors",
    "cells_of",
    "connected_regions",
    "degrees_of",
    "density",
    "density_errors",
    "grid_response",
    "levelled",
    "map_error",
    "map_parts",
    "mean_place",
    "mean_square_error",
    "pieces_of",
    "prior_of",
    "proposals",
    "region_share",
    "sensitive_cells",
    "share_worse_than",
    "shown_cells",
    "square_mechanism",
    "stated_place",
    "tells_nothing",
    "utility_grid_response",
    "utility_square",
]
