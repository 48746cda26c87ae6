"""Every design from a file: the published figures through the same way as a page and a command take."""

from __future__ import annotations

from fractions import Fraction

import pytest

from surveys.elsewhere.estimating import study_estimate
from surveys.elsewhere.methods import BY_KEY, METHODS, chance_read
from surveys.elsewhere.results import Result
from surveys.tables.reading import table_read
from tests.cast.refusals import refused


def estimated(
    key: str, *rows: tuple[object, ...], number: int | None = None, lines: str = "", **chances: str
) -> Result:
    """Rows of an answer, what stands beside it, and how many people gave both."""
    roles = BY_KEY[key].roles
    names = ["a", "b"][: len(roles)]
    text = "\n".join(",".join(map(str, row)) for row in [(*names, "n"), *rows])
    return study_estimate(
        BY_KEY[key],
        table_read("study.csv", text.encode()),
        columns={**dict(zip(roles, names, strict=True)), "count": "n"},
        chances=chances,
        number=number,
        lines=lines,
    )


def yes_of(yes: int, n: int) -> list[tuple[object, ...]]:
    return [("yes", yes), ("no", n - yes)]


def samples(first: tuple[int, int], second: tuple[int, int]) -> list[tuple[object, ...]]:
    return [
        (said, sample, count)
        for sample, (yes, n) in ((1, first), (2, second))
        for said, count in ((1, yes), (0, n - yes))
    ]


