/** Chapters are added, removed and described; those that were published are known. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  addChapter, chapterSentences, chaptersOf, publishedEnd, removeChapter,
} from "../../../surveys/static/surveys/js/authoring/chapters.js";

const TEXTS = {
  chapter_first: "{number}: by {until}",
  chapter_next: "{number}: until {until}",
  chapter_last: "{number}: later",
};
const FIRST = "2090-01-01T00:00";
const SECOND = "2091-01-01T08:30";

test("a chapter is added without a time, and removing the last one leaves no list", () => {
  const one = addChapter({ slug: "a" });
  assert.deepEqual(one, { slug: "a", chapters: [null] });
  const two = { ...addChapter(one), chapters: [FIRST, SECOND] };
  assert.deepEqual(removeChapter(two, 0), { slug: "a", chapters: [SECOND] });
  assert.deepEqual(removeChapter(removeChapter(two, 0), 0), { slug: "a" });
});

test("a definition whose chapters are no list has none", () => {
  for (const chapters of [undefined, null, "2090", 3, { 0: FIRST }]) {
    assert.deepEqual(chaptersOf({ chapters }), []);
    assert.deepEqual(addChapter({ chapters }).chapters, [null]);
  }
});

test("published ends are found by their time", () => {
  const published = [{ ends_at: FIRST, closed: true }];
  assert.equal(publishedEnd(FIRST, published).closed, true);
  assert.equal(publishedEnd(SECOND, published), undefined);
  assert.equal(publishedEnd(null, published), undefined);
});

test("each chapter is described once a time is chosen, the last one without an end", () => {
  assert.deepEqual(chapterSentences([], TEXTS), []);
  assert.deepEqual(chapterSentences([null], TEXTS), []);
  assert.deepEqual(chapterSentences([FIRST, null], TEXTS), ["1: by 2090-01-01 00:00", "2: later"]);
  assert.deepEqual(chapterSentences([FIRST, SECOND], TEXTS), [
    "1: by 2090-01-01 00:00", "2: until 2091-01-01 08:30", "3: later",
  ]);
});
