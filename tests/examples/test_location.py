"""The example on places: it reproduces published figures of SM and USM, and writes its files."""

from xml.dom.minidom import parseString

import numpy as np
import pytest

from examples import location
from examples.location import Plane, best_width
from privacy.scales.area import Area
from privacy.scales.planar_mechanisms import utility_square
from tests.fixtures.planar_error import cell_errors
from tests.fixtures.svg_reading import assert_readable, marks_of

WHOLE = ((0.0, 0.0, 1000.0, 1000.0),)
CENTRE = ((0.0, 0.0, 500.0, 500.0),)

TABLE = {
    1: (1271.685, 1.4752e-07, 0.409923, 967508.3),
    2: (1086.348, 8.6655e-08, 0.653381, 660479.1),
    5: (601.573, 1.7438e-08, 0.930250, 165985.1),
    8: (303.693, 3.5863e-09, 0.985655, 36578.6),
    10: (188.418, 1.2724e-09, 0.994911, 13227.3),
    15: (55.358, 9.9781e-11, 0.999601, 1056.8),
    20: (15.978, 8.0736e-12, 0.999968, 85.9),
}


def _plane(epsilon: float) -> Plane:
    return Plane(half_sides=(1000, 1000), parts=WHOLE, epsilon=epsilon)


@pytest.mark.parametrize("epsilon", TABLE)
def test_widths_and_errors_match_the_published_table(epsilon: int) -> None:
    width, alpha, beta, error = TABLE[epsilon]
    plane = _plane(epsilon)
    assert best_width(plane) == pytest.approx(width, abs=6e-4)
    assert plane.alpha(best_width(plane)) == pytest.approx(alpha, rel=5e-5)
    assert plane.beta(best_width(plane)) == pytest.approx(beta, abs=1.01e-6)
    assert plane.uniform_error(best_width(plane)) == pytest.approx(error, abs=0.06)


def error_at(plane, point, width):
    return float(plane.errors_at(np.array([point], float), width)[0])


def test_the_square_mechanism_matches_its_golden_point() -> None:
    plane, width = _plane(5), 601.5732834092795
    assert best_width(plane) == pytest.approx(width, abs=1e-8)
    assert plane.alpha(width) == pytest.approx(1.7437579325459432e-08, rel=1e-12)
    assert error_at(plane, (930, -100), width) == pytest.approx(213180.23767, abs=1e-5)


def test_the_utility_form_matches_its_golden_points() -> None:
    plane = Plane(half_sides=(1000, 1000), parts=((-500, -200, 300, 300), (500, 500, 200, 200)), epsilon=3)
    assert plane.alpha(400) == pytest.approx(2.79823136622767e-07, rel=1e-12)
    assert plane.beta(400) == pytest.approx(0.8544919689561612, rel=1e-12)
    for point, error in (
        ((-500, -200), 96734.3801),
        ((-790, 90), 190693.4272),
        ((500, 690), 243017.5384),
        ((0, 0), 58837.4782),
        ((1000, -1000), 410295.3378),
    ):
        assert error_at(plane, point, 400) == pytest.approx(error, abs=1e-4)
    assert plane.uniform_error(400) == pytest.approx(161083.7163, abs=1e-4)
    assert best_width(plane) == 400


@pytest.mark.parametrize(
    ("half_sides", "epsilon", "width"),
    [((1000, 300), 0.5, 600), ((1000, 300), 1, 600), ((1000, 50), 6, 100), ((1000, 50), 3, 100)],
)
def test_on_narrow_maps_the_square_is_as_wide_as_the_map(
    half_sides: tuple[float, float], epsilon: float, width: float
) -> None:
    plane = Plane(half_sides=half_sides, parts=((0, 0, *half_sides),), epsilon=epsilon)
    assert best_width(plane) == width


def test_the_best_width_converges_as_epsilon_approaches_zero() -> None:
    assert best_width(_plane(1e-9)) / 2000 == pytest.approx(0.72442, abs=1e-5)


CENTRAL = {
    5: (39039, 37101), 8: (8013, 7646), 10: (2820, 2707), 15: (217.9, 211.1), 20: (17.5, 17.0),
}  # fmt: skip


