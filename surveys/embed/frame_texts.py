"""Texts of frames in other tools, besides those of the respondents' client."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

FRAME: Final = {
    "disguise": _("Disguise"),
    "done": _("Done. You can no longer change it."),
    "not_again": _("Do not answer again in another window."),
    "may_forget": _("This page may not remember that you answered. Answer once only."),
    "shared": _(
        "Several people answer on this device, so it does not remember that you answered. Answer once only."
    ),
    "not_kept": _("Your answer may not have been kept."),
    "send_again": _("Send it again"),
    "broken": _("Something went wrong. Nothing was given to the survey."),
    "broken_remedy": _("Reload the page. If that does not help, tell the people who run the survey."),
    "alone": _("This box only works inside a survey"),
    "alone_remedy": _("Open the page of the survey that asked you. Nothing can be answered here."),
}
"""For all frames."""

FRAME_TURN: Final = {
    # The longest, because the frame measures its height while it waits.
    "turn_waiting": _(
        "Your number or code decides whether this box asks you now, and the page around this box has not "
        "given it yet. Nothing can be answered here until then. If this text stays, please tell the "
        "people who run the survey."
    ),
    "turn_wrong": _(
        "The page around this box gave “{number}” as your number or code, which it cannot be. Nothing "
        "can be answered here. Please tell the people who run the survey."
    ),
    "turn_two": _(
        "The page around this box gave two different numbers for you, so nothing can be answered here. "
        "Reload the page."
    ),
    "turn_yes": _("The surveys of this series take turns. By your number or code, this box asks you now."),
    "turn_no": _(
        "The surveys of this series take turns. By your number or code, this box asks you nothing now. "
        "Please continue all the same: your device gives a line as long as everyone’s."
    ),
    "turn_on": _("Continue"),
}
"""For frames whose part takes turns; each text names the state that it describes."""
