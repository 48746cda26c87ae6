"""`manage.py practice`: weights, non-response and attention from the command line."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.cast.runs import answered, published

pytestmark = pytest.mark.django_db(transaction=True)


def said(*words: object) -> str:
    out = StringIO()
    call_command("practice", *map(str, words), stdout=out)
    return out.getvalue()


def margins(folder: Path, text: str) -> Path:
    path = folder / "margins"
    path.write_text(text, encoding="utf-8")
    return path


def test_csv_and_json_give_the_same_weights_of_the_items_that_were_named(tmp_path: Path) -> None:
    answered(1500, n_direct=300)
    words = ("--items", "late", "--items", "drink, cheat", "--json")
    from_json, from_csv = (
        json.loads(said("habits", "--margins", margins(tmp_path, text), *words))
        for text in (
            '{"age": {"young": 0.3, "old": 0.7}}',
            "question,option,share\nage,young,30 %\nage,old,.7",
        )
    )
    assert from_json == from_csv
    assert [one["items"] for one in from_json["weights"]] == ["late", "cheat & drink"]
    assert from_json["margins"] == {"age": {"young": 0.3, "old": 0.7}}
    assert from_json["weights"][0]["design_effect"] > 1
    assert from_json["population"] == "Made for a test."


def test_without_margins_non_response_and_its_effect_are_printed() -> None:
    answered(800)
    text = said("habits", "--invited", 1000)
    assert "work (late, cheat): asked 800, without an answer 0.0000" in text
    assert "of those invited between" in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--invited", 3), "3 people invited are fewer than the answers"),
        (("--items", "nothing"), "nothing"),
        (("--margins", "no/such/file"), "cannot be read"),
    ],
)
def test_what_cannot_be_is_refused(words: tuple[Any, ...], says: str) -> None:
    answered(400)
    with pytest.raises(CommandError, match=says):
        said("habits", *words)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("age,young,0.5", "Option 'old' of question age has no share. Give each option one"),
        ("late,yes,0.5", "Question 'late' is protected"),
        ("age,young,0.2\nage,old,0.2", "add up to 0.4. Give shares that add up to 1"),
    ],
)
def test_margins_that_do_not_fit_are_refused_with_a_remedy(tmp_path: Path, text: str, says: str) -> None:
    answered(400)
    with pytest.raises(CommandError, match=says):
        said("habits", "--margins", margins(tmp_path, text))


def test_a_survey_without_answers_is_refused() -> None:
    published(policy="protected")
    with pytest.raises(CommandError, match="No answers are ready"):
        said("habits")
