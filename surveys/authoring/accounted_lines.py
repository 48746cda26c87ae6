"""Every line of a pasted text with its role, and the roles that a researcher chooses for lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from surveys.imports.outline import ROLES
from surveys.imports.questionnaire import Questionnaire

CHOICES_OF_ROLES: Final = ("question", "answer", "heading", "title", "introduction", "help", "joined", "left")
"""Roles that the researcher can choose for a line."""


@dataclass(frozen=True, kw_only=True)
class AccountedLine:
    """A line of a pasted text, and its role."""

    number: int
    text: str
    role: str
    is_certain: bool

    @property
    def words(self) -> str:
        """The role in words."""
        return str(ROLES[self.role])


def accounted_lines(survey: Questionnaire, pasted: str) -> dict[str, list[AccountedLine]]:
    """Return all lines of a pasted text with their roles, and those whose role is uncertain."""
    texts = source_lines(pasted)
    found = [
        AccountedLine(number=each.line, text=texts[each.line - 1], role=each.role, is_certain=each.is_certain)
        for each in survey.lines
        if pasted and 0 < each.line <= len(texts)
    ]
    return {"all": found, "uncertain": [line for line in found if not line.is_certain]}


def source_lines(text: str) -> list[str]:
    """Return the lines of a text as the user sees them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def chosen_roles(answers: Mapping[str, str]) -> dict[str, str]:
    """Return the roles that a form states, by line number; unknown lines and roles are ignored."""
    chosen = {
        name.removeprefix("role-"): role
        for name, role in answers.items()
        if name.startswith("role-") and name[5:].isdecimal() and role in CHOICES_OF_ROLES
    }
    other = answers.get("other-line", "")
    if other.isdecimal() and answers.get("other-role", "") in CHOICES_OF_ROLES:
        chosen[str(int(other))] = answers["other-role"]
    return chosen
