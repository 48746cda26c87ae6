"""Rules of the architecture and of style that a machine can check."""

import ast
import functools
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.architecture import PAGES, Graph, cycles, graph, nodes, package_list, packages, packages_both_ways
from tests.reach import APPS, LAYERS, files, imported

ROOT = Path(__file__).resolve().parent.parent
LONGEST_MODULE = 650

# What each layer may import. A layer never imports a higher one.
PURE_LAYERS = {
    "privacy": {"numpy", "scipy"},
    "mining": {"numpy", "scipy", "privacy"},
    "sottovoce": {"pandas", "privacy", "mining"},
}
# Modules that may import something else.
BORDERS = {
    # An environment variable says where numba keeps compiled code.
    "privacy/compilation.py": {"numba", "os"},
    "privacy/library/frames.py": {"pandas"},
    "privacy/library/shown_tables.py": {"pandas"},
    "privacy/regression/formula.py": {"formulaic"},
    "privacy/sdc/classes_numba.py": {"numba"},
    "mining/apriori.py": {"mlxtend"},
    "mining/mlxtend_search.py": {"pandas", "mlxtend"},
    "mining/pipeline.py": {"mlxtend"},
    "mining/rules.py": {"pandas", "mlxtend"},
    "mining/columns/counting_numba.py": {"llvmlite", "numba"},
    "mining/columns/turning_numba.py": {"llvmlite", "numba"},
    # Files are given as bytes, and their dates are read.
    "privacy/tables/packed_file.py": {"io", "openpyxl", "pyarrow", "pyreadstat"},
    "privacy/tables/frames.py": {"datetime", "narwhals", "pandas"},
    "privacy/tables/estimation.py": {"pandas"},
    "sottovoce/tables.py": {"pathlib"},
    "privacy/tables/text_file.py": {"io"},
    "privacy/tables/cell_text.py": {"datetime"},
    "privacy/tables/date_spans.py": {"datetime"},
    "privacy/tables/dates.py": {"calendar", "datetime"},
    # Dates are numbered with the standard library's calendar, without its clock.
    "privacy/scales/calendars.py": {"calendar", "datetime"},
}
# Access to files, clocks, processes, or randomness that is not an argument.
IMPURE = {
    *("os", "io", "pathlib", "shutil", "tempfile", "glob", "fileinput", "sqlite3", "pickle", "shelve"),
    *("time", "datetime", "calendar", "zoneinfo", "locale"),
    *("random", "secrets", "uuid"),
    *(
        "subprocess",
        "multiprocessing",
        "socket",
        "http",
        "urllib",
        "asyncio",
        "logging",
        "getpass",
        "platform",
    ),
}


def tracked(*suffixes: str) -> list[Path]:
    """Return the files, ignored ones excepted, that end in one of the suffixes."""
    return [ROOT / name for name in files() if name.endswith(suffixes)]


def modules(*layers: str) -> list[Path]:
    below = tuple(f"{layer}/" for layer in layers)
    found = [path for path in tracked(".py") if named(path).startswith(below)]
    assert found, f"no modules in {layers}: the check would check nothing"
    return found


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> set[str]:
    """Return the full name of every module that a file imports, at its top or inside functions."""
    found = set(imported(path.read_text(encoding="utf-8")))
    assert not any(name.startswith(".") for name in found), f"{named(path)}: write imports in full"
    return found


@pytest.mark.parametrize("layer", PURE_LAYERS)
def test_pure_layers_import_only_lower_layers(layer: str) -> None:
    wrong = {}
    for path in modules(layer):
        allowed = PURE_LAYERS[layer] | {layer} | BORDERS.get(named(path), set())
        roots = {name.split(".")[0] for name in imports(path)}
        foreign = roots - allowed - (set(sys.stdlib_module_names) - IMPURE)
        if foreign:
            wrong[named(path)] = sorted(foreign)
    assert wrong == {}, "move the code to a higher layer, or pass its result as an argument (PURE_LAYERS)"


@pytest.mark.parametrize("layer", PURE_LAYERS)
def test_pure_layers_use_no_file_clock_or_global_random_generator(layer: str) -> None:
    found = ((path, node, remedy_for(node)) for path in modules(layer) for node in nodes(path))
    wrong = [f"{named(path)}:{node.lineno}: {remedy}" for path, node, remedy in found if remedy]
    assert not wrong, "\n".join(wrong)


