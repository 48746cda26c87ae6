"""The nodes of pyxform's tree."""

from surveys.imports.drafts.questionnaire import Option
from surveys.imports.forms.form_nodes import json_size, key_of_name, nodes_below, texts_of_form

_FORM = {
    "children": [
        {
            "label": "Health",
            "children": [{"label": {"en": "Smoke?", "fr": "Fumer ?"}, "hint": "Now"}],
        },
        {"label": "Age"},
    ],
    "choices": {"list": [{"label": "Yes"}]},
}


def test_nodes_come_before_their_children_and_texts_with_those_of_the_lists() -> None:
    assert [node["label"] for node in nodes_below(_FORM)] == [
        "Health",
        {"en": "Smoke?", "fr": "Fumer ?"},
        "Age",
    ]
    found = [text for text in texts_of_form(_FORM) if text]
    assert found == ["Health", {"en": "Smoke?", "fr": "Fumer ?"}, "Now", "Age", "Yes"]


def test_a_name_that_is_no_key_becomes_one() -> None:
    assert key_of_name("smokes", "option-1") == "smokes"
    assert key_of_name("Smokes daily!", "option-1") == "smokes-daily"
    assert key_of_name("烟", "option-1") == "option-1"


def test_the_size_counts_the_bytes_of_the_json() -> None:
    short, long = (Option(line=1, texts={"zh-Hans": text}) for text in ("烟", "香烟"))
    assert json_size(long) - json_size(short) == len("香".encode())
