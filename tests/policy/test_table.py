"""Each policy number has a documented reason, a reader and a test."""

import ast
import re
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path

from privacy import policy as core
from surveys import policy as server
from tests.reach import APPS, LAYERS

ROOT = Path(__file__).resolve().parents[2]
MODULES = {"privacy.policy": core, "surveys.policy": server} | {
    f"{app}.policy": import_module(f"{app}.policy") for app in APPS if (ROOT / app / "policy.py").is_file()
}
NUMBERS = {
    module: [name for name, value in vars(found).items() if isinstance(value, int | float) and name.isupper()]
    for module, found in MODULES.items()
}
EVERY = [name for names in NUMBERS.values() for name in names]


@cache
def readers() -> dict[str, set[str]]:
    """Return the modules that import each number."""
    found: dict[str, set[str]] = {name: set() for name in EVERY}
    for layer in LAYERS:
        for path in sorted((ROOT / layer).rglob("*.py")):
            module = path.relative_to(ROOT).as_posix().removesuffix(".py").replace("/", ".")
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text)) if "policy" in text else ():
                if isinstance(node, ast.ImportFrom) and node.module in MODULES:
                    for alias in node.names:
                        if alias.name in found:
                            found[alias.name].add(module)
                elif (
                    isinstance(node, ast.Attribute)
                    and ast.unparse(node.value) == "policy"
                    and node.attr in found
                ):
                    found[node.attr].add(module)
    return found


def test_a_comment_explains_each_policy_number() -> None:
    for module in MODULES:
        lines = (ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8").splitlines()
        for above, line in pairwise(lines):
            if ": Final = " in line:
                assert above.startswith("# "), line


def test_the_core_reads_only_its_own_policy_numbers() -> None:
    by_core = {
        name
        for name, modules in readers().items()
        if {module.split(".")[0] for module in modules} & {"privacy", "mining"}
    }
    assert by_core == set(NUMBERS["privacy.policy"])


def test_each_policy_number_is_used() -> None:
    assert [name for name, modules in readers().items() if not modules] == [], "remove these numbers"


def test_each_policy_number_has_its_own_test() -> None:
    paths = [*Path(__file__).parent.glob("test_*.py"), *(ROOT / "tests").glob("*/test_policy.py")]
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    named = set(re.findall(r"^def test_(\w+?)__", text, re.MULTILINE))
    missing = {name.lower() for name in EVERY} - named
    assert missing == set(), (
        "write test_NAME__what_it_decides in tests/policy, or in tests/APPLICATION/test_policy.py, for each"
    )
