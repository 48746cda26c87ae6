"""A kind of question or a measure can be removed, and the rest of the core works.

In a copy of `privacy` and `mining` without the class of a kind (for a place, also without its modules), every
module is imported. A survey of all other kinds goes from its JSON through disguised rows to itemsets, rules,
estimated distributions and the audit of its rows. The application is not part of the copy.
"""

import ast
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mining.interest import INTEREST
from privacy.survey.question import KINDS
from tests.conftest import ROOT
from tests.vectors.designs import choice, live, opened, shielded, yes_no
from tests.vectors.scale_designs import PARTS, WAVE, WHOLE, places, scale_block

PLACE_MODULES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("planar_*.py", "area.py", "region_share.py")
    for path in (ROOT / "privacy/scales").glob(pattern)
)
"""The modules of a place, which `git rm` removes with it."""

DESIGN = live(
    shielded("work", 7000, yes_no("affair", 5000)),
    shielded("pens", 7000, choice("colour", 5000, 5000)),
    shielded("taken", 7000, choice("things", 5000, 5000, multi=True)),
    scale_block("pay", WAVE),
    scale_block("home", places("sm", WHOLE)),
    scale_block("night", places("usm", PARTS)),
    opened("about", yes_no("city")),
)

REMAINING = """
import importlib, json, pkgutil, random, sys
import mining, privacy
modules = []
for package in (privacy, mining):
    assert package.__file__.startswith(sys.argv[1]), package.__file__
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(found.name)
        modules.append(found.name)

from mining.columns.bitmatrix import BitMatrix
from mining.columns.counting import CountCache
from mining.columns.row_patterns import sent_counts
from mining.inference import infer
from mining.pipeline import mine
from mining.thresholds import Thresholds
from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.risk.report import scale_rows
from privacy.scales.scale_groups import mixed_fit, scale_groups
from privacy.survey.design import Design
from privacy.survey.grouping import disguise
from privacy.survey.layout import Layout

def answer(question, rng):
    if question.is_several:
        return [rng.getrandbits(1) for _option in question.options]
    return rng.randrange(question.patterns)

asked = json.load(sys.stdin)
try:
    Design.from_json(asked["all"])
    refused = ""
except PrivacyError as error:
    refused = error.code
design = Design.from_json(asked["rest"])
rng = random.Random(5)
coins = Coins(iter(lambda: rng.getrandbits(32), None))
answers = [
    {b.key: {q.key: answer(q, rng) for q in b.questions} for b in design.blocks} for _person in range(400)
]
rows = b"".join(
    Layout(design).pack(disguise(design, one, direct=False, coins=coins, drawn=None)) for one in answers
)
matrix = BitMatrix.from_rows(design, rows)
result = mine(matrix, design, Thresholds(support=0.05, lift=0.0, max_size=2), engine="numpy")
inference = infer(result, CountCache(matrix, engine="numpy"))
scales = {}
for number, question in enumerate(design.questions):
    if question.disguise is not None:
        sent = sent_counts(design, number, rows).protected
        fit = mixed_fit(question.disguise, scale_groups(question.disguise, sent), smooth=True)
        scales[question.key] = [float(fit.shares.sum()), scale_rows(question.disguise, fit.shares, sent).n]
print(json.dumps({
    "modules": len(modules), "refused": refused, "kinds": sorted({q.kind for q in design.questions}),
    "itemsets": len(result.itemsets.itemsets), "measures": sorted(inference.interest), "scales": scales,
}))
"""


def without_kind(home: Path, kind: str) -> None:
    """Remove the module of a kind (its class, if the module holds several) and its lines in `kinds`."""
    cls = KINDS[kind]
    module, name = home / f"{cls.__module__.replace('.', '/')}.py", cls.__name__
    text = module.read_text(encoding="utf-8")
    (found,) = (each for each in ast.parse(text).body if isinstance(each, ast.ClassDef) and each.name == name)
    if module.stem == kind:
        module.unlink()
    else:
        lines = text.splitlines(keepends=True)
        del lines[found.lineno - 1 : found.end_lineno]
        module.write_text("".join(lines), encoding="utf-8")
    path = home / "privacy/survey/kinds.py"
    listed = without_line(rf'^ +"{kind}": {name},\n', path.read_text(encoding="utf-8"))
    listed = re.sub(rf"^from [\w.]+ import {name}\n|\b{name}, |, {name}\b", "", listed, flags=re.MULTILINE)
    path.write_text(listed, encoding="utf-8")


