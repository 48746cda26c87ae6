"""Another order of a draft's questions, which lets more of them share a part: a change to propose."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from privacy.planning.plan import free_key, movable_blocks
from privacy.planning.use import strong
from privacy.survey.block import Block
from privacy.survey.design import Design
from surveys.questionnaire.aim import Aim
from surveys.questionnaire.composites import COMPUTED
from surveys.questionnaire.part_names import own_title, titled
from surveys.questionnaire.stems import stem_key

_MOST_MOVED: Final = 4
"""Most questions between two protected ones that one change moves."""

Order = tuple[str, tuple[str, ...]]
"""The first question to move; and the question after which it is asked, then others that move along."""


def possible_orders(document: Mapping[str, Any], design: Design, aim: Aim) -> Iterator[Order]:
    """Yield moves of questions that let protected questions, or the starred ones, share a part.

    Parameters
    ----------
    document : mapping
    design : Design
    aim : Aim
        Its stars are moved next to each other, or to the end of the protected questions around them.

    Notes
    -----
    Lines of a list stay together, and questions that a condition depends on stay before it; the draft refuses
    other moves.
    """
    stems = {each["key"]: stem_key(each) for entry in document["blocks"] for each in entry["questions"]}
    groups = _groups(strong(design))
    for (is_first_between, _first), (_is_between, moved), (_is_last_between, run) in zip(
        groups, groups[1:], groups[2:], strict=False
    ):
        if not is_first_between and _can_move(moved):
            keys = [question.key for block in moved for question in block.questions]
            yield keys[0], (run[-1].questions[-1].key, *keys[1:])
    stars = {key.partition("=")[0] for key in aim.wanted}
    runs = [
        [question.key for block in blocks for question in block.questions]
        for is_between, blocks in groups
        if not is_between
    ]
    order = [key for keys in runs for key in keys]
    starred = [key for key in order if key in stars and not stems[key]]
    if len(starred) == len(stars) == 2:
        yield from _next_to_each_other(order, (starred[0], starred[1]), stems)
    if len(starred) == len(stars):
        for keys in runs:
            inside = [key for key in keys if key in starred]
            first = keys.index(inside[0]) if inside else 0
            if first and keys[-1] not in stars and keys[first : first + len(inside)] == inside:
                yield inside[0], (keys[-1], *inside[1:])


def _groups(design: Design) -> list[tuple[bool, list[Block]]]:
    """Return the neighbouring blocks that are laid out, and those between them (true)."""
    movable = {block.key for block in movable_blocks(design)}
    return [
        (is_between, list(blocks))
        for is_between, blocks in itertools.groupby(design.blocks, key=lambda block: block.key not in movable)
    ]


def _can_move(blocks: Sequence[Block]) -> bool:
    count = sum(len(block.questions) for block in blocks)
    return count <= _MOST_MOVED and not any(
        block.asked_if or block.is_anchor or any(question.is_arm for question in block.questions)
        for block in blocks
    )


def _next_to_each_other(
    order: Sequence[str], pair: tuple[str, str], stems: Mapping[str, str]
) -> Iterator[Order]:
    """Yield the later question right after the earlier one, and the earlier one right before the later."""
    first, second = (order.index(key) for key in pair)
    if second == first + 1:
        return
    yield pair[1], (pair[0],)
    before = order[second - 1]
    if not stems[before]:
        yield pair[0], (before,)


def asked_after(document: Mapping[str, Any], keys: Sequence[str], after: str) -> dict[str, Any] | None:
    """Return a document that asks questions directly after another one; None if parts cannot be divided so.

    Parameters
    ----------
    document : mapping
    keys : sequence of str
        The questions to move, in their new order.
    after : str
        The question after which they are asked.
    """
    if after in keys:
        return None
    used = {entry["key"] for entry in document["blocks"]}
    rest: list[dict[str, Any]] = []
    moved: list[dict[str, Any]] = []
    for entry in document["blocks"]:
        chosen = [each for each in entry["questions"] if each["key"] in keys]
        kept = [each for each in entry["questions"] if each["key"] not in keys]
        if not chosen or not kept:
            (rest if kept else moved).append(entry)
            continue
        if not _can_be_divided(entry):
            return None
        moved.append(_part_of(entry, chosen, used, document))
        used.add(moved[-1]["key"])
        rest.append(_part_of(entry, kept, (), document))
    place = next((at for at, entry in enumerate(rest) if after in _keys(entry)), None)
    if place is None or not moved:
        return None
    entry = rest[place]
    position = _keys(entry).index(after) + 1
    pieces = [entry]
    if position < len(entry["questions"]):
        if not _can_be_divided(entry):
            return None
        tail = _part_of(entry, entry["questions"][position:], used, document)
        pieces = [_part_of(entry, entry["questions"][:position], (), document), tail]
    blocks = [*rest[:place], pieces[0], *moved, *pieces[1:], *rest[place + 1 :]]
    # The plan draws sets of parts anew.
    kept_keys = {each["key"] for each in blocks if each in document["blocks"]}
    rotations = [each for each in document.get("rotations") or () if set(each["blocks"]) <= kept_keys]
    without = {name: value for name, value in document.items() if name != "rotations"}
    return {**without, "blocks": blocks, **({"rotations": rotations} if rotations else {})}


def _keys(entry: Mapping[str, Any]) -> list[str]:
    return [question["key"] for question in entry["questions"]]


def _can_be_divided(entry: Mapping[str, Any]) -> bool:
    """Return whether the questions of a part can be in two parts."""
    return (
        not entry.get("asked_if")
        and not entry.get("exclusive")
        and not any(COMPUTED in question for question in entry["questions"])
    )


def _part_of(
    entry: Mapping[str, Any],
    questions: list[dict[str, Any]],
    used: Collection[str],
    document: Mapping[str, Any],
) -> dict[str, Any]:
    """Return a part with some of another's questions, and its title if it has one of its own."""
    part = {name: value for name, value in entry.items() if name not in ("questions_per_person", "booklets")}
    divided = {**part, "key": free_key(entry["key"], used), "questions": questions}
    return titled(divided, own_title(entry, document))
