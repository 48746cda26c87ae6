"""Prevalences that a definition states for its questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def prevalence_of(document: Mapping[str, Any]) -> dict[str, Sequence[int]]:
    """Return the stated prevalences of a definition's protected questions."""
    return {
        question["key"]: question["prevalence"]
        for block in document["blocks"]
        if block["protected"]
        for question in block["questions"]
        if question.get("prevalence")
    }


def stated_prevalence(wording: Mapping[str, Any]) -> dict[str, list[int]]:
    """Return the stated prevalences of a version, by the key of the question."""
    questions = [question for block in wording["blocks"] for question in block["questions"]]
    return {question["key"]: question["prevalence"] for question in questions if question.get("prevalence")}
