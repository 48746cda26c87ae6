"""Names of static files by content: the storage of the manifest, and a digest of all sources."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import get_finders
from whitenoise.storage import CompressedManifestStaticFilesStorage


class ManifestStorage(CompressedManifestStaticFilesStorage):
    """Static files with hashed names, also for imports in JavaScript modules.

    Without hashed module names, a cached page could load a new module together with an old one that disagrees
    about the layout of a body.
    """

    support_js_module_import_aggregation = True
    # Each pass follows imports only in alphabetical order, and the builder's imports reverse it six times.
    max_post_process_passes = 12

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
