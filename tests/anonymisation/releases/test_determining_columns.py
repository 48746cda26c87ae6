import numpy as np
import pytest

from anonymisation.releases.determining_columns import determining_columns
from anonymisation.releases.result_words import given_up

pytestmark = pytest.mark.django_db


RNG = np.random.default_rng(4)


ALIVE = RNG.random(400) < 0.7


NOISY = np.where(RNG.random(400) < 0.02, ~ALIVE, ALIVE)


HALF = np.where(RNG.random(400) < 0.5, ~ALIVE, ALIVE)


@pytest.mark.parametrize(
    ("beside", "role", "tells"),
    [
        (np.where(ALIVE, "yes", "no"), "insensitive", True),
        (np.where(ALIVE, RNG.choice(["a", "b"], 400), "c"), "quasi_identifier", True),
        (np.where(NOISY, "yes", "no"), "insensitive", False),
        (np.where(HALF, "yes", "no"), "insensitive", False),
        # A unique value determines everything, but only because it is unique.
        (np.arange(400).astype(str), "quasi_identifier", False),
        (np.where(ALIVE, "yes", "no"), "sensitive", False),
        (np.where(ALIVE, "yes", "no"), "identifier", False),
    ],
)
def test_a_column_reveals_another_where_it_determines_it(beside: np.ndarray, role: str, tells: bool) -> None:
    codes = {"beside": np.unique(beside, return_inverse=True)[1], "survived": ALIVE.astype(np.int64)}
    roles = [{"name": "beside", "role": role}, {"name": "survived", "role": "sensitive"}]
    wanted = {"beside": ["survived"]} if tells else {}
    assert determining_columns(codes, roles) == wanted


@pytest.mark.parametrize(("errors", "tells"), [(0, True), (5, True), (6, False), (50, False)])
def test_a_revealing_column_settles_95_in_100_unknown_values(errors: int, tells: bool) -> None:
    # 900 survived, so always guessing "survived" is wrong for 100.
    survived = np.repeat([1, 0], [900, 100])
    beside = survived.copy()
    beside[900 : 900 + errors] = 1
    roles = [{"name": "beside", "role": "insensitive"}, {"name": "survived", "role": "sensitive"}]
    assert determining_columns({"beside": beside, "survived": survived}, roles) == (
        {"beside": ["survived"]} if tells else {}
    )


def test_values_in_fewer_than_five_records_determine_no_column() -> None:
    roles = [{"name": "beside", "role": "insensitive"}, {"name": "survived", "role": "sensitive"}]
    for each, named in ((5, True), (4, False)):
        beside = np.repeat(np.arange(40), each)
        assert bool(determining_columns({"beside": beside, "survived": beside % 2}, roles)) is named


@pytest.mark.parametrize(
    ("told", "weight", "sentence"),
    [
        (0.0199, 1.0, "If you leave it out, the others keep more."),
        (0.0199, 0.1, "because its weight is small."),
        (0.0201, 1.0, ""),
        (0.0201, 0.1, ""),
    ],
)
def test_columns_that_keep_under_two_percent_of_information_are_named(
    told: float, weight: float, sentence: str
) -> None:
    whole = weight + 1.0
    losses = [
        {"name": "age", "entropy": 3.0, "information": told * 3.0, "weight": weight / whole},
        {"name": "sex", "entropy": 1.0, "information": 1.0, "weight": 1.0 / whole},
        {"name": "one value", "entropy": 0.0, "information": 0.0, "weight": 0.0},
    ]
    named = given_up(losses)
    assert len(named) == bool(sentence)
    assert all("“age” carries no information any more" in one and one.endswith(sentence) for one in named)
