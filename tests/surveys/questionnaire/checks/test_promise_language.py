import pytest

from surveys.questionnaire.checks.promise_language import check_promise_language
from surveys.questionnaire.definition import definition_parse
from surveys.questionnaire.findings import Level
from tests.surveys.respondent.test_speaking import in_languages

OWN = {"sentences": {"0123456789ab": "Ci gaba"}, "texts": {}, "instead": {}, "lacks": 0}


@pytest.mark.parametrize(("lacks", "codes"), [(None, ["no_promise"]), (3, ["no_promise"]), (0, [])])
def test_a_language_without_the_promise_is_refused(lacks: int | None, codes: list[str]) -> None:
    document = in_languages("de", "ha")
    if lacks is not None:
        document["sentences"] = {"format": 1, "languages": {"ha": {**OWN, "lacks": lacks}}}
    found = [*check_promise_language(definition_parse(document))]
    assert [each.code for each in found] == codes
    assert all(each.level == Level.REFUSE and each.path == "languages" for each in found)
    # German has a catalogue; the language that lacks the promise is named.
    assert all("respondents who read ha find" in each.message for each in found)
