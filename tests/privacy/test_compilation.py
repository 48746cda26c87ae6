"""Cached compiled code is never older than the sources it was compiled from."""

import subprocess
import sys
from importlib import import_module, invalidate_caches
from importlib.metadata import version
from importlib.util import find_spec
from types import FunctionType

import pytest

pytestmark = pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")

ENTRY = (
    "from kept.below import callee\n"
    "from numba.extending import register_jitable\n"
    "from privacy.compilation import compile_function\n"
    "register_jitable(callee.told)\n"
    "def law(x):\n    return callee.told(x)\n"
    "entry = compile_function(law)\n"
)


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Create a package whose entry calls a function in a subpackage."""
    below = tmp_path / "kept" / "below"
    below.mkdir(parents=True)
    for folder in (below, below.parent):
        (folder / "__init__.py").write_text("")
    (below / "callee.py").write_text("def told(x):\n    return x + 1\n")
    (below.parent / "entry.py").write_text(ENTRY)
    monkeypatch.syspath_prepend(str(tmp_path))
    invalidate_caches()
    return below / "callee.py"


def test_only_changed_callees_change_the_digest(kept):
    from privacy.compilation import sources_digest

    def digest():
        sources_digest.cache_clear()
        return sources_digest("kept")

    before = digest()
    (kept.parent / "__pycache__").mkdir(exist_ok=True)
    (kept.parent / "__pycache__" / "callee.pyc").write_bytes(b"compiled")
    assert digest() == before
    kept.write_text("def told(x):\n    return x + 2\n")
    assert digest() != before
    kept.write_text("def told(x):\n    return x + 1\n")
    assert digest() == before
    kept.rename(kept.with_name("other.py"))
    assert digest() != before
    for package in ("kept", "kept.below"):
        sys.modules.pop(package, None)


@pytest.mark.soak
def test_editing_a_callee_invalidates_its_compiled_callers(kept):
    program = "from kept.entry import entry; print(entry(1), sum(entry.stats.cache_hits.values()))"

    def run():
        return subprocess.run(
            [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(kept.parents[2])!r}); {program}"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()

    assert run() == ["2", "0"]
    assert run() == ["2", "1"]
    kept.write_text("def told(x):\n    return x + 2\n")
    assert run() == ["3", "0"]


def called(law, seen):
    """Return the functions that a function reaches, by the module names it reads."""
    if law not in seen:
        seen.add(law)
        for name in law.__code__.co_names:
            found = law.__globals__.get(name)
            found = getattr(found, "py_func", found)
            if isinstance(found, FunctionType):
                called(found, seen)
    return seen


@pytest.mark.parametrize("name", ["mining.columns.counting_numba", "privacy.sdc.classes_numba"])
def test_compiled_code_calls_only_its_own_package(name):
    from privacy.compilation import sources_digest

    entries = [
        (entry, f"{entry.py_func.__module__.rpartition('.')[0]}.")
        for entry in vars(import_module(name)).values()
        if hasattr(entry, "py_func")
    ]
    assert entries
    for entry, package in entries:
        assert entry.py_func.__qualname__.endswith(sources_digest(package[:-1]))
        assert all(law.__module__.startswith(package) for law in called(entry.py_func, set()))


def test_cached_code_is_keyed_by_source_digest_and_version(kept, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    from privacy.compilation import is_kept, sources_digest

    entry = FunctionType((lambda: None).__code__, {}, "law")
    entry.__module__, entry.__qualname__ = "kept.entry", "law"
    sources_digest.cache_clear()
    assert not is_kept(entry)
    folder = kept.parent.parent / "__pycache__"
    folder.mkdir(exist_ok=True)
    index = folder / f"entry.law-{sources_digest('kept')}-1.py311.nbi"
    index.write_bytes(b"0.0.1")
    assert not is_kept(entry)
    index.write_bytes(b"\x80" + version("numba").encode())
    assert is_kept(entry)
    # With another folder, numba does not use this cache.
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("NUMBA_CACHE_DIR", str(folder))
        assert not is_kept(entry)
    with monkeypatch.context() as closed:
        closed.setattr("os.access", lambda path, mode: False)
        assert not is_kept(entry)
    assert is_kept(entry)
    index.rename(index.with_suffix(".nbc"))
    assert not is_kept(entry)
    for package in ("kept", "kept.below"):
        sys.modules.pop(package, None)
