import assert from "node:assert/strict";
import { test } from "node:test";

import { digestInLink, digestInPrint, isNamed } from "../../surveys/static/surveys/js/digest.js";
import { codeIn } from "../../surveys/static/surveys/js/code-in.js";
import { namedDigest } from "../../surveys/static/surveys/js/fragment.js";
import { addressBack } from "../../surveys/static/surveys/js/panel.js";
import { vectors } from "./cast.js";

const DIGESTS = vectors("digests.json").digests;

test("a digest is formatted as on the server", () => {
  for (const { root, link, printed } of DIGESTS) {
    assert.deepEqual([digestInLink(root), digestInPrint(root)], [link, printed]);
  }
});

test("either form names only its root, however a mail program or a person changed its spelling", () => {
  for (const { root, link, printed } of DIGESTS) {
    const forgiven = [link, printed, printed.replaceAll("-", ""), printed.toLowerCase(), printed.replaceAll("-", " ")];
    for (const written of [...forgiven, printed.replaceAll("0", "o").replaceAll("1", "l")]) {
      assert.deepEqual(DIGESTS.filter((each) => isNamed(each.root, written)).map((each) => each.root), [root], written);
    }
  }
});

test("a truncated, extended or mistyped digest names nothing", () => {
  for (const { root, link, printed } of DIGESTS) {
    const other = (text, at) => text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
    const wrong = ["", link.slice(1), link.slice(0, -1), `${link}A`, printed.slice(0, -1), `${printed}0`, root, "%zz"];
    for (const written of [...wrong, ...[0, 9, 21].map((at) => other(link, at)), ...[0, 22].map((at) => other(printed, at))]) {
      assert.equal(isNamed(root, written), false, written);
    }
  }
});

test("the digest may be anywhere in the fragment, even if it is empty", () => {
  const named = { "#d=AB": "AB", "#c=X&d=AB": "AB", "#X&d=AB&id=7": "AB", "#id=7&d=A%20B": "A B", "#d=": "", "#X": null, "": null };
  for (const [hash, digest] of Object.entries(named)) {
    assert.equal(namedDigest(hash), digest, hash);
  }
});

test("only the code is removed; the survey's digest and the panel's number stay", () => {
  const read = {
    "#c=CODE&d=AB": ["CODE", "#d=AB"],
    "#CODE&d=AB": ["CODE", "#d=AB"],
    "#d=AB&c=CODE&id=7": ["CODE", "#d=AB&id=7"],
    "#CODE&id=7": ["CODE", "#id=7"],
    "#c=CODE": ["CODE", ""],
    "#CODE": ["CODE", ""],
    "#d=AB": ["", "#d=AB"],
    "": ["", ""],
  };
  for (const [hash, [text, rest]] of Object.entries(read)) {
    assert.deepEqual(codeIn(hash), { text, rest }, hash);
  }
});

test("a code and a digest end where a pasted link does", () => {
  for (const behind of [...").]}>.,;:!?\"'*|。，、；：！？）】》」』”’… ", ").", "。请填写", "，谢谢", "&fbclid=1", "&utm_source=x"]) {
    // As `location.hash` has it.
    const { hash: coded } = new URL(`https://survey.example/#c=AB-1.2&d=A_-9${behind}`);
    assert.equal(namedDigest(coded), "A_-9", behind);
    assert.equal(codeIn(coded).text, "AB-1.2", behind);
    for (const before of ["c=", ""]) {
      const { hash } = new URL(`https://survey.example/#d=AB&${before}CODE${behind}`);
      assert.deepEqual(codeIn(hash), { text: "CODE", rest: "#d=AB" }, behind);
    }
  }
  assert.equal(codeIn("#).").text, ").");
  assert.equal(codeIn("#fbclid=1&c=CODE").text, "CODE");
  assert.equal(namedDigest("#d=AB%zz"), "AB");
});

test("a panel's number may be before or after a digest", () => {
  for (const hash of ["#id=7", "#d=AB&id=7", "#id=7&d=AB", "#c=CODE&d=AB&id=7"]) {
    assert.equal(addressBack("https://panel.example/?{id}", hash), "https://panel.example/?7", hash);
  }
});
