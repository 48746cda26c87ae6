"""Time sealing, opening and mixing of 20,000 waiting rows, and intake with a pass after every 20 answers.

    python -m benchmarks.boxes [--rows 20000] [--repeat 5] [--json]

Runs on a separate database, SQLite unless DATABASE_URL names another. Reading and opening happen outside the
transaction, which removes the rows and writes batch, pool and receipts.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ANSWERS = 500
BETWEEN_PASSES = 20


def seconds(act: Callable[[], object]) -> float:
    """Return the processor time of a function, which other programs on the machine affect little."""
    start = time.process_time()
    act()
    return time.process_time() - start


def measure(rows: int, repeat: int) -> dict[str, float]:
    """Return the medians of all measurements."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.utils import timezone

    from surveys.authoring.drafts import survey_import
    from surveys.authoring.publish import survey_publish
    from surveys.intake import inbox
    from surveys.intake.keys import current_key, locked_keyring
    from surveys.intake.mix import mix_waiting
    from surveys.intake.receive import submission_receive
    from surveys.intake.sealed_boxes import PrivateKey, open_box, seal
    from surveys.models import Batch
    from tests.attack.respondents import Respondents, publish, wide_definition

    call_command("migrate", verbosity=0)
    definition = json.loads(Path("surveys/definitions/marriage.json").read_text(encoding="utf-8"))
    survey = survey_import(
        {**definition, "slug": f"boxes-{time.time_ns()}", "practice": False}, by="benchmark"
    )
    version = survey_publish(
        survey, by="benchmark", now=timezone.now(), reason="Made for a benchmark.", is_readable_seen=True
    )
    row, key = bytes(3), PrivateKey.generate()
    box = seal(row, under=key.public_key, design_id=version.design_id)
    sealing, opening, reading, mixing = [], [], [], []
    mix_waiting()
    for _ in range(repeat):
        sealing.append(
            seconds(
                lambda: [seal(row, under=key.public_key, design_id=version.design_id) for _ in range(1000)]
            )
        )
        opening.append(
            seconds(lambda: [open_box(box, key=key, design_id=version.design_id) for _ in range(1000)])
        )
        with locked_keyring(offers=True) as keyring:
            assert keyring is not None
            under = current_key(anew=True)
            assert under is not None
            inbox.rows_store(version, [row] * rows, under=under)
            reading.append(seconds(lambda keyring=keyring: inbox.open_inbox(version, keyring, most=20_000)))
        mixing.append(seconds(mix_waiting))
    # One busy survey, and quiet surveys with one waiting answer each.
    many = [Respondents(publish(wide_definition(f"many-{time.time_ns()}"))) for _ in range(10)]
    for each in many:
        each.answer(1)
    busy, answered = many[0], []
    for _ in range(repeat):
        raws = [busy.request(busy.row(), key=busy.rng.bytes(16).hex()) for _ in range(ANSWERS)]

        def answers(raws: list[bytes] = raws) -> None:
            for number, raw in enumerate(raws, start=1):
                assert submission_receive(raw, now=timezone.now()).status == 200
                if number % BETWEEN_PASSES == 0:
                    mix_waiting()

        answered.append(1000 * seconds(answers) / ANSWERS)
    assert sum(batch.n for batch in Batch.objects.filter(version=version)) >= repeat * (rows - 50)
    return {
        "seal_ms": statistics.median(sealing),
        "open_ms": statistics.median(opening),
        "read_and_open_s": statistics.median(reading),
        "whole_mix_s": statistics.median(mixing),
        "answer_and_passes_ms": statistics.median(answered),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sottovoce-benchmark-") as home:
        os.environ |= {"SOTTOVOCE_HOME": home, "DJANGO_SETTINGS_MODULE": "surveys.settings"}
        found: dict[str, Any] = measure(arguments.rows, arguments.repeat)
    if arguments.json:
        print(json.dumps({"rows": arguments.rows, **found}))
        return
    print(f"sealing a row {found['seal_ms']:.3f} ms, opening one {found['open_ms']:.3f} ms")
    print(
        f"reading and opening {arguments.rows:,} rows {found['read_and_open_s']:.2f} s, "
        f"mixing as many {found['whole_mix_s']:.2f} s in all"
    )
    print(f"an answer with its part of the mixer's passes {found['answer_and_passes_ms']:.2f} ms")


if __name__ == "__main__":
    main()
