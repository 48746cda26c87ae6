"""Problems of a definition, by their path."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext as _

from surveys.errors.error import SurveyError

# More problems than anyone fixes in one go; the limit also keeps reading an invalid document fast.
MOST_PROBLEMS: Final = 500


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One problem to fix.

    Parameters
    ----------
    path : str
        Location: ``"blocks[1].questions[0].unrelated"``; empty for the document itself.
    message : str
        The problem, naming the value.
    remedy : str
        How to fix it.
    """

    path: str
    message: str
    remedy: str

    def __str__(self) -> str:
        where = self.path or _("the definition")
        return f"{where}: {self.message}; {self.remedy}"


class DefinitionError(ValueError):
    """A definition that cannot be used; all its problems, in the order of the document."""

    def __init__(self, problems: Collection[Problem], *, remedy: str = "") -> None:
        super().__init__("\n".join([*map(str, problems), *filter(None, [remedy])]))
        self.problems = tuple(problems)

    @classmethod
    def at(cls, path: str, case: str, /, **fields: Any) -> DefinitionError:
        """Return the error for one place, with a case of the catalogue."""
        error = SurveyError(case, **fields)
        return cls([Problem(path=path, message=error.message, remedy=error.remedy)])


@dataclass
class Problems:
    """A list to collect problems, since authors of definitions want to see all mistakes at once."""

    listed: list[Problem] = field(default_factory=list)

    def add(self, path: str, message: str, remedy: str) -> None:
        """Note one problem, of the first `MOST_PROBLEMS`."""
        if len(self.listed) < MOST_PROBLEMS:
            self.listed.append(Problem(path=path, message=message, remedy=remedy))

    def below(self, path: str) -> bool:
        """Return whether a problem was noted at `path` or inside it."""
        return any(problem.path.startswith(path) for problem in self.listed)

    def raise_if_any(self) -> None:
        """Raise `DefinitionError` with the noted problems."""
        if self.listed:
            raise DefinitionError(self.listed)


def joined(path: str, name: str) -> str:
    """Return the path of the member `name` of the node at `path`."""
    return f"{path}.{name}" if path else name
