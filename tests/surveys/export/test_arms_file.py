"""An export holds the figures of *Did it help?* where its survey has an experiment."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from surveys.models import Run
from surveys.questionnaire.sensitive import ready_parts
from tests.fixtures.exports import records, unpacked
from tests.fixtures.runs import answered, mined
from tests.surveys.report.test_arm_words import run_of
from tests.surveys.report.test_weighted_arms import in_city, numbers

pytestmark = pytest.mark.django_db


def in_english(value: Any) -> Any:
    if isinstance(value, list):
        return [in_english(inner) for inner in value]
    if isinstance(value, dict):
        return {key: in_english(inner) for key, inner in value.items() if key != "zh-hans"}
    return value


def with_everything() -> Run:
    """Arms and two drawn strengths, an average with skips, check questions, who understood and who trusts."""
    parts, city = ready_parts(), in_city()
    told, you, work, both = numbers()
    work["questions"][0]["number"]["epsilon"] = 2
    anchors = [part | {"truth_probability": 6000} for part in in_english(parts["anchors"])]

    def more(arm: int, rng: random.Random) -> dict[str, Any]:
        return {
            **city(arm, rng),
            "understood": {"understood": rng.randrange(3)},
            "trust-item": {"trust-item": rng.randrange(4)},
            "trust": {"trust": rng.randrange(3)} if rng.random() < 0.9 else {},
            "anchor-nobody": {"anchor-nobody": int(rng.random() < 0.05)},
            "anchor-everybody": {"anchor-everybody": 1},
        }

    blocks = [told, *in_english(parts["before"]), you, work, both, *anchors, *in_english(parts["after"])]
    group = {"policy": "assigned", "direct_share": 5000, "light": True}
    return run_of(1_600, more=more, blocks=blocks, group=group)


def test_the_file_holds_what_the_page_has_of_every_division(tmp_path: Path) -> None:
    lines = records(unpacked(with_everything(), tmp_path) / "run" / "arms.csv")
    assert {line["by"] for line in lines} == {"told", "group", "told × group"}
    roles = {
        role: {line["outcome"] for line in lines if line["role"] == role} for role in ("answer", "check")
    }
    assert roles["answer"] == {"copied", "late", "hours.mean"} or "copied" in roles["answer"]
    assert roles["check"] == {"anchor-nobody", "anchor-everybody"}
    understood = [line for line in lines if line["role"] == "understanding" and line["by"] == "told"]
    assert [line["outcome"] for line in understood] == ["understood=nothing"] * 2 + ["trust=yes"] * 2
    assert all(line["share"] and not line["p_value"] for line in understood)


def test_an_export_without_an_experiment_has_no_such_file(tmp_path: Path) -> None:
    assert not (unpacked(mined(answered()), tmp_path) / "run" / "arms.csv").exists()
