"""The variables of a file for SPSS or Stata: names that both take, codes, and labels in one language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import override

from privacy.survey.design import Block, Design
from surveys.export.columns import Column, columns_of
from surveys.models import Version
from surveys.questionnaire.labels import part_titles
from surveys.questionnaire.languages import text_in

NOT_ASKED: Final = -9
SKIPPED: Final = -8
NOT_ANSWERED: Final = -7
NOT_DRAWN: Final = -6
STATA_CODES: Final = {NOT_ASKED: "a", SKIPPED: "b", NOT_ANSWERED: "c", NOT_DRAWN: "d"}
"""Stata's own missing values (.a to .d); in SPSS the numbers are declared missing."""

LONGEST_NAME: Final = 32
"""Characters of a name in Stata; SPSS takes twice as many."""

# Words of the two languages, whatever their capitals.
_RESERVED: Final = re.compile(
    r"all|and|by|eq|ge|gt|le|lt|ne|not|or|to|with|byte|double|float|if|in|int|long|str\d+|strl|using",
    re.IGNORECASE,
)


_DISGUISED: Final = "disguised"


@dataclass(frozen=True, kw_only=True)
class Variable:
    """One column of the file of rows as SPSS and Stata hold it.

    Attributes
    ----------
    name : str
        Valid in both programs, and unique whatever the capitals.
    column : str
        Its name in the file of rows.
    label : str
        What was asked, whole; programs hold its beginning.
    values : dict of int to str
        The codes of answers, and what they mean.
    keys : dict of int to str
        The codes of answers, and what the file of rows has instead of them.
    missing : dict of int to str
        The codes of answers that are not there.
    stored_as : str
        "disguised" or "as answered".
    """

    name: str
    column: str
    label: str
    values: dict[int, str] = field(default_factory=dict)
    keys: dict[int, str] = field(default_factory=dict)
    missing: dict[int, str] = field(default_factory=dict)
    stored_as: str = "as answered"

    @property
    def code_of(self) -> dict[str, int]:
        """The codes by what the file of rows has."""
        return {key: code for code, key in self.keys.items()}

    @property
    def marked_label(self) -> str:
        """The label, which begins with what is done to the answers: programs cut its end."""
        return f"Disguised: {self.label}" if self.stored_as == _DISGUISED else self.label


def variables_of(
    version: Version, design: Design, *, with_group: bool, language: str
) -> tuple[Variable, ...]:
    """Return the variables in the order of the file of rows.

    Notes
    -----
    What ``<block>.asked`` says there stands here in the missing codes.
    """
    columns = [
        column
        for column in columns_of(design, version.wording, with_group=with_group)
        if column.kind != "asked"
    ]
    names = valid_names([column.name for column in columns])
    titles = part_titles(version, language)
    # What Sottovoce itself says is there in the languages of its pages, and in English for all others.
    with override(language):
        return tuple(
            _variable(name, column, design, titles, language)
            for name, column in zip(names, columns, strict=True)
        )


def valid_names(columns: Iterable[str]) -> tuple[str, ...]:
    """Return a name for each column that SPSS and Stata both take.

    Examples
    --------
    >>> valid_names(["age", "Age", "took=pens", "2nd", "with", "a" * 40])
    ('age', 'Age_2', 'took_pens', 'v_2nd', 'v_with', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')
    """
    taken: set[str] = set()
    return tuple(_valid_name(column, taken) for column in columns)


def _valid_name(column: str, taken: set[str]) -> str:
    name = re.sub(r"[^A-Za-z0-9_]", "_", column)
    if not name[0].isalpha() or _RESERVED.fullmatch(name):
        name = f"v_{name}"
    # SPSS warns of a "_" at the end.
    name = start = name[:LONGEST_NAME].rstrip("_")
    number = 2
    while name.lower() in taken:
        name = f"{start[: LONGEST_NAME - 1 - len(str(number))]}_{number}"
        number += 1
    taken.add(name.lower())
    return name


def _variable(
    name: str, column: Column, design: Design, titles: Mapping[str, str], language: str
) -> Variable:
    values, keys = {0: _("no"), 1: _("yes")}, {0: "0", 1: "1"}
    options = [text_in(option["text"], language) for option in column.wording.get("options") or ()]
    block, question = column.block, column.question
    if block is None:
        label, keys = _("Which group the row belongs to"), {1: "direct", 2: "protected"}
        strengths = design.has_two_strengths
        values = {
            1: _("lightly disguised") if strengths else _("sent as it is"),
            2: _("strongly disguised") if strengths else _("disguised"),
        }
    elif question is None:
        label = _("Skipped: %(part)s") % {"part": titles[block.key]}
    else:
        label = text_in(column.wording["text"], language)
        if question.kind == "multi":
            label = f"{label} – {options[column.option]}"
        elif question.kind == "single":
            values, keys = dict(enumerate(options, start=1)), dict(enumerate(question.options, start=1))
        elif question.is_scale:
            values, keys = {}, {}
    return Variable(
        name=name,
        column=column.name,
        label=label,
        values=values,
        keys=keys,
        missing=_missing(block, design) if block and question else {},
        stored_as=column.stored_as,
    )


def _missing(block: Block, design: Design) -> dict[int, str]:
    """Return why an answer of the block can be missing."""
    reasons = {}
    if block.asked_if is not None:
        reasons[NOT_ASKED] = _("Not asked")
    if block.refusal is not None:
        reasons[SKIPPED] = _("Skipped")
    if not block.protected:
        reasons[NOT_ANSWERED] = _("Not answered")
    elif block.is_rotating or design.in_rotation(block.key):
        reasons[NOT_DRAWN] = _("Not drawn by the device")
    return reasons
