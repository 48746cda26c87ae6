"""The scripts for regressions give the figures of the page, and each other's."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mining.thresholds import Thresholds
from privacy.estimation.standardised import StandardisedShare
from surveys.analysis.margins import Shares, margins_of, margins_text
from surveys.analysis.regression import Model, item_regression
from surveys.analysis.weighting import rows_of_run
from surveys.models import Run, Version
from tests.cast.drawn_exports import drawn, near_some, parts_in_turn, three_of_eight
from tests.cast.exports import everything, lightly, skipping, unpacked
from tests.cast.runs import mined

pytestmark = pytest.mark.django_db

Figures = dict[tuple[str, str], list[float]]
Model_ = tuple[str, list[str], str | None]


def some_each() -> Version:
    """Three of eight questions each."""
    return drawn(three_of_eight(), 5_000)


def in_turn() -> Version:
    """Two of four parts each, in two strengths; of one of them two of three questions."""
    return drawn(parts_in_turn(), 5_000, n_direct=1_500)


def near() -> Version:
    """Five of six answers each, at most one of them changed, in two strengths."""
    return drawn(near_some(), 5_000, n_direct=1_500)


MODELS: list[tuple[Callable[[], Version], Model_]] = [
    (lightly, ("drink", ["age"], None)),
    (lightly, ("drink", ["age"], "late")),
    (lightly, ("cheat", ["age"], "late")),
    (skipping, ("drink", ["age"], None)),
    (skipping, ("cheat", ["age"], "late")),
    (skipping, ("drink", ["age"], "late")),
    (everything, ("works", ["age"], "drink")),
    (some_each, ("q2", ["age"], None)),
    (some_each, ("q2", ["age"], "q4")),
    (in_turn, ("b0", ["age"], "s0")),
    (near, ("n1", ["age"], "n4")),
]
NAMES = [
    "response",
    "two parts",
    "one part",
    "skipped",
    "skipped together",
    "predictor skipped",
    "open response",
    "some questions each",
    "some questions each, one part",
    "parts in turn",
    "rows near the true one",
]
AGES: Shares = {"age": {"young": 0.3, "old": 0.7}}
WEIGHTED: dict[str, tuple[Callable[[], Version], Model_, Shares]] = {
    "response, two margins, blanks": (
        everything,
        ("drink", ["age"], None),
        {**AGES, "works": {"yes": 0.45, "no": 0.55}},
    ),
    "two parts": (lightly, ("drink", [], "late"), AGES),
    "one part": (lightly, ("cheat", ["age"], "late"), AGES),
    "skips, some belong to nobody": (skipping, ("cheat", [], "late"), {"age": {"young": 1.0, "old": 0.0}}),
}
BY_NAME = pytest.mark.parametrize("name", WEIGHTED)


def run_in(where: Path, *command: str) -> Figures:
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    return {(kind, term): [float(x) for x in rest] for kind, term, *rest in lines if term != "term"}


def share_figures(share: StandardisedShare) -> list[float]:
    ends = share.difference_low, share.difference_high
    return [share.value, share.standard_error, share.difference, *ends]


def of_the_page(run: Run, asked: Model_, shares: Shares | None = None) -> Figures:
    response, questions, disguised = asked
    rows = rows_of_run(run)
    design = rows.design
    model = Model(
        response=design.item(response).index,
        disguised=None if disguised is None else design.item(disguised).index,
        questions=tuple(design.question_number(question) for question in questions),
    )
    found = item_regression(rows, model, margins_of(shares or {}, design))
    named: Figures = {}
    if found.effective_n is not None:
        named["weights", "rows"] = [found.n]
        named["weights", "effective rows"] = [found.effective_n]

    def name(item: int | None, question: int) -> str:
        if item is None:
            return f"{design.questions[question].key}=0"
        key = design.items[item].key
        return key if "=" in key else f"{key}=1"

    lines = {"constant": found.constant}
    profiles = {}
    for one in found.predictors:
        for item, share in zip(one.answers, found.shares[one.question], strict=True):
            named["share", name(item, one.question)] = share_figures(share)
        for item in one.answers[1:]:
            assert item is not None
            lines[name(item, one.question)] = found.coefficients[item]
            if shares is None:
                profiles[name(item, one.question)] = found.profiles[item]
    if disguised is not None:
        lines[disguised] = found.coefficients[design.item(disguised).index]
        if shares is None:
            profiles[disguised] = found.profiles[design.item(disguised).index]
        if found.skipped is not None:
            lines["predictor skipped"] = found.skipped
        for has, share in enumerate(found.shares[None]):
            named["share", f"{disguised}={has}"] = share_figures(share)
    for term, ends in profiles.items():
        named["profile", term] = [math.exp(end) for end in ends]
    for term, line in lines.items():
        named["coefficient", term] = [
            line.value, line.standard_error, line.odds_ratio, line.low, line.high,
        ]  # fmt: skip
    return named


def compared(expected: Figures, found: Figures) -> None:
    """An end of a profile is where a search for it stops; all else ends where Newton's steps do."""
    assert expected.keys() == found.keys()
    for key, figures in expected.items():
        rel = 1e-7 if key[0] == "profile" else 1e-9
        assert found[key] == pytest.approx(figures, rel=rel, abs=rel / 100), key


