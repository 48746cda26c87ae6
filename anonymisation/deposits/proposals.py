"""Roles proposed for the columns of a table, each with its reason; people decide."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from anonymisation.microdata.people import agreement, identifies, may_identify, says
from privacy.errors import PrivacyError
from privacy.policy import UNSAFE_LEAST_VALUES, UNSAFE_SHARE
from privacy.sdc import ColumnRule
from privacy.sdc.table import refuse_unsafe
from surveys.imports.column_kinds import column_as, declared_missing, kinds_of, proposed_texts
from surveys.imports.column_kinds import missing_texts as missing_texts_of
from surveys.imports.table import ReadColumn, ReadTable

__all__ = ["as_chosen", "propose"]

# Words in the name of a column, in English, in Chinese; those that identify are in `microdata.people`.
_SENSITIVE: Final = (
    "disease diagnosis illness condition hiv drug drugs alcohol abortion income salary wage wages debt "
    "religion faith party vote voted politics orientation sexual crime conviction arrest violence abuse "
    "suicide depression problem cheated stolen affair affairs survived died death "
    "疾病 诊断 病史 收入 工资 薪水 债务 宗教 信仰 党派 投票 性取向 犯罪 自杀 抑郁 存活 死亡"
)
_KNOWN: Final = (
    "age birth born birthday year sex gender zip postcode postal plz region district county city town state "
    "country nationality race ethnicity marital married children household education school degree "
    "occupation job work workclass profession employer department grade class language height weight "
    "年龄 出生 生日 性别 邮编 地区 省 市 县 省份 城市 国家 国籍 民族 婚姻 子女 教育 学历 文化程度 职业 工作 "
    "单位 部门 年级 班级 身高 体重"
)
_CODES: Final = "zip postcode postal plz code icd isco nuts 邮编 编号 编码 代码"
_BORN: Final = "birth born birthday dob 出生 生日"


_ALL: Final = ("identifier", "quasi_identifier", "sensitive", "insensitive")


def propose(
    column: ReadColumn, missing_texts: Collection[str] | None = None, *, month_first: bool = False
) -> dict[str, Any]:
    """Propose the role of one column.

    Parameters
    ----------
    column : ReadColumn
    missing_texts : collection of str or None
        Missing values beside empty cells; None for what is proposed, and what the file declares.
    month_first : bool
        As of `surveys.imports.column_kinds.dates_read`.

    Returns
    -------
    dict
        As a deposit stores it, counts and no value: ``name``; ``label``, what its file calls it in words;
        ``role``, as in `privacy.sdc.ColumnRule`, and ``roles``, what may be chosen: a column that cannot be
        published has one; ``reason``, key of the sentence that says why; ``kind`` and ``kinds``, what it is
        and can be read as, of `surveys.imports.column_kinds.KINDS`;
        ``distinct`` and ``missing``; ``policy``, what
        becomes of records that lack the value, ``value`` or ``drop``; ``questions``, texts that can stand
        for "missing" with the number of their records, and ``missing_texts``, those that are taken so;
        ``month_first``; ``may_identify``, whether it can tell people apart where it is left out: else
        nothing reads it then; ``agreement``, the share of pairs of records that have the same value in it.

    Notes
    -----
    In this order: what cannot be published (time stamps, free text) is left out and can only be left out;
    then the name decides; then a column of texts that has a value for nearly everybody identifies; then a
    column with one value is harmless; everything else is taken for something that somebody may know.

    Examples
    --------
    >>> columns = ReadTable.of_rows(
    ...     ["Patient ID", "diagnosis", "age", "born"],
    ...     [["1", "flu", "41", "1980-02-03"], ["2", "cold", "NA", "4/5/1981"], ["3", "flu", "1,038", ""]],
    ... ).columns
    >>> [propose(column)["role"] for column in columns[:2]]
    ['identifier', 'sensitive']
    >>> age, born = map(propose, columns[2:])
    >>> age["kind"], age["missing"], age["missing_texts"], born["kind"], born["kinds"]
    ('categorical', 1, ['NA'], 'year', ['month', 'quarter', 'year', 'categorical'])
    """
    name, counts = column.name, column.counts
    n = sum(counts.values())
    lacking = (
        tuple(dict.fromkeys([*proposed_texts(counts), *declared_missing(column)]))
        if missing_texts is None
        else tuple(missing_texts)
    )
    real = {text: count for text, count in counts.items() if text and text not in lacking}
    kinds = kinds_of(list(real))
    kind = _kind(column, kinds, real)
    read = column_as(column, kind, lacking, month_first=month_first)
    values = [text for text in read.values if text and text not in lacking]
    role, reason, roles = _role(name, values, n, "numeric" in kinds)
    asked_about = lacking if role == "identifier" else [*missing_texts_of(counts), *declared_missing(column)]
    return {
        "name": name,
        "label": column.label,
        "role": role,
        "reason": reason,
        "kind": kind,
        "kinds": list(kinds),
        "distinct": len(values),
        "missing": n - sum(real.values()),
        "roles": list(roles),
        "policy": "drop" if kind in ("numeric", "year") else "value",
        # Among the numbers of an identifier 99 is one of them.
        "questions": {text: counts.get(text, 0) for text in asked_about},
        "missing_texts": list(lacking),
        "may_identify": may_identify(name, len(counts), n),
        "month_first": month_first,
        "agreement": agreement(column),
    }


def _kind(column: ReadColumn, kinds: tuple[str, ...], real: Collection[str]) -> str:
    """Return what a column is read as: amounts, not codes and choices; a birthday is a year."""
    if "numeric" not in kinds:
        return "year" if "year" in kinds and says(column.name, _BORN) else kinds[0]
    # Two numbers are mostly yes and no, and digits of a code, or of a choice with labels, are no amount.
    is_code = len(real) <= 2 or says(column.name, _CODES) or set(real) <= set(column.value_labels)
    return "categorical" if is_code else "numeric"


def as_chosen(table: ReadTable, columns: Iterable[Mapping[str, Any]]) -> ReadTable:
    """Return a table whose columns are read as it was chosen; what is missing is an empty text."""
    chosen = {column["name"]: column for column in columns}
    read = []
    for column in table.columns:
        about = chosen[column.name]
        missing, month_first = about.get("missing_texts", ()), about.get("month_first", False)
        of_kind = column_as(column, about["kind"], missing, month_first=month_first)
        read.append(of_kind.replaced(dict.fromkeys(missing, "")))
    return replace(table, columns=tuple(read))


def _role(name: str, values: list[str], n: int, numeric: bool) -> tuple[str, str, tuple[str, ...]]:
    if not values:
        return "identifier", "empty", ("identifier",)
    refused = {} if numeric else _refused(name, values, n)
    allowed = tuple(role for role in _ALL if role not in refused)
    if "quasi_identifier" in refused:
        return "identifier", refused["quasi_identifier"], ("identifier",)
    if says(name, _SENSITIVE) and "sensitive" in allowed:
        return "sensitive", "sensitive_name", allowed
    # Postal codes are codes, and known.
    if says(name, _KNOWN):
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
