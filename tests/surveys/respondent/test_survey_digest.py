"""A survey's digest in links and letters: the same beginning of one SHA-256, read back in either form."""

from __future__ import annotations

import io
import json
import re
import zipfile

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from surveys.accounts.permissions import Role
from surveys.authoring.publish import survey_import
from surveys.respondent.client_documents import digest_in_link, digest_in_print, documents_of, is_named
from tests.conftest import ROOT
from tests.fixtures.devices import explained, published, shipped_definition
from tests.fixtures.staff import member

VECTORS = json.loads((ROOT / "tests/vectors/digests.json").read_text(encoding="utf-8"))["digests"]
roots = st.binary(min_size=32, max_size=32).map(bytes.hex)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["root"][:6])
def test_both_forms_are_those_of_the_vectors(vector: dict[str, str]) -> None:
    root = vector["root"]
    assert (digest_in_link(root), digest_in_print(root)) == (vector["link"], vector["printed"])


@given(root=roots)
def test_each_form_names_its_root_in_small_letters_too(root: str) -> None:
    printed = digest_in_print(root)
    for written in (digest_in_link(root), printed, printed.lower(), printed.replace("-", " ")):
        assert is_named(root, written)


@given(root=roots, bit=st.integers(0, 255))
def test_the_first_hundred_bits_count_in_print_and_132_in_a_link(root: str, bit: int) -> None:
    other = f"{int(root, 16) ^ 1 << 255 - bit:064x}"
    assert is_named(other, digest_in_print(root)) is (bit >= 100)
    assert is_named(other, digest_in_link(root)) is (bit >= 132)


@pytest.mark.django_db
def test_staff_a_board_and_respondents_read_one_digest_and_a_draft_has_that_of_its_publication() -> None:
    document = shipped_definition(slug="work")
    survey_import(explained(document), by="alice")
    client = Client()
    client.force_login(member("adam", Role.ADMINISTRATOR))

    def texts(*paths: str) -> list[str]:
        return [client.get(f"/en/staff/surveys/work/{path}").content.decode() for path in paths]

    (risk,) = texts("risk/")
    before = re.findall(r'<code class="digest">([^<]+)</code>', risk)
    assert "This code identifies these exact questions." in risk
    version = published(document)
    printed = digest_in_print(documents_of(version).root)
    assert before == [printed]
    for text in texts("", "risk/", "hand-out/"):
        assert printed in text
    sent = client.post("/en/staff/surveys/work/documents/", {"kind": "ethics"}).content
    with zipfile.ZipFile(io.BytesIO(sent)) as pack:
        assert f"as printed in letters | {printed} |" in pack.read("README.md").decode()
        assert printed in pack.read("risk.html").decode()
