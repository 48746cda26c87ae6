"""Write docs/settings.md from the docstring of surveys/settings.py: ``python -m docs.reference``."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "settings.md"
SETTINGS: Final = ROOT / "surveys" / "settings.py"

HEAD: Final = """# Environment variables

Generated from `surveys/settings.py` by `python -m docs.reference`. All settings are environment
variables, read when a process starts. On a server they are in `/etc/sotto.env`
([Operate it](operators.md#settings)).
"""


def page() -> str:
    """Return the page, one item for each variable."""
    text = ast.get_docstring(ast.parse(SETTINGS.read_text(encoding="utf-8"))) or ""
    _, table, _ = re.split(r"^=+ +=+$\n?", text, flags=re.MULTILINE)
    rows = []
    for entry in re.split(r"\n(?=\S)", table.strip("\n")):
        name, said = " ".join(entry.split()).split(" ", 1)
        found = re.fullmatch(r"(.*?)(?: \(default: (.*)\))?", said)
        assert found is not None
        default = f" Default: {found[2]}." if found[2] else ""
        rows.append(f"- `{name}`: {found[1]}.{default}")
    return "\n".join([HEAD, *rows, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
