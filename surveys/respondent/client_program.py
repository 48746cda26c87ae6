"""The code that runs in a respondent's browser, and its digest.

Whoever wants to know which code disguises the answers reads these files; whoever read them once compares the
digest. It is computed over the bytes as they are served, and anybody can do the same with
``curl ... | sha256sum``, the files one after another in the order of the list.

A server that lies can show this digest and serve another script: that is said wherever the digest is shown.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage

from surveys.errors.error import SurveyError

# All that the pages of a survey load, open or closed, in alphabetical order; a test follows the imports.
FILES: Final = (
    "surveys/js/block.js",
    "surveys/js/closed.js",
    "surveys/js/code.js",
    "surveys/js/coins.js",
    "surveys/js/deliver.js",
    "surveys/js/disguise.js",
    "surveys/js/dom.js",
    "surveys/js/flow.js",
    "surveys/js/groups.js",
    "surveys/js/invitation.js",
    "surveys/js/key-file.js",
    "surveys/js/label.js",
    "surveys/js/language.js",
    "surveys/js/layout.js",
    "surveys/js/number-field.js",
    "surveys/js/numbers.js",
    "surveys/js/odds.js",
    "surveys/js/pages.js",
    "surveys/js/parts.js",
    "surveys/js/place-field.js",
    "surveys/js/places.js",
    "surveys/js/post.js",
    "surveys/js/question.js",
    "surveys/js/rehearsal.js",
    "surveys/js/respond.js",
    "surveys/js/review.js",
    "surveys/js/scale.js",
    "surveys/js/seal.js",
    "surveys/js/sent.js",
    "surveys/js/trail.js",
    "surveys/js/trial.js",
    "surveys/js/waiting.js",
    "surveys/js/whole.js",
)

# Of these, what only a survey by invitation loads, what a preview, and what one with a number or a place.
GROUP_FILES: Final = ("surveys/js/groups.js",)
INVITATION_FILES: Final = ("surveys/js/code.js", "surveys/js/invitation.js")
PREVIEW_FILES: Final = ("surveys/js/rehearsal.js",)
# Loaded once the first screen is there, or when they are asked for.
LATER_FILES: Final = ("surveys/js/language.js", "surveys/js/sent.js", "surveys/js/whole.js")
SCALE_FILES: Final = (
    "surveys/js/scale.js",
    "surveys/js/number-field.js",
    "surveys/js/place-field.js",
)


@dataclass(frozen=True, kw_only=True)
class ClientFile:
    """One script as it is served.

    Parameters
    ----------
    name : str
        In the source tree.
    url : str
        Where it is served.
    digest : str
        SHA-256, 64 hex digits.
    """

    name: str
    url: str
    digest: str


@dataclass(frozen=True, kw_only=True)
class Client:
    """All scripts of the respondent's page.

    Parameters
    ----------
    files : tuple of ClientFile
    digest : str
        SHA-256 of the files' bytes, one file after another.
    """

    files: tuple[ClientFile, ...]
    digest: str


def client() -> Client:
    """Return the scripts that this installation serves.

    Raises
    ------
    SurveyError
        A file is missing: ``manage.py collectstatic`` has not run since it was added.
    """
    whole = hashlib.sha256()
    files = []
    for name in FILES:
        content = _served(name)
        whole.update(content)
        files.append(
            ClientFile(
                name=name, url=staticfiles_storage.url(name), digest=hashlib.sha256(content).hexdigest()
            )
        )
    return Client(files=tuple(files), digest=whole.hexdigest())


def _served(name: str) -> bytes:
    # A storage with hashed names serves what collectstatic wrote: the same scripts, but they import each
    # other by their hashed names. Without one the sources are served.
    stored_name = getattr(staticfiles_storage, "stored_name", None)
    try:
        path = staticfiles_storage.path(stored_name(name)) if stored_name else finders.find(name)
        if path is None:
            raise FileNotFoundError(name)
        return Path(path).read_bytes()
    except (FileNotFoundError, ValueError) as error:
        raise SurveyError("client_file", name=name) from error
