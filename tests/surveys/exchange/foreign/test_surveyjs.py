"""Questionnaires of SurveyJS."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from surveys.exchange.foreign.surveyjs import surveyjs_read
from surveys.questionnaire.definition import definition_read
from surveys.questionnaire.document import MOST_BYTES
from surveys.questionnaire.problems import DefinitionError
from surveys.questionnaire.tables import single_rows
from tests.cast.foreign_surveys import SURVEYJS, one_page, surveyjs


def blocks_of(raw: bytes) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = surveyjs_read(raw, name="it").document["blocks"]
    return found


def questions_of(raw: bytes) -> dict[str, dict[str, Any]]:
    return {question["key"]: question for block in blocks_of(raw) for question in block["questions"]}


def test_a_whole_questionnaire_becomes_a_draft_that_is_open() -> None:
    form = surveyjs_read(surveyjs(), name="it")
    document = form.document
    assert document["languages"] == ["en", "de"]
    assert document["title"] == {"en": "Nights and days", "de": "Nächte und Tage"}
    assert document["practice"] is False
    asked = [[question["key"] for question in block["questions"]] for block in document["blocks"]]
    assert asked == [
        ["smokes"],
        ["brand-of-choice"],
        ["drives", "drinks"],
        ["stress"],
        ["sleep"],
        ["hours"],
        ["habits.late", "habits.lying"],
    ]
    # A number is disguised whatever happens; everything else starts open.
    assert [block["protected"] for block in document["blocks"]] == [False] * 5 + [True, False]
    assert form.open_questions == 8
    kinds = {
        question["key"]: question["kind"] for block in document["blocks"] for question in block["questions"]
    }
    assert kinds == {
        "smokes": "single", "brand-of-choice": "single", "drives": "yes_no", "drinks": "multi",
        "stress": "single", "sleep": "single", "hours": "number", "habits.late": "single",
        "habits.lying": "single",
    }  # fmt: skip


def test_texts_options_and_languages_are_taken() -> None:
    smokes = questions_of(surveyjs())["smokes"]
    assert smokes["text"] == {"en": "Do you smoke?", "de": "Rauchen Sie?"}
    assert smokes["options"] == [
        {"key": "daily", "text": {"en": "Daily", "de": "Täglich"}},
        {"key": "never", "text": {"en": "Never", "de": "Nie"}},
    ]
    found = questions_of(surveyjs())
    assert [option["key"] for option in found["brand-of-choice"]["options"]] == ["A", "B", "3"]
    assert found["habits.late"]["text"] == {"en": "How often?: Being late"}
    assert [option["key"] for option in found["stress"]["options"]] == ["1", "2", "3", "4"]
    assert {found[name].get("look") for name in ("stress", "sleep")} == {"rating"}
    assert found["hours"]["number"] | {"low": 0, "high": 99, "bin": 5} == found["hours"]["number"]


def test_a_rating_stands_side_by_side_with_its_ends_in_words_and_its_steps_in_every_language() -> None:
    rating = {
        "type": "rating", "name": "q", "title": {"default": "How hard?", "de": "Wie schwer?"}, "rateMax": 3,
        "rateType": "stars", "minRateDescription": {"default": "easy", "de": "leicht"},
        "maxRateDescription": "hard",
    }  # fmt: skip
    form = surveyjs_read(one_page(rating), name="it")
    (question,) = form.document["blocks"][0]["questions"]
    assert (question["kind"], question["look"]) == ("single", "rating")
    assert [option["text"] for option in question["options"]] == [
        {"en": "1 (easy)", "de": "1 (leicht)"}, {"en": "2", "de": "2"}, {"en": "3 (hard)", "de": "3"},
    ]  # fmt: skip
    # Stars become steps: the list says so.
    assert [line for line in form.not_kept if "rateType (q)" in line]
    plain = surveyjs_read(one_page({"type": "rating", "name": "q", "rateType": "labels"}), name="it")
    assert plain.not_kept == ()
    # Twelve do not fit beside each other.
    many = surveyjs_read(one_page({"type": "rating", "name": "q", "rateMax": 12}), name="it")
    assert "look" not in many.document["blocks"][0]["questions"][0]


def test_conditions_are_taken_where_a_part_can_wait_and_told_of_where_not() -> None:
    form = surveyjs_read(surveyjs(), name="it")
    waits = {
        block["questions"][0]["key"]: block["asked_if"]
        for block in form.document["blocks"]
        if "asked_if" in block
    }
    drives = {"question": "drives", "options": ["yes"]}
    assert waits == {
        "brand-of-choice": {"question": "smokes", "options": ["daily"]},
        "stress": drives,
        "sleep": {"all": [drives, {"question": "stress", "options": ["3", "4"]}]},
        "hours": drives,
        "habits.late": drives,
    }
    assert not any("{stress} >= 3" in line for line in form.not_kept)


def test_what_is_left_out_is_listed_by_name() -> None:
    notes = "\n".join(surveyjs_read(surveyjs(), name="it").not_kept)
    for named in (
        "showProgressBar (survey)", "isRequired (smokes)", "hasOther (smokes)", "question say",
        "question bed", "text (time)", "question hours: a number is always disguised",
        "question sleep: an answer that a text",
        "question brand of choice: its name is brand-of-choice here",
    ):  # fmt: skip
        assert named in notes, named


def test_every_member_of_the_file_is_taken_or_named() -> None:
    """The planted target: a member of any element that the reader does not know has to be in the list."""
    planted = copy.deepcopy(SURVEYJS)
    planted["plantedOfSurvey"] = 1
    planted["pages"][0]["plantedOfPage"] = 1
    planted["pages"][1]["elements"][1]["plantedOfPanel"] = 1
    for page in planted["pages"]:
        for element in page["elements"]:
            element[f"planted_{element['name'].split()[0]}"] = 1
    planted["pages"][0]["elements"][0]["choices"][0]["plantedOfChoice"] = 1
    notes = "\n".join(surveyjs_read(json.dumps(planted).encode(), name="it").not_kept)
    taken = {"say", "bed"}  # not taken at all, and named as such
    names = [element["name"].split()[0] for page in planted["pages"] for element in page["elements"]]
    for name in (
        *(f"planted_{name}" for name in names if name not in taken),
        "plantedOfSurvey",
        "plantedOfPage",
    ):
        assert name in notes, name
    assert "plantedOfPanel (more)" in notes
    assert "plantedOfChoice (smokes: daily)" in notes


@pytest.mark.parametrize(
    ("element", "said"),
    [
        ({"type": "file", "name": "cv"}, "question cv"),
        ({"type": "html", "html": "<p>x</p>"}, "question ?"),
        ({"type": "paneldynamic", "name": "jobs"}, "question jobs"),
        ({"type": "text", "name": "mail", "inputType": "email"}, "text (email)"),
        ({"type": "radiogroup", "name": "q", "choices": []}, "question q"),
        ({"type": "radiogroup", "name": "q", "choicesByUrl": {"url": "https://x.example"}}, "question q"),
        ({"type": "rating", "name": "q", "rateMin": 5, "rateMax": 1}, "question q"),
        ({"type": "rating", "name": "q", "rateMax": 10**8}, "question q"),
        ({"type": ["x"], "name": "q"}, "question q"),
        ({}, "question ?"),
    ],
)
def test_what_sotto_cannot_ask_is_named(element: dict[str, Any], said: str) -> None:
    form = surveyjs_read(one_page(element), name="it")
    assert form.document["blocks"] == []
    assert any(said in line for line in form.not_kept)


def test_names_that_are_no_keys_and_names_that_come_twice_become_keys() -> None:
    yes_no = {"type": "boolean"}
    found = questions_of(
        one_page(*({**yes_no, "name": name} for name in ("你好", "a b", "a-b", "a b", "x" * 90)))
    )
    assert list(found) == ["question", "a-b", "a-b-2", "a-b-3", "x" * 60]


def test_a_condition_refers_to_what_came_before_and_to_one_answer_alone() -> None:
    first = {"type": "checkbox", "name": "many", "choices": ["a", "b"]}
    before = {"type": "boolean", "name": "before"}
    smokes = {"type": "dropdown", "name": "smokes", "choices": [1, 2]}
    later = {"type": "boolean", "name": "one"}
    cases = {
        "{many} = 'a'": "one answer only",
        "{one} = true": "no question that was taken over before",
        "{nobody} = 1": "no question that was taken over before",
        "{many} = 'a' and {one} = 1": "one answer only",
        "{before} = true and {before} = false": "joined by",
        "{before} = true and {smokes} = 1 or {smokes} = 2": "joined by",
    }
    for text, said in cases.items():
        form = surveyjs_read(
            one_page(first, before, smokes, {"type": "boolean", "name": "q", "visibleIf": text}, later),
            name="it",
        )
        assert any(text in line and said in line for line in form.not_kept), text
        assert not any("asked_if" in block for block in form.document["blocks"])


def test_an_own_value_of_a_boolean_is_what_conditions_say() -> None:
    form = surveyjs_read(
        one_page(
            {"type": "boolean", "name": "q", "valueTrue": "Y", "valueFalse": "N"},
            {"type": "boolean", "name": "r", "visibleIf": "{q} = 'N'"},
        ),
        name="it",
    )
    assert form.document["blocks"][1]["asked_if"] == {"question": "q", "options": ["no"]}


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"{", b"[]", b"1", b"null", b'{"pages": 1}', b'{"title": "x"}', b'{"sotto": 1}', b"\xff\xfe",
        b'{"pages": [], "pages": []}', b'{"pages": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
        b'{"pages": [1e999]}', b'{"pages": ["\\ud800"]}', b" " * (MOST_BYTES + 1),
    ],
)  # fmt: skip
def test_what_is_no_questionnaire_is_refused(raw: bytes) -> None:
    with pytest.raises(DefinitionError) as refusal:
        surveyjs_read(raw, name="it")
    assert refusal.value.problems[0].remedy


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-5, 5) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
MEMBER_NAMES = (
    "type name title choices visibleIf rows columns rateMin rateMax rateValues min max step elements "
    "inputType valueTrue multiSelect locale description rateCount"
)


@pytest.mark.soak
@settings(max_examples=300)
@given(st.data())
def test_a_file_that_is_broken_anywhere_is_read_or_refused(data: st.DataObject) -> None:
    broken = copy.deepcopy(SURVEYJS)
    places: list[Any] = [broken, *broken["pages"]]
    places += [element for page in broken["pages"] for element in page["elements"]]
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.sampled_from(places))
        place[data.draw(st.sampled_from(MEMBER_NAMES.split(" ")))] = data.draw(JSON)
    try:
        form = surveyjs_read(json.dumps(broken).encode(), name="it")
    except DefinitionError:
        return
    keys = [question["key"] for block in form.document["blocks"] for question in block["questions"]]
    assert len(keys) == len(set(keys))
    assert not any(
        block["protected"] for block in form.document["blocks"] if block["questions"][0]["kind"] != "number"
    )
    json.dumps(form.document, allow_nan=False)


@pytest.mark.parametrize(
    ("kind", "look"), [({"type": "slider"}, "slider"), ({"type": "text", "inputType": "number"}, None)]
)
def test_a_slider_stays_one(kind: dict[str, str], look: object) -> None:
    (question,) = questions_of(one_page({"name": "hours", "min": 0, "max": 99, **kind})).values()
    assert (question["kind"], question.get("look")) == ("number", look)


@pytest.mark.parametrize(
    ("kind", "ends", "bins"),
    [
        ("date", ["2024-01-01", "2024-12-30"], 73),
        ("month", ["2020-01", "2024-12"], 3),
        ("month", ["2020-01-01", "today()"], None),
    ],
)
def test_a_date_is_asked_in_bins_where_the_file_says_between_which(
    kind: str, ends: list[str], bins: int | None
) -> None:
    asked = {"type": "text", "inputType": kind, "name": "moved", "min": ends[0], "max": ends[1]}
    (question,) = questions_of(one_page(asked)).values()
    number = question["number"]
    assert (number["calendar"], number.get("bin")) == ("day" if kind == "date" else "month", bins)
    assert [number.get("low"), number.get("high")] == (ends if bins else [None, None])


def test_rows_of_a_matrix_stay_a_table_and_one_row_is_none() -> None:
    asked = {"type": "matrix", "name": "work", "columns": ["never", "often"]}
    for rows, look in ((["late", "ill"], "matrix"), (["late"], None)):
        (block,) = blocks_of(one_page({**asked, "rows": rows}))
        assert [question.get("look") for question in block["questions"]] == [look] * len(rows)
        # The builder would say of a row without a neighbour that it is no table.
        assert single_rows(block["questions"]) == []


def test_a_ranking_stays_one_and_what_is_too_long_is_refused_in_the_draft() -> None:
    element = {
        "type": "ranking",
        "name": "matters",
        "choices": ["v1.0", "hours", {"value": "team", "text": "The team"}],
    }
    found = questions_of(one_page(element))["matters"]
    assert (found["kind"], [option["key"] for option in found["options"]]) == (
        "ranking", ["v1-0", "hours", "team"],
    )  # fmt: skip
    assert [option["text"]["en"] for option in found["options"]] == ["v1.0", "hours", "The team"]
    longer = surveyjs_read(one_page({**element, "choices": [*"abcde"]}), name="it").document
    (problem,) = [
        one for one in definition_read(longer).problems if one.path.startswith("blocks[0].questions[0]")
    ]
    assert "5 things have 120 orders" in problem.message
