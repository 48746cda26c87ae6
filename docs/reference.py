"""Write docs/settings.md: ``python -m docs.reference``. The site adds pages of all refusals and measures."""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "settings.md"
SETTINGS: Final = ROOT / "surveys" / "settings.py"
CATALOGUES: Final = (
    "surveys/errors",
    "privacy/catalogue",
    "anonymisation/refusals.py",
)

HEAD: Final = """# Environment variables

Generated from `surveys/settings.py` by `python -m docs.reference`. All settings are environment
variables, read when a process starts. On a server they are in `/etc/sottovoce.env`
([Operate it](operators.md#settings)).
"""

REFUSALS: Final = """# Refusals

Generated from the catalogues. Programs read the code, people the message and the remedy. `%(…)s` is
replaced when the refusal is raised.
"""


MEASURES: Final = """# Measures of a rule A → B

Generated from the registry `mining.inference`. The first five have intervals and errors. *Rules* shows
any of the others as a column, the page of a rule shows all, and every file has them under these names.

| name | formula |
|---|---|
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
    for name in CATALOGUES:
        paths = [ROOT / name] if name.endswith(".py") else sorted((ROOT / name).glob("*.py"))
        trees = [ast.parse(path.read_text("utf-8")) for path in paths]
        known = {name: value for tree in trees for name, value in _constants(tree, {})}
        for tree in trees:
            words = dict(_constants(tree, known)).get("WORDS")
            if words:
                title = (ast.get_docstring(tree) or "").splitlines()[0].rstrip(".")
                lines += [f"## {title}", "", "| code | message | remedy |", "|---|---|---|"]
                lines += [
                    f"| `{code}` | {cell(said)} | {cell(do)} |"
                    for code, (said, do, *_status) in sorted(words.items())
                ]
                lines.append("")
    return "\n".join(lines)


def measures() -> str:
    """Return the page of measures."""
    from mining.interest import INTEREST, WITH_INTERVALS

    rows = [f"| `{name}` | {cell(measure.words)} |" for name, measure in (WITH_INTERVALS | INTEREST).items()]
    return MEASURES + "\n".join([*rows, ""])


_LITERALS: Final = (ast.Dict, ast.Constant, ast.Call)


def _constants(tree: ast.Module, known: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the constants of a module: texts, and tables of texts."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, _LITERALS):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if isinstance(target, ast.Name):
                yield target.id, _value(node.value, known)


def _value(node: ast.AST | None, known: dict[str, Any]) -> Any:
    """Return the value of a literal in which texts may be marked by a call and constants named."""
    match node:
        case ast.Constant():
            return node.value
        case ast.Name():
            return known.get(node.id, "")
        case ast.Call(args=[marked, *_]):
            return _value(marked, known)
        case ast.BinOp(op=ast.Add()):
            return _value(node.left, known) + _value(node.right, known)
        case ast.Tuple():
            return tuple(_value(part, known) for part in node.elts)
        case ast.Dict():
            pairs = zip(node.keys, node.values, strict=True)
            return {_value(key, known): _value(value, known) for key, value in pairs if key is not None}
    return ""


def cell(text: str) -> str:
    """Escape a text for a table: signs of Markdown stand for themselves."""
    return re.sub(r"([\\|*_`<>\[\]$])", r"\\\1", " ".join(text.split()))


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    PAGE.write_text(page(), encoding="utf-8")
