"""What the reader of an XLSForm has to say."""

from __future__ import annotations

from dataclasses import dataclass, field

from surveys.questionnaire.problems import Problems


@dataclass
class Notes:
    """What is wrong, and what is left out."""

    problems: Problems = field(default_factory=Problems)
    not_kept: list[str] = field(default_factory=list)

    def left_out(self, where: str, what: str) -> None:
        """Note one thing that is not kept."""
        self.not_kept.append(f"{where}: {what}")
