"""The kinds of questions. To remove one, delete its module and its lines here."""

from privacy.survey.choices import Choice, Several, YesNo
from privacy.survey.number import Number
from privacy.survey.place import Place
from privacy.survey.question import KINDS

KINDS.update(
    {
        "yes_no": YesNo,
        "single": Choice,
        "multi": Several,
        "number": Number,
        "place": Place,
    }
)
