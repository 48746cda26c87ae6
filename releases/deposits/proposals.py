"""Roles proposed for the columns of a table, each with its reason; people decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from privacy.errors import PrivacyError
from privacy.policy import UNSAFE_LEAST_VALUES, UNSAFE_SHARE
from privacy.sdc import ColumnRule
from privacy.sdc.table import finite_number, refuse_unsafe
from releases.microdata.people import identifies, words_of
from surveys.formats.missing import missing_texts as missing_texts_of
from surveys.formats.missing import proposed_texts

__all__ = ["Proposal", "proposals_of", "propose"]

# Words in the name of a column, in English, in Chinese; those that identify are in `release.people`.
_SENSITIVE: Final = (
    "disease diagnosis illness condition hiv drug drugs alcohol abortion income salary wage wages debt "
    "religion faith party vote voted politics orientation sexual crime conviction arrest violence abuse "
    "suicide depression problem cheated stolen affair affairs",
    "疾病 诊断 病史 收入 工资 薪水 债务 宗教 信仰 党派 投票 性取向 犯罪 自杀 抑郁",
)
_KNOWN: Final = (
    "age birth born birthday year sex gender zip postcode postal plz region district county city town state "
    "country nationality race ethnicity marital married children household education school degree "
    "occupation job work workclass profession employer department grade class language height weight",
    "年龄 出生 生日 性别 邮编 地区 省 市 县 国家 民族 婚姻 子女 教育 学历 职业 工作 单位 部门 年级 班级 "
    "身高 体重",
)
_CODES: Final = ("zip postcode postal plz code", "邮编 编号")


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """What is proposed for a column, and what was seen of it: counts, no value.

    Parameters
    ----------
    name : str
    role : str
        As in `privacy.sdc.ColumnRule`.
    reason : str
        Key of the sentence that says why.
    kind : str
        ``numeric`` or ``categorical``.
    may_be_numeric : bool
        Whether all its texts are numbers.
    distinct, missing : int
    roles : tuple of str
        What may be chosen; a column that cannot be published has one.
    policy : str
        What becomes of records that lack the value: ``value`` or ``drop``.
    questions : dict of str to int
        Texts that can stand for "missing", no answers of anybody, and how many records have each.
    missing_texts : tuple of str
        Those that are taken for missing, beside the empty text.
    """

    name: str
    role: str
    reason: str
    kind: str
    may_be_numeric: bool
    distinct: int
    missing: int
    roles: tuple[str, ...]
    policy: str
    questions: dict[str, int]
    missing_texts: tuple[str, ...]

    def plain(self) -> dict[str, Any]:
        """Return what is stored."""
        return {**asdict(self), "roles": list(self.roles), "missing_texts": list(self.missing_texts)}


_ALL: Final = ("identifier", "quasi_identifier", "sensitive", "insensitive")


def proposals_of(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[Proposal]:
    """Propose a role for every column of a table of true values."""
    return [propose(name, [row[position] for row in rows]) for position, name in enumerate(header)]


def propose(name: str, texts: Sequence[str], missing_texts: Collection[str] | None = None) -> Proposal:
    """Propose the role of one column.

    Parameters
    ----------
    name : str
    texts : sequence of str
        Its cells; an empty one is missing.
    missing_texts : collection of str or None
        What else is; None for what `proposed_texts` proposes.

    Notes
    -----
    In this order: what cannot be published (time stamps, free text) is left out and can only be left out;
    then the name decides; then a column of texts that has a value for nearly everybody identifies; then a
    column with one value is harmless; everything else is taken for something that somebody may know.

    Examples
    --------
    >>> propose("Patient ID", ["1", "2"]).role, propose("diagnosis", ["flu", "cold"]).role
    ('identifier', 'sensitive')
    >>> proposal = propose("shoe size", ["41", "38", "44"])
    >>> proposal.role, proposal.reason, proposal.kind
    ('quasi_identifier', 'known_perhaps', 'numeric')
    >>> proposal = propose("age", ["41", "38", "NA", "44"])
    >>> proposal.kind, proposal.missing, proposal.missing_texts
    ('numeric', 1, ('NA',))
    """
    lacking = proposed_texts(texts) if missing_texts is None else tuple(missing_texts)
    every = Counter(texts)
    counts = Counter({text: n for text, n in every.items() if text and text not in lacking})
    missing = len(texts) - sum(counts.values())
    numeric = bool(counts) and all(finite_number(text) is not None for text in counts)
    role, reason, roles = _role(name, list(counts), len(texts), numeric)
    # Two numbers are mostly yes and no, and digits of a code are no amount.
    measures = numeric and len(counts) > 2 and not words_of(name) & _words(_CODES)
    return Proposal(
        name=name,
        role=role,
        reason=reason,
        kind="numeric" if measures else "categorical",
        may_be_numeric=numeric,
        distinct=len(counts),
        missing=missing,
        roles=roles,
        policy="drop" if measures else "value",
        # Among the numbers of an identifier 99 is one of them.
        questions={
            text: every[text] for text in (lacking if role == "identifier" else missing_texts_of(every))
        },
        missing_texts=lacking,
    )


def _role(name: str, values: list[str], n: int, numeric: bool) -> tuple[str, str, tuple[str, ...]]:
    if not values:
        return "identifier", "empty", ("identifier",)
    refused = {} if numeric else _refused(name, values, n)
    allowed = tuple(role for role in _ALL if role not in refused)
    if "quasi_identifier" in refused:
        return "identifier", refused["quasi_identifier"], ("identifier",)
    words = words_of(name)
    if words & _words(_SENSITIVE) and "sensitive" in allowed:
        return "sensitive", "sensitive_name", allowed
    # Postal codes are codes, and known.
    if words & _words(_KNOWN):
        return "quasi_identifier", "known_name", allowed
    if identifies(name):
        return "identifier", "identifying_name", allowed
    if len(values) >= UNSAFE_LEAST_VALUES and len(values) > UNSAFE_SHARE * n and not numeric:
        return "identifier", "own_value", allowed
    if len(values) == 1:
        return "insensitive", "one_value", allowed
    return "quasi_identifier", "known_perhaps", allowed


def _refused(name: str, values: list[str], n: int) -> dict[str, str]:
    """Return the roles in which a column cannot be published, with the code of why."""
    refusals = {}
    for role in ("quasi_identifier", "sensitive", "insensitive"):
        try:
            refuse_unsafe(ColumnRule(name=name, role=role), values, n)
        except PrivacyError as error:
            refusals[role] = error.code
    return refusals


def _words(lists: tuple[str, ...]) -> set[str]:
    return {word for text in lists for word in text.split()}
