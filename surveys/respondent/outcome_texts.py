"""What becomes of a sealed body, in sentences: on the page of a survey, and on that of a closed one."""

from django.utils.translation import gettext as _


def delivery_texts(*, by_invitation: bool = True) -> dict[str, str]:
    """Return the sentences about a sealed body on its way, which a closed survey's page needs too."""
    return {
        "sending_title": _("Sealed. It is being sent."),
        "sending": _("It is kept on this device until it has arrived. On a slow network that takes a while."),
        "delivered_title": _("Sealed and sent"),
        "delivered": _(
            "The server has it, and no copy on this device can be read any more. The browser’s history may "
            "still show that this page was visited."
        ),
        "waiting_title": _("Sealed. It waits here until it can be sent."),
        "waiting": _(
            "The network or the server does not answer. The sealed answer stays on this device and is tried "
            "again, always the same one. You may close this page: opening it again within seven days goes "
            "on. Until then, someone who uses this device can see that something was sent."
        ),
        "in_page": _(
            "This window keeps nothing on the device. The sealed answer is in this open page only, which "
            "sends it until it arrives: closing or reloading the page loses it."
        ),
        "in_page_ended": _(
            "The sealed answer was not counted. This window keeps nothing: closing the page loses the answer."
        ),
        "try_now": _("Try now"),
        "closed_title": _("The survey has closed"),
        "closed": _(
            "The sealed answer came too late and was not counted. It stays on this device for seven days and "
            "is sent again when this page is opened; opening it after that erases it. There is nothing to do."
        ),
        "stopped_title": _("The server refused the request"),
        "stopped": _(
            "It said {status}. The sealed answer stays on this device. Opening this page again within seven "
            "days sends the same one once more; if that fails too, please tell the contact person of the "
            "survey."
        ),
        "expired_title": _("A sealed answer has expired"),
        "expired": _(
            "It waited on this device for more than seven days and is now erased. It may not have arrived: "
            "no answer of the server said that it did."
        ),
        "found_title": _("A sealed answer waits on this device"),
        "found": _(
            "This survey was answered here before, and this device does not know yet that the sealed answer "
            "has arrived. It is being sent now, as it is."
        ),
        "found_delivered_title": _("The waiting answer has arrived"),
        "found_delivered": _(
            "The sealed answer that waited here has reached the server and is erased from this device. If "
            "somebody else wants to answer here, load this page again."
        ),
        "elsewhere_title": _("Sealed in another tab"),
        "elsewhere": _(
            "While this page was open, an answer to this survey was sealed in another tab of this browser. "
            "So this page cannot seal any more, and it has forgotten what was answered in it. You can close "
            "it."
        ),
        "broken_title": _("This page is not in order"),
        "broken": _(
            "It cannot ask its questions: {error} Nothing was sent. Load it again; if that does not help, "
            "please tell the contact person of the survey."
        ),
        "unable_title": _("This browser cannot answer here"),
        "unable": _(
            "Your answers have to be disguised on this device, and this browser lacks what that takes: "
            "{parts}. Nothing was sent. Please open the page in a current browser, outside private mode, at "
            "an address that begins with https."
        ),
        **(_invitation() if by_invitation else {}),
    }


def _invitation() -> dict[str, str]:
    return {
        "delivered": _(
            "The server has it, and no copy on this device can be read any more. The browser’s history may "
            "still show that this page was visited, with the code if the address held it."
        ),
        "uninvited_title": _("This invitation is not valid"),
        "uninvited": _(
            "It was used before, was taken back, or belongs to another survey; the server tells nobody "
            "which. The sealed answer was not counted and is erased from this device. Please ask whoever "
            "invited you."
        ),
        "mistyped": _(
            "The code that was typed was used before, was taken back, or belongs to another survey. Nothing "
            "was counted. If it was mistyped, type it again: the same sealed answer goes under it, and "
            "chance is not drawn again. It waits here for seven days, or until you erase it."
        ),
        "send_again": _("Send under this code"),
        "erase": _("Erase the sealed answer"),
        "code_label": _("Invitation code"),
        "code_hint": _("Twenty letters and digits. Small letters and blanks do not matter."),
        "code_wrong": _("This is no code yet. Compare each character with your invitation."),
        "code_empty": _("Type the code from your invitation."),
    }
