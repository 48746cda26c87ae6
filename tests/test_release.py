"""Metadata of a release: licence, version, bill of materials, and pages that agree with them."""

import hashlib
import importlib.metadata
import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from deploy import materials
from surveys.respondent.client_program import client
from surveys.respondent.client_releases import UNRELEASED, published_digests
from tests.test_architecture import named, tracked
from tests.test_locks import LOCKS, PYTHONS, locked

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = PROJECT["version"]
PAGES = ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_licence_text_is_apache_2_exactly() -> None:
    # The digest of apache.org/licenses/LICENSE-2.0.txt.
    digest = hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest()
    assert digest == "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"
    assert PROJECT["license"] == "Apache-2.0"
    assert "license: Apache-2.0\n" in text_of("CITATION.cff")


def test_bill_and_notices_match_the_current_locks() -> None:
    """After changing a lock or the version, run: python deploy/materials.py."""
    for name, text in materials.made().items():
        assert text_of(name) == text, f"{name} is of other locks: python deploy/materials.py"


OURS = PROJECT["name"]
RESOLVABLE = re.compile(
    r"""
    (?<![\w./-])sottovoce\[                     # a requirement with an extra
    | (?<![\w./-])sottovoce\s*[=<>~!]=\s*\d     # a requirement with a version
    | pkg:\w+/sottovoce\b(?!-)                   # a package URL
    | \b(?:pip3?|pipx|uvx?|poetry|pdm|conda|mamba|npm|npx)\b[^\n]*\s["']?sottovoce(?![\w./@-])
    """,
    re.VERBOSE,
)


@pytest.mark.parametrize(
    ("line", "resolves"),
    [
        (f'pip install "{OURS}[server]"', True),
        (f"pip install {OURS}", True),
        (f"uvx {OURS}", True),
        (f"{OURS}==1.0", True),
        (f"pkg:pypi/{OURS}@1.0.0", True),
        ('pip install ".[server]"', False),
        ("/opt/sottovoce-1.0.0/bin/pip install dist/sottovoce-1.0.0-py3-none-any.whl", False),
        ('uv tool install "dist/sottovoce-1.0.0-py3-none-any.whl[server]"', False),
    ],
)
def test_lines_that_a_package_index_resolves_are_detected(line: str, resolves: bool) -> None:
    assert bool(RESOLVABLE.search(line)) is resolves


def test_no_line_installs_the_program_from_a_package_index() -> None:
    """Someone else owns the name on the package index, so no message or page may tell users to install it."""
    wrong = [
        f"{named(path)}: {line.strip()[:120]}"
        for path in tracked("")
        if path.suffix not in {".lock", ".png", ".woff2"}
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
        if OURS in line and RESOLVABLE.search(line)
    ]
    assert wrong == []


def test_the_bill_lists_each_locked_package_with_version_hashes_and_licence() -> None:
    bill = json.loads(text_of("sbom.cdx.json"))
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill["serialNumber"])
    assert bill["metadata"]["component"]["version"] == VERSION
    parts = {part["name"]: part for part in bill["components"]}
    assert len(parts) == len(bill["components"])
    largest = {
        name: version
        for python in PYTHONS
        for name, version in locked("requirements-fast.lock", python=python).items()
    }
    # The bill holds all packages for Linux; any others are excluded there by a marker.
    assert largest.items() <= {name: part["version"] for name, part in parts.items()}.items()
    assert all("properties" in parts[name] for name in set(parts) - set(largest))
    required = locked("requirements.lock", python="3.11")
    assert {parts[name]["scope"] for name in required} == {"required"}
    assert {name for name, part in parts.items() if part["scope"] == "optional"} == {"llvmlite", "numba"}
    stated = {digest["content"] for part in parts.values() for digest in part["hashes"]}
    assert stated == set(re.findall(r"sha256:([0-9a-f]{64})", text_of("requirements-fast.lock")))
    references = {part["bom-ref"] for part in parts.values()}
    (tree,) = bill["dependencies"]
    assert set(tree["dependsOn"]) <= references
    assert {
        "pkg:pypi/numpy@" + parts["numpy"]["version"],
        "pkg:pypi/django@" + parts["django"]["version"],
    } <= set(tree["dependsOn"])
    notices = text_of("NOTICE")
    for name, part in parts.items():
        assert f"\n{name} {part['version']}: {part['licenses'][0]['expression']}\n" in notices


