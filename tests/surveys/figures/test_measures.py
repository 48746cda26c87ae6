"""What the columns are called and how they are explained."""

from __future__ import annotations

import re

import pytest
from django.utils.functional import Promise
from django.utils.translation import override

from mining.interest_measures import INTEREST
from surveys.figures.measures import FURTHER

# What every language writes alike.
SIGNS = {"max", "min", "sqrt", "ln"}


@pytest.mark.parametrize("name", INTEREST)
def test_a_formula_is_the_one_that_is_computed_and_no_word_in_it_is_left_untranslated(name: str) -> None:
    hint = FURTHER[name].hint
    with override("en"):
        assert str(hint) == INTEREST[name]
    words = set(re.findall(r"[a-z]{2,}", INTEREST[name])) - SIGNS
    assert isinstance(hint, Promise) == bool(words)
