"""A definition chooses how people are addressed, and only the other form changes its wording and digest."""

from typing import Any

import pytest

from surveys.questionnaire.definition import definition_parse, definition_read
from surveys.questionnaire.formality import FORMALITY, address_word, formality_in, forms_of, other_form
from tests.surveys.respondent.test_speaking import in_languages


def test_each_language_names_both_pronouns() -> None:
    german, chinese, taiwanese = map(forms_of, ("de", "zh-hans", "zh-hant-hk"))
    assert german is not None
    assert (german.first, german.other) == ("formal", "informal")
    assert german.words == {"formal": "Sie", "informal": "du"}
    assert chinese is not None
    assert (chinese.first, chinese.words["formal"]) == ("informal", "您")
    assert taiwanese is not None
    assert (taiwanese.first, taiwanese.words["informal"]) == ("formal", "你")
    assert [forms_of(tag) for tag in ("en", "ar", "vi", "zz")] == [None] * 4
    with pytest.raises(ValueError, match="one form of address"):
        other_form("en")


def test_the_other_form_is_part_of_the_wording_and_the_first_is_not() -> None:
    document = in_languages("de", "zh-hans")
    plain = definition_parse(document)
    named = definition_parse(document | {FORMALITY: {"de": "formal", "zh-hans": "informal"}})
    other = definition_parse(document | {FORMALITY: {"de": "informal", "zh-hans": "informal"}})
    assert named.wording == plain.wording
    assert other.wording == plain.wording | {FORMALITY: {"de": "informal"}}
    assert other.wording_id != plain.wording_id
    assert definition_parse(other.document).wording == other.wording
    assert [address_word(other.wording, tag) for tag in ("de", "zh-hans", "en")] == ["du", "你", ""]


@pytest.mark.parametrize(
    ("stated", "path", "message"),
    [
        ("informal", "formality", '"informal" is not an object'),
        ({"fr": "informal"}, "formality.fr", "this survey is not in the language fr"),
        ({"vi": "informal"}, "formality.vi", "Sottovoce addresses people in one way in the language vi"),
        ({"de": "du"}, "formality.de", 'unknown form of address: "du"'),
        ({"de": ["formal"]}, "formality.de", 'unknown form of address: ["formal"]'),
    ],
)
def test_other_values_are_refused_by_name(stated: Any, path: str, message: str) -> None:
    document = in_languages("de", "vi") | {FORMALITY: stated}
    assert [(each.path, each.message) for each in definition_read(document).problems] == [(path, message)]


@pytest.mark.parametrize("stated", [None, "informal", {"de": ["informal"]}, {"de": "du"}, ["de"]])
def test_a_draft_with_another_value_is_in_the_first_form(stated: Any) -> None:
    assert formality_in({FORMALITY: stated}, "de") == ""
