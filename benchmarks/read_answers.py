"""Time the import of another tool's file as a closed survey: python -m benchmarks.read_answers."""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import django

from benchmarks.machine import machine
from privacy.coins import Coins
from privacy.survey.disguise import disguise
from privacy.survey.layout import Layout


def write_file(path: Path, document: dict[str, Any], n: int) -> None:
    """Write a file of n people: ID, time, their device's answer string, three open columns, and a comment."""
    from surveys.embed.answer_string import answer_string_write
    from surveys.embed.frame_promise import frame_digest
    from surveys.questionnaire.definition import definition_parse

    rng = random.Random(1)
    definition = definition_parse(document)
    design, digest = definition.design, frame_digest(definition)
    layout, (block,) = Layout(design), design.blocks
    coins = Coins(iter(lambda: rng.getrandbits(32), None))
    with open(path, "w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow(["id", "time", "protected", "faculty", "works", "rating", "comment"])
        for number in range(n):
            given = {question.key: rng.getrandbits(1) for question in block.questions}
            body = layout.pack(disguise(design, {block.key: given}, direct=False, coins=coins))
            string = answer_string_write(digest, body, rng.randbytes(9))
            beside = rng.choice("ABCDE"), rng.choice("yn"), rng.randrange(1, 8)
            lines.writerow([number, f"10:{number % 60:02}", string, *beside, f"comment {number}"])


def three() -> dict[str, Any]:
    """Return a definition with three yes/no questions that share a coin."""
    document = json.loads(Path("surveys/definitions/marriage.json").read_text(encoding="utf-8"))
    questions = [
        {"key": key, "kind": "yes_no", "text": document["title"], "unrelated": [5000], "prevalence": [3000]}
        for key in "abc"
    ]
    part = {
        "key": "part", "protected": True, "truth_probability": 6000, "refusal": None,
        "title": document["title"], "questions": questions,
    }  # fmt: skip
    return {**document, "practice": True, "group": {"policy": "protected"}, "blocks": [part]}


def main() -> None:
    """Print the machine and the seconds of each of three runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    n = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"SOTTOVOCE_HOME": folder, "DJANGO_SETTINGS_MODULE": "surveys.settings"}
        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        definition, path = Path(folder, "three.json"), Path(folder, "answers.csv")
        definition.write_text(json.dumps(three()), encoding="utf-8")
        write_file(path, three(), n)
        for number in range(3):
            before = time.perf_counter()
            call_command(
                "read_answers", str(definition), str(path), open=["faculty", "works", "rating"],
                slug=f"read-{number}", reason="A benchmark.", json=True,
            )  # fmt: skip
            print(f"{n} rows: {time.perf_counter() - before:.2f} s")
        print(machine())


if __name__ == "__main__":
    main()
