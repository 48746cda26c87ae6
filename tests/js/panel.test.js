/** The address back to a panel contains its number unchanged, only in the place for it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { takeCode } from "../../surveys/static/surveys/js/invitation.js";
import { addressBack } from "../../surveys/static/surveys/js/panel.js";

const PANEL = "https://panel.example/done?who={id}&part=2";

test("the number is inserted in the address's placeholder, and cannot change the rest", () => {
  for (const [hash, put] of [
    ["#id=4711", "4711"],
    ["#id=a%20b", "a%20b"],
    ["#id=%E0%A4", "%25E0%25A4"],
    ["#id=$&", null],
    ["#id=$1", "%241"],
    ["#id=a/../b?c#d", "a%2F..%2Fb%3Fc%23d"],
    ["#CODE&id=4711", "4711"],
    ["#wid=4711", null],
    ["#id=", null],
    [`#id=${"9".repeat(201)}`, null],
    ["", null],
  ]) {
    assert.equal(addressBack(PANEL, hash), put && `https://panel.example/done?who=${put}&part=2`, hash);
  }
});

test("an address without a placeholder is the same for everyone", () => {
  assert.equal(addressBack("https://panel.example/done", "#id=4711"), "https://panel.example/done");
  assert.equal(addressBack("https://panel.example/done", ""), "https://panel.example/done");
});

test("next to an invitation code, the number stays in the address and is not a wrong code", () => {
  const rewritten = [];
  const page = (hash) => ({
    location: { hash, pathname: "/en/s/work/", search: "" },
    history: { state: null, replaceState: (...values) => rewritten.push(values[2]) },
    document: { getElementById: () => null },
  });
  assert.deepEqual(takeCode(page("#id=4711")), { code: null, isWrong: false });
  assert.deepEqual(rewritten, []);
  assert.notEqual(takeCode(page("#11111-11111-11111-1112B&id=4711")).code, null);
  assert.deepEqual(rewritten, ["/en/s/work/#id=4711"]);
});
