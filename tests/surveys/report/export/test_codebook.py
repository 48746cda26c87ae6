"""The codebook explains every value in each language."""

from __future__ import annotations

import csv
import io
import re

import pytest

from surveys.report.export.codebook import codebook_csv, entries_of
from tests.fixtures.devices import published, shipped_definition


@pytest.mark.django_db
def test_every_text_of_the_codebook_exists_in_each_language() -> None:
    """Own texts such as yes, no and skipped were in English only; a language without pages gets English."""
    version = published(shipped_definition())
    entries = entries_of(version, version.to_design(), with_group=True)
    header, *lines = csv.reader(io.StringIO(codebook_csv(entries, ("zh-hans", "fr"), ())))
    for line in (dict(zip(header, line, strict=True)) for line in lines):
        assert re.search("[一-鿿]", line["meaning_zh-hans"]), line
        assert line["meaning_fr"], line