def remedy_for(node: ast.AST) -> str:
    match node:
        case ast.Call(func=ast.Name(id="print" | "open" | "input" as name)):
            return f"{name}(): return the text, or pass the contents as an argument"
        case ast.Attribute(attr="today" | "now" | "utcnow" | "fromtimestamp" as name):
            return f"{name}: pass the time as an argument"
        case ast.Attribute(value=ast.Attribute(attr="random"), attr=name) if not name.endswith("Generator"):
            # Functions of numpy.random use the global generator or the system's seeds.
            return f"numpy.random.{name}: pass a numpy.random.Generator as an argument"
    return ""


def test_answer_handling_never_imports_the_random_module() -> None:
    wrong = [named(path) for path in modules(*LAYERS) if "random" in imports(path)]
    assert wrong == [], "use privacy.coins or secrets: the module random is predictable"


def test_shipped_code_does_not_import_tests() -> None:
    wrong = [
        named(path)
        for path in modules(*LAYERS)
        if any(name.split(".")[0] == "tests" for name in imports(path))
    ]
    assert wrong == [], "the wheel has no tests: move what both need into the product"


def test_shipped_scripts_do_not_use_predictable_random_numbers() -> None:
    scripts = [
        path for path in tracked(".js") if "static" in path.parts and path.relative_to(ROOT).parts[0] in APPS
    ]
    assert scripts
    wrong = [named(path) for path in scripts if "Math.random" in path.read_text(encoding="utf-8")]
    assert wrong == [], "use crypto.getRandomValues"


