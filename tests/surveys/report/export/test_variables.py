"""Names that SPSS and Stata accept: first character, length, reserved words, and uniqueness."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.models import Version
from surveys.questionnaire.definition import definition_parse
from surveys.report.export.variables import LONGEST_NAME, valid_names, variables_of
from tests.fixtures.devices import shipped_definition
from tests.site.test_open_number import HOURS, open_definition

ALNUM = "".join(filter(str.isalnum, map(chr, range(128))))
KEYS = st.builds(str.__add__, st.sampled_from(ALNUM), st.text(ALNUM + "_.+=-", max_size=63))


@pytest.mark.soak
@given(st.lists(KEYS, max_size=40, unique=True))
def test_every_key_gets_a_name_valid_in_spss_and_stata(keys: list[str]) -> None:
    names = valid_names(keys)
    assert len({name.lower() for name in names}) == len(keys)
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) for name in names)
    assert max(map(len, names), default=0) <= LONGEST_NAME


def test_reserved_words_and_names_that_differ_only_in_case_are_changed() -> None:
    assert valid_names(["NOT", "str12", "byte", "a.b", "A-B", "a_b"]) == (
        "v_NOT", "v_str12", "v_byte", "a_b", "A_B_2", "a_b_3",
    )  # fmt: skip
    long = "x" * 40
    assert valid_names([long + "1", long + "2"]) == ("x" * 31, "x" * 29 + "_2")


def test_all_labels_are_in_the_chosen_language() -> None:
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


@pytest.mark.parametrize(("low", "is_code"), [(0, False), (18, True)])
def test_labels_of_codes_say_that_they_are_not_the_answer(low: int, is_code: bool) -> None:
    document = open_definition()
    (hours,) = document["blocks"][HOURS]["questions"]
    hours["number"] |= {"low": low, "high": low + 7}
    for option in hours["options"]:
        option |= {end: option[end] + low for end in ("from", "to")}
    definition = definition_parse(document)
    version = Version(wording=definition.wording)
    variables = variables_of(version, definition.design, with_group=False, language="en")
    labels = {variable.name: variable.label for variable in variables}
    assert labels["hours"].startswith("Code, not the answer: ") == is_code
    assert labels["wage"].startswith("Code, not the answer: How much")
    assert labels["care"].startswith("Code, not the answer: Where")
