"""`manage.py estimate`: from files, from made-up respondents, from a survey."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.cast.runs import answered, published, true_rows


def said(*words: object, **options: Any) -> dict[str, Any]:
    out = StringIO()
    call_command("estimate", *map(str, words), json=True, stdout=out, **options)
    return json.loads(out.getvalue())


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_warner_from_a_file_of_ones_and_zeros(tmp_path: Path) -> None:
    path = write(tmp_path / "data.csv", "yes\n" + "1\n" * 34 + "0\n" * 66)
    found = said(path, "--model", "warner", "--theta", ".7")["estimates"]["all"]
    assert found["value"] == pytest.approx((0.34 - 0.3) / 0.4)
    assert found["standard_error"] == pytest.approx((0.34 * 0.66 / 100) ** 0.5 / 0.4)


def test_groups_and_columns_are_named_and_the_rest_is_left_out(tmp_path: Path) -> None:
    lines = ["id,a,b,frank"] + [
        f"{row},{int(row % 2)},{int(row % 3 == 0)},{int(row % 5 == 0)}" for row in range(600)
    ]
    path = write(tmp_path / "data.csv", "\n".join(lines))
    words = ("--model", "improved", "--theta", ".5", "--p", ".5", "--direct", "frank")
    found = said(path, *words, "--column", "a")["estimates"]["all"]
    assert (found["n"], found["n_direct"], found["observed_share"]) == (600, 120, 0.5)
    assert found["value"] == pytest.approx((0.5 - 0.8 * 0.5 * 0.5) / 0.6)
    both = said(path, *words, "--column", "a", "--column", "b")["estimates"]["all"]
    assert both["observed_share"] == pytest.approx(1 / 6)
    assert both["value"] == pytest.approx((1 / 6 - 0.8 * 0.5 * 0.25) / 0.6)
    assert said(path, *words, "--column", "a,b")["estimates"]["all"] == both
    assert said(path, *words, "--column", " b , a ")["estimates"]["all"] == both
    apart = said(path, "--model", "blocks", "--theta", ".5", "--p", ".5", "--column", "a", "--column", "b")
    assert apart["estimates"]["a"]["observed_share"] == 0.5
    assert apart["estimates"]["b"]["observed_share"] == pytest.approx(1 / 3)


def test_made_up_respondents_are_found_again_and_the_seed_repeats_them() -> None:
    words = (
        "--model",
        "grouping",
        "--theta",
        ".6",
        "--p",
        ".3",
        "--k",
        ".2",
        "--simulate",
        "20000",
        "--seed",
        "7",
    )
    found = said(*words)
    one = found["estimates"]["all"]
    assert abs(one["value"] - one["true_share"]) < 6 * one["standard_error"]
    assert one["standard_error_eq6"] > one["standard_error"]
    assert said(*words) == found


@pytest.mark.parametrize("model", ["unrelated", "grouping", "improved", "blocks"])
def test_several_attributes_are_found_again_together_or_one_by_one(model: str) -> None:
    words = ("--model", model, "--theta", ".6", "--p", ".5", "--k", ".2", "--prevalence", ".3,.6")
    found = said(*words, "--simulate", "20000", "--seed", "3")
    estimates = found["estimates"]
    assert set(estimates) == ({"all"} if model in ("grouping", "improved") else {"1", "2"})
    for name, truth in {"all": 0.18, "1": 0.3, "2": 0.6}.items():
        if name in estimates:
            assert estimates[name]["true_share"] == pytest.approx(truth, abs=0.02)
            error = estimates[name]["value"] - estimates[name]["true_share"]
            assert abs(error) < 6 * estimates[name]["standard_error"]
    # Of the older model's rows those that are sent as they are and mix yes and no are known: .5 * .54.
    assert found.get("recognised") == (pytest.approx(0.27, abs=0.02) if model == "grouping" else None)


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        ("yes\n1\n2\n", (), "line 3, column 'yes': '2' is neither 0 nor 1"),
        ("yes\n", (), "no row below its header"),
        ("yes,no\n1,0\n1\n", (), "line 3: 1 cells for 2 columns"),
        ("yes\n1\n", ("--column", "maybe"), "no column 'maybe'. Its columns: yes"),
        ("yes\n1\n0\n", ("--theta", ".52"), "Theta = 0.52 is near .5"),
        ("yes,yes\n1,0\n", (), "several columns 'yes'"),
        ("yes,no\n1,0\n", ("--column", "no", "--column", "no"), "'no' is taken twice"),
        ("yes,no\n1,0\n", ("--column", "no", "--direct", "no"), "'no' is taken twice"),
        ("yes\n1\n", ("--direct", "yes"), "no column beside 'yes'"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_place(tmp_path, text, words, message) -> None:
    path = write(tmp_path / "data.csv", text)
    with pytest.raises(CommandError, match=message):
        said(path, "--model", "warner", *(() if "--theta" in words else ("--theta", ".7")), *words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "Name a survey and an --expression"),
        (("--model", "warner"), "--theta is missing"),
        (("--model", "warner", "--theta", ".7"), "Name a CSV file"),
        (("--model", "warner", "--theta", ".7", "--p", ".3"), "Leave out --p"),
        (("--model", "warner", "--theta", ".7", "--expression", "a"), "name columns by --column"),
        (("--model", "unrelated", "--theta", ".7", "--p", "0", "--simulate", "9"), "^p = 0 and no direct"),
        (("--model", "warner", "--theta", ".7", "nowhere.csv"), "nowhere.csv cannot be read"),
        (("--model", "improved", "--theta", ".7", "--simulate", "10"), "needs --p"),
        (("--model", "warner", "--theta", ".7", "--simulate", "0"), "--simulate 0 is out of range"),
        (("--model", "warner", "--theta", ".7", "--simulate", "9", "--prevalence", "2"), "--prevalence 2.0"),
        (("--model", "warner", "--theta", ".7", "--simulate", "9", "--seed=-1"), "--seed -1 is negative"),
        (
            ("--model", "warner", "--theta", ".7", "--simulate", "9", "--prevalence", ",".join(["0"] * 11)),
            "names 11 attributes. Give up to 10",
        ),
    ],
)
def test_what_is_missing_is_said(words, message) -> None:
    with pytest.raises(CommandError, match=message):
        said(*words)


@pytest.mark.django_db(transaction=True)
def test_an_expression_of_a_survey_is_estimated_with_its_error() -> None:
    answered(4000, n_direct=800)
    found = said("habits", expression="late and not cheat or age=old")
    rows = list(true_rows(4000))
    true = sum(
        bool((row["work"]["late"] and not row["work"]["cheat"]) or row["you"]["age"]) for row in rows
    ) / len(rows)
    assert abs(found["value"] - true) < 6 * found["standard_error"]
    assert found["low"] < found["value"] < found["high"]
    assert found["n"] == 4000
    # Options of one question may stand together, as no rule's may.
    either = said("habits", expression="(age=young or age=old) and late")
    assert either["value"] == pytest.approx(said("habits", expression="late")["value"])
    assert said("habits", expression="age=young and age=old and late")["value"] == pytest.approx(0)
    pooled = said("habits", expression="late", estimator="pooled")
    assert pooled["estimator"] == "pooled"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("estimator", ["stratified", "pooled"])
def test_beside_a_few_of_one_group_no_estimate_tells_the_groups_apart(estimator: str) -> None:
    answered(300, n_direct=7)
    found = said("habits", expression="late", estimator=estimator)
    assert not {"observed_share", "direct", "protected"} & set(found)
    out = StringIO()
    call_command("estimate", "habits", expression="late", estimator=estimator, stdout=out)
    assert "observed" not in out.getvalue()
    assert "n 300" in out.getvalue()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("slug", "expression", "message"),
    [
        ("habits", "late and zebra", "no item 'zebra'"),
        ("habits", "late and", "ends where an item is wanted"),
        ("nothing", "late", "no survey 'nothing'"),
    ],
)
def test_what_a_survey_cannot_answer_is_refused(slug, expression, message) -> None:
    answered(400, n_direct=0)
    with pytest.raises(CommandError, match=message):
        said(slug, expression=expression)


@pytest.mark.django_db(transaction=True)
def test_too_few_answers_give_no_share() -> None:
    published(light=True)
    with pytest.raises(CommandError, match="No answers are ready"):
        said("habits", expression="late")
    answered(80, n_direct=0, slug="few")
    with pytest.raises(CommandError, match="too few protected answers"):
        said("few", expression="late")


def test_a_study_on_paper_from_a_file_of_counts(tmp_path: Path) -> None:
    path = write(tmp_path / "study.csv", "y,s,n\n1,1,373\n0,1,191\n1,2,398\n0,2,294\n")
    words = ("--model", "lie-detector", "--column", "y", "--group", "s", "--count", "n")
    found = said(path, *words, "--chance", "p1=2/12", "--chance", "p2=10/12")
    share, honesty = found["estimates"]
    assert (round(share["estimate"], 6), round(share["standard_error"], 6)) == (0.870695, 0.041118)
    assert (round(honesty["estimate"], 6), round(honesty["standard_error"], 6)) == (0.635806, 0.017344)
    assert found["n"] == 1256
    out = StringIO()
    call_command("estimate", str(path), *words, "--chance", "p1=2/12", "--chance", "p2=10/12", stdout=out)
    assert out.getvalue().startswith("Of 100 people 87.1 have it [79.1, 95.2].\n")
    assert "those who have it lie as often in both samples" in out.getvalue()


def test_warner_with_a_chance_has_the_error_of_a_study_on_paper(tmp_path: Path) -> None:
    path = write(tmp_path / "data.csv", "yes\n" + "1\n" * 340 + "0\n" * 660)
    found = said(path, "--model", "warner", "--chance", "p=.7", "--column", "yes")["estimates"][0]
    assert round(found["standard_error"], 6) == 0.037469


CHEATERS = ("--model", "cheaters", "--chance", "p1=.2", "--chance", "p2=.3")


def test_a_study_on_paper_is_refused_in_words(tmp_path: Path) -> None:
    path = write(tmp_path / "study.csv", "y,s\n1,1\n0,2\n")
    for words, named in (
        (("--model", "crosswise", "--chance", "p=.5", "--column", "y"), "same whatever the answer"),
        (("--model", "crosswise", "--chance", "p=.2"), "0 columns"),
        (("--model", "crosswise", "--column", "y"), "no chance"),
        ((*CHEATERS, "--column", "y"), "as --group"),
        ((*CHEATERS, "--column", "y", "--group", "z"), "no column “z”"),
    ):
        with pytest.raises(CommandError, match=named):
            said(path, *words)
    with pytest.raises(CommandError, match=r"nowhere\.csv"):
        said(tmp_path / "nowhere.csv", "--model", "crosswise", "--chance", "p=.2", "--column", "y")
    with pytest.raises(CommandError, match="CSV file"):
        said("", "--model", "crosswise", "--chance", "p=.2", "--column", "y")
