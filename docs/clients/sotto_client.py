"""Read surveys, runs and figures from a Sotto server: one file, Python 3.9 or later, nothing to install.

    from sotto_client import Sotto

    sotto = Sotto("https://survey.example.org", token="sotto_...")
    for survey in sotto.surveys():
        print(survey["slug"], survey["received"])
    for rule in sotto.rules(12, holds="yes", sort="-lift"):
        print(rule["antecedent"], "->", rule["consequent"], rule["lift"])

Make the token on the page of your account, and keep it out of your code: ``Sotto.from_environment()`` reads
SOTTO_ADDRESS and SOTTO_TOKEN. Run as a program it writes a document: ``python sotto_client.py runs/12/audit``
"""

from __future__ import annotations

import csv
import io
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any


class Problem(Exception):
    """What the server refuses: status, code for programs, and what to do."""

    def __init__(self, status: int, said: Mapping[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.code = str(said.get("code", ""))
        self.value = said.get("value")
        self.detail = str(said.get("detail", ""))
        self.remedy = str(said.get("remedy", ""))
        self.retry_after = retry_after
        super().__init__(f"{status} {self.code}: {self.detail} {self.remedy}".strip())


class Sotto:
    """A server, as one member of its staff may read it.

    Parameters
    ----------
    address : str
        Of the server, such as ``https://survey.example.org``.
    token : str
    language : str
        Of titles and texts: ``en`` or ``zh-hans``.
    timeout : float, seconds
    waits : int
        How often a request that came too soon is sent again, after the time that the server names.
    """

    def __init__(
        self, address: str, *, token: str, language: str = "en", timeout: float = 60, waits: int = 3
    ) -> None:
        parts = urllib.parse.urlsplit(address)
        here = parts.hostname in ("localhost", "127.0.0.1", "::1")
        if parts.scheme != "https" and not (parts.scheme == "http" and here):
            raise ValueError(f"{address!r} would send the token in the clear; write https://")
        self._base = f"{parts.scheme}://{parts.netloc}/api/v1/"
        self._token = token
        self._language = language
        self._timeout = timeout
        self._waits = waits
        # A redirect would take the token along to wherever it leads.
        self._open = urllib.request.build_opener(_NoRedirect()).open

    @classmethod
    def from_environment(cls, **options: Any) -> Sotto:
        """Return the server of SOTTO_ADDRESS, read with SOTTO_TOKEN."""
        return cls(os.environ["SOTTO_ADDRESS"], token=os.environ["SOTTO_TOKEN"], **options)

    def get(self, path: str, **filters: Any) -> Any:
        """Return the document at a path, such as ``runs/12/audit``.

        Raises
        ------
        Problem
            The server refuses.
        """
        return json.loads(self.file(path, **filters))

    def file(self, path: str, **filters: Any) -> bytes:
        """Return a file, such as that at ``runs/12/rows``, in memory.

        Raises
        ------
        Problem
            The server refuses.
        """
        asked = {"language": self._language, **{name: _written(value) for name, value in filters.items()}}
        url = f"{self._base}{urllib.parse.quote(path)}?{urllib.parse.urlencode(asked)}"
        request = urllib.request.Request(url, headers={"Authorization": f"Bearer {self._token}"})
        for wait in range(self._waits + 1):
            try:
                with self._open(request, timeout=self._timeout) as answer:
                    return bytes(answer.read())
            except urllib.error.HTTPError as error:
                problem = _problem_of(error)
                if problem.status != 429 or problem.retry_after is None or wait == self._waits:
                    raise problem from None
                time.sleep(problem.retry_after)
        raise AssertionError("the last try returns or raises")

    def listed(self, path: str, **filters: Any) -> Iterator[dict[str, Any]]:
        """Yield every entry of a list, page after page."""
        page, pages = 1, 1
        while page <= pages:
            found = self.get(path, **{"page_size": 200, **filters, "page": page})
            yield from found["data"]
            page, pages = page + 1, found["pages"]

    def me(self) -> dict[str, Any]:
        """Return whose token it is."""
        return dict(self.get("me"))

    def surveys(self, **filters: Any) -> Iterator[dict[str, Any]]:
        """Yield surveys; filters: ``state``, ``practice``."""
        return self.listed("surveys", **filters)

    def survey(self, slug: str) -> dict[str, Any]:
        """Return a survey with its designs."""
        return dict(self.get(f"surveys/{slug}"))

    def versions(self, slug: str) -> Iterator[dict[str, Any]]:
        """Yield the versions of a survey, the newest first."""
        return self.listed(f"surveys/{slug}/versions")

    def version(self, slug: str, number: int) -> dict[str, Any]:
        """Return a version with its questions and its label."""
        return dict(self.get(f"surveys/{slug}/versions/{number}"))

    def runs(self, slug: str, **filters: Any) -> Iterator[dict[str, Any]]:
        """Yield the runs of a survey, the newest first; filter: ``state``."""
        return self.listed(f"surveys/{slug}/runs", **filters)

    def run(self, run: int) -> dict[str, Any]:
        """Return a run."""
        return dict(self.get(f"runs/{run}"))

    def prevalences(self, run: int) -> list[dict[str, Any]]:
        """Return each question with the shares of its answers."""
        return list(self.get(f"runs/{run}/prevalences")["questions"])

    def itemsets(self, run: int, **filters: Any) -> Iterator[dict[str, Any]]:
        """Yield itemsets; filters: ``text``, ``item``, ``length``, ``least``, ``sort``."""
        return self.listed(f"runs/{run}/itemsets", **filters)

    def rules(self, run: int, **filters: Any) -> Iterator[dict[str, Any]]:
        """Yield rules; filters as in the address of the page, such as ``holds="yes"``, ``lift_from=1.2``."""
        return self.listed(f"runs/{run}/rules", **filters)

    def arms(self, run: int, **filters: Any) -> list[dict[str, Any]]:
        """Return each answer in each group of an experiment, divided by ``by``, weighted to ``margins``."""
        return list(self.get(f"runs/{run}/arms", **filters)["arms"])

    def number(self, run: int, question: str) -> dict[str, Any]:
        """Return the figures of a number question."""
        return dict(self.get(f"runs/{run}/numbers/{question}")["number"])

    def place(self, run: int, question: str, *, smoothing: bool = False) -> dict[str, Any]:
        """Return the map of a place question, as GeoJSON."""
        found = self.get(f"runs/{run}/places/{question}", smoothing="on" if smoothing else "off")
        return dict(found["place"])

    def audit(self, run: int) -> dict[str, Any]:
        """Return what the rows of a run tell about those who sent them."""
        return dict(self.get(f"runs/{run}/audit")["audit"])

    def label(self, run: int) -> dict[str, Any]:
        """Return what answers were disguised by, and what that promises at most."""
        return dict(self.get(f"runs/{run}/label")["label"])

    def rows(self, run: int) -> Iterator[dict[str, str]]:
        """Yield the disguised rows of a run; the log of the server says that you took them."""
        return self._rows_of(f"runs/{run}/rows", "rows.csv")

    def deposits(self) -> Iterator[dict[str, Any]]:
        """Yield the deposits that take questions."""
        return self.listed("deposits")

    def ask(self, deposit: int, question: str) -> list[dict[str, Any]]:
        """Return the answers to a question, such as ``median age where work = city group by sex``."""
        return list(self.get(f"deposits/{deposit}/answer", question=question)["answers"])

    def deposit_rows(self, deposit: int) -> Iterator[dict[str, str]]:
        """Yield the published rows of a deposit of your own; the log of the server says that you did."""
        return self._rows_of(f"deposits/{deposit}/files", "data.csv")

    def _rows_of(self, path: str, name: str) -> Iterator[dict[str, str]]:
        with zipfile.ZipFile(io.BytesIO(self.file(path))) as archive, archive.open(name) as rows:
            yield from csv.DictReader(io.TextIOWrapper(rows, encoding="utf-8", newline=""))


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _problem_of(error: urllib.error.HTTPError) -> Problem:
    with error:
        try:
            said = json.loads(error.read())
        except ValueError:
            said = {}
    wait = error.headers.get("Retry-After", "")
    return Problem(
        error.code, said if isinstance(said, dict) else {}, float(wait) if wait.isdecimal() else None
    )


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python sotto_client.py PATH, with SOTTO_ADDRESS and SOTTO_TOKEN set")
    try:
        found = Sotto.from_environment().get(sys.argv[1])
        sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=2) + "\n")
    except Problem as problem:
        sys.exit(str(problem))
