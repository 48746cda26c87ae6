"""The scripts for regressions give the figures of the page, and each other's."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from mining.thresholds import Thresholds
from privacy.regression.fitted_logit import Coefficient
from privacy.regression.regression import PREDICTOR
from privacy.regression.standardised import StandardisedShare
from surveys.figures.margins import Shares, margins_of, margins_text
from surveys.figures.regression import Model, item_regression
from surveys.models import Run, Version
from surveys.rows.releasable_rows import rows_behind
from tests.cast.drawn_exports import drawn, parts_in_turn, three_of_eight
from tests.cast.exports import everything, lightly, skipping, unpacked
from tests.cast.runs import alice, mined

pytestmark = pytest.mark.django_db

Figures = dict[tuple[str, str], list[float]]
Model_ = tuple[str, list[str], str | None]


def some_each() -> Version:
    """Three of eight questions each."""
    return drawn(three_of_eight(), 5_000)


def in_turn() -> Version:
    """Two of four parts each, in two strengths; of one of them two of three questions."""
    return drawn(parts_in_turn(), 5_000, n_direct=1_500)


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
]
LONG_IN_R = {
    "predictor skipped",
    "open response",
    "some questions each, one part",
    "parts in turn",
}
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


def line_figures(line: Coefficient) -> list[float]:
    return [line.value, line.standard_error, line.odds_ratio, line.low, line.high]


def of_the_page(run: Run, asked: Model_, shares: Shares | None = None) -> Figures:
    response, questions, disguised = asked
    rows = rows_behind(run)
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
    likely = {}
    for one in found.predictors:
        for item, share in zip(one.answers, found.shares[one.question], strict=True):
            named["share", name(item, one.question)] = share_figures(share)
        for item in one.answers[1:]:
            assert item is not None
            lines[name(item, one.question)] = found.coefficients[item]
            likely[name(item, one.question)] = found.likelihood[item]
    if disguised is not None:
        lines[disguised] = found.coefficients[design.item(disguised).index]
        likely[disguised] = found.likelihood[design.item(disguised).index]
        if found.skipped is not None:
            lines["predictor skipped"] = found.skipped
        for has, share in enumerate(found.shares[None]):
            named["share", f"{disguised}={has}"] = share_figures(share)
    for term, line in likely.items():
        named["likelihood", term] = line_figures(line)
    if found.difference is not None:
        test = found.difference
        named["difference", "chi-square"] = [test.statistic, test.degrees, test.p_value]
    for term, line in lines.items():
        named["coefficient", term] = line_figures(line)
    for line in found.skips:
        term = name(int(line.term), 0) if line.term.isdigit() else line.term
        named[line.equation, disguised if disguised and term == PREDICTOR else term] = line_figures(line)
    return named


def compared(expected: Figures, found: Figures) -> None:
    """An end of a profile is where a search for it stops; all else ends where Newton's steps do.

    A difference has a variance that is the rest of larger ones.
    """
    assert expected.keys() == found.keys()
    for key, figures in expected.items():
        rel = 1e-7 if key[0] in ("likelihood", "difference") else 1e-9
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
@pytest.mark.parametrize(
    ("made", "asked"),
    [
        pytest.param(*model, id=name, marks=[pytest.mark.soak] if name in LONG_IN_R else [])
        for model, name in zip(MODELS, NAMES, strict=True)
    ],
)
def test_the_script_in_r_gives_the_figures_of_the_script_in_python(
    tmp_path: Path, made: Callable[[], Version], asked: Model_
) -> None:
    where = unpacked(mined(made(), Thresholds(support=0.12, max_size=1)), tmp_path)
    words = [asked[0], *asked[1], *([] if asked[2] is None else [asked[2]])]
    in_python = run_in(where, sys.executable, "-I", "regression.py", *words)
    compared(in_python, run_in(where, "Rscript", "--vanilla", "regression.R", *words))


def printed(run: Run, asked: Model_, shares: Shares, client: Client) -> list[str]:
    """What the page prints for the shell and for a file: its texts in <code>, as a reader copies them."""
    response, questions, disguised = asked
    design = run.version.to_design()
    chosen: dict[str, object] = {
        "response": design.item(response).index,
        "by": [design.question_number(question) for question in questions],
        "margins": margins_text(shares) if shares else "",
    }
    if disguised is not None:
        chosen["disguised"] = design.item(disguised).index
    client.force_login(alice())
    page = client.get(f"/en/staff/runs/{run.pk}/regression/", chosen)
    assert page.status_code == 200
    return [unescape(text) for text in re.findall(r"<code>(.*?)</code>", page.content.decode(), re.DOTALL)]


def weighted_case(name: str, where: Path, client: Client) -> tuple[Run, list[str], list[str]]:
    """A run, its file, the shares beside it, and the lines of the page for Python and for R."""
    made, asked, shares = WEIGHTED[name]
    run = mined(made(), Thresholds(support=0.12, max_size=1))
    lines, file = printed(run, asked, shares, client)
    (unpacked(run, where) / "shares.csv").write_text(file, encoding="utf-8")
    in_python, in_r = (line.split() for line in lines.splitlines())
    assert (in_python[0], in_r[0]) == ("python", "Rscript")
    return run, [sys.executable, "-I", *in_python[1:]], ["Rscript", "--vanilla", *in_r[1:]]


@BY_NAME
def test_the_line_of_the_page_gives_its_weighted_figures(tmp_path: Path, name: str, client: Client) -> None:
    run, in_python, _ = weighted_case(name, tmp_path, client)
    compared(of_the_page(run, WEIGHTED[name][1], WEIGHTED[name][2]), run_in(tmp_path, *in_python))


@pytest.mark.r
@BY_NAME
def test_in_r_weighted_figures_are_those_of_the_script_in_python(
    tmp_path: Path, name: str, client: Client
) -> None:
    _, in_python, in_r = weighted_case(name, tmp_path, client)
    compared(run_in(tmp_path, *in_python), run_in(tmp_path, *in_r))


REFUSED = [
    ("drank age", "drank: no answer; there are "),
    ("drink agee", "agee: neither an open question with one answer nor a disguised answer; there are age, "),
    ("drink age=old", "age=old: neither an open question"),
    ("drink late cheat", "late, cheat: name one disguised predictor at most"),
    ("drink", "drink: name other questions that predict it"),
    ("age=old age", "age=old: name other questions that predict it"),
    ("drink age --shares", ": no file in UTF-8 of this name"),
    ("drink age --shares none.csv", "none.csv: no file in UTF-8 of this name"),
    ("drink age --shares latin.csv", "latin.csv: no file in UTF-8 of this name"),
    ("drink age --shares empty.csv", "empty.csv: no line question,option,share"),
    ("drink age --shares words.csv", "age, young: many is not a share; write .4 or 40 %"),
]


def refused_by(command: Sequence[str], where: Path) -> None:
    (where / "latin.csv").write_bytes("age,jünger,.4\n".encode("latin-1"))
    (where / "empty.csv").write_text("")
    (where / "words.csv").write_text("question,option,share\nage,young,many\nage,old,.6\n")
    for words, why in REFUSED:
        done = subprocess.run(
            [*command, *words.split()], cwd=where, capture_output=True, text=True, check=False
        )
        assert done.returncode == 1, words
        assert done.stdout.startswith(("refused\twords\t" + why, "refused\tweights\t" + why)), done.stdout
        assert done.stderr == "", words


@pytest.mark.soak
def test_words_that_name_no_model_are_refused_with_what_may_be_named(tmp_path: Path) -> None:
    where = unpacked(mined(lightly(), Thresholds(support=0.12, max_size=1)), tmp_path)
    refused_by([sys.executable, "-I", "regression.py"], where)


@pytest.mark.r
@pytest.mark.soak
def test_in_r_they_are_refused_in_the_same_words(tmp_path: Path) -> None:
    where = unpacked(mined(lightly(), Thresholds(support=0.12, max_size=1)), tmp_path)
    refused_by(["Rscript", "--vanilla", "regression.R"], where)


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
