"""Flags in a line of a pasted text."""

from surveys.imports.words.text_flags import split_flags


def test_brackets_that_are_not_flags_are_kept() -> None:
    assert split_flags("1. Did you [name of drug]? [several]") == ("1. Did you [name of drug]?", ["several"])
