"""Read a list of rules from elsewhere: a table of this program, of arules or of mlxtend, or a rule a line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from surveys.errors.error import SurveyError
from surveys.questionnaire.labels import JOIN

__all__ = ["MOST_CHARACTERS", "MOST_RULES", "NamedRule", "RuleList", "rule_list"]

MOST_CHARACTERS: Final = 1_000_000
MOST_RULES: Final = 500
"""Each takes an inversion of five intervals: so many take a few seconds."""

_SIDES: Final = (
    # This program; mlxtend; arules' DATAFRAME().
    ("antecedent", "consequent"),
    ("antecedents", "consequents"),
    ("lhs", "rhs"),
)
_RULES: Final = "rules"
"""The column of arules' ``write()`` and ``as(rules, "data.frame")``."""

_ARROW: Final = re.compile(r"=>|⇒|→|->")
_BRACES: Final = re.compile(r"(?:frozenset\()?\{(?P<items>.*)\}\)?", re.DOTALL)
_QUOTES: Final = "'\""


@dataclass(frozen=True, kw_only=True)
class NamedRule:
    """A rule by the names of its items.

    Attributes
    ----------
    line : int
        Of the text, from 1.
    antecedent, consequent : tuple of str
        Empty where the line names none.
    """

    line: int
    antecedent: tuple[str, ...]
    consequent: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class RuleList:
    """What a text lists.

    Attributes
    ----------
    rules : tuple of NamedRule
    surveys : frozenset of str
        Those whose answers the rules were found in, where the table says so.
    """

    rules: tuple[NamedRule, ...]
    surveys: frozenset[str]


def rule_list(text: str) -> RuleList:
    """Read a list of rules.

    Parameters
    ----------
    text : str
        A table with the columns *antecedent* and *consequent*, *antecedents* and *consequents*, *LHS* and
        *RHS*, or *rules*, with commas, semicolons, tabs or blanks between cells; or a rule in each line.
        Items of a side are joined by ``&`` or stand in braces with commas between them.

    Raises
    ------
    SurveyError
        ``rule_list``: too long, too many rules, or none.

    Examples
    --------
    >>> rule_list("late & old => cheat").rules[0].antecedent
    ('late', 'old')
    >>> (rule,) = rule_list('"rules","support"\\n"{late,old} => {cheat}",0.1').rules
    >>> rule.line, rule.antecedent, rule.consequent
    (2, ('late', 'old'), ('cheat',))
    """
    if len(text) > MOST_CHARACTERS:
        raise SurveyError("rule_list.large", most=MOST_CHARACTERS)
    lines = text.removeprefix("\ufeff").splitlines()
    listed = _table(lines) or RuleList(rules=tuple(_plain(lines)), surveys=frozenset())
    if not listed.rules:
        raise SurveyError("rule_list.empty")
    if len(listed.rules) > MOST_RULES:
        raise SurveyError("rule_list.many", count=len(listed.rules), most=MOST_RULES)
    return listed


def _table(lines: Sequence[str]) -> RuleList | None:
    """Return the rules of a table; None of what has no header that says where they stand."""
    for delimiter in (",", ";", "\t", " "):
        header = [name.strip().lower() for name in next(csv.reader(lines[:1], delimiter=delimiter), [])]
        sides = next((pair for pair in _SIDES if set(pair) <= set(header)), None)
        if sides is not None or _RULES in header:
            break
    else:
        return None
    rules, surveys = [], set()
    reader = csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter)
    for number, cells in enumerate(reader):
        if number == 0 or not any(map(str.strip, cells)):
            continue
        # R writes the names of rows without a name of their column.
        row = dict(zip(header, cells[max(len(cells) - len(header), 0) :], strict=False))
        if sides is None:
            before, after = _parted(row.get(_RULES, ""))
        else:
            before, after = row.get(sides[0], ""), row.get(sides[1], "")
        rules.append(NamedRule(line=reader.line_num, antecedent=_items(before), consequent=_items(after)))
        surveys.add(row.get("survey", "").strip())
    return RuleList(rules=tuple(rules), surveys=frozenset(surveys - {""}))


def _plain(lines: Sequence[str]) -> Iterator[NamedRule]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            before, after = _parted(line)
            yield NamedRule(line=number, antecedent=_items(before), consequent=_items(after))


def _parted(text: str) -> tuple[str, str]:
    """Return the sides of a rule; the right one is empty where there is no arrow."""
    before, *after = _ARROW.split(text.strip().strip(_QUOTES), maxsplit=1)
    return before, "".join(after)


def _items(cell: str) -> tuple[str, ...]:
    """Return the names of a side, each once, in their order."""
    cell = cell.strip()
    braces = _BRACES.fullmatch(cell)
    separator = JOIN.strip() if braces is None else ","
    parts = (braces["items"] if braces else cell).split(separator)
    names = (part.strip().strip(_QUOTES).strip() for part in parts)
    return tuple(dict.fromkeys(name for name in names if name))
