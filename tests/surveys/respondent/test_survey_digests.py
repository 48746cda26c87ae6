"""Digests in links and print."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from surveys.respondent.survey_digests import digest_in_link, digest_in_print, is_named
from tests.conftest import ROOT

pytestmark = pytest.mark.django_db

VECTORS = json.loads((ROOT / "tests/vectors/digests.json").read_text(encoding="utf-8"))["digests"]
roots = st.binary(min_size=32, max_size=32).map(bytes.hex)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["root"][:6])
def test_link_and_print_forms_match_the_test_vectors(vector: dict[str, str]) -> None:
    root = vector["root"]
    assert (digest_in_link(root), digest_in_print(root)) == (vector["link"], vector["printed"])


@pytest.mark.soak
@given(root=roots)
def test_both_forms_match_their_root_in_any_case(root: str) -> None:
    printed = digest_in_print(root)
    for written in (digest_in_link(root), printed, printed.lower(), printed.replace("-", " ")):
        assert is_named(root, written)


@pytest.mark.soak
@given(root=roots, bit=st.integers(0, 255))
def test_print_forms_check_100_bits_and_links_132(root: str, bit: int) -> None:
    other = f"{int(root, 16) ^ 1 << 255 - bit:064x}"
    assert is_named(other, digest_in_print(root)) is (bit >= 100)
    assert is_named(other, digest_in_link(root)) is (bit >= 132)