@pytest.mark.parametrize(
    ("made", "asked"),
    [
        pytest.param(*model, id=name, marks=[pytest.mark.soak] if number else [])
        for number, (model, name) in enumerate(zip(MODELS, NAMES, strict=True))
    ],
)
def test_the_script_in_python_gives_the_figures_of_the_page(
    tmp_path: Path, made: Callable[[], Version], asked: Model_
) -> None:
    run = mined(made(), Thresholds(support=0.12, max_size=1))
    words = [asked[0], *asked[1], *([] if asked[2] is None else [asked[2]])]
    where = unpacked(run, tmp_path)
    compared(of_the_page(run, asked), run_in(where, sys.executable, "-I", "regression.py", *words))


@pytest.mark.r
@pytest.mark.parametrize(("made", "asked"), MODELS, ids=NAMES)
def test_the_script_in_r_gives_the_figures_of_the_script_in_python(
    tmp_path: Path, made: Callable[[], Version], asked: Model_
) -> None:
    where = unpacked(mined(made(), Thresholds(support=0.12, max_size=1)), tmp_path)
    words = [asked[0], *asked[1], *([] if asked[2] is None else [asked[2]])]
    in_python = run_in(where, sys.executable, "-I", "regression.py", *words)
    compared(in_python, run_in(where, "Rscript", "--vanilla", "regression.R", *words))


def weighted_case(name: str, where: Path) -> tuple[Run, list[str]]:
    """A run, its file, the shares beside it, and the words of the command."""
    made, (response, questions, disguised), shares = WEIGHTED[name]
    run = mined(made(), Thresholds(support=0.12, max_size=1))
    (unpacked(run, where) / "shares.csv").write_text(margins_text(shares), encoding="utf-8")
    words = [response, *questions, *([] if disguised is None else [disguised])]
    return run, [*words, "--shares", "shares.csv"]


@BY_NAME
def test_weighted_by_known_shares_it_gives_the_weighted_figures_of_the_page(
    tmp_path: Path, name: str
) -> None:
    run, words = weighted_case(name, tmp_path)
    found = run_in(tmp_path, sys.executable, "-I", "regression.py", *words)
    compared(of_the_page(run, WEIGHTED[name][1], WEIGHTED[name][2]), found)


@pytest.mark.r
@BY_NAME
def test_in_r_weighted_figures_are_those_of_the_script_in_python(tmp_path: Path, name: str) -> None:
    _, words = weighted_case(name, tmp_path)
    in_python = run_in(tmp_path, sys.executable, "-I", "regression.py", *words)
    compared(in_python, run_in(tmp_path, "Rscript", "--vanilla", "regression.R", *words))


@pytest.mark.soak
def test_shares_that_rows_cannot_be_weighted_to_are_refused(tmp_path: Path) -> None:
    """Of a file of shares: a question that is protected, an option left out, a sum; of rows: nobody old."""
    where = unpacked(mined(lightly(), Thresholds(support=0.12, max_size=1)), tmp_path)

    def said(shares: str) -> str:
        (where / "shares.csv").write_text(shares, encoding="utf-8")
        command = [sys.executable, "-I", "regression.py", "drink", "late", "--shares", "shares.csv"]
        done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
        assert done.returncode == 1, done.stderr
        return done.stdout

    assert (
        said("drink,yes,1\ndrink,no,0") == "refused\tweights\tdrink: not an open question with one answer\n"
    )
    assert said("age,young,1") == "refused\tweights\tage: name each option once, of young, old\n"
    assert "add up to 1, not to 1.1" in said("question,option,share\nage,young,40 %\nage,old,0.7")
    rows = (where / "rows.csv").read_text(encoding="utf-8").splitlines()
    young = [line for number, line in enumerate(rows) if number == 0 or "young" in line]
    (where / "rows.csv").write_text("\n".join(young) + "\n", encoding="utf-8")
    assert "nobody gave an answer" in said("age,young,.5\nage,old,.5")


@pytest.mark.soak
def test_a_model_that_is_refused_says_why(tmp_path: Path) -> None:
    where = unpacked(mined(lightly(), Thresholds(support=0.12, max_size=1)), tmp_path)
    table = (where / "rows.csv").read_text(encoding="utf-8").splitlines()
    (where / "rows.csv").write_text("\n".join(table[:60]) + "\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "regression.py", "drink", "age"],
        cwd=where,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout.startswith("refused\tresponse\t")
