"""Names of static files by content: the storage of the manifest, and a digest of all sources."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from django.contrib.staticfiles.finders import get_finders
from django.core.files.storage import Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

_IMPORT: Final = re.compile(r"""["'](\.{1,2}/[\w./-]+\.js)["']""")
"""The relative address of an imported module; one in a comment only affects the order."""


class ManifestStorage(CompressedManifestStaticFilesStorage):
    """Static files with hashed names, also for imports in JavaScript modules.

    Without hashed module names, a cached page could load a new module together with an old one that disagrees
    about the layout of a body.
    """

    support_js_module_import_aggregation = True
    # Django processes deeper folders first, whatever they import.
    max_post_process_passes = 12

    def post_process(
        self, paths: Mapping[str, tuple[Storage, str]], *args: Any, **options: Any
    ) -> Iterator[tuple[str, str, bool]]:
        """List imported modules before the modules that import them.

        In alphabetical order, Django processes all files up to eleven times, which takes most of the time of
        the first start.
        """
        ordered = {name: paths[name] for name in imports_first(_javascript_of(paths), paths)}
        yield from super().post_process(ordered, *args, **options)

    def stored_name(self, name: str) -> str:
        """Return the hashed name, or the plain one if files have not been collected yet.

        This lets `manage.py runserver` work immediately; `./run` always collects first.
        """
        return str(super().stored_name(name)) if self.hashed_files else name

    def url_converter(
        self, name: str, hashed_files: dict[str, str], template: str | None = None
    ) -> Callable[[re.Match[str]], str]:
        """Return Django's converter, changed to leave comments alone.

        Django mistakes a JSDoc type such as ``{import("./disguise.js").Design}`` for an import. Types may
        form a cycle, and files in a cycle have no digest.
        """
        convert: Callable[[re.Match[str]], str] = super().url_converter(name, hashed_files, template)

        def outside_comments(match: re.Match[str]) -> str:
            return match.group() if _in_comment(match) else convert(match)

        return outside_comments if name.endswith(".js") else convert


def imports_first(sources: Mapping[str, str], names: Iterable[str]) -> list[str]:
    """Return file names, each module after those that it imports.

    Parameters
    ----------
    sources : mapping of str to str
        Contents of JavaScript modules, by name.
    names : iterable of str
        All names, including those of other files.

    Examples
    --------
    >>> imports_first({"a/a.js": 'import "./b.js";', "a/b.js": ""}, ["a/a.js", "a/b.js", "a/c.css"])
    ['a/b.js', 'a/a.js', 'a/c.css']
    """
    ordered: dict[str, None] = {}
    for name in names:
        ahead, met = [(name, False)], set()
        while ahead:
            here, are_imports_done = ahead.pop()
            if are_imports_done:
                ordered[here] = None
            elif here not in ordered and here not in met:
                met.add(here)
                ahead.append((here, True))
                found = (
                    posixpath.join(posixpath.dirname(here), url)
                    for url in _IMPORT.findall(sources.get(here, ""))
                )
                ahead += [(path, False) for path in map(posixpath.normpath, found) if path in sources]
    return list(ordered)


def _javascript_of(paths: Mapping[str, tuple[Storage, str]]) -> dict[str, str]:
    sources = {}
    for name, (storage, path) in paths.items():
        if name.endswith(".js"):
            with storage.open(path) as file:
                sources[name] = file.read().decode("utf-8", "replace")
    return sources


def source_digest() -> str:
    """Return a digest of the inputs of `collectstatic`: source files, and the versions that process them."""
    programs = (version("django"), version("whitenoise"), find_spec("brotli") is not None)
    total = hashlib.sha256(repr(programs).encode() + Path(__file__).read_bytes())
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda entry: entry[0]):
            with storage.open(path) as file:
                content = hashlib.sha256(file.read()).hexdigest()
            total.update(f"\0{path}\0{content}".encode())
    return total.hexdigest()


def _in_comment(match: re.Match[Any]) -> bool:
    opening = match.string.rfind("/*", 0, match.start())
    return opening > match.string.rfind("*/", 0, match.start())