def test_stated_licences_match_the_package_metadata() -> None:
    known = materials.licences()
    compared = 0
    for name, expression in known.items():
        try:
            stated = importlib.metadata.metadata(name).get("License-Expression")
        except importlib.metadata.PackageNotFoundError:
            continue
        if stated:
            assert expression == stated, name
            compared += 1
    assert compared >= 20


# A phrase from the text of each licence.
SENTENCES = {
    "BSD-3-Clause": "endorse or promote products",
    "BSD-2-Clause": "redistributions in binary form must reproduce",
    "MIT": "permission is hereby granted, free of charge",
    "Apache-2.0": "apache license",
    "Apache-2.0 WITH LLVM-exception": "apache license v2.0 with llvm exceptions",
    "MPL-2.0": "mozilla public license",
    "PSF-2.0": "python software foundation",
}

# The same as a NOTICE states it of code that a package bundles.
NOTICES = {"BSD-2-Clause": 'under a "2-clause bsd" license'}


def licence_texts(name: str) -> str:
    """Return the text of an installed package's licence files, lower case and on one line."""
    pattern = re.compile(r"dist-info/(licen[cs]es/.*)?(licen[cs]e|copying|notice)[^/]*$", re.IGNORECASE)
    files = sorted(file for file in importlib.metadata.files(name) or [] if pattern.search(str(file)))
    texts = [Path(str(file.locate())).read_text(encoding="utf-8", errors="replace") for file in files]
    return " ".join(" ".join(texts).lower().split())


