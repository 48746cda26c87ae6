"""Extension points for other applications: attributes and methods of their AppConfig.

`SOTTOVOCE_APPS` lists the enabled applications. Each is a package next to this one with an ``apps.py``, whose
AppConfig is an `Extension`, and with a ``sottovoce.toml`` of what must be known while it is disabled
(`surveys.declarations`). No module of `surveys` imports an application; this module queries the enabled
ones. Django itself finds their models, commands, template tags and static files.

Methods must not import what they return before they are called, because Django loads ``apps.py`` before any
model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from django.apps import AppConfig, apps

from surveys.declarations import Declaration, declaration_read, declarations

if TYPE_CHECKING:
    from django.db.models import Model


Refusal = tuple[str, str] | tuple[str, str, int]
"""Message and remedy of an error, and its HTTP status if it is not 422."""


class EventKind(NamedTuple):
    """The words of one kind of audit event; see `surveys.accounts.event_sentences`.

    Attributes
    ----------
    label : str
        What was done, for lists of kinds: "published a version".
    sentence : str
        One sentence with named fields: "%(who)s published version %(version)s of %(survey)s."
    """

    label: Any
    sentence: Any


@dataclass(frozen=True, kw_only=True)
class MenuEntry:
    """A link in the masthead of staff pages.

    Attributes
    ----------
    page : str
        URL name, such as ``releases:begin``.
    label : str
        Text of the link, translated when it is shown.
    opens_to : str
        Attribute of `surveys.accounts.staff_menu.StaffMenu` that decides who sees it, such as ``builds``.
    """

    page: str
    label: Any
    opens_to: str


class Extension(AppConfig):
    """An application that extends `surveys`. By default, all attributes and results are empty.

    Attributes
    ----------
    pages : mapping of str to str
        URL modules below ``staff/``, by namespace. These pages may send forms.
    menu : tuple of MenuEntry
    refusals : mapping of str to Refusal
        By case, as in `surveys.errors`.
    actions : mapping of str to EventKind
        Labels and sentences of its audit events.
    steps_by_clock : frozenset of str
        Names of sweeper steps that delete by the clock, and are skipped while the clock is in doubt.
    """

    default_auto_field = "django.db.models.BigAutoField"

    pages: Mapping[str, str] = {}
    menu: tuple[MenuEntry, ...] = ()
    refusals: Mapping[str, Refusal] = {}
    actions: Mapping[str, EventKind] = {}
    steps_by_clock: frozenset[str] = frozenset()

    def works(self) -> Mapping[str, Callable[..., Any]]:
        """Return the work function of each kind of job, for `surveys.jobs.lease.perform`.

        A worker calls this when it starts, so that the code is loaded before the first job.
        """
        return {}

    def sweeper_steps(self) -> Mapping[str, Callable[[], object]]:
        """Return steps of the sweeper by name. A step has no parameters and may run twice."""
        return {}

    def doctor_checks(self) -> tuple[Callable[..., Any], ...]:
        """Return checks of a running installation, as in `surveys.server.health`."""
        return ()


def extensions() -> list[Extension]:
    """Return the enabled applications; empty before Django's registry is ready."""
    if not apps.apps_ready:
        return []
    return [config for config in apps.get_app_configs() if isinstance(config, Extension)]


def installed() -> list[Declaration]:
    """Return the declarations of all applications next to this package, and of others that are enabled."""
    here = declarations()
    enabled = [declaration_read(Path(config.path)) for config in extensions()]
    return here + [each for each in enabled if each not in here]


def models_here() -> list[type[Model]]:
    """Return the models of `surveys` and of the enabled applications."""
    return [
        model for config in (apps.get_app_config("surveys"), *extensions()) for model in config.get_models()
    ]
