"""The variables of a file for SPSS or Stata: names valid in both, codes, and labels in one language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import override

from privacy.survey.design import Block, Design
from surveys.models import Version
from surveys.questionnaire.labels import part_titles
from surveys.questionnaire.languages import text_in
from surveys.report.export.row_columns import RowColumn, columns_of

NOT_ASKED: Final = -9
SKIPPED_CODE: Final = -8
NOT_ANSWERED: Final = -7
NOT_DRAWN: Final = -6
STATA_CODES: Final = {NOT_ASKED: "a", SKIPPED_CODE: "b", NOT_ANSWERED: "c", NOT_DRAWN: "d"}
"""Stata's extended missing values (.a to .d); the SPSS file declares the numbers as missing."""

LONGEST_NAME: Final = 31
"""Most characters of a name in Stata; SPSS allows twice as many."""


# Reserved words of SPSS and Stata, which ignore case.
_RESERVED: Final = re.compile(
    r"all|and|by|eq|ge|gt|le|lt|ne|not|or|to|with|byte|double|float|if|in|int|long|str\d+|strl|using",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Variable:
    """One column of the file of rows, as SPSS and Stata store it.

    Attributes
    ----------
    name : str
        Valid in both programs, and unique if case is ignored.
    column : str
        Its name in the file of rows.
    label : str
        The full question; programs show only its beginning.
    line : str
        The end of the label that is the question's own text, if it is a line of a list.
    values : dict of int to str
        Meanings of the codes of answers.
    keys : dict of int to str
        Values in the file of rows, by code.
    missing : dict of int to str
        Meanings of the codes of missing answers.
    stored_as : str
        "disguised" or "as answered".
    is_computed : bool
        Whether devices compute it from answers that they never send.
    """

    name: str
    column: str
    label: str
    line: str = ""
    values: dict[int, str] = field(default_factory=dict)
    keys: dict[int, str] = field(default_factory=dict)
    missing: dict[int, str] = field(default_factory=dict)
    stored_as: str = "as answered"
    is_computed: bool = False

    @property
    def marked_label(self) -> str:
        """The label. It starts with "Disguised" where that applies, because programs cut off its end."""
        marks = ["Disguised"] if self.stored_as == "disguised" else []
        marks += ["computed"] if self.is_computed else []
        return f"{', '.join(marks)}: {self.label}" if marks else self.label


def variables_of(
    version: Version, design: Design, *, with_group: bool, language: str
) -> tuple[Variable, ...]:
    """Return the variables in the order of the file of rows.

    Notes
    -----
    Codes of missing answers replace the column ``<block>.asked`` of that file.
    """
    columns = [
        column
        for column in columns_of(design, version.wording, with_group=with_group)
        if column.kind != "asked"
    ]
    names = valid_names([column.name for column in columns])
    titles = part_titles(version, language)
    # Sottovoce's own texts exist in the languages of its pages; in any other language they are English.
    with override(language):
        return tuple(
            _variable(name, column, design, titles, language)
            for name, column in zip(names, columns, strict=True)
        )


def valid_names(columns: Iterable[str]) -> tuple[str, ...]:
    """Return a name for each column that is valid in both SPSS and Stata.

    Examples
    --------
    >>> valid_names(["age", "Age", "took=pens", "2nd", "with", "a" * 40])
    ('age', 'Age_2', 'took_pens', 'v_2nd', 'v_with', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')
    """
    used_names: set[str] = set()
    return tuple(_valid_name(column, used_names) for column in columns)


def _valid_name(column: str, names: set[str]) -> str:
    name = re.sub(r"[^A-Za-z0-9_]", "_", column)
    if not name[0].isalpha() or _RESERVED.fullmatch(name):
        name = f"v_{name}"
    # SPSS warns about a trailing "_".
    name = start = name[:LONGEST_NAME].rstrip("_")
    number = 2
    while name.lower() in names:
        name = f"{start[: LONGEST_NAME - 1 - len(str(number))]}_{number}"
        number += 1
    names.add(name.lower())
    return name


def _variable(
    name: str, column: RowColumn, design: Design, titles: Mapping[str, str], language: str
) -> Variable:
    values, keys = {0: _("no"), 1: _("yes")}, {0: "0", 1: "1"}
    options = [text_in(option["text"], language) for option in column.wording.get("options") or ()]
    block, question, line = column.block, column.question, ""
    if block is None:
        label, keys = _("Group of the row"), {1: "direct", 2: "protected"}
        strengths = design.has_two_strengths
        values = {
            1: _("lightly disguised") if strengths else _("sent as it is"),
            2: _("strongly disguised") if strengths else _("disguised"),
        }
    elif question is None:
        label = _("Skipped: %(part)s") % {"part": titles[block.key]}
    else:
        label = text_in(column.wording["text"], language)
        line = text_in(column.line, language)
        if question.is_several:
            label = f"{label} – {line}"
        elif question.is_exhaustive:
            values, keys = dict(enumerate(options, start=1)), dict(enumerate(question.options, start=1))
        elif question.is_scale:
            values, keys = {}, {}
            if question.disguise is None or not question.disguise.sends_the_answer:
                label = _("Code, not the answer: %(question)s") % {"question": label}
    return Variable(
        name=name,
        column=column.name,
        label=label,
        line=line,
        values=values,
        keys=keys,
        missing=_missing(block, design) if block and question else {},
        stored_as=column.stored_as,
        is_computed=question is not None and question.computed is not None,
    )


def _missing(block: Block, design: Design) -> dict[int, str]:
    """Return the reasons why an answer of a block can be missing, by code."""
    reasons = {}
    if block.asked_if is not None:
        reasons[NOT_ASKED] = _("Not asked")
    if block.refusal is not None:
        reasons[SKIPPED_CODE] = _("Skipped")
    if not block.protected:
        reasons[NOT_ANSWERED] = _("Not answered")
    elif block.is_rotating or design.in_rotation(block.key):
        reasons[NOT_DRAWN] = _("Not drawn by the device")
    return reasons
