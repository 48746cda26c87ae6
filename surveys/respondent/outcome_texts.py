"""Sentences about the delivery of a sealed body, of an open survey and of a closed one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

DELIVERY: Final = {
    "sending_title": _("Your answers are being sent"),
    "sending": _("They wait on this device until they have arrived. On a slow network that takes a while."),
    "delivered_title": _("Sent. You can close this page."),
    "delivered": _("Nothing readable is left on this device. Its history may show that you were here."),
    "waiting_title": _("Your answers wait until they can be sent"),
    "waiting": _(
        "The network or the server does not answer. Your answers wait on this device and are tried again, "
        "always the same ones. You may close this page: opening it within 7 days goes on. Somebody using "
        "this device could see that you took part."
    ),
    "in_page": _(
        "This window keeps nothing on the device. Your answers are in this open page only, which tries again "
        "by itself. Closing or reloading the page loses them."
    ),
    "in_page_ended": _(
        "Your answers were not counted. This window keeps nothing: closing the page loses them."
    ),
    "try_now": _("Try now"),
    "leave": _("Leave this page now"),
    "closed_title": _("The survey has closed"),
    "closed": _(
        "Your answers came too late and were not counted. They wait on this device for 7 days, and opening "
        "this page sends them again. Opening it after that deletes them. There is nothing to do."
    ),
    "stopped_title": _("The server refused the request"),
    "stopped": _(
        "It said {status}. Your answers wait on this device. Opening this page within 7 days sends the same "
        "ones again. If that fails too, please tell the contact person of the survey."
    ),
    "expired_title": _("Waiting answers have expired"),
    "expired": _(
        "They waited on this device for more than 7 days and are now deleted. They may not have arrived: the "
        "server never said that they did."
    ),
    "found_title": _("Answers wait on this device"),
    "found": _(
        "Somebody answered here before, and those answers may not have arrived. They are being sent now, as "
        "they are."
    ),
    "found_delivered_title": _("The waiting answers have arrived"),
    "found_delivered": _(
        "The answers that waited here have reached the server and are deleted from this device. If somebody "
        "else wants to answer here, load this page again."
    ),
    "elsewhere_title": _("Answered in another tab"),
    "elsewhere": _(
        "This survey was answered in another tab while this page was open. This page has forgotten its "
        "answers. You can close it."
    ),
}

# What is said instead, or besides, where a code goes with the answers.
DELIVERY_INVITED: Final = {
    "delivered": _(
        "Nothing readable is left on this device. Its history may show that you were here, with your code if "
        "the address had it."
    ),
    "uninvited_title": _("This code cannot be used"),
    "uninvited": _(
        "It was used before, was taken back, or belongs to another survey. The server tells nobody which. "
        "Your answers were not counted and are deleted from this device. Please ask the people who invited "
        "you."
    ),
    "mistyped": _(
        "It was used before, was taken back, or belongs to another survey. Nothing was counted. If you "
        "mistyped it, type it again: the same answers are sent. They wait here for 7 days, or until you "
        "delete them."
    ),
    "send_again": _("Send with this code"),
    "erase": _("Delete my answers"),
}
