import json
import secrets
from collections.abc import Iterable
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.intake.codes import (
    ALPHABET,
    LENGTH,
    MODULUS,
    RANDOM_CHARACTERS,
    code_in_groups,
    code_new,
    is_code,
    read_code,
    receipt_key,
)
from tests.conftest import ROOT


def code_of(digits: Iterable[int]) -> str:
    """Return the code from a generator with these draws."""
    drawn = iter(digits)
    return code_new(lambda below: next(drawn) % below)


codes = st.lists(st.integers(0, 31), min_size=RANDOM_CHARACTERS, max_size=RANDOM_CHARACTERS).map(code_of)


def test_codes_have_ninety_random_bits() -> None:
    asked = []

    def draw(below: int) -> int:
        asked.append(below)
        return secrets.randbelow(below)

    assert is_code(code_new(draw))
    assert asked == [32] * 18
    assert 32**18 == 2**90


def test_the_check_modulus_is_a_prime_fitting_two_characters() -> None:
    assert 31**2 < MODULUS < 32**2
    assert all(MODULUS % divisor for divisor in range(2, 32))


@pytest.mark.slow
@given(code=codes, place=st.integers(0, LENGTH - 1), shift=st.integers(1, 31))
def test_a_single_wrong_character_is_detected(code: str, place: int, shift: int) -> None:
    wrong = ALPHABET[(ALPHABET.index(code[place]) + shift) % 32]
    assert not is_code(code[:place] + wrong + code[place + 1 :])


@given(code=codes, place=st.integers(0, LENGTH - 2))
def test_swapped_neighbouring_characters_are_detected(code: str, place: int) -> None:
    first, second = code[place : place + 2]
    swapped = code[:place] + second + first + code[place + 2 :]
    assert is_code(swapped) is (first == second)


def test_the_checksum_detects_all_single_errors_and_swaps() -> None:
    """A proof for all positions and characters: the remainder changes by d·32^k, or by d·31·32^k."""
    for power, difference in product(range(RANDOM_CHARACTERS), range(1, 32)):
        assert difference * 32**power % MODULUS != 0
        assert difference * 31 * 32**power % MODULUS != 0
    # Swapping the last random character and the first check character changes code by d, check by 32 d.
    assert all(33 * difference % MODULUS != 0 for difference in range(1, 32))


@given(code=codes, small=st.booleans(), between=st.sampled_from(["", " ", "-", " - ", "–", "\t", ".", "_"]))
def test_typed_codes_may_be_lower_case_with_separators(code: str, small: bool, between: str) -> None:
    typed = between.join(code_in_groups(code).split("-"))
    assert read_code(f"  {typed.lower() if small else typed}\n") == code


def test_typed_codes_may_use_look_alikes_and_wide_letters() -> None:
    whole = code_of(ALPHABET.index(character) for character in "01V01V01V01V01V01V")
    assert read_code(whole.replace("0", "O").replace("1", "l").replace("V", "u")) == whole
    assert read_code(whole.replace("1", "I")) == whole
    wide = "".join(chr(ord(character) + 0xFEE0) for character in whole)
    assert read_code(wide) == whole


@given(text=st.text(max_size=200))
def test_arbitrary_text_yields_a_valid_code_or_none(text: str) -> None:
    read = read_code(text)
    assert read is None or is_code(read)
    assert is_code(text) is False or read_code(text) == text


@given(code=codes)
def test_only_the_exact_characters_form_a_sent_code(code: str) -> None:
    assert is_code(code)
    for other in (code.lower(), code + "\n", f" {code}", code[:-1], code + "0", code_in_groups(code), ""):
        assert is_code(other) is (other == code)


def test_codes_are_shown_in_groups_of_five() -> None:
    code = code_new(secrets.randbelow)
    groups = code_in_groups(code).split("-")
    assert [len(group) for group in groups] == [5, 5, 5, 5]
    assert "".join(groups) == code


def test_receipt_keys_depend_on_survey_and_code() -> None:
    pairs = [("0" * 20, "work"), ("1" * 20, "work"), ("0" * 20, "play")]
    keys = [receipt_key(code, survey=survey) for code, survey in pairs]
    assert len(set(keys)) == 3
    assert {len(key) for key in keys} == {32}
    assert all(a != b for a, b in pairwise(keys))


VECTORS = json.loads((ROOT / "tests/vectors/codes.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["typed"][:30])
def test_typed_codes_are_read_as_in_the_vectors(vector: dict[str, str | None]) -> None:
    assert read_code(str(vector["typed"])) == vector["code"]


def test_at_most_a_hundred_characters_are_read() -> None:
    code = "1111111111111111112B"
    assert read_code(code + " " * 80) == code
    assert read_code(code + " " * 81) is None
