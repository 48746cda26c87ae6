"""Refusals of the interface for programs; in English, since a program reads their codes."""

from __future__ import annotations

from typing import Final

WORDS: Final = {
    "method.api": ("%(value)s means nothing here.", "Send a GET: this interface changes nothing."),
    "token.none": (
        "The request brings no token.",
        "Send the header “Authorization: Bearer TOKEN”. A token is made on the page of your account.",
    ),
    "token.unknown": (
        "The token opens nothing: it is mistyped, it was ended, or its last day is over.",
        "Make another one on the page of your account. A new password ends all tokens.",
    ),
    "token.address": (
        "A token stands in the address, where servers and browsers write it down.",
        "End this token, make another one, and send it as the header “Authorization: Bearer TOKEN”.",
    ),
    "role": (
        "Your roles do not open this.",
        "Ask an administrator for the role that reads it on the pages.",
    ),
    "second_factor.api": (
        "Administrators need a second factor here, and your account has none.",
        "Set one up on the page of your account, and make a new token after that.",
    ),
    "nothing.here": (
        "There is nothing at this address, or nothing that you may read.",
        "Read the list of addresses at %(document)s.",
    ),
    "nothing.question": ("The run has no such %(kind)s question.", "Ask for one of these: %(known)s."),
    "parameter.unknown": ("The parameter %(name)s means nothing here.", "Leave it out, or use: %(known)s."),
    "parameter.value": ("The parameter %(name)s is %(value)r: %(said)s", "Send another value."),
    "parameter.twice": ("The parameter %(name)s stands here twice.", "Send it once."),
    "parameter.item": (
        "The run has no item %(value)r.",
        "Ask for one that its prevalences name.",
    ),
    "not_over.run": (
        "The run is %(value)s.",
        "Ask again when its state is “finished”. Where mail is set up, who asked for it gets a mail.",
    ),
    "withheld.outdated": (
        "The figures of this run are no longer shown: it read undisguised answers, or another drawing of "
        "them than today's.",
        "Ask for a new run on the survey's page.",
    ),
    "withheld.few": (
        "Fewer answers came than figures are shown for.",
        "Ask for a new run when at least %(least)s have come.",
    ),
    "no_result.run": ("The run is %(value)s and has no figures.", "Its page says why."),
    "no_audit.run": ("The run has no audit that can be read now.", "Ask again later, or ask for a new run."),
    "too_often.api": (
        "This token asks too often.",
        "Ask again after the time named; ask for larger pages rather than many.",
    ),
}

STATUS: Final = {
    "method.api": 405,
    "token.none": 401,
    "token.unknown": 401,
    "token.address": 400,
    "role": 403,
    "second_factor.api": 403,
    "nothing.here": 404,
    "nothing.question": 404,
    "parameter.unknown": 400,
    "parameter.value": 400,
    "parameter.twice": 400,
    "parameter.item": 400,
    "not_over.run": 409,
    "withheld.outdated": 409,
    "withheld.few": 409,
    "no_result.run": 409,
    "no_audit.run": 409,
    "too_often.api": 429,
}
