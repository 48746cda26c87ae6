"""Write docs/settings.md from the settings, and for the site a page of all refusals: ``python -m docs.reference``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "settings.md"
SETTINGS: Final = ROOT / "surveys" / "settings.py"
CATALOGUES: Final = ("surveys/errors/catalogue", "privacy/catalogue", "releases/refusals")

HEAD: Final = """# Environment variables

Generated from `surveys/settings.py` by `python -m docs.reference`. All settings are environment
variables, read when a process starts. On a server they are in `/etc/sotto.env`
([Operate it](operators.md#settings)).
"""

REFUSALS: Final = """# Refusals

Generated from the catalogues. Programs read the code, people the message and the remedy. `%(…)s` is
replaced when the refusal is raised.
"""


def page() -> str:
    """Return the page of variables, one item for each."""
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


def refusals() -> str:
    """Return the page of refusals. The site has no Django, so the catalogues are parsed, not imported."""
    lines = [REFUSALS]
    for folder in CATALOGUES:
        for path in sorted((ROOT / folder).glob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            words = sorted(_words(tree))
            if words:
                title = (ast.get_docstring(tree) or path.stem).splitlines()[0].rstrip(".")
                lines += [f"## {title}", "", "| code | message | remedy |", "|---|---|---|"]
                lines += [f"| `{code}` | {message} | {remedy} |" for code, message, remedy in words]
                lines.append("")
    return "\n".join(lines)


def _words(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    """Yield code, message and remedy of each entry of a module's ``WORDS``."""
    known: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if isinstance(target, ast.Name) and isinstance(node.value, ast.Dict | ast.Constant):
                known[target.id] = _value(node.value, known)
    for code, (message, remedy) in known.get("WORDS", {}).items():
        yield code, _cell(message), _cell(remedy)


def _value(node: ast.AST | None, known: dict[str, Any]) -> Any:
    """Return the value of a literal in which texts may be marked by a call and constants named."""
    match node:
        case ast.Constant():
            return node.value
        case ast.Name():
            return known.get(node.id, "")
        case ast.Call(args=[marked, *_]):
            return _value(marked, known)
        case ast.Tuple():
            return tuple(_value(part, known) for part in node.elts)
        case ast.Dict():
            pairs = zip(node.keys, node.values, strict=True)
            return {_value(key, known): _value(value, known) for key, value in pairs if key is not None}
    return ""


def _cell(text: str) -> str:
    """Escape a text for a table: signs of Markdown stand for themselves."""
    return re.sub(r"([\\|*_`<>\[\]$])", r"\\\1", " ".join(text.split()))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
