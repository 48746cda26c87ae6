"""The description of a study: what its form and a plan accept."""

from typing import Any

import pytest

from anonymisation.microdata.description import DescriptionForm, description_of, description_read
from surveys.errors.error import SurveyError

# Includes characters with a meaning in YAML or JSON.
TITLE = 'Debts & "ages": {50 %} of <people> 债务 #1'
GIVEN: dict[str, Any] = {
    "title": TITLE,
    "creators": ["张, 伟；Example University；https://orcid.org/0000-0002-1825-0097", "Institute of Work"],
    "abstract": "What people owe:\nand to whom.",
    "publisher": "Example Archive",
    "contact": "zhang@example.org",
    "universe": "Adults of the city",
    "sampling": "Every tenth household",
    "start": "2026-01-05",
    "end": "2026-02-20",
    "keywords": "debt，health; 债务",
    "funding": ["Science Fund; 12-345", "Own means"],
    "licence": "CC-BY-4.0",
    "subject": "Social Sciences",
    "doi": "10.5072/abc",
}
TYPED = {name: "\n".join(value) if isinstance(value, list) else value for name, value in GIVEN.items()}


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"abstract": " "}, "abstract"),
        ({"creators": ""}, "creators"),
        ({"creators": "; University"}, "creators"),
        ({"creators": "Li, Na; A; 0000-0002-1825-0097; B"}, "creators"),
        ({"creators": "Li, Na; A; 0000-0002-1825-0079"}, "creators"),
        ({"creators": "Li, Na; A; 1825-0097"}, "creators"),
        ({"contact": "zhang"}, "contact"),
        ({"start": "5 January"}, "start"),
        ({"end": "2026-02-30"}, "end"),
        ({"start": "20260105"}, "start"),
        ({"start": "2026-03-01"}, "end"),
        ({"licence": "MIT"}, "licence"),
        ({"subject": "Astrology"}, "subject"),
        ({"doi": "https://doi.org/10.5072/abc"}, "doi"),
    ],
)
def test_invalid_description_fields_are_refused_by_name(given: dict[str, str], field: str) -> None:
    assert set(DescriptionForm({**TYPED, **given}).errors) == {field}
    with pytest.raises(SurveyError, match=field):
        description_read({**TYPED, **given})


def test_a_plan_and_the_form_give_the_same_description() -> None:
    assert description_of(GIVEN) == description_read(TYPED)
    assert description_read({"subject": "", "title": " "}) is None
    for study, case in (
        ("Debts", "study.fields"),
        ({"subject": "Law"}, "study.fields"),
        ({}, "study.fields"),
        ({"authors": "Li"}, "study.unknown"),
        ({"creators": []}, "study.fields"),
    ):
        with pytest.raises(SurveyError) as refused:
            description_of(study)
        assert refused.value.case == case
