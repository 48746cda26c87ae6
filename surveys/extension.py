"""What an application beside `surveys` plugs in: attributes and methods of its AppConfig.

`SOTTO_APPS` says which applications are on. Each is a package beside this one with an ``apps.py``, whose
AppConfig is an `Extension`. Nothing in `surveys` imports one: it asks those that are on, here. Django itself
finds their models, commands, template tags and static files.

A method imports what it returns when it is asked, since Django loads ``apps.py`` before any model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig, apps

if TYPE_CHECKING:
    from django.db.models import Model

__all__ = ["Extension", "MenuEntry", "extensions", "models_here"]


@dataclass(frozen=True, kw_only=True)
class MenuEntry:
    """A link in the masthead of staff pages.

    Attributes
    ----------
    page : str
        Name of its address, such as ``releases:begin``.
    label : str
        Translated when it is shown.
    opens_to : str
        Attribute of `surveys.accounts.masthead.Desk` that says who sees it, such as ``builds``.
    """

    page: str
    label: Any
    opens_to: str


class Extension(AppConfig):
    """An application that plugs into `surveys`; each answer is empty unless the application gives another.

    Attributes
    ----------
    pages : mapping of str to str
        Modules of addresses below ``staff/``, by namespace; these pages may send forms.
    menu : tuple of MenuEntry
    refusals, statuses : mapping
        By case, as in `surveys.errors.catalogue`: message and remedy; the HTTP status where it is not 422.
    actions : mapping of str to str
        What the log calls its events.
    timed_loggers : frozenset of str
        Loggers whose lines have the time, as in `surveys.server.logs`.
    steps_by_clock : frozenset of str
        Names of sweeper steps that delete by the clock: they rest while it is in doubt.
    """

    default_auto_field = "django.db.models.BigAutoField"

    pages: Mapping[str, str] = {}
    menu: tuple[MenuEntry, ...] = ()
    refusals: Mapping[str, tuple[str, str]] = {}
    statuses: Mapping[str, int] = {}
    actions: Mapping[str, Any] = {}
    timed_loggers: frozenset[str] = frozenset()
    steps_by_clock: frozenset[str] = frozenset()

    def works(self) -> Mapping[str, Callable[..., Any]]:
        """Return the work of each kind of job, as `surveys.jobs.lease.perform` takes it.

        A worker asks when it starts, so that what the work needs is loaded before the first job.
        """
        return {}

    def sweeper_steps(self) -> Mapping[str, Callable[[], object]]:
        """Return the steps of the sweeper, by name; a step takes no argument and may run twice."""
        return {}

    def doctor_checks(self) -> tuple[Callable[..., Any], ...]:
        """Return checks of a running installation, as in `surveys.doctor`."""
        return ()


def extensions() -> list[Extension]:
    """Return the applications that are on; none before Django knows them."""
    if not apps.apps_ready:
        return []
    return [config for config in apps.get_app_configs() if isinstance(config, Extension)]


def models_here() -> list[type[Model]]:
    """Return the models of `surveys` and of the applications that are on."""
    return [
        model for config in (apps.get_app_config("surveys"), *extensions()) for model in config.get_models()
    ]
