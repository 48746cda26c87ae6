"""Files of survey tools, with strings of frames, made from known answers and fixed coins."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Sequence
from typing import Any

from privacy.coins import Coins
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout
from surveys.embed.frame import answer_string_write, frame_digest
from surveys.embed.reading import HostFile
from surveys.questionnaire.definition import Definition, definition_parse
from surveys.tables.reading import table_read


def bodies(definition: Definition, answers: Sequence[dict[str, Any]], *, seed: int = 3) -> list[bytes]:
    """Return what devices with fixed coins send of answers to the one part."""
    rng = random.Random(seed)
    layout, key = Layout(definition.design), definition.design.blocks[0].key
    coins = Coins(iter(lambda: rng.getrandbits(32), None))
    return [
        layout.pack(disguise(definition.design, {key: given}, direct=False, coins=coins)) for given in answers
    ]


def strings(definition: Definition, packed: Sequence[bytes], *, seed: int = 4) -> list[str]:
    rng = random.Random(seed)
    return [answer_string_write(frame_digest(definition), body, rng.randbytes(9)) for body in packed]


def answers_of(n: int, *, seed: int = 5) -> list[dict[str, Any]]:
    """Return answers to `three`, in which a and b hang together."""
    rng = random.Random(seed)
    people = []
    for _ in range(n):
        a = rng.random() < 0.3
        people.append(
            {"a": int(a), "b": int(rng.random() < (0.6 if a else 0.2)), "c": int(rng.random() < 0.1)}
        )
    return people


def csv_of(header: Sequence[str], lines: Sequence[Sequence[object]], *, sign: str = ",") -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=sign)
    writer.writerow(header)
    writer.writerows(lines)
    return text.getvalue().encode()


def exported(document: dict[str, Any], n: int = 200, **more: Any) -> bytes:
    """Return a tool's CSV: an id, a time, the string, a column of two values, free text."""
    definition = definition_parse(document)
    made = strings(definition, bodies(definition, answers_of(n)))
    rng = random.Random(6)
    lines = [
        [
            f"R_{number}",
            f"2026-01-01 10:{number % 60:02}",
            string,
            rng.choice(["yes", "no"]),
            f"text {number}",
        ]
        for number, string in enumerate(made)
    ]
    return csv_of(["ResponseId", "StartDate", "protected", "works nights", "comment"], lines, **more)


def by_digest(*documents: dict[str, Any]) -> dict[str, Definition]:
    """Return definitions by the digests that their frames' lines carry."""
    return {frame_digest(parsed): parsed for parsed in map(definition_parse, documents)}


def host_file(name: str, raw: bytes) -> HostFile:
    return HostFile(name=name, table=table_read(name, raw))
