"""What the planted application plugs in."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from surveys import extension


class PlantedConfig(extension.Extension):
    """Something of each kind."""

    name = "tests.cast.planted_app"
    label = "planted"
    pages: Mapping[str, str] = {"planted": "tests.cast.planted_app.urls"}
    menu = (extension.MenuEntry(page="planted:page", label="Planted things", opens_to="builds"),)
    refusals: Mapping[str, tuple[str, str]] = {"planted": ("%(value)s was planted", "dig it out")}
    statuses: Mapping[str, int] = {"planted": 418}
    actions: Mapping[str, Any] = {"plant": "planted something"}
    timed_loggers = frozenset({"tests.cast.planted_app"})
    steps_by_clock = frozenset({"wilt"})

    def works(self) -> Mapping[str, Callable[..., Any]]:
        """One kind of job, whose work says that it was done."""
        return {"plant": lambda _job, _report: lambda: sys.stdout.write("the work of a planted job\n")}

    def sweeper_steps(self) -> Mapping[str, Callable[[], object]]:
        """One step that deletes by the clock, and one that does not."""
        return {"wilt": lambda: None, "water": lambda: None}

    def doctor_checks(self) -> tuple[Callable[..., Any], ...]:
        """One check."""
        from surveys.doctor.diagnosis import ok

        return (lambda _context: iter([ok("what is planted grows", "it grows")]),)
