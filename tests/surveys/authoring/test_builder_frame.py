"""The preview runs in a frame without an origin of its own: its scripts have to be open to every origin."""

from django.test import Client

from surveys.respondent.client_program import client


def test_scripts_of_the_respondents_page_may_be_loaded_by_a_sandboxed_frame() -> None:
    files = client().program
    assert files
    for file in files:
        assert Client().get(file.url).headers["Access-Control-Allow-Origin"] == "*"