def test_stated_licences_match_the_licence_texts_of_packages() -> None:
    """Covers packages whose metadata give no licence expression, such as numba, and the parts of llvmlite."""
    compared = set()
    for name, expression in materials.licences().items():
        try:
            text = licence_texts(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        parts = re.split(r" AND | OR ", expression)
        if not text or not set(parts) <= set(SENTENCES):
            continue
        for part in parts:
            assert SENTENCES[part] in text or NOTICES.get(part, part) in text, f"{name} brings no {part}"
        if expression == "BSD-2-Clause":
            # Code bundled with numba has its own licences, in a separate file.
            own = text.partition("includes vendored libraries")[0]
            assert SENTENCES[expression] in own, name
            assert SENTENCES["BSD-3-Clause"] not in own, f"{name} has the third clause"
        compared.add(name)
    assert {"numba", "llvmlite"} <= compared
    assert len(compared) >= 25


def test_a_damaged_lock_or_a_missing_licence_makes_no_bill(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in (*LOCKS, "pyproject.toml"):
        (tmp_path / name).write_text(text_of(name))
    (tmp_path / "deploy").mkdir()
    whole = text_of("deploy/licences.txt")
    monkeypatch.setattr(materials, "ROOT", tmp_path)
    (tmp_path / "deploy/licences.txt").write_text(whole.replace("numpy ", "numpi "))
    with pytest.raises(ValueError, match=r"differ in numpi, numpy$"):
        materials.made()
    (tmp_path / "deploy/licences.txt").write_text(whole)
    lock = text_of("requirements-fast.lock")
    (tmp_path / "requirements-fast.lock").write_text(lock.replace("numpy==", "numpy>="))
    with pytest.raises(ValueError, match=r"'numpy>=.*' is no package with a version and digests"):
        materials.made()
    (tmp_path / "requirements-fast.lock").write_text(re.sub(r"numpy==[\d.]+", "numpy==9.9", lock))
    assert materials.made()["NOTICE"] != text_of("NOTICE")


def test_all_pages_name_the_current_version() -> None:
    assert f"\nversion: {VERSION}\n" in text_of("CITATION.cff")
    assert re.findall(r"^## (.*)$", text_of("CHANGELOG.md"), re.MULTILINE)[:2] == ["Unreleased", VERSION]
    assert VERSION in published_digests()
    assert set(published_digests()) <= {UNRELEASED, *re.findall(r"^## (.*)$", text_of("CHANGELOG.md"), re.M)}
    assert f"v{VERSION}" in text_of("CONTRIBUTING.md")
    # Operators start from an archive, because the tag may not exist yet.
    assert f"sottovoce-{VERSION}-py3-none-any.whl" in text_of("docs/operators.md")
    assert "--branch" not in text_of("docs/operators.md")
    assert f"\n| {VERSION} |" in text_of("docs/support.md")


def test_the_support_policy_matches_the_project_metadata() -> None:
    page = text_of("docs/support.md")
    (stated,) = re.findall(r"^\| Python \| ([\d., ]+) \|", page, re.MULTILINE)
    served = SpecifierSet(PROJECT["requires-python"])
    assert stated.split(", ") == PYTHONS == [f"3.{n}" for n in range(30) if f"3.{n}" in served]
    assert [f"Programming Language :: Python :: {python}" for python in PYTHONS] == [
        line for line in PROJECT["classifiers"] if line.startswith("Programming Language :: Python :: 3.")
    ]
    (django,) = re.findall(r"^\| Django \| ([\d.]+),", page, re.MULTILINE)
    (asked,) = (line for line in PROJECT["optional-dependencies"]["server"] if line.startswith("django>"))
    assert asked.startswith(f"django>={django},")


# First versions of Chrome and Edge, Firefox, Safari, according to MDN (@mdn/browser-compat-data 8.1.9).
# Features of mere appearance (text-wrap, field-sizing) are left out. Chrome 103 gives the error of
# AbortSignal.timeout another name, which no code reads.
FIRST_VERSIONS = {
    r"\.databases\(\)": (72, 126, "14"),
    r"AbortSignal\.timeout": (103, 100, "16"),
    r"\.findLast\(": (97, 104, "15.4"),
    r"navigator\.locks": (69, 96, "15.4"),
    r"Object\.hasOwn": (93, 92, "15.4"),
    r"\.(with|toSorted|toSpliced)\(": (110, 115, "16"),
    r"checkVisibility\(": (105, 106, "17.4"),
    r":has\(": (105, 121, "15.4"),
    r": subgrid": (117, 71, "16"),
    r"@media \(width": (104, 102, "16.4"),
    r"showModal\(": (37, 98, "15.4"),
}


@pytest.mark.parametrize("whose", ["respondents", "staff"])
def test_minimum_browsers_support_every_feature_used(whose: str) -> None:
    if whose == "respondents":
        sources = [file.content.decode() for file in client().files]
    else:
        static = ROOT / "surveys/static/surveys"
        sources = [path.read_text("utf-8") for kind in ("js", "css") for path in static.rglob(f"*.{kind}")]
    used = [first for code, first in FIRST_VERSIONS.items() if any(re.search(code, text) for text in sources)]
    chrome, firefox, safari = zip(*used, strict=True)
    needed = f"Chrome and Edge {max(chrome)}, Firefox {max(firefox)}, Safari {max(safari, key=float)}"
    assert f"\n| {whose} | {needed}, and later" in text_of("docs/support.md")


@pytest.mark.parametrize("page", PAGES)
def test_links_of_pages_next_to_the_readme_resolve(page: str) -> None:
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text_of(page))
    assert [link for link in links if not (ROOT / link).exists()] == []


USED = re.compile(r"^\s*-?\s*uses:\s*(\S+)", re.MULTILINE)


def test_workflows_run_no_action_that_a_tag_could_replace() -> None:
    """A tag of an action can change after it was read. A digest of a commit, or plain commands, cannot."""
    workflows = [*(ROOT / ".github" / "workflows").glob("*.y*ml"), *(ROOT / "docs").rglob("*.md")]
    assert any(path.suffix != ".md" for path in workflows)
    used = [name for path in workflows for name in USED.findall(path.read_text(encoding="utf-8"))]
    assert [name for name in used if not re.search(r"@[0-9a-f]{40}$", name)] == []
    assert USED.findall("      - uses: actions/checkout@v5") == ["actions/checkout@v5"]
