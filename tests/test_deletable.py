"""A kind of question or a measure can be removed, and the rest of the product works.

In a copy without a kind, every module is imported. A survey of all other kinds goes from its JSON through
disguised rows to itemsets, rules, estimated distributions and the audit of its rows. Then the copy runs the
tests of the application: surveys go from draft to export, and every page opens.

A place has modules of its own. To remove it, delete them (`PLACE`) and the lines that name them; each such
line is an import or an entry of a table.
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
from tests.reach import APPS, imported
from tests.vectors.designs import choice, live, opened, shielded, yes_no
from tests.vectors.scale_designs import PARTS, WAVE, WHOLE, places, scale_block

PLACE = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in (
        "privacy/scales/planar_*.py",
        "privacy/scales/area.py",
        "privacy/scales/place_statement.py",
        "privacy/scales/region_share.py",
        "privacy/survey/place.py",
        "surveys/questionnaire/stated_place.py",
        "surveys/questionnaire/map_areas.py",
        "surveys/authoring/place_facts.py",
        "surveys/formats/density_map.py",
        "surveys/runs/places.py",
        "surveys/runs/releasable_map.py",
        "surveys/runs/density_*.py",
        "surveys/report/results/place*.py",
        "surveys/report/export/place_law.py",
        "surveys/report/shared/map_picture.py",
        "templates/report/results/scales/place.html",
        "surveys/static/surveys/js/place*.js",
        "surveys/static/surveys/js/authoring/place*.js",
        "surveys/static/surveys/js/authoring/area*.js",
    )
    for path in ROOT.glob(pattern)
)
"""The files of a place, which `git rm` removes with it."""

PLACE_MODULES = [path for path in PLACE if path.startswith("privacy/")]

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
from mining.columns.count_cache import CountCache
from mining.columns.sent_counts import sent_counts
from mining.inference import infer
from mining.pipeline import mine
from mining.thresholds import Thresholds
from privacy.coins import Coins
from privacy.errors import PrivacyError
from privacy.risk.scale_rows import scale_rows
from privacy.scales.mixed_fit import mixed_fit
from privacy.scales.scale_groups import scale_groups
from privacy.survey.design import Design
from privacy.survey.disguise import disguise
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
    """Remove the files of a kind (its class, if a module holds several) and the lines that name them."""
    cls = KINDS[kind]
    if kind == "place":
        for path in PLACE:
            (home / path).unlink()
            remove_lines_with(home, path)
        return
    remove_class(home, cls.__module__, cls.__name__)
    path = home / "privacy/survey/kinds.py"
    listed = without_line(rf'^ +"{kind}": {cls.__name__},\n', path.read_text(encoding="utf-8"))
    stated = home / "surveys/questionnaire/stated_kinds.py"
    stated.write_text(
        without_line(rf'^ +"{kind}": .*,\n', stated.read_text(encoding="utf-8")), encoding="utf-8"
    )
    name = cls.__name__
    listed = re.sub(rf"^from [\w.]+ import {name}\n|\b{name}, |, {name}\b", "", listed, flags=re.MULTILINE)
    path.write_text(listed, encoding="utf-8")


def remove_class(home: Path, module: str, name: str) -> None:
    """Remove a class from its module."""
    path = home / f"{module.replace('.', '/')}.py"
    text = path.read_text(encoding="utf-8")
    (found,) = (each for each in ast.parse(text).body if isinstance(each, ast.ClassDef) and each.name == name)
    lines = text.splitlines(keepends=True)
    del lines[found.lineno - 1 : found.end_lineno]
    path.write_text("".join(lines), encoding="utf-8")


def remove_lines_with(home: Path, removed: str) -> None:
    """Remove the imports of a removed file, and the entries that use what they import."""
    ending = Path(removed).suffix
    if ending not in IMPORT_OF:
        return
    module = removed.removesuffix(".py").replace("/", ".") if ending == ".py" else Path(removed).name
    pattern = re.compile(IMPORT_OF[ending].replace("%s", re.escape(module)), re.MULTILINE)
    for path in sorted(home.rglob(f"*{ending}")):
        if path.relative_to(home).parts[0] == "tests":
            continue
        text = path.read_text(encoding="utf-8")
        for found in list(pattern.finditer(text)):
            text = text.replace(found[0], "")
            for name in re.findall(r"\w+", found["names"] or ""):
                text = re.sub(rf"^ +[^\n]*\b{name}\b[^\n]*,\n", "", text, flags=re.MULTILINE)
        path.write_text(text, encoding="utf-8")


IMPORT_OF = {
    ".py": r"^from %s import \(?(?P<names>[^)\n]*)\)?\n|^import (?P<none>)%s.*\n",
    ".js": r'^import \{(?P<names>[^}]*)\} from "\./(?:\w+/)?%s";\n',
}
"""A line that imports names from a module, by the ending of its name."""


def without_line(pattern: str, text: str) -> str:
    """Remove the only text that a pattern matches."""
    rest, count = re.subn(pattern, "", text, flags=re.MULTILINE)
    assert count == 1, pattern
    return rest


COPIED = ("privacy", "mining", "sottovoce", *APPS, "templates", "locale", "tests", "benchmarks", "deploy")


def copied(home: Path) -> Path:
    """Copy the product and its tests."""
    for folder in COPIED:
        shutil.copytree(ROOT / folder, home / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("manage.py", "pyproject.toml"):
        shutil.copy(ROOT / file, home / file)
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


IMPORTS = """
import importlib, os, pkgutil, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
import django
django.setup()
for package in map(importlib.import_module, sys.argv[1:]):
    assert package.__file__.startswith(os.getcwd()), package.__file__
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        # These three start a process.
        if found.name.rpartition(".")[2] not in ("asgi", "wsgi", "__main__"):
            importlib.import_module(found.name)
