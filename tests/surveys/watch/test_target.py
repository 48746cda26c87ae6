"""Addresses of surveys that a watcher reads."""

import pytest

from surveys.errors.error import SurveyError
from surveys.watch.target import WatchTarget


@pytest.mark.parametrize(
    ("text", "origin", "survey", "language", "page"),
    [
        ("https://a.example/en/s/work/", "https://a.example", "work", "en", "/en/s/work/"),
        (
            "https://a.example:8443/en/s/work/ar/#d=ABCDE-ABCDE-ABCDE-ABCDE",
            "https://a.example:8443",
            "work",
            "ar",
            "/en/s/work/ar/",
        ),
        ("http://b/?s=work&l=zh-hans", "http://b", "work", "zh-hans", "/?s=work&l=zh-hans"),
        ("http://b/?s=work", "http://b", "work", "en", "/?s=work&l=en"),
    ],
)
def test_the_page_of_a_target_is_its_address(
    text: str, origin: str, survey: str, language: str, page: str
) -> None:
    target = WatchTarget.read(text)
    assert (target.origin, target.survey, target.language) == (origin, survey, language)
    assert target.page(target.language) == origin + page


def test_a_language_of_staff_pages_has_an_address_of_its_own() -> None:
    target = WatchTarget.read("https://a.example/en/s/work/")
    assert target.page("zh-hans") == "https://a.example/zh-hans/s/work/"
    assert target.page("ar") == "https://a.example/en/s/work/ar/"
    assert target.state("https://s.example", "ar") == "https://s.example/client/surveys/work?language=ar"


@pytest.mark.parametrize(
    "text", ["a.example/en/s/work/", "ftp://a/en/s/work/", "https://me@a.example/en/s/work/", "https://a.example/",
             "https://a.example/?s=a/b", "https://a.example:99999/en/s/work/", "https://a.example:x/en/s/work/",
             "https://a b/en/s/work/", "https://[::1", "https://[v1.x]/en/s/work/", "https://a\x00/en/s/work/"],
)  # fmt: skip
def test_what_is_no_address_of_a_survey_is_refused(text: str) -> None:
    with pytest.raises(SurveyError, match="is not the address of a survey") as refusal:
        WatchTarget.read(text)
    assert text in str(refusal.value)


@pytest.mark.parametrize("code", ["hello", "ABCDE-ABCDE", "ABCDE-ABCDE-ABCDE-ABCD!", "_" * 21])
def test_a_mistyped_code_of_a_survey_is_refused_and_accuses_no_server(code: str) -> None:
    """It said that the server DIFFERS, because it has no survey of this code."""
    with pytest.raises(SurveyError, match="is not the code of a survey") as refusal:
        WatchTarget.read(f"https://a.example/en/s/work/#d={code}")
    assert code not in str(refusal.value)


@pytest.mark.parametrize("host", ["a.example", "[::1"])
@pytest.mark.parametrize("fragment", ["c=abc", "d=x&c=abc", "abc"])
def test_an_invitations_code_is_refused_without_being_repeated(host: str, fragment: str) -> None:
    with pytest.raises(SurveyError) as refusal:
        WatchTarget.read(f"https://{host}/en/s/work/#{fragment}")
    assert "abc" not in str(refusal.value)