@pytest.mark.parametrize("epsilon", CENTRAL)
def test_one_central_square_matches_the_published_errors(epsilon: int) -> None:
    plane = Plane(half_sides=(1000, 1000), parts=CENTRE, epsilon=epsilon)
    with_sm, with_own = CENTRAL[epsilon]
    assert plane.uniform_error(best_width(_plane(epsilon))) == pytest.approx(with_sm, rel=2e-3, abs=0.05)
    assert plane.uniform_error(best_width(plane)) == pytest.approx(with_own, rel=2e-3, abs=0.05)


@pytest.mark.parametrize(("epsilon", "error"), [(1, 359243), (2, 184835), (3, 111343)])
def test_small_epsilon_limits_the_width_to_the_sensitive_square(epsilon: int, error: float) -> None:
    plane = Plane(half_sides=(1000, 1000), parts=CENTRE, epsilon=epsilon)
    width = min(best_width(_plane(epsilon)), 1000)
    assert plane.uniform_error(width) == pytest.approx(error, abs=1)


def test_the_uniform_error_is_the_mean_over_places() -> None:
    plane = Plane(half_sides=(1000, 600), parts=((-500, -200, 300, 200), (500, 300, 200, 250)), epsilon=3)
    steps = 400
    xs = (np.arange(steps) + 0.5) / steps * 2000 - 1000
    ys = (np.arange(steps) + 0.5) / steps * 1200 - 600
    points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    errors = plane.errors_at(points, 300)
    assert float(errors.mean()) == pytest.approx(plane.uniform_error(300), rel=5e-4)


FRAME_WIDTH = 601.5732834092795


def _frame() -> tuple[tuple[float, float, float, float], ...]:
    """Return the border frame as two strips of full width and two between them."""
    w = FRAME_WIDTH
    return (
        (0, 1000 - w / 2, 1000, w / 2),
        (0, -1000 + w / 2, 1000, w / 2),
        (1000 - w / 2, 0, w / 2, 1000 - w),
        (-1000 + w / 2, 0, w / 2, 1000 - w),
    )


def test_the_utility_form_is_worse_on_a_border_frame() -> None:
    frame = Plane(half_sides=(1000, 1000), parts=_frame(), epsilon=5)
    assert frame.uniform_error(FRAME_WIDTH) == pytest.approx(167253, abs=1)
    assert frame.uniform_error(FRAME_WIDTH) > _plane(5).uniform_error(FRAME_WIDTH)
    # Its own best width repairs this.
    assert frame.uniform_error(best_width(frame)) == pytest.approx(165866, abs=1)


def test_the_utility_form_is_worse_at_the_corners_of_its_square() -> None:
    for epsilon, ratio in ((5, 1.81), (10, 2.07), (20, 2.19)):
        plane = Plane(half_sides=(1000, 1000), parts=CENTRE, epsilon=epsilon)
        width = best_width(_plane(epsilon))
        corner = error_at(plane, (500, 500), width)
        assert corner / error_at(_plane(epsilon), (500, 500), width) == pytest.approx(ratio, abs=0.006)


@pytest.mark.parametrize(("epsilon", "enlarged", "own"), [(5, 15739, 4669), (3, 93579, 33650), (8, 937, 359)])
def test_a_small_square_serves_small_places_better_than_enlarging_them(
    epsilon: int, enlarged: float, own: float
) -> None:
    width = best_width(_plane(epsilon))
    half = max(100.0, width / 2)
    grown = Plane(half_sides=(1000, 1000), parts=((0, 0, half, half),), epsilon=epsilon)
    small = Plane(half_sides=(1000, 1000), parts=((0, 0, 100, 100),), epsilon=epsilon)
    assert grown.uniform_error(width) == pytest.approx(enlarged, rel=2e-3)
    assert small.uniform_error(min(width, 200)) == pytest.approx(own, rel=2e-3)


