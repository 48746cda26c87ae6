from privacy.sdc import cross
from tests.privacy.sdc.test_sequential_release import possible_by_assignment, release


def test_what_tightening_one_sum_at_a_time_misses_is_solved_exactly():
    """Five people; only all sums at once show that the first has value v0."""
    rows = [(0, -1, "v0"), (1, 1, "v1"), (1, 0, "v0"), (0, 0, "v1"), (0, 1, "v0")]
    first = [(f"p{place}", row[0], row[2]) for place, row in enumerate(rows)]
    second = [(f"p{place}", row[1], row[2]) for place, row in enumerate(rows) if row[1] >= 0]
    earlier, later = (release(*zip(*part, strict=True)) for part in (first, second))
    assert possible_by_assignment(earlier, later)["p0"] == {"v0"}
    leak = next(one for one in cross(earlier, later, k=1, l_value=2).leaks if one.respondents == ("p0",))
    assert leak.values == ("v0",)