def private_imports(code: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the private names that code imports from modules of the product.

    >>> code = ast.parse("from mining.rules import _sides, rules\\nfrom re import _parser")
    >>> list(private_imports(code.body))
    ['mining.rules._sides']
    """
    for node in code:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in LAYERS:
            yield from (f"{node.module}.{name.name}" for name in node.names if re.match(r"_(?!_)", name.name))


def test_modules_import_no_private_names_of_others() -> None:
    paths = [path for path in modules(*LAYERS, "benchmarks") if "migrations" not in path.parts]
    wrong = {named(path): found for path in paths if (found := list(private_imports(nodes(path))))}
    assert wrong == {}, "give the name no underscore, or move what both need into a module of its own"


LEAST_LINES = 6


@functools.cache
def definitions(path: Path) -> list[tuple[str, str]]:
    """Return the name and the code of each longer function and class of a module."""
    return [
        (node.name, ast.dump(node))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.end_lineno - node.lineno >= LEAST_LINES
    ]


def copies(paths: Iterable[Path]) -> set[str]:
    """Return the names of definitions that two modules contain. Merging a split can bring an old one back."""
    found: dict[tuple[str, str], int] = {}
    for path in paths:
        for definition in definitions(path):
            found[definition] = found.get(definition, 0) + 1
    return {name for (name, _code), count in found.items() if count > 1}


@pytest.mark.soak
def test_no_definition_stands_in_two_modules(tmp_path: Path) -> None:
    product = [path for path in modules(*LAYERS, "benchmarks") if "migrations" not in path.parts]
    assert copies(product) == set()
    copied = tmp_path / "copied.py"
    copied.write_text((ROOT / "privacy/library/inverted_tests.py").read_text("utf-8"), "utf-8")
    assert {"accepted_values", "one_sample"} <= copies([*product, copied])


def test_migrations_import_no_product_code() -> None:
    """Migrations must keep working when the product changes."""
    own = {name: modules(name) for name in APPS}
    migrations = [path for paths in own.values() for path in paths if path.parent.name == "migrations"]
    assert migrations
    wrong = {
        (named(path), name)
        for path in migrations
        for name in imports(path)
        if name.split(".")[0] in LAYERS and ".migrations" not in name
    }
    assert wrong == set(), "copy what the migration needs into it"


INLINE = [
    re.compile(r"<style|\sstyle=|\son[a-z]+=\"|javascript:"),
    # A script element must have a src, or be data that no browser runs.
    re.compile(r"<script(?![^>]*\b(src=|type=\"application/json\"))"),
]


def test_shipped_pages_have_no_inline_scripts_or_styles() -> None:
    pages = [path for path in tracked(".html") if named(path).startswith("templates/")]
    assert pages
    texts = {named(path): path.read_text(encoding="utf-8") for path in pages}
    wrong = [name for name, text in texts.items() if any(inline.search(text) for inline in INLINE)]
    assert wrong == [], "the Content-Security-Policy blocks them: use a file in surveys/static"


def test_modules_stay_below_the_maximum_length() -> None:
    long = {
        named(path): lines
        for path in modules(*LAYERS)
        if "migrations" not in path.parts
        and (lines := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST_MODULE
    }
    assert long == {}, f"more than {LONGEST_MODULE} lines: divide by concept; there is no list of exceptions"


KIND_NAMES = {"yes_no", "single", "multi", "number", "place", "arm"}
KIND_CLASSES = {"YesNo", "Choice", "Several", "Number", "Place", "WindowChannel", "PlanarWindowChannel"}


def asks_for_a_kind(node: ast.AST) -> bool:
    """Return whether code compares something with the name of a question kind, or checks its class."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        literals = [literal for side in sides for literal in (side, *getattr(side, "elts", ()))]
        return any(getattr(literal, "value", None) in KIND_NAMES for literal in literals)
    is_check = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance"
    return is_check and any(getattr(each, "id", "") in KIND_CLASSES for each in ast.walk(node))


def test_few_modules_ask_which_kind_a_question_is() -> None:
    asking = [named(path) for path in modules(*LAYERS) if any(map(asks_for_a_kind, nodes(path)))]
    assert len(asking) <= 14, f"make what differs an attribute or method of the kind: {asking}"


def test_patterns_avoid_syntax_that_early_python_3_11_mishandles() -> None:
    """Before Python 3.11.5, which Debian 12 does not have, possessive quantifiers over groups are broken."""
    wrong = re.compile(r"\)[*+?]\+|\)\{[0-9,]+\}\+|\(\?>")
    assert wrong.search(r"(?:ab)*+")
    found = [named(path) for path in tracked(".py") if wrong.search(path.read_text(encoding="utf-8"))]
    assert [name for name in found if name != named(Path(__file__))] == []


def test_modules_do_not_have_generic_names() -> None:
    nameless = {"util.py", "utils.py", "helper.py", "helpers.py", "misc.py", "common.py"}
    wrong = [named(path) for path in tracked(".py") if path.name in nameless]
    assert not wrong, f"name the concept that the module holds; there is no list of exceptions: {wrong}"


def test_files_name_no_package_registry_or_local_path() -> None:
    # Split in halves, so that this file does not match itself.
    hosts = [("py", "pi.org"), ("python", "hosted"), ("registry.n", "pmjs"), ("deb.deb", "ian")]
    # Only paths from the root, not parts of a URL.
    places = [("/wo", "rk/"), ("/ro", "ot/"), ("/ho", "me/"), ("/opt/wh", "eels"), ("/tmp/so", "tto")]
    literally = [("".join(halves).encode(), b"") for halves in hosts]
    literally += [("".join(halves).encode(), rb"(?<![\w./-])") for halves in places]
    wrong = {
        named(path): text
        for path in tracked("")
        for held in [path.read_bytes()]
        for text, before in literally
        if text in held and re.search(before + re.escape(text), held)
    }
    assert wrong == {}, "write a relative path, or the name of the package without its registry"


ROOTS = {
    "admin",
    "settings",
    "urls",
    "wsgi",
    "asgi",
    "celery",
    "apps",
    "tasks",
    "worker",
    "sweeper",
    "management",
}
"""Composition roots of `surveys`: they may import anything, and no package imports them."""

COMPOSED_OF_PARTS = {"server", "surveys"}
"""Packages that start or supervise processes, and so name the modules of worker and sweeper."""


def test_modules_have_no_circular_imports() -> None:
    for layer in (*LAYERS, "tests", "benchmarks"):
        assert cycles(graph(layer)) == [], f"{layer}: move what both modules need into a third"


def test_packages_do_not_import_each_other() -> None:
    for layer in LAYERS:
        assert packages_both_ways(graph(layer)) == [], f"{layer}: move the imported part to the lower package"


def test_circular_imports_are_detected() -> None:
    ring = {"s.a.x": frozenset({"s.b.y"}), "s.b.y": frozenset({"s.c.z"}), "s.c.z": frozenset({"s.a.x"})}
    assert cycles(ring) == [("s.a.x", "s.b.y", "s.c.z")]
    both = {"s.a.x": frozenset({"s.b.y"}), "s.b.y": frozenset({"s.a.z"}), "s.a.z": frozenset()}
    assert packages_both_ways(both) == [("a", "b")]


REPORT = "surveys.report."
LAYERS_OF_THE_REPORT = (
    *("opened_run", "place_among_runs", "sentences", "run_facts", "shared.addresses"),
    *("rules", "results", "survey_list", "risk_page", "export", "shared", "urls"),
)
"""Modules and folders of `surveys/report`; each imports only itself and earlier ones."""


def layer_of_the_report(module: str) -> int:
    """Return the position of a module; a longer name is more special than its folder.

    >>> layer_of_the_report("surveys.report.shared.addresses") < layer_of_the_report("surveys.report.shared")
    True
    """
    name = module.removeprefix(REPORT)
    found = [each for each in LAYERS_OF_THE_REPORT if f"{name}.".startswith(f"{each}.")]
    assert found, f"add {module} to LAYERS_OF_THE_REPORT"
    return LAYERS_OF_THE_REPORT.index(max(found, key=len))


def upward_imports(imports: Graph) -> list[tuple[str, str]]:
    """Return the imports between modules of the report that lead to a later layer."""
    return [
        (module, other)
        for module, others in sorted(imports.items())
        if module.startswith(REPORT)
        for other in sorted(others)
        if other.startswith(REPORT) and layer_of_the_report(other) > layer_of_the_report(module)
    ]


def reached(imports: Graph, start: str) -> set[str]:
    """Return a module of the report and all others of the report that it needs."""
    found, ahead = set[str](), [start]
    while ahead:
        module = ahead.pop()
        if module not in found:
            found.add(module)
            ahead += [other for other in imports[module] if other.startswith(REPORT)]
    return found


def test_folders_of_the_report_import_only_earlier_ones() -> None:
    assert upward_imports(graph("surveys")) == [], "see LAYERS_OF_THE_REPORT: move the imported part down"
    planted = {
        "surveys.report.sentences.findings": frozenset({"surveys.report.rules.rule_rows"}),
        "surveys.report.rules.rule_rows": frozenset({"surveys.report.shared.addresses", "surveys.runs.look"}),
    }
    assert upward_imports(planted) == [
        ("surveys.report.sentences.findings", "surveys.report.rules.rule_rows")
    ]


def test_files_of_a_run_need_no_form_and_no_list_of_surveys() -> None:
    imports_of = graph("surveys")
    # What one can download does not depend on how pages ask for it.
    needed = reached(imports_of, f"{REPORT}export.data_package")
    paths = [ROOT / f"{module.replace('.', '/')}.py" for module in needed]
    assert [named(path) for path in paths if "django.forms" in imports(path)] == []
    assert len(needed) > 10
    for start in ("export.data_package", "export.downloads"):
        lists = [each for each in reached(imports_of, REPORT + start) if "survey_list" in each]
        assert lists == [], f"{start} needs the list of surveys"
    # The form of the table of rules would be found.
    filters = ROOT / "surveys/report/rules/rule_filters.py"
    assert "django.forms" in imports(filters)


NAMED_TEMPLATE = re.compile(r"""["']((?:[a-z_]+/)+[a-z_]+\.html)["']""")


def named_templates(path: Path) -> set[str]:
    """Return the templates that a module or a template names."""
    return set(NAMED_TEMPLATE.findall(path.read_text(encoding="utf-8")))


def test_templates_of_the_report_are_in_the_folder_of_the_module_that_shows_them() -> None:
    shown: dict[str, set[str]] = {}
    for path in modules("surveys"):
        folder = named(path).removeprefix("surveys/report/").split("/")[0]
        if named(path).startswith("surveys/report/"):
            for name in named_templates(path):
                shown.setdefault(name, set()).add(folder)
    wrong = {
        name: sorted(folders)
        for name, folders in shown.items()
        if name.startswith("report/") and len(folders) == 1 and name.split("/")[1] not in folders
    }
    assert wrong == {}
    assert len(shown) > 20


def test_every_named_template_exists() -> None:
    pages = [path for path in tracked(".html") if named(path).startswith("templates/")]
    missing = {
        (named(path), name)
        for path in (*pages, *modules(*APPS))
        for name in named_templates(path)
        if name.split("/")[0] != "admin" and not (ROOT / "templates" / name).exists()
    }
    assert missing == set()


ESTIMATING = {
    f"surveys.runs.{name}" for name in ("comparisons", "arm_results", "regression", "weighted_itemsets")
}


def test_sentences_call_no_estimator() -> None:
    imports_of = graph("surveys")
    wrong = {
        module: sorted(others & ESTIMATING)
        for module, others in imports_of.items()
        if module.startswith(f"{REPORT}sentences.") and others & ESTIMATING
    }
    assert wrong == {}, "a sentence states figures that it is given: pass them"
    assert imports_of.keys() >= ESTIMATING


PLUGGED = {"surveys": set[str](), "anonymisation": {"surveys"}}
"""Applications, and which others each may import: a plug-in imports its host, not the reverse."""


@pytest.mark.parametrize("app", APPS)
def test_applications_import_only_those_they_extend(app: str) -> None:
    wrong = {
        named(path): foreign
        for path in modules(app)
        if (foreign := {name.split(".")[0] for name in imports(path)} & PLUGGED.keys() - PLUGGED[app] - {app})
    }
    assert wrong == {}, "plug in through surveys/extension.py"


@pytest.mark.parametrize("app", [app for app in APPS if PLUGGED[app]])
def test_only_tests_of_an_application_import_it(app: str) -> None:
    """Otherwise, these tests would fail once it is deleted."""
    inside = ROOT / "tests" / app
    importing = {
        named(path): found
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if (found := {name for name in imports(path) if f"{name}.".startswith((f"{app}.", f"tests.{app}."))})
    }
    assert any((ROOT / path).is_relative_to(inside) for path in importing)
    outside = {path: names for path, names in importing.items() if not path.startswith(f"tests/{app}/")}
    assert outside == {}, "move the test there, or let the application add to it: tests/extensions.py"


def test_packages_do_not_import_the_composition_roots() -> None:
    table = packages(graph("surveys"))
    wrong = {
        package: sorted(others & ROOTS)
        for package, others in table.items()
        if package not in ROOTS | COMPOSED_OF_PARTS and others & ROOTS
    }
    assert wrong == {}, "move what the package needs out of the composition root"


@pytest.mark.parametrize("name", PAGES)
def test_architecture_pages_list_the_imports_of_each_package(name: str) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    listed = page.split("<!-- packages -->")[1].split("<!-- end of packages -->")[0].strip()
    assert listed == package_list(name), "put the output of `python -m tests.architecture` there"


@pytest.mark.parametrize("name", PAGES)
def test_architecture_pages_are_short_and_name_existing_files(name: str) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    before, after = page.split("<!-- packages -->")[0], page.split("<!-- end of packages -->")[1]
    assert len(before.splitlines()) + len(after.splitlines()) <= 120, f"shorten {name}"
    named_there = set(re.findall(r"`((?:surveys|releases|privacy|mining|tests|docs)/[\w./-]+)`", page))
    assert named_there
    gone = [path for path in sorted(named_there) if not (ROOT / path).exists()]
    assert gone == [], f"correct these paths in {name}"


def test_the_table_of_subjects_names_existing_modules() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = page.split("## Where to look for what")[1].split("\n## ")[0]
    rows = re.findall(r"^\| [^`|]+, `([\w/]+)` \| (.*) \|$", table, flags=re.MULTILINE)
    assert len(rows) > 5
    gone = [
        f"{folder}/{name}"
        for folder, subjects in rows
        for name in re.findall(r"`([\w/.*-]+)`", subjects)
        if not any(list(ROOT.glob(place)) for place in (f"{folder}/{name}", name))
    ]
    assert gone == [], "correct these names in ARCHITECTURE.md"


def test_the_pages_name_things_that_their_modules_define() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named_there = re.findall(r"`(\w+)` in `((?:surveys|privacy|mining|tests)/[\w./-]+\.(?:py|js))`", page)
    assert named_there
    gone = [
        f"{name} in {path}"
        for name, path in named_there
        if not re.search(rf"\b{name}\b", (ROOT / path).read_text(encoding="utf-8"))
    ]
    assert gone == [], "these modules no longer have it"
