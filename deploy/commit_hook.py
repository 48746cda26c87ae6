"""Build hook: a wheel and an archive of sources say which commit they were made from."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMMIT = "surveys/management/commit.txt"


class CommitHook(BuildHookInterface):  # type: ignore[type-arg] - of any configuration
    """Adds a file with the commit, where it is known."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the commit, unless the sources bring its name already."""
        root = Path(self.root)
        if (root / COMMIT).is_file():
            return
        sys.path.insert(0, str(root))
        try:
            from surveys.management.commit import commit_of
        finally:
            sys.path.remove(str(root))
        commit = commit_of(root)
        if commit:
            self._place = tempfile.TemporaryDirectory()
            path = Path(self._place.name) / "commit.txt"
            path.write_text(f"{commit}\n", encoding="ascii")
            build_data["force_include"][str(path)] = COMMIT
