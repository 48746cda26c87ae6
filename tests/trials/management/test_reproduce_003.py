"""`manage.py reproduce-003`: its figures, its facts, and what it refuses."""

import json
from dataclasses import asdict

import pytest
from django.core.management import CommandError, call_command

from tests.cast.drawn import assert_readable
from trials.pages.reported_facts import Point
from trials.pages.reproduction import RELEASE, SIZES


def run(capsys, *arguments):
    """Run the command; returns (exit code, text)."""
    try:
        call_command(*[str(argument) for argument in arguments])
    except CommandError as error:
        return error.returncode, capsys.readouterr().out + str(error)
    return 0, capsys.readouterr().out


def test_the_sources_figures_are_pictures_in_which_no_algorithm_hides_another():
    share = {"bottom-up": 0.18, "ilp": 0.03, "ilp after L": 0.0, "kacluk": 0.3}
    points = [
        Point(
            algorithm=algorithm, k=k, seconds=0.4, ilp=900.0 + k, discernibility=6000,
            one_value_share=share[algorithm] / k, changed_share=0.13 if algorithm == "ilp after L" else 0.0,
            information_bits=1.0, first_round_pairs=0, odd_classes=0, clusters=1,
        )
        for k in SIZES
        for algorithm in share
    ]  # fmt: skip
    pictures = RELEASE.pictures({"points": [asdict(point) for point in points]}, {}, True)
    curves = {}
    for number in range(5, 9):
        drawn = assert_readable(pictures[f"figure-{number}"])
        curves[number] = len(drawn.series)
        named = " ".join(box.words for box in drawn.texts)
        for name in ("bottom-up", "ILP-based, after its L step", "KACLUK clustering"):
            assert name in named.replace(" =", "")
    # Those that are the same are one curve under all names; those that are not are apart.
    assert curves == {5: 1, 6: 1, 7: 4, 8: 2}


@pytest.mark.soak
@pytest.mark.slow
def test_the_source_is_reproduced_in_kind_on_a_made_up_sample(tmp_path, capsys):
    code, text = run(capsys, "reproduce-003", "--out", tmp_path / "out", "--rows", "1200")
    assert code == 0, text
    found = json.loads((tmp_path / "out" / "reproduce-003.json").read_text(encoding="utf-8"))
    assert len(found["facts"]) == 7
    assert all(fact["holds"] for fact in found["facts"])
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "README.md",
        "figure-5.svg",
        "figure-6.svg",
        "figure-7.svg",
        "figure-8.svg",
        "points.csv",
        "reproduce-003.json",
    ]
    run(capsys, "reproduce-003", "--out", tmp_path / "two", "--rows", "1200")
    without_times = [
        [line.rsplit(",", 1)[0] for line in (tmp_path / name / "points.csv").read_text().split("\n")]
        for name in ("out", "two")
    ]
    assert without_times[0] == without_times[1]
    for number in range(5, 9):
        assert_readable((tmp_path / "out" / f"figure-{number}.svg").read_text(encoding="utf-8"))


def test_reproduction_refuses_what_is_not_adult(tmp_path, capsys):
    path = tmp_path / "adult.data"
    path.write_text("39, State-gov\n", encoding="utf-8")
    code, text = run(capsys, "reproduce-003", "--out", tmp_path / "out", "--data", path)
    assert (code, "has 2 cells, not 15" in text) == (1, True)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("option", "value"), [("--seed", -1), ("--rows", 999), ("--rows", -4)])
def test_reproduction_refuses_sizes_and_seeds_that_do_not_exist(tmp_path, capsys, option, value):
    code, text = run(capsys, "reproduce-003", "--out", tmp_path / "x", option, value)
    assert (code, f"{option} {value} is out of range" in text) == (2, True), text
