"""Every form says which value a field refuses, its limit and what to do."""

import re

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import override

from surveys.errors.field_sentences import FIELDS, SENTENCES, FieldSentence
from surveys.models import ApiToken


class Entered(forms.Form):
    text = forms.CharField(min_length=3, max_length=1000, strip=False)
    number = forms.IntegerField(min_value=2, max_value=1000)
    letter = forms.ChoiceField(choices=(("a", "A"),), required=False)
    letters = forms.TypedMultipleChoiceField(choices=(("a", "A"),), required=False)


def said(**values: object) -> str:
    form = Entered({"text": "abc", "number": 5} | values)
    return " ".join(text for texts in form.errors.values() for text in texts)


CASES = [
    ("text", "x" * 1005, "The text has 1,005 characters; at most 1,000 are possible. Shorten it by 5."),
    ("text", "ab", "The text has 2 characters; at least 3 are needed. Write 1 more."),
    (
        "text",
        "one\ntw\0o",
        "Line 2 contains an invisible null character. Delete this line and type it again.",
    ),
    ("number", 1001, "1,001 is too large. Enter at most 1,000."),
    ("number", 1, "1 is too small. Enter at least 2."),
    ("letter", "b", "“b” cannot be chosen here. Choose one of these."),
    ("letters", ["a", "c"], "“c” cannot be chosen here. Choose one of these."),
    ("letter", "x" * 50, f"“{'x' * 39}…” cannot be chosen here. Choose one of these."),
]


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    CASES,
    ids=["long", "short", "null", "large", "small", "choice", "choices", "long choice"],
)
def test_a_field_names_the_value_the_limit_and_the_remedy(name: str, value: object, sentence: str) -> None:
    assert said(**{name: value}) == sentence
    with override("zh-hans"):
        assert said(**{name: value}).endswith("。")


def test_each_sentence_replaces_one_of_djangos() -> None:
    assert len(SENTENCES) == len([case for case in CASES if case[0] in {"text", "number"}])
    assert said() == ""


def test_models_use_the_same_sentences() -> None:
    with pytest.raises(ValidationError) as refused:
        ApiToken._meta.get_field("name").clean("x" * 61, None)
    assert refused.value.messages == ["The text has 61 characters; at most 60 are possible. Shorten it by 1."]


def test_no_field_says_that_it_is_required_without_saying_what_to_do() -> None:
    kinds = [
        kind for kind in vars(forms).values() if isinstance(kind, type) and issubclass(kind, forms.Field)
    ]
    assert len(kinds) > 20
    for kind in kinds:
        texts = [vars(each).get("default_error_messages", {}).get("required") for each in kind.__mro__]
        said = next(str(text) for text in texts if text)
        assert said.endswith("."), kind
        assert "required" not in said, kind


DJANGO = re.compile(r"Select a valid|available choices|Enter a list|submitted|encoding type|valid value")


def test_no_kind_of_field_in_use_shows_a_message_for_programmers() -> None:
    """Their texts name "available choices", or the encoding of a form."""
    for kind in FIELDS:
        for code, text in kind.default_error_messages.items():
            shown = text % {"value": "b"} if isinstance(text, FieldSentence) else str(text)
            assert not DJANGO.search(shown), (kind, code)