def test_the_library_matches_the_errors_on_ten_metre_cells() -> None:
    """With 200 x 200 cells and a window of 30 cells, plane and cells differ by half a percent."""
    area = Area(west=0, south=0, east=180_000, north=180_000, columns=200, rows=200)
    channel = utility_square(area, [(50, 50, 100, 100)], 5, side=30)
    across, up = (metres / 10 for metres in area.cell_metres)
    errors = cell_errors(channel) / (across * up)
    middles = (np.arange(200) + 0.5) * 10 - 1000
    points = np.stack(np.meshgrid(middles, middles), axis=-1).reshape(-1, 2)
    plane = Plane(parts=((0, 0, 500, 500),), epsilon=5)
    np.testing.assert_allclose(errors.ravel(), plane.errors_at(points, 300), rtol=5e-3)


def test_random_regions_lie_in_the_square_without_overlap() -> None:
    rng = np.random.default_rng(2)
    steps = (np.arange(400) + 0.5) * 5 - 1000
    points = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    for count in (2, 4, 6):
        parts = location.random_regions(count, rng)
        inside = [(np.abs(points - part[:2]) <= part[2:]).all(axis=1) for part in parts]
        assert np.sum(inside, axis=0).max() == 1
        plane = Plane(parts=parts, epsilon=10)
        assert plane.sensitive_area == pytest.approx(count * 250**2)
        # From epsilon 10 on, no region has to be enlarged.
        assert best_width(_plane(10)) < plane.widest


@pytest.mark.soak
def test_the_example_reproduces_the_reported_findings(tmp_path, capsys) -> None:
    """USM has smaller errors than SM in each of the paper's figures; the best window falls with epsilon."""
    location.main(["--places", "300", "--repetitions", "2", "--out", str(tmp_path)])
    table = location.pd.read_csv(tmp_path / "location.csv")
    assert set(table.figure) == {"centre", "corners", "random"}
    errors = table.pivot_table(index=["figure", "epsilon"], columns="mechanism", values="error")
    utility = errors.drop(columns="SM")
    assert (utility.lt(errors.SM, axis=0) | utility.isna()).all().all()
    widths = [best_width(_plane(epsilon)) for epsilon in range(1, 21)]
    assert widths == sorted(widths, reverse=True)
    assert "USM, own window" in capsys.readouterr().out


@pytest.mark.soak
def test_files_depend_only_on_the_seed(tmp_path) -> None:
    for name, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        location.main(["--seed", seed, "--places", "50", "--repetitions", "1", "--out", str(tmp_path / name)])
    names = {path.name for path in (tmp_path / "a").iterdir()}
    drawn = {"centre.svg": 3, "corners.svg": 5, "random.svg": 4, "width.svg": 1}
    assert names == {*drawn, "windows.svg", "location.csv"}
    for name in names:
        first, again, other = ((tmp_path / run / name).read_bytes() for run in "abc")
        assert first == again
        assert (first == other) == (name in {"width.svg", "windows.svg"})
    for name, count in drawn.items():
        series = assert_readable((tmp_path / "a" / name).read_text("utf-8")).series.values()
        assert len(series) == count
        assert {len(marks_of(groups[0])) for groups in series} <= {11, 16, 20}


def test_windows_lie_in_their_regions_and_shift_inwards_at_edges() -> None:
    drawn = parseString(location.windows_figure())
    boxes = [
        tuple(float(box.getAttribute(name)) for name in ("x", "y", "width", "height"))
        for box in drawn.getElementsByTagName("rect")
        if box.getAttribute("fill-opacity")
    ]
    regions = [
        tuple(float(box.getAttribute(name)) for name in ("x", "y", "width", "height"))
        for box in drawn.getElementsByTagName("rect")
        if box.getAttribute("stroke-dasharray")
    ]
    clinic, old_town = regions
    assert len(boxes) == 4
    for number, (x, y, width, height) in enumerate(boxes):
        left, top, across, up = clinic if number < 2 else old_town
        assert left <= x <= x + width <= left + across
        assert top <= y <= y + height <= top + up
    # The second window of each region is for a place at its eastern edge.
    for number, (left, _, across, _) in ((1, clinic), (3, old_town)):
        x, _, width, _ = boxes[number]
        assert x + width == left + across
