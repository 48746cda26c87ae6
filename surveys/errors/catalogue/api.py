"""Refusals for programs that download files with a token; in English, because programs read their codes."""

from __future__ import annotations

from typing import Final

WORDS: Final = {
    "method.api": ("%(value)s is not allowed here.", "Send a GET request. A token cannot change anything."),
    "token.unknown": (
        "The token is not valid: it is mistyped, revoked or expired.",
        "Make a new token on your account page. Changing your password revokes all tokens.",
    ),
    "token.address": (
        "The address contains a token. Servers and browsers keep a record of addresses.",
        "Revoke this token, make a new one, and send it in the header “Authorization: Bearer TOKEN”.",
    ),
    "role": (
        "Your roles do not give access to this file.",
        "Ask an administrator for a role that does.",
    ),
    "second_factor.api": (
        "Administrators need a second factor on this server, and your account has none.",
        "Set one up on your account page, then make a new token.",
    ),
    "nothing.here": (
        "There is no such file, or you do not have access to it.",
        "The tokens page links to openapi.json, which lists the addresses of all files.",
    ),
    "not_over.run": (
        "The run is %(value)s.",
        "Ask again when its state is “finished”. If the server sends e-mail, the requester gets one.",
    ),
    "withheld.outdated": (
        "The results of this run are no longer shown: it read undisguised answers, or answers "
        "disguised in a different way from today.",
        "Start a new run on the survey’s page.",
    ),
    "withheld.few": (
        "There are too few answers to show results.",
        "Start a new run once there are at least %(least)s.",
    ),
    "no_result.run": ("The run is %(value)s and has no results.", "Its page explains why."),
    "no_audit.run": ("The audit of this run is not available.", "Try again later, or start a new run."),
    "too_often.api": (
        "Too many requests with this token.",
        "Try again after the time given in Retry-After.",
    ),
}

STATUS: Final = {
    "method.api": 405,
    "token.unknown": 401,
    "token.address": 400,
    "role": 403,
    "second_factor.api": 403,
    "nothing.here": 404,
    "not_over.run": 409,
    "withheld.outdated": 409,
    "withheld.few": 409,
    "no_result.run": 409,
    "no_audit.run": 409,
    "too_often.api": 429,
}
