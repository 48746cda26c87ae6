"""Names that SPSS and Stata take: first sign, length, words of their own, and no two alike."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from surveys.export.variables import LONGEST_NAME, valid_names, variables_of
from surveys.models import Version
from surveys.questionnaire.definition import definition_parse
from tests.fixtures.devices import shipped_definition

KEYS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.+=-]{0,63}", fullmatch=True)


@given(st.lists(KEYS, max_size=40, unique=True))
def test_every_key_gets_a_name_that_both_take(keys: list[str]) -> None:
    names = valid_names(keys)
    assert len({name.lower() for name in names}) == len(keys)
    for name in names:
        assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name)
        assert len(name) <= LONGEST_NAME


def test_words_of_the_programs_and_names_that_differ_in_capitals_only_give_way() -> None:
    assert valid_names(["NOT", "str12", "byte", "a.b", "A-B", "a_b"]) == (
        "v_NOT", "v_str12", "v_byte", "a_b", "A_B_2", "a_b_3",
    )  # fmt: skip
    long = "x" * 40
    assert valid_names([long + "1", long + "2"]) == ("x" * 32, "x" * 30 + "_2")


def test_labels_are_in_the_chosen_language_questions_and_what_sottovoce_says_alike() -> None:
    definition = definition_parse(shipped_definition())
    version = Version(wording=definition.wording)
    yes, texts = {}, {}
    for language in ("en", "zh-hans"):
        variables = variables_of(version, definition.design, with_group=True, language=language)
        asked = next(
            variable for variable in variables if variable.stored_as == "disguised" and variable.values
        )
        yes[language], texts[language] = asked.values[1], asked.label
    assert yes == {"en": "yes", "zh-hans": "是"}
    assert texts["en"].isascii()
    assert not texts["zh-hans"].isascii()
