"""Another order of a draft's questions, which lets more of them share a part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from surveys.questionnaire.divided_parts import can_be_divided, divided_part


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
        if not can_be_divided(entry):
            return None
        moved.append(divided_part(entry, chosen, used, document))
        used.add(moved[-1]["key"])
        rest.append(divided_part(entry, kept, (), document))
    place = next((at for at, entry in enumerate(rest) if after in _keys(entry)), None)
    if place is None or not moved:
        return None
    entry = rest[place]
    position = _keys(entry).index(after) + 1
    pieces = [entry]
    if position < len(entry["questions"]):
        if not can_be_divided(entry):
            return None
        tail = divided_part(entry, entry["questions"][position:], used, document)
        pieces = [divided_part(entry, entry["questions"][:position], (), document), tail]
    blocks = [*rest[:place], pieces[0], *moved, *pieces[1:], *rest[place + 1 :]]
    # The plan draws sets of parts anew.
    kept_keys = {each["key"] for each in blocks if each in document["blocks"]}
    rotations = [each for each in document.get("rotations") or () if set(each["blocks"]) <= kept_keys]
    without = {name: value for name, value in document.items() if name != "rotations"}
    return {**without, "blocks": blocks, **({"rotations": rotations} if rotations else {})}


def _keys(entry: Mapping[str, Any]) -> list[str]:
    return [question["key"] for question in entry["questions"]]
