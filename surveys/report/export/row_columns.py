"""The columns of the file of rows: their names, kinds, wording and how they are stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from privacy.survey.column_names import asked_name, group_name, skipped_name
from privacy.survey.design import Block, Design, Question
from surveys.questionnaire.stems import LINE, STEMS, stem_key


@dataclass(frozen=True, kw_only=True)
class RowColumn:
    """One column.

    Attributes
    ----------
    name : str
    kind : str
        The kind of its question; or "group", the group of a row; "skipped", whether a block was skipped;
        "asked", which of its questions a device drew.
    block : Block or None
        None for the column of the group.
    question : Question or None
    option : int
        Index of the option, for a question with several answers.
    wording : mapping
        The researcher's wording of the question, or else of the block; empty if none was passed.
    stem : mapping
        The wording of the list that the column is a line of, with its ``key``; empty without a list.
    """

    name: str
    kind: str
    block: Block | None = None
    question: Question | None = None
    option: int = 0
    wording: Mapping[str, Any] = field(default_factory=dict)
    stem: Mapping[str, Any] = field(default_factory=dict)

    @property
    def line(self) -> Mapping[str, str]:
        """The column's own text in its list, by language; empty without a list."""
        if self.question is None or not self.stem:
            return {}
        own = self.wording["options"][self.option]["text"] if self.question.is_several else self.wording[LINE]
        return cast(Mapping[str, str], own)

    @property
    def stored_as(self) -> str:
        """How its values are stored: "disguised" or "as answered"."""
        is_protected = self.block is not None and self.block.protected
        return "disguised" if is_protected and self.kind != "asked" else "as answered"

    @property
    def arrow_type(self) -> str:
        """Arrow type of its values: texts, sent numbers or places, or 0 and 1."""
        if self.question is None:
            return "int8" if self.kind == "skipped" else "string"
        return "int64" if self.question.is_scale else "int8" if self.question.is_binary else "string"


def columns_of(
    design: Design, wording: Mapping[str, Any] | None = None, *, with_group: bool
) -> Iterator[RowColumn]:
    """Yield the columns: one for each question, or for each option if several answers are allowed."""
    if with_group:
        yield RowColumn(name=group_name(design), kind="group")
    for number, block in enumerate(design.blocks):
        part = wording["blocks"][number] if wording else {}
        stems = {stem["key"]: stem for stem in part.get(STEMS, ())}
        for position, question in enumerate(block.questions):
            question_wording = part["questions"][position] if wording else {}
            for option, name in enumerate(question.columns):
                yield RowColumn(
                    name=name,
                    kind=question.kind,
                    block=block,
                    question=question,
                    option=option,
                    wording=question_wording,
                    stem=_stem(question, question_wording, stems),
                )
        if block.refusal is not None:
            yield RowColumn(name=skipped_name(block.key, design), kind="skipped", block=block, wording=part)
        if block.is_rotating:
            yield RowColumn(name=asked_name(block.key, design), kind="asked", block=block, wording=part)


def lists_of(columns: Iterable[RowColumn]) -> list[tuple[Mapping[str, Any], list[RowColumn]]]:
    """Return the wording of each list with its lines, also if they are in several parts."""
    found: dict[str, tuple[Mapping[str, Any], list[RowColumn]]] = {}
    for column in columns:
        if column.stem:
            found.setdefault(column.stem["key"], (column.stem, []))[1].append(column)
    return [*found.values()]


def _stem(
    question: Question, wording: Mapping[str, Any], stems: Mapping[str, Mapping[str, Any]]
) -> Mapping[str, Any]:
    """Return the wording of the list of a question; a question with several answers is a list of its own."""
    if question.is_several and wording:
        return {"key": question.key, "text": wording["text"]}
    return stems.get(stem_key(wording), {})