def without_line(pattern: str, text: str) -> str:
    """Remove the only text that a pattern matches."""
    rest, count = re.subn(pattern, "", text, flags=re.MULTILINE)
    assert count == 1, pattern
    return rest


def copied(home: Path) -> Path:
    """Copy the core's two packages."""
    for package in ("privacy", "mining"):
        shutil.copytree(ROOT / package, home / package, ignore=shutil.ignore_patterns("__pycache__"))
    return home


def what_remains(home: Path, *kinds: str) -> dict[str, Any]:
    """Import everything in a copy, and use the given kinds of questions from JSON to rules."""
    whole = DESIGN.to_json()
    rest = whole | {
        "blocks": [
            block for block in whole["blocks"] if all(each["kind"] in kinds for each in block["questions"])
        ]
    }
    done = subprocess.run(
        [sys.executable, "-c", REMAINING, str(home)],
        cwd=home,
        input=json.dumps({"all": whole, "rest": rest}),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def n_modules(home: Path) -> int:
    """Count the modules and packages below the two packages of a copy."""
    return sum(len([*(home / package).rglob("*.py")]) - 1 for package in ("privacy", "mining"))


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_without_a_kind_of_question_the_rest_of_the_core_works(kind: str, tmp_path: Path) -> None:
    home = copied(tmp_path)
    if kind == "place":
        for module in PLACE_MODULES:
            (home / module).unlink()
    without_kind(home, kind)
    rest = sorted(set(KINDS) - {kind})
    found = what_remains(home, *rest)
    assert found["modules"] == n_modules(home)
    assert found["refused"] == "kind"
    assert found["kinds"] == rest
    assert found["itemsets"] >= 3
    assert found["measures"] == sorted(INTEREST)
    scales = {"number": ["pay"], "place": ["home", "night"]}
    left = sorted(key for each, keys in scales.items() if each != kind for key in keys)
    assert sorted(found["scales"]) == left
    assert all(total == pytest.approx(1) and n == 400 for total, n in found["scales"].values())


@pytest.mark.slow
@pytest.mark.soak
def test_without_a_measure_the_rest_of_the_core_works(tmp_path: Path) -> None:
    home = copied(tmp_path)
    path = home / "mining/interest.py"
    path.write_text(without_line(r'^    "zhang": .*\n', path.read_text(encoding="utf-8")), encoding="utf-8")
    found = what_remains(home, *KINDS)
    assert found["modules"] == n_modules(home)
    assert found["refused"] == ""
    assert found["measures"] == sorted(set(INTEREST) - {"zhang"})


def run_on_import(statements: list[ast.stmt]) -> Iterator[str]:
    """Yield the modules that statements import when their module is imported."""
    for statement in statements:
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            yield str(statement.module)
            yield from (f"{statement.module}.{alias.name}" for alias in statement.names)
        elif isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.unparse(statement.test):
            yield from run_on_import(statement.orelse)
        elif not isinstance(statement, ast.FunctionDef):
            for field in ("body", "orelse", "handlers", "finalbody"):
                yield from run_on_import(getattr(statement, field, []))


def test_no_other_module_of_the_core_imports_the_modules_of_a_place() -> None:
    removed = {module.removesuffix(".py").replace("/", ".") for module in PLACE_MODULES}
    assert {"privacy.scales.planar_window", "privacy.scales.area", "privacy.scales.region_share"} <= removed
    wrong, right = [], 0
    for package in ("privacy", "mining", "sottovoce"):
        for path in sorted((ROOT / package).rglob("*.py")):
            imported = removed & set(run_on_import(ast.parse(path.read_text(encoding="utf-8")).body))
            if imported and path.relative_to(ROOT).as_posix() not in PLACE_MODULES:
                wrong.append((path.relative_to(ROOT).as_posix(), sorted(imported)))
            right += bool(imported)
    assert wrong == []
    assert right > 3
