"""The columns of the file of rows, in their order: what each of them is of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from privacy.survey.column_names import asked_name, group_name, skipped_name
from privacy.survey.design import Block, Design, Question

__all__ = ["Column", "columns_of"]


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column.

    Attributes
    ----------
    name : str
    kind : {"group", "yes_no", "single", "multi", "number", "place", "skipped", "asked"}
        That of its question; or the group of a row, whether a block was skipped, the questions that a device
        drew of it.
    block : Block or None
        None of the group.
    question : Question or None
    option : int
        Of a question with several answers, which of them.
    wording : mapping
        What the researcher wrote of the question, or else of the block; empty where no wording was given.
    """

    name: str
    kind: Literal["group", "yes_no", "single", "multi", "number", "place", "skipped", "asked"]
    block: Block | None = None
    question: Question | None = None
    option: int = 0
    wording: Mapping[str, Any] = field(default_factory=dict)

    @property
    def stored_as(self) -> str:
        """How it is stored, "disguised" or "as answered"."""
        is_protected = self.block is not None and self.block.protected
        return "disguised" if is_protected and self.kind != "asked" else "as answered"


def columns_of(
    design: Design, wording: Mapping[str, Any] | None = None, *, with_group: bool
) -> Iterator[Column]:
    """Yield the columns: a question has one, of several answers one for each option."""
    if with_group:
        yield Column(name=group_name(design), kind="group")
    for number, block in enumerate(design.blocks):
        part = wording["blocks"][number] if wording else {}
        for position, question in enumerate(block.questions):
            own = part["questions"][position] if wording else {}
            if question.kind != "multi":
                yield Column(
                    name=question.key, kind=question.kind, block=block, question=question, wording=own
                )
                continue
            for option, key in enumerate(question.options):
                yield Column(
                    name=f"{question.key}={key}",
                    kind="multi",
                    block=block,
                    question=question,
                    option=option,
                    wording=own,
                )
        if block.refusal is not None:
            yield Column(name=skipped_name(block.key, design), kind="skipped", block=block, wording=part)
        if block.is_rotating:
            yield Column(name=asked_name(block.key, design), kind="asked", block=block, wording=part)
