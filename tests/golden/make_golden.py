"""Rewrite the golden tables after an intended change of a figure: ``python -m tests.golden.make_golden``.

Figures that agree with the table to 1e-12 keep their digits, so that a diff shows only real changes. Rows are
drawn only if their file is missing.
"""

import argparse
import csv
import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from privacy.coins import Coins
from privacy.survey.design import Design
from privacy.survey.design_json import write
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout
from tests.golden.figures import HERE, SCALES, tables
from tests.vectors.words import stream

KEYS = {"demo_itemsets": ("items",), "demo_rules": ("antecedent", "consequent"), "cases": ("figure",)}
TOLERANCE = 1e-12


def main() -> None:
    """Write missing rows, and every table."""
    _rows()
    for name, records in tables().items():
        names = list(dict.fromkeys(key for record in records for key in record))
        before = {tuple(row[key] for key in KEYS[name]): row for row in golden(name)}
        with (HERE / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(names)
            for record in records:
                row = before.get(tuple(written(record[key]) for key in KEYS[name]), {})
                writer.writerow(
                    row[key] if key in row and same(row[key], record.get(key)) else written(record.get(key))
                    for key in names
                )


def golden(name: str) -> list[dict[str, str]]:
    """Read a table's rows; an empty list if there is no table yet."""
    path = HERE / f"{name}.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def same(text: str, value: Any) -> bool:
    """Compare a figure with the table's text, floats to an absolute or relative error of 1e-12."""
    if isinstance(value, float) and text:
        there = float(text)
        if math.isnan(there) or math.isinf(there):
            return repr(there) == repr(value)
        return abs(value - there) <= TOLERANCE * max(1.0, abs(there))
    return written(value) == text


def written(value: Any) -> str:
    """Format a value so that reading restores it, floats with all digits."""
    return "" if value is None else str(value) if isinstance(value, str) else repr(value)


def _rows() -> None:
    made = {"scales": lambda: _drawn(SCALES, _scale_answers(), 1500)}
    for name, rows in made.items():
        path = HERE / f"{name}_rows.hex"
        if not path.exists():
            path.write_text(_lines(rows()), encoding="ascii")
    if not (HERE / "demo_rows.hex").exists():
        _demo_rows()


def _lines(rows: bytes) -> str:
    text = rows.hex()
    return "".join(f"{text[start : start + 100]}\n" for start in range(0, len(text), 100))


def _demo_rows() -> None:
    from surveys.management.commands import demo
    from surveys.questionnaire.definition import definition_parse

    design = definition_parse(demo.definition()).design
    people = list(demo.respondents(rng=np.random.default_rng(demo.SEED_OF_CHOICES)))
    sent = demo.submissions(design, people, rng=np.random.default_rng(demo.SEED_OF_DEVICES))
    rows = b"".join(bytes.fromhex(json.loads(request)["body"]) for request in sent)
    (HERE / "demo_rows.hex").write_text(_lines(rows), encoding="ascii")
    (HERE / "demo_design.json").write_text(json.dumps(write(design), indent=1) + "\n", encoding="utf-8")


def _drawn(design: Design, answers: Iterator[dict[str, Any]], n: int) -> bytes:
    words, layout = stream("golden rows"), Layout(design)
    return b"".join(
        layout.pack(disguise(design, next(answers), direct=place % 5 == 0, coins=Coins(words)))
        for place in range(n)
    )


def _scale_answers() -> Iterator[dict[str, Any]]:
    words = stream("golden scales")
    while True:
        city, age = next(words) % 2, (next(words) % 12 + next(words) % 12) // 2
        yield {
            "you": {"city": city},
            "b-age": {"age": age},
            "b-home": "skipped" if next(words) % 8 == 0 else {"home": next(words) % 80},
            "b-pay": "skipped" if next(words) % 5 == 0 else {"pay": min(11, age + next(words) % 3)},
            "a": "skipped"
            if next(words) % 9 == 0
            else {"affair": int(next(words) % 12 < age), "lied": next(words) % 2},
        } | ({"b-late": {"late": next(words) % 12}} if city else {})


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
