"""Write the bill of materials, and the licence notices of the packages installed with Sottovoce.

``python deploy/materials.py`` writes both from pyproject.toml, the locks and ``deploy/licences.txt``. It asks
no registry, so the same locks give the same bytes. ``sbom.cdx.json`` is CycloneDX 1.6; each component has a
digest for each file that the lock allows. It leaves out packages that only tests need
(requirements-dev.lock and package-lock.json), because no server installs them.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
REQUIRED: Final = "requirements.lock"
"""The packages that a server needs."""
LARGEST: Final = "requirements-fast.lock"
"""The same, with packages that speed up counting."""

_NOTICE: Final = """\
Sottovoce
Copyright 2026 the Sottovoce authors

Licensed under the Apache License, Version 2.0: see LICENSE.

No file of Sottovoce's program is taken from another one. The data in sottovoce/fair.csv is from R. C. Fair, A
theory of extramarital affairs, Journal of Political Economy 86 (1978), 45-61, by way of statsmodels
(BSD-3-Clause), which says of it: "Included with permission of the author."

The packages below are installed beside it, by their locked versions; each has its own licence, named by its
SPDX expression, and brings its own text, and those of what it has taken in (numba's wheel: libgomp under
GPL-3.0-or-later WITH GCC-exception-3.1, and more).

"""


@dataclass(frozen=True, kw_only=True)
class Package:
    """One package of a lock.

    Parameters
    ----------
    name, version : str
    marker : str
        Condition for installing it; "" means always.
    digests : tuple of str
        SHA-256 of each file that may be installed.
    """

    name: str
    version: str
    marker: str
    digests: tuple[str, ...]

    @property
    def purl(self) -> str:
        """Package URL."""
        return f"pkg:pypi/{self.name}@{self.version}"


def locked(name: str) -> list[Package]:
    """Return the packages of a lock in the lock's order.

    Raises
    ------
    ValueError
        A block is not a package with version and digests.
    """
    packages = []
    for block in re.split(r"\n(?=\S)", (ROOT / name).read_text(encoding="utf-8").strip()):
        head = re.match(r"([a-z0-9-]+)==([^\s;]+)(?: ; ([^\\]+?))? *\\\n", block)
        digests = tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})", block))
        if head is None or not digests:
            raise ValueError(f"{name}: {block.splitlines()[0]!r} is no package with a version and digests")
        packages.append(Package(name=head[1], version=head[2], marker=head[3] or "", digests=digests))
    return packages


def licences() -> dict[str, str]:
    """Return the SPDX expression of each package."""
    lines = (ROOT / "deploy/licences.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split(None, 1) for line in lines if not line.startswith("#"))
    return {name: expression.strip() for name, expression in pairs}


def notice(packages: list[Package], known: dict[str, str]) -> str:
    """Return the text of NOTICE."""
    return _NOTICE + "".join(f"{one.name} {one.version}: {known[one.name]}\n" for one in packages)


def bill(packages: list[Package], required: set[str], known: dict[str, str]) -> dict[str, Any]:
    """Return the bill of materials in CycloneDX format.

    Parameters
    ----------
    packages : list of Package
    required : set of str
        Names of packages that a server needs; the others are optional.
    known : dict of str to str
        SPDX expression of each package.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    purls = {one.name: one.purl for one in packages}
    extras = project["optional-dependencies"]
    asked = [*project["dependencies"], *extras["server"], *extras["parquet"], *extras["fast"]]
    direct = {re.split(r"[\[<>=]", line)[0] for line in asked}
    # Without a purl, because this name on the package index belongs to an unrelated program.
    own = f"sottovoce@{project['version']}"
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([own, *purls.values()]))}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "sottovoce",
                "version": project["version"],
                "description": project["description"],
                "licenses": [{"expression": project["license"]}],
            }
        },
        "components": [
            {
                "type": "library",
                "bom-ref": one.purl,
                "name": one.name,
                "version": one.version,
                "scope": "required" if one.name in required else "optional",
                "hashes": [{"alg": "SHA-256", "content": digest} for digest in one.digests],
                "licenses": [{"expression": known[one.name]}],
                "purl": one.purl,
                **({"properties": [{"name": "python:marker", "value": one.marker}]} if one.marker else {}),
            }
            for one in packages
        ],
        "dependencies": [{"ref": own, "dependsOn": sorted(purls[name] for name in direct)}],
    }


def made() -> dict[str, str]:
    """Return the text of each file to write, by name.

    Raises
    ------
    ValueError
        A locked package has no licence in ``deploy/licences.txt``, or a package there is not locked.
    """
    packages, known = locked(LARGEST), licences()
    odd = {one.name for one in packages} ^ set(known)
    if odd:
        raise ValueError(f"deploy/licences.txt and {LARGEST} differ in {', '.join(sorted(odd))}")
    required = {one.name for one in locked(REQUIRED)}
    return {
        "NOTICE": notice(packages, known),
        "sbom.cdx.json": json.dumps(bill(packages, required, known), indent=1) + "\n",
    }


def main() -> None:
    """Write both files."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    for name, text in made().items():
        (ROOT / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
