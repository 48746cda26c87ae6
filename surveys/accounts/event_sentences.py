"""Say each audit event in one sentence: "Ana published version 1 of “Work and health”."."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import Max
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from surveys.extension import EventKind, extensions
from surveys.models import AuditEvent, Survey
from surveys.models.audit_event import ALL_SURVEYS, LOG_IN_PAGE

EVENT_KINDS: Final[Mapping[str, EventKind]] = {
    "account_change": EventKind(_("changed an account"), _("%(who)s changed %(account)s.")),
    "account_expert": EventKind(_("switched to expert view"), _("%(who)s switched to expert view.")),
    "account_invite": EventKind(_("invited a person"), _("%(who)s invited %(person)s.")),
    "account_let_in": EventKind(_("unlocked an account"), _("%(who)s unlocked %(account)s.")),
    "account_plain": EventKind(_("switched to simple view"), _("%(who)s switched to simple view.")),
    "account_rescue": EventKind(
        _("made someone an administrator by command"),
        _("%(who)s made %(person)s an administrator."),
    ),
    "account_reset": EventKind(
        _("created a new link to set a password"),
        _("%(who)s created a link to set a new password for %(account)s."),
    ),
    "account_resume": EventKind(_("enabled an account again"), _("%(who)s enabled %(account)s again.")),
    "account_stop": EventKind(_("disabled an account"), _("%(who)s disabled %(account)s.")),
    "api_token_end": EventKind(
        _("revoked an API token"),
        _("%(who)s revoked the API token “%(token)s” of %(account)s."),
    ),
    "api_token_make": EventKind(
        _("created an API token"),
        _("%(who)s created the API token “%(token)s” for %(account)s."),
    ),
    "data_export": EventKind(
        _("exported disguised answers"),
        _("%(who)s exported the disguised answers of %(run)s."),
    ),
    "draft_aim": EventKind(_("described the aim of a survey"), _("%(who)s described the aim of %(survey)s.")),
    "draft_convert": EventKind(
        _("opened a draft whose tick-all questions became lists"),
        _("%(who)s opened the draft %(survey)s, and its tick-all questions became lists."),
    ),
    "draft_create": EventKind(_("created a draft"), _("%(who)s created the draft %(survey)s.")),
    "draft_delete": EventKind(_("deleted a draft"), _("%(who)s deleted the draft %(survey)s.")),
    "draft_rename": EventKind(
        _("renamed a draft"),
        _("%(who)s changed the address of the draft %(survey)s; it was “%(before)s”."),
    ),
    "draft_save": EventKind(_("saved a draft"), _("%(who)s saved the draft %(survey)s.")),
    "everybody_let_in": EventKind(_("unlocked all accounts"), _("%(who)s unlocked all accounts.")),
    "invitations_make": EventKind(
        _("created invitation codes"),
        _("%(who)s created invitation codes for %(survey)s: %(codes)s."),
    ),
    "invitations_revoke": EventKind(
        _("withdrew invitation codes"),
        _("%(who)s withdrew invitation codes of %(survey)s."),
    ),
    "log_in": EventKind(_("logged in"), _("%(who)s logged in.")),
    "log_in_fail": EventKind(_("failed to log in"), _("Someone failed to log in as %(person)s.")),
    "log_in_keep_out": EventKind(
        _("account locked after too many failed logins"),
        _("The account of %(person)s was locked after too many failed logins."),
    ),
    "password_change": EventKind(_("changed their password"), _("%(who)s changed their password.")),
    "answers_read": EventKind(
        _("imported a file of another tool"),
        _("%(who)s imported the file of another tool as %(survey)s."),
    ),
    "password_set": EventKind(_("set a password with a link"), _("%(who)s set a password with a link.")),
    "recovery_code_use": EventKind(
        _("logged in with a recovery code"),
        _("%(who)s logged in with a recovery code (unused codes: %(left)s)."),
    ),
    "recovery_codes_make": EventKind(
        _("created new recovery codes"),
        _("%(who)s created new recovery codes."),
    ),
    "results_share": EventKind(
        _("shared results by link"),
        _("%(who)s shared the results of %(survey)s by link until %(until)s."),
    ),
    "results_unshare": EventKind(
        _("revoked a link to results"),
        _("%(who)s revoked a link to the results of %(survey)s."),
    ),
    "risk_share": EventKind(
        _("shared the privacy risk by link"),
        _("%(who)s shared the privacy risk of %(survey)s by link until %(until)s."),
    ),
    "risk_unshare": EventKind(
        _("revoked a link to the privacy risk"),
        _("%(who)s revoked a link to the privacy risk of %(survey)s."),
    ),
    "run_cancel": EventKind(_("cancelled a run"), _("%(who)s cancelled %(run)s.")),
    "run_request": EventKind(_("started a run"), _("%(who)s started %(run)s.")),
    "provider_bind": EventKind(
        _("linked an account to a login provider"),
        _("%(who)s linked %(account)s to a login provider."),
    ),
    "provider_forget": EventKind(
        _("removed the login provider from an account"),
        _("%(who)s removed the login provider from %(account)s."),
    ),
    "second_factor_off": EventKind(
        _("removed a second factor"),
        _("%(who)s removed the second factor of %(account)s."),
    ),
    "second_factor_on": EventKind(_("set up a second factor"), _("%(who)s set up a second factor.")),
    "session_end": EventKind(_("ended one of their sessions"), _("%(who)s ended one of their sessions.")),
    "sessions_end": EventKind(_("ended their other sessions"), _("%(who)s ended their other sessions.")),
    "survey_access": EventKind(
        _("changed who may answer"),
        _("%(who)s changed who may answer %(survey)s: %(respondents)s."),
    ),
    "survey_close": EventKind(_("closed a survey"), _("%(who)s closed %(survey)s.")),
    "survey_delete": EventKind(
        _("deleted a survey with its answers"),
        _("%(who)s deleted %(survey)s with its answers."),
    ),
    "survey_hand_over": EventKind(
        _("changed the owner of a survey"),
        _("%(who)s changed the owner of %(survey)s from %(before)s to %(to)s."),
    ),
    "survey_import": EventKind(_("imported a survey"), _("%(who)s imported %(survey)s.")),
    "survey_open": EventKind(_("opened a survey"), _("%(who)s opened %(survey)s.")),
    "survey_publish": EventKind(
        _("published a version"),
        _("%(who)s published version %(version)s of %(survey)s."),
    ),
    "survey_publish_override": EventKind(
        _("published despite a warning"),
        _("%(who)s published version %(version)s of %(survey)s despite a warning."),
    ),
    "survey_retention": EventKind(
        _("set the day on which a survey is deleted"),
        _("%(who)s set the day on which %(survey)s is deleted."),
    ),
    "survey_schedule": EventKind(
        _("changed the opening and closing times of a survey"),
        _("%(who)s changed the opening and closing times of %(survey)s."),
    ),
    "verdict_give": EventKind(_("reviewed a rule"), _("%(who)s reviewed a rule of %(run)s.")),
}
"""The kinds of events of `surveys`, by action. Extensions add theirs; files have the internal actions."""

# Actors that are no accounts, as services store them.
_ACTORS: Final = {
    "": _("Sottovoce"),
    "command line": _("Someone at the command line"),
    "schedule": _("The schedule"),
    LOG_IN_PAGE: _("The login page"),
}

# Events from which on an address belongs to its present survey.
_FIRST_EVENTS: Final = ("draft_create", "draft_rename", "survey_import")

# "habits", "habits run 3", "habits run 3 rule affair+drinks", "habits release 4", "release 4".
_TARGET: Final = re.compile(r"(?:(?P<slug>[-\w]+)(?: |$))?(?:(?P<part>run|release) (?P<number>\d+)(?: .*)?)?")


def event_kinds() -> Mapping[str, EventKind]:
    """Return all kinds of events, with those of extensions, by action."""
    return ChainMap(dict(EVENT_KINDS), *(dict(app.actions) for app in extensions()))


def label_of(action: str) -> str:
    """Return the label of an action; the action itself if nothing enabled knows it."""
    kind = event_kinds().get(action)
    return action if kind is None else str(kind.label)


@dataclass(frozen=True, kw_only=True)
class EventNames:
    """Names of the people and surveys of some events.

    Attributes
    ----------
    people : mapping of str to str
        Full names by login name, of accounts that have one.
    titles : mapping of str to str
        Titles by address, of surveys that exist.
    since : mapping of str to int
        The first event of each of these surveys. Earlier ones are about another survey at the same address.
    """

    people: Mapping[str, str]
    titles: Mapping[str, str]
    since: Mapping[str, int]

    @classmethod
    def of(cls, events: Iterable[AuditEvent]) -> EventNames:
        """Load the names for these events, with three queries."""
        rows = list(events)
        logins = {row.actor for row in rows} | {row.target for row in rows}
        logins |= {name for row in rows for key in ("before", "to") if (name := str(row.detail.get(key, "")))}
        slugs = {parts["slug"] for row in rows if (parts := _parts(row.target))["slug"]}
        people = User.objects.filter(username__in=logins).exclude(first_name="", last_name="")
        surveys = Survey.objects.filter(slug__in=slugs).only("slug", "title")
        first = AuditEvent.objects.filter(action__in=_FIRST_EVENTS, target__in=slugs).order_by()
        return cls(
            people={user.get_username(): user.get_full_name() for user in people},
            titles={survey.slug: survey.title_text for survey in surveys if survey.title},
            since=dict(first.values_list("target").annotate(since=Max("pk"))),
        )

    def person(self, login: str) -> str:
        """Return how to name the owner of an account, or another actor; by both names if two share one."""
        if login in _ACTORS:
            return str(_ACTORS[login])
        name = self.people.get(login, login)
        return _with_address(name, login) if _is_shared(name, self.people) else name

    def survey(self, slug: str, event: AuditEvent) -> str:
        """Return a survey's title in quotation marks, with its address if another one has the same title.

        If the event's survey has no title now, its address replaces the title.
        """
        if slug == ALL_SURVEYS:
            return gettext(ALL_SURVEYS)
        title = self.titles.get(slug, "") if event.pk >= self.since.get(slug, 0) else ""
        quoted = gettext("“%(title)s”") % {"title": title or slug}
        return _with_address(quoted, slug) if title and _is_shared(title, self.titles) else quoted


def _is_shared(name: str, names: Mapping[str, str]) -> bool:
    """Return whether a name is that of several, or the address or login name of another."""
    return sum(name in pair for pair in names.items()) > 1


def _with_address(name: str, address: str) -> str:
    return gettext("%(name)s (%(address)s)") % {"name": name, "address": address}


def sentence_of(event: AuditEvent, names: EventNames) -> str:
    """Return an event as a sentence in the active language.

    Events that no kind describes, or whose details lack a field of the sentence (from other versions), are
    listed as actor, label and target.
    """
    kind = event_kinds().get(event.action)
    who = names.person(event.actor)
    if kind is not None:
        try:
            return str(kind.sentence) % _fields(event, names)
        except KeyError:
            pass
    return gettext("%(who)s: %(what)s (%(target)s)") % {
        "who": who,
        "what": label_of(event.action),
        "target": event.target,
    }


def _fields(event: AuditEvent, names: EventNames) -> dict[str, Any]:
    """Return what a sentence can name: the event's details, its actor, and its target in each role."""
    target, parts = event.target, _parts(event.target)
    survey = names.survey(parts["slug"] or target, event)
    is_own = event.actor == target
    account = gettext("their own account") if is_own else gettext("the account of %(person)s")
    fields = dict(event.detail)
    if "by_invitation" in fields:
        invited = fields["by_invitation"]
        fields["respondents"] = (
            gettext("people with a code") if invited else gettext("everyone with the link")
        )
    for key in ("before", "to"):
        if isinstance(fields.get(key), str) and event.action == "survey_hand_over":
            fields[key] = names.person(fields[key]) if fields[key] else gettext("no one")
    words = {"number": parts["number"], "survey": survey}
    if parts["part"] == "run":
        fields["run"] = gettext("run %(number)s of %(survey)s") % words
    elif parts["part"] == "release":
        template = (
            gettext("release %(number)s of %(survey)s") if parts["slug"] else gettext("release %(number)s")
        )
        fields["release"] = template % words
    return fields | {
        "who": names.person(event.actor),
        "person": names.person(target),
        "account": account % {"person": names.person(target)},
        "survey": survey,
    }


def _parts(target: str) -> dict[str, str]:
    """Split a target into address, part ("run", "release" or nothing) and number."""
    found = _TARGET.fullmatch(target)
    return {name: (found[name] or "") if found else "" for name in ("slug", "part", "number")}
