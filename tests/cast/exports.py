"""A survey to export, its file unpacked, and the file's script run."""

from __future__ import annotations

import csv
import io
import random
import subprocess
import sys
import zipfile
from pathlib import Path

from django.utils import timezone

from privacy.coins import Coins
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout
from surveys.export.package import data_export
from surveys.models import Run, Version
from tests.cast.devices import closed, published, stored
from tests.cast.runs import alice, answer, answered, definition, true_rows


def unpacked(run: Run, where: Path) -> Path:
    out = io.BytesIO()
    data_export(run, out, by=alice(), now=timezone.now())
    with zipfile.ZipFile(out) as archive:
        archive.extractall(where)
    return where


def script(where: Path) -> subprocess.CompletedProcess[str]:
    """Run the script as a stranger would: nothing of Sottovoce is on its path."""
    command = [sys.executable, "-I", "reproduce.py"]
    return subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)


def records(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.open(encoding="utf-8")))


def lightly() -> Version:
    """Two strengths, a third of the rows lightly disguised."""
    return answered(900, n_direct=300, policy="assigned", light=True)


def everything(slug: str = "everything") -> Version:
    """All that a design can hold: routing, skipping (numbers too), several answers, blanks, both groups."""
    document = definition(slug)
    document["blocks"][0]["questions"].append({"key": "works", "kind": "yes_no", "text": {"en": "Working?"}})
    options = [{"key": key, "text": {"en": key}} for key in ("never", "some", "much")]
    document["blocks"].append(
        {
            "key": "took", "protected": True, "truth_probability": 5_000, "refusal": 1_500,
            "title": {"en": "Taking"}, "asked_if": {"question": "works", "options": ["yes"]},
            "questions": [
                {
                    "key": "what", "kind": "multi", "unrelated": [3_000, 5_000], "prevalence": [3_000, 3_000],
                    "text": {"en": "What?"}, "options": options[:2],
                },
                {
                    "key": "often", "kind": "single", "unrelated": [2_000, 3_000, 5_000],
                    "prevalence": [2_000, 3_000, 5_000], "text": {"en": "How often?"}, "options": options,
                },
            ],
        }
    )  # fmt: skip
    document["blocks"].append(
        {
            "key": "time", "protected": True, "refusal": True, "title": {"en": "Time"},
            "questions": [
                {
                    "key": "hours", "kind": "number", "text": {"en": "How many hours?"},
                    "number": {"mechanism": "keep", "epsilon": 3, "low": 0, "high": 79, "bin": 10},
                    "options": [{"key": "50-up", "text": {"en": "50 and more"}, "from": 50, "to": 79}],
                }
            ],
        }
    )  # fmt: skip
    version = published(document)
    design, rng = version.to_design(), random.Random(5)
    layout, coins = Layout(design), iter(lambda: rng.getrandbits(32), None)
    rows = []
    for place, answers in enumerate(true_rows(1_200)):
        if rng.random() < 0.1:
            answers["you"].pop("age")
        if rng.random() < 0.95:
            answers["you"]["works"] = int(rng.random() < 0.6)
        if answers["you"].get("works") == 1:
            taken = {"what": [int(rng.random() < 0.4), int(rng.random() < 0.3)], "often": rng.randrange(3)}
            answers["took"] = "skipped" if rng.random() < 0.2 else taken
        answers["time"] = "skipped" if rng.random() < 0.2 else {"hours": rng.randrange(8)}
        rows.append(layout.pack(disguise(design, answers, direct=place < 240, coins=Coins(coins))))
    stored(version, rows)
    return closed(version)


def skipping() -> Version:
    """Parts that a fifth of the people skip."""
    document = definition("skipping", policy="protected")
    for part in document["blocks"]:
        if part["protected"]:
            part["refusal"] = 1_000
    version = published(document)
    design, rng = version.to_design(), random.Random(5)
    layout, coins = Layout(design), iter(lambda: rng.getrandbits(32), None)
    rows = []
    for answers in true_rows(4_000):
        for part in ("work", "life"):
            if rng.random() < 0.2:
                answers[part] = "skipped"
        rows.append(layout.pack(disguise(design, answers, direct=False, coins=Coins(coins))))
    stored(version, rows)
    return closed(version)


def faint() -> Version:
    """Return a survey at the smallest chance of truth, one in ten thousand: supports are off by hundreds."""
    document = definition("faint")
    for block in document["blocks"]:
        if block["protected"]:
            block["truth_probability"] = 1
    version = published(document)
    answer(version, 1_200)
    return closed(version)


def move_a_figure_by_a_millionth(where: Path, column: str = "confidence_low") -> None:
    """Change a figure of the last rule in an unpacked file."""
    path = where / "run" / "rules.csv"
    rules = records(path)
    rules[-1][column] = repr(float(rules[-1][column]) * (1 + 1e-6))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rules[0]))
        writer.writeheader()
        writer.writerows(rules)
