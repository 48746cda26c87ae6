"""Static files under names that carry their digest."""

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
    """Hashed names, also for the modules that a JavaScript module imports.

    Without the second half a cached page could load a new module beside an old one, and the two would
    disagree about the layout of a body.
    """

    support_js_module_import_aggregation = True
    # A pass follows imports as long as they go up the alphabet; those of the builder go down it six times.
    max_post_process_passes = 12

    def stored_name(self, name: str) -> str:
        """Return the hashed name, or the plain one where nothing has been collected yet.

        So that `manage.py runserver` works at once; ./run always collects first.
        """
        return str(super().stored_name(name)) if self.hashed_files else name

    def url_converter(
        self, name: str, hashed_files: dict[str, str], template: str | None = None
    ) -> Callable[[re.Match[str]], str]:
        """Return Django's converter, except that what a comment says stays as it is.

        A JSDoc type such as ``{import("./disguise.js").Design}`` looks like an import to Django. Types may
        refer to each other in a circle, and around a circle no digest can be found.
        """
        convert: Callable[[re.Match[str]], str] = super().url_converter(name, hashed_files, template)

        def outside_comments(match: re.Match[str]) -> str:
            return match.group() if _in_comment(match) else convert(match)

        return outside_comments if name.endswith(".js") else convert


def source_digest() -> str:
    """Return a digest of all that collecting makes files from: their sources, and the programs that do it."""
    programs = (version("django"), version("whitenoise"), find_spec("brotli") is not None)
    total = hashlib.sha256(repr(programs).encode() + Path(__file__).read_bytes())
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda entry: entry[0]):
            with storage.open(path) as file:
                content = hashlib.sha256(file.read()).hexdigest()
            total.update(f"\0{path}\0{content}".encode())
    return total.hexdigest()


def _in_comment(match: re.Match[Any]) -> bool:
    opened = match.string.rfind("/*", 0, match.start())
    return opened > match.string.rfind("*/", 0, match.start())
