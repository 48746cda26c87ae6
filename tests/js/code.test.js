import assert from "node:assert/strict";
import { test } from "node:test";

import { codeTyped, isCode } from "../../surveys/static/surveys/js/code.js";
import { takeCode } from "../../surveys/static/surveys/js/invitation.js";
import { vectors } from "./cast.js";

const CODE = "1111111111111111112B";

/** Returns a page at an address, with the history entries that it rewrites. */
function pageAt(hash, ids = [], search = "") {
  const rewritten = [];
  return {
    rewritten,
    location: { hash, pathname: "/en/s/work/", search },
    history: { state: { place: 2 }, replaceState: (...values) => rewritten.push(values) },
    document: { getElementById: (id) => (ids.includes(id) ? {} : null) },
  };
}

test("a typed code is parsed as on the server", () => {
  for (const { typed, code } of vectors("codes.json")) {
    assert.equal(codeTyped(typed), code, typed);
    assert.equal(isCode(typed), typed === code);
  }
});

test("a code after the # is removed from the address, and its history entry keeps its place", () => {
  const page = pageAt(`#${CODE}`);
  assert.deepEqual(takeCode(page), { code: CODE, isWrong: false });
  assert.deepEqual(page.rewritten, [[{ place: 2 }, "", "/en/s/work/"]]);
});

test("on a static host the survey stays in the address, and its digest stays on any host", () => {
  const page = pageAt(`#c=${CODE}&d=${"A".repeat(22)}`, [], "?s=work&l=en");
  assert.deepEqual(takeCode(page), { code: CODE, isWrong: false });
  assert.equal(page.rewritten[0][2], `/en/s/work/?s=work&l=en#d=${"A".repeat(22)}`);
});

test("a truncated or mistyped code is also removed, and reported as wrong", () => {
  for (const hash of [`#${CODE.slice(1)}`, `#${CODE.slice(0, -1)}C`, "#%", "#%E0%A4", "#%zz"]) {
    const page = pageAt(hash);
    assert.deepEqual(takeCode(page), { code: null, isWrong: true }, hash);
    assert.equal(page.rewritten.length, 1);
  }
});

test("a code with blanks or lower case from a mail program is accepted", () => {
  assert.equal(takeCode(pageAt("#11111-11111-11111-1112b")).code, CODE);
  assert.equal(takeCode(pageAt("#11111%2011111%2011111%201112B")).code, CODE);
});

test("without a fragment, or with an anchor on the page, nothing is rewritten", () => {
  for (const page of [pageAt(""), pageAt("#"), pageAt("#main", ["main"])]) {
    assert.deepEqual(takeCode(page), { code: null, isWrong: false });
    assert.deepEqual(page.rewritten, []);
  }
});
