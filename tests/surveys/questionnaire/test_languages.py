"""A language tag, from a browser or a survey, finds one catalogue."""

import pytest

from surveys.questionnaire.languages import has_catalogue, language_of, respondent_language, yes_and_no


@pytest.mark.parametrize(
    ("tag", "catalogue"),
    [
        ("zh-tw", "zh-hant"),
        ("zh-hk", "zh-hant"),
        ("zh-mo", "zh-hant"),
        ("zh-hant-hk", "zh-hant"),
        ("zh-cn", "zh-hans"),
        ("zh-sg", "zh-hans"),
        ("zh-hans-hk", "zh-hans"),
        ("zh", "zh-hans"),
        ("pt-pt", "pt"),
        ("pt-br", "pt"),
        ("es-419", "es"),
        ("de-at", "de"),
        ("en-gb", "en"),
    ],
)
def test_a_tag_with_a_region_finds_its_catalogue(tag: str, catalogue: str) -> None:
    assert respondent_language(tag) == catalogue
    assert has_catalogue(tag)


@pytest.mark.parametrize("tag", ["vi", "ha", "zha", "az-arab"])
def test_other_languages_have_none(tag: str) -> None:
    assert respondent_language(tag) == "en"
    assert not has_catalogue(tag)


def test_chinese_with_a_region_has_its_name_and_its_answers() -> None:
    assert [language_of(tag).name for tag in ("zh-tw", "zh-cn", "zh-hant-hk")] == [
        "繁體中文",
        "简体中文",
        "繁體中文",
    ]
    assert yes_and_no("zh-tw") == yes_and_no("zh-hant") == {"yes": "是", "no": "否"}
    assert yes_and_no("zh-cn") == {}
