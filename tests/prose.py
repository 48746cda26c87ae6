"""Count habits that make English hard to read, in the lines that a change adds.

``python -m tests.prose BRANCH`` reads docs, templates, the English texts of the catalogue, docstrings,
comments, and the strings of commands and health checks. It prints each place with the habit's name. The
counts are only hints; nothing fails.
"""

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

HABITS: Final = {
    "a clause instead of a noun": r"\bwhat (?:is|are|was|were|they|it|a|the|no|only|makes?|tells?)\b(?!.*\?)",
    "somebody, nobody": r"\b(?:some|no|every|any)body\b",
    "whoever": r"\bwhoever\b",
    "stands": r"\bstands?\b",
    "beside": r"\bbeside\b",
    "tell": r"\b(?:tells?|told)\b",
    "take": r"\b(?:takes?|taken|took)\b",
    "is no": r"\b(?:is|are|was|were) (?:no|none)\b(?! (?:longer|more)\b)",
    "chance": r"\bchances?\b",
    "a sentence that begins with Of": r"(?:^|[.;:] )of (?!course\b)[a-z0-9]",
    "alike, all the same": r"\balike\b|\ball the same\b",
    "mend, fault": r"\bmend(?:s|ed|ing)?\b|\bfaults?\b",
    "a blank before a percent sign": r"\d[ \u00a0]%|\)s[ \u00a0]%%",
}
_PATTERNS: Final = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in HABITS.items()}
_SPEAKS: Final = re.compile(r"/management/commands/|/server/")
"""Python files whose string literals people read."""
_STRINGS: Final = (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", None))
_HUNK: Final = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")


def added(branch: str) -> dict[str, set[int]]:
    """Return by file the numbers of the lines added since this branch left another one."""
    base = _git("merge-base", "HEAD", branch).strip() or "HEAD"
    lines: dict[str, set[int]] = {}
    path = ""
    for row in _git("diff", "--unified=0", "--diff-filter=d", base, "--").splitlines():
        if row.startswith("+++ b/"):
            path = row[6:]
        elif (hunk := _HUNK.match(row)) is not None:
            first = int(hunk[1])
            lines.setdefault(path, set()).update(range(first, first + int(hunk[2] or 1)))
    return lines


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=False).stdout


def prose(name: str, source: str) -> Iterator[tuple[int, str]]:
    """Yield the number and text of each line of a file that people read as prose."""
    lines = source.splitlines()
    if name.endswith(".md"):
        fenced = False
        for number, line in enumerate(lines, 1):
            fenced ^= line.lstrip().startswith("```")
            if not fenced:
                yield number, line
    elif name.endswith(".po"):
        english = False
        for number, line in enumerate(lines, 1):
            english = line.startswith("msgid") or (english and line.startswith('"'))
            if english:
                yield number, line
    elif name.endswith(".html"):
        for number, line in enumerate(lines, 1):
            if "translate" in line:
                yield number, line
    elif name.endswith(".py"):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                first = node.body[0] if node.body else None
                if isinstance(first, ast.Expr) and ast.get_docstring(node) is not None:
                    numbers = range(first.lineno, (first.end_lineno or first.lineno) + 1)
                    yield from ((number, lines[number - 1]) for number in numbers)
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            is_text = token.type in _STRINGS and _SPEAKS.search(name) and token.string[:3] != '"""'
            if token.type == tokenize.COMMENT or is_text:
                yield token.start[0], token.string


def found(name: str, source: str, numbers: set[int]) -> list[tuple[int, str, str]]:
    """Return (line number, habit, line) for each habit in the given lines of a file."""
    return sorted(
        (number, habit, line.strip())
        for number, line in prose(name, source)
        if number in numbers
        for habit, pattern in _PATTERNS.items()
        if pattern.search(line)
    )


def main() -> None:
    """Print the places and the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("branch", nargs="?", default="main", help="compare with this branch or commit")
    counts: Counter[str] = Counter()
    for name, numbers in sorted(added(parser.parse_args().branch).items()):
        if name == "tests/prose.py" or not name.endswith((".md", ".po", ".html", ".py")):
            continue
        for number, habit, line in found(name, Path(name).read_text(encoding="utf-8"), numbers):
            counts[habit] += 1
            sys.stdout.write(f"{name}:{number}: {habit}: {line[:100]}\n")
    said = ", ".join(f"{habit} {count}" for habit, count in counts.most_common())
    sys.stdout.write(f"habits in changed lines: {said or 'none'}\n")


if __name__ == "__main__":
    main()
