"""Refusals of a submission; in English, since the page that sends speaks to the respondent by their codes."""

from __future__ import annotations

from typing import Final

WORDS: Final = {
    "method": ("%(method)s is not allowed here.", "Send a POST request."),
    "full.submissions": (
        "This survey has reached its limit of %(cap)s answers.",
        "The operator can raise SOTTOVOCE_SUBMISSION_CAP. Then send the same bytes again.",
    ),
    "too_many": (
        "Too many answers to this survey are arriving at once.",
        "Send the same bytes again after the time in Retry-After.",
    ),
    "nested": ("The object contains a list or an object.", "Use text for all its members."),
    "malformed.body": (
        "The bytes are not a JSON object of text members.",
        "Send an object with the text members %(keys)s.",
    ),
    "cross_site": (
        "The browser reports that another site sent this (Sec-Fetch-Site: %(site)s).",
        "Open the survey's own page and answer there.",
    ),
    "content_type.submission": ("The content type is wrong.", "Send Content-Type: %(content_type)s."),
    "length": ("The request does not state its length.", "Send a Content-Length header, and no chunks."),
    "too_large.announced": ("The request announces %(announced)s bytes.", "Send at most %(most)s bytes."),
    "too_large.body": ("The request has %(count)s bytes.", "Send at most %(most)s bytes."),
    "keys": ("The object has the wrong members.", "Send exactly %(keys)s, or code instead of key."),
    "survey.name": (
        "The survey’s name is not valid.",
        "Send the name from the survey’s address: lower-case letters, digits and hyphens.",
    ),
    "code.submission": (
        "The invitation code is not valid.",
        "Send its %(length)s capital letters and digits, without separators.",
    ),
    "cut_off": ("%(count)s of %(wanted)s announced bytes arrived.", "Send all the same bytes again."),
    "impossible_body": (
        "A device that follows the design cannot send this body: %(message)s.",
        "%(remedy)s.",
    ),
    "not_utf8": ("The bytes are not UTF-8 from byte %(start)s on.", "Send UTF-8."),
    "duplicate_key": ("A member occurs twice.", "Send each of %(keys)s once."),
    "invitation_refused": (
        "The invitation has already been used, was withdrawn, or belongs to another survey.",
        "Ask the person who invited you.",
    ),
    "closed.submission": (
        "Survey %(survey)s is closed and no longer accepts answers.",
        "The answer is not counted. There is nothing you can do.",
    ),
    "other_body": (
        "Another body was received under this key. The first one counts.",
        "There is nothing more to do. This body is not stored.",
    ),
    "busy": (
        "The database is busy, full or unavailable. Nothing was stored.",
        "Send the same bytes again after the time in Retry-After.",
    ),
    "no_key": (
        "No mixer has confirmed that it can open new answers. Nothing was stored.",
        "Send the same bytes again after the time in Retry-After. Operators: start the sweeper.",
    ),
    "unknown_survey": ("There is no open survey %(survey)s.", "Use the address that you were given."),
    "unknown_design": (
        "The survey %(survey)s was never published with this design.",
        "Load the survey's page again.",
    ),
    "open_link.submission": (
        "Survey %(survey)s does not use invitations.",
        "Open its address without a code.",
    ),
    "invitation_needed": (
        "Survey %(survey)s only accepts invited respondents.",
        "Open the address in your invitation.",
    ),
    "key": ('"%(name)s" has the wrong form.', "Send %(digits)s hexadecimal digits in lower case."),
    "design_id": ('"%(name)s" has the wrong form.', "Send %(digits)s hexadecimal digits in lower case."),
    "nonce": ('"%(name)s" has the wrong form.', "Send %(digits)s hexadecimal digits in lower case."),
    "body": ('"%(name)s" has the wrong form.', "Send %(digits)s hexadecimal digits in lower case."),
}
STATUS: Final = {
    "key": 400,
    "design_id": 400,
    "nonce": 400,
    "body": 400,
    "method": 405,
    "full.submissions": 429,
    "too_many": 429,
    "nested": 400,
    "malformed.body": 400,
    "cross_site": 403,
    "content_type.submission": 415,
    "length": 400,
    "too_large.announced": 413,
    "too_large.body": 413,
    "keys": 400,
    "survey.name": 400,
    "code.submission": 400,
    "cut_off": 400,
    "not_utf8": 400,
    "duplicate_key": 400,
    "closed.submission": 410,
    "other_body": 409,
    "busy": 503,
    "no_key": 503,
}
