"""What becomes of a sealed body, in sentences: on the page of a survey, and on that of a closed one."""

from django.utils.translation import gettext as _


def delivery_texts(*, by_invitation: bool = True) -> dict[str, str]:
    """Return the sentences about a sealed body on its way, which a closed survey's page needs too."""
    return {
        **(_invitation() if by_invitation else {}),
        "sending_title": _("Sealed. It is being sent."),
        "sending": _("It is kept on this device until it has arrived. On a slow network that takes a while."),
        "delivered_title": _("Sealed and sent"),
        "delivered": _("The server has it, and it is erased from this device."),
        "waiting_title": _("Sealed. It waits here until it can be sent."),
        "waiting": _(
            "The network or the server does not answer. The sealed answer stays on this device and is tried "
            "again, always the same one. You may close this page: opening it again within seven days goes "
            "on. Until then, someone who uses this device can see that something was sent."
        ),
        "try_now": _("Try now"),
        "conflict_title": _("The server already had an answer under this key"),
        "conflict": _(
            "It kept the first one and nothing of this one, which is now erased from this device. There is "
            "nothing to do."
        ),
        "closed_title": _("The survey has closed"),
        "closed": _(
            "The sealed answer came too late. It was not counted and is erased from this device. There is "
            "nothing to do."
        ),
        "unknown_title": _("The server did not accept the sealed answer"),
        "unknown": _(
            "It does not know this version of the survey, or the form of the answer. It was not counted and "
            "is erased from this device. Please tell the contact person of the survey."
        ),
        "stopped_title": _("The server refused the request"),
        "stopped": _(
            "It said {status}. The sealed answer stays on this device for up to seven days. Opening this "
            "page again tries once more; if that fails too, please tell the contact person of the survey."
        ),
        "expired_title": _("A sealed answer has expired"),
        "expired": _(
            "It waited on this device for more than seven days without reaching the server. It was not "
            "counted and is now erased."
        ),
        "found_title": _("A sealed answer waits on this device"),
        "found": _(
            "This survey was answered here before, and the sealed answer has not arrived yet. It is being "
            "sent now, as it is."
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
    }


def _invitation() -> dict[str, str]:
    return {
        "used_title": _("This invitation was used before"),
        "used": _(
            "An invitation counts once, and the first answer stands. Nothing of this one was kept, and it is "
            "now erased from this device. If it was not you who used it, please tell whoever invited you."
        ),
        "uninvited_title": _("This invitation is not valid"),
        "uninvited": _(
            "It was taken back, or it belongs to another survey. The sealed answer was not counted and is "
            "erased from this device. Please ask whoever invited you."
        ),
    }
