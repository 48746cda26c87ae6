"""Build hook: adds the commit to wheels and source archives, and compiled translations to wheels."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMMIT = "surveys/management/commit.txt"


class BuildHook(BuildHookInterface):  # type: ignore[type-arg] - any configuration
    """Adds files generated from the sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files to a temporary directory and set their paths in the package."""
        root = Path(self.root)
        sys.path.insert(0, str(root))
        try:
            from surveys.management.catalogue import compile_catalogues
            from surveys.management.commit import commit_of
        finally:
            sys.path.remove(str(root))
        self._place = tempfile.TemporaryDirectory()
        place = Path(self._place.name)
        if self.target_name == "wheel":
            for path in compile_catalogues(root, place):
                build_data["force_include"][str(place / path)] = f"surveys/{path}"
        commit = commit_of(root)
        # A source archive already contains its commit.
        if commit and not (root / COMMIT).is_file():
            named = place / "commit.txt"
            named.write_text(f"{commit}\n", encoding="ascii")
            build_data["force_include"][str(named)] = COMMIT
