"""Refusals for programs that download files with a token; in English, because programs read their codes."""

from __future__ import annotations

from typing import Final

WORDS: Final = {
    "method.api": ("%(value)s is not allowed here.", "Send a GET request: a token changes nothing."),
    "token.unknown": (
        "The token is not valid: it is mistyped, was ended, or has expired.",
        "Make a new one on your account page. A new password ends all tokens.",
    ),
    "token.address": (
        "The address contains a token. Servers and browsers record addresses.",
        "End this token, make a new one, and send it in the header “Authorization: Bearer TOKEN”.",
    ),
    "role": (
        "Your roles do not give access to this file.",
        "Ask an administrator for a role that does.",
    ),
    "second_factor.api": (
        "Administrators need a second factor here, and your account has none.",
        "Set one up on the page of your account, and make a new token after that.",
    ),
    "nothing.here": (
        "There is no such file, or you may not read it.",
        "The page of tokens links to openapi.json, which lists the addresses of files.",
    ),
    "not_over.run": (
        "The run is %(value)s.",
        "Ask again when its state is “finished”. The requester gets an e-mail where the server sends any.",
    ),
    "withheld.outdated": (
        "The figures of this run are no longer shown: it read undisguised answers, or answers that were "
        "disguised differently from today.",
        "Start a new run on the survey's page.",
    ),
    "withheld.few": (
        "There are too few answers to show figures.",
        "Start a new run once there are at least %(least)s.",
    ),
    "no_result.run": ("The run is %(value)s and has no figures.", "Its page says why."),
    "no_audit.run": ("The audit of this run is not available.", "Try again later, or start a new run."),
    "too_often.api": (
        "Too many requests with this token.",
        "Try again after the time in Retry-After.",
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
