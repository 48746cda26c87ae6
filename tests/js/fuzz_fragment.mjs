/** Parses random fragments of addresses for some seconds, and prints their number. Run by tests/faults/test_fuzz.py. */

import assert from "node:assert/strict";

import { codeTyped, isCode } from "../../surveys/static/surveys/js/code.js";
import { isNamed } from "../../surveys/static/surveys/js/digest.js";
import { codeIn } from "../../surveys/static/surveys/js/code-in.js";
import { namedDigest } from "../../surveys/static/surveys/js/fragment.js";

const [seconds, seed] = process.argv.slice(2).map(Number);
const CODE = "1111111111111111112B";
const PIECES = ["c=", "d=", "id=", "&", "=", "#", "%20", "%", "%zz", "\0", "\ud800", "ﬁ", "Ⅷ", " ", "-", CODE, CODE.toLowerCase(), "A".repeat(22), "7", "漢"];
const ROOT = "0123456789abcdef".repeat(4);

let state = seed;
/** Marsaglia's xorshift, repeatable by its seed. */
function below(count) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % count;
}

const until = performance.now() + 1000 * seconds;
let read = 0;
for (; performance.now() < until; read += 1) {
  const hash = `#${Array.from({ length: below(12) }, () => PIECES[below(PIECES.length)]).join("")}`;
  try {
    const { text, rest } = codeIn(hash);
    const code = codeTyped(text);
    assert.ok(code === null || isCode(code));
    const named = namedDigest(hash);
    assert.equal(typeof isNamed(ROOT, named ?? ""), "boolean");
    // The remaining address has no code, names the same survey, and does not change when it is parsed again.
    assert.equal(namedDigest(rest), named);
    assert.deepEqual(codeIn(rest), { text: "", rest });
  } catch (error) {
    error.message = `${JSON.stringify(hash)}, seed ${seed}: ${error.message}`;
    throw error;
  }
}
console.log(read);
