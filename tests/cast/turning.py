"""A survey whose parts rotate: three of seven questions of one part, and two of three unlike parts."""

from __future__ import annotations

from typing import Any

from tests.cast.devices import shipped_definition

# Any two of the seven questions stand in one booklet.
LINES = ((0, 1, 2), (0, 3, 4), (0, 5, 6), (1, 3, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5))
THINGS = ("lied", "stole", "cheated", "betrayed", "forged", "bribed", "broke")
MIDDLE = {"refusal": 2000, "asked_if": {"question": "moved", "options": ["yes"]}}


def _asked(key: str, *, protected: bool = True) -> dict[str, Any]:
    shares = {"unrelated": [5000], "prevalence": [2000]} if protected else {}
    text = {"en": f"Is it true that you {key}?", "zh-hans": f"你是否曾经（{key}）？"}
    return {"key": key, "kind": "yes_no", "text": text, **shares}


def _part(key: str, *questions: str, **more: Any) -> dict[str, Any]:
    title = {"en": f"Part {key}", "zh-hans": f"部分 {key}"}
    asked = [_asked(question) for question in questions]
    return {
        "key": key,
        "protected": True,
        "truth_probability": 5000,
        "no_skip": "Made for a test.",
        "title": title,
        "questions": asked,
        **more,
    }


def turning_definition(*, light: int | None = None, turns: bool = True, **changes: Any) -> dict[str, Any]:
    """Return the definition, with a light strength where wanted, or with nothing that rotates."""
    you = {
        "key": "you",
        "protected": False,
        "title": {"en": "About you", "zh-hans": "关于你"},
        "questions": [_asked("moved", protected=False), _asked("rent", protected=False)],
    }
    booklets = {"questions_per_person": 3, "booklets": [list(line) for line in LINES]} if turns else {}
    parts = [
        _part("things", *THINGS, refusal=2000, **booklets),
        _part("short", "owed"),
        _part("middle", "drank", "smoked", **MIDDLE),
        _part("long", "fought", "hid", "fled"),
    ]
    strength = {} if light is None else {"light": light}
    rotations = [{"blocks": ["short", "middle", "long"], "parts_per_person": 2}]
    return shipped_definition(
        slug="turning",
        blocks=[you, *({**part, **strength} for part in parts)],
        **({"rotations": rotations} if turns else {}),
        **changes,
    )
