"""Refusals of a submission; in English, since the page that sends speaks to the respondent by their codes."""

from __future__ import annotations

from typing import Final

WORDS: Final = {
    "method": ("%(method)s means nothing here.", "Send a POST."),
    "full.submissions": (
        "This survey has its %(cap)s submissions.",
        "The operator can raise SOTTO_SUBMISSION_CAP; the same bytes may be sent again then.",
    ),
    "too_many": (
        "Too many submissions of this survey arrive at once.",
        "Send the same bytes again after the time named.",
    ),
    "nested": ("The object holds a list or an object.", "Send texts as its members."),
    "malformed.body": (
        "The bytes are not one JSON object of texts.",
        "Send an object with the texts %(keys)s.",
    ),
    "cross_site": (
        "The browser says that another site sends this (Sec-Fetch-Site: %(site)s).",
        "Open the survey's own page and answer there.",
    ),
    "content_type.submission": ("The content type is another one.", "Send Content-Type: %(content_type)s."),
    "length": ("The request does not say its length.", "Send a Content-Length and no chunks."),
    "too_large.announced": ("The request announces %(announced)s bytes.", "Send at most %(most)s bytes."),
    "too_large.body": ("The request has %(count)s bytes.", "Send at most %(most)s bytes."),
    "keys": ("The object has other members.", "Send exactly %(keys)s, or code in the place of key."),
    "survey.name": (
        "The survey's name is not one.",
        "Send the name as it stands in the survey's address: small letters, digits and hyphens.",
    ),
    "code.submission": (
        "The invitation's code is not one.",
        "Send its %(length)s capital letters and digits as they were made, without what stands between.",
    ),
    "cut_off": ("%(count)s of %(wanted)s announced bytes arrived.", "Send the same bytes again, whole."),
    "impossible_body": ("No device that follows the design sends this body: %(message)s.", "%(remedy)s."),
    "not_utf8": ("The bytes are not UTF-8 from byte %(start)s on.", "Send UTF-8."),
    "duplicate_key": ("A member occurs twice.", "Send each of %(keys)s once."),
    "invitation_refused": (
        "The invitation was used before, was taken back, or is none of this survey.",
        "Ask whoever invited you.",
    ),
    "closed.submission": (
        "The survey %(survey)s is closed and takes no more answers.",
        "Nothing can be done: the answer is not counted.",
    ),
    "other_body": (
        "Another body was received under this key, and the first one counts.",
        "Nothing more to do: this body is not kept.",
    ),
    "busy": (
        "The database is busy, full or out of reach; nothing was stored.",
        "Send the same bytes again after the time named.",
    ),
    "no_key": (
        "No mixer vouches that it can open a new answer; nothing was stored.",
        "Send the same bytes again after the time named. Operators: start the sweeper.",
    ),
    "unknown_survey": ("There is no open survey %(survey)s.", "Take the address from whoever invited you."),
    "unknown_design": (
        "The survey %(survey)s was never published with this design.",
        "Load the survey's page again.",
    ),
    "open_link.submission": (
        "The survey %(survey)s knows no invitations.",
        "Open its address without a code.",
    ),
    "invitation_needed": (
        "The survey %(survey)s takes answers by invitation.",
        "Open the address in your invitation.",
    ),
    "key": ('"%(name)s" is not what it must be.', "Send %(digits)s hexadecimal digits, small letters."),
    "design_id": ('"%(name)s" is not what it must be.', "Send %(digits)s hexadecimal digits, small letters."),
    "nonce": ('"%(name)s" is not what it must be.', "Send %(digits)s hexadecimal digits, small letters."),
    "body": ('"%(name)s" is not what it must be.', "Send %(digits)s hexadecimal digits, small letters."),
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