"""


def run_in(home: Path, *arguments: str) -> None:
    """Run Python in a copy, and show what it said if it fails."""
    done = subprocess.run([sys.executable, *arguments], cwd=home, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def check_application(home: Path, *tests: str) -> None:
    """Import all modules of the applications, follow the imports of all scripts, and run tests."""
    run_in(home, "-c", IMPORTS, *APPS)
    scripts = list((home / "surveys/static/surveys/js").rglob("*.js"))
    missing = [
        (path.name, name)
        for path in scripts
        for name in re.findall(r'(?:from|import) *\(?"(\.[^"]+)"', path.read_text(encoding="utf-8"))
        if not (path.parent / name).exists()
    ]
    assert missing == []
    assert len(scripts) > 50
    run_in(home, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests)


def tests_without(home: Path, folder: str, word: str) -> list[str]:
    """Return the test files of a folder that neither contain a word nor need a test helper that does."""
    texts = {
        path.relative_to(home).as_posix(): path.read_text(encoding="utf-8")
        for path in (home / "tests").rglob("*.py")
    }
    needing = {name for name, text in texts.items() if re.search(rf"\b{word}", text)}
    modules = {name.removesuffix(".py").replace("/", "."): name for name in texts}
    while True:
        also = {
            name
            for name, text in texts.items()
            if name not in needing and any(modules.get(each) in needing for each in imported(text))
        }
        if not also:
            break
        needing |= also
    found = sorted(name for name in texts if name.startswith(f"{folder}/test_") and name not in needing)
    assert found, f"no test of {folder} is left"
    return found


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_without_a_kind_of_question_the_rest_works(kind: str, tmp_path: Path) -> None:
    home = copied(tmp_path)
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
    check_application(home, "tests/site/test_unregistered_kind.py")


@pytest.mark.slow
@pytest.mark.soak
def test_without_places_the_tests_that_need_none_pass(tmp_path: Path) -> None:
    home = copied(tmp_path)
    without_kind(home, "place")
    run_in(
        home,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        *tests_without(home, "tests/surveys/report/rules", "place"),
    )


@pytest.mark.slow
@pytest.mark.soak
def test_without_a_measure_the_rest_works(tmp_path: Path) -> None:
    home = copied(tmp_path)
    path = home / "mining/interest.py"
    path.write_text(without_line(r'^    "zhang": .*\n', path.read_text(encoding="utf-8")), encoding="utf-8")
    found = what_remains(home, *KINDS)
    assert found["modules"] == n_modules(home)
    assert found["refused"] == ""
    assert found["measures"] == sorted(set(INTEREST) - {"zhang"})
    check_application(home, *tests_without(home, "tests/surveys/report/rules", "zhang"))


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
            if (
                imported
                and path.name != "kinds.py"
                and path.relative_to(ROOT).as_posix() not in PLACE_MODULES
            ):
                wrong.append((path.relative_to(ROOT).as_posix(), sorted(imported)))
            right += bool(imported)
    assert wrong == []
    assert right > 3
