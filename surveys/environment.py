"""Environment variables as typed values, and why a value cannot be used."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured


def refuse_earlier_names() -> None:
    """Refuse settings that begin with SOTTO_, the program's earlier name.

    Passing over SOTTO_HOME would start with an empty database.
    """
    if names := sorted(name for name in os.environ if name.startswith("SOTTO_")):
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        example = f"SOTTOVOCE_{names[0].removeprefix('SOTTO_')}"
        raise ImproperlyConfigured(
            f"{', '.join(names[:3])}{more} cannot be read, because Sotto is called Sottovoce now; rename it, "
            f"for example to {example}, after reading docs/operators.md (Databases of other programs)."
        )


def env_bool(name: str, default: bool) -> bool:
    """Read a switch: 1, true, yes, on or 0, false, no, off."""
    text = os.environ.get(name, "").strip().lower()
    if not text:
        return default
    if text in {"1", "true", "yes", "on", "0", "false", "no", "off"}:
        return text in {"1", "true", "yes", "on"}
    raise ImproperlyConfigured(f"{name} is {text!r}; write 1 or 0.")


def env_path(name: str, default: Path) -> Path:
    """Return a path in the environment, or the default, as an absolute path."""
    path = Path(os.environ.get(name) or default)
    try:
        return path.expanduser().resolve()
    except RuntimeError as error:
        raise ImproperlyConfigured(
            f"{name} is {str(path)!r}, and this user is unknown; write the whole path."
        ) from error


def env_number(name: str, default: int, *, least: int = 1) -> int:
    """Read a whole number of at least `least`."""
    text = os.environ.get(name, "").strip()
    return _whole(name, text, least) if text else default


def _whole(name: str, text: str, least: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 12 and int(text) >= least):
        raise ImproperlyConfigured(f"{name} is {text[:40]!r}; write a whole number from {least} on.")
    return int(text)


def env_counts(name: str, default: tuple[int, int]) -> tuple[int, int]:
    """Read two positive whole numbers, separated by a comma."""
    given = _two(name, default)
    return (_whole(name, given[0], 1), _whole(name, given[1], 1)) if given else default


def env_pair(name: str, default: tuple[float, float]) -> tuple[float, float]:
    """Read two positive numbers, separated by a comma, the smaller one first."""
    given = _two(name, default)
    pair = (_real(name, given[0]), _real(name, given[1])) if given else default
    if pair[0] > pair[1]:
        raise ImproperlyConfigured(f"{name} is {os.environ[name][:40]!r}; write the smaller number first.")
    return pair


def _two(name: str, example: tuple[float, float]) -> list[str]:
    given = env_list(name, [])
    if given and len(given) != 2:
        raise ImproperlyConfigured(
            f"{name} is {os.environ[name][:40]!r}; write two numbers with a comma between them, such as "
            f"{example[0]},{example[1]}."
        )
    return given


def _real(name: str, text: str) -> float:
    if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", text) is None or float(text) == 0:
        raise ImproperlyConfigured(f"{name} has {text[:40]!r}; write a number above 0, such as 2.5.")
    return float(text)


def env_list(name: str, default: list[str]) -> list[str]:
    """Read names separated by commas."""
    return [part for text in os.environ.get(name, "").split(",") if (part := text.strip())] or default


def env_checked(name: str, default: list[str], is_valid: Callable[[str], object], remedy: str) -> list[str]:
    """Read names separated by commas, and refuse an invalid one with a remedy."""
    texts = env_list(name, default)
    for text in texts:
        if not is_valid(text):
            raise ImproperlyConfigured(f"{name} has {text[:80]!r}; {remedy}")
    return texts


def env_hosts(name: str, default: list[str]) -> list[str]:
    """Read names of hosts, or "*" for all."""
    host = re.compile(r"\*|\.?[\w-]+(\.[\w-]+)*\.?|\[[0-9a-fA-F:.]+\]").fullmatch
    remedy = "write names such as survey.example.org, without https:// and without a port."
    return env_checked(name, default, host, remedy)


def env_mixers() -> list[str]:
    """Read the names of the two hosts whose sweepers share the mixer's keys; empty for one mixer."""
    two = "write the names of two hosts with a comma between them, such as mix1,mix2"
    hosts = env_checked("SOTTOVOCE_MIXERS", [], re.compile(r"[\w-]+(\.[\w-]+)*").fullmatch, f"{two}.")
    stated = f"SOTTOVOCE_MIXERS is {','.join(hosts)[:80]!r}"
    if hosts and (len(hosts) != 2 or hosts[0] == hosts[1]):
        raise ImproperlyConfigured(f"{stated}; {two}, or leave it out for one mixer.")
    if hosts and not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        raise ImproperlyConfigured(
            f"{stated}, but the database is SQLite, which two hosts cannot share; name a PostgreSQL database "
            f"in DATABASE_URL, or leave out SOTTOVOCE_MIXERS."
        )
    return hosts


def is_origin(text: str) -> bool:
    """Return whether a text is an origin as browsers write it: without path, capitals or default port.

    Examples
    --------
    >>> is_origin("https://page.example.org:8443"), is_origin("https://page.example.org/")
    (True, False)
    """
    return (
        re.fullmatch(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?", text) is not None
        and not text.endswith((".", ":443" if text.startswith("https") else ":80"))
        and bool(urlsplit(text).hostname)
    )


def env_origins(name: str, *, plain: bool = False) -> list[str]:
    """Read origins as browsers write them: with https, on this machine, or also with http if `plain`."""

    def is_valid(origin: str) -> bool:
        here = re.match(r"https:|http://(localhost|127\.0\.0\.1)(:|$)", origin)
        return is_origin(origin) and (plain or here is not None)

    remedy = "write whole origins with commas between them, such as https://page.example.org, without a path."
    return env_checked(name, [], is_valid, remedy)


def env_frame_origin(tools: list[str], clients: list[str]) -> str:
    """Read the origin that serves only frames; empty if there is none."""
    origin, *others = env_origins("SOTTOVOCE_FRAME_ORIGIN") or [""]
    if others or (origin and origin in (*tools, *clients)):
        raise ImproperlyConfigured(
            f"SOTTOVOCE_FRAME_ORIGIN is {', '.join([origin, *others])[:80]!r}; name one origin of this "
            f"server, at which no survey is answered and no survey tool runs."
        )
    return origin


def applications(*, installed: list[str]) -> list[str]:
    """Return SOTTOVOCE_APPS, packages with an ``apps.py``; if it is not set, all installed applications."""
    if "SOTTOVOCE_APPS" not in os.environ:
        return installed
    example = ",".join(installed) or "none"
    remedy = f"write names of applications with commas between them, such as {example}, or nothing."
    return env_checked("SOTTOVOCE_APPS", [], _is_application, remedy)


def _is_application(name: str) -> bool:
    with suppress(ImportError, ValueError):
        return name != "surveys" and find_spec(f"{name}.apps") is not None
    return False
