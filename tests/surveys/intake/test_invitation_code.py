"""Codes: what is typed wrong is noticed, and what is typed in another way is understood."""

import json
import secrets
from collections.abc import Iterable
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.intake.invitation_code import (
    ALPHABET,
    LENGTH,
    MODULUS,
    RANDOM_CHARACTERS,
    code_in_groups,
    code_new,
    code_typed,
    is_code,
    receipt_key,
)
from tests.conftest import ROOT


def code_of(digits: Iterable[int]) -> str:
    """Return the code that a generator with these draws makes."""
    drawn = iter(digits)
    return code_new(lambda below: next(drawn) % below)


codes = st.lists(st.integers(0, 31), min_size=RANDOM_CHARACTERS, max_size=RANDOM_CHARACTERS).map(code_of)


def test_a_code_has_ninety_bits_of_chance() -> None:
    asked = []

    def draw(below: int) -> int:
        asked.append(below)
        return secrets.randbelow(below)

    assert is_code(code_new(draw))
    assert asked == [32] * 18
    assert 32**18 == 2**90


def test_the_check_is_a_remainder_by_a_prime_that_two_characters_hold() -> None:
    assert 31**2 < MODULUS < 32**2
    assert all(MODULUS % divisor for divisor in range(2, 32))


@pytest.mark.slow
@given(code=codes, place=st.integers(0, LENGTH - 1), shift=st.integers(1, 31))
def test_one_wrong_character_is_noticed(code: str, place: int, shift: int) -> None:
    wrong = ALPHABET[(ALPHABET.index(code[place]) + shift) % 32]
    assert not is_code(code[:place] + wrong + code[place + 1 :])


@given(code=codes, place=st.integers(0, LENGTH - 2))
def test_two_neighbours_swapped_are_noticed(code: str, place: int) -> None:
    first, second = code[place : place + 2]
    swapped = code[:place] + second + first + code[place + 2 :]
    assert is_code(swapped) is (first == second)


def test_no_single_error_and_no_swap_can_escape_the_remainder() -> None:
    """Proof over all places and characters: the remainder changes by d·32^k, or by d·31·32^k."""
    for power, difference in product(range(RANDOM_CHARACTERS), range(1, 32)):
        assert difference * 32**power % MODULUS != 0
        assert difference * 31 * 32**power % MODULUS != 0
    # The last of chance with the first of the check: the code changes by d, its check by 32 d.
    assert all(33 * difference % MODULUS != 0 for difference in range(1, 32))


@given(code=codes, small=st.booleans(), between=st.sampled_from(["", " ", "-", " - ", "–", "\t", ".", "_"]))
def test_small_letters_and_what_stands_between_are_forgiven(code: str, small: bool, between: str) -> None:
    typed = between.join(code_in_groups(code).split("-"))
    assert code_typed(f"  {typed.lower() if small else typed}\n") == code


def test_look_alikes_and_wide_letters_are_forgiven() -> None:
    whole = code_of(ALPHABET.index(character) for character in "01V01V01V01V01V01V")
    assert code_typed(whole.replace("0", "O").replace("1", "l").replace("V", "u")) == whole
    assert code_typed(whole.replace("1", "I")) == whole
    wide = "".join(chr(ord(character) + 0xFEE0) for character in whole)
    assert code_typed(wide) == whole


@given(text=st.text(max_size=200))
def test_no_text_at_all_makes_a_fault_and_only_codes_are_read(text: str) -> None:
    read = code_typed(text)
    assert read is None or is_code(read)
    assert is_code(text) is False or code_typed(text) == text


@given(code=codes)
def test_nothing_but_the_exact_characters_is_a_code_as_it_is_sent(code: str) -> None:
    assert is_code(code)
    for other in (code.lower(), code + "\n", f" {code}", code[:-1], code + "0", code_in_groups(code), ""):
        assert is_code(other) is (other == code)


def test_groups_are_five_characters_each() -> None:
    code = code_new(secrets.randbelow)
    groups = code_in_groups(code).split("-")
    assert [len(group) for group in groups] == [5, 5, 5, 5]
    assert "".join(groups) == code


def test_the_key_of_a_receipt_depends_on_survey_and_code() -> None:
    pairs = [("0" * 20, "work"), ("1" * 20, "work"), ("0" * 20, "play")]
    keys = [receipt_key(code, survey=survey) for code, survey in pairs]
    assert len(set(keys)) == 3
    assert {len(key) for key in keys} == {32}
    assert all(a != b for a, b in pairwise(keys))


VECTORS = json.loads((ROOT / "tests/vectors/codes.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["typed"][:30])
def test_what_is_typed_is_read_as_the_vectors_say(vector: dict[str, str | None]) -> None:
    assert code_typed(str(vector["typed"])) == vector["code"]
