"""Every import names something that exists, also in functions, benchmarks, docs and programs in strings."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.reach import LAYERS, files

ROOT = Path(__file__).resolve().parent.parent
_OWN = "|".join((*LAYERS, "tests", "benchmarks"))
_IMPORT = re.compile(rf"^[ \t]*(?:>>> )?from ((?:{_OWN})\b[\w.]*) import (\([^()]*\)|[\w ,]+)", re.MULTILINE)
MADE_UP = {"tests/test_imported_names.py", "tests/test_architecture.py", "tests/test_reach.py"}
"""Files with made-up imports, which their tests must find."""


# Any word before an equals sign: too many names are better than a parser, which takes ten times as long.
_DEFINED = re.compile(
    r"^[ \t]*(?:(?:async )?def|class) (\w+)|^[ \t]*([\w, :\[\].]*?)[ \t]*(?:=|:|,$)|\bimport ([^\n(]+)",
    re.MULTILINE,
)


@cache
def names_in(module: str) -> frozenset[str]:
    """Return what a module or package defines or imports; nothing if there is no such module.

    >>> names = names_in("privacy.errors")
    >>> {"PrivacyError", "_COUNTED", "fill_fields"} <= names, "nothing" in names
    (True, False)
    """
    folder = ROOT / module.replace(".", "/")
    paths = (folder.with_suffix(".py"), folder / "__init__.py")
    path = next((each for each in paths if each.is_file()), None)
    if path is None:
        return frozenset()
    found = " ".join(map(" ".join, _DEFINED.findall(path.read_text(encoding="utf-8"))))
    return frozenset({"*", *(each.stem for each in folder.glob("*")), *re.findall(r"\w+", found)})


def missing(source: str) -> Iterator[str]:
    """Yield the imports of this project's names that name nothing.

    >>> list(missing("def f():\\n    from surveys.jobs.nowhere import x, y\\n"))
    ['surveys.jobs.nowhere.x', 'surveys.jobs.nowhere.y']
    >>> list(missing('PROGRAM = \\"\\"\\"\\nfrom mining.rules import nothing, RuleTable\\n\\"\\"\\"'))
    ['mining.rules.nothing']
    """
    for module, listed in _IMPORT.findall(source):
        names = re.sub(r"#[^\n]*", "", listed.strip("()")).split(",")
        for name in (each.split(" as ")[0].strip() for each in names):
            if name and name not in names_in(module):
                yield f"{module}.{name}"


def test_every_import_names_something_that_exists() -> None:
    wrong = {
        name: found
        for name in files()
        if name.endswith((".py", ".md")) and name not in MADE_UP and not name.startswith("docs/adr")
        if (found := list(missing((ROOT / name).read_text(encoding="utf-8"))))
    }
    assert wrong == {}, "follow what was moved or renamed"
