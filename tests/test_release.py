"""What a release says of itself: licence, version, bill of materials, and pages that agree."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from deploy import materials
from surveys.respondent.published_digests import UNRELEASED, published_digests
from tests.test_locks import LOCKS, PYTHONS, locked

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION = PROJECT["version"]
PAGES = ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_licence_is_apaches_letter_by_letter() -> None:
    # As apache.org/licenses/LICENSE-2.0.txt has it.
    digest = hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest()
    assert digest == "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"
    assert PROJECT["license"] == "Apache-2.0"
    assert "license: Apache-2.0\n" in text_of("CITATION.cff")


def test_bill_and_notices_are_those_of_the_locks_as_they_are() -> None:
    """Whoever changes a lock or the version runs: python deploy/materials.py."""
    for name, text in materials.made().items():
        assert text_of(name) == text, f"{name} is of other locks: python deploy/materials.py"


def test_the_bill_names_each_locked_package_with_its_version_digests_and_licence() -> None:
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
    # Beside what Linux takes, only what a marker keeps from it.
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


def test_a_stated_licence_is_the_one_that_the_installed_package_states() -> None:
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


def test_a_lock_that_is_damaged_or_without_a_licence_makes_no_bill(
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


def test_every_page_names_this_version() -> None:
    assert f"\nversion: {VERSION}\n" in text_of("CITATION.cff")
    assert re.findall(r"^## (.*)$", text_of("CHANGELOG.md"), re.MULTILINE)[:2] == ["Unreleased", VERSION]
    assert VERSION in published_digests()
    assert set(published_digests()) <= {UNRELEASED, *re.findall(r"^## (.*)$", text_of("CHANGELOG.md"), re.M)}
    for page in ("docs/operators.md", "CONTRIBUTING.md"):
        assert f"v{VERSION}" in text_of(page)
    assert f"\n| {VERSION} |" in text_of("docs/support.md")


def test_the_support_policy_is_that_of_the_project() -> None:
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


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_a_page_beside_the_readme_leads_to_a_file(page: str) -> None:
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text_of(page))
    assert [link for link in links if not (ROOT / link).exists()] == []
