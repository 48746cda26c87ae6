"""Prevalences that researchers state for questions, by the key of the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def definition_prevalences(document: Mapping[str, Any]) -> Mapping[str, Sequence[int]]:
    """Return the prevalences that a definition states for its protected questions.

    Examples
    --------
    >>> hit, age = {"key": "hit", "prevalence": [1_000]}, {"key": "age"}
    >>> definition_prevalences({"blocks": [{"protected": True, "questions": [hit, age]}]})
    {'hit': [1000]}
    """
    return wording_prevalences({"blocks": [block for block in document["blocks"] if block["protected"]]})


def wording_prevalences(wording: Mapping[str, Any]) -> dict[str, list[int]]:
    """Return the prevalences that a version's wording states, for protected questions only."""
    questions = [question for block in wording["blocks"] for question in block["questions"]]
    return {question["key"]: question["prevalence"] for question in questions if question.get("prevalence")}
