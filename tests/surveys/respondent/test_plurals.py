"""Texts with a count: each category of each language has a form, and browsers choose the same categories."""

import json
import subprocess
from typing import Final

import pytest
from babel import Locale
from django.utils.translation import override

from surveys.questionnaire.languages import respondent_languages
from surveys.respondent.plurals import COUNTS, Plural

PART: Final = Plural("One question", "{questions} questions")


@pytest.mark.soak
@pytest.mark.parametrize("language", [*COUNTS, "de", "en", "hi", "sw", "tr"])
def test_each_category_of_whole_numbers_has_a_count(language: str) -> None:
    """Babel has the rules of the Unicode CLDR. The form without a name serves what has none of its own."""
    rule = Locale(language).plural_form
    counts = COUNTS.get(language, {"one": 1, "": 2})
    for category, count in counts.items():
        assert rule(count) == category or not category
    used = {rule(count) for count in range(1000)}
    assert used - {*counts} <= {rule(counts[""])}


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", {"_one": "One question", "": "{questions} questions"}),
        ("zh-hans", {"": "{questions} 道题"}),
        (
            "ru",
            {"_one": "{questions} вопрос", "_few": "{questions} вопроса", "": "{questions} вопросов"},
        ),
        ("de", {"_one": "Eine Frage", "": "{questions} Fragen"}),
        (
            "ar",
            {
                "_zero": "لا أسئلة",
                "_one": "سؤال واحد",
                "_two": "سؤالان",
                "_few": "{questions} أسئلة",
                "_many": "{questions} سؤالًا",
                "": "{questions} سؤال",
            },
        ),
    ],
)
def test_a_text_with_a_count_has_the_forms_of_its_language(language: str, forms: dict[str, str]) -> None:
    with override(language):
        assert PART.forms() == forms


@pytest.mark.parametrize("language", respondent_languages())
def test_browsers_name_the_same_categories(language: str) -> None:
    script = (
        "const [language, counts] = JSON.parse(process.argv[1]);"
        "const rules = new Intl.PluralRules(language);"
        "console.log(JSON.stringify(counts.map((count) => rules.select(count))));"
    )
    counts = COUNTS.get(language.partition("-")[0], {"one": 1, "": 2})
    asked = json.dumps([language, [*counts.values()]])
    found = subprocess.run(["node", "-e", script, asked], check=True, capture_output=True, text=True)
    for category, name in zip(counts, json.loads(found.stdout), strict=True):
        assert name == category or not category