ANCHORED = [(0, 0, 148), (0, 1, 425), (1, 0, 311), (1, 1, 1116)]
# By RRreg, cWise, list and by hand: the design, its file, then quantity, estimate and error as printed.
CASES = [
    (estimated("warner", *yes_of(340, 1000), p=".7"), [("share", 0.1, 0.037469)]),
    (estimated("crosswise", ("same", 713), ("different", 287), p="0.15"), [("share", 0.195714, 0.020446)]),
    (estimated("triangular", *yes_of(400, 1000), p="25 %"), [("share", 0.2, 0.020666)]),
    (estimated("unrelated", *yes_of(200, 1000), p=".7", theta="1/12"), [("share", 0.25, 0.018079)]),
    (estimated("mangat", *yes_of(500, 1000), p=".6"), [("share", 0.166667, 0.026365)]),
    (estimated("kuk", (1, 350), (0, 650), yes=".8", no=".2"), [("share", 0.25, 0.025151)]),
    (estimated("kuk", (1, 250), (2, 750), number=5, yes=".8", no=".2"), [("share", 0.25, 0.01663)]),
    (
        estimated("unrelated-unknown", *samples((180, 600), (88, 400)), p1=".7", p2=".3"),
        [("share", 0.36, 0.036271), ("unrelated share", 0.16, 0.038914)],
    ),
    (
        estimated("cheaters", *samples((175, 500), (300, 500)), p1=".2", p2=".8"),
        [("share", 0.266667, 0.029393), ("honest no", 0.416667, 0.051014), ("cheaters", 0.316667, 0.030095)],
    ),
    (
        estimated("lie-detector", *samples((373, 564), (398, 692)), p1="2/12", p2="10/12"),
        [("share", 0.870695, 0.041118), ("honesty", 0.635806, 0.017344)],
    ),
    (
        estimated("crosswise-extended", *samples((300, 500), (210, 500)), p=".25"),
        [
            ("share", 0.32, 0.031106),
            ("share in sample 1", 0.3, 0.043818),
            ("share in sample 2", 0.34, 0.044145),
        ],
    ),
    (
        estimated("crosswise-anchor", *ANCHORED, p=".15", anchor_p=".15"),
        [
            ("share", 0.10536, 0.022703),
            ("share, uncorrected", 0.195, 0.014446),
            ("attentive", 0.772857, 0.026872),
        ],
    ),
    (
        estimated(
            "list",
            *((y, 0, n) for y, n in enumerate([8, 132, 222, 227])),
            *((y, 1, n) for y, n in enumerate([19, 123, 229, 219, 34])),
            number=3,
        ),
        [("share", 0.067797, 0.049578)],
    ),
    (estimated("forced", *yes_of(831, 2435), yes="1/6", no="1/6"), [("share", 0.26191, 0.014416)]),
    (
        estimated(
            "forced-categories",
            ("never", 500),
            ("once", 300),
            ("often", 200),
            lines="never=1/6\nonce=1/6\noften=1/6",
        ),
        [("never", 0.666667, 0.031639), ("once", 0.266667, 0.028997), ("often", 0.066667, 0.025311)],
    ),
    (
        estimated("channel", ("no", 660), ("yes", 340), lines="no: .7 .3\nyes: .3 .7"),
        [("no", 0.9, 0.037469), ("yes", 0.1, 0.037469)],
    ),
    (
        estimated("item-sum", (1, 0, 1), (3, 0, 1), (4, 1, 1), (6, 1, 1)),
        [("mean", 3.0, 1.414214)],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("found", "expected"), CASES, ids=lambda one: getattr(getattr(one, "method", None), "key", "")
)
def test_a_file_gives_the_published_figures(found: Result, expected: list[tuple[str, float, float]]) -> None:
    said = [(one.name, round(one.value, 6), round(one.standard_error, 6)) for one in found.study.quantities]
    assert said == expected


def test_every_design_has_a_case() -> None:
    assert {found.method.key for found, _ in CASES} == {method.key for method in METHODS}


def test_what_does_not_fit_a_design_is_refused() -> None:
    with refused("study_file", "Chance of the statement"):
        estimated("warner", *yes_of(1, 2), p="seven")
    with refused("study_file", "Chance of the statement"):
        estimated("warner", *yes_of(1, 2))
    with refused("study_file", "theta"):
        estimated("warner", *yes_of(1, 2), p=".7", theta=".2")
    with refused("designs"):
        estimated("warner", *yes_of(1, 2), p=".5")
    with refused("paper"):
        estimated("cheaters", *samples((1, 5), (2, 5)), p1=".5", p2=".5")
    with refused("study_file", "line 3", "4"):
        estimated("list", (1, 0, 5), (4, 0, 5), (4, 1, 5), number=3)
    with refused("study_file", "0 is"):
        estimated("list", (1, 0, 5), (1, 1, 5), number=0)
    with refused("study_file", "21 is"):
        estimated("list", (1, 0, 5), (1, 1, 5), number=21)
    with refused("study_file", "1001 is"):
        estimated("kuk", (1, 5), number=1001, yes=".8", no=".2")
    with refused("study_file", "line 3", "6"):
        estimated("kuk", (1, 5), (6, 5), number=5, yes=".8", no=".2")
    with refused("study_file", "often"):
        estimated("forced-categories", ("never", 5), ("often", 5), lines="never=1/6\nonce=1/6")
    for lines in ("", "never=1/6", "never=x\nonce=1/6", "never=1/6\nnever=1/6", "never 1/6\nonce 1/6"):
        with refused("study_file", "cannot be read"):
            estimated("forced-categories", ("never", 5), ("once", 5), lines=lines)
    with refused("study_file", "cannot be read"):
        estimated("channel", ("a", 5), ("b", 5), lines="a: .5 .5\nb: .5")
    with refused("paper"):
        estimated("channel", ("a", 5), ("b", 5), lines="a: .5 .5\nb: .5 .5")
    with refused("study_file", "6000000"):
        estimated("item-sum", (1, 0, 3_000_000), (2, 1, 3_000_000))


@pytest.mark.parametrize("text", ["", "2", "-0.1", "1/0", "1e-3", "0x1", "nan", "inf", "1" * 50, "150 %"])
def test_texts_that_are_no_chance_are_not_read_as_one(text: str) -> None:
    assert chance_read(text) is None


def test_chances_are_exact() -> None:
    assert chance_read("2/12") == Fraction(1, 6)
    assert chance_read("16,5 %") == Fraction(33, 200)
