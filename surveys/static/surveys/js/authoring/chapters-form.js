/** The chapters of a survey that never closes: when each ends, and what each contains. */

import { button, el, fill } from "../dom.js";
import { folded, group, hint, lineField, plainButton, remark } from "./fields.js";
import { addChapter, chaptersOf, chapterSentences, publishedEnd, removeChapter } from "./chapters.js";

const TIMES = { type: "datetime-local", min: "2000-01-01T00:00", max: "2099-12-31T23:59" };

/** @param {import("./app.js").App} app */
export function chaptersPart(app) {
  const { texts, publishedChapters: published } = app;
  const ends = chaptersOf(app.document);
  const preview = el("div", { class: "stack", "aria-live": "polite" });
  const show = () => preview.replaceChildren(...previewOf(app));
  show();
  app.whenRefreshed(show);
  const add = () => {
    app.edit(addChapter(app.document), { redraw: true });
    document.getElementById(`f-chapters-${ends.length}-`)?.focus();
  };
  const form = folded(
    texts.chapters,
    hint(texts.chapters_hint),
    group("chapters", null, [
      ...ends.map((end, place) => chapterField(app, end, place, published)),
      remark("chapters"),
      plainButton(texts.chapter_add, add),
    ]),
    preview,
  );
  form.toggleAttribute("data-open", ends.length > 0);
  return form;
}

function chapterField(app, end, place, published) {
  const { texts } = app;
  const number = place + 1;
  const known = publishedEnd(end, published);
  const attributes = { ...TIMES, disabled: Boolean(known) };
  const says = known && (known.closed ? texts.chapter_closed : texts.chapter_published);
  // An emptied time is missing, and the server says so; the entry stays until it is removed.
  const onWrite = (text, tag) => app.write(["chapters", place], text || null, { tag });
  const field = lineField(app, ["chapters", place], { said: fill(texts.chapter_end, { number }), says }, { attributes, onWrite });
  const remove = () =>
    app.edit(removeChapter(app.document, place), {
      redraw: true,
      undoable: fill(texts.chapter_removed, { number }),
    });
  return known ? field : el("div", {}, field, button(fill(texts.chapter_remove, { number }), remove, "link-button"));
}

/** What each chapter contains; nothing before a time is chosen. */
function previewOf(app) {
  const lines = chapterSentences(chaptersOf(app.document), app.texts);
  if (!lines.length) {
    return [];
  }
  return [
    el("p", {}, el("strong", {}, app.texts.chapters_preview)),
    el("ul", {}, ...lines.map((line) => el("li", {}, line))),
    hint(app.texts.chapters_waiting),
  ];
}
