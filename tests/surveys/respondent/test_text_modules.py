"""The texts' modules: one for each language, again in its other form of address, and nothing else differs."""

import json
import re
from typing import Any

from surveys.questionnaire.languages import respondent_languages
from surveys.respondent.text_modules import text_modules, voices
from surveys.respondent.texts import texts_by_part

MODULE = re.compile(r"export const texts=(\{.*\});export const instead=(\{.*\});")


def read(content: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    texts, instead = MODULE.fullmatch(content.decode()).groups()  # type: ignore[union-attr]
    return json.loads(texts), json.loads(instead)


def test_each_language_and_each_other_form_has_every_part() -> None:
    names = [name for name, _language, _wording in voices()]
    assert [name for name in names if name in respondent_languages()] == [*respondent_languages()]
    assert {"de-informal", "ru-informal", "zh-hans-formal", "zh-hant-informal"} <= {*names}
    files = [name for name, _content in text_modules()]
    assert sorted(files) == sorted(f"{part}-{name}.js" for part in texts_by_part() for name in names)


def test_the_other_form_has_the_same_keys_and_is_not_the_first() -> None:
    files = dict(text_modules())
    for part in texts_by_part():
        first, other = (read(files[f"{part}-{name}.js"]) for name in ("de", "de-informal"))
        assert first[0].keys() == other[0].keys()
        assert {kind: [*kept] for kind, kept in first[1].items()} == {
            kind: [*kept] for kind, kept in other[1].items()
        }
    end, other_end = (read(files[f"end-{name}.js"])[0] for name in ("de", "de-informal"))
    assert (end["whole_continue"], other_end["whole_continue"]) == (
        "Prüfen Sie Ihre Antworten",
        "Prüfe deine Antworten",
    )
    assert end["sent_skipped"] == other_end["sent_skipped"]
    light = read(files["choice-de-informal.js"])[1]["two_strengths"]
    assert light["group_protected_hint"] == "Das ist sicherer für dich."
