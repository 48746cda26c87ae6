"""Download files of the staff pages from a Sottovoce server: one file, Python 3.9 or later, nothing to
install.

    from sottovoce_client import Sottovoce

    sottovoce = Sottovoce("https://survey.example.org", token="sotto_...")
    for survey in sottovoce.get("surveys.json")["surveys"]:
        print(survey["slug"], survey["received"])
    for rule in sottovoce.get("runs/12/rules.csv", holds="yes", sort="-lift"):
        print(rule["antecedent"], rule["consequent"], rule["lift"])

Make the token on your account page. As a program: ``python sottovoce_client.py surveys.json``, with
SOTTOVOCE_ADDRESS and SOTTOVOCE_TOKEN set, writes the file to standard output.
"""

import argparse
import csv
import io
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request


class Problem(Exception):
    """A refusal of the server: ``status``, ``code`` and ``remedy``."""

    def __init__(self, status, said):
        self.status, self.code, self.remedy = status, said.get("code", ""), said.get("remedy", "")
        super().__init__(f"{status} {self.code}: {said.get('detail', '')} {self.remedy}".strip())


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would send the token wherever it leads."""

    def redirect_request(self, *_args, **_options):
        return None


class Sottovoce:
    """A server, with the permissions of one member of its staff."""

    def __init__(self, address, *, token, language="en", timeout=60, retries=3):
        parts = urllib.parse.urlsplit(address)
        is_here = parts.hostname in ("localhost", "127.0.0.1", "::1")
        if parts.scheme != "https" and not (parts.scheme == "http" and is_here):
            raise ValueError(f"{address!r} would send the token unencrypted; write https://")
        self._base = f"{parts.scheme}://{parts.netloc}/{language}/staff/"
        self._token, self._timeout, self._retries = token, timeout, retries
        self._open = urllib.request.build_opener(_NoRedirect()).open

    def file(self, path, **query):
        """Return a file and its media type; wait and retry when the server says so."""
        address = f"{self._base}{path}?{urllib.parse.urlencode(query)}".rstrip("?")
        request = urllib.request.Request(address, headers={"Authorization": f"Bearer {self._token}"})
        for left in range(self._retries, -1, -1):
            try:
                with self._open(request, timeout=self._timeout) as answer:
                    return answer.read(), answer.headers.get_content_type()
            except urllib.error.HTTPError as error:
                wait = error.headers.get("Retry-After", "")
                is_problem = error.headers.get_content_type() == "application/problem+json"
                if not (left and wait.isdecimal()):
                    raise Problem(error.code, json.loads(error.read()) if is_problem else {}) from None
                time.sleep(float(wait))

    def get(self, path, **query):
        """Return a JSON document, the rows of a CSV file as dictionaries, or the bytes of another file."""
        body, media_type = self.file(path, **query)
        if media_type.endswith("json"):
            return json.loads(body)
        if media_type == "text/csv":
            return list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"))))
        return body


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description="Print a file of the API. Set SOTTOVOCE_ADDRESS and SOTTOVOCE_TOKEN."
    )
    parser.add_argument("path", metavar="PATH")
    given = parser.parse_args()
    sys.stdout.buffer.write(
        Sottovoce(os.environ["SOTTOVOCE_ADDRESS"], token=os.environ["SOTTOVOCE_TOKEN"]).file(given.path)[0]
    )
