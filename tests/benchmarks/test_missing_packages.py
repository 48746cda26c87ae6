"""Development commands name a package that they lack, in one sentence."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def started(folder: Path, module: str) -> subprocess.CompletedProcess[str]:
    """Start a module in a folder that contains only our helper, without installed packages."""
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", _START, str(folder), module],
        capture_output=True,
        text=True,
        check=False,
    )


_START = """
import runpy, sys
sys.path.insert(0, sys.argv[1])
module, sys.argv = sys.argv[2], ["-m"]
sys.orig_argv = [sys.executable, "-m", module]
runpy.run_module(module, run_name="__main__", alter_sys=False)
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name in ("benchmarks", "tests"):
        (tmp_path / name).mkdir()
        for file in ("__init__.py", "missing_packages.py"):
            if (source := ROOT / name / file).exists():
                (tmp_path / name / file).write_bytes(source.read_bytes())
    (tmp_path / "tests/where.py").write_text("import pytest\n")
    (tmp_path / "benchmarks/fast.py").write_text("from numba.core import types\n")
    (tmp_path / "benchmarks/broken.py").write_text("import benchmarks.gone\n")
    (tmp_path / "benchmarks/wrong.py").write_text("1 / 0\n")
    return tmp_path


@pytest.mark.parametrize(("module", "package"), [("tests.where", "pytest"), ("benchmarks.fast", "numba")])
def test_a_missing_package_is_named_with_what_to_type(checkout: Path, module: str, package: str) -> None:
    done = started(checkout, module)
    assert done.returncode == 1
    assert done.stderr == (
        f"{module} needs the package {package}. Install it with ./test --install, then type: "
        f".venv/bin/python -m {module}\n"
    )


@pytest.mark.parametrize("module", ["benchmarks.broken", "benchmarks.wrong"])
def test_faults_of_our_own_keep_their_traceback(checkout: Path, module: str) -> None:
    done = started(checkout, module)
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback")
