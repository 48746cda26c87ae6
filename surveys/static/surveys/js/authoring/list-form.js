/** The form of a list: its stem and look above each of its lines, and tools to add lines. */

import { el, fill } from "../dom.js";
import { nameByText, settled } from "./edits.js";
import { folded, group, hint, idOf, labelled, plainButton, radioField, wordsField } from "./fields.js";
import { addLine, linesOf, pasteLines, stemPlace } from "./lists.js";
import { getAt } from "./paths.js";

/** The stem of a line's list, shared by all of its lines. @param {import("./app.js").App} app @param {import("./paths.js").Path} path */
export function stemPart(app, path) {
  const place = stemPlace(app.document, getAt(app.document, path));
  const here = ["stems", place];
  const look = [...here, "look"];
  const stem = getAt(app.document, here);
  return group(
    here,
    app.texts.stem,
    [
      wordsField(app, [...here, "text"], "stem_text", { lines: 2 }),
      wordsField(app, [...here, "help"], "question_help", { optional: true }),
      radioField(app, look, "look", [["", "look_lines"], ["boxes", "look_boxes"]], {
        inline: true,
        value: stem.look === "boxes" ? "boxes" : "",
      }),
      stem.wordings && hint(fill(app.texts.kept_wordings, { key: stem.wordings.question })),
    ],
    "field stack",
  );
}

/** Buttons that add lines. */
export function lineTools(app, path) {
  const { texts } = app;
  const add = () => {
    const { document, at } = addLine(app.document, path);
    app.open({ document: settled(document, path[1], app.document), at }, { focus: "first" });
    // The first field is that of the stem; the new line has no text yet.
    globalThis.document.getElementById(idOf([...at, "text", app.languages[0]]))?.focus();
  };
  return el("div", { class: "field stack" }, el("div", { class: "row" }, plainButton(texts.line_add, add)), pastedLines(app, path));
}

/** Name lines whose keys were made up by their texts. */
const named = (document, path, language) =>
  linesOf(document.blocks[path[1]], getAt(document, path).stem).reduce(
    (next, place) => nameByText(next, [...path.slice(0, 3), place], language),
    document,
  );

function pastedLines(app, path) {
  const { texts } = app;
  const id = `${idOf(path)}-lines`;
  const area = el("textarea", { id, rows: 5, maxlength: 100_000, autocomplete: "off", "aria-describedby": `${id}-hint` });
  const use = () => {
    const { document: pasted, added } = pasteLines(app.document, path, area.value, app.languages);
    const document = app.isPublished ? pasted : named(pasted, path, app.languages[0]);
    const said = fill(texts.lines_pasted, { count: added });
    if (added) {
      app.edit(settled(document, path[1], app.document), { redraw: true, undoable: said });
    } else {
      app.announce(said);
      area.focus();
    }
  };
  return folded(
    texts.lines_paste,
    labelled(id, texts.lines_paste_label, el("p", { class: "hint", id: `${id}-hint` }, texts.options_paste_hint), area),
    el("div", { class: "row" }, plainButton(texts.lines_paste_use, use)),
  );
}
