"""Sentences about the delivery of a sealed body, of an open survey and of a closed one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

DELIVERY: Final = {
    "sending_title": _("Your answers are being sent"),
    "sending": _(
        "They stay on this device until they are delivered. On a slow network this can take a while."
    ),
    "delivered_title": _("Thank you. Your answers have arrived. You can close this page."),
    "delivered": _(
        "No readable answers are left on this device. The browser history may show that you were here."
    ),
    "waiting_title": _("Your answers are waiting to be sent"),
    "waiting": _(
        "We cannot reach the server. Your answers stay on this device, and this page keeps trying"
        " to send them. You can close this page. Open it again within 7 days to continue. Someone"
        " who uses this device could see that you took part."
    ),
    "in_page": _(
        "This window cannot store anything on the device. Your answers exist only in this open "
        "page, which keeps trying to send them. If you close or reload it, they are lost."
    ),
    "in_page_ended": _(
        "Your answers were not counted. This window cannot store them: if you close it, they are lost."
    ),
    "try_now": _("Try now"),
    "leave": _("Leave this page now"),
    "closed_title": _("The survey has closed"),
    "closed": _(
        "Your answers arrived too late and were not counted. They stay on this device for 7 days."
        " Opening this page in that time sends them again; opening it later deletes them. You do "
        "not need to do anything."
    ),
    "stopped_title": _("The server refused the request"),
    "stopped": _(
        "Its answer was {status}. Your answers stay on this device. Open this page within 7 days "
        "to send them again. If that fails, please contact the people who run the survey."
    ),
    "expired_title": _("Waiting answers have expired"),
    "expired": _(
        "They stayed on this device for more than 7 days and are now deleted. The server never "
        "confirmed them, so they may not have arrived."
    ),
    "found_title": _("Answers are waiting on this device"),
    "found": _(
        "Someone answered here earlier, and their answers may not have arrived. They are being "
        "sent now, unchanged."
    ),
    "found_delivered_title": _("The waiting answers have arrived"),
    "found_delivered": _(
        "The waiting answers have reached the server and are deleted from this device. If someone"
        " else wants to answer here, reload this page."
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
        "No readable answers are left on this device. The browser history may show that you were "
        "here, and your code if it was in the link."
    ),
    "uninvited_title": _("This code cannot be used"),
    "uninvited": _(
        "It was used before, was withdrawn, or belongs to another survey. The server does not say"
        " which. Your answers were not counted and are deleted from this device. Please ask the "
        "people who invited you."
    ),
    "mistyped": _(
        "It was used before, was withdrawn, or belongs to another survey. Nothing was counted. If"
        " you mistyped it, type it again to send the same answers. They stay here for 7 days, or "
        "until you delete them."
    ),
    "send_again": _("Send with this code"),
    "erase": _("Delete my answers"),
}
