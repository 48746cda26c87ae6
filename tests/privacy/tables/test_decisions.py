"""Every decision has a sentence, and is stored without loss."""

import re

import pytest

from privacy.tables.decisions import TEXTS, Decision, Decisions


@pytest.mark.parametrize("key", TEXTS)
def test_each_decision_is_a_sentence_and_is_read_back(key: str) -> None:
    fields = {name: f"<{name}>" for name in re.findall(r"%\((\w+)\)s", TEXTS[key])}
    decisions = Decisions([Decision(key=key, fields=fields)])
    assert "%" not in str(decisions)
    assert str(decisions).endswith(".")
    assert Decisions.of_documents(decisions.documents) == decisions
    assert f"{decisions!r}\n" == f"{decisions}\n"
